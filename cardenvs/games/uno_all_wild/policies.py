"""Scripted policies for UNO All Wild. They see a view and a mask, never a state.

`greedy` follows a few obvious rules. `expert` looks one card ahead: it imagines the table after each of its choices and
takes the one that leaves it the best chance in the race to go out. As every card can always be played, a seat needs
as many turns as it has cards; what it can hope to save by its action cards counts as cards less, and who is sooner on
move counts too. Two ends of the race are known for sure: an opponent on move with one card wins, and so does the
observer when it has another turn and all its cards but one give it yet another. The weights were found by random
search against the scripted policies (benchmarks/tune_expert.py).
"""

from typing import Any

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.policies import act_random
from cardenvs.games.uno_all_wild.layout import (
    CATCH,
    CATCH_SILENT,
    DECLARE,
    DOUBLE_SKIP,
    DRAW,
    DRAW_FOUR,
    DRAW_TWO,
    FORCED_SWAP,
    MAX_PLAYERS,
    NUM_KINDS,
    REVERSE,
    SAY_UNO,
    SEAT_0,
    SKIP,
    TARGET,
    TARGETED_DRAW_TWO,
    WILD,
)
from cardenvs.games.uno_all_wild.rules import skipped_by

POLICIES = ("random", "greedy", "expert")
RANDOM, GREEDY, EXPERT = range(len(POLICIES))


@njit
def act(v, mask, noise, policy):
    """The action of a scripted policy; `noise` is 64 random bits."""
    if policy == RANDOM:
        return act_random(mask, noise)
    if v.phase == DECLARE:
        return SAY_UNO
    if v.phase == CATCH:
        return CATCH_SILENT
    if policy == GREEDY:
        return greedy_target(v) if v.phase == TARGET else greedy_play(v, mask)
    return expert(v, mask, WEIGHTS[min(v.num_players, len(WEIGHTS) - 1)])


# --- greedy -----------------------------------------------------------------------------------------------------------


@njit
def greedy_target(v):
    """The opponent with the fewest cards."""
    best = 1
    for r in range(2, v.num_players):
        if v.sizes[r] < v.sizes[best]:
            best = r
    return SEAT_0 + best


@njit
def greedy_play(v, mask):
    """Hit the next seat if it is nearly out, take over a hand that is much smaller, otherwise lay plain cards first."""
    if mask[DRAW] and v.sizes[0] > 1:
        return DRAW
    if v.sizes[following(v, 0)] <= 2:
        for k in (DRAW_FOUR, DRAW_TWO, SKIP, DOUBLE_SKIP, REVERSE):
            if mask[k]:
                return k
    if mask[FORCED_SWAP] and v.sizes[greedy_target(v) - SEAT_0] < v.sizes[0] - 1:
        return FORCED_SWAP
    for k in (WILD, TARGETED_DRAW_TWO, DRAW_TWO, DRAW_FOUR, SKIP, DOUBLE_SKIP, REVERSE, FORCED_SWAP):
        if mask[k]:
            return k
    return DRAW


@njit
def following(v, skipped):
    """The relative seat that follows the observer in the direction of play, past `skipped` seats."""
    return (v.direction * (1 + skipped)) % v.num_players


# --- expert -----------------------------------------------------------------------------------------------------------

# By number of players (the last row serves all larger tables): what a card of each kind is worth that is still in a
# hand, in cards; then the worth of a card that is not known, the slope of the race by turns still needed and by places
# until on move, and what one card and two cards in hand add to it.
WORTH_UNKNOWN, SLOPE, PLACE, ONE_CARD, TWO_CARDS = range(NUM_KINDS, NUM_KINDS + 5)
SURE = 12.0  # added to an opponent's log strength that has one card and is on move: it wins
FOUND = np.array(
    [
        [0.00, 1.11, 1.17, -0.16, 1.24, 1.69, 0.34, -1.57, 0.13, 1.39, 0.26, 0.21, 0.04],
        [0.00, 1.11, 1.17, -0.16, 1.24, 1.69, 0.34, -1.57, 0.13, 1.39, 0.26, 0.21, 0.04],
        [0.00, 1.11, 1.17, -0.16, 1.24, 1.69, 0.34, -1.57, 0.13, 1.39, 0.26, 0.21, 0.04],
        [0.00, -0.64, 0.40, 0.08, -0.01, 0.29, 0.52, 0.91, -0.50, 0.14, 0.42, 1.28, 0.42],
        [0.00, -0.32, 0.47, -0.04, 0.31, 0.10, 1.08, 0.64, -0.48, 0.20, 0.42, 1.04, 0.02],
        [0.00, -0.32, 0.47, -0.04, 0.31, 0.10, 1.08, 0.64, -0.48, 0.20, 0.42, 1.04, 0.02],
        [0.00, 0.72, 0.71, -0.22, 0.16, -0.06, 0.91, 0.20, -0.67, 0.32, 0.39, 1.32, -0.11],
    ]
)

# Strengths are exponentials of what these add up to. A choice changes few of the sums: the factors by which it changes
# the strengths follow the weights in a row.
MOST_DRAWN = 4
PLAYED = NUM_KINDS + 5  # by kind: a card of the kind is gone from the hand
DRAWN = PLAYED + NUM_KINDS  # by number of cards drawn
PLACES = DRAWN + MOST_DRAWN + 1  # by places until on move
ONE_LEFT, TWO_LEFT, SURE_OUT = range(PLACES + MAX_PLAYERS, PLACES + MAX_PLAYERS + 3)


