"""Speeds of all games, or of those named: `make bench` or `python -m benchmarks.speed`. Medians of repeats, and ranges.

All is pinned to one core and has one thread, but for the rows that say so. Learners play against scripted opponents of
every kind, one after the other.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.learning import learning
from benchmarks.numbers import in_words
from benchmarks.rollout import choose_randomly, rollout
from benchmarks.subject import Subject, available_cores, num_cores, pin, pin_to_one_core
from cardenvs import BatchGame, games
from cardenvs.adapters.sb3 import CardVecEnv
from cardenvs.core.arguments import Arguments, run_main
from training.cli import write_json

Rows = dict[str, Callable[[], float]]
Results = dict[str, list[float]]


def seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def random_actions(masks: Any, rng: np.random.Generator) -> Any:
    return np.where(masks, rng.random(masks.shape, dtype=np.float32), -1).argmax(axis=-1)


def kernel_decisions(subject: Subject, count: int = 1_000_000) -> float:
    """Random decisions a second inside a kernel, with mask."""
    batch = BatchGame(subject.name, 1, num_players=subject.players, seed=0)
    rollout(batch._states, batch._mask[0].copy(), 1000, np.uint64(1))
    return count / seconds(lambda: rollout(batch._states, batch._mask[0].copy(), count, np.uint64(2)))


def batch_decisions(
    subject: Subject, num_games: int = 1024, steps: int = 300, num_threads: int = 1, observe: bool = True
) -> float:
    """Decisions a second through BatchGame with mask and, by default, observation, choosing the actions apart."""
    batch = BatchGame(subject.name, num_games, num_players=subject.players, seed=0, num_threads=num_threads)
    observations = batch.observe() if observe else None
    masks, actions = batch.legal(), np.zeros(num_games, np.int64)
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


def vector_steps(subject: Subject, num_envs: int = 1024, steps: int = 200, num_threads: int = 1) -> float:
    """Learner steps a second of the vector environment against scripted opponents, choosing the actions apart."""
    envs = gymnasium.make_vec(
        subject.gym_id,
        num_envs=num_envs,
        num_players=subject.players,
        opponents=subject.opponents,
        num_threads=num_threads,
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


def vec_env_steps(subject: Subject, num_envs: int = 1024, steps: int = 100) -> float:
    """Learner steps a second of SB3's VecEnv against scripted opponents, masks read, choosing the actions apart."""
    envs = CardVecEnv(subject.name, num_envs, seed=0, num_players=subject.players, opponents=subject.opponents)
    envs.reset()
    rng = np.random.default_rng(0)
    spent = 0.0
    for _ in range(steps):
        began = time.perf_counter()
        masks = np.stack(envs.env_method("action_masks"))
        spent += time.perf_counter() - began
        actions = random_actions(masks, rng)
        began = time.perf_counter()
        envs.step(actions)
        spent += time.perf_counter() - began
    return num_envs * steps / spent


def started(subject: Subject, num_games: int, decisions: int = 10) -> BatchGame:
    """Games that are under way."""
    batch = BatchGame(subject.name, num_games, num_players=subject.players, seed=0)
    rng = np.random.default_rng(0)
    for _ in range(decisions):
        batch.step(random_actions(batch.legal(), rng), autoreset=True)
    return batch


def copy_microseconds(subject: Subject, num_games: int, repeats: int = 20) -> float:
    """Microseconds a game of `copy()`."""
    batch = started(subject, num_games)
    return seconds(lambda: [batch.copy() for _ in range(repeats)]) / repeats / num_games * 1e6


def resample_microseconds(subject: Subject, num_games: int, repeats: int = 20) -> float:
    """Microseconds a game of `resample_hidden()`, the copy that it makes included."""
    batch = started(subject, num_games)
    batch.resample_hidden()
    return seconds(lambda: [batch.resample_hidden() for _ in range(repeats)]) / repeats / num_games * 1e6


def bytes_a_game(subject: Subject) -> int:
    """Bytes of a game's record, of its mask and of one observation."""
    batch = BatchGame(subject.name, 1, num_players=subject.players, seed=0)
    return int(batch._states.nbytes + batch.legal().nbytes + batch.observe().nbytes)


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


