"""Learn to predict who will win, in a game of pure chance: `python -m training.predict`.

A value network is fitted on observations of Wild Twists war, by who won in the end, and judged on held-out games by log
loss and calibration, beside two references: the share of all cards that the observer holds, taken as a probability; and
a Monte-Carlo estimate, from positions that the observer cannot tell from the true one, played to their ends.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import DictConfig
from rich.console import Console
from rich.table import Table
from torch import nn

from cardenvs import BatchGame
from cardenvs.core.rng import seed_keys
from cardenvs.core.sections import rows as section_rows
from training.cli import command, game_options, make_console, plain, progress, write_json, write_whole
from training.plots import plot_calibration
from training.statistics import clustered_mean

HELD = ("decks", "score_piles")  # sections of the observation: what a seat holds, the observer first
SUREST = 1e-3  # no estimate is nearer to 0 or 1


@dataclass(frozen=True)
class Positions:
    """`observations` float32 (n, D), each of one seat, and `won` float32 (n,): 1, 0, or one half for a draw.

    `games` are the last positions themselves, in the same order, and `seats` int8 who observes them.
    """

    observations: Any
    won: Any
    games: BatchGame
    seats: Any


def gather(config: DictConfig, num_games: int, positions: int, held_out: bool, console: Console) -> Positions:
    """Up to `positions` of each game, at moments and from seats drawn by lot; no held-out game was learnt from.

    A moment is a number of decisions, whatever the game's length, and falls away if the game is over by then: moments
    drawn from a game's own length would favour the games that are soon over, which the leader wins.
    """
    rng = np.random.default_rng([config.seed, held_out])
    table = BatchGame(
        config.game.name,
        num_games,
        seed=seed_keys(config.seed, num_games, held_out=held_out),
        num_players=config.game.num_players,
        encoding=config.encoding,
        **game_options(config),
    )
    seats = rng.integers(table.num_players, size=(num_games, positions)).astype(np.int8)
    moments = np.sort(rng.exponential(config.mean_moment, (num_games, positions)).astype(int), axis=1)
    observations = np.zeros((num_games, positions, table.observation_size), np.float32)
    live = np.zeros((num_games, positions), np.bool_)
    with progress(console, positions, "positions a game", config.progress) as advance:
        for i in range(positions):
            go_on_to(table, moments[:, i])
            observations[:, i], live[:, i] = table.observe(seats[:, i]), table.actor >= 0
            advance(1)
    shares = shares_won(play_out(table))
    won = np.take_along_axis(shares, seats.astype(int), axis=1).astype(np.float32)
    last = live[:, -1]
    return Positions(observations[live], won[live], table[last], seats[last, -1])


def play_out(table: BatchGame) -> BatchGame:
    """A copy of these games, played to their ends."""
    ended = table.copy()
    ended.play_out(["random"] * table.num_players)
    return ended


def go_on_to(table: BatchGame, moments: Any) -> None:
    """Play each game on until it has seen so many decisions, or is over."""
    while (behind := (table.decisions < moments) & (table.actor >= 0)).any():
        table.step_where(behind, table.legal().argmax(axis=1))


def shares_won(ended: BatchGame) -> Any:
    """What each seat has won of each game, float (N, P): 1, 0, or one half for a draw."""
    return ended.winners / np.maximum(ended.winners.sum(axis=1), 1)[:, None]


# --- estimates --------------------------------------------------------------------------------------------------------


def make_network(size: int, widths: Sequence[int]) -> nn.Module:
    """From observations to the logit of winning."""
    layers: list[nn.Module] = []
    for before, after in zip([size, *widths], widths, strict=False):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(widths[-1], 1), nn.Flatten(0))


def fit(config: DictConfig, positions: Positions, console: Console) -> nn.Module:
    """A network fitted by log loss."""
    torch.manual_seed(config.seed)
    network = make_network(positions.observations.shape[1], config.layers)
    observations, won = torch.from_numpy(positions.observations), torch.from_numpy(positions.won)
    steps = config.epochs * -(-len(won) // config.batch_size)
    optimiser = torch.optim.Adam(network.parameters(), config.learning_rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.learning_rate, total_steps=steps)
    for epoch in range(config.epochs):
        total = 0.0
        for rows in torch.split(torch.randperm(len(won)), config.batch_size):
            loss = nn.functional.binary_cross_entropy_with_logits(network(observations[rows]), won[rows])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # so it is in torch
            optimiser.step()
            schedule.step()
            total += loss.item() * len(rows)
        console.print(f"epoch {epoch + 1}: log loss {total / len(won):.4f} on the games to learn from")
    return network


def by_network(network: nn.Module, positions: Positions) -> Any:
    with torch.no_grad():
        return torch.sigmoid(network(torch.from_numpy(positions.observations))).numpy()


def by_share(positions: Positions) -> Any:
    """The observer's share of the cards in play decks and score piles."""
    game, players = positions.games.game, positions.games.num_players
    held = np.zeros((len(positions.won), players), np.float32)
    for first, length, name, _ in section_rows(game.sections, players):
        if name in HELD:
            held += positions.observations[:, first : first + length]
    return held[:, 0] / held.sum(axis=1)


