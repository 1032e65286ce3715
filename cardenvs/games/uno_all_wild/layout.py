"""Kinds, phases, actions and records of UNO All Wild."""

import numpy as np

from cardenvs.core.memory import memory, memory_sizes
from cardenvs.core.state import footer, hands, header, record, table
from cardenvs.core.view import view_fields

MAX_PLAYERS = 10
MAX_CARDS = 160
HAND = 7

KINDS = ("wild", "reverse", "skip", "double_skip", "draw_two", "draw_four", "targeted_draw_two", "forced_swap")
WILD, REVERSE, SKIP, DOUBLE_SKIP, DRAW_TWO, DRAW_FOUR, TARGETED_DRAW_TWO, FORCED_SWAP = range(8)
NUM_KINDS = len(KINDS)
DECK = dict(zip(KINDS, (60, 8, 8, 8, 8, 4, 8, 8), strict=True))
POINTS = np.array([20, 50, 50, 50, 50, 50, 50, 50], np.int32)
SCALE = 500

PHASES = ("play", "target", "declare", "catch")
PLAY, TARGET, DECLARE, CATCH = range(4)

VERBS = ("draw", "say_uno", "stay_silent", "catch", "let_go")
DRAW, SAY_UNO, STAY_SILENT, CATCH_SILENT, LET_GO, SEAT_0 = range(8, 14)
SEAT_0 -= 1  # relative seat r is action SEAT_0 + r, r from 1

STATE = record(
    [
        *header(
            NUM_KINDS,
            own=[
                ("direction", "i8"),  # 1 clockwise, −1 the other way
                ("to_declare", "i8", (2,)),  # seats that have yet to say UNO, then NOBODY
                ("silent", "i8"),  # the seat that stayed silent, while the others are asked to catch it
                memory_sizes(MAX_PLAYERS),
                ("ignore_start", "?"),  # start_card="ignored"
                ("declares", "?"),  # uno_calls="declare"
            ],
        ),
        *table(MAX_PLAYERS, MAX_CARDS),
        *hands(MAX_PLAYERS, NUM_KINDS),
        memory(MAX_PLAYERS, NUM_KINDS),
        *footer(MAX_PLAYERS, MAX_CARDS),
    ],
)

VIEW = np.dtype(
    view_fields(
        MAX_PLAYERS,
        NUM_KINDS,
        own=[
            ("top", "i8"),  # kind of the top discard
            ("direction", "i8"),
            ("silent", "i8"),
            ("to_declare", "i8", (2,)),
            ("declares", "?"),
            ("strengths", "f8", (MAX_PLAYERS,)),  # room for a policy to note what it thinks of each hand
        ],
    ),
    align=True,
)
