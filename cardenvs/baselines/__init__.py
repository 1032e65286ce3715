"""Trained opponents that come with the package: `opponents="baseline"`, without any learning library.

Each is a file of weights, `<game>_<players>p.npz`, float16, with a card that says how it was made.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from cardenvs.baselines.network import Network
from cardenvs.core.errors import OptionError, choose, require_int
from cardenvs.core.game import ENCODINGS, Game

NAME = "baseline"
FOLDER = Path(__file__).parent


def players_of(game: str) -> list[int]:
    """The numbers of players that there is a baseline for."""
    return sorted(int(path.stem.rpartition("_")[2].removesuffix("p")) for path in FOLDER.glob(f"{game}_*p.npz"))


@cache
def load(game: str, num_players: int) -> Network:
    """The baseline of a game for so many players.

    Raises
    ------
    OptionError
        If there is none.
    """
    path = FOLDER / f"{game}_{num_players}p.npz"
    if not path.is_file():
        found = ", ".join(map(str, players_of(game))) or "no number of"
        raise OptionError(f"there is no baseline of {game} for {num_players} players: there is for {found} players.")
    return read(path)[0]


def read(path: Path) -> tuple[Network, dict[str, Any]]:
    """A network and its card. The file holds numbers and text alone: reading it runs no code.

    Raises
    ------
    ValueError
        If it is no such file, or does not hold what its card says.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            card = dict(json.loads(str(file["card"])))
            weights = np.ascontiguousarray(file["weights"], np.float32)
        sizes = np.array([require_int("layers", size, 1) for size in card["layers"]], np.int64)
        wanted = sum((rows + 1) * columns for rows, columns in pairwise(sizes.tolist()))
        if len(sizes) < 2 or weights.shape != (wanted,):
            raise ValueError(f"layers {sizes.tolist()} have {wanted} weights, and these are {weights.shape}")
        encoding = choose("encoding", card["encoding"], ENCODINGS)
        return Network(weights, sizes, encoding, bool(card["sampled"])), card
    except (KeyError, TypeError, EOFError, BadZipFile) as error:
        raise ValueError(f"{path} does not hold a network's weights and card: {error}") from error


def write(path: Path, network: Network, card: Mapping[str, Any], dtype: Any = np.float16) -> None:
    """Save a network, its weights as `dtype`, with a card of plain values."""
    whole = {**card, "layers": network.sizes.tolist(), "encoding": network.encoding, "sampled": network.sampled}
    np.savez_compressed(path, weights=network.weights.astype(dtype), card=np.array(json.dumps(whole)))


def name_opponents(opponents: Any, game: Game, num_players: int, options: Mapping[str, Any]) -> Any:
    """Opponents (`cardenvs.engine.seating.Opponents`) with the network in place of ``"baseline"``."""

    def name(opponent: str | Callable[..., Any]) -> str | Callable[..., Any]:
        return fitting(game, num_players, options) if opponent == NAME else opponent

    if isinstance(opponents, str):
        return name(opponents)
    if isinstance(opponents, Mapping):
        named: dict[Any, float] = {}
        for opponent, weight in opponents.items():
            named[name(opponent)] = named.get(name(opponent), 0) + weight
        return named
    if isinstance(opponents, Sequence):
        return [name(opponent) for opponent in opponents]
    return opponents


def fitting(game: Game, num_players: int, options: Mapping[str, Any]) -> Network:
    """The baseline, if it has learnt what the options bring; an `OptionError` if not."""
    for option, switch in game.switches.items():
        if options.get(option, switch.default) != switch.default:
            raise OptionError(f"the baseline has learnt to play with {option}={switch.default!r} alone.")
    return load(game.name, num_players)
