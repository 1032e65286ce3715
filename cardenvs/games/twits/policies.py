"""Scripted policies for The Twits. They see a view and a mask, never a state.

`greedy` banks the set that gains most at once and passes its worst card. `expert` imagines its hand after each set that
it can bank and each card that it can then pass on, and weighs two ends of the round: with an even number of upside-down
cards, where sets of minus cards are still to be gained, and with an odd number, where minus cards are what it wants to
hold. How likely the sign is to turn follows from the upside-down cards that it has not seen and the turns that it still
has; with two or more in hand it can turn the sign, or leave it, as it likes. What the card does for the left neighbour
is taken off. Its third set ends the round: it banks that only if it is then more likely to win than by going on. The
weights were found by an evolution strategy against greedy, random and the expert of the time; the script that is kept
of it, benchmarks/tune_expert.py, finds such, but not the same.
"""

import numpy as np

from cardenvs.core.jit import njit
from cardenvs.core.policies import act_random
from cardenvs.games.twits.layout import BANK, DECLINE, NUM_KINDS, PASS, SET, SETS, UPSIDE_DOWN, VALUES

POLICIES = ("random", "greedy", "expert")
RANDOM, GREEDY, EXPERT = range(len(POLICIES))
NOTHING = -1  # the kind of a set that is not banked, of a card that is not passed


@njit
def act(v, mask, noise, policy):
    """The action of a scripted policy; `noise` is 64 random bits."""
    if policy == RANDOM:
        return act_random(mask, noise)
    if policy == GREEDY:
        return greedy_bank(v, mask) if v.phase == BANK else greedy_pass(v, mask)
    return expert(v, mask, WEIGHTS[v.num_players])


@njit
def cards_left(v, k, banked):
    """Cards of a kind in the observer's hand once a set of kind `banked` is laid."""
    return np.int64(v.hand[k]) - (SET if k == banked else 0)


@njit
def set_points(banked):
    return abs(VALUES[banked]) if banked != NOTHING else 0


@njit
def points_now(v, banked):
    """The observer's points, if the round ended once a set of kind `banked` is laid."""
    hand = 0
    for k in range(NUM_KINDS):
        hand += cards_left(v, k, banked) * VALUES[k]
    odd = cards_left(v, UPSIDE_DOWN, banked) % 2 == 1
    return v.banked_points[0] + set_points(banked) + (-hand if odd else hand)


@njit
def best_set(v, mask):
    """The set that gains most at once, or loses least."""
    best, best_points = NOTHING, 0
    for k in range(NUM_KINDS):
        if mask[k]:
            points = points_now(v, k)
            if best == NOTHING or points > best_points:
                best, best_points = k, points
    return best


# --- greedy -----------------------------------------------------------------------------------------------------------


@njit
def greedy_bank(v, mask):
    """The best set if it gains."""
    k = best_set(v, mask)
    return k if points_now(v, k) > points_now(v, NOTHING) else DECLINE


@njit
def greedy_pass(v, mask):
    """The card that counts least as the hand is now: kinds are ordered by value."""
    odd = v.hand[UPSIDE_DOWN] % 2 == 1
    worst = NOTHING
    for k in range(UPSIDE_DOWN):
        if mask[k] and (worst == NOTHING or not odd):
            worst = k
    return worst


# --- expert -----------------------------------------------------------------------------------------------------------

