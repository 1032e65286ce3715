"""Gymnasium's vector form: N learners in N games, stepped together in compiled code."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cardenvs.core.errors import OptionError, choose
from cardenvs.core.rng import keys_of_seeds
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import Opponents
from cardenvs.envs.learner import LearnerGames
from cardenvs.envs.one_game import FRAMES_A_SECOND, check_render_mode, draw_view
from cardenvs.render.views import view_of

MODES = ("ansi", "rgb_array")


class CardVectorEnv(VectorEnv):
    """`SingleEnv`, N times: row b seeded s plays as a single environment seeded s + b.

    ``infos["action_mask"]`` int8 (N, A) are the legal actions; `action_masks()` gives them as bool. A row that is over
    has none until it is dealt anew, by `autoreset_mode` as in Gymnasium's own vector environments: on its next step,
    whose action is ignored; in the same step, with ``final_obs`` and ``final_info``; or by
    ``reset(options={"reset_mask": …})``.

    Parameters
    ----------
    game, opponents, seat, encoding, render_mode, **options
        As for `SingleEnv`; a callable opponent is called once for all games.
    num_threads
        Threads that share the games; the results do not depend on it.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012 - as in Gymnasium

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponents: Opponents = "random",
        seat: int | str = "random",
        encoding: str = "full",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        num_threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        modes = {mode.value: mode for mode in AutoresetMode}
        if not isinstance(autoreset_mode, AutoresetMode):
            autoreset_mode = modes[choose("autoreset_mode", autoreset_mode, modes)]
        self.render_mode = check_render_mode(render_mode, MODES)
        self.autoreset_mode = autoreset_mode
        self.metadata = self.metadata | {"autoreset_mode": autoreset_mode}
        self._table = LearnerGames(
            game, num_envs, opponents, seat, encoding=encoding, num_threads=num_threads, **options
        )
        self._games = self._table.games
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(-1.0, 1.0, (self._games.observation_size,), np.float32)
        self.single_action_space = spaces.Discrete(len(self._games.action_names))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal new episodes.

        `seed` is an int, for row b seed + b, or a list of N. ``options``: ``reset_mask`` bool (N,) for some rows alone;
        ``shuffles`` and ``dealer`` (`BatchGame.reset`).
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        options = dict(options or {})
        where = options.pop("reset_mask", None)
        if isinstance(where, np.ndarray) and where.dtype == np.bool_ and not where.any():
            raise OptionError("reset_mask has no True: it must name at least one game.")
        self._table.reset(where, self._keys(seed), options)
        return self._table.observations.copy(), self._infos()

    def set_opponents(self, opponents: Opponents) -> None:
        """Other opponents, from the next `reset` of all games on: call it before the next step."""
        self._table.set_opponents(opponents)

    def _keys(self, seed: Any) -> Any:
        if seed is None:
            return None
        seeds = [seed + b for b in range(self.num_envs)] if isinstance(seed, int | np.integer) else list(seed)
        if len(seeds) != self.num_envs:
            raise OptionError(f"seed has {len(seeds)} numbers: it must have num_envs={self.num_envs}.")
        return keys_of_seeds(seeds)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Carry out all learners' actions, int (N,); see the class for rows that are over.

        An action that is not legal loses at once, with reward −1; ``infos["illegal_action"]``, bool (N,), is then there
        and says where.

        Raises
        ------
        IllegalActionError
            If anything is no action of the game at all; no game has changed.
        """
        table = self._table
        if self.autoreset_mode == AutoresetMode.DISABLED and table.over.any():
            raise OptionError(f"game {np.argmax(table.over)} is over: reset it by options={{'reset_mask': …}} first.")
        offences = table.step(actions, autoreset=self.autoreset_mode == AutoresetMode.NEXT_STEP)
        rewards = table.rewards.astype(np.float64)
        terminated, truncated = table.terminated, table.truncated
        infos: dict[str, Any] = {"illegal_action": offences} if offences.any() else {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and (over := table.over).any():
            infos |= self._final_infos(over)
            table.reset(over)
        return table.observations.copy(), rewards, terminated, truncated, infos | self._infos()

    def action_masks(self) -> Any:
        """bool (N, A): the learners' legal actions."""
        return self._table.mask.copy()

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._table.mask.astype(np.int8), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final_infos(self, over: Any) -> dict[str, Any]:
        final_obs = np.full(self.num_envs, None, object)
        for b in np.flatnonzero(over):
            final_obs[b] = self._table.observations[b].copy()
        masks = {"action_mask": self._table.mask.astype(np.int8), "_action_mask": over.copy()}
        return {"final_obs": final_obs, "_final_obs": over.copy(), "final_info": masks, "_final_info": over.copy()}

    def render(self) -> tuple[Any, ...] | None:
        """What each learner sees: text in mode ``"ansi"``, uint8 (800, 1280, 3) in mode ``"rgb_array"``."""
        if self.render_mode is None:
            return None
        return tuple(self._draw(self._games[b], self.render_mode) for b in range(self.num_envs))

    @staticmethod
    def _draw(game: BatchGame, render_mode: str) -> Any:
        return draw_view(game, view_of(game.game, game.snapshot(), int(game._learners[0])), render_mode)

    def snapshots(self) -> list[dict[str, Any]]:
        """The whole position of every game, hidden cards included."""
        return [self._games[b].snapshot() for b in range(self.num_envs)]
