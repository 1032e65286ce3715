"""Agents against tables of others on duplicate deals, many of them, kept as they are played, here or on a cluster."""

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents import Agent
from cardenvs.core.errors import OptionError
from cardenvs.core.rng import seed_keys
from training.cli import write_json
from training.cluster import cores_of, work_through
from training.duplicate import Advance, Result, Seat, check_table, play_duplicates, play_seat, summarise

PIECES = 8  # for each core, so that none waits long for the last


@dataclass(frozen=True)
class Match:
    """An agent against a table of players − 1, clockwise from it; all as for `agents.load`."""

    game: str
    players: int
    agent: str
    table: tuple[str, ...]
    deals: int
    seed: int
    options: Mapping[str, Any]

    @property
    def games(self) -> int:
        """How many are played."""
        return self.deals * self.players


def play_kept(
    path: Path,
    asked: Sequence[dict[str, Any]],
    matches: Sequence[Match],
    tell: Callable[[Result], dict[str, Any]],
    cluster: str | None,
    num_threads: int,
    advance: Advance,
) -> list[dict[str, Any]]:
    """What is `asked` of each match, with what `tell` makes of its result, in order.

    `path` keeps what was played, so that a run which is stopped goes on there; what it holds already is not played
    again, and what else it holds stays. An agent that does not exist is refused before anything is played.
    """
    load_once.cache_clear()  # files may be others than before
    for match in matches:
        load_all(match)
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    found = {n: row for n, what in enumerate(asked) for row in kept if what.items() <= row.items()}
    others = [row for row in kept if row not in found.values()]
    for n in found:
        advance(matches[n].games)
    todo = [n for n in range(len(matches)) if n not in found]
    for number, result in play_matches([matches[n] for n in todo], cluster, num_threads, advance):
        found[todo[number]] = asked[todo[number]] | tell(result)
        write_json(path, [*others, *(found[n] for n in sorted(found))])
    return [found[n] for n in range(len(matches))]


def play_matches(
    matches: Sequence[Match], cluster: str | None, num_threads: int, advance: Advance
) -> Iterator[tuple[int, Result]]:
    """The result of each match, with its number, as they come to their ends; the same ones wherever they are played."""
    for match in matches:
        check_table(match.players, len(match.table), match.deals)
    if cluster is None:
        for number, match in enumerate(matches):
            yield number, play_match(match, num_threads, advance)
        return
    if "human" in {name for match in matches for name in (match.agent, *match.table)}:
        raise OptionError(f"cluster is {cluster!r}: a person can only play here, with cluster=null.")
    size = max(1, -(-sum(match.games for match in matches) // (PIECES * cores_of(cluster))))
    pieces = [
        (number, seat, first)
        for number, match in enumerate(matches)
        for seat in range(match.players)
        for first in range(0, match.deals, size)
    ]
    found_everywhere = [with_whole_paths(match) for match in matches]
    tasks = [(found_everywhere[number], seat, first, size, num_threads) for number, seat, first in pieces]
    left = Counter(number for number, _, _ in pieces)
    played: dict[tuple[int, int, int], Seat] = {}
    for task, piece in work_through(play_piece, tasks, cluster, num_threads):
        played[pieces[task]] = piece
        advance(len(piece.wins))
        number, match = pieces[task][0], matches[pieces[task][0]]
        left[number] -= 1
        if not left[number]:
            of_seat = [[played.pop(key) for key in pieces if key[:2] == (number, s)] for s in range(match.players)]
            yield number, summarise([match.agent, *match.table], match.seed, [join(parts) for parts in of_seat])


def play_match(match: Match, num_threads: int, advance: Advance) -> Result:
    """The whole of it, here."""
    agent, *table = load_all(match)
    result = play_duplicates(
        match.game, match.players, agent, table, match.deals, match.seed, match.options, num_threads, advance
    )
    return replace(result, agent=match.agent, opponents=list(match.table))


def play_piece(match: Match, seat: int, first: int, size: int, num_threads: int) -> Seat:
    """Some of the deals, with the agent in one seat; what a worker does."""
    agent, *table = load_all(match)
    keys = seed_keys(match.seed, match.deals, held_out=True)[first : first + size]
    return play_seat(match.game, agent, table, seat, keys, match.options, num_threads)


def load_all(match: Match) -> list[Agent]:
    """The agent and its table."""
    options = json.dumps(dict(match.options), sort_keys=True)
    return [load_once(spec, match.game, match.players, options) for spec in (match.agent, *match.table)]


@functools.lru_cache(maxsize=64)
def load_once(spec: str, game: str, num_players: int, options: str) -> Agent:
    """`agents.load`, for those who play many matches, or many pieces of one."""
    return agents.load(spec, game, num_players, json.loads(options))


def with_whole_paths(match: Match) -> Match:
    """Agents that are files under names that hold in any folder."""
    agent, *table = (str(Path(spec).resolve()) if Path(spec).exists() else spec for spec in (match.agent, *match.table))
    return replace(match, agent=agent, table=tuple(table))


def join(pieces: Sequence[Seat]) -> Seat:
    """Of one seat, in the order of their deals."""
    columns = ([getattr(piece, what) for piece in pieces] for what in ("wins", "payoffs", "points", "truncated"))
    return Seat(*(np.concatenate(column) for column in columns))
