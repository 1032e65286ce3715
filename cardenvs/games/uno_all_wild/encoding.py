"""The observation of UNO All Wild.

Counts that matter one by one (own cards, cards in a hand that is nearly out) come as flags as well as a share, because
small networks read flags with less effort. The table of the sections is the layout; nothing else knows an offset.
"""

import numpy as np

from cardenvs.core.features import (
    ONE,
    ZERO,
    flag,
    mark,
    share,
    write_counts,
    write_discards,
    write_hand_sizes,
    write_known,
    write_piles,
    write_scores,
)
from cardenvs.core.jit import inlined, njit
from cardenvs.core.sections import Section, starts
from cardenvs.games.uno_all_wild.layout import MAX_PLAYERS, NUM_KINDS, PHASES

FULL_HAND = 20  # cards; a share of 1 stands for this many and more
A_CARD = np.float32(1 / FULL_HAND)

SECTIONS = (
    Section("phase", lambda p: len(PHASES), "one-hot: what is asked"),
    Section("actor", lambda p: p, "one-hot by relative seat: who is asked; all 0 at the end"),
    Section("turn", lambda p: p, "one-hot by relative seat: whose turn it is"),
    Section("direction", lambda p: 1, "1 clockwise, −1 the other way"),
    Section("has", lambda p: NUM_KINDS, "by kind: 1 if the own hand has one"),
    Section("has_two", lambda p: NUM_KINDS, "by kind: 1 if the own hand has two or more"),
    Section("hand", lambda p: NUM_KINDS, f"by kind: cards in the own hand / {FULL_HAND}, at most 1"),
    Section("sizes", lambda p: p, f"by relative seat: cards in the hand / {FULL_HAND}, at most 1"),
    Section("one_card", lambda p: p, "by relative seat: 1 if the hand has one card"),
    Section("two_cards", lambda p: p, "by relative seat: 1 if the hand has two cards"),
    Section("three_cards", lambda p: p, "by relative seat: 1 if the hand has three cards"),
    Section("top", lambda p: NUM_KINDS, "one-hot: kind of the top discard"),
    Section("discards", lambda p: NUM_KINDS, "by kind: share of its copies that lie in the discard pile"),
    Section("piles", lambda p: 2, "draw pile and discard pile, as shares of all cards"),
    Section("to_declare", lambda p: p, "by relative seat: 1 if it has yet to say UNO"),
    Section("silent", lambda p: p, "one-hot by relative seat: who stayed silent"),
    Section("scores", lambda p: p, "by relative seat: match score / target score, at most 1"),
    Section("cap", lambda p: 1, "decisions taken / max_decisions"),
    Section(
        "known",
        lambda p: (p - 1) * NUM_KINDS,
        f"by relative seat from 1, by kind: cards that the observer knows to be in that hand / {FULL_HAND}, at most 1",
        memory=True,
    ),
    Section(
        "all_known", lambda p: p - 1, "by relative seat from 1: 1 if the observer knows the whole hand", memory=True
    ),
)
(
    PHASE, ACTOR, TURN, DIRECTION, HAS, HAS_TWO, OWN_HAND, SIZES, ONE_CARD, TWO_CARDS, THREE_CARDS, TOP, DISCARDS,
    PILES, TO_DECLARE, SILENT, SCORES, CAP, KNOWN, ALL_KNOWN,
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
    encode_table(v, at, out)
    if full and v.knows:
        encode_memory(v, at, out)


@inlined
def encode_play(v, at, out):
    mark(out, at[PHASE], v.phase)
    mark(out, at[ACTOR], v.actor)
    mark(out, at[TURN], v.turn)
    mark(out, at[TO_DECLARE], v.to_declare[0])
    mark(out, at[TO_DECLARE], v.to_declare[1])
    mark(out, at[SILENT], v.silent)
    out[at[DIRECTION]] = v.direction
    out[at[CAP]] = share(v.decisions, v.max_decisions)


@inlined
def encode_own_hand(v, at, out):
    write_counts(v.hand, NUM_KINDS, 0, ONE, out[at[HAS] :])
    write_counts(v.hand, NUM_KINDS, 1, ONE, out[at[HAS_TWO] :])
    write_counts(v.hand, NUM_KINDS, 0, A_CARD, out[at[OWN_HAND] :])


@inlined
def encode_seats(v, at, out):
    write_hand_sizes(v, A_CARD, out[at[SIZES] :], out[at[ONE_CARD] :], out[at[TWO_CARDS] :], out[at[THREE_CARDS] :])
    write_scores(v, out[at[SCORES] :])


@inlined
def encode_table(v, at, out):
    mark(out, at[TOP], v.top)
    write_discards(v, out[at[DISCARDS] :])
    write_piles(v, out[at[PILES] :])


@inlined
def encode_memory(v, at, out):
    write_known(v, A_CARD, out[at[KNOWN] :])
    whole = out[at[ALL_KNOWN] :]
    for r in range(1, v.num_players):
        whole[r - 1] = flag(v.known_sizes[r] == v.sizes[r] and v.sizes[r] > 0)
