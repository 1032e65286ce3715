"""What encoders write features with: float32, in [−1, 1]."""

import numpy as np

from cardenvs.core.jit import inlined
from cardenvs.core.state import NOBODY

ZERO, ONE = np.float32(0), np.float32(1)


@inlined
def at_most_one(x):
    return x if x < ONE else ONE


@inlined
def at_least_zero(x):
    return x if x > ZERO else ZERO


@inlined
def share(count, whole):
    """count / whole, at most 1."""
    return np.float32(count) / np.float32(whole) if count < whole else ONE


@inlined
def flag(condition):
    return ONE if condition else ZERO


@inlined
def mark(out, start, index):
    """Set the flag at `index` of a one-hot section, unless it is NOBODY's."""
    if index != NOBODY:
        out[start + index] = ONE
