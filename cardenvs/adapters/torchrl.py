"""TorchRL: an `EnvBase` over the native batch, with masks of actions."""

from typing import Any

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from cardenvs.core.errors import OptionError
from cardenvs.core.rng import keys_of_seeds
from cardenvs.engine.seating import Opponents
from cardenvs.envs.learner import LearnerGames


class CardEnv(EnvBase):
    """N games with a learner each, of batch size [N]; game b seeded s plays as a `SingleEnv` seeded s + b.

    ``observation`` float32 (N, D), ``action_mask`` bool (N, A), ``action`` int64 (N,), ``reward`` float32 (N, 1). A
    game that is over has no legal action and stays as it is until `reset` is told of it by ``_reset``, as collectors
    and `rollout` do. `rand_action` draws legal actions, without a transform. An action that is not legal loses at
    once, with reward −1.

    Parameters
    ----------
    game
        Its name.
    num_envs
        N.
    seed
        Of the first `reset`, as by `set_seed`; None takes entropy from the system.
    opponents, seat, **options
        As for `cardenvs.envs.vector.CardVectorEnv`.

    Raises
    ------
    OptionError
        At construction, for anything that the game cannot take; from `step`, if ``_step`` holds up a game that goes on.
    IllegalActionError
        From `step`, if anything is no action of the game at all.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        seed: int | None = None,
        opponents: Opponents = "random",
        seat: int | str = "random",
        encoding: str = "full",
        num_threads: int = 1,
        **options: Any,
    ) -> None:
        super().__init__(batch_size=[num_envs])
        self._table = LearnerGames(
            game, num_envs, opponents, seat, encoding=encoding, num_threads=num_threads, **options
        )
        size, actions = self._table.games.observation_size, len(self._table.games.action_names)
        self.observation_spec = Composite(
            observation=Bounded(-1.0, 1.0, (num_envs, size), dtype=torch.float32),
            action_mask=Binary(actions, (num_envs, actions), dtype=torch.bool),
            shape=(num_envs,),
        )
        self.action_spec = Categorical(actions, (num_envs,), dtype=torch.int64)
        self.reward_spec = Unbounded((num_envs, 1), dtype=torch.float32)
        ends = ("done", "terminated", "truncated")
        self.done_spec = Composite({end: Binary(1, (num_envs, 1), dtype=torch.bool) for end in ends}, shape=(num_envs,))
        self._seed = seed

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed

    def _reset(self, tensordict: TensorDictBase | None = None, **kwargs: Any) -> TensorDictBase:
        where = None if tensordict is None else tensordict.get("_reset", None)
        seed, self._seed = self._seed, None
        keys = None if seed is None else keys_of_seeds(seed + b for b in range(self.batch_size[0]))
        self._table.reset(None if where is None else where.numpy().reshape(-1), keys)
        return self._now()

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        moves = tensordict.get("_step", None)
        if moves is not None and (held_up := ~moves.numpy().reshape(-1) & ~self._table.over).any():
            raise OptionError(f"_step is False for game {np.argmax(held_up)}, which is not over: it cannot be held up.")
        self._table.step(tensordict["action"].numpy())
        return self._now().set("reward", torch.from_numpy(self._table.rewards[:, None].astype(np.float32)))

    def _now(self) -> TensorDictBase:
        """What learners see, in fresh tensors, and what is over."""
        table = self._table
        mask, over = table.mask.copy(), table.over
        self.action_spec.update_mask(torch.from_numpy(mask | over[:, None]))  # something must be drawn there too
        ends = {"done": over, "terminated": table.terminated, "truncated": table.truncated}
        told = {"observation": table.observations.copy(), "action_mask": mask} | {
            end: where[:, None] for end, where in ends.items()
        }
        return TensorDict({name: torch.from_numpy(what) for name, what in told.items()}, self.batch_size)
