"""The observation of The Twits.

Own cards come as flags for the first three of a kind, since three make a set, and as what the hand is worth as it is.
With 4 players that makes 86 features compact and 119 full. The table of the sections is the layout; nothing else
knows an offset.
"""

import numpy as np

from cardenvs.core.features import (
    ONE,
    ZERO,
    at_most_one,
    flag,
    mark,
    share,
    write_counts,
    write_discards,
    write_known,
    write_known_shares,
    write_scores,
)
from cardenvs.core.jit import inlined, njit
from cardenvs.core.sections import Section, starts
from cardenvs.core.view import num_cards
from cardenvs.games.twits.layout import MAX_PLAYERS, NUM_KINDS, PHASES, SETS, UPSIDE_DOWN, VALUES

FULL_HAND = 10  # cards; a share of 1 stands for this many and more
A_CARD = np.float32(1 / FULL_HAND)
A_THIRD, A_SIXTH = np.float32(1 / 3), np.float32(1 / 6)
A_POINT = np.float32(1 / 30)

SECTIONS = (
    Section("phase", lambda p: len(PHASES), "one-hot: what is asked"),
    Section("actor", lambda p: p, "one-hot by relative seat: who is asked; all 0 at the end"),
    Section("turn", lambda p: p, "one-hot by relative seat: whose turn it is"),
    Section("last_turn", lambda p: 1, "1 in the turn without a draw"),
    Section("has", lambda p: NUM_KINDS, "by kind: 1 if the own hand has one"),
    Section("has_two", lambda p: NUM_KINDS, "by kind: 1 if the own hand has two or more"),
    Section("has_three", lambda p: NUM_KINDS, "by kind: 1 if the own hand has three or more: a set"),
    Section("hand", lambda p: NUM_KINDS, "by kind: cards in the own hand / 6, at most 1"),
    Section("hand_sum", lambda p: 1, "sum of the values in the own hand / 30, from −1 to 1"),
    Section("odd", lambda p: 1, "1 if the own hand has an odd number of upside-down cards"),
    Section("sizes", lambda p: p, f"by relative seat: cards in the hand / {FULL_HAND}, at most 1"),
    Section("sets", lambda p: p, f"by relative seat: sets banked / {SETS}"),
    Section("banked_points", lambda p: p, "by relative seat: points of the banked sets / 30, at most 1"),
    Section("discards", lambda p: NUM_KINDS, "by kind: share of its copies that have been banked"),
    Section("pile", lambda p: 1, "draw pile, as a share of all cards"),
    Section("nearly_last", lambda p: p + 1, "one-hot: cards in the draw pile, up to P"),
    Section("scores", lambda p: p, "by relative seat: match score / target score, at most 1"),
    Section("cap", lambda p: 1, "decisions taken / max_decisions"),
    Section(
        "known",
        lambda p: (p - 1) * NUM_KINDS,
        "by relative seat from 1, by kind: cards that the observer knows to be in that hand / 3, at most 1",
        memory=True,
    ),
    Section(
        "known_share",
        lambda p: p - 1,
        "by relative seat from 1: share of the hand's cards that the observer knows",
        memory=True,
    ),
)
(
    PHASE, ACTOR, TURN, LAST_TURN, HAS, HAS_TWO, HAS_THREE, OWN_HAND, HAND_SUM, ODD, SIZES, BANKED_SETS, BANKED_POINTS,
    DISCARDS, PILE, NEARLY_LAST, SCORES, CAP, KNOWN, KNOWN_SHARE,
) = range(len(SECTIONS))  # fmt: skip
STARTS = starts(SECTIONS, MAX_PLAYERS)


@njit
def encode(v, full, out):
    """Write the observation of a view into `out`, float32 (D,); `full` includes the memory sections."""
    at = STARTS[v.num_players]
    out[:] = ZERO
    encode_play(v, at, out)
    encode_own_hand(v, at, out)
    encode_seats(v, at, out)
    encode_cards(v, at, out)
    if full and v.knows:
        encode_memory(v, at, out)


@inlined
def encode_play(v, at, out):
    mark(out, at[PHASE], v.phase)
    mark(out, at[ACTOR], v.actor)
    mark(out, at[TURN], v.turn)
    out[at[LAST_TURN]] = flag(v.last_turn)
    out[at[CAP]] = share(v.decisions, v.max_decisions)


@inlined
def encode_own_hand(v, at, out):
    write_counts(v.hand, NUM_KINDS, 0, ONE, out[at[HAS] :])
    write_counts(v.hand, NUM_KINDS, 1, ONE, out[at[HAS_TWO] :])
    write_counts(v.hand, NUM_KINDS, 2, ONE, out[at[HAS_THREE] :])
    write_counts(v.hand, NUM_KINDS, 0, A_SIXTH, out[at[OWN_HAND] :])
    total = 0
    for k in range(NUM_KINDS):
        total += v.hand[k] * VALUES[k]
    worth = at_most_one(np.float32(total) * A_POINT)
    out[at[HAND_SUM]] = -at_most_one(-worth)
    out[at[ODD]] = flag(v.hand[UPSIDE_DOWN] % 2 == 1)


@inlined
def encode_seats(v, at, out):
    write_counts(v.sizes, v.num_players, 0, A_CARD, out[at[SIZES] :])
    write_counts(v.sets, v.num_players, 0, A_THIRD, out[at[BANKED_SETS] :])
    write_counts(v.banked_points, v.num_players, 0, A_POINT, out[at[BANKED_POINTS] :])
    write_scores(v, out[at[SCORES] :])


@inlined
def encode_cards(v, at, out):
    write_discards(v, out[at[DISCARDS] :])
    out[at[PILE]] = share(v.draw_size, num_cards(v))
    if v.draw_size <= v.num_players:
        mark(out, at[NEARLY_LAST], v.draw_size)


@inlined
def encode_memory(v, at, out):
    write_known(v, A_THIRD, out[at[KNOWN] :])
    write_known_shares(v, out[at[KNOWN_SHARE] :])
