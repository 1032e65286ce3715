"""What the environments of a single game share."""

from typing import Any

import numpy as np
from gymnasium import spaces

from cardenvs.core.errors import choose
from cardenvs.engine.batch import BatchGame
from cardenvs.games import VERSIONS
from cardenvs.render.text import render_table

RENDER_MODES = ("ansi", "human")


def check_render_mode(render_mode: str | None) -> str | None:
    """`render_mode` if it is one, else an `OptionError`."""
    return None if render_mode is None else choose("render_mode", render_mode, RENDER_MODES)


class OneGame:
    """Names, snapshot and rendering of the game in `_games`."""

    _games: BatchGame
    render_mode: str | None

    def snapshot(self) -> dict[str, Any]:
        """The whole position, hidden cards included (`BatchGame.snapshot`)."""
        return self._games.snapshot()

    def action_name(self, action: int) -> str:
        return self._games.action_name(action)

    def action_index(self, name: str) -> int:
        return self._games.action_index(name)

    def render(self) -> Any:
        """The table as text, as `_viewer` sees it; None in mode ``"human"``, which prints it."""
        if self.render_mode is None:
            return None
        text = render_table(self._games, self._viewer())
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _viewer(self) -> int | None:
        """The seat whose view is rendered; None for the open table."""
        return None

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class EverySeat(OneGame):
    """What PettingZoo's interfaces share: every seat an agent, and nothing but the game that needs closing."""

    metadata: dict[str, Any]

    def _open(self, game: str, encoding: str, render_mode: str | None, options: dict[str, Any]) -> None:
        """Make the game, with its agents and their spaces."""
        self.render_mode = check_render_mode(render_mode)
        self._games = BatchGame(game, 1, encoding=encoding, **options)
        self.metadata = {
            "name": f"{game}_v{VERSIONS[game]}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
        }
        size, num_actions = self._games.observation_size, len(self._games.action_names)
        self.possible_agents = [f"player_{seat}" for seat in range(self._games.num_players)]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def state(self) -> Any:
        """float32 (P·D,): the observations of all seats, one after the other."""
        return np.concatenate([self._games.observe_one(seat) for seat in range(self._games.num_players)])

    def close(self) -> None:
        """Nothing is held that needs closing."""


def as_action(action: object) -> int | None:
    """An action as int: of a Python or NumPy integer, or an array of one; None if it is neither."""
    if type(action) is int:
        return action
    if isinstance(action, np.integer):
        return int(action)
    if isinstance(action, np.ndarray) and action.size == 1 and action.dtype.kind in "iu":
        return int(action.item())
    return None
