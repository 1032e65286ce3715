"""Evaluate an agent on duplicate deals: `python -m training.evaluate agent=runs/demo opponents=[greedy,expert]`."""

from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table

from cardenvs.core.errors import OptionError
from cardenvs.core.rng import seed_keys
from training.cli import as_list, command, game_options, make_console, progress, write_json
from training.duplicate import Result, record_game
from training.matches import Match, load_all, play_kept
from training.plots import plot_results
from training.statistics import Estimate
from training.trackers import open_tracker


def evaluate(config: DictConfig, console: Console) -> list[Result]:
    """Play every row of ``config.opponents`` and return the results, in order.

    Rows are kept as they are played, until all are there: an evaluation that is stopped goes on where it was.
    """
    game, players, options = config.game.name, config.game.num_players, game_options(config)
    tables = tables_of(config)
    matches = [Match(game, players, config.agent, tuple(table), config.deals, config.seed, options) for table in tables]
    asked = [
        {"game": game, "players": players, "table": table, "options": options, "seed": config.seed}
        | {"deals": config.deals, "who": [fingerprint(spec) for spec in (config.agent, *table)]}
        for table in tables
    ]
    kept = Path(config.output) / ".rows.json"
    everybody = {config.agent, *(spec for table in tables for spec in table)}
    # a bar would be drawn over what a person types
    with progress(console, sum(match.games for match in matches), "games", "human" not in everybody) as advance:
        rows = play_kept(kept, asked, matches, Result.as_dict, config.cluster, config.num_threads, advance)
    kept.unlink(missing_ok=True)
    record_deals(config, matches[0])
    return [Result.from_dict(row) for row in rows]


def tables_of(config: DictConfig) -> list[list[str]]:
    """The opponents of each row, by place."""
    rows = as_list(config.opponents)
    for row in rows:
        if not isinstance(row, str | list) or not row:
            raise OptionError(f"opponents: {row!r} is neither an agent nor a list of them.")
    return [[row] * (config.game.num_players - 1) if isinstance(row, str) else row for row in rows]


def fingerprint(spec: str) -> str:
    """What tells an agent from another of its name: its files, if it has some."""
    path = Path(spec)
    files = [path] if path.is_file() else [path / "model.zip"] if path.is_dir() else []
    return ":".join([spec, *(sha256(file.read_bytes()).hexdigest()[:16] for file in files if file.is_file())])


def record_deals(config: DictConfig, match: Match) -> None:
    """Keep the first deals of the first row, with the agent in seat 0, as replays."""
    for number, key in enumerate(seed_keys(config.seed, config.replays, held_out=True)):
        path = Path(config.output) / "replays" / f"deal_{number}.jsonl.gz"
        record_game(path, match.game, load_all(match), key, match.options)


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


def numbers_of(results: Sequence[Result]) -> dict[str, float]:
    """For a tracker: what is on the screen, by row."""
    numbers = {}
    for result in results:
        names = result.opponents[:1] if len(set(result.opponents)) == 1 else result.opponents
        for name in ("win_rate", "payoff", "points"):
            for part, number in getattr(result, name).as_dict().items():
                numbers[f"evaluation/{'+'.join(names)}/{name}_{part}"] = number
    return numbers


def save_results(results: Sequence[Result], output: Path) -> None:
    """`evaluation.json` and `evaluation.png`."""
    write_json(output / "evaluation.json", [result.as_dict() for result in results])
    plot_results(results, output / "evaluation.png")


@command("evaluate", kept="What was played to its end is kept in {output}: the same command goes on there.")
def main(config: DictConfig) -> None:
    console, output = make_console(), Path(config.output)
    with closing(open_tracker(config, output, console)) as tracker:
        results = evaluate(config, console)
        console.print(results_table(results))
        save_results(results, output)
        tracker.log(numbers_of(results), 0)
        tracker.keep(output / "evaluation.json", output / "evaluation.png")
    console.print(f"Written to {config.output}/evaluation.json and evaluation.png")
    if config.replays:
        console.print(f"Replays: {config.output}/replays (python -m cardenvs.replay FILE --html PAGE)")


if __name__ == "__main__":
    main()
