"""Networks of `cardenvs.baselines` as agents: files of weights alone, and the one that comes with the package."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.protocol import Agent, AgentError
from cardenvs import baselines, games
from cardenvs.baselines.network import Network
from cardenvs.core.errors import OptionError


def as_agent(name: str, network: Network) -> Agent:
    """A network as an agent."""

    def think(observations: Any, masks: Any) -> tuple[Any, None]:
        return network.probabilities(observations, masks), None

    return Agent(name=name, act=network, encoding=network.encoding, think=think)


def load_baseline(game: str, num_players: int, options: Mapping[str, Any]) -> Agent:
    """The baseline of a game; an `AgentError` if there is none for so many players, or for these rules."""
    try:
        return as_agent(baselines.NAME, baselines.fitting(games.get(game), num_players, options))
    except OptionError as error:
        raise AgentError(str(error)) from error


def load_network(path: Path, game: str, num_players: int, options: Mapping[str, Any]) -> Agent:
    """A file of weights, as `training.train` writes it.

    Raises
    ------
    AgentError
        If it is no such file, or it was trained for another game, number of players or rules.
    """
    network, card = _read(path)
    require_fit(card, path, game, num_players, options)
    rules = games.get(game)
    shape = (rules.observation_size(num_players, network.encoding), len(rules.actions(num_players)))
    if (network.sizes[0], network.sizes[-1]) != shape:
        raise AgentError(f"{path} has layers {network.sizes.tolist()}: they must begin and end with {shape}.")
    return as_agent(f"{path.parent.name}/{path.stem}", network)


def card_of(path: Path) -> dict[str, Any]:
    """What a network was trained for, and how long."""
    return _read(path)[1]


def _read(path: Path) -> tuple[Network, dict[str, Any]]:
    try:
        return baselines.read(path)
    except (ValueError, OSError) as error:
        raise AgentError(f"{path} is no file of a network's weights: {error}") from error


def require_fit(card: Mapping[str, Any], path: Path, game: str, num_players: int, options: Mapping[str, Any]) -> None:
    """Refuse what was trained for something else: its card says for what."""
    trained = {"game": card.get("game"), "num_players": card.get("num_players")}
    wanted = {"game": game, "num_players": num_players}
    for name, switch in games.get(game).switches.items():
        trained[name] = (card.get("options") or {}).get(name, switch.default)
        wanted[name] = options.get(name, switch.default)
    for what in wanted:
        if trained[what] != wanted[what]:
            raise AgentError(
                f"{path} was trained for {what} {trained[what]!r}: it cannot play {what} {wanted[what]!r}."
            )
