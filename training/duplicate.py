"""Duplicate deals: the same shuffles, played with the agent in every seat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents import Agent, AgentError
from agents.seats import choose_actions
from cardenvs import BatchGame, games
from cardenvs.core.errors import OptionError
from cardenvs.core.rng import seed_keys
from cardenvs.engine.seating import scripted_table
from training.statistics import Estimate, clustered_mean

NOTHING = 1e-12  # as a variance


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
) -> Result:
    """Play `deals` deals with `agent` in every seat and `opponents` clockwise from it, in held-out games.

    Shuffle n of an episode starts from the same random numbers in all games of a deal, and so do dealer and scripted
    players, however differently they go. No game that was seeded for training is among them (`cardenvs.core.rng`).
    """
    if len(opponents) != num_players - 1:
        raise AgentError(
            f"there are {len(opponents)} opponents: with {num_players} players there must be {num_players - 1}."
        )
    if deals < 2:
        raise OptionError(f"deals is {deals}: an interval needs at least 2.")
    keys = seed_keys(seed, deals, held_out=True)
    wins, payoffs, points = (np.zeros((deals, num_players)) for _ in range(3))
    truncated, sign = 0, -1 if games.get(game).penalty_points else 1
    for seat in range(num_players):
        players = [agent, *opponents]
        players = players[-seat:] + players[:-seat] if seat else players
        games_of_seat = play_games(game, players, keys, options or {}, num_threads)
        won = games_of_seat.winners
        winners = won.sum(axis=1)
        losers = np.maximum(num_players - winners, 1)
        decided = (winners > 0) & (winners < num_players)
        share = won[:, seat] / np.maximum(winners, 1)
        wins[:, seat] = share
        payoffs[:, seat] = np.where(decided, np.where(won[:, seat], share, -1.0 / losers), 0.0)
        points[:, seat] = sign * (games_of_seat.scores[:, seat] - games_of_seat.scores.mean(axis=1))
        truncated += int(games_of_seat.truncated.sum())
    return Result(
        agent=agent.name,
        opponents=[opponent.name for opponent in opponents],
        deals=deals,
        games=deals * num_players,
        seed=seed,
        fair_share=1.0 / num_players,
        win_rate=clustered_mean(wins),
        payoff=clustered_mean(payoffs),
        points=clustered_mean(points),
        truncated=truncated,
        gain=variance_gain(wins),
    )


def variance_gain(values: Any) -> float | None:
    """Of float (clusters, members): the variance of its mean if all were independent, over that which it has.

    None where clusters do not differ.
    """
    clustered = values.mean(axis=1).var() / len(values)
    return float(values.var() / values.size / clustered) if clustered > NOTHING else None


def play_games(
    game: str, players: Sequence[Agent], keys: Any, options: Mapping[str, Any], num_threads: int
) -> BatchGame:
    """Play one game a key to its end, `players` by seat."""
    table = BatchGame(
        game,
        len(keys),
        seed=keys,
        num_players=len(players),
        num_threads=num_threads,
        seating=lambda rules, _: scripted_table(rules, [player.scripted for player in players]),
        **options,
    )
    while (table.actor >= 0).any():
        table.step(choose_actions(table, players))
    return table
