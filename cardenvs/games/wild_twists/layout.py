"""Kinds, phases, actions and records of Wild Twists war."""

import numpy as np

from cardenvs.core.state import footer, header, record, table

PLAYERS = 2
SUITS = ("heart", "diamond", "spade", "club")  # the first two are red
RANKS = (*(str(n) for n in range(2, 11)), "jack", "queen", "king", "ace")
NUM_RANKS = len(RANKS)
KINDS = (
    *(f"{suit}_{rank}" for suit in SUITS for rank in RANKS),
    *(f"wild_{what}" for what in ("red", "black", *SUITS)),
)
NUM_KINDS = len(KINDS)
WILD_RED, WILD_BLACK, WILD_SUIT = 52, 53, 54  # WILD_SUIT + suit
FACE_DOWN = 3  # cards that a war lays face down

PHASES = ("battle", "war")
BATTLE, WAR = range(2)
ACTIONS = ("flip",)
FLIP = 0

STATE = record(
    [
        *header(
            NUM_KINDS,
            own=[
                ("score", "u8", (PLAYERS,)),  # the cards of each score pile, a bit a card
                ("taken", "u8", (PLAYERS,)),  # the cards that each seat has won and not lost since: shown to both
                ("fresh", "u8", (PLAYERS,)),  # cards that came into each play deck by its last shuffle
                ("score_sizes", "i2", (PLAYERS,)),
                ("deck_sizes", "i2", (PLAYERS,)),
                ("up_sizes", "i2", (PLAYERS,)),
                ("down_sizes", "i2", (PLAYERS,)),
                ("decks", "i1", (PLAYERS, NUM_KINDS)),  # play decks, next card last
                ("face_up", "i1", (PLAYERS, NUM_KINDS)),  # on the table, in the order laid
                ("face_down", "i1", (PLAYERS, NUM_KINDS)),
            ],
        ),
        *table(PLAYERS, NUM_KINDS),
        *footer(PLAYERS, NUM_KINDS),
    ],
)

# What is known, which is the same for both seats; relative seat 0 is the observer.
VIEW = np.dtype(
    [
        ("num_players", "i8"),
        ("actor", "i8"),
        ("phase", "i8"),
        ("deck_sizes", "i8", (PLAYERS,)),
        ("score_sizes", "i8", (PLAYERS,)),
        ("table_sizes", "i8", (PLAYERS,)),  # cards on the table, face up or down
        ("decisions", "i8"),
        ("max_decisions", "i8"),
        # by card: 1 the observer, −1 the other seat, 0 neither
        ("owner", "i1", (NUM_KINDS,)),  # who is known to have it
        ("shown", "i1", (NUM_KINDS,)),  # by whom it lies face up on the table, shown to both
        ("scored", "i1", (NUM_KINDS,)),  # 1 if it lies in a score pile
    ],
    align=True,
)
