"""ISMCTS as an agent: `agents.load("ismcts:simulations=1000,playouts=greedy", …)`. The search is `agents.search`."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np

from agents.protocol import Agent, AgentError
from agents.search import simulate
from cardenvs import BatchGame
from cardenvs.core.game import Game
from cardenvs.core.state import new_records

SLICE = 200  # simulations between two looks at the clock, and at whether they are wanted still
MOST_NODES = 100_000  # of a tree; simulations beyond leave it as it is and only count
UNBOUNDED = 10**9


@dataclass(frozen=True)
class Settings:
    """How to search: by so many `simulations` a decision, and no longer than `time` seconds where that is not 0.

    `playouts` is the scripted policy that all seats follow below the tree; `exploration` the weight of what was tried
    seldom, for rewards from −1 to 1; `threads` how many decisions are searched at once. Without a time limit the result
    depends on neither machine nor threads.
    """

    simulations: int = 1000
    time: float = 0.0
    playouts: str = "random"
    exploration: float = 1.0
    threads: int = 1


@dataclass
class Tree:
    """What one thread searches with; rows that are in use are cleared before the next search."""

    arrays: tuple[Any, ...]
    path: Any
    scratch: Any
    work: Any
    mask: Any
    gains: Any
    nodes_used: Any = field(default_factory=lambda: np.zeros(1, np.int64))
    stream: Any = field(default_factory=lambda: np.zeros(1, np.uint64))


def make_tree(games: BatchGame, nodes: int) -> Tree:
    num_actions = len(games.action_names)
    return Tree(
        arrays=(
            np.zeros((nodes, num_actions), np.int32),
            np.zeros((nodes, num_actions), np.int32),
            np.zeros((nodes, num_actions), np.int32),
            np.zeros((nodes, num_actions), np.float32),
        ),
        path=np.zeros((nodes + 1, 3), np.int32),
        scratch=new_records(games.game.state, 1),
        work=new_records(games.game.view_record, 1),
        mask=np.zeros(num_actions, np.bool_),
        gains=np.zeros(games.num_players, np.float32),
    )


def search(game: Game, tree: Tree, root: Any, settings: Settings, halted: Callable[[], bool] = bool) -> Any:
    """How often each action was visited from a possible position, (1,) record: int32 (A,); none more once `halted`."""
    for array in tree.arrays:
        array[: tree.nodes_used[0]] = 0
    tree.nodes_used[0] = 1
    tree.stream[0] = root["key"][0]
    policy = game.policies.index(settings.playouts)

    def run(count: int) -> None:
        simulate(
            root, tree.scratch, tree.work, tree.mask, tree.gains, *tree.arrays, tree.path, tree.nodes_used, tree.stream,
            count, policy, settings.exploration,
        )  # fmt: skip

    if settings.time:
        run(0)  # compiled before the clock starts
    began = time.perf_counter()
    left = settings.simulations
    while left > 0 and not halted():
        count = min(SLICE, left)
        run(count)
        left -= count
        if settings.time and time.perf_counter() - began > settings.time:
            break
    return tree.arrays[1][0].copy()


def choose_all(possible: BatchGame, settings: Settings) -> Any:
    """The action that was visited most, for each of these possible positions: int64 (n,)."""
    nodes = min(settings.simulations + 1, MOST_NODES)
    rows = iter(range(len(possible)))
    halt = Event()
    masks = possible.legal()
    actions, choices = masks.argmax(axis=1), masks.sum(axis=1)

    def work() -> None:
        tree = make_tree(possible, nodes)
        for i in rows:
            if halt.is_set():
                return
            if choices[i] > 1:
                actions[i] = np.argmax(search(possible.game, tree, possible._states[i : i + 1], settings, halt.is_set))

    threads = max(1, min(settings.threads, len(possible)))
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(work) for _ in range(threads)]:
                done.result()
        except BaseException:  # Ctrl-C is not to wait for what nobody will read
            halt.set()
            raise
    return actions


def make_agent(game: Game, spec: str) -> Agent:
    """The agent of ``"ismcts:simulations=1000,playouts=greedy"``; all settings are those of `Settings`.

    Raises
    ------
    AgentError
        If there is no such setting, or it cannot have that value.
    """
    settings = read_settings(game, spec.partition(":")[2])
    return Agent(name=spec, search=lambda possible: choose_all(possible, settings))


def read_settings(game: Game, text: str) -> Settings:
    """Settings of ``"name=value,name=value"``."""
    given: dict[str, Any] = {}
    kinds: dict[str, Any] = {name: type(default) for name, default in vars(Settings()).items()}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in kinds:
            raise AgentError(f"ismcts has no setting {name!r}: it must be one of {', '.join(kinds)}.")
        try:
            given[name] = kinds[name](value)
        except ValueError:
            raise AgentError(f"ismcts: {name} is {value!r}: it must be of type {kinds[name].__name__}.") from None
    if "time" in given and "simulations" not in given:
        given["simulations"] = UNBOUNDED
    settings = Settings(**given)
    if settings.playouts not in game.policies:
        raise AgentError(f"ismcts: playouts is {settings.playouts!r}: it must be one of {', '.join(game.policies)}.")
    for name, least in (("simulations", 1), ("threads", 1), ("time", 0), ("exploration", 0)):
        if not getattr(settings, name) >= least:
            raise AgentError(f"ismcts: {name} is {getattr(settings, name)}: it must be at least {least}.")
    return settings