# By number of players (those found for four serve five too), in this order. What is still to come: HURRY, how likely
# an opponent with two sets is to end the round in a turn; PAIR and TRIPLE, how likely these are to be banked; FLIP,
# how much of the turns left count for a change of sign; GROWTH, minus points that a turn adds to the hand; SETS_COST,
# what a set banked costs in freedom (the third ends the round); FLOOR, how softly points end at 0. The left
# neighbour: GIFT, what a point given to it costs; FEED, what helping it to a set costs. The others at the end:
# ODD_BASE + ODD_SLOPE * minus points in hand with an odd number of upside-down cards, else EVEN_BASE; DOUBT and
# LATER_DOUBT, how much may be wrong with that, now and later.
(
    HURRY,
    PAIR,
    TRIPLE,
    FLIP,
    GROWTH,
    SETS_COST,
    FLOOR,
    GIFT,
    FEED,
    ODD_BASE,
    ODD_SLOPE,
    EVEN_BASE,
    DOUBT,
    LATER_DOUBT,
) = range(14)
WEIGHTS = np.array(
    [
        [0.86, 0.95, 0.92, 0.07, 2.10, 3.17, 5.94, 0.68, 0.27, 7.37, 1.01, 0.23, 5.25, 13.65],
        [0.86, 0.95, 0.92, 0.07, 2.10, 3.17, 5.94, 0.68, 0.27, 7.37, 1.01, 0.23, 5.25, 13.65],
        [0.86, 0.95, 0.92, 0.07, 2.10, 3.17, 5.94, 0.68, 0.27, 7.37, 1.01, 0.23, 5.25, 13.65],
        [0.81, 0.45, 1.10, 0.95, 1.25, 2.25, 13.33, 0.55, 0.09, 1.91, 0.58, -2.54, 10.13, 9.51],
        [0.20, 0.51, 1.13, 0.20, 2.01, 2.62, 6.53, 0.55, 0.18, 5.47, 1.34, -1.51, 9.22, 4.95],
        [0.20, 0.51, 1.13, 0.20, 2.01, 2.62, 6.53, 0.55, 0.18, 5.47, 1.34, -1.51, 9.22, 4.95],
    ]
)


@njit
def expert(v, mask, weights):
    """The choice after which most points are to be expected, or the end of the round if that is as well."""
    if v.last_turn:
        return greedy_bank(v, mask)
    card, declined = best_pass(v, NOTHING, weights)
    if v.phase == PASS:
        return card
    if v.sets[0] == SETS - 1:
        k = best_set(v, mask)
        now = win_chance(v, points_now(v, k), weights[DOUBT], weights)
        return k if now > win_chance(v, declined, weights[LATER_DOUBT], weights) else DECLINE
    best, best_points = DECLINE, declined
    for k in range(NUM_KINDS):
        if mask[k]:
            _, points = best_pass(v, k, weights)
            if points > best_points:
                best, best_points = k, points
    return best


@njit
def best_pass(v, banked, weights):
    """The card to pass on once a set of kind `banked` is laid, and the points to be expected then."""
    turns = turns_left(v, weights)
    upside_down = cards_left(v, UPSIDE_DOWN, banked)
    turning = turning_chance(v, upside_down, turns, weights)
    neighbour_odd = odd_chance(unseen_share(v, UPSIDE_DOWN), unknown_cards(v, 1))
    even, odd = both_ends(v, banked, turns, weights)
    best, best_points = NOTHING, expected(even, odd, upside_down, turning, weights)
    for k in range(UPSIDE_DOWN):
        n = cards_left(v, k, banked)
        if n > 0:
            lost = potential(v, k, n, turns, weights) - potential(v, k, n - 1, turns, weights)
            even_then = even - VALUES[k] - (lost if VALUES[k] < 0 else 0.0)
            odd_then = odd + VALUES[k] - (lost if VALUES[k] > 0 else 0.0)
            points = expected(even_then, odd_then, upside_down, turning, weights)
            points -= neighbour_gain(v, k, neighbour_odd, weights)
            if best == NOTHING or points > best_points:
                best, best_points = k, points
    return best, best_points


@njit
def both_ends(v, banked, turns, weights):
    """The points to come to with an even and with an odd number of upside-down cards, before a card is passed."""
    sets = v.sets[0] + (1 if banked != NOTHING else 0)
    banked_points = v.banked_points[0] + set_points(banked) - weights[SETS_COST] * sets
    even = banked_points - weights[GROWTH] * turns
    odd = banked_points + weights[GROWTH] * turns
    for k in range(UPSIDE_DOWN):
        n = cards_left(v, k, banked)
        even += n * VALUES[k]
        odd -= n * VALUES[k]
        if VALUES[k] < 0:
            even += potential(v, k, n, turns, weights)
        else:
            odd += potential(v, k, n, turns, weights)
    return even, odd


@njit
def potential(v, k, n, turns, weights):
    """What n cards of a kind may yet gain as a set: it scores one of them and takes three bad ones out of the hand."""
    if n < SET - 1:
        return 0.0
    likely = weights[TRIPLE] if n >= SET else weights[PAIR] * unseen(v, k) * v.copy_share[k]
    return likely * turns / (turns + 1.0) * (1 + SET) * set_points(k)


