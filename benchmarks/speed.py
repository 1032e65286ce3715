"""Speeds of UNO All Wild on one core: `python -m benchmarks.speed`. Medians of repeats with their range."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.rollout import choose_randomly, rollout
from cardenvs import BatchGame, uno_all_wild_v0

GAME, PLAYERS = "uno_all_wild", 4
OPPONENTS = ["random", "greedy", "expert"]
GYM_ID = "cardenvs/UnoAllWild-v0"


def seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def random_actions(masks: Any, rng: np.random.Generator) -> Any:
    return np.where(masks, rng.random(masks.shape, dtype=np.float32), -1).argmax(axis=-1)


def kernel_decisions(count: int = 1_000_000) -> float:
    """Random decisions a second inside a kernel, with mask."""
    games = BatchGame(GAME, 1, num_players=PLAYERS, seed=0)
    rollout(games._states, games._mask[0].copy(), 1000, np.uint64(1))
    return count / seconds(lambda: rollout(games._states, games._mask[0].copy(), count, np.uint64(2)))


def batch_decisions(num_games: int = 1024, steps: int = 300) -> float:
    """Decisions a second through BatchGame with observation and mask, choosing the actions apart."""
    games = BatchGame(GAME, num_games, num_players=PLAYERS, seed=0)
    observations, masks, actions = games.observe(), games.legal(), np.zeros(num_games, np.int64)
    noise = np.uint64(0)
    spent, decisions = 0.0, 0
    for _ in range(steps):
        noise = np.uint64(choose_randomly(masks, noise, actions))
        decisions += int(np.count_nonzero(actions >= 0))
        began = time.perf_counter()
        games.step(actions, observations, autoreset=True)
        games.legal(out=masks)
        spent += time.perf_counter() - began
    return decisions / spent


def aec_microseconds(make: Callable[..., Any], steps: int = 20_000) -> float:
    """Microseconds of one `last()` and one `step()`, choosing the action apart."""
    env = make(num_players=PLAYERS)
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


def gymnasium_steps(steps: int = 20_000) -> float:
    """Learner steps a second against three scripted opponents, resets included, choosing the actions apart."""
    env = gymnasium.make(GYM_ID, num_players=PLAYERS, opponents=OPPONENTS)
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


def vector_steps(num_envs: int = 1024, steps: int = 200) -> float:
    """Learner steps a second of the vector environment against three scripted opponents."""
    envs = gymnasium.make_vec(GYM_ID, num_envs=num_envs, num_players=PLAYERS, opponents=OPPONENTS)
    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    spent = 0.0
    for _ in range(steps):
        actions = random_actions(infos["action_mask"], rng)
        began = time.perf_counter()
        *_, infos = envs.step(actions)
        spent += time.perf_counter() - began
    return num_envs * steps / spent


HUNDRED_STEPS = f"""
import time; began = time.perf_counter()
import numpy as np
from cardenvs import uno_all_wild_v0
env = uno_all_wild_v0.env(num_players={PLAYERS}); env.reset(seed=0)
for agent in env.agent_iter(100):
    observation, _, terminated, truncated, _ = env.last()
    env.step(None if terminated or truncated else int(np.flatnonzero(observation["action_mask"])[0]))
print(time.perf_counter() - began)
"""


def start_seconds(folder: str) -> float:
    """Seconds from the start of a process to its 100th step, with compiled code kept in `folder`."""
    environment = os.environ | {"CARDENVS_CACHE_DIR": folder}
    return seconds(
        lambda: subprocess.run([sys.executable, "-c", HUNDRED_STEPS], env=environment, capture_output=True, check=True)
    )


def import_seconds() -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", "import cardenvs"], check=True))


def measure(repeats: int, cold: bool) -> dict[str, list[float]]:
    """Every speed, `repeats` times."""
    work: dict[str, Callable[[], float]] = {
        "decisions/s in a kernel": kernel_decisions,
        "decisions/s, BatchGame, 1,024 games, observation and mask": batch_decisions,
        "µs, AEC env(), last() and step()": lambda: aec_microseconds(uno_all_wild_v0.env),
        "µs, AEC raw_env(), last() and step()": lambda: aec_microseconds(uno_all_wild_v0.raw_env),
        "learner steps/s, Gymnasium, 3 scripted opponents": gymnasium_steps,
        "learner steps/s, Gymnasium vector, 1,024 games, 3 scripted opponents": vector_steps,
        "s, import cardenvs": import_seconds,
    }
    results = {name: [run() for _ in range(repeats)] for name, run in work.items()}
    with tempfile.TemporaryDirectory() as folder:
        if cold:
            results["s, first process ever to its 100th step"] = [start_seconds(folder)]
        start_seconds(folder)
        results["s, later process to its 100th step"] = [start_seconds(folder) for _ in range(repeats)]
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-cold", action="store_true", help="leave out the cold compilation")
    parser.add_argument("--output", type=Path, default=Path("runs/speed.json"))
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    results = measure(arguments.repeats, cold=not arguments.no_cold)
    table = Table(title=f"UNO All Wild, {PLAYERS} players, one core, median of {arguments.repeats}")
    for column in ("what", "median", "lowest", "highest"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name, values in results.items():
        table.add_row(name, *(f"{value:,.2f}" for value in (statistics.median(values), min(values), max(values))))
    Console(width=120).print(table)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
