"""Duplicate deals: the same shuffles, played with the agent in every seat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent, AgentError
from agents.seats import choose_actions, thoughts
from cardenvs import BatchGame, games, replay
from cardenvs.core.errors import OptionError
from cardenvs.core.rng import seed_keys
from cardenvs.engine.seating import scripted_table
from cardenvs.render.journal import Journal
from training.statistics import Estimate, clustered_mean

NOTHING = 1e-12  # as a variance
Advance = Callable[[float], object]


def ignore(more: float) -> None:
    """Nobody watches how far it is."""


@dataclass(frozen=True)
class Result:
    """How an agent did against a table of opponents.

    `win_rate` is the share of games won (a shared win counts in part), to be held against `fair_share` 1/P; `payoff`
    the mean ``reward="win"``; `points` what the agent scored above the mean of its table, or below it where points are
    penalties. Intervals are 95%, clustered by deal. `gain` says how many times as many independent games would be
    needed for such an interval of the win rate.
    """

    agent: str
    opponents: list[str]
    deals: int
    games: int
    seed: int
    fair_share: float
    win_rate: Estimate
    payoff: Estimate
    points: Estimate
    truncated: int
    gain: float | None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Result":
        """What `as_dict` has made of one; what else is there is left aside."""
        own = {name: data[name] for name in cls.__dataclass_fields__}
        return cls(**own | {name: Estimate(**own[name]) for name in ("win_rate", "payoff", "points")})

    def as_dict(self) -> dict[str, Any]:
        estimates = {name: getattr(self, name).as_dict() for name in ("win_rate", "payoff", "points")}
        return self.__dict__ | estimates


def play_duplicates(
    game: str,
    num_players: int,
    agent: Agent,
    opponents: Sequence[Agent],
    deals: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    num_threads: int = 1,
    advance: Advance = ignore,
) -> Result:
    """Play `deals` deals with `agent` in every seat and `opponents` clockwise from it, in held-out games.

    `advance` is told how many games more are over (`training.cli.progress`).

    Shuffle n of an episode starts from the same random numbers in all games of a deal, and so do dealer and scripted
    players, however differently they go. No game that was seeded for training is among them (`cardenvs.core.rng`).
    """
    check_table(num_players, len(opponents), deals)
    keys = seed_keys(seed, deals, held_out=True)
    seats = [
        play_seat(game, agent, opponents, seat, keys, options or {}, num_threads, advance)
        for seat in range(num_players)
    ]
    return summarise([agent.name, *(opponent.name for opponent in opponents)], seed, seats)


def check_table(num_players: int, opponents: int, deals: int) -> None:
    """Refuse a table that is not full, and too few deals for an interval."""
    if opponents != num_players - 1:
        raise AgentError(
            f"there are {opponents} opponents: with {num_players} players there must be {num_players - 1}."
        )
    if deals < 2:
        raise OptionError(f"deals is {deals}: an interval needs at least 2.")


@dataclass(frozen=True)
class Seat:
    """What an agent came to in one seat: float64 (deals,), and bool (deals,) which games were cut off."""

    wins: Any
    payoffs: Any
    points: Any
    truncated: Any


def play_seat(
    game: str,
    agent: Agent,
    opponents: Sequence[Agent],
    seat: int,
    keys: Any,
    options: Mapping[str, Any],
    num_threads: int = 1,
    advance: Advance = ignore,
) -> Seat:
    """Play the deals of these keys with `agent` in one seat and `opponents` clockwise from it.

    Which deals are played at once makes no difference to any of them.
    """
    players = [agent, *opponents]
    table = play_games(
        game, players[-seat:] + players[:-seat] if seat else players, keys, options, num_threads, advance
    )
    won = table.winners
    winners = won.sum(axis=1)
    losers = np.maximum(len(players) - winners, 1)
    decided = (winners > 0) & (winners < len(players))
    share = won[:, seat] / np.maximum(winners, 1)
    payoffs = np.where(decided, np.where(won[:, seat], share, -1.0 / losers), 0.0)
    sign = -1 if games.get(game).penalty_points else 1
    return Seat(share, payoffs, sign * (table.scores[:, seat] - table.scores.mean(axis=1)), table.truncated)


def summarise(names: Sequence[str], seed: int, seats: Sequence[Seat]) -> Result:
    """The result of all seats, `names` being those of the agent and its opponents."""
    wins, payoffs, points = (
        np.stack([getattr(s, what) for s in seats], axis=1) for what in ("wins", "payoffs", "points")
    )
    return Result(
        agent=names[0],
        opponents=list(names[1:]),
        deals=len(wins),
        games=wins.size,
        seed=seed,
        fair_share=1.0 / len(names),
        win_rate=clustered_mean(wins),
        payoff=clustered_mean(payoffs),
        points=clustered_mean(points),
        truncated=sum(int(seat.truncated.sum()) for seat in seats),
        gain=variance_gain(wins),
    )


def variance_gain(values: Any) -> float | None:
    """Of float (clusters, members): the variance of its mean if all were independent, over that which it has.

    None where clusters do not differ.
    """
    clustered = values.mean(axis=1).var() / len(values)
    return float(values.var() / values.size / clustered) if clustered > NOTHING else None


def play_games(
    game: str,
    players: Sequence[Agent],
    keys: Any,
    options: Mapping[str, Any],
    num_threads: int,
    advance: Advance = ignore,
) -> BatchGame:
    """Play one game a key to its end, `players` by seat."""
    table = deal_table(game, players, keys, options, num_threads)
    left = len(keys)
    while running := int((table.actor >= 0).sum()):
        advance(left - running)
        left = running
        table.step(choose_actions(table, players))
    advance(left)
    return table


def deal_table(
    game: str, players: Sequence[Agent], keys: Any, options: Mapping[str, Any], num_threads: int = 1
) -> BatchGame:
    """One game a key, in which scripted players, of `players` by seat, are played inside a step."""
    return BatchGame(
        game,
        len(keys),
        seed=keys,
        num_players=len(players),
        num_threads=num_threads,
        seating=lambda rules, _: scripted_table(rules, [player.scripted for player in players]),
        **options,
    )


def record_game(
    path: Path, game: str, players: Sequence[Agent], key: Any, options: Mapping[str, Any] | None = None
) -> Path:
    """Play the game of a key as `play_games` does, and keep it as a replay, with what its agents thought."""
    keys = np.array([key], np.uint64)
    table = deal_table(game, players, keys, options or {})
    journal = Journal(table)
    table.reset(seed=keys)
    while table.actor[0] >= 0:
        journal.remark(**thoughts(table, players[int(table.actor[0])]))
        table.step(choose_actions(table, players))
    return replay.save(path, journal, [player.name for player in players])
