"""N games with one learner each: what the single and the vector environment share."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cardenvs.core.errors import OptionError
from cardenvs.core.state import NOBODY
from cardenvs.engine import kernels
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import Opponents, seat_learner

MOST_DEALS = 1000


class LearnerGames:
    """Games in which everybody but the learner is played inside `reset` and `step`.

    Parameters
    ----------
    opponents, seat
        See `cardenvs.engine.seating.seat_learner`. A callable gets the observations, float32 (n, D), and action masks,
        bool (n, A), of all opponents that are asked at the moment and returns their actions, int (n,).
    **options
        Of `BatchGame`.
    """

    def __init__(
        self, game: str, num_games: int, opponents: Opponents, seat: int | str, seed: int | None = None, **options: Any
    ) -> None:
        self.games = BatchGame(
            game,
            num_games,
            seed=seed,
            seating=lambda rules, players: seat_learner(rules, players, opponents, seat),
            **options,
        )
        self._others: Callable[..., Any] | None = opponents if callable(opponents) else None
        self.observations = np.zeros((num_games, self.games.observation_size), np.float32)
        self.rewards = np.zeros(num_games, np.float32)
        self._rows = np.arange(num_games)

    def reset(self, where: Any = None, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal in the rows of `where`, or in all, and play on to the learner.

        What ends before the learner is asked is no episode for it, and is dealt anew.
        """
        self.games.reset(where, seed=seed, options=options, observations=self.observations)
        self._collect()
        for _ in range(MOST_DEALS):
            if not (over := self.over if where is None else self.over & where).any():
                return
            self.games.reset(over, observations=self.observations)
            self._collect()
        raise OptionError(
            f"{MOST_DEALS} episodes ended before the learner was asked: raise max_decisions or choose seat='random'."
        )

    def step(self, actions: Any) -> None:
        """Carry out the learners' actions and play on to them again; rewards on the way are summed."""
        self.games.step(actions, self.observations)
        self._collect()

    def step_one(self, action: int) -> None:
        """`step` for a single game, by an action that is known to be legal."""
        self.games.step_one(action, self.observations)
        self._collect()

    def _collect(self) -> None:
        games = self.games
        if len(games) == 1:
            self.rewards = games._rewards[0, games._learners]
        else:
            self.rewards = games._rewards[self._rows, games._learners]
        if self._others is None:
            return
        while (asked := (games._actors != NOBODY) & (games._actors != games._learners)).any():
            actions = np.zeros(len(games), np.int64)
            actions[asked] = self._others(games.observe()[asked], games._mask[asked])
            games.step_where(asked, actions, self.observations)
            self.rewards = self.rewards + games._rewards[self._rows, games._learners]

    @property
    def mask(self) -> Any:
        """bool (N, A): the learners' legal actions; none where the episode is over. Not a copy."""
        return self.games._mask

    @property
    def terminated(self) -> Any:
        return self.games.terminated

    @property
    def truncated(self) -> Any:
        return self.games.truncated

    @property
    def over(self) -> Any:
        return self.games._ends != kernels.RUNNING
