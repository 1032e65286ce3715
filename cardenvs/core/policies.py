"""Scripted policies that every game has."""

from cardenvs.core.jit import njit
from cardenvs.core.rng import below


@njit
def act_random(mask, noise):
    """A legal action drawn uniformly by 64 random bits; −1 if there is none."""
    count = 0
    for a in range(mask.shape[0]):
        count += mask[a]
    left = below(noise, count)
    chosen, passed = 0, 0
    for a in range(mask.shape[0]):  # without a branch, which no processor could foresee
        passed += mask[a]
        chosen += passed <= left
    return chosen if count > 0 else -1
