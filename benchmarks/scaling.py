"""How the rate grows with games, players and threads: `python -m benchmarks.scaling` draws `docs/images/scaling.png`.

Decisions a second through `BatchGame`, with observation and mask, choosing the actions apart.
"""

import argparse
import json
import os
import statistics
from collections.abc import Callable
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from benchmarks.speed import batch_decisions
from benchmarks.subject import Subject
from cardenvs import games

NUM_GAMES = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)
MANY = 8192
DECISIONS = 400_000  # of one measurement

Curves = dict[str, dict[int, float]]


def rate(subject: Subject, num_games: int, num_threads: int, repeats: int) -> float:
    """The median of some measurements of about as many decisions each."""
    steps = max(8, DECISIONS // num_games // 4)
    return statistics.median(batch_decisions(subject, num_games, steps, num_threads) for _ in range(repeats))


def by_games(name: str, repeats: int) -> dict[int, float]:
    return {n: rate(Subject(name), n, 1, repeats) for n in NUM_GAMES}


def by_players(name: str, repeats: int) -> dict[int, float]:
    fewest, most = games.get(name).players
    return {p: rate(Subject(name, p), MANY // 8, 1, repeats) for p in range(fewest, most + 1)}


def by_threads(name: str, repeats: int) -> dict[int, float]:
    return {n: rate(Subject(name), MANY, n, repeats) for n in range(1, (os.cpu_count() or 1) + 1)}


MEASURED: dict[str, Callable[[str, int], dict[int, float]]] = {
    "games in the batch": by_games,
    "players": by_players,
    "threads (8,192 games)": by_threads,
}


def draw(results: dict[str, Curves], path: Path) -> None:
    figure, axes = plt.subplots(1, len(results), figsize=(12, 3.8), layout="constrained")
    for ax, (what, curves) in zip(axes, results.items(), strict=True):
        draw_one(ax, what, curves)
    axes[0].set_xscale("log", base=4)
    for ax in axes[1:]:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0].set_ylabel("million decisions a second")
    axes[0].legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_one(ax: Axes, what: str, curves: Curves) -> None:
    for name, points in curves.items():
        ax.plot(list(points), [value / 1e6 for value in points.values()], marker="o", label=games.get(name).title)
    ax.set_xlabel(what)
    ax.set_ylim(bottom=0)
    ax.grid(alpha=0.3)
    ax.spines[["top", "right"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path("docs/images/scaling.png"))
    given = parser.parse_args()
    results: dict[str, Curves] = {
        what: {name: measure(name, given.repeats) for name in games.VERSIONS} for what, measure in MEASURED.items()
    }
    draw(results, given.output)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
