"""Every agent against tables of every other: `python -m training.tournament 'agents=[random,greedy,expert]'`.

A pairing is one agent against P−1 copies of another on duplicate deals of its own, so there are n·(n−1) of them, or
half as many with two players, where the same games tell of both. Ratings are on Elo's scale: the agent's chance to win
such a table is s/(s + (P−1)·s'), with strengths s = 10^(rating/400), fitted by maximum likelihood. Where agents beat
each other in a circle no rating can say so; α-rank (Omidshafiei et al., 2019) does. What was played is kept after every
pairing: a tournament that is stopped goes on there.
"""

from collections.abc import Sequence
from contextlib import closing
from itertools import combinations, permutations
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table

from cardenvs.core.errors import OptionError
from training.cli import as_list, command, game_options, make_console, progress, write_json
from training.duplicate import Result
from training.evaluate import percent
from training.matches import Match, play_kept
from training.plots import plot_matrix
from training.statistics import Estimate
from training.trackers import open_tracker

ELO = 400 / np.log(10)
REDRAWN = 1000  # times that all win rates are drawn anew, for the intervals of ratings
POPULATION, SELECTION = 50, 20.0  # of α-rank: how many evolve, and how strongly payoffs, from −1 to 1, select
WITHIN = 1e-4  # no win rate is taken for more certain than this, or a rating would be infinite


def play_pairings(config: DictConfig, path: Path, console: Console) -> list[dict[str, Any]]:
    """A result for each ordered pair; those that `path` holds already are not played again."""
    names = as_list(config.agents)
    if len(names) < 2 or len(set(names)) < len(names):
        raise OptionError(f"agents are {names}: there must be at least two, all different.")
    game, players = config.game.name, config.game.num_players
    options = game_options(config)
    pairs = list(combinations(names, 2) if players == 2 else permutations(names, 2))
    matches = [
        Match(
            game, players, name, (other,) * (players - 1), config.deals, pairing_seed(config.seed, name, other), options
        )
        for name, other in pairs
    ]
    asked = [
        {"name": name, "other": other, "deals": match.deals, "seed": match.seed}
        | {"game": game, "players": players, "options": options}
        for (name, other), match in zip(pairs, matches, strict=True)
    ]
    with progress(console, sum(match.games for match in matches), "games") as advance:
        return play_kept(path, asked, matches, rate_and_payoff, config.cluster, config.num_threads, advance)


def rate_and_payoff(result: Result) -> dict[str, Any]:
    return {"win_rate": result.win_rate.as_dict(), "payoff": result.payoff.as_dict()}


def pairing_seed(seed: int, name: str, other: str) -> int:
    """Deals of its own for each pairing, whoever else takes part: else their errors would not be independent."""
    return int(np.random.SeedSequence([seed, crc32(f"{name} {other}".encode())]).generate_state(1)[0])


def win_rates(names: Sequence[str], pairings: Sequence[dict[str, Any]]) -> tuple[Any, Any]:
    """float64 (n, n), by agent and by those that it played: win rates, and their standard errors; nan where none is."""
    rates, errors = np.full((2, len(names), len(names)), np.nan)
    for pairing in pairings:
        i, j, rate = names.index(pairing["name"]), names.index(pairing["other"]), pairing["win_rate"]
        rates[i, j] = rate["mean"]
        errors[i, j] = (rate["high"] - rate["low"]) / (2 * 1.96)
    return rates, errors


def fit_ratings(rates: Any, num_players: int) -> Any:
    """float64 (n,): the ratings that make these win rates most likely; the first is 0. Newton's method."""
    n = len(rates)
    pairs = np.argwhere(~np.isnan(rates) & ~np.eye(n, dtype=np.bool_))
    design = np.zeros((len(pairs), n))
    for row, (a, b) in enumerate(pairs):
        design[row, a], design[row, b] = 1.0, -1.0
    won = np.clip([rates[a, b] for a, b in pairs], WITHIN, 1 - WITHIN)
    free = design[:, 1:]
    strengths = np.zeros(n - 1)
    for _ in range(100):
        chance = 1 / (1 + (num_players - 1) * np.exp(-free @ strengths))
        slope = free.T @ (won - chance)
        curvature = free.T @ (free * (chance * (1 - chance))[:, None])
        step = np.linalg.solve(curvature, slope)
        strengths += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-10:
            break
    return np.array([0.0, *strengths]) * ELO


def rate(names: Sequence[str], pairings: Sequence[dict[str, Any]], num_players: int) -> list[Estimate]:
    """Ratings with 95% intervals: those of ratings fitted to win rates drawn anew within their errors."""
    mean, errors = win_rates(names, pairings)
    rng = np.random.default_rng(0)
    drawn = [fit_ratings(mean + errors * rng.standard_normal(mean.shape), num_players) for _ in range(REDRAWN)]
    lows, highs = np.percentile(drawn, [2.5, 97.5], axis=0)
    fitted = fit_ratings(mean, num_players)
    return [Estimate(float(r), float(a), float(b)) for r, a, b in zip(fitted, lows, highs, strict=True)]


