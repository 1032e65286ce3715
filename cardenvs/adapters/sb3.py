"""Stable-Baselines3: a `VecEnv` over the native batch, without subprocesses, that gives MaskablePPO its masks."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from cardenvs.engine.seating import Opponents
from cardenvs.envs.vector import CardVectorEnv


class CardVecEnv(VecEnv):
    """N games for SB3; parameters are those of `cardenvs.envs.vector.CardVectorEnv`.

    ``infos`` of a game that ends hold ``terminal_observation``, ``TimeLimit.truncated`` and ``episode`` (return
    ``r``, length ``l`` in the learner's steps), as SB3's own `Monitor` would give them.

    Parameters
    ----------
    game
        Its name.
    num_envs
        N.
    seed
        Of the first `reset`: game b is seeded ``seed + b``; None takes entropy from the system.
    """

    def __init__(self, game: str, num_envs: int, seed: int | None = None, **options: Any) -> None:
        self.vector = CardVectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.render_mode = self.vector.render_mode
        super().__init__(num_envs, self.vector.single_observation_space, self.vector.single_action_space)
        self._seed = seed
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs, np.float64)
        self._lengths = np.zeros(num_envs, np.int64)

    def reset(self) -> Any:
        """Deal in all games: float32 (N, D)."""
        observations, infos = self.vector.reset(seed=self._seed)
        self._seed = None
        self._returns[:] = 0.0
        self._lengths[:] = 0
        self.reset_infos = [{"action_mask": mask} for mask in infos["action_mask"]]
        return observations

    def set_opponents(self, opponents: Opponents) -> None:
        """Other opponents, from the next `reset` on: call it before the next step."""
        self.vector.set_opponents(opponents)

    def step_async(self, actions: Any) -> None:
        """Keep the actions, int (N,), for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Step all games: observations float32 (N, D), rewards float32 (N,), over bool (N,), infos by game."""
        observations, rewards, terminated, truncated, infos = self.vector.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        over = terminated | truncated
        nothing: dict[str, Any] = {}
        per_game = [nothing] * self.num_envs
        for b in np.flatnonzero(over):
            per_game[b] = {
                "terminal_observation": infos["final_obs"][b],
                "TimeLimit.truncated": bool(truncated[b] and not terminated[b]),
                "episode": {"r": float(self._returns[b]), "l": int(self._lengths[b])},
            }
        self._returns[over] = 0.0
        self._lengths[over] = 0
        return observations, rewards.astype(np.float32), over, per_game

    def action_masks(self) -> Any:
        """bool (N, A): the legal actions."""
        return self.vector.action_masks()

    def has_attr(self, attr_name: str) -> bool:
        """Whether each game has it: ``action_masks`` is how MaskablePPO knows that it can mask."""
        return attr_name == "action_masks" or hasattr(self.vector, attr_name)

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """``"action_masks"``: the mask of each game, bool (A,)."""
        if method_name != "action_masks":
            raise AttributeError(f"games of a CardVecEnv have no method {method_name!r}; they have 'action_masks'.")
        return list(self.vector.action_masks()[self._chosen(indices)])

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of the vector environment, which all games share."""
        return [getattr(self.vector, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        raise AttributeError(f"{attr_name!r} cannot be set for single games of a CardVecEnv: make a new one.")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        return [False] * len(self._chosen(indices))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the next `reset`."""
        self._seed = seed
        return [None if seed is None else seed + b for b in range(self.num_envs)]

    def _chosen(self, indices: VecEnvIndices) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return list(indices) if isinstance(indices, Iterable) else [indices]

    def close(self) -> None:
        self.vector.close()
