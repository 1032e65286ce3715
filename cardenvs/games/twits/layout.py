"""Kinds, phases, actions and records of The Twits Card Game."""

import numpy as np

from cardenvs.core.memory import memory, memory_sizes
from cardenvs.core.state import footer, hands, header, record, table
from cardenvs.core.view import view_fields

MAX_PLAYERS = 5
MAX_CARDS = 120
HAND = 5
SET = 3  # cards of a kind that are banked together
SETS = 3  # banked by one seat: the round ends

KINDS = ("plus_10", "plus_5", *(f"minus_{n}" for n in range(1, 8)), "upside_down")
NUM_KINDS = len(KINDS)
UPSIDE_DOWN = 9
DECK = dict.fromkeys(KINDS, 6)
VALUES = np.array([10, 5, -1, -2, -3, -4, -5, -6, -7, 0], np.int64)
SCALE = 100

PHASES = ("bank", "pass")
BANK, PASS = range(2)

VERBS = ("decline",)
DECLINE = 10

STATE = record(
    [
        *header(
            NUM_KINDS,
            own=[
                ("last_turn", "?"),  # the turn without a draw has begun
                memory_sizes(MAX_PLAYERS),
                ("sets", "i1", (MAX_PLAYERS,)),  # banked by each seat
                ("banked", "i1", (MAX_PLAYERS, SETS)),  # their kinds; the cards themselves are laid as discards
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
            ("last_turn", "?"),
            ("sets", "i4", (MAX_PLAYERS,)),
            ("banked_points", "i4", (MAX_PLAYERS,)),
        ],
    ),
    align=True,
)
