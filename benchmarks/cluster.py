"""How much sooner a tournament ends on all cores than in one process: `python -m benchmarks.cluster`.

The same matches are played here and by Ray in turns, and their results compared. Beside them, to say what this machine
has to give, a loop of arithmetic that needs no memory, once and then on each core at once.
"""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any

import numpy as np

from benchmarks.guard import ROUNDS, fixed_loop
from benchmarks.subject import available_cores
from cardenvs.core.arguments import Arguments, run_main
from training.cluster import LOCAL
from training.duplicate import ignore
from training.matches import Match, play_matches

AGENTS = ("expert", "baseline", "ismcts:simulations=100,playouts=greedy")


def play(matches: list[Match], cluster: str | None) -> tuple[float, dict[int, Any]]:
    """Seconds, and the results by number."""
    began = time.perf_counter()
    found = dict(play_matches(matches, cluster, 1, ignore))
    return time.perf_counter() - began, found


def arithmetic(cores: int) -> float:
    """How many times as much is done by so many threads as by one."""
    tables = np.zeros((cores, 1024), np.uint64)

    def seconds(threads: int) -> float:
        began = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda table: fixed_loop(table, 10 * ROUNDS), tables[:threads]))
        return time.perf_counter() - began

    seconds(1)  # compiled
    return cores * seconds(1) / seconds(cores)


def main() -> None:
    parser = Arguments("benchmarks.cluster", __doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    matches = [Match("uno_all_wild", 4, a, (b,) * 3, given.deals, 0, {}) for a, b in permutations(AGENTS, 2)]
    play(matches[:1], None)  # compiled
    play(matches, LOCAL)  # workers are there
    cores, ratios, limits = len(available_cores()), [], []
    for turn in range(given.repeats):
        (here, own), (shared, theirs) = play(matches, None), play(matches, LOCAL)
        assert own == theirs, "results differ"
        ratios.append(here / shared)
        limits.append(arithmetic(cores))
        print(f"turn {turn + 1}: {here:.1f} s and {shared:.1f} s; arithmetic alone {limits[-1]:.2f} times", flush=True)
    for what, values in (("the tournament", ratios), ("arithmetic alone", limits)):
        middle = statistics.median(values)
        print(f"{what}, {cores} cores: {middle:.2f} times ({min(values):.2f} to {max(values):.2f})")


if __name__ == "__main__":
    run_main(main)
