"""Kinds, phases, actions and records of Twice the Fun."""

import numpy as np

from cardenvs.core.memory import memory, memory_sizes
from cardenvs.core.state import footer, hands, header, record, table
from cardenvs.core.view import view_fields

MAX_PLAYERS = 10
MAX_CARDS = 160
HAND = 9

COLORS = ("red", "blue", "green", "gold")
NUM_COLORS, NUMBERS = 4, 9
PENALTIES = ("double_trouble", "lose_your_turn", "draw_3", "draw_1")
DOUBLE_TROUBLE, LOSE_YOUR_TURN, DRAW_3, DRAW_1 = range(4)

# Number n of colour c is kind 9 c + (n − 1); penalty p of colour c is kind FIRST_PENALTY + 4 p + c.
KINDS = (
    *(f"{color}_{n}" for color in COLORS for n in range(1, NUMBERS + 1)),
    *(f"{color}_{penalty}" for penalty in PENALTIES for color in COLORS),
    "boomerang",
    "ricochet",
    "double_exchange",
)
NUM_KINDS = len(KINDS)
FIRST_PENALTY, BOOMERANG, RICOCHET, DOUBLE_EXCHANGE = 36, 52, 53, 54
NUM_COLOURED = BOOMERANG
DECK = dict(zip(KINDS, (*[2] * 36, *[1] * 8, *[2] * 8, 5, 5, 2), strict=True))
POINTS = np.array([*[1] * 36, *[10] * 4, *[5] * 12, 25, 25, 50], np.int32)
SCALE = 100

# Of each kind: its colour, NO_COLOR if it is wild; its number less 1, NO_NUMBER if it has none; its penalty.
NO_COLOR, NO_NUMBER, NO_PENALTY = -1, -1, -1
COLOR_OF = np.array([k // 9 if k < 36 else k % 4 if k < 52 else NO_COLOR for k in range(NUM_KINDS)], np.int64)
NUMBER_OF = np.array([k % 9 if k < 36 else NO_NUMBER for k in range(NUM_KINDS)], np.int64)
PENALTY_OF = np.array([(k - 36) // 4 if 36 <= k < 52 else NO_PENALTY for k in range(NUM_KINDS)], np.int64)

PHASES = ("play", "target", "color", "react", "give", "exchange")
PLAY, TARGET, COLOR, REACT, GIVE, EXCHANGE = range(6)

VERBS = (*(f"color_{color}" for color in COLORS), "draw", "accept", "decline")
COLOR_0, DRAW, ACCEPT, DECLINE = 55, 59, 60, 61
SEAT_0 = 61  # relative seat r is action SEAT_0 + r, r from 1

STATE = record(
    [
        *header(
            NUM_KINDS,
            own=[
                ("color", "i8"),  # the current colour, or NO_COLOR
                ("penalty", "i8"),  # that is pending, or NO_PENALTY
                ("origin", "i8"),  # who laid the penalty card
                ("target", "i8"),  # whom it is to hit
                ("sender", "i8"),  # who sent it there
                ("to_give", "i8"),  # cards that are still to be given in a Double Trouble
                memory_sizes(MAX_PLAYERS),
                ("missed", "i2", (MAX_PLAYERS,)),  # turns that each seat has yet to miss
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
            ("color", "i8"),
            ("penalty", "i8"),
            ("origin", "i8"),
            ("target", "i8"),
            ("sender", "i8"),
            ("to_give", "i8"),
            ("missed", "i4", (MAX_PLAYERS,)),
        ],
    ),
    align=True,
)
