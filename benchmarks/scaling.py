"""How the rate grows with games, players and threads: `python -m benchmarks.scaling` draws `docs/images/scaling.png`.

Decisions a second through `BatchGame`, with observation and mask, choosing the actions apart. With `--model` it
measures what a step is made of instead, and what that would come to on other numbers of threads (docs/benchmarks.md).
"""

import json
import os
import statistics
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from benchmarks.speed import batch_decisions, random_actions, seconds, started
from benchmarks.subject import Subject, pin_to_one_core
from cardenvs import games
from cardenvs.core.arguments import Arguments, run_main

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
    axes[0].set_xticks(NUM_GAMES[::2], [f"{n:,}" for n in NUM_GAMES[::2]])
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


# --- a model of many threads ------------------------------------------------------------------------------------------


def measure_parts(subject: Subject, num_games: int = MANY, repeats: int = 9) -> dict[str, float]:
    """Seconds: `call` of Python around a step, `hand_over` to a thread; by game, what is `serial` and what `shared`."""
    batch = started(subject, num_games)
    actions, masks = random_actions(batch.legal(), np.random.default_rng(0)), batch.legal()
    pool = ThreadPoolExecutor(1)

    def median(work: Callable[[], Any], count: int) -> float:
        return statistics.median(seconds(lambda: [work() for _ in range(count)]) / count for _ in range(repeats))

    def serial_part() -> None:
        batch._first_illegal(actions)
        batch.legal(out=masks)

    call = 1 / statistics.median(batch_decisions(subject, 1, 2000) for _ in range(repeats))
    hand_over = median(lambda: pool.submit(int).result(), 200)
    serial = median(serial_part, 20) / num_games
    step = 1 / rate(subject, num_games, 1, repeats)
    return {"call": call, "hand_over": hand_over, "serial": serial, "shared": step - call / num_games - serial}


def predict_rate(parts: dict[str, float], num_games: int, num_threads: int) -> float:
    """Decisions a second by the parts of a step."""
    a_game = parts["serial"] + parts["shared"] / num_threads
    return num_games / (parts["call"] + parts["hand_over"] * (num_threads - 1) + num_games * a_game)


def print_model() -> None:
    """The parts, and million decisions a second that they come to."""
    pin_to_one_core()
    parts = measure_parts(Subject("uno_all_wild"))
    print(f"call {parts['call'] * 1e6:.1f} µs, hand-over {parts['hand_over'] * 1e6:.0f} µs, a game: ", end="")
    print(f"serial {parts['serial'] * 1e9:.1f} ns, shared {parts['shared'] * 1e9:.0f} ns")
    for num_games in (8192, 65536, 524288):
        rates = {c: predict_rate(parts, num_games, c) / 1e6 for c in (1, 2, 4, 8, 16, 32, 64)}
        print(f"{num_games:>7,} games: " + ", ".join(f"{c} threads {value:.1f} M/s" for c, value in rates.items()))


def main() -> None:
    parser = Arguments("benchmarks.scaling", __doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path("docs/images/scaling.png"))
    parser.add_argument("--model", action="store_true", help="print the parts of a step and predictions from them")
    given = parser.parse_args()
    if given.model:
        print_model()
        return
    results: dict[str, Curves] = {
        what: {name: measure(name, given.repeats) for name in games.VERSIONS} for what, measure in MEASURED.items()
    }
    draw(results, given.output)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    run_main(main)