def with_factors(found: Any) -> Any:
    """A row of weights, float64 (13,), with the factors that follow from it."""
    slope = found[SLOPE]
    sums = [
        *(slope * (1 - found[:NUM_KINDS])),
        *(-slope * np.arange(MOST_DRAWN + 1)),
        *(-found[PLACE] * np.arange(MAX_PLAYERS)),
        *(found[ONE_CARD], found[TWO_CARDS], SURE),
    ]
    return np.concatenate([found, np.exp(sums)])


WEIGHTS = np.array([with_factors(row) for row in FOUND])
DRAWS = np.zeros(NUM_KINDS, np.int64)  # cards that whom a card hits must draw
DRAWS[DRAW_TWO], DRAWS[TARGETED_DRAW_TWO], DRAWS[DRAW_FOUR] = 2, 2, 4


@njit
def expert(v, mask, weights):
    """The choice that leaves the best chance, by a row of `WEIGHTS`."""
    appraise(v, weights)
    if v.phase == TARGET:
        return SEAT_0 + best_target(v, v.top, False, weights)
    return expert_play(v, mask, weights)


@njit
def expert_play(v, mask, weights):
    """The card, or the draw, that leaves the best chance."""
    best, best_chance = -1, -1.0
    for k in range(NUM_KINDS):
        if mask[k]:
            if v.sizes[0] == 1:
                return k
            value = chance_after(v, k, True, weights)
            if value > best_chance:
                best, best_chance = k, value
    if mask[DRAW] and chance_of_draw(v, weights) > best_chance:
        return DRAW
    return best


@njit
def chance_after(v, k, played, weights):
    """The chance after a card of kind k, `played` from the hand or drawn, its target chosen well."""
    target = 0
    if k == TARGETED_DRAW_TWO or k == FORCED_SWAP:
        target = best_target(v, k, played, weights)
    return chance(v, k, played, target, weights)


@njit
def best_target(v, k, played, weights):
    """The relative seat to choose for a card of kind k that lies, or is yet to be `played` from the hand."""
    best, best_chance = 1, -1.0
    for r in range(1, v.num_players):
        value = chance(v, k, played, r, weights)
        if value > best_chance:
            best, best_chance = r, value
    return best


@njit
def chance_of_draw(v, weights):
    """The expected chance after drawing a card that is played at once; the hand stays as it is."""
    unseen, total = 0, 0.0
    for k in range(NUM_KINDS):
        n = unseen_copies(v, k)
        if n > 0:
            unseen += n
            total += n * chance_after(v, k, False, weights)
    return total / unseen if unseen > 0 else 0.0


@njit
def unseen_copies(v, k):
    """Copies of a kind whose place the observer does not know."""
    n = v.deck[k] - v.hand[k] - v.discards[k]
    for r in range(1, v.num_players):
        n -= v.known[r, k]
    return n


@njit
def chance(v, k, played, target, weights):
    """The observer's share in the race after a card of kind k."""
    direction = -v.direction if k == REVERSE else v.direction
    r = (direction * (1 + skipped_by(v.num_players, k))) % v.num_players  # who is on move then
    if r == 0 and slow_cards(v) <= 1:
        return 1.0  # all but one of its cards give it another turn
    hit = following(v, 0) if k == DRAW_TWO or k == DRAW_FOUR else target
    own_cards = v.sizes[0] - played
    own_hand = v.strengths[0] * (weights[PLAYED + k] if played else 1.0)
    mine, all_seats = 0.0, 0.0
    for place in range(v.num_players):
        holder = r  # of this hand before a swap
        if k == FORCED_SWAP and (r == 0 or r == target):
            holder = target - r
        cards = own_cards if holder == 0 else np.int64(v.sizes[holder])
        strength = own_hand if holder == 0 else v.strengths[holder]
        if r == hit and r > 0:
            cards += DRAWS[k]
            strength *= weights[DRAWN + DRAWS[k]]
        strength *= in_race(cards, place, weights)
        all_seats += strength
        if r == 0:
            mine = strength
        r += direction
        r = r + v.num_players if r < 0 else r - v.num_players if r >= v.num_players else r
    return mine / all_seats


@njit
def in_race(cards, place, weights):
    """By what factor a hand is stronger for its few cards, and weaker when it is the next but `place` on move."""
    if cards == 1:
        return weights[PLACES + place] * weights[ONE_LEFT] if place > 0 else weights[SURE_OUT]
    return weights[PLACES + place] * (weights[TWO_LEFT] if cards == 2 else 1.0)


@njit
def slow_cards(v):
    """Cards of the observer's hand that do not give it another turn."""
    slow = 0
    for kind in range(NUM_KINDS):
        if (1 + skipped_by(v.num_players, kind)) % v.num_players != 0:
            slow += v.hand[kind]
    return slow


@njit
def appraise(v, weights):
    """Note the strength of each hand as it is now: it falls with the turns that it needs."""
    for r in range(v.num_players):
        v.strengths[r] = np.exp(-weights[SLOPE] * (v.sizes[r] - 1 - worth_of(v, r, weights)))


@njit
def worth_of(v, r, weights):
    """What the cards of a hand save its holder, in cards."""
    worth = 0.0
    if r == 0:
        for kind in range(NUM_KINDS):
            worth += weights[kind] * v.hand[kind]
        return worth
    if v.known_sizes[r] > 0:
        for kind in range(NUM_KINDS):
            worth += weights[kind] * v.known[r, kind]
    return worth + weights[WORTH_UNKNOWN] * (v.sizes[r] - v.known_sizes[r])
