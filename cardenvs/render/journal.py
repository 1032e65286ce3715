"""What happens in a single game, decision by decision, also those of seats that are played inside a step."""

from collections import deque
from typing import Any, NamedTuple

from cardenvs.core.game import Game
from cardenvs.core.portrayal import HIDDEN, Event
from cardenvs.engine.batch import BatchGame

STEPS_KEPT = 40  # with their snapshots, for the lines of what has happened


class Step(NamedTuple):
    """A decision, or the deal (then `before` and `action` are None)."""

    before: dict[str, Any] | None
    action: str | None
    after: dict[str, Any]


class Journal:
    """Watches a game from its next deal on (`BatchGame.watch`), or from now on if no decision has been taken yet.

    ``missed`` decisions of this episode were taken before. ``key``, ``dealer`` and ``stack`` of shuffles are those of
    the deal, ``actions`` all since, ``steps`` the newest; ``remarks`` are what somebody had to say of a decision, by
    its number from 0: plain data for a replay.
    """

    def __init__(self, games: BatchGame) -> None:
        self.games = games
        self._begin(games)
        games.watch(self.note)

    def _begin(self, games: BatchGame) -> None:
        self.key = games._states["key"][0]
        self.stack = list(games._stacks.get(0, ()))
        self.actions: list[int] = []
        self.remarks: dict[int, dict[str, Any]] = {}
        self.position = games.snapshot()
        self.missed = int(self.position["decisions"])
        self.dealer = int(self.position["dealer"])
        self.steps: deque[Step] = deque([Step(None, None, self.position)], STEPS_KEPT)

    def note(self, games: BatchGame, action: int | None) -> None:
        """A deal or a decision; the watcher of the game."""
        if action is None:
            self._begin(games)
            return
        before, self.position = self.position, games.snapshot()
        self.actions.append(action)
        self.steps.append(Step(before, games.action_name(action), self.position))

    def remark(self, **what: Any) -> None:
        """Say something of the decision that comes next, such as ``probabilities`` and ``value``."""
        self.remarks.setdefault(len(self.actions), {}).update(what)

    def events(self, seat: int | None, most: int | None = None) -> list[Event]:
        """The newest lines of what has happened, oldest first, as `seat` sees it; None sees all."""
        told: list[Event] = []
        for step in reversed(self.steps):
            told[:0] = tell_step(self.games.game, step, seat)
            if most is not None and len(told) >= most:
                return told[-most:]
        return told

    def since(self, decisions: int, seat: int | None) -> list[Event]:
        """The lines since so many decisions, −1 for those of the deal as well, as `seat` sees them."""
        newest = list(self.steps)[-(len(self.actions) - decisions) :] if len(self.actions) > decisions else []
        return [event for step in newest for event in tell_step(self.games.game, step, seat)]


def tell_step(game: Game, step: Step, seat: int | None) -> list[Event]:
    """What happened in a step, as `seat` sees it."""
    portrayal = game.portrayal
    if seat is None:
        return portrayal.tell(*step)
    after = portrayal.hide(step.after, seat)
    if step.before is None:
        return portrayal.tell(None, None, after)
    action = HIDDEN if portrayal.is_secret(step.before, seat) else step.action
    return portrayal.tell(portrayal.hide(step.before, seat), action, after)
