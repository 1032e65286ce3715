"""How far from an equilibrium OpenSpiel's solvers are after so many iterations, on a tiny deck of UNO All Wild."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import exploitability, external_sampling_mccfr

import cardenvs.adapters.openspiel  # noqa: F401 - registers

GAME = "cardenvs_uno_all_wild"
PARAMETERS = {
    "num_players": 2,
    "chance": "explicit",
    "dealer": 0,
    "deck": "wild:13;skip:1;forced_swap:1",
    "max_decisions": 12,
}
CHECKPOINTS = (1, 10, 100, 1000)


def main() -> None:
    """Print a table: NashConv by solver and iterations, and how many seconds the iterations took."""
    began = time.perf_counter()
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game(GAME, PARAMETERS))
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))  # which visits the whole tree
    print(f"{GAME} {PARAMETERS}\nthe tree: {time.perf_counter() - began:.1f} s; uniform play: {uniform:.4f}\n")
    print(f"{'iterations':<20}{''.join(f'{n:>10,}' for n in CHECKPOINTS)}{'seconds':>10}")
    for name, (step, measure) in solvers(game).items():
        curve, seconds = [], 0.0
        for before, after in zip((0, *CHECKPOINTS), CHECKPOINTS, strict=False):
            began = time.perf_counter()
            for _ in range(after - before):
                step()
            seconds += time.perf_counter() - began
            curve.append(measure())
        print(f"{name:<20}{''.join(f'{gap:>10.4f}' for gap in curve)}{seconds:>10.1f}")


def solvers(game: Any) -> dict[str, tuple[Callable[[], Any], Callable[[], float]]]:
    """By name: what does an iteration, and what measures the average policy."""
    np.random.seed(0)  # the solver that samples takes these random numbers
    compiled = {"CFR": pyspiel.CFRSolver(game), "CFR+": pyspiel.CFRPlusSolver(game)}
    sampling = external_sampling_mccfr.ExternalSamplingSolver(game)
    return {
        name: (
            solver.evaluate_and_update_policy,
            lambda solver=solver: pyspiel.nash_conv(game, solver.average_policy()),
        )
        for name, solver in compiled.items()
    } | {"external sampling": (sampling.iteration, lambda: exploitability.nash_conv(game, sampling.average_policy()))}


if __name__ == "__main__":
    main()