@njit
def expected(even, odd, upside_down, turning, weights):
    """The points to be expected from both ends; with upside-down cards to bank the sign turns only for the better."""
    even, odd = positive(even, weights), positive(odd, weights)
    stays, turns_round = (odd, even) if upside_down % 2 == 1 else (even, odd)
    if upside_down >= SET - 1 and turns_round < stays:
        return stays
    return stays + turning * (turns_round - stays)


@njit
def positive(points, weights):
    """Points are never less than 0: softly, as they are not certain."""
    return 0.5 * (points + np.sqrt(points * points + weights[FLOOR] * weights[FLOOR]))


@njit
def turns_left(v, weights):
    """The observer's turns to come: by the draw pile, fewer where an opponent can soon bank its third set."""
    by_pile = (v.draw_size + 1) // v.num_players  # one without a draw is included (TWT-6)
    hurry = 0.0
    for r in range(1, v.num_players):
        if v.sets[r] == SETS - 1:
            hurry += weights[HURRY]
    return by_pile / (1.0 + by_pile * hurry)


@njit
def turning_chance(v, upside_down, turns, weights):
    """How likely the hand's sign is to turn in so many turns; by banking three upside-down cards it does at once."""
    if upside_down >= SET:
        return turns / (turns + 1.0)
    return odd_chance(unseen_share(v, UPSIDE_DOWN), weights[FLIP] * turns)


@njit
def odd_chance(share, cards):
    """How likely the number of cards of a sort is to be odd, if each of `cards` is of that sort with chance `share`."""
    return 0.5 - 0.5 * max(1.0 - 2.0 * share, 0.0) ** cards


# --- the others -------------------------------------------------------------------------------------------------------


@njit
def unseen(v, k):
    """Copies of a kind whose place the observer does not know."""
    n = np.int64(v.deck[k]) - v.hand[k] - v.discards[k]
    for r in range(1, v.num_players):
        n -= np.int64(v.known[r, k])
    return n


@njit
def unknown_cards(v, r):
    """Cards in the hand of relative seat r that the observer does not know."""
    return np.int64(v.sizes[r]) - v.known_sizes[r]


@njit
def all_unseen(v):
    n = np.int64(v.draw_size)
    for r in range(1, v.num_players):
        n += unknown_cards(v, r)
    return n


@njit
def unseen_share(v, k):
    """How likely an unseen card is to be of a kind."""
    n = all_unseen(v)
    return unseen(v, k) / n if n > 0 else 0.0


@njit
def neighbour_gain(v, k, neighbour_odd, weights):
    """What a card of kind k does for the left neighbour: its value, and that it helps it to a set of the kind."""
    gain = weights[GIFT] * VALUES[k] * (1.0 - 2.0 * neighbour_odd)
    held = v.known[1, k] + unseen_share(v, k) * unknown_cards(v, 1)
    wants_set = neighbour_odd if VALUES[k] > 0 else 1.0 - neighbour_odd
    return gain + weights[FEED] * held * held * wants_set * (1 + SET) * set_points(k)


@njit
def win_chance(v, points, doubt, weights):
    """How likely so many points are more than all the others'."""
    share = unseen_share(v, UPSIDE_DOWN)
    mean = mean_unseen(v)
    chance = 1.0
    for r in range(1, v.num_players):
        lead = points - v.banked_points[r]
        odd = odd_chance(share, unknown_cards(v, r))
        hand = known_value(v, r) + mean * unknown_cards(v, r)
        below_odd = logistic((lead - weights[ODD_BASE] + weights[ODD_SLOPE] * hand) / doubt)
        chance *= odd * below_odd + (1.0 - odd) * logistic((lead - weights[EVEN_BASE]) / doubt)
    return chance


@njit
def mean_unseen(v):
    """The mean value of an unseen card."""
    mean = 0.0
    for k in range(UPSIDE_DOWN):
        mean += unseen_share(v, k) * VALUES[k]
    return mean


@njit
def known_value(v, r):
    """The sum of the cards that the observer knows of a hand."""
    value = 0
    for k in range(UPSIDE_DOWN):
        value += v.known[r, k] * VALUES[k]
    return value


@njit
def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))
