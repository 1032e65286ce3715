"""Gymnasium: one learner against a table of opponents that are played inside `step`."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from cardenvs.core.errors import IllegalActionError
from cardenvs.engine.kernels import TERMINATED, TRUNCATED
from cardenvs.engine.seating import Opponents
from cardenvs.envs.learner import LearnerGames
from cardenvs.envs.one_game import FRAMES_A_SECOND, LEARNER, OPEN, RENDER_MODES, OneGame, as_action


class SingleEnv(OneGame, gymnasium.Env):
    """One learner in one game.

    Observations are float32 (D,) in [−1, 1] (`cardenvs.games.<game>.encoding`), actions int, legal ones by
    `action_masks()`, bool (A,), and ``info["action_mask"]``, int8 (A,).

    Parameters
    ----------
    game
        Its name.
    opponents
        A scripted policy's name, ``"baseline"`` or a callable, observations float32 (n, D) and masks bool (n, A) to
        actions int (n,), which may have an ``encoding`` of its own; P−1 of these, clockwise from the learner; or a
        mapping of these to weights, to draw from each episode.
    seat
        The learner's seat, or ``"random"``.
    encoding
        ``"full"`` or ``"compact"``.
    render_mode
        ``"ansi"`` for text, ``"rgb_array"`` for pictures, ``"human"`` for a window (`OneGame.render`).
    perspective
        Whose eyes `render` sees with: ``"learner"``, ``"open"`` for all cards, or a seat.
    **options
        Of the game: ``num_players, episode, reward, target_score, max_decisions, deck`` and its own.

    Raises
    ------
    OptionError
        At construction, for anything that the game cannot take.
    IllegalActionError
        From `step`, for what is no action of the game and when the episode is over; nothing has changed. An action that
        is not legal at the moment loses at once, as by PettingZoo's convention: the reward is −1, the episode is over
        and ``info["illegal_action"]`` says what would have been legal.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012 - Gymnasium reads it from the class

    def __init__(
        self,
        game: str,
        opponents: Opponents = "random",
        seat: int | str = "random",
        encoding: str = "full",
        render_mode: str | None = None,
        perspective: int | str = LEARNER,
        **options: Any,
    ) -> None:
        self._table = LearnerGames(game, 1, opponents, seat, encoding=encoding, **options)
        self._bind()
        self._begin_rendering(render_mode, perspective, (LEARNER, OPEN))
        self.observation_space = spaces.Box(-1.0, 1.0, (self._games.observation_size,), np.float32)
        self.action_space = spaces.Discrete(len(self._games.action_names))

    def _bind(self) -> None:
        """Views of the game's arrays: they save a look-up a step, and are made anew in a copy."""
        self._games = self._table.games
        self._mask = self._games._mask[0]
        self._learners = self._games._learners
        self._ends = self._games._ends

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()
        self._watch()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal an episode; ``options``: ``shuffles`` and ``dealer`` (`BatchGame.reset`)."""
        super().reset(seed=seed)
        self._table.reset(seed=seed, options=options)
        return self._table.observations[0].copy(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out the learner's action, and play on until it is asked again or the episode is over."""
        if self._ends[0]:
            raise IllegalActionError(self._games.explain_illegal(action))
        chosen = as_action(action)
        if chosen is None or not 0 <= chosen < len(self._mask):
            raise IllegalActionError(self._games.explain_illegal(action))
        offence = self._games.explain_illegal(chosen) if not self._mask[chosen] else None
        reward = self._table.step_one(chosen)
        if offence is not None:
            self._show()
        end = int(self._ends[0])
        info = self._info() if offence is None else self._info() | {"illegal_action": offence}
        return self._table.observations[0].copy(), reward, end == TERMINATED, end == TRUNCATED, info

    def action_masks(self) -> Any:
        """bool (A,): the learner's legal actions."""
        return self._mask.copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.astype(np.int8)}

    def _viewer(self) -> int | None:
        return int(self._learners[0]) if self.perspective == LEARNER else super()._viewer()
