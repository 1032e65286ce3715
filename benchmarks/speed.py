"""Speeds on one core, of all games or of those named: `python -m benchmarks.speed`. Medians of repeats, with ranges."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.rollout import choose_randomly, rollout
from cardenvs import BatchGame, games


@dataclass(frozen=True)
class Subject:
    """What is measured: a game, by default with the usual number of players, and a scripted opponent of every kind."""

    name: str
    num_players: int | None = None

    @property
    def players(self) -> int:
        return self.num_players or min(4, games.get(self.name).players[1])

    @property
    def gym_id(self) -> str:
        return games.env_id(self.name)

    @property
    def opponents(self) -> list[str]:
        return list(islice(cycle(games.get(self.name).policies), self.players - 1))

    def module(self) -> Any:
        return import_module(f"cardenvs.{self.name}_v{games.VERSIONS[self.name]}")


def seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def pin_to_one_core() -> None:
    """This process and those that it starts, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def random_actions(masks: Any, rng: np.random.Generator) -> Any:
    return np.where(masks, rng.random(masks.shape, dtype=np.float32), -1).argmax(axis=-1)


def kernel_decisions(subject: Subject, count: int = 1_000_000) -> float:
    """Random decisions a second inside a kernel, with mask."""
    batch = BatchGame(subject.name, 1, num_players=subject.players, seed=0)
    rollout(batch._states, batch._mask[0].copy(), 1000, np.uint64(1))
    return count / seconds(lambda: rollout(batch._states, batch._mask[0].copy(), count, np.uint64(2)))


def batch_decisions(subject: Subject, num_games: int = 1024, steps: int = 300, num_threads: int = 1) -> float:
    """Decisions a second through BatchGame with observation and mask, choosing the actions apart."""
    batch = BatchGame(subject.name, num_games, num_players=subject.players, seed=0, num_threads=num_threads)
    observations, masks, actions = batch.observe(), batch.legal(), np.zeros(num_games, np.int64)
    noise = np.uint64(0)
    spent, decisions = 0.0, 0
    for _ in range(steps):
        noise = np.uint64(choose_randomly(masks, noise, actions))
        decisions += int(np.count_nonzero(actions >= 0))
        began = time.perf_counter()
        batch.step(actions, observations, autoreset=True)
        batch.legal(out=masks)
        spent += time.perf_counter() - began
    return decisions / spent


def aec_microseconds(subject: Subject, make: Callable[..., Any], steps: int = 20_000) -> float:
    """Microseconds of one `last()` and one `step()`, choosing the action apart."""
    env = make(num_players=subject.players)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    spent = 0.0
    for _ in range(steps):
        if any(env.terminations.values()):
            env.reset()
        began = time.perf_counter()
        observation, *_ = env.last()
        spent += time.perf_counter() - began
        action = int(random_actions(observation["action_mask"], rng))
        began = time.perf_counter()
        env.step(action)
        spent += time.perf_counter() - began
    return spent / steps * 1e6


def gymnasium_steps(subject: Subject, steps: int = 20_000) -> float:
    """Learner steps a second against scripted opponents, resets included, choosing the actions apart."""
    env = gymnasium.make(subject.gym_id, num_players=subject.players, opponents=subject.opponents)
    _, info = env.reset(seed=0)
    rng = np.random.default_rng(0)
    spent = 0.0
    for _ in range(steps):
        action = int(random_actions(info["action_mask"], rng))
        began = time.perf_counter()
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
        spent += time.perf_counter() - began
    return steps / spent


def vector_steps(subject: Subject, num_envs: int = 1024, steps: int = 200) -> float:
    """Learner steps a second of the vector environment against scripted opponents."""
    envs = gymnasium.make_vec(
        subject.gym_id, num_envs=num_envs, num_players=subject.players, opponents=subject.opponents
    )
    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    spent = 0.0
    for _ in range(steps):
        actions = random_actions(infos["action_mask"], rng)
        began = time.perf_counter()
        *_, infos = envs.step(actions)
        spent += time.perf_counter() - began
    return num_envs * steps / spent


HUNDRED_STEPS = """
import time; began = time.perf_counter()
import numpy as np
from cardenvs import {module}
env = {module}.env(num_players={players}); env.reset(seed=0)
for agent in env.agent_iter(100):
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(np.flatnonzero(observation["action_mask"])[0]))
print(time.perf_counter() - began)
"""


def start_seconds(subject: Subject, folder: str) -> float:
    """Seconds from the start of a process to its 100th step, with compiled code kept in `folder`."""
    environment = os.environ | {"CARDENVS_CACHE_DIR": folder}
    script = HUNDRED_STEPS.format(module=subject.module().__name__.rpartition(".")[2], players=subject.players)
    return seconds(
        lambda: subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=True)
    )


def import_seconds() -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", "import cardenvs"], check=True))


def measure(subject: Subject, repeats: int, cold: bool) -> dict[str, list[float]]:
    """Every speed, `repeats` times."""
    work: dict[str, Callable[[], float]] = {
        "decisions/s in a kernel": lambda: kernel_decisions(subject),
        "decisions/s, BatchGame, 1,024 games, observation and mask": lambda: batch_decisions(subject),
        "µs, AEC env(), last() and step()": lambda: aec_microseconds(subject, subject.module().env),
        "µs, AEC raw_env(), last() and step()": lambda: aec_microseconds(subject, subject.module().raw_env),
        "learner steps/s, Gymnasium, scripted opponents": lambda: gymnasium_steps(subject),
        "learner steps/s, Gymnasium vector, 1,024 games, scripted opponents": lambda: vector_steps(subject),
        "s, import cardenvs": import_seconds,
    }
    results = {name: [run() for _ in range(repeats)] for name, run in work.items()}
    with tempfile.TemporaryDirectory() as folder:
        if cold:
            results["s, first process ever to its 100th step"] = [start_seconds(subject, folder)]
        start_seconds(subject, folder)
        results["s, later process to its 100th step"] = [start_seconds(subject, folder) for _ in range(repeats)]
    return results


def as_table(subject: Subject, results: dict[str, list[float]], repeats: int) -> Table:
    """For the screen."""
    title = games.get(subject.name).title
    table = Table(title=f"{title}, {subject.players} players, one core, median of {repeats}")
    for column in ("what", "median", "lowest", "highest"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, values in results.items():
        table.add_row(name, *(f"{value:,.2f}" for value in (statistics.median(values), min(values), max(values))))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="all by default", metavar="game")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-cold", action="store_true", help="leave out the cold compilation")
    parser.add_argument("--output", type=Path, default=Path("runs/speed.json"))
    arguments = parser.parse_args()
    pin_to_one_core()
    results = {}
    for subject in map(Subject, arguments.games or games.VERSIONS):
        results[subject.name] = measure(subject, arguments.repeats, cold=not arguments.no_cold)
        Console(width=120).print(as_table(subject, results[subject.name], arguments.repeats))
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
