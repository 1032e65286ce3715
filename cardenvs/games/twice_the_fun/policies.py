"""Scripted policies for Twice the Fun. They see a view and a mask, never a state.

`greedy` follows a few obvious rules. `expert` looks one card ahead in every phase: it imagines the table after each of
its choices and takes the one that leaves it the best share in the race to go out. An opponent's strength falls with
its cards. The observer's own falls with what its hand still needs: its cards, less what they are worth to it. Answers
are worth a card or more, and most of all in a small hand; a Double Trouble is kept, since with three cards it goes out;
the last card should be wild, or else follow. A penalty makes its target weaker, and may come back, the more likely the
more cards of the target it has not seen. The weights were found by random search against the scripted policies
(benchmarks/tune_expert.py): they are the means of those found for 2, 3, 4 and 6 players, which serve every table as
well as its own. SEEN and POINT were set by trying a few values.
"""

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.policies import act_random
from cardenvs.games.twice_the_fun.layout import (
    ACCEPT,
    BOOMERANG,
    COLOR,
    COLOR_0,
    COLOR_OF,
    DECLINE,
    DOUBLE_EXCHANGE,
    DOUBLE_TROUBLE,
    DRAW,
    EXCHANGE,
    FIRST_PENALTY,
    GIVE,
    NO_NUMBER,
    NO_PENALTY,
    NUM_COLORS,
    NUM_COLOURED,
    NUM_KINDS,
    NUMBER_OF,
    NUMBERS,
    PENALTY_OF,
    PLAY,
    POINTS,
    REACT,
    RICOCHET,
    SEAT_0,
)

POLICIES = ("random", "greedy", "expert")
RANDOM, GREEDY, EXPERT = range(len(POLICIES))
NO_KIND = np.int64(-1)  # not the literal, for which functions would be compiled once more


@njit
def act(v, mask, noise, policy):
    """The action of a scripted policy; `noise` is 64 random bits."""
    if policy == RANDOM:
        return act_random(mask, noise)
    if policy == GREEDY:
        return greedy(v, mask)
    return expert(v, mask, WEIGHTS)


# --- greedy -----------------------------------------------------------------------------------------------------------


@njit
def greedy(v, mask):
    """Always answer, always hit the smallest hand, call the colour held most."""
    if v.phase == PLAY:
        return greedy_play(v, mask)
    if v.phase == COLOR:
        return COLOR_0 + fullest_color(v)
    if v.phase == REACT:
        return first_legal(mask, BOOMERANG, ACCEPT)
    if v.phase == GIVE:
        return first_legal(mask, 0, NUM_KINDS)
    seat = smallest_hand(v, mask)
    if v.phase == EXCHANGE and v.sizes[seat] >= v.sizes[0]:
        return DECLINE
    return SEAT_0 + seat


@njit
def greedy_play(v, mask):
    """Number cards first, then penalties, then wild cards; but stop who is nearly out, by a swap or a penalty."""
    for r in range(1, v.num_players):
        if v.sizes[r] <= 3:
            if mask[DOUBLE_EXCHANGE] and v.sizes[r] < v.sizes[0] - 1:
                return DOUBLE_EXCHANGE
            k = first_legal(mask, FIRST_PENALTY, NUM_COLOURED)
            if k >= 0:
                return k
    return first_legal(mask, 0, DRAW + 1)


@njit
def first_legal(mask, low, high):
    """The first legal action from `low` up to `high`; −1 if there is none."""
    for a in range(low, high):
        if mask[a]:
            return a
    return -1


@njit
def smallest_hand(v, mask):
    """Of the seats that may be named, the one with the fewest cards."""
    best = 0
    for r in range(1, v.num_players):
        if mask[SEAT_0 + r] and (best == 0 or v.sizes[r] < v.sizes[best]):
            best = r
    return best


@njit
def fullest_color(v):
    """The colour of which the observer holds most cards."""
    best = 0
    for color in range(1, NUM_COLORS):
        if cards_of(v, color) > cards_of(v, best):
            best = color
    return best


@njit
def cards_of(v, color):
    """How many cards of a colour the observer holds."""
    cards = 0
    for k in range(NUMBERS * color, NUMBERS * (color + 1)):
        cards += v.hand[k]
    for k in range(FIRST_PENALTY + color, NUM_COLOURED, NUM_COLORS):
        cards += v.hand[k]
    return cards


# --- expert -----------------------------------------------------------------------------------------------------------

