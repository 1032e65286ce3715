"""The verbs by the record they are called with: compiled code chooses the game by the record's type.

Overloads chosen by type are cached on disk with their kernel; compiled functions passed as arguments, or closed over by
a factory, would be compiled again in every process. Called from plain Python the same names look the game up.
"""

from functools import cache
from typing import Any

from numba.core import types
from numba.extending import overload

from cardenvs import games
from cardenvs.core.game import Game
from cardenvs.core.jit import LEAN


@cache
def _by_fields() -> dict[tuple[str, ...], Game]:
    """Games by the names of the fields of their records, states and views alike: no two may share them."""
    table: dict[tuple[str, ...], Game] = {}
    for name in games.VERSIONS:
        game = games.get(name)
        for record in (game.state, game.view_record):
            assert record.names is not None and record.names not in table, f"{name} shares its record with another game"
            table[record.names] = game
    return table


def game_of(record: Any) -> Game:
    """The game that a NumPy record, or a Numba record type, belongs to."""
    names = tuple(record.fields) if isinstance(record, types.Record) else record.dtype.names
    return _by_fields()[names]


def deal(s: Any, dealer: Any) -> None:
    game_of(s).deal(s, dealer)


def apply(s: Any, action: Any) -> None:
    game_of(s).apply(s, action)


def legal(s: Any, mask: Any) -> None:
    game_of(s).legal(s, mask)


def view(s: Any, seat: Any, v: Any) -> None:
    game_of(s).view(s, seat, v)


def encode(v: Any, full: Any, out: Any) -> None:
    game_of(v).encode(v, full, out)


def resample(s: Any, seat: Any, key: Any) -> None:
    game_of(s).resample(s, seat, key)


def settle(s: Any) -> None:
    game_of(s).settle(s)


def act(v: Any, mask: Any, noise: Any, policy: Any) -> Any:
    return game_of(v).act(v, mask, noise, policy)


def fault_of(s: Any, counts: Any) -> Any:
    return game_of(s).fault_of(s, counts)


@overload(deal, jit_options=LEAN)
def _deal(s, dealer):
    verb = game_of(s).deal
    return lambda s, dealer: verb(s, dealer)


@overload(apply, jit_options=LEAN)
def _apply(s, action):
    verb = game_of(s).apply
    return lambda s, action: verb(s, action)


@overload(legal, jit_options=LEAN)
def _legal(s, mask):
    verb = game_of(s).legal
    return lambda s, mask: verb(s, mask)


@overload(view, jit_options=LEAN)
def _view(s, seat, v):
    verb = game_of(s).view
    return lambda s, seat, v: verb(s, seat, v)


@overload(encode, jit_options=LEAN)
def _encode(v, full, out):
    verb = game_of(v).encode
    return lambda v, full, out: verb(v, full, out)


@overload(resample, jit_options=LEAN)
def _resample(s, seat, key):
    verb = game_of(s).resample
    return lambda s, seat, key: verb(s, seat, key)


@overload(settle, jit_options=LEAN)
def _settle(s):
    verb = game_of(s).settle
    return lambda s: verb(s)


@overload(act, jit_options=LEAN)
def _act(v, mask, noise, policy):
    verb = game_of(v).act
    return lambda v, mask, noise, policy: verb(v, mask, noise, policy)


@overload(fault_of, jit_options=LEAN)
def _fault_of(s, counts):
    verb = game_of(s).fault_of
    return lambda s, counts: verb(s, counts)


__all__ = ["act", "apply", "deal", "encode", "fault_of", "game_of", "legal", "resample", "settle", "view"]
