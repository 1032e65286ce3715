"""PettingZoo's parallel interface, for games in which all seats act at once."""

from typing import Any

import numpy as np
from pettingzoo import ParallelEnv

from cardenvs.core.errors import IllegalActionError, OptionError, choose
from cardenvs.envs.one_game import OPEN, EverySeat, as_action
from cardenvs.games import SIMULTANEOUS, VERSIONS


class CardParallelEnv(EverySeat, ParallelEnv):
    """Agents ``player_0`` … ``player_{P−1}``, in the order of seats, who all act in every step.

    Observations are ``{"observation": float32 (D,), "action_mask": int8 (A,)}``, as of `CardAECEnv`, but every agent is
    asked, so that every agent has its mask until the end. Actions are carried out in the order of seats; none is shown
    to anybody before all are made.

    Parameters
    ----------
    game
        Its name.
    encoding
        ``"full"`` or ``"compact"``.
    render_mode
        ``"ansi"`` for text, ``"rgb_array"`` for pictures, ``"human"`` for a window (`OneGame.render`).
    perspective
        Whose eyes `render` sees with: ``"open"`` for all cards, or a seat.
    **options
        Of the game.

    Raises
    ------
    OptionError
        At construction, for anything that the game cannot take, or if its seats take turns.
    IllegalActionError
        From `step`; nothing has changed.
    """

    def __init__(
        self,
        game: str,
        encoding: str = "full",
        render_mode: str | None = None,
        perspective: int | str = OPEN,
        **options: Any,
    ) -> None:
        if choose("game", game, VERSIONS) not in SIMULTANEOUS:
            raise OptionError(f"{game} has no parallel environment: its seats take turns; use the turn-based one.")
        self._open(game, encoding, render_mode, perspective, options)
        self.agents: list[str] = []

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._watch()

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal an episode; ``options``: ``shuffles`` and ``dealer`` (`BatchGame.reset`)."""
        self._games.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Carry out an action of every agent."""
        rewards = np.zeros(len(self.possible_agents))
        for action in self._checked(actions):
            if self._games._actors[0] >= 0:  # the cap can cut the game off between two actions
                self._games.step_one(action)
                rewards += self._games._rewards[0]
        agents, over = self.agents, bool(self._games._actors[0] < 0)
        terminated, truncated = (bool(end[0]) for end in (self._games.terminated, self._games.truncated))
        observations = self._observations()
        if over:
            self.agents = []
        return (
            observations,
            dict(zip(agents, rewards.tolist(), strict=True)),
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            {agent: {} for agent in agents},
        )

    def _checked(self, actions: dict[str, Any]) -> list[int]:
        """The actions in the order of seats."""
        if set(actions) != set(self.agents) or not self.agents:
            raise IllegalActionError(f"actions are of {sorted(actions)}: they must be of {self.agents}.")
        chosen = [as_action(actions[agent]) for agent in self.agents]
        mask = self._games._mask[0]
        for agent, action in zip(self.agents, chosen, strict=True):
            if action is None or not 0 <= action < len(mask) or not mask[action]:
                raise IllegalActionError(f"{agent}: {self._games.explain_illegal(actions[agent])}")
        return [action for action in chosen if action is not None]

    def _observations(self) -> dict[str, Any]:
        mask = self._games._mask[0].astype(np.int8)
        return {
            agent: {"observation": self._games.observe_one(seat), "action_mask": mask.copy()}
            for seat, agent in enumerate(self.agents)
        }


def make(game: str, **kwargs: Any) -> CardParallelEnv:
    """The parallel environment of a game (entry point of PettingZoo's registry)."""
    return CardParallelEnv(game, **kwargs)
