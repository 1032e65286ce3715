"""What the environments of a single game share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from cardenvs.core.errors import choose, require_int
from cardenvs.engine.batch import BatchGame
from cardenvs.games import VERSIONS
from cardenvs.render import load
from cardenvs.render.journal import Journal
from cardenvs.render.views import view_of

RENDER_MODES = ("ansi", "rgb_array", "human")
FRAMES_A_SECOND = 2
OPEN, LEARNER = "open", "learner"  # perspectives beside the seats
EVENTS_SHOWN = {"ansi": 8, "rgb_array": 40, "human": 40}  # at most; a picture shows as many as it has room for


def check_render_mode(render_mode: str | None, modes: Sequence[str] = RENDER_MODES) -> str | None:
    """`render_mode` if it is one of these, or None; else an `OptionError`."""
    return None if render_mode is None else choose("render_mode", render_mode, modes)


def check_perspective(perspective: int | str, named: Sequence[str], num_players: int) -> int | str:
    """`perspective` if it is a seat or one of these, else an `OptionError`."""
    if isinstance(perspective, str):
        return choose("perspective", perspective, [*named, *map(str, range(num_players))])
    return require_int("perspective", perspective, 0, num_players - 1)


def draw_view(games: BatchGame, view: dict[str, Any], render_mode: str) -> Any:
    """A view as text in mode ``"ansi"``, else as uint8 (height, width, 3)."""
    return (
        load("text").to_ansi(games.game, view) if render_mode == "ansi" else load("picture").to_array(games.game, view)
    )


class OneGame:
    """Names, snapshot and rendering of the game in `_games`."""

    _games: BatchGame
    render_mode: str | None
    _journal: Journal | None = None
    _window: Any = None

    def snapshot(self) -> dict[str, Any]:
        """The whole position, hidden cards included (`BatchGame.snapshot`)."""
        return self._games.snapshot()

    def action_name(self, action: int) -> str:
        """What an action is called (`BatchGame.action_name`)."""
        return self._games.action_name(action)

    def action_index(self, name: str) -> int:
        """Which action is called so (`BatchGame.action_index`)."""
        return self._games.action_index(name)

    def journal(self) -> Journal:
        """What happens from the next reset on, for replays (`cardenvs.replay.save`); it costs a snapshot a decision."""
        if self._journal is None:
            self._journal = Journal(self._games)
        return self._journal

    def render(self, seat: int | None = None) -> Any:
        """The table as `seat` sees it, by default as the environment's `perspective` says, and what has happened.

        Text in mode ``"ansi"``; uint8 (800, 1280, 3) in mode ``"rgb_array"``; None in mode ``"human"``, which shows the
        picture in a window, after every decision by itself.

        Raises
        ------
        OptionError
            If there is no such seat.
        gymnasium.error.DependencyNotInstalled
            If what it draws with is not installed.
        """
        if self.render_mode is None:
            return None
        viewer = self._viewer() if seat is None else require_int("seat", seat, 0, self._games.num_players - 1)
        events = self._journal.events(viewer, EVENTS_SHOWN[self.render_mode]) if self._journal else []
        view = view_of(self._games.game, self._games.snapshot(), viewer, events)
        if self.render_mode != "human":
            return draw_view(self._games, view, self.render_mode)
        if self._window is None:
            self._window = load("picture").Window(self._games.game.title)
        self._window.show(load("picture").draw(self._games.game, view), FRAMES_A_SECOND)
        return None

    def _begin_rendering(self, render_mode: str | None, perspective: int | str, named: Sequence[str]) -> None:
        """Keep a journal if there is something to render."""
        self.render_mode = check_render_mode(render_mode)
        self.perspective = check_perspective(perspective, named, self._games.num_players)
        if self.render_mode is not None:
            self.journal()
        self._watch()

    def _watch(self) -> None:
        """Follow every decision; a copy does so anew."""
        if self._journal is not None:
            self._games.watch(self._note)

    def _note(self, games: BatchGame, action: int | None) -> None:
        if self._journal is not None:
            self._journal.note(games, action)
            self._show()

    def _viewer(self) -> int | None:
        """The seat whose view is rendered; None for the open table."""
        return None if self.perspective == OPEN else int(self.perspective)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


class EverySeat(OneGame):
    """What PettingZoo's interfaces share: every seat an agent, and nothing but the game that needs closing."""

    metadata: dict[str, Any]

    def _open(
        self, game: str, encoding: str, render_mode: str | None, perspective: int | str, options: dict[str, Any]
    ) -> None:
        """Make the game, with its agents and their spaces."""
        self._games = BatchGame(game, 1, encoding=encoding, **options)
        self._begin_rendering(render_mode, perspective, (OPEN,))
        self.metadata = {
            "name": f"{game}_v{VERSIONS[game]}",
            "render_modes": list(RENDER_MODES),
            "render_fps": FRAMES_A_SECOND,
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
        """``Dict(observation=Box(-1, 1, (D,), float32), action_mask=Box(0, 1, (A,), int8))``, one object an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """``Discrete(A)``, one object an agent."""
        return self.action_spaces[agent]

    def state(self) -> Any:
        """float32 (P·D,): the observations of all seats, one after the other."""
        return np.concatenate([self._games.observe_one(seat) for seat in range(self._games.num_players)])


def as_action(action: object) -> int | None:
    """An action as int: of a Python or NumPy integer, or an array of one; None if it is neither."""
    if type(action) is int:
        return action
    if isinstance(action, np.integer):
        return int(action)
    if isinstance(action, np.ndarray) and action.size == 1 and action.dtype.kind in "iu":
        return int(action.item())
    return None