def by_playing(config: DictConfig, positions: Positions, console: Console, so_far: dict[str, Any]) -> Any:
    """How often the observer wins from positions that it cannot tell from the true one; half a game to each side.

    `so_far` holds how many ``playouts`` are done and the ``wins`` in them, and is kept up to date.
    """
    rows = np.arange(len(positions.games))
    wins, done = so_far.get("wins", torch.zeros(len(rows), dtype=torch.float64)).numpy(), so_far.get("playouts", 0)
    with progress(console, config.playouts, "playouts a position", config.progress) as advance:
        for playout in range(config.playouts):
            possible = positions.games.resample_hidden(positions.seats)  # also of those done, to draw the same as then
            if playout >= done:
                wins = wins + shares_won(play_out(possible))[rows, positions.seats]
                so_far |= {"wins": torch.from_numpy(wins), "playouts": playout + 1}
            advance(1)
    return (wins + 0.5) / (config.playouts + 1)


# --- judgement --------------------------------------------------------------------------------------------------------


def judge(estimates: dict[str, Any], won: Any, bins: int) -> dict[str, Any]:
    """Log loss with its interval, and the calibration curve, of each estimate."""
    return {
        name: {
            "log_loss": clustered_mean(log_losses(said, won)[:, None]).as_dict(),
            "calibration": calibration_curve(said, won, bins),
        }
        for name, said in estimates.items()
    }


def log_losses(said: Any, won: Any) -> Any:
    """Of each position, in nats."""
    said = np.clip(said, SUREST, 1 - SUREST)
    return -(won * np.log(said) + (1 - won) * np.log(1 - said))


def calibration_curve(said: Any, won: Any, bins: int) -> list[dict[str, Any]]:
    """What was said and what happened, by equal bins of what was said; of those with two positions and more."""
    which = np.minimum((said * bins).astype(int), bins - 1)
    return [
        {
            "said": float(said[which == b].mean()),
            "won": clustered_mean(won[which == b][:, None]).as_dict(),
            "positions": int((which == b).sum()),
        }
        for b in range(bins)
        if (which == b).sum() > 1
    ]


def predict(config: DictConfig, console: Console) -> dict[str, Any]:
    """Fit, estimate and judge, as configured; goes on where an earlier call with this config was stopped."""
    output = Path(config.output)
    unfinished = output / "unfinished.pt"
    so_far = recall(unfinished, config)
    try:
        network = fitted(config, console, so_far)
        held_out = gather(config, config.held_out_games, 1, held_out=True, console=console)
        console.print(f"{len(held_out.won):,} positions of {config.held_out_games:,} held-out games to judge by")
        estimates = {
            "network": by_network(network, held_out),
            "share of cards": by_share(held_out),
            f"Monte Carlo, {config.playouts} playouts": by_playing(config, held_out, console, so_far),
            "one half": np.full(len(held_out.won), 0.5),
        }
    except KeyboardInterrupt:
        output.mkdir(parents=True, exist_ok=True)
        write_whole(unfinished, lambda path: torch.save(so_far, path))
        raise
    results = judge(estimates, held_out.won, config.bins)
    write_json(output / "prediction.json", results)
    plot_calibration({name: result["calibration"] for name, result in results.items()}, output / "calibration.png")
    torch.save(network.state_dict(), output / "network.pt")
    unfinished.unlink(missing_ok=True)
    return results


def recall(unfinished: Path, config: DictConfig) -> dict[str, Any]:
    """What an earlier call was stopped at, if it was asked the same."""
    asked = json.dumps(plain(config) | {"progress": None}, sort_keys=True)
    so_far: dict[str, Any] = torch.load(unfinished, weights_only=True) if unfinished.is_file() else {}
    return so_far if so_far.get("asked") == asked else {"asked": asked}


def fitted(config: DictConfig, console: Console, so_far: dict[str, Any]) -> nn.Module:
    """The network; its weights are in `so_far` from then on, if they were not before."""
    if weights := so_far.get("network"):
        network = make_network(weights["0.weight"].shape[1], config.layers)
        network.load_state_dict(weights)
        return network
    learnt_from = gather(config, config.games, config.positions, held_out=False, console=console)
    console.print(f"{len(learnt_from.won):,} positions of {config.games:,} games to learn from")
    network = fit(config, learnt_from, console)
    so_far["network"] = network.state_dict()
    return network


def as_table(results: dict[str, Any]) -> Table:
    """For the screen."""
    table = Table(title="Who will win: one position of each held-out game that has not ended by its moment")
    for column in ("estimate", "log loss, 95% interval"):
        table.add_column(column)
    for name, result in results.items():
        loss = result["log_loss"]
        table.add_row(name, f"{loss['mean']:.4f} [{loss['low']:.4f}, {loss['high']:.4f}]")
    return table


@command("predict", kept="The same command goes on from there: {output}/unfinished.pt.")
def main(config: DictConfig) -> None:
    console = make_console()
    console.print(as_table(predict(config, console)))
    console.print(f"Written to {config.output}: prediction.json, calibration.png, network.pt")


if __name__ == "__main__":
    main()
