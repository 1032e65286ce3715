"""The record that every game's record is made of, and what all games do with it.

A game is one NumPy record; N games are an array of N records. Seats are padded to the most that the game allows, so
that one compilation serves every number of players, and options live in the record, so that a copy carries them.
Fields lie in the order of their heat, since a batch of games does not fit a processor's nearest cache. Seats and phases
are int64, because Numba compiles a function once for each type that it is called with.
"""

from typing import Any

import numpy as np

from cardenvs.core.jit import COMPILED, njit
from cardenvs.core.rng import DEALER, below, derive, next_episode

NOBODY = -1  # as a seat
NO_PHASE = -1
CACHE_LINE = 64  # bytes that come from memory at once
ORDERS_HELD = 3  # the most shuffles that one decision can bring: two reshuffles and the next round's deal


def header(kinds: int, own: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What nearly every decision reads; `own` are a game's own fields. Cards go by `kinds` kinds."""
    return [
        ("key", "u8"),  # of this episode (core.rng)
        ("stream", "u8"),  # of the shuffle whose cards are being drawn
        ("actor", "i8"),  # the seat that is asked, NOBODY when the episode is over
        ("phase", "i8"),  # what it is asked, NO_PHASE when the episode is over
        ("turn", "i8"),
        ("dealer", "i8"),
        ("num_players", "i8"),
        *own,
        ("decisions", "i4"),
        ("max_decisions", "i4"),
        ("target_score", "i4"),
        ("winners", "i4"),  # a bit a seat
        ("terminated", "?"),
        ("truncated", "?"),
        ("fault", "?"),  # a stacked shuffle did not fit: the episode cannot go on
        ("paid", "?"),  # a round has ended: round_points hold
        ("pays", "?"),  # the last decision ended a round: rewards hold
        ("match", "?"),
        ("score_reward", "?"),
        ("draw_size", "i2"),  # see core.table for these three
        ("settled", "i2"),
        ("discard_size", "i2"),
        ("shuffles", "i4"),
        ("stacked", "i4"),  # shuffles below this number are stacked
        ("loaded", "i4"),  # and below this one their orders are here
        ("deck", "i2", (kinds,)),  # copies of each kind
    ]


def table(seats: int, cards: int) -> list[tuple[Any, ...]]:
    """The piles, of up to `cards` cards, and the scores of up to `seats` players."""
    return [
        ("cards", "i1", (cards,)),  # see core.table
        ("scores", "i4", (seats,)),
    ]


def hands(seats: int, kinds: int) -> list[tuple[Any, ...]]:
    """Hands of up to `seats` players and cards that have been laid, counted by kind."""
    return [
        ("sizes", "i2", (seats,)),  # cards in each hand
        ("copy_share", "f4", (kinds,)),  # 1 / copies, 0 where there are none: it spares encoders their divisions
        ("discards", "i2", (kinds,)),  # the discard pile
        ("hands", "i2", (seats, kinds)),
    ]


def footer(seats: int, cards: int) -> list[tuple[Any, ...]]:
    """What is touched when a round ends, and stacked shuffles."""
    return [
        ("rewards", "f4", (seats,)),
        ("round_points", "i4", (seats,)),
        ("round_number", "i4"),  # of the match, from 0
        ("faulty", "i4"),  # the number of the shuffle that did not fit
        ("orders", "i1", (ORDERS_HELD, cards)),  # of shuffle n in row n % ORDERS_HELD, top card first, −1 after it
    ]


def record(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The record of these fields: an odd number of cache lines, or a batch of them would crowd into few cache sets."""
    aligned = np.dtype(fields, align=True)
    names = aligned.names or ()
    lines = -(-aligned.itemsize // CACHE_LINE) | 1
    layout: Any = {
        "names": names,
        "formats": [aligned[name] for name in names],
        "offsets": [aligned.fields[name][1] for name in names] if aligned.fields else [],
        "itemsize": lines * CACHE_LINE,
    }
    padded: np.dtype[Any] = np.dtype(layout, align=True)
    return padded


def new_records(dtype: np.dtype[Any], n: int) -> Any:
    """`n` zeroed records: a plain structured array, or, for uncompiled code, the recarray that it needs."""
    records = np.zeros(n, dtype)
    return records if COMPILED else records.view(np.recarray)


@njit
def is_over(s):
    return s.terminated or s.truncated


@njit
def begin_episode(s, dealer):
    """Everything that does not outlive an episode begins anew; `dealer` NOBODY has it drawn by lot."""
    s.terminated = False
    s.truncated = False
    s.fault = False
    s.paid = False
    s.winners = 0
    s.decisions = 0
    s.round_number = 0
    s.shuffles = 0
    s.dealer = below(derive(s.key, DEALER), s.num_players) if dealer == NOBODY else dealer
    s.scores[:] = 0
    s.round_points[:] = 0
    s.pays = False


@njit
def lacks_orders(s):
    """Whether the next decision might bring a stacked shuffle whose order is not in the record yet."""
    return s.loaded < s.stacked and s.loaded < s.shuffles + ORDERS_HELD


@njit
def renew_key(s):
    """Go on to the key of the next episode."""
    s.key = next_episode(s.key)


@njit
def seat_left_of(s, seat):
    return seat + 1 if seat + 1 < s.num_players else 0


@njit
def relative_seat(s, seat, r):
    """The seat r places clockwise from `seat`, whatever the direction of play."""
    other = seat + r
    return other - s.num_players if other >= s.num_players else other


@njit
def distance(s, seat, other):
    """The r for which `other` is relative seat r of `seat`."""
    r = other - seat
    return r + s.num_players if r < 0 else r


@njit
def ask(s, seat, phase):
    """The next decision is `seat`'s, in `phase`."""
    s.actor = seat
    s.phase = phase