def one_core(subject: Subject) -> Rows:
    """What is measured of every game and number of players, on one core."""
    module = subject.module()
    return {
        "decisions/s in a kernel": lambda: kernel_decisions(subject),
        **{
            f"decisions/s, BatchGame, {n:,} {'game' if n == 1 else 'games'}{', observation' * observe}": partial(
                batch_decisions, subject, n, max(20, 200_000 // (n + 60)), 1, bool(observe)
            )
            for n in (1, 64, 1024, 8192)
            for observe in (0, 1)
        },
        "µs, AEC raw_env(), last() and step()": lambda: aec_microseconds(subject, module.raw_env, 5000),
        "µs, AEC env(), last() and step()": lambda: aec_microseconds(subject, module.env, 5000),
        "learner steps/s, Gymnasium": lambda: gymnasium_steps(subject, 5000),
        "learner steps/s, vector, 1,024 games": lambda: vector_steps(subject, steps=100),
        "learner steps/s, SB3 VecEnv, 1,024 games": lambda: vec_env_steps(subject, steps=50),
        "µs, a copy of one game": lambda: copy_microseconds(subject, 1),
        "µs a game, a copy of 1,024": lambda: copy_microseconds(subject, 1024),
        "µs a game, resample_hidden of 1,024": lambda: resample_microseconds(subject, 1024),
        "bytes a game: record, mask, observation": lambda: bytes_a_game(subject),
    }


def speed_up(subject: Subject, num_games: int = 8192, steps: int = 24) -> float:
    """How many times as fast BatchGame is with a thread for each core as with one, measured one after the other."""
    one, many = (batch_decisions(subject, num_games, steps, num_threads) for num_threads in (1, num_cores()))
    return many / one


def all_cores(subject: Subject) -> Rows:
    """What is measured with a thread for each core."""
    return {
        "decisions/s, BatchGame, 8,192 games, observation, all cores": lambda: batch_decisions(
            subject, 8192, 24, num_threads=num_cores()
        ),
        "times as fast as on one core, BatchGame, 8,192 games, observation": lambda: speed_up(subject),
        "learner steps/s, vector, 8,192 games, all cores": lambda: vector_steps(
            subject, 8192, 24, num_threads=num_cores()
        ),
    }


def repeat(rows: Rows, repeats: int) -> Results:
    """Every measurement so many times, after one that compiles and warms up."""
    results = {}
    for name, run in rows.items():
        run()
        results[name] = [run() for _ in range(repeats)]
    return results


def measure(subject: Subject, repeats: int, cores: set[int]) -> Results:
    pin_to_one_core()
    results = repeat(one_core(subject), repeats)
    if len(cores) > 1:
        pin(cores)
        results |= repeat(all_cores(subject), repeats)
    return results


def measure_start(subject: Subject, repeats: int, cold: bool) -> Results:
    """Of processes."""
    results = {"s, import cardenvs": [import_seconds() for _ in range(repeats)]}
    with tempfile.TemporaryDirectory() as folder:
        if cold:
            results["s, first process ever to its 100th step"] = [start_seconds(subject, folder)]
        start_seconds(subject, folder)
        results["s, later process to its 100th step"] = [start_seconds(subject, folder) for _ in range(repeats)]
    return results


def measure_learning(subject: Subject, repeats: int) -> Results:
    """Of MaskablePPO, on one core; the parts in percent of its time."""
    runs = [learning(subject) for _ in range(repeats)]
    return {f"MaskablePPO, {name}": [run[name] for run in runs] for name in runs[0]}


def as_table(title: str, columns: dict[str, Results]) -> Table:
    """For the screen: a column for each number of players, medians with their ranges."""
    table = Table(title=title)
    for column in ("what", *columns):
        table.add_column(column, justify="left" if column == "what" else "right")
    for name in next(iter(columns.values())):
        table.add_row(name, *(in_words(results[name]) for results in columns.values()))
    return table


def machine() -> dict[str, Any]:
    """What the numbers depend on."""
    names = ("numba", "numpy", "gymnasium", "pettingzoo", "stable-baselines3", "sb3-contrib", "torch")
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cores": num_cores(),
    } | {"versions": {name: version(name) for name in names}}


def numbers_of_players(name: str) -> list[int]:
    """2, 4 and the most, as far as the game allows."""
    fewest, most = games.get(name).players
    return sorted({min(max(n, fewest), most) for n in (2, 4, most)})


def main() -> None:
    parser = Arguments("benchmarks.speed", __doc__)
    parser.add_argument("games", nargs="*", help="all by default", metavar="game")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-cold", action="store_true", help="leave out the cold compilation")
    parser.add_argument("--no-learning", action="store_true", help="leave out MaskablePPO")
    parser.add_argument("--output", type=Path, default=Path("docs/benchmarks/speed.json"))
    given = parser.parse_args()
    cores = available_cores()
    told: dict[str, Any] = {"machine": machine(), "repeats": given.repeats, "games": {}}
    console = Console(width=150)
    for name in given.games or games.VERSIONS:
        columns = {
            f"{players} players": measure(Subject(name, players), given.repeats, cores)
            for players in numbers_of_players(name)
        }
        console.print(as_table(f"{games.get(name).title}, one core, median of {given.repeats}", columns))
        pin_to_one_core()
        others = measure_start(Subject(name), given.repeats, cold=not given.no_cold)
        if not given.no_learning and len(games.get(name).policies) > 1:
            others |= measure_learning(Subject(name), given.repeats)
        console.print(as_table(f"{games.get(name).title}, {Subject(name).players} players, one core", {"": others}))
        told["games"][name] = columns | {"start and learning": others}
        write_json(given.output, told)


if __name__ == "__main__":
    run_main(main)
