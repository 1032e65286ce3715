"""Our speeds beside those of others, in one run on one core: `python -m benchmarks.compare`, or `make bench-peers`.

Each peer has an environment of its own under `.venv-peers`, made when it is first needed; one that cannot be installed
or does not run is named with the reason. Each is measured just after what of ours is beside it, in turns, and a ratio
is that of the numbers of one turn.
"""

import json
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.elsewhere import python_with
from benchmarks.learning import learning
from benchmarks.speed import (
    aec_microseconds,
    batch_decisions,
    gymnasium_steps,
    kernel_decisions,
    seconds,
    vector_steps,
)
from benchmarks.subject import Subject, pin_to_one_core
from cardenvs.core.arguments import Arguments, run_main
from training.cli import write_json

FOLDER = Path(".venv-peers")
SCRIPTS = Path(__file__).parent / "peers"
PEERS = {
    "openspiel": ["open_spiel==2.0.2"],
    "pgx": ["pgx==2.6.0", "jax==0.10.2"],
    "envpool": ["envpool==1.2.5"],
    "rlcard": ["rlcard==1.2.0"],
    "pettingzoo": ["pettingzoo[classic]==1.27.0"],
    "tutorial": ["pettingzoo[classic]==1.27.0", "sb3-contrib==2.9.2", "torch==2.13.0"],
}
UNO = Subject("uno_all_wild")


def cartpole_steps(num_envs: int = 1024, steps: int = 300) -> float:
    """Steps a second of Gymnasium's own vector CartPole, choosing the actions apart."""
    envs = gymnasium.make_vec("CartPole-v1", num_envs=num_envs, vectorization_mode="vector_entry_point")
    envs.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 2, (steps, num_envs))
    return num_envs * steps / seconds(lambda: [envs.step(chosen) for chosen in actions])


OURS: dict[str, Callable[[], float]] = {
    "kernel": lambda: kernel_decisions(UNO),
    "BatchGame": lambda: batch_decisions(UNO),
    "env()": lambda: aec_microseconds(UNO, UNO.module().env),
    "Gymnasium": lambda: gymnasium_steps(UNO),
    "vector": lambda: vector_steps(UNO),
    "MaskablePPO": lambda: learning(UNO)["steps/s"],
}


@dataclass(frozen=True)
class Row:
    """What of ours is compared with what of theirs; µs are better when fewer."""

    ours: str
    peer: str
    theirs: str
    unit: str = "decisions/s"

    def ratio(self, ours: float, theirs: float) -> float:
        return theirs / ours if self.unit == "µs" else ours / theirs


ROWS = [
    Row("kernel", "openspiel", "crazy_eights, C++ bots"),
    Row("BatchGame", "pgx", "leduc_holdem, 1,024 games"),
    Row("BatchGame", "pgx", "connect_four, 1,024 games"),
    Row("BatchGame", "envpool", "LeducHoldem-v1, 1,024 games"),
    Row("env()", "pettingzoo", "connect_four_v3, last() and step(), µs", "µs"),
    Row("env()", "pettingzoo", "texas_holdem_v4, last() and step(), µs", "µs"),
    Row("Gymnasium", "openspiel", "crazy_eights, Python"),
    Row("Gymnasium", "rlcard", "uno, its own loop"),
    Row("vector", "gymnasium", "CartPole"),
    Row("MaskablePPO", "tutorial", "connect_four_v3, MaskablePPO"),
]


def measure_peer(peer: str) -> dict[str, float]:
    """What a peer's script prints; it runs elsewhere, so that no module of ours shadows one of theirs."""
    script = (SCRIPTS / f"play_{peer}.py").absolute()
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [python_with(FOLDER / peer, PEERS[peer]), "-P", script],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        )
    measured: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return measured


def take_turn(missing: dict[str, str]) -> dict[str, Any]:
    """By peer, what of ours is beside it and what it measured; one that fails goes to `missing` with what it said."""
    turn: dict[str, Any] = {}
    for peer in dict.fromkeys(row.peer for row in ROWS if row.peer not in missing):
        ours = {row.ours: OURS[row.ours]() for row in ROWS if row.peer == peer}
        try:
            turn[peer] = ours | ({"CartPole": cartpole_steps()} if peer == "gymnasium" else measure_peer(peer))
        except subprocess.CalledProcessError as error:
            missing[peer] = (error.stderr or "").strip().splitlines()[-1]
    return turn


def summarise(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By row: both sides and their ratio, each with its range over the turns."""
    rows = []
    for row in ROWS:
        pairs = [(turn[row.peer][row.ours], turn[row.peer][row.theirs]) for turn in turns if row.peer in turn]
        if pairs:
            ratios = [row.ratio(*pair) for pair in pairs]
            rows.append(
                {"ours": row.ours, "peer": row.peer, "theirs": row.theirs, "unit": row.unit}
                | {"our_median": statistics.median(ours for ours, _ in pairs)}
                | {"their_median": statistics.median(theirs for _, theirs in pairs)}
                | {"ratio": statistics.median(ratios), "lowest": min(ratios), "highest": max(ratios)}
            )
    return rows


def as_table(rows: list[dict[str, Any]], repeats: int) -> Table:
    table = Table(title=f"UNO All Wild, 4 players, beside others; one core, median of {repeats} turns")
    for column in ("ours", "", "theirs", "", "ratio", "lowest", "highest"):
        table.add_column(column, justify="right" if column not in ("ours", "theirs") else "left")
    for row in rows:
        theirs = f"{row['peer']} {row['theirs']}"
        rates = [f"{row[key]:,.0f}" for key in ("our_median", "their_median")]
        table.add_row(
            row["ours"], rates[0], theirs, rates[1], *(f"{row[k]:,.1f}" for k in ("ratio", "lowest", "highest"))
        )
    return table


def main() -> None:
    parser = Arguments("benchmarks.compare", __doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, default=Path("docs/benchmarks/peers.json"))
    given = parser.parse_args()
    pin_to_one_core()
    missing: dict[str, str] = {}
    for measure in OURS.values():
        measure()  # compiled and warm
    turns = [take_turn(missing) for _ in range(given.repeats)]
    rows = summarise(turns)
    Console(width=140).print(as_table(rows, given.repeats))
    for peer, reason in missing.items():
        print(f"{peer} ({', '.join(PEERS[peer])}) was left out: {reason}", file=sys.stderr)
    versions = PEERS | {name: [f"{name}=={version(name)}"] for name in ("numba", "numpy", "gymnasium")}
    told = {"rows": rows, "turns": turns, "missing": missing, "versions": versions, "python": platform.python_version()}
    write_json(given.output, told)


if __name__ == "__main__":
    run_main(main)
