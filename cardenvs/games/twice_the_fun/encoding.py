"""The observation of Twice the Fun.

A hand of 55 kinds is shown in the ways that a card matters: by kind (what can be laid at all), by colour and by number
(what fits what), and by effect (what can be done with it). Own cards come as flags for the first and the second of a
kind, since all but the wild cards have two copies at most; wild cards and effects come as counts too. What others hold
is a lower bound by kind. It takes 55 features a seat, so it is what the compact form leaves out. With 4 players that
makes 264 features compact and 435 full. The table of the sections is the layout; nothing else knows an offset.
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
    write_hand_sizes,
    write_known,
    write_known_shares,
    write_piles,
    write_scores,
)
from cardenvs.core.jit import inlined, njit
from cardenvs.core.sections import Section, starts
from cardenvs.games.twice_the_fun.layout import (
    BOOMERANG,
    FIRST_PENALTY,
    MAX_PLAYERS,
    NO_PENALTY,
    NUM_COLORS,
    NUM_COLOURED,
    NUM_KINDS,
    NUMBER_OF,
    NUMBERS,
    PENALTIES,
    PHASES,
    POINTS,
    RICOCHET,
)

NUM_PENALTIES = len(PENALTIES)
EFFECTS = (*PENALTIES, "boomerang", "ricochet", "double_exchange")
NUM_EFFECTS = len(EFFECTS)
NO_EFFECT = -1
EFFECT_OF = np.array(
    [NO_EFFECT] * FIRST_PENALTY + [e for e in range(NUM_PENALTIES) for _ in range(NUM_COLORS)] + [4, 5, 6],
    np.int64,
)
FULL_HAND = 20  # cards; a share of 1 stands for this many and more
A_CARD = np.float32(1 / FULL_HAND)
A_HUNDREDTH = np.float32(0.01)
A_FIFTH = np.float32(0.2)
A_THIRD = np.float32(1 / 3)
A_HALF = np.float32(0.5)

SECTIONS = (
    Section("phase", lambda p: len(PHASES), "one-hot: what is asked"),
    Section("actor", lambda p: p, "one-hot by relative seat: who is asked; all 0 at the end"),
    Section("turn", lambda p: p, "one-hot by relative seat: whose turn it is"),
    Section("color", lambda p: NUM_COLORS, "one-hot: the current colour; all 0 while none is called"),
    Section("top_number", lambda p: NUMBERS, "one-hot: number of the top discard"),
    Section("top_effect", lambda p: NUM_EFFECTS, f"one-hot: effect of the top discard: {', '.join(EFFECTS)}"),
    Section("has", lambda p: NUM_KINDS, "by kind: 1 if the own hand has one"),
    Section("has_two", lambda p: NUM_KINDS, "by kind: 1 if the own hand has two or more"),
    Section("own_colors", lambda p: NUM_COLORS, f"by colour: cards in the own hand / {FULL_HAND}, at most 1"),
    Section("own_numbers", lambda p: NUMBERS, "by number: cards in the own hand / 5, at most 1"),
    Section("own_effects", lambda p: NUM_EFFECTS, "by effect: cards in the own hand / 5, at most 1"),
    Section("own_points", lambda p: 1, "penalty points of the own hand / 100, at most 1"),
    Section("sizes", lambda p: p, f"by relative seat: cards in the hand / {FULL_HAND}, at most 1"),
    Section("one_card", lambda p: p, "by relative seat: 1 if the hand has one card"),
    Section("two_cards", lambda p: p, "by relative seat: 1 if the hand has two cards"),
    Section("three_cards", lambda p: p, "by relative seat: 1 if the hand has three cards"),
    Section("missed", lambda p: p, "by relative seat: turns that it has yet to miss / 3, at most 1"),
    Section("penalty", lambda p: len(PENALTIES), f"one-hot: the pending penalty: {', '.join(PENALTIES)}"),
    Section("origin", lambda p: p, "one-hot by relative seat: who laid the penalty card"),
    Section("target", lambda p: p, "one-hot by relative seat: whom the penalty is to hit"),
    Section("sender", lambda p: p, "one-hot by relative seat: who sent the penalty there"),
    Section("to_give", lambda p: 1, "cards that are still to be given / 2"),
    Section("discards", lambda p: NUM_KINDS, "by kind: share of its copies that lie in the discard pile"),
    Section("piles", lambda p: 2, "draw pile and discard pile, as shares of all cards"),
    Section("scores", lambda p: p, "by relative seat: match score / target score, at most 1"),
    Section("cap", lambda p: 1, "decisions taken / max_decisions"),
    Section(
        "known",
        lambda p: (p - 1) * NUM_KINDS,
        "by relative seat from 1, by kind: cards that the observer knows to be in that hand / 2, at most 1",
        memory=True,
    ),
    Section(
        "known_share",
        lambda p: p - 1,
        "by relative seat from 1: share of the hand's cards that the observer knows",
        memory=True,
    ),
    Section(
        "known_answer",
        lambda p: p - 1,
        "by relative seat from 1: 1 if the observer knows a Boomerang or a Ricochet in that hand",
        memory=True,
    ),
)
(
    PHASE, ACTOR, TURN, COLOR, TOP_NUMBER, TOP_EFFECT, HAS, HAS_TWO, OWN_COLORS, OWN_NUMBERS, OWN_EFFECTS, OWN_POINTS,
    SIZES, ONE_CARD, TWO_CARDS, THREE_CARDS, MISSED, PENALTY, ORIGIN, TARGET, SENDER, TO_GIVE, DISCARDS, PILES, SCORES,
    CAP, KNOWN, KNOWN_SHARE, KNOWN_ANSWER,
) = range(len(SECTIONS))  # fmt: skip
STARTS = starts(SECTIONS, MAX_PLAYERS)


@njit
def encode(v, full, out):
    """Write the observation of a view into `out`, float32 (D,); `full` includes the memory sections."""
    at = STARTS[v.num_players]
    out[:] = ZERO
    encode_play(v, at, out)
    encode_penalty(v, at, out)
    encode_kinds(v, at, out)
    encode_own_hand(v, at, out)
    encode_seats(v, at, out)
    write_piles(v, out[at[PILES] :])
    if full and v.knows:
        encode_memory(v, at, out)


@inlined
def encode_play(v, at, out):
    mark(out, at[PHASE], v.phase)
    mark(out, at[ACTOR], v.actor)
    mark(out, at[TURN], v.turn)
    mark(out, at[COLOR], v.color)
    mark(out, at[TOP_NUMBER], NUMBER_OF[v.top])
    mark(out, at[TOP_EFFECT], EFFECT_OF[v.top])
    out[at[CAP]] = share(v.decisions, v.max_decisions)


@inlined
def encode_penalty(v, at, out):
    if v.penalty != NO_PENALTY:
        mark(out, at[PENALTY], v.penalty)
        mark(out, at[ORIGIN], v.origin)
        mark(out, at[TARGET], v.target)
        mark(out, at[SENDER], v.sender)
        out[at[TO_GIVE]] = np.float32(v.to_give) * A_HALF


@inlined
def encode_kinds(v, at, out):
    write_counts(v.hand, NUM_KINDS, 0, ONE, out[at[HAS] :])
    write_counts(v.hand, NUM_KINDS, 1, ONE, out[at[HAS_TWO] :])
    write_discards(v, out[at[DISCARDS] :])


@inlined
def encode_own_hand(v, at, out):
    """Cards by colour, by number and by effect, and what they cost: plain sums, which compile to vector code."""
    colors, numbers, effects = out[at[OWN_COLORS] :], out[at[OWN_NUMBERS] :], out[at[OWN_EFFECTS] :]
    points = 0
    for color in range(NUM_COLORS):
        count = 0
        for n in range(NUMBERS):
            count += v.hand[NUMBERS * color + n]
        points += count * POINTS[0]
        for penalty in range(NUM_PENALTIES):
            count += v.hand[FIRST_PENALTY + NUM_COLORS * penalty + color]
        colors[color] = at_most_one(np.float32(count) * A_CARD)
    for n in range(NUMBERS):
        count = 0
        for color in range(NUM_COLORS):
            count += v.hand[NUMBERS * color + n]
        numbers[n] = at_most_one(np.float32(count) * A_FIFTH)
    for penalty in range(NUM_PENALTIES):
        first, count = FIRST_PENALTY + NUM_COLORS * penalty, 0
        for color in range(NUM_COLORS):
            count += v.hand[first + color]
        points += count * POINTS[first]
        effects[penalty] = at_most_one(np.float32(count) * A_FIFTH)
    for wild in range(NUM_EFFECTS - NUM_PENALTIES):
        count = v.hand[NUM_COLOURED + wild]
        points += count * POINTS[NUM_COLOURED + wild]
        effects[NUM_PENALTIES + wild] = at_most_one(np.float32(count) * A_FIFTH)
    out[at[OWN_POINTS]] = at_most_one(np.float32(points) * A_HUNDREDTH)


@inlined
def encode_seats(v, at, out):
    write_hand_sizes(v, A_CARD, out[at[SIZES] :], out[at[ONE_CARD] :], out[at[TWO_CARDS] :], out[at[THREE_CARDS] :])
    write_counts(v.missed, v.num_players, 0, A_THIRD, out[at[MISSED] :])
    write_scores(v, out[at[SCORES] :])


@inlined
def encode_memory(v, at, out):
    write_known(v, A_HALF, out[at[KNOWN] :])
    write_known_shares(v, out[at[KNOWN_SHARE] :])
    answers = out[at[KNOWN_ANSWER] :]
    for r in range(1, v.num_players):
        answers[r - 1] = flag(v.known[r, BOOMERANG] > 0 or v.known[r, RICOCHET] > 0)
