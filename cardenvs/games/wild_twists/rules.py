"""The rules of Wild Twists war: RULES.md, rule by rule, on one record."""

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.match import begin_decision, cut_off, pay_winners, reaches_cap, terminate
from cardenvs.core.state import NOBODY, ask, begin_episode, seat_left_of
from cardenvs.core.table import settle_pile, shuffle
from cardenvs.games.wild_twists.layout import (
    BATTLE,
    FACE_DOWN,
    FLIP,
    NUM_KINDS,
    NUM_RANKS,
    PLAYERS,
    WAR,
    WILD_BLACK,
    WILD_RED,
    WILD_SUIT,
)

ONE, NONE = np.uint64(1), np.uint64(0)
BOTH = 0b11  # seats, as winners of a drawn game
RED_SUITS = 2

# --- deal -------------------------------------------------------------------------------------------------------------


@njit
def deal(s, dealer):
    """A new episode: all cards are dealt out; seat 0 is asked first (WTW-1, WTW-2)."""
    begin_episode(s, dealer)
    for k in range(NUM_KINDS):
        s.cards[k] = k
    shuffle_cards(s, NUM_KINDS)
    deal_decks(s)
    s.score[:] = NONE
    s.taken[:] = NONE
    s.fresh[:] = NONE
    s.score_sizes[:] = 0
    s.up_sizes[:] = 0
    s.down_sizes[:] = 0
    ask(s, 0, BATTLE)


@njit
def shuffle_cards(s, n):
    """A shuffle of the first n of `s.cards`; then the top card is the last."""
    s.draw_size = n
    shuffle(s)
    settle_pile(s)
    s.draw_size = 0
    s.settled = 0


@njit
def deal_decks(s):
    """One card at a time, the first to the dealer's left; a seat flips them in the order dealt (WTW-1)."""
    seat = s.dealer
    for i in range(NUM_KINDS):
        seat = seat_left_of(s, seat)
        s.decks[seat, (NUM_KINDS - 1 - i) // PLAYERS] = s.cards[NUM_KINDS - 1 - i]
    s.deck_sizes[:] = NUM_KINDS // PLAYERS


# --- apply ------------------------------------------------------------------------------------------------------------


@njit
def apply(s, action):
    """The actor's flip; when both have flipped, the battle or the war is decided (WTW-2)."""
    begin_decision(s)
    seat = s.actor
    if s.phase == WAR:
        lay_face_down(s, seat)
    lay_face_up(s, seat)
    if seat == 0:
        ask(s, 1, s.phase)
    else:
        decide(s)
    if reaches_cap(s):
        cut_off(s)


@njit
def lay_face_up(s, seat):
    s.face_up[seat, s.up_sizes[seat]] = next_card(s, seat)
    s.up_sizes[seat] += 1


@njit
def lay_face_down(s, seat):
    """Three cards (WTW-6), or all but the last (WTW-8)."""
    for _ in range(FACE_DOWN):
        if cards_left(s, seat) > 1:
            s.face_down[seat, s.down_sizes[seat]] = next_card(s, seat)
            s.down_sizes[seat] += 1


@njit
def cards_left(s, seat):
    """Cards in a seat's play deck and score pile."""
    return np.int64(s.deck_sizes[seat] + s.score_sizes[seat])


@njit
def next_card(s, seat):
    """The next card of a play deck; the score pile is shuffled into a new one when it is needed (WTW-7)."""
    if s.deck_sizes[seat] == 0:
        renew_deck(s, seat)
    s.deck_sizes[seat] -= 1
    return s.decks[seat, s.deck_sizes[seat]]


@njit
def renew_deck(s, seat):
    n = 0
    for k in range(NUM_KINDS):
        if has(s.score[seat], k):
            s.cards[n] = k
            n += 1
    shuffle_cards(s, n)
    for i in range(n):
        s.decks[seat, i] = s.cards[i]
    s.deck_sizes[seat] = n
    s.fresh[seat] = s.score[seat]
    s.score[seat] = NONE
    s.score_sizes[seat] = 0


# --- battles and wars -------------------------------------------------------------------------------------------------


@njit
def decide(s):
    """The last cards face up decide: somebody takes all, or there is a war (WTW-3 to WTW-6)."""
    winner = better(s.face_up[0, s.up_sizes[0] - 1], s.face_up[1, s.up_sizes[1] - 1])
    if winner == NOBODY:
        begin_war(s)
        return
    take_all(s, winner)
    if cards_left(s, 1 - winner) == 0:
        end(s, 1 << winner)  # (WTW-10)
    else:
        ask(s, 0, BATTLE)


@njit
def better(a, b):
    """Which of two cards wins, 0 or 1; NOBODY if it is a war (WTW-3, WTW-4)."""
    if a >= WILD_RED and b >= WILD_RED:
        return NOBODY
    if a >= WILD_RED:
        return 0 if matches(a, b // NUM_RANKS) else 1
    if b >= WILD_RED:
        return 1 if matches(b, a // NUM_RANKS) else 0
    if a % NUM_RANKS == b % NUM_RANKS:
        return NOBODY
    return 0 if a % NUM_RANKS > b % NUM_RANKS else 1


@njit
def matches(wild, suit):
    """Whether a wild card's suit, or its colour, is that of an ordinary card (WTW-4)."""
    if wild == WILD_RED:
        return suit < RED_SUITS
    if wild == WILD_BLACK:
        return suit >= RED_SUITS
    return wild - WILD_SUIT == suit


@njit
def take_all(s, winner):
    """The winner takes all cards on the table into its score pile (WTW-5)."""
    cards = NONE
    for seat in range(PLAYERS):
        for i in range(s.up_sizes[seat]):
            cards |= ONE << np.uint64(s.face_up[seat, i])
        for i in range(s.down_sizes[seat]):
            cards |= ONE << np.uint64(s.face_down[seat, i])
        s.score_sizes[winner] += s.up_sizes[seat] + s.down_sizes[seat]
        s.up_sizes[seat] = 0
        s.down_sizes[seat] = 0
    s.score[winner] |= cards
    s.taken[winner] |= cards
    s.taken[1 - winner] &= ~cards


@njit
def begin_war(s):
    """Both go on, unless one has no card left: then the other wins, or nobody (WTW-9)."""
    if cards_left(s, 0) > 0 and cards_left(s, 1) > 0:
        ask(s, 0, WAR)
    elif cards_left(s, 0) > 0:
        end(s, 0b01)
    elif cards_left(s, 1) > 0:
        end(s, 0b10)
    else:
        end(s, BOTH)


@njit
def end(s, winners):
    """The game is over, and paid in the same way by both schemes (WTW-11)."""
    terminate(s, winners)
    pay_winners(s)


@njit
def has(cards, k):
    """Whether a set of cards, a bit a card, has this one."""
    return (cards >> np.uint64(k)) & ONE != NONE


@njit
def legal(s, mask):
    """Fill the actor's action mask, bool (1,): to flip is all that there is."""
    mask[FLIP] = s.actor != NOBODY
