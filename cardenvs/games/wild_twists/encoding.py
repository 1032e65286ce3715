"""The observation of Wild Twists war: how much each seat has, what lies on the table, whose each card is known to be.

It has 69 features compact and 185 full. The table of the sections is the layout; nothing else knows an offset.
"""

import numpy as np

from cardenvs.core.features import ZERO, mark, share
from cardenvs.core.jit import inlined, njit
from cardenvs.core.sections import Section, starts
from cardenvs.games.wild_twists.layout import NUM_KINDS, PHASES, PLAYERS

A_CARD = np.float32(1 / NUM_KINDS)

SECTIONS = (
    Section("phase", lambda p: len(PHASES), "one-hot: what is asked"),
    Section("actor", lambda p: p, "one-hot by relative seat: who is asked; all 0 at the end"),
    Section("decks", lambda p: p, f"by relative seat: cards in the play deck / {NUM_KINDS}"),
    Section("score_piles", lambda p: p, f"by relative seat: cards in the score pile / {NUM_KINDS}"),
    Section("table", lambda p: p, f"by relative seat: cards on the table / {NUM_KINDS}"),
    Section("shown", lambda p: NUM_KINDS, "by card: 1 if it lies face up by the observer, −1 by the other seat"),
    Section("cap", lambda p: 1, "flips made / max_decisions"),
    Section(
        "owner",
        lambda p: NUM_KINDS,
        "by card: 1 if the observer is known to have it, −1 if the other seat is, 0 if that is not known",
        memory=True,
    ),
    Section("scored", lambda p: NUM_KINDS, "by card: 1 if it lies in a score pile", memory=True),
)
PHASE, ACTOR, DECKS, SCORE_PILES, TABLE, SHOWN, CAP, OWNER, SCORED = range(len(SECTIONS))
STARTS = starts(SECTIONS, PLAYERS)


@njit
def encode(v, full, out):
    """Write the observation of a view into `out`, float32 (D,); `full` includes the memory sections."""
    at = STARTS[PLAYERS]
    out[:] = ZERO
    mark(out, at[PHASE], v.phase)
    mark(out, at[ACTOR], v.actor)
    out[at[CAP]] = share(v.decisions, v.max_decisions)
    encode_sizes(v, at, out)
    shown = out[at[SHOWN] :]
    for k in range(NUM_KINDS):
        shown[k] = np.float32(v.shown[k])
    if full:
        encode_memory(v, at, out)


@inlined
def encode_sizes(v, at, out):
    decks, score_piles, table = out[at[DECKS] :], out[at[SCORE_PILES] :], out[at[TABLE] :]
    for r in range(PLAYERS):
        decks[r] = np.float32(v.deck_sizes[r]) * A_CARD
        score_piles[r] = np.float32(v.score_sizes[r]) * A_CARD
        table[r] = np.float32(v.table_sizes[r]) * A_CARD


@inlined
def encode_memory(v, at, out):
    owner, scored = out[at[OWNER] :], out[at[SCORED] :]
    for k in range(NUM_KINDS):
        owner[k] = np.float32(v.owner[k])
    for k in range(NUM_KINDS):
        scored[k] = np.float32(v.scored[k])