def alpha_rank(payoffs: Any, num_players: int) -> Any:
    """float64 (n,): the share of time that a population, all of whom play alike, spends with each agent.

    `payoffs` float64 (n, n): of one agent among P−1 of another, the others' being what it loses, shared. Now and then
    one of the population changes to another agent, which spreads to all, the likelier the more it gains, or dies out.
    """
    gains = SELECTION * (1 + 1 / (num_players - 1)) * payoffs.T  # by who all play, and who invades
    logs = log_spread(gains)
    n = len(payoffs)
    for k in range(n - 1, 0, -1):  # eliminate one state after another, without subtraction (Grassmann et al., 1985)
        logs[:k, k] -= np.logaddexp.reduce(logs[k, :k])
        logs[:k, :k] = np.logaddexp(logs[:k, :k], logs[:k, k, None] + logs[k, :k])
    shares = np.zeros(n)
    for k in range(1, n):
        shares[k] = np.logaddexp.reduce(shares[:k] + logs[:k, k])
    return np.exp(shares - np.logaddexp.reduce(shares))


def log_spread(gains: Any) -> Any:
    """The logarithm of an invader's chance to spread, by its gain: (1 − e^−g) / (1 − e^−mg) in a population of m."""
    g = np.maximum(np.abs(gains), 1e-9)  # at 0 it is 1 / m
    upwards = np.log(-np.expm1(-g)) - np.log(-np.expm1(-POPULATION * g))
    return np.where(gains >= 0, upwards, upwards - (POPULATION - 1) * g)


def payoff_matrix(names: Sequence[str], pairings: Sequence[dict[str, Any]], num_players: int) -> Any:
    """float64 (n, n): the payoff of each agent among P−1 of each other, 0 among its own kind."""
    payoffs = np.zeros((len(names), len(names)))
    for pairing in pairings:
        i, j, payoff = names.index(pairing["name"]), names.index(pairing["other"]), pairing["payoff"]["mean"]
        payoffs[i, j] = payoff
        if num_players == 2:
            payoffs[j, i] = -payoff
    return payoffs


def tournament_table(
    names: Sequence[str], pairings: Sequence[dict[str, Any]], ratings: Sequence[Estimate], shares: Any
) -> Table:
    """For the screen: ratings, α-rank, and win rates against a table of each other agent."""
    first = pairings[0]
    table = Table(
        title=f"{first['deals']:,} deals × {first['players']} seats a pairing, 95% intervals by deal",
        caption=f"Win rate of one agent among {first['players'] - 1} of another; a fair share is "
        f"{1 / first['players']:.1%}. The rating of {names[0]} is 0.",
    )
    for column in ("agent", "rating", "α-rank", *(f"against {name}" for name in names)):
        table.add_column(column)
    cells = {(pairing["name"], pairing["other"]): Estimate(**pairing["win_rate"]) for pairing in pairings}
    if first["players"] == 2:
        cells |= {(other, name): Estimate(1 - r.mean, 1 - r.high, 1 - r.low) for (name, other), r in cells.items()}
    for i in sorted(range(len(names)), key=lambda i: -ratings[i].mean):
        rates = [percent(cells[names[i], other]) if other != names[i] else "" for other in names]
        rating = ratings[i]
        interval = f"{rating.mean:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"
        table.add_row(names[i], interval, f"{shares[i]:.0%}", *rates)
    return table


@command("tournament", kept="What was played to its end is kept in {output}: the same command goes on there.")
def main(config: DictConfig) -> None:
    console, output = make_console(), Path(config.output)
    with closing(open_tracker(config, output, console)) as tracker:
        pairings = play_pairings(config, output / "pairings.json", console)
        names, players = as_list(config.agents), config.game.num_players
        ratings = rate(names, pairings, players)
        shares = alpha_rank(payoff_matrix(names, pairings, players), players)
        console.print(tournament_table(names, pairings, ratings, shares))
        rows = {name: r.as_dict() | {"alpha_rank": float(x)} for name, r, x in zip(names, ratings, shares, strict=True)}
        write_json(output / "ratings.json", rows)
        plot_matrix(names, win_rates(names, pairings)[0], 1 / players, output / "tournament.png")
        numbers = {f"tournament/{name}/{what}": value for name, row in rows.items() for what, value in row.items()}
        tracker.log(numbers, 0)
        tracker.keep(*(output / name for name in ("pairings.json", "ratings.json", "tournament.png")))
    console.print(f"Written to {output}/pairings.json, ratings.json and tournament.png")


if __name__ == "__main__":
    main()
