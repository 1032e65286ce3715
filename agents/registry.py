"""From a specification to an agent."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from agents.network import load_baseline, load_network
from agents.protocol import Agent, AgentError
from cardenvs import baselines, games
from cardenvs.core.errors import did_you_mean


def load(spec: str, game: str, num_players: int, options: Mapping[str, Any] | None = None) -> Agent:
    """The agent of that name: a scripted policy of the game, a search, a trained model, or a function of your own.

    Parameters
    ----------
    spec
        ``"random"``, ``"greedy"``, ``"expert"``; ``"baseline"``, the network that comes with the package; ``"ismcts"``,
        with settings as in ``"ismcts:simulations=1000,playouts=greedy"`` (`agents.ismcts.Settings`); a ``model.zip``
        that `training.train` has written, or its folder, or the ``policy.npz`` there; ``"human"``, a person at the
        terminal; or ``"module:function"``, which takes observations float32 (n, D) and masks bool (n, A) to actions
        int (n,).
    options
        Of the game, as for the environments: an agent that was trained with other rules is refused.

    Raises
    ------
    AgentError
        If there is no such policy, file or function, or the model was trained for another game, number of players or
        rules.
    """
    policies = games.get(game).policies
    if spec in policies:
        return Agent(name=spec, scripted=spec)
    if spec == "human":
        from agents.human import make_agent as make_human

        return make_human()
    if spec == baselines.NAME:
        return load_baseline(game, num_players, options or {})
    if spec.partition(":")[0] == "ismcts":
        from agents.ismcts import make_agent

        return make_agent(games.get(game), spec)
    if ":" in spec and not Path(spec).exists():
        return Agent(name=spec, act=_import(spec))
    path = Path(spec)
    if path.is_dir():
        path = path / "model.zip"
    if not path.is_file():
        hint = did_you_mean(spec, [*policies, baselines.NAME])
        raise AgentError(
            f"no agent {spec!r}: it must be one of {', '.join(policies)}, baseline, ismcts, human, the path of a "
            f"trained model, or module:function.{hint}"
        )
    if path.suffix == ".npz":
        return load_network(path, game, num_players, options or {})
    from agents.trained import load_model

    return load_model(path, game, num_players, options or {})


def _import(spec: str) -> Callable[[Any, Any], Any]:
    """The function of ``"module:function"``."""
    module, _, name = spec.partition(":")
    try:
        function: Callable[[Any, Any], Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise AgentError(f"no agent {spec!r}: {error}.") from error
    if not callable(function):
        raise AgentError(f"no agent {spec!r}: {name} cannot be called.")
    return function
