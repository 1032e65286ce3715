"""What encoders write features with: float32, in [−1, 1]."""

import numpy as np

from cardenvs.core.jit import inlined
from cardenvs.core.state import NOBODY
from cardenvs.core.view import num_cards

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


# --- sections that several games have ---------------------------------------------------------------------------------


@inlined
def write_counts(counts, n, less, unit, out):
    """The first n counts, each above `less`, times `unit`: 1 at most."""
    for i in range(n):
        out[i] = at_most_one(at_least_zero(np.float32(counts[i]) - np.float32(less)) * unit)


@inlined
def write_discards(v, out):
    """By kind, the share of its copies that lie in the discard pile."""
    for k in range(v.discards.shape[0]):
        out[k] = at_most_one(np.float32(v.discards[k]) * v.copy_share[k])


@inlined
def write_hand_sizes(v, unit, sizes, one, two, three):
    """By seat, the cards in the hand times `unit`, and flags for one, two and three."""
    for r in range(v.num_players):
        sizes[r] = at_most_one(np.float32(v.sizes[r]) * unit)
        one[r] = flag(v.sizes[r] == 1)
        two[r] = flag(v.sizes[r] == 2)
        three[r] = flag(v.sizes[r] == 3)


@inlined
def write_piles(v, out):
    """Draw pile and discard pile, as shares of all cards."""
    total = num_cards(v)
    out[0] = share(v.draw_size, total)
    out[1] = share(v.discard_size, total)


@inlined
def write_scores(v, out):
    """By seat, the match score as a share of the target score; nothing in a round-only episode."""
    if v.match:
        for r in range(v.num_players):
            out[r] = share(v.scores[r], v.target_score)


@inlined
def write_known(v, unit, out):
    """By seat from 1 and by kind, the cards that the observer knows to be in that hand, times `unit`."""
    kinds = v.known.shape[1]
    for r in range(1, v.num_players):
        if v.known_sizes[r] > 0:
            write_counts(v.known[r], kinds, 0, unit, out[(r - 1) * kinds :])


@inlined
def write_known_shares(v, out):
    """By seat from 1, the share of the hand's cards that the observer knows."""
    for r in range(1, v.num_players):
        if v.known_sizes[r] > 0:
            out[r - 1] = share(v.known_sizes[r], v.sizes[r])
