"""Whether anything has become slower: `make bench-check`. `python -m benchmarks.guard --record` sets the marks anew.

What is compared are ratios to a fixed loop that is timed just before and after: they mean the same on a slower machine.
"""

import json
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.speed import aec_microseconds, batch_decisions, kernel_decisions, seconds
from benchmarks.subject import Subject, pin_to_one_core
from cardenvs import games
from cardenvs.core.arguments import Arguments, run_main
from cardenvs.core.jit import kernel
from cardenvs.core.rng import mix, next_state

MARKS = Path(__file__).with_name("marks.json")
SLOWER = 0.8  # of the mark
ROUNDS = 20_000_000


@kernel
def fixed_loop(table, rounds):
    """Hashing, a dependent load and a store, as in the rules of a card game."""
    state = np.uint64(1)
    for _ in range(rounds):
        state = next_state(state)
        i = np.int64(mix(state) & np.uint64(1023))
        table[i] += table[(i + 7) & 1023] & 3
    return state


def loop_rate() -> float:
    table = np.ones(1024, np.int64)
    return ROUNDS / seconds(lambda: fixed_loop(table, ROUNDS))


def subjects() -> dict[str, Callable[[], float]]:
    """What is watched: rates, more of which are better."""
    watched: dict[str, Callable[[], float]] = {}
    for subject in map(Subject, games.VERSIONS):
        watched[f"{subject.name}, kernel"] = partial(kernel_decisions, subject)
        watched[f"{subject.name}, BatchGame"] = partial(batch_decisions, subject)
        watched[f"{subject.name}, env()"] = partial(aec_decisions, subject)
    return watched


def aec_decisions(subject: Subject) -> float:
    """`last()` and `step()` a second, choosing the action apart."""
    return 1e6 / aec_microseconds(subject, subject.module().env)


def ratio(measure: Callable[[], float], repeats: int) -> float:
    """The median of the ratios to the fixed loop."""
    loop_rate()
    measure()  # compiled and warm
    ratios = []
    for _ in range(repeats):
        before, rate, after = loop_rate(), measure(), loop_rate()
        ratios.append(rate / ((before + after) / 2))
    return statistics.median(ratios)


def main() -> int:
    parser = Arguments("benchmarks.guard", __doc__)
    parser.add_argument("--record", action="store_true", help=f"write {MARKS.name} in place of comparing with it")
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    pin_to_one_core()
    marks: dict[str, float] = {} if given.record else json.loads(MARKS.read_text())
    slower = 0
    for name, measure in subjects().items():
        measured = ratio(measure, given.repeats)
        if given.record:
            marks[name] = measured
        share = measured / marks.get(name, measured)
        slower += share < SLOWER
        print(f"{name:<28} {share:6.0%} of its mark{'   SLOWER' if share < SLOWER else ''}", flush=True)
    if given.record:
        MARKS.write_text(json.dumps(marks, indent=2) + "\n")
    return int(slower > 0)


if __name__ == "__main__":
    run_main(main)
