"""How strong a search is by its budget: `python -m training.strength game=twits` draws the curve, with intervals.

What was measured is kept after every point: a run that is stopped goes on there.
"""

from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from omegaconf import DictConfig
from rich.console import Console

import agents
from cardenvs.core.errors import OptionError
from training.cli import as_list, command, game_options, make_console, progress, recall_or_play
from training.duplicate import Advance, play_duplicates
from training.evaluate import percent
from training.plots import plot_strength
from training.statistics import Estimate


def agent_of(config: DictConfig, budget: int) -> str:
    """The agent with so large a budget."""
    if config.agent.count("%d") != 1:
        raise OptionError(f"agent is {config.agent!r}: it must have one %d, in place of the budget.")
    return f"{config.agent.replace('%d', str(budget))},threads={config.num_threads}"


def play_point(config: DictConfig, budget: int, opponent: str, advance: Advance) -> dict[str, Any]:
    game, players, options = config.game.name, config.game.num_players, game_options(config)
    table = [agents.load(opponent, game, players, options)] * (players - 1)
    agent = agents.load(agent_of(config, budget), game, players, options)
    result = play_duplicates(game, players, agent, table, config.deals, config.seed, options, advance=advance)
    return result.as_dict()


def measure(config: DictConfig, path: Path, console: Console) -> list[dict[str, Any]]:
    """A point for each budget and opponent, in that order; those that `path` holds already are not played again."""
    points = []
    pairs = list(product(as_list(config.budgets), as_list(config.opponents)))
    with progress(console, len(pairs) * config.deals * config.game.num_players, "games") as advance:
        for budget, opponent in pairs:
            asked = {"budget": budget, "opponent": opponent, "deals": config.deals, "seed": config.seed}
            asked |= {"search": config.agent, "game": config.game.name, "players": config.game.num_players}
            asked |= {"options": game_options(config)}
            point = recall_or_play(path, asked, partial(play_point, config, budget, opponent, advance))
            console.print(f"{budget:>7,} against {opponent}: {percent(Estimate(**point['win_rate']))}")
            points.append(point)
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
