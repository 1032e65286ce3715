"""What is known in Wild Twists war, and the positions that cannot be told apart: the same for both seats.

A card that has been won was shown (WTW-5), and stays with its winner until it is lost in sight of both. So a card whose
place is hidden, in a play deck, face down or in the first flip of two, is of a seat that is known; or it has never been
won, and is still where the deal put it.
"""

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.rng import RESAMPLE, derive
from cardenvs.core.state import NOBODY, is_over
from cardenvs.core.table import take_top
from cardenvs.games.wild_twists.layout import NUM_KINDS, PLAYERS
from cardenvs.games.wild_twists.rules import ONE, has

NEVER_WON = 0
CLASSES = 5


@njit
def view(s, seat, v):
    """Fill `v` with what `seat` may know of `s`, all seats relative to it."""
    v.num_players = s.num_players
    v.actor = s.actor ^ seat if s.actor != NOBODY else NOBODY
    v.phase = s.phase
    v.decisions = s.decisions
    v.max_decisions = s.max_decisions
    for r in range(PLAYERS):
        other = seat ^ r
        v.deck_sizes[r] = s.deck_sizes[other]
        v.score_sizes[r] = s.score_sizes[other]
        v.table_sizes[r] = s.up_sizes[other] + s.down_sizes[other]
    view_cards(s, seat, v)


@njit
def view_cards(s, seat, v):
    """Whose each card is known to be, and where."""
    mine, theirs, scored = s.taken[seat], s.taken[1 - seat], s.score[0] | s.score[1]
    for k in range(NUM_KINDS):
        v.owner[k] = bit(mine, k) - bit(theirs, k)
    for k in range(NUM_KINDS):
        v.scored[k] = bit(scored, k)
    v.shown[:] = 0
    for r in range(PLAYERS):
        other = seat ^ r
        for i in range(shown_cards(s, other)):
            v.owner[s.face_up[other, i]] = 1 - 2 * r
            v.shown[s.face_up[other, i]] = 1 - 2 * r


@njit
def bit(cards, k):
    return np.int64((cards >> np.uint64(k)) & ONE)


@njit
def shown_cards(s, seat):
    """How many of a seat's cards lie face up for both to see: not the first flip of two (WTW-2)."""
    return min(s.up_sizes[seat], s.up_sizes[1])


@njit
def resample(s, seat, key):
    """Put a uniformly drawn possibility in place of all that is hidden; the view does not change.

    Cards change places with those that cannot be told from them (`class_of`). A finished episode stays as it is.
    """
    if is_over(s):
        return
    s.key = key
    s.stacked = 0
    s.stream = derive(key, RESAMPLE)
    for c in range(CLASSES):
        shuffle_class(s, c)


@njit
def shuffle_class(s, c):
    """The hidden cards of a class change places."""
    n = num_hidden(s)
    for i in range(n):
        if class_of(s, hidden(s, i)) == c:
            s.cards[s.draw_size] = hidden(s, i)
            s.draw_size += 1
    for i in range(n):
        if class_of(s, hidden(s, i)) == c:
            put_hidden(s, i, take_top(s))


@njit
def class_of(s, k):
    """Never won; or by the seat that took it, and whether it came into play by that seat's last shuffle."""
    for seat in range(PLAYERS):
        if has(s.taken[seat], k):
            return 1 + 2 * seat + int(has(s.fresh[seat], k))
    return NEVER_WON


@njit
def num_hidden(s):
    """Places of hidden cards: play decks, cards face down, and the first flip of two."""
    places = s.up_sizes[0] - s.up_sizes[1]
    for seat in range(PLAYERS):
        places += s.deck_sizes[seat] + s.down_sizes[seat]
    return np.int64(places)


@njit
def hidden(s, i):
    """The card in the hidden place i."""
    for seat in range(PLAYERS):
        if i < s.deck_sizes[seat]:
            return np.int64(s.decks[seat, i])
        i -= s.deck_sizes[seat]
        if i < s.down_sizes[seat]:
            return np.int64(s.face_down[seat, i])
        i -= s.down_sizes[seat]
    return np.int64(s.face_up[0, s.up_sizes[0] - 1])


@njit
def put_hidden(s, i, k):
    """Put a card in the hidden place i."""
    for seat in range(PLAYERS):
        if i < s.deck_sizes[seat]:
            s.decks[seat, i] = k
            return
        i -= s.deck_sizes[seat]
        if i < s.down_sizes[seat]:
            s.face_down[seat, i] = k
            return
        i -= s.down_sizes[seat]
    s.face_up[0, s.up_sizes[0] - 1] = k
