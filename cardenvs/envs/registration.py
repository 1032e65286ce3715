"""Make every game known to Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

from cardenvs.games import SIMULTANEOUS, VERSIONS, env_id


def register_all() -> None:
    """Register every game: `SingleEnv` and `CardVectorEnv` with Gymnasium, its other forms with PettingZoo."""
    for name, version in VERSIONS.items():
        gymnasium.register(
            env_id(name),
            entry_point="cardenvs.envs.single:SingleEnv",
            vector_entry_point="cardenvs.envs.vector:CardVectorEnv",
            kwargs={"game": name},
        )
        pettingzoo.register("aec", f"cardenvs/{name}-v{version}", "cardenvs.envs.aec:make", kwargs={"game": name})
        if name in SIMULTANEOUS:
            pettingzoo.register(
                "parallel", f"cardenvs/{name}-v{version}", "cardenvs.envs.parallel:make", kwargs={"game": name}
            )
