"""What benchmarks measure, and where."""

import os
from dataclasses import dataclass
from importlib import import_module
from itertools import cycle, islice
from typing import Any

from cardenvs import games


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


def available_cores() -> set[int]:
    """The cores that this process may run on."""
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))


def num_cores() -> int:
    return len(available_cores())


def pin(cores: set[int]) -> None:
    """This process and those that it starts, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)


def pin_to_one_core() -> None:
    pin({min(available_cores())})
