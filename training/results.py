"""The results of one game and number of players: `python -m training.results game=twits game.num_players=4`.

Scripted policies, the baseline, searches and trained agents of several seeds, each against tables of the same opponents
on the same deals. What was played is kept after every pairing: a run that is stopped goes on there.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table

import agents
from agents.network import card_of
from cardenvs.baselines.network import Network
from training.cli import command, game_options, make_console, progress, write_json
from training.duplicate import Result
from training.evaluate import percent
from training.matches import Match, play_kept
from training.plots import plot_seeds
from training.statistics import Estimate


def contenders(config: DictConfig) -> dict[str, tuple[str, int]]:
    """By name: the agent and its deals."""
    rows = {name: (name, config.deals) for name in config.agents}
    rows |= {f"seed {seed}": (f"{config.runs % seed}/policy.npz", config.deals) for seed in config.seeds}
    if config.variant_run:
        rows[config.variant] = (f"{config.variant_run}/policy.npz", config.deals)
    searches = {name: f"{name}{',' if ':' in name else ':'}threads={config.num_threads}" for name in config.searches}
    return rows | {name: (agent, config.search_deals) for name, agent in searches.items()}


def play_all(config: DictConfig, path: Path, console: Console) -> list[dict[str, Any]]:
    """A result for each contender and opponent, in order; those that `path` holds already are not played again."""
    pairs = [
        (name, *row, other)
        for name, row in contenders(config).items()
        for other in (config.search_opponents if name in config.searches else config.opponents)
    ]
    pairs = [pair for pair in pairs if pair[0] != pair[3]]
    game, players, options = config.game.name, config.game.num_players, game_options(config)
    matches = [
        Match(game, players, agent, (other,) * (players - 1), deals, config.seed, options)
        for _, agent, deals, other in pairs
    ]
    asked = [
        {"name": name, "other": other, "deals": deals, "seed": config.seed, "options": options}
        | {"game": game, "players": players}
        | {"weights": digest(config, agent), "other_weights": digest(config, other)}
        for name, agent, deals, other in pairs
    ]
    with progress(console, sum(match.games for match in matches), "games") as advance:
        return play_kept(path, asked, matches, tell, config.cluster, config.num_threads, advance)


def digest(config: DictConfig, name: str) -> str:
    """What tells one network from another that has its name; nothing for other agents."""
    network = agents.load(name, config.game.name, config.game.num_players, game_options(config)).act
    return sha256(network.weights.tobytes()).hexdigest()[:16] if isinstance(network, Network) else ""


def tell(result: Result) -> dict[str, Any]:
    return {"win_rate": result.win_rate.as_dict(), "payoff": result.payoff.as_dict(), "gain": result.gain}


def results_table(config: DictConfig, results: list[dict[str, Any]]) -> Table:
    """For the screen."""
    players = config.game.num_players
    table = Table(
        title=f"{config.game.name}, {players} players: win rate among {players - 1} of each, 95% intervals by deal",
        caption=f"A fair share is {1 / players:.1%}.",
    )
    for column in ("agent", "deals", *(f"against {other}" for other in config.opponents)):
        table.add_column(column)
    cells = {(result["name"], result["other"]): result for result in results}
    for name, (_, deals) in contenders(config).items():
        row = [cells.get((name, other)) for other in config.opponents]
        table.add_row(name, f"{deals:,}", *(percent(Estimate(**cell["win_rate"])) if cell else "" for cell in row))
    return table


def training_of(config: DictConfig) -> list[dict[str, Any]]:
    """Of each seed: how long it was trained, and its learning curve."""
    runs = [Path(config.runs % seed) for seed in config.seeds]
    cards = [card_of(run / "policy.npz") for run in runs]
    curves = [json.loads((run / "learning_curve.json").read_text()) for run in runs]
    return [
        {"seed": card["seed"], "learner_steps": card["learner_steps"], "seconds": card["seconds"], "curve": curve}
        for card, curve in zip(cards, curves, strict=True)
    ]


@command("results", kept="What was played to its end is kept in {output}: the same command goes on there.")
def main(config: DictConfig) -> None:
    console, output = make_console(), Path(config.output)
    name = f"{config.game.name}_{config.game.num_players}p"
    trained = training_of(config)
    results = play_all(config, output / f"{name}.json", console)
    console.print(results_table(config, results))
    if trained:
        write_json(output / f"{name}_training.json", trained)
        plot_seeds(trained, f"{config.game.name}, {config.game.num_players} players", output / f"{name}.png")
    console.print(f"Written to {output}/{name}.json")


if __name__ == "__main__":
    main()
