"""How strong a search is by its budget: `python -m training.strength game=twits` draws the curve, with intervals.

What was measured is kept after every point: a run that is stopped goes on there.
"""

from itertools import product
from pathlib import Path
from typing import Any

from omegaconf import DictConfig
from rich.console import Console

from cardenvs.core.errors import OptionError
from training.cli import as_list, command, game_options, make_console, progress
from training.duplicate import Result
from training.evaluate import percent
from training.matches import Match, play_kept
from training.plots import plot_strength
from training.statistics import Estimate


def agent_of(config: DictConfig, budget: int) -> str:
    """The agent with so large a budget."""
    if config.agent.count("%d") != 1:
        raise OptionError(f"agent is {config.agent!r}: it must have one %d, in place of the budget.")
    return f"{config.agent.replace('%d', str(budget))},threads={config.num_threads}"


def measure(config: DictConfig, path: Path, console: Console) -> list[dict[str, Any]]:
    """A point for each budget and opponent, in that order; those that `path` holds already are not played again."""
    pairs = list(product(as_list(config.budgets), as_list(config.opponents)))
    game, players, options = config.game.name, config.game.num_players, game_options(config)
    matches = [
        Match(game, players, agent_of(config, budget), (opponent,) * (players - 1), config.deals, config.seed, options)
        for budget, opponent in pairs
    ]
    asked = [
        {"budget": budget, "opponent": opponent, "deals": config.deals, "seed": config.seed}
        | {"search": config.agent, "game": game, "players": players, "options": options}
        for budget, opponent in pairs
    ]
    with progress(console, sum(match.games for match in matches), "games") as advance:
        points = play_kept(path, asked, matches, Result.as_dict, config.cluster, 1, advance)
    for point in points:
        console.print(f"{point['budget']:>7,} against {point['opponent']}: {percent(Estimate(**point['win_rate']))}")
    return points


@command("strength", kept="What was measured is kept in {output}: the same command goes on there.")
def main(config: DictConfig) -> None:
    console = make_console()
    output = Path(config.output)
    points = measure(config, output / "strength.json", console)
    plot_strength(points, output / "strength.png")
    console.print(f"Written to {output}/strength.json and strength.png")


if __name__ == "__main__":
    main()
