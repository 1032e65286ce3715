"""Networks of `cardenvs.baselines` as agents: files of weights alone, and the one that comes with the package."""

from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from agents.protocol import Agent, AgentError
from cardenvs import baselines
from cardenvs.baselines.network import Network
from cardenvs.core.errors import OptionError


def as_agent(name: str, network: Network) -> Agent:
    """A network as an agent."""
    return Agent(name=name, act=network, encoding=network.encoding)


def load_baseline(game: str, num_players: int) -> Agent:
    """The baseline of a game; an `AgentError` if there is none for so many players."""
    try:
        return as_agent(baselines.NAME, baselines.load(game, num_players))
    except OptionError as error:
        raise AgentError(str(error)) from error


def load_network(path: Path, game: str, num_players: int) -> Agent:
    """A file of weights, as `training.train` writes it.

    Raises
    ------
    AgentError
        If it is no such file, or it was trained for another game or number of players.
    """
    network, card = _read(path)
    require_fit(card, path, game, num_players)
    return as_agent(f"{path.parent.name}/{path.stem}", network)


def card_of(path: Path) -> dict[str, Any]:
    """What a network was trained for, and how long."""
    return _read(path)[1]


def _read(path: Path) -> tuple[Network, dict[str, Any]]:
    try:
        return baselines.read(path)
    except (ValueError, KeyError, OSError, BadZipFile) as error:
        raise AgentError(f"{path} is no file of a network's weights: {error}") from error


def require_fit(card: dict[str, Any], path: Path, game: str, num_players: int) -> None:
    """Refuse what was trained for something else."""
    for what, wanted in (("game", game), ("num_players", num_players)):
        if card[what] != wanted:
            raise AgentError(f"{path} was trained for {what} {card[what]!r}: it cannot play {what} {wanted!r}.")
