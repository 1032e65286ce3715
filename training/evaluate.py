"""Evaluate an agent on duplicate deals: `python -m training.evaluate agent=runs/demo opponents=[greedy,expert]`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hydra
from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from rich.progress import track
from rich.table import Table

import agents
from training.cli import CONFIGS, game_options, make_console, plain_errors, write_json
from training.duplicate import Result, play_duplicates
from training.plots import plot_results
from training.statistics import Estimate


def evaluate(config: DictConfig, console: Console) -> list[Result]:
    """Play every row of ``config.opponents`` and return the results, in order."""
    game, players = config.game.name, config.game.num_players
    options = game_options(config)
    agent = agents.load(config.agent, game, players, options)
    rows: Any = [config.opponents] if isinstance(config.opponents, str) else OmegaConf.to_object(config.opponents)
    tables = [[row] * (players - 1) if isinstance(row, str) else row for row in rows]
    opponents = [[agents.load(spec, game, players, options) for spec in table] for table in tables]
    everybody = [agent, *(player for table in opponents for player in table)]
    asks = any(player.name == "human" for player in everybody)  # a bar would be drawn over what is typed
    return [
        play_duplicates(
            game,
            players,
            agent,
            table,
            config.deals,
            config.seed,
            options,
            config.num_threads,
        )
        for table in track(opponents, description="Playing", console=console, transient=True, disable=asks)
    ]


def results_table(results: Sequence[Result]) -> Table:
    """For the screen."""
    first = results[0]
    table = Table(
        title=f"{first.agent}: {first.deals:,} deals × {len(first.opponents) + 1} seats a row, 95% intervals by deal",
        caption=f"A fair share of wins is {first.fair_share:.1%}. Payoff: +1 a win, −1 shared by the losers.",
    )
    for column in ("opponents", "win rate", "payoff", "points gained", "verdict"):
        table.add_column(column)
    for result in results:
        table.add_row(
            describe_opponents(result.opponents),
            percent(result.win_rate),
            number(result.payoff, 3),
            number(result.points, 1),
            verdict(result),
        )
    return table


def describe_opponents(names: Sequence[str]) -> str:
    return f"{len(names)} × {names[0]}" if len(set(names)) == 1 else ", ".join(names)


def percent(estimate: Estimate) -> str:
    return f"{estimate.mean:.1%} [{estimate.low:.1%}, {estimate.high:.1%}]"


def number(estimate: Estimate, digits: int) -> str:
    return f"{estimate.mean:+.{digits}f} [{estimate.low:+.{digits}f}, {estimate.high:+.{digits}f}]"


def verdict(result: Result) -> str:
    """Whether the whole interval of the win rate lies on one side of the fair share."""
    if result.win_rate.low > result.fair_share:
        return "better"
    return "worse" if result.win_rate.high < result.fair_share else "not told apart"


def save_results(results: Sequence[Result], output: Path) -> None:
    """`evaluation.json` and `evaluation.png`."""
    write_json(output / "evaluation.json", [result.as_dict() for result in results])
    plot_results(results, output / "evaluation.png")


@hydra.main(version_base=None, config_path=CONFIGS, config_name="evaluate")
@plain_errors
def main(config: DictConfig) -> Any:
    console = make_console()
    results = evaluate(config, console)
    console.print(results_table(results))
    save_results(results, Path(config.output))
    console.print(f"Written to {config.output}/evaluation.json and evaluation.png")


if __name__ == "__main__":
    main()
