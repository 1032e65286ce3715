"""From a specification to an agent."""

from difflib import get_close_matches
from pathlib import Path

from agents.protocol import Agent, AgentError
from cardenvs import games


def load(spec: str, game: str, num_players: int) -> Agent:
    """The agent of that name: a scripted policy of the game, or the path of a trained model.

    Parameters
    ----------
    spec
        ``"random"``, ``"greedy"``, ``"expert"``, or a ``model.zip`` that `training.train` has written, or its folder.

    Raises
    ------
    AgentError
        If there is no such policy or file, or the model was trained for another game or number of players.
    """
    policies = games.get(game).policies
    if spec in policies:
        return Agent(name=spec, scripted=spec)
    path = Path(spec)
    if path.is_dir():
        path = path / "model.zip"
    if not path.is_file():
        near = get_close_matches(spec, policies, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise AgentError(
            f"no agent {spec!r}: it must be one of {', '.join(policies)}, or the path of a trained model.{hint}"
        )
    from agents.trained import load_model

    return load_model(path, game, num_players)