CARD, WORTH, WILD_WORTH, FOLLOWS, GUARD, READY, LAST, LAST_WILD, LAST_FOLLOWS, SEEN = 0, 1, 5, 8, 9, 10, 11, 12, 13, 14
SLOPE, ONE_CARD, COST, GIVEN, ANSWER, BACKFIRE, DRAWN, SWAPPED, POINT = 15, 16, 17, 21, 22, 23, 24, 25, 26
WEIGHTS = np.array(
    [
        0.22,  # CARD: what the observer's hand needs for each card; less, where they hold,
        *(0.49, -0.45, -0.19, -0.58),  # WORTH: of each penalty card, in their order
        *(0.77, 0.77, 0.10),  # WILD_WORTH: of each wild card
        0.14,  # FOLLOWS: some card follows the current colour
        0.46,  # GUARD: there is a wild card among two or three
        0.38,  # READY: two cards, of which one is wild and one follows
        0.30,  # LAST: one turn to go, by a last card or by a Double Trouble that follows among three
        0.73,  # LAST_WILD: the last card is wild
        0.56,  # LAST_FOLLOWS: or what goes out follows the current colour
        0.01,  # SEEN: each copy that has been seen of the number on top, in the other colours
        0.29,  # SLOPE: what each card costs an opponent
        0.75,  # ONE_CARD: what it gains by having but one
        *(0.38, 0.26, 1.01, 0.20),  # COST: of each penalty to its target
        0.41,  # GIVEN: what a giver gains in a Double Trouble
        0.07,  # ANSWER: for each card that was not seen; how likely its holder can answer
        0.65,  # BACKFIRE: the part of a penalty's cost that an answer brings back
        0.21,  # DRAWN: what a draw costs
        -0.34,  # SWAPPED: what a swapped hand needs besides its cards
        0.02,  # POINT: in a match, what a penalty point in hand needs, times the strength of the others
    ]
)
OUT = -20.0  # what a hand without cards needs
FULLER = 0.05  # a card more of a colour, when one is called


@njit
def expert(v, mask, w):
    """The choice that leaves the best share in the race, by weights `w`."""
    others = strength_of_others(v, w)
    if v.phase == GIVE:
        return best_gift(v, others, w)
    if v.phase == COLOR:
        return COLOR_0 + best_color(v, others, w)
    if v.phase == PLAY:
        return best_play(v, mask, others, w)
    if v.phase == REACT:
        return best_answer(v, mask, others, w)
    if v.phase == EXCHANGE:
        return best_exchange(v, others, w)
    if v.top == DOUBLE_EXCHANGE:
        return SEAT_0 + best_swap(v, others, w)
    penalty, origin = (v.penalty, v.origin) if v.top == RICOCHET else (PENALTY_OF[v.top], v.actor)
    return SEAT_0 + best_target(v, penalty, origin, need_after(v, NO_KIND, v.color, others, w), others, w)


@njit
def best_play(v, mask, others, w):
    """The card to lay, or to draw. Any last card goes out."""
    if v.sizes[0] == 1 and not mask[DRAW]:
        return first_legal(mask, 0, NUM_KINDS)
    color = best_color(v, others, w)
    best, best_share = DRAW, -1.0
    if mask[DRAW]:
        best_share = share(need_after(v, NO_KIND, v.color, others, w) + w[DRAWN], others)
    for k in range(NUM_KINDS):
        if mask[k]:
            value = share_after(v, k, color, others, w)
            if value > best_share:
                best, best_share = k, value
    return best


@njit
def share_after(v, k, color, others, w):
    """The share after laying a card of kind k in a turn, its target chosen well and `color` called if it is wild."""
    if k == DOUBLE_EXCHANGE:
        return share_of_swap(v, best_swap(v, others, w), others, w)
    if k >= NUM_COLOURED:
        return share(need_after(v, k, color, others, w), others)
    need = need_after(v, k, COLOR_OF[k], others, w)
    penalty = PENALTY_OF[k]
    if penalty == NO_PENALTY:
        return share(need, others)
    return share_of_hit(v, penalty, v.actor, best_target(v, penalty, v.actor, need, others, w), need, others, w)


@njit
def best_answer(v, mask, others, w):
    """Boomerang, Ricochet or acceptance, by what is at stake and whom it would hit."""
    color = best_color(v, others, w)
    best = ACCEPT
    best_share = share(need_after(v, NO_KIND, v.color, others, w) + w[COST + v.penalty], others)
    for k in (BOOMERANG, RICOCHET):
        if mask[k]:
            need = need_after(v, k, color, others, w)
            target = v.origin if v.origin != 0 else v.sender
            if k == RICOCHET:
                target = best_target(v, v.penalty, v.origin, need, others, w)
            value = share_of_hit(v, v.penalty, v.origin, target, need, others, w)
            if value > best_share:
                best, best_share = k, value
    return best


@njit
def best_target(v, penalty, origin, need, others, w):
    """The seat to send a penalty to, when the observer's hand has such need."""
    best, best_share = 1, -1.0
    for r in range(1, v.num_players):
        value = share_of_hit(v, penalty, origin, r, need, others, w)
        if value > best_share:
            best, best_share = r, value
    return best


@njit
def share_of_hit(v, penalty, origin, target, need, others, w):
    """The share when a penalty is on its way from the observer to its target, who may answer it."""
    backfired = share(need + w[BACKFIRE] * w[COST + penalty], others)
    if penalty == DOUBLE_TROUBLE and (origin == 0 or origin == target):  # the observer is the giver
        need = need - w[GIVEN] if cards_left(v) > 2 else OUT
    strength = strength_of(np.int64(v.sizes[target]), w)
    hit = share(need, others - strength + strength * np.exp(-w[COST + penalty]))
    unanswered = chance_unanswered(v, target, w)
    return unanswered * hit + (1.0 - unanswered) * backfired


