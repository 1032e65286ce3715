"""Check a pipeline where every agent must come out at 50%: `python -m training.calibrate agent=…`.

In Wild Twists war nobody decides anything, so a win rate whose interval does not hold one half has found a bug: in the
agent's side of the pipeline, in the evaluation, or in the game. Each deal is played once, the agent's seat drawn by
lot; in duplicate deals the rate would be one half whatever happens.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table

import agents
from cardenvs.core.errors import OptionError, require_int
from cardenvs.core.rng import seed_keys
from training.cli import command, game_options, make_console, progress, write_json
from training.duplicate import play_games
from training.statistics import Estimate, clustered_mean

ONE_HALF = 0.5
GAMES_AT_ONCE = 50_000  # records of so many fit in memory anywhere


def calibrate(config: DictConfig, console: Console) -> tuple[Estimate, Any]:
    """The agent's win rate, a draw counting one half, and the decisions that each game took, int (games,).

    If it is stopped, they are of the games that have been played by then.
    """
    require_int("games", config.games, 2)
    if not 0 < config.confidence < 1:
        raise OptionError(f"confidence is {config.confidence}: it must be a number between 0 and 1.")
    game, players = config.game.name, config.game.num_players
    agent, opponent = (agents.load(spec, game, players) for spec in (config.agent, config.opponent))
    keys = seed_keys(config.seed, config.games, held_out=True)
    shares, lengths, done = np.zeros(config.games), np.zeros(config.games, int), np.zeros(config.games, bool)
    try:
        with progress(console, config.games, "games") as advance:
            for seat, rows in batches(seats_of(config, players)):
                table = [agent if other == seat else opponent for other in range(players)]
                played = play_games(game, table, keys[rows], game_options(config), config.num_threads, advance)
                shares[rows] = played.winners[:, seat] / np.maximum(played.winners.sum(axis=1), 1)
                lengths[rows] = played.decisions
                done[rows] = True
    except KeyboardInterrupt:
        if done.sum() < 2:
            raise
        console.print(f"Stopped after {done.sum():,} games.")
    return clustered_mean(shares[done, None], config.confidence), lengths[done]


def seats_of(config: DictConfig, players: int) -> Any:
    """The agent's seat in each game, int (games,)."""
    if config.seat == "random":
        return np.random.default_rng(config.seed).integers(players, size=config.games)
    return np.full(config.games, require_int("seat", config.seat, 0, players - 1))


def batches(seats: Any) -> Iterator[tuple[int, Any]]:
    """Games of one seat that are played together, as (seat, rows)."""
    for seat in np.unique(seats):
        rows = np.flatnonzero(seats == seat)
        for part in np.array_split(rows, -(-len(rows) // GAMES_AT_ONCE)):
            yield int(seat), part


def report(config: DictConfig, rate: Estimate, lengths: Any) -> dict[str, Any]:
    """All that was measured, as plain data."""
    return {
        "agent": config.agent,
        "opponent": config.opponent,
        "games": len(lengths),
        "seed": config.seed,
        "confidence": config.confidence,
        "win_rate": rate.as_dict(),
        "calibrated": rate.low <= ONE_HALF <= rate.high,
        "flips": {
            "mean": float(lengths.mean()), "p99": float(np.percentile(lengths, 99)), "max": int(lengths.max())
        },
    }  # fmt: skip


def as_table(result: dict[str, Any]) -> Table:
    """For the screen."""
    table = Table(title=f"{result['agent']} against {result['opponent']}: {result['games']:,} games", show_header=False)
    rate, flips = result["win_rate"], result["flips"]
    table.add_row("win rate", f"{rate['mean']:.2%} [{rate['low']:.2%}, {rate['high']:.2%}]")
    table.add_row("interval", f"{result['confidence']:.0%}")
    table.add_row("verdict", "holds 50%" if result["calibrated"] else "does not hold 50%: something is wrong")
    table.add_row("flips a game", f"mean {flips['mean']:,.0f}, p99 {flips['p99']:,.0f}, most {flips['max']:,}")
    return table


@command("calibrate", kept="Nothing is kept.")
def main(config: DictConfig) -> None:
    console = make_console()
    result = report(config, *calibrate(config, console))
    console.print(as_table(result))
    write_json(Path(config.output) / "calibration.json", result)
    console.print(f"Written to {config.output}/calibration.json")
    if result["games"] < config.games:
        raise SystemExit(130)  # it was stopped
    if not result["calibrated"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
