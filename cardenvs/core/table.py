"""Cards on the table: draw pile, discard pile and hands, of games that have one of each.

Both piles lie in `s.cards`: the draw pile at its start, top card last; the discard pile at its end, top card first. A
shuffle is drawn lazily: it fixes the order of the pile by a stream of its own, and each card gets its place when it
is drawn. The lowest `s.settled` cards of the draw pile have their places already.
"""

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.rng import SHUFFLE_0, below, derive, mix, next_state
from cardenvs.core.state import ORDERS_HELD, seat_left_of

NO_CARD = -1


@njit
def gather_deck(s):
    """All cards into the draw pile, all hands and the discard pile empty."""
    n = 0
    for k in range(s.deck.shape[0]):
        for _ in range(s.deck[k]):
            s.cards[n] = k
            n += 1
    s.draw_size = n
    s.discard_size = 0
    s.discards[:] = 0
    s.hands[:] = 0
    s.sizes[:] = 0


@njit
def shuffle(s):
    """A shuffle: the draw pile gets a uniformly random order, or the one that is stacked for it."""
    number = s.shuffles
    s.shuffles = number + 1
    s.stream = derive(s.key, SHUFFLE_0 + np.uint64(number))
    s.settled = 0
    if number < s.stacked:
        lay_in_order(s, number)


@njit
def lay_in_order(s, number):
    """The draw pile in the stacked order; a fault if these are not its cards (the next row then tells what is)."""
    n = s.draw_size
    row = number % ORDERS_HELD
    if not is_order_of_pile(s, row):
        s.fault = True
        s.faulty = number
        s.stacked = 0
        for i in range(s.orders.shape[1]):
            s.orders[(row + 1) % ORDERS_HELD, i] = s.cards[i] if i < n else NO_CARD
        return
    for i in range(n):
        s.cards[n - 1 - i] = s.orders[row, i]
    s.settled = n


@njit
def is_order_of_pile(s, row):
    """Whether the stacked order holds the cards of the draw pile, kind by kind."""
    n = s.draw_size
    if n < s.orders.shape[1] and s.orders[row, n] != NO_CARD:
        return False
    for k in range(s.deck.shape[0]):
        surplus = 0
        for i in range(n):
            surplus += int(s.orders[row, i] == k) - int(s.cards[i] == k)
        if surplus != 0:
            return False
    return True


@njit
def settle_top(s):
    """Give the top card of the draw pile its place (one step of Fisher and Yates)."""
    top = s.draw_size - 1
    if top >= s.settled:
        s.stream = next_state(s.stream)
        i = s.settled + below(mix(s.stream), top - s.settled + 1)
        card = s.cards[i]
        s.cards[i] = s.cards[top]
        s.cards[top] = card


@njit
def settle_pile(s):
    """Give every card of the draw pile its place, as drawing them all would."""
    n = s.draw_size
    while s.draw_size > s.settled:
        settle_top(s)
        s.draw_size -= 1
    s.draw_size = n
    s.settled = n


@njit
def take_top(s):
    """Take the top card off the draw pile, which has one."""
    settle_top(s)
    s.draw_size -= 1
    if s.settled > s.draw_size:
        s.settled = s.draw_size
    return np.int64(s.cards[s.draw_size])


@njit
def put_at_bottom(s, k):
    """Put a card under the draw pile."""
    for i in range(s.draw_size, 0, -1):
        s.cards[i] = s.cards[i - 1]
    s.cards[0] = k
    s.draw_size += 1
    s.settled += 1


@njit
def reshuffle(s):
    """The discard pile but for its top card becomes the draw pile, if it has any other."""
    n = s.discard_size - 1
    if n < 1:
        return
    last = s.cards.shape[0] - 1
    top = s.cards[last - n]
    for i in range(n):
        s.cards[i] = s.cards[last - n + 1 + i]
    s.cards[last] = top
    s.draw_size = n
    s.discard_size = 1
    s.discards[:] = 0
    s.discards[top] = 1
    shuffle(s)


@njit
def can_draw(s):
    """Whether a card can be drawn: from the draw pile, or after a reshuffle."""
    return s.draw_size > 0 or s.discard_size > 1


@njit
def draw_card(s):
    """Draw a card, reshuffling if the pile is empty: its kind, or NO_CARD if there is none."""
    if s.draw_size == 0:
        reshuffle(s)
        if s.draw_size == 0:
            return NO_CARD
    return take_top(s)


@njit
def draw_to_hand(s, seat, count):
    """A seat draws `count` cards, or as many as there are."""
    for _ in range(count):
        k = draw_card(s)
        if k == NO_CARD:
            return
        s.hands[seat, k] += 1
        s.sizes[seat] += 1


@njit
def deal_hands(s, count):
    """Deal `count` cards to each seat, one at a time, the first to the dealer's left."""
    for _ in range(count):
        seat = s.dealer
        for _ in range(s.num_players):
            seat = seat_left_of(s, seat)
            s.hands[seat, take_top(s)] += 1
    for seat in range(s.num_players):
        s.sizes[seat] = count


@njit
def discard(s, k):
    """Lay a card on the discard pile."""
    s.discard_size += 1
    s.cards[s.cards.shape[0] - s.discard_size] = k
    s.discards[k] += 1


@njit
def top_discard(s):
    """The card on top of the discard pile, which has one."""
    return np.int64(s.cards[s.cards.shape[0] - s.discard_size])


@njit
def take_from_hand(s, seat, k):
    s.hands[seat, k] -= 1
    s.sizes[seat] -= 1