@njit
def chance_unanswered(v, r, w):
    """The chance that a seat holds no answer."""
    if v.known[r, BOOMERANG] > 0 or v.known[r, RICOCHET] > 0:
        return 0.0
    return np.exp(-w[ANSWER] * (v.sizes[r] - v.known_sizes[r]))


@njit
def best_gift(v, others, w):
    """The card without which the hand needs least."""
    best, least = 0, np.inf
    for k in range(NUM_KINDS):
        if v.hand[k] > 0:
            need = need_after(v, k, v.color, others, w)
            if need < least:
                best, least = k, need
    return best


@njit
def best_color(v, others, w):
    """The colour of most cards; a Double Trouble among the last three can make another one better."""
    best, least = 0, np.inf
    for color in range(NUM_COLORS):
        need = need_after(v, NO_KIND, color, others, w) - FULLER * cards_of(v, color)
        if need < least:
            best, least = color, need
    return best


@njit
def best_exchange(v, others, w):
    """The second swap, or none."""
    r = best_swap(v, others, w)
    declined = share(need_after(v, NO_KIND, v.color, others, w), others)
    return SEAT_0 + r if share_of_swap(v, r, others, w) > declined else DECLINE


@njit
def best_swap(v, others, w):
    """The seat to swap hands with; in the second swap not the one that has just swapped."""
    best, best_share = 1, -1.0
    for r in range(1, v.num_players):
        if v.phase != EXCHANGE or r != v.turn:
            value = share_of_swap(v, r, others, w)
            if value > best_share:
                best, best_share = r, value
    return best


@njit
def share_of_swap(v, r, others, w):
    """The share when the observer's hand is swapped with that of seat r, of which it may know some wild cards."""
    cards = np.int64(v.sizes[r])
    need = w[SLOPE] * cards + w[SWAPPED]
    for k in range(NUM_COLOURED, NUM_KINDS):
        need -= w[WILD_WORTH + k - NUM_COLOURED] * v.known[r, k]
    return share(need, others - strength_of(cards, w) + strength_of(cards_left(v), w))


# --- strength ---------------------------------------------------------------------------------------------------------


@njit
def share(need, others):
    """The observer's share in the race."""
    return 1.0 / (1.0 + np.exp(need) * others)


@njit
def strength_of_others(v, w):
    total = 0.0
    for r in range(1, v.num_players):
        total += strength_of(np.int64(v.sizes[r]), w)
    return total


@njit
def strength_of(cards, w):
    """The strength of an opponent that has so many cards."""
    return np.exp((w[ONE_CARD] if cards == 1 else 0.0) - w[SLOPE] * cards)


@njit
def cards_left(v):
    """The observer's cards when the choice is made: a card is laid in its turn, and as an answer."""
    return v.sizes[0] - (v.phase == PLAY or v.phase == REACT)


@njit
def need_after(v, k, color, others, w):
    """What the observer's hand needs without a card of kind k (or NO_KIND), when the current colour is such."""
    cards = v.sizes[0] - (k != NO_KIND)
    if cards == 0:
        return OUT
    point = w[POINT] * others if v.match else 0.0  # points count when somebody is about to go out
    need = w[CARD] * cards - w[SEEN] * seen_copies(v, k, color)
    wild = 0
    for kind in range(FIRST_PENALTY, NUM_KINDS):
        held = v.hand[kind] - (kind == k)
        worth = w[WORTH + PENALTY_OF[kind]] if kind < NUM_COLOURED else w[WILD_WORTH + kind - NUM_COLOURED]
        need -= held * (worth - point * POINTS[kind])
        wild += held if kind >= NUM_COLOURED else 0
    follow = cards_of(v, color) - (k != NO_KIND and COLOR_OF[k] == color)
    trouble = FIRST_PENALTY + color
    if follow > 0:
        need -= w[FOLLOWS]
    if cards == 1:
        need -= w[LAST] + (w[LAST_WILD] if wild > 0 else w[LAST_FOLLOWS] if follow > 0 else 0.0)
    elif cards <= 3:
        need -= w[GUARD] if wild > 0 else 0.0
        need -= w[READY] if cards == 2 and wild == 1 and follow == 1 else 0.0
        need -= w[LAST] + w[LAST_FOLLOWS] if v.hand[trouble] > (k == trouble) else 0.0  # it goes out from three cards
    return need


@njit
def seen_copies(v, k, color):
    """Copies seen of the number that is on top after a card of kind k: they can't change the colour."""
    number = NUMBER_OF[k if k != NO_KIND else v.top]
    seen = 0
    if number != NO_NUMBER:
        for other in range(NUM_COLORS):
            if other != color:
                seen += v.hand[NUMBERS * other + number] + v.discards[NUMBERS * other + number]
    return seen
