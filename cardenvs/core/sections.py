"""Observations as a list of named sections, from which offsets, tables and tests all come."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Section:
    """One block of an observation.

    `length` is its number of features for P players. A section with `memory` is left out of the compact encoding,
    and so stands after all others.
    """

    name: str
    length: Callable[[int], int]
    meaning: str
    memory: bool = False


def starts(sections: Sequence[Section], max_players: int) -> Any:
    """Where each section begins, and the end: int16 (max_players + 1, len(sections) + 1), by number of players."""
    table = np.zeros((max_players + 1, len(sections) + 1), np.int16)
    for players in range(1, max_players + 1):
        table[players, 1:] = np.cumsum([section.length(players) for section in sections])
    return table


def size(sections: Sequence[Section], players: int, encoding: str) -> int:
    """Number of features of an encoding."""
    return sum(section.length(players) for section in sections if encoding == "full" or not section.memory)


def rows(sections: Sequence[Section], players: int) -> list[tuple[int, int, str, str]]:
    """The table of the observation: (first feature, length, name, meaning), in order."""
    first, table = 0, []
    for section in sections:
        table.append((first, section.length(players), section.name, section.meaning))
        first += section.length(players)
    return table
