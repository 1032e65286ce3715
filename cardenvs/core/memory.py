"""What seats have been shown of one another's hands, and the hands that they cannot tell apart.

`s.known[pair(s, observer, seat), kind]` is how many cards of a kind the observer knows to be in a seat's hand: a lower
bound. Nothing is known of one's own hand in this sense: it is simply seen. What the seats at the table know lies close
together, however many there might have been.
"""

from typing import Any

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.rng import RESAMPLE, SHUFFLE_0, below, derive, mix, next_state
from cardenvs.core.table import take_top


def memory_sizes(seats: int) -> tuple[Any, ...]:
    """The sums of `known`, by observer and seat: a field of a record that remembers, to go with those read often."""
    return ("known_sizes", "u1", (seats, seats))


def memory(seats: int, kinds: int) -> tuple[Any, ...]:
    """The field `known`."""
    return ("known", "u1", (seats * seats, kinds))


@njit
def pair(s, observer, seat):
    """The row of `known`: those of the seats at the table lie together, however many there might have been."""
    return observer * s.num_players + seat


# --- keeping it up to date --------------------------------------------------------------------------------------------


@njit
def forget_hands(s):
    """At the start of a round nobody knows of another's cards."""
    for observer in range(s.num_players):
        for seat in range(s.num_players):
            forget_hand(s, observer, seat)


@njit
def forget_card(s, seat, k):
    """A card laid from a hand: whoever knew of n of its kind knows of n − 1 that are left."""
    for observer in range(s.num_players):  # without a branch, which no processor could foresee
        learn(s, observer, seat, k, -int(s.known[pair(s, observer, seat), k] > 0))


@njit
def learn(s, observer, seat, k, count):
    """The observer knows of `count` more cards of a kind in a hand, or of fewer."""
    s.known[pair(s, observer, seat), k] = np.int64(s.known[pair(s, observer, seat), k]) + count
    s.known_sizes[observer, seat] = np.int64(s.known_sizes[observer, seat]) + count


@njit
def learn_hand(s, observer, seat):
    """The observer knows every card of a hand."""
    for k in range(s.hands.shape[1]):
        s.known[pair(s, observer, seat), k] = s.hands[seat, k]
    s.known_sizes[observer, seat] = s.sizes[seat]


@njit
def forget_hand(s, observer, seat):
    """The observer knows no card of a hand."""
    if s.known_sizes[observer, seat] > 0:
        s.known[pair(s, observer, seat), :] = 0
        s.known_sizes[observer, seat] = 0


@njit
def swap_hands(s, a, b):
    """Two seats swap their hands; what is known of a hand goes with it, and both know the hand that they gave."""
    for k in range(s.hands.shape[1]):
        cards = s.hands[a, k]
        s.hands[a, k] = s.hands[b, k]
        s.hands[b, k] = cards
    size = s.sizes[a]
    s.sizes[a] = s.sizes[b]
    s.sizes[b] = size
    swap_knowledge(s, a, b)


@njit
def swap_knowledge(s, a, b):
    for observer in range(s.num_players):
        if observer != a and observer != b and (s.known_sizes[observer, a] > 0 or s.known_sizes[observer, b] > 0):
            for k in range(s.hands.shape[1]):
                known = s.known[pair(s, observer, a), k]
                s.known[pair(s, observer, a), k] = s.known[pair(s, observer, b), k]
                s.known[pair(s, observer, b), k] = known
            size = s.known_sizes[observer, a]
            s.known_sizes[observer, a] = s.known_sizes[observer, b]
            s.known_sizes[observer, b] = size
    learn_hand(s, a, b)
    learn_hand(s, b, a)


@njit
def give(s, giver, receiver, k):
    """A card goes from hand to hand, seen by these two alone."""
    remember_gift(s, giver, receiver, k)
    move_card(s, giver, receiver, k)


@njit
def move_card(s, giver, receiver, k):
    s.hands[giver, k] -= 1
    s.sizes[giver] -= 1
    s.hands[receiver, k] += 1
    s.sizes[receiver] += 1


@njit
def remember_gift(s, giver, receiver, k):
    """The two know which card it is; to the others it may be any one of the giver's."""
    learn(s, giver, receiver, k, 1)
    for observer in range(s.num_players):
        if s.known_sizes[observer, giver] == 0:
            continue
        if observer == receiver:
            if s.known[pair(s, observer, giver), k] > 0:
                learn(s, observer, giver, k, -1)
        else:
            remember_unseen_gift(s, observer, giver, receiver)


@njit
def remember_unseen_gift(s, observer, giver, receiver):
    """One card of the giver's, of a kind that the observer has not seen: of every kind there may be one less."""
    for kind in range(s.hands.shape[1]):
        known = s.known[pair(s, observer, giver), kind]
        if known == s.sizes[giver]:  # it has nothing else
            learn(s, observer, receiver, kind, 1)
        if known > 0:
            learn(s, observer, giver, kind, -1)


@njit
def give_all(s, giver, receiver):
    """A whole hand goes to another: what anybody knows of it goes with it."""
    for observer in range(s.num_players):
        for kind in range(s.hands.shape[1]):
            known = s.hands[giver, kind] if observer == giver else s.known[pair(s, observer, giver), kind]
            if observer != receiver and known > 0:
                learn(s, observer, receiver, kind, known)
        forget_hand(s, observer, giver)
    for kind in range(s.hands.shape[1]):
        for _ in range(s.hands[giver, kind]):
            move_card(s, giver, receiver, kind)


# --- the possibilities that it leaves ---------------------------------------------------------------------------------


@njit
def gather_unknown(s, seat, key):
    """All cards whose place `seat` does not know go into the draw pile; the episode goes on from `key`.

    Then `deal_others` fills the other hands again. So every such card is as likely to be in any such place, and nothing
    of what would have come is left either.
    """
    s.key = key
    s.stacked = 0
    for other in range(s.num_players):
        if other != seat:
            take_unknown(s, seat, other)
    s.settled = 0
    s.stream = derive(key, RESAMPLE)


@njit
def take_unknown(s, observer, seat):
    """The cards of a hand that the observer does not know go into the draw pile."""
    for k in range(s.hands.shape[1]):
        known = s.known[pair(s, observer, seat), k]
        for _ in range(s.hands[seat, k] - known):
            s.cards[s.draw_size] = k
            s.draw_size += 1
        s.hands[seat, k] = known


@njit
def deal_unknown(s, seat):
    """Fill a hand up to its number of cards."""
    held = 0
    for k in range(s.hands.shape[1]):
        held += s.hands[seat, k]
    for _ in range(s.sizes[seat] - held):
        s.hands[seat, take_top(s)] += 1


@njit
def deal_others(s, observer):
    """Fill the hands of all but the observer, who know as many cards of each other's as before, whichever these are."""
    for seat in range(s.num_players):
        if seat != observer:
            deal_unknown(s, seat)
    for seat in range(s.num_players):
        for other in range(s.num_players):
            if seat != observer and other not in (observer, seat):
                redraw_known(s, other, seat)
    s.stream = derive(s.key, SHUFFLE_0)


@njit
def redraw_known(s, observer, seat):
    """What one seat knows of a hand: as many cards as before, drawn uniformly."""
    wanted = np.int64(s.known_sizes[observer, seat])
    if wanted == 0:
        return
    left = s.sizes[seat]
    for k in range(s.hands.shape[1]):
        known = 0
        for _ in range(s.hands[seat, k]):
            s.stream = next_state(s.stream)
            if below(mix(s.stream), left) < wanted:
                known += 1
                wanted -= 1
            left -= 1
        s.known[pair(s, observer, seat), k] = known
