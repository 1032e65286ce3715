"""Kinds, phases, actions and records of UNO All Wild."""

import numpy as np

from cardenvs.core.state import footer, header

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

STATE = np.dtype(
    [
        *header(
            MAX_PLAYERS,
            NUM_KINDS,
            own=[
                ("direction", "i8"),  # 1 clockwise, −1 the other way
                ("to_declare", "i8", (2,)),  # seats that have yet to say UNO, then NOBODY
                ("silent", "i8"),  # the seat that stayed silent, while the others are asked to catch it
                ("known_hands", "i8"),  # a bit a seat: of these hands somebody else may know a card
                ("ignore_start", "?"),  # start_card="ignored"
                ("declares", "?"),  # uno_calls="declare"
            ],
        ),
        *footer(MAX_PLAYERS, MAX_CARDS),
        # known[observer, seat, kind]: of the cards in that hand, how many the observer knows to be of that kind
        ("known", "u1", (MAX_PLAYERS, MAX_PLAYERS, NUM_KINDS)),
    ],
    align=True,
)

# What one seat may know. All seats are relative: 0 is the observer itself, then clockwise; NOBODY is −1.
VIEW = np.dtype(
    [
        ("num_players", "i8"),
        ("actor", "i8"),
        ("phase", "i8"),
        ("turn", "i8"),
        ("dealer", "i8"),
        ("direction", "i8"),
        ("silent", "i8"),
        ("to_declare", "i8", (2,)),
        ("declares", "?"),
        ("match", "?"),
        ("hand", "i4", (NUM_KINDS,)),
        ("sizes", "i4", (MAX_PLAYERS,)),
        ("top", "i8"),  # kind of the top discard
        ("discards", "i4", (NUM_KINDS,)),
        ("draw_size", "i4"),
        ("discard_size", "i4"),
        ("deck", "i4", (NUM_KINDS,)),
        ("copy_share", "f4", (NUM_KINDS,)),  # 1 / copies of each kind
        ("scores", "i4", (MAX_PLAYERS,)),
        ("target_score", "i4"),
        ("decisions", "i4"),
        ("max_decisions", "i4"),
        ("knows", "?"),  # whether the observer may know a card of another's hand
        ("known", "i4", (MAX_PLAYERS, NUM_KINDS)),  # cards of each hand that the observer knows; its own row is empty
        ("known_sizes", "i4", (MAX_PLAYERS,)),  # how many that are
    ],
    align=True,
)
