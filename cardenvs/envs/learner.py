"""N games with one learner each: what the single and the vector environment share."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cardenvs.baselines import name_opponents
from cardenvs.core.errors import IllegalActionError, OptionError
from cardenvs.core.game import Game
from cardenvs.core.rng import OUTSIDERS, chances
from cardenvs.core.state import NOBODY
from cardenvs.engine import kernels
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import Opponents, Seating, seat_learner

MOST_DEALS = 1000


class LearnerGames:
    """Games in which everybody but the learner is played inside `reset` and `step`.

    Parameters
    ----------
    opponents, seat
        See `cardenvs.engine.seating.seat_learner`; ``"baseline"`` is the trained network of `cardenvs.baselines`. A
        callable gets the observations, float32 (n, D), and action masks, bool (n, A), of all opponents that it plays
        and that are asked at the moment, and returns their actions, int (n,). It may have an ``encoding`` of its own.
    **options
        Of `BatchGame`.
    """

    def __init__(
        self, game: str, num_games: int, opponents: Opponents, seat: int | str, seed: int | None = None, **options: Any
    ) -> None:
        self._options, self._seat, self._is_stale = options, seat, False
        self.games = BatchGame(
            game,
            num_games,
            seed=seed,
            seating=lambda rules, players: self._seating(rules, players, opponents),
            **options,
        )
        self.observations = np.zeros((num_games, self.games.observation_size), np.float32)
        self.rewards = np.zeros(num_games, np.float32)
        self._rows = np.arange(num_games)
        self._nowhere = np.zeros(num_games, np.bool_)

    def reset(self, where: Any = None, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal in the rows of `where`, or in all, and play on to the learner.

        What ends before the learner is asked is no episode for it, and is dealt anew.
        """
        if where is not None:
            self._refuse_stale()
        self._is_stale = False
        self.games.reset(where, seed=seed, options=options, observations=self.observations)
        self._collect()
        self._deal_until_asked(where)

    def _deal_until_asked(self, where: Any) -> None:
        """Deal anew what ended before the learner was asked, in the rows of `where`, or in all."""
        for _ in range(MOST_DEALS):
            if not self.games._ends.any() or not (over := self.over if where is None else self.over & where).any():
                return
            self.games.reset(over, observations=self.observations)
            self._collect()
        raise OptionError(
            f"{MOST_DEALS} episodes ended before the learner was asked: raise max_decisions or choose seat='random'."
        )

    def step(self, actions: Any, autoreset: bool = False) -> Any:
        """Carry out the learners' actions, int (N,), and play on to them again; rewards on the way are summed.

        A learner whose action is not legal loses at once, as by PettingZoo's convention: its reward is −1 and its
        episode over. Returns bool (N,): where that was so. Rows that are over stay, or, with `autoreset`, are dealt
        anew, with rewards of 0.

        Raises
        ------
        IllegalActionError
            If an action is no action of the game at all; nothing has changed.
        """
        self._refuse_stale()
        chosen = self._require_actions(actions)
        was_over, offences = self.over, self._nowhere
        if self.games._first_illegal(chosen) < 0:
            self.games.step(chosen, self.observations, autoreset=autoreset)
            self._collect()
        else:
            offences = ~self.mask[self._rows, chosen] & ~was_over
            self.games.step_where(~offences & ~was_over, chosen, self.observations)
            self._collect()
            self._punish(offences)
        if was_over.any():
            rewards = np.where(was_over, np.float32(0), self.rewards)
            if autoreset and offences is not self._nowhere:
                self.reset(was_over)
            elif autoreset:
                self._deal_until_asked(was_over)
            self.rewards = rewards
        return offences

    def _require_actions(self, actions: Any) -> Any:
        """int64 (N,), where rows that are over may have any action of the game."""
        chosen, most = np.asarray(actions), self.mask.shape[1] - 1
        shape = (len(self.games),)
        if chosen.dtype.kind not in "iu" or chosen.shape != shape or chosen.min() < 0 or chosen.max() > most:
            raise IllegalActionError(f"actions must be int {shape} from 0 to {most}, and are {chosen!r}.")
        return np.ascontiguousarray(chosen, np.int64)

    def step_one(self, action: int) -> float:
        """`step` for a single game, by an action of the action space: the learner's reward."""
        games = self.games
        if not games._mask[0, action]:
            self.rewards = np.zeros(1, np.float32)
            self._punish(np.ones(1, np.bool_))
        else:
            games.step_one(action, self.observations)
            if not games._seating.outsiders:
                return float(games._rewards[0, games._learners[0]])
            self._collect()
        return float(self.rewards[0])

    def _punish(self, offences: Any) -> None:
        self.games.forfeit(offences)
        self.rewards = np.where(offences, np.float32(-1.0), self.rewards)
        self.observations[offences] = self.games.observe(np.maximum(self.games.learner, 0))[offences]

    def _collect(self) -> None:
        games = self.games
        self.rewards = games._rewards[self._rows, games._learners]
        outsiders = games._seating.outsiders
        if not outsiders:
            return
        while (asked := (games._actors != NOBODY) & (games._actors != games._learners)).any():
            rows = np.flatnonzero(asked)
            who = self._who_plays(rows)
            actions = np.zeros(len(games), np.int64)
            for number in np.unique(who):
                mine = rows[who == number]
                actions[mine] = self._answers(outsiders[number], mine)
            games.step_where(asked, actions, self.observations)
            self.rewards = self.rewards + np.where(asked, games._rewards[self._rows, games._learners], np.float32(0))

    def _who_plays(self, rows: Any) -> Any:
        """int (n,): the number of the callable that is asked in each of these games, the same throughout an episode."""
        games = self.games
        if len(games._seating.outsiders) == 1:
            return np.zeros(len(rows), np.int64)
        seats = games._actors[rows]
        places = (seats - games._learners[rows]) % games.num_players
        lots = games._seating.outsider_lots[places]
        drawn = chances(games._states["key"][rows], seats + OUTSIDERS)
        return np.minimum((drawn[:, None] >= lots).sum(axis=1), lots.shape[1] - 1)

    def _answers(self, opponent: Callable[..., Any], rows: Any) -> Any:
        """What a callable answers for whoever is asked in these games, refused if it is no array of actions."""
        observations = self.games.observe_asked(rows, getattr(opponent, "encoding", None))
        answers = np.asarray(opponent(observations, self.games._mask[rows]))
        if answers.shape != (len(rows),) or answers.dtype.kind not in "iu":
            raise IllegalActionError(
                f"opponents answered {answers.dtype} {answers.shape}: their actions must be int ({len(rows)},)."
            )
        return answers

    def set_opponents(self, opponents: Opponents) -> None:
        """Others, from the next `reset` on, which must come next and be of all games."""
        self._is_stale = True
        games = self.games
        games._seating = self._seating(games.game, games.num_players, opponents)
        games._one_call = None

    def _refuse_stale(self) -> None:
        if self._is_stale:
            raise OptionError("the opponents have been changed: reset all games first.")

    def _seating(self, rules: Game, players: int, opponents: Opponents) -> Seating:
        return seat_learner(rules, players, name_opponents(opponents, rules, players, self._options), self._seat)

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
