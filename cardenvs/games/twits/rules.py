"""The rules of The Twits Card Game: RULES.md, rule by rule, on one record."""

from cardenvs.core.jit import njit
from cardenvs.core.match import begin_decision, cut_off, end_round, is_between_rounds, leaders, reaches_cap
from cardenvs.core.memory import forget_card, forget_hands, give
from cardenvs.core.state import ask, begin_episode, seat_left_of
from cardenvs.core.table import deal_hands, discard, gather_deck, shuffle, take_from_hand, take_top
from cardenvs.games.twits.layout import (
    BANK,
    DECLINE,
    HAND,
    NUM_KINDS,
    PASS,
    SCALE,
    SET,
    SETS,
    UPSIDE_DOWN,
    VALUES,
)

# --- deal -------------------------------------------------------------------------------------------------------------


@njit
def deal(s, dealer):
    """A new episode, up to its first decision (TWT-1); `dealer` NOBODY draws the dealer by lot."""
    begin_episode(s, dealer)
    deal_round(s)


@njit
def deal_round(s):
    """Shuffle and deal five cards to each seat; the seat to the dealer's left begins (TWT-1)."""
    gather_deck(s)
    forget_hands(s)
    s.sets[:] = 0
    s.last_turn = False
    shuffle(s)
    deal_hands(s, HAND)
    s.turn = s.dealer
    go_on(s)


# --- apply ------------------------------------------------------------------------------------------------------------


@njit
def apply(s, action):
    """Carry out a legal action and all that follows from it, up to the next decision or the end."""
    begin_decision(s)
    if s.phase == BANK:
        apply_bank(s, action)
    else:
        give(s, s.turn, seat_left_of(s, s.turn), action)  # (TWT-5)
        go_on(s)
    if is_between_rounds(s):
        deal_round(s)
    if reaches_cap(s):
        cut_off(s)


@njit
def apply_bank(s, action):
    """Lay down three of a kind, or decline (TWT-3); the third set ends the round (TWT-4), as the last turn does."""
    if action != DECLINE:
        bank(s, s.turn, action)
    if s.last_turn or s.sets[s.turn] == SETS:
        score_round(s)
    elif can_pass(s):
        ask(s, s.turn, PASS)
    else:
        go_on(s)


@njit
def bank(s, seat, k):
    for _ in range(SET):
        take_from_hand(s, seat, k)
        forget_card(s, seat, k)
        discard(s, k)
    s.banked[seat, s.sets[seat]] = k
    s.sets[seat] += 1


@njit
def go_on(s):
    """The next turn that has a decision in it (TWT-2), or the last one, without a draw (TWT-6)."""
    while s.draw_size > 0:
        s.turn = seat_left_of(s, s.turn)
        draw(s, s.turn)
        if can_bank(s):
            ask(s, s.turn, BANK)
            return
        if can_pass(s):
            ask(s, s.turn, PASS)
            return
    s.turn = seat_left_of(s, s.turn)
    s.last_turn = True
    if can_bank(s):
        ask(s, s.turn, BANK)
    else:
        score_round(s)


@njit
def draw(s, seat):
    s.hands[seat, take_top(s)] += 1
    s.sizes[seat] += 1


@njit
def can_bank(s):
    """Whether the seat whose turn it is has three of a kind."""
    for k in range(NUM_KINDS):
        if s.hands[s.turn, k] >= SET:
            return True
    return False


@njit
def can_pass(s):
    """Whether the seat whose turn it is has a card that is not upside-down."""
    return s.hands[s.turn, UPSIDE_DOWN] < s.sizes[s.turn]


# --- score ------------------------------------------------------------------------------------------------------------


@njit
def score_round(s):
    """Every seat gets its banked sets and its hand; most points win (TWT-7 to TWT-10)."""
    for seat in range(s.num_players):
        points = banked_points(s, seat) + hand_points(s, seat)
        s.round_points[seat] = points if points > 0 else 0  # (TWT-9)
    end_round(s, leaders(s, s.round_points, 1), 1, SCALE)


@njit
def banked_points(s, seat):
    """The value of one card of each set, as a positive number (TWT-7)."""
    points = 0
    for i in range(s.sets[seat]):
        points += abs(VALUES[s.banked[seat, i]])
    return points


@njit
def hand_points(s, seat):
    """The sum of the cards' values, turned round by an odd number of upside-down cards (TWT-8)."""
    points = 0
    for k in range(NUM_KINDS):
        points += s.hands[seat, k] * VALUES[k]
    return -points if s.hands[seat, UPSIDE_DOWN] % 2 == 1 else points


# --- legal actions ----------------------------------------------------------------------------------------------------


@njit
def legal(s, mask):
    """Fill the actor's action mask, bool (A,); all False when the episode is over."""
    mask[:] = False
    if s.phase == BANK:
        for k in range(NUM_KINDS):
            mask[k] = s.hands[s.actor, k] >= SET
        mask[DECLINE] = True
    elif s.phase == PASS:
        for k in range(UPSIDE_DOWN):
            mask[k] = s.hands[s.actor, k] > 0
