"""Play whole episodes and keep every decision as a dataset: `python -m training.record game=twits agents=expert`."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import DictConfig

import agents
from agents import Agent
from agents.seats import choose_actions
from cardenvs import BatchGame, games
from cardenvs.core.errors import OptionError, choose, require_int
from cardenvs.core.game import ENCODINGS, as_keywords, resolve_options
from cardenvs.core.rng import seed_keys
from cardenvs.core.sections import rows as section_rows
from training.cli import as_list, command, game_options, make_console, progress, write_whole
from training.datasets import FORMAT, count_parts, part_path, read_part_metadata, successors, write_part
from training.duplicate import Advance, ignore
from training.evaluate import fingerprint
from training.extras import optional

FORMATS = ("parquet", "minari")


def describe(
    game: str,
    num_players: int,
    agents: Sequence[str],
    episodes: int,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    encoding: str = "full",
    part: int = 512,
) -> dict[str, Any]:
    """The metadata of a dataset: all that its rows depend on, as plain data.

    Raises
    ------
    OptionError
        If anything is none of what there is to choose from, or there are not as many agents as seats, or one.
    """
    rules = games.get(game)
    resolved = resolve_options(rules, {"num_players": num_players, **(options or {})})
    players = resolved.num_players
    if len(agents) not in (1, players) or not all(isinstance(name, str) for name in agents):
        raise OptionError(f"agents are {list(agents)}: there must be one for all seats, or {players}, one for each.")
    if "human" in agents:
        raise OptionError("agents: a person cannot play many games at once; python -m agents.play keeps one.")
    seats = list(agents) * (players if len(agents) == 1 else 1)
    choose("encoding", encoding, ENCODINGS)
    length = rules.observation_size(players, encoding)
    table = [row for row in section_rows(rules.sections, players) if row[0] < length]
    return {
        "format": FORMAT,
        "cardenvs": version("cardenvs"),
        "game": game,
        "num_players": players,
        "options": as_keywords(rules, resolved),
        "encoding": encoding,
        "observation_size": length,
        "sections": [
            {"name": name, "first": first, "length": size, "meaning": what} for first, size, name, what in table
        ],
        "action_names": rules.actions(players),
        "seats": seats,
        "agents": list(dict.fromkeys(seats)),
        "files": [fingerprint(name) for name in dict.fromkeys(seats)],
        "seed": require_int("seed", seed, 0),
        "episodes": require_int("episodes", episodes, 1),
        "part": require_int("part", part, 1),
    }


def record(folder: str | Path, metadata: Mapping[str, Any], num_threads: int = 1, advance: Advance = ignore) -> int:
    """Play what `describe` says, and write it into a folder, a part at a time: the number of decisions played.

    Parts that the folder has already are not played again. `advance` is told how many episodes more are over.

    Raises
    ------
    OptionError
        If the folder holds another dataset.
    AgentError
        If there is no such agent, or it cannot play this.
    MissingExtraError
        If pyarrow is not installed.
    """
    optional("data", "pyarrow")  # before anything is played
    players, keys = load_agents(metadata), keys_of(metadata)
    size, total, decisions = metadata["part"], count_parts(metadata), 0
    refuse_other(folder, metadata)
    Path(folder).mkdir(parents=True, exist_ok=True)
    writing: Future[None] | None = None
    with ThreadPoolExecutor(1) as writer:  # a part is written while the next one is played
        for number in range(total):
            path, first = part_path(folder, number), number * size
            if path.is_file():
                advance(len(keys[first : first + size]))
                continue
            rows, _ = play(metadata, players, keys[first : first + size], num_threads, advance)
            rows["episode"] += first
            decisions += len(rows["episode"])
            if writing:
                writing.result()
            writing = writer.submit(write_whole, path, partial(write_part, arrays=rows, metadata=metadata))
        if writing:
            writing.result()
    return decisions


def load_agents(metadata: Mapping[str, Any]) -> list[Agent]:
    """The agents by seat: one that plays several seats is one."""
    game, players, options = metadata["game"], metadata["num_players"], metadata["options"]
    loaded = {name: agents.load(name, game, players, options) for name in metadata["agents"]}
    return [loaded[name] for name in metadata["seats"]]


def keys_of(metadata: Mapping[str, Any]) -> Any:
    """uint64 (episodes,): the key of each episode, the same however many more there are."""
    return seed_keys(metadata["seed"], metadata["episodes"])


def play(
    metadata: Mapping[str, Any], players: Sequence[Agent], keys: Any, num_threads: int = 1, advance: Advance = ignore
) -> tuple[dict[str, Any], BatchGame]:
    """Play one episode a key to its end: the columns of `training.datasets`, and the games.

    A reward is what a seat is paid from its decision until it is asked again, or to the end; what it is paid before it
    is first asked belongs to no decision.
    """
    table = BatchGame(
        metadata["game"],
        len(keys),
        seed=keys,
        encoding=metadata["encoding"],
        num_threads=num_threads,
        num_players=metadata["num_players"],
        **metadata["options"],
    )
    paid = np.zeros((len(keys), len(players)))
    parts: list[tuple[Any, ...]] = []
    left = len(keys)
    while True:
        rows = np.flatnonzero(table.actor >= 0)
        advance(left - len(rows))
        left = len(rows)
        seats, actions = table.actor[rows], choose_actions(table, players)
        seen = table.observe_asked(rows), table.legal()[rows]
        parts.append((rows, np.full(left, len(parts), np.int32), seats, paid[rows, seats], *seen, actions[rows]))
        if not left:  # the last part is of no rows, so that there is one in any case
            break
        table.step(actions)
        paid += table.rewards
    columns = [np.concatenate(part) for part in zip(*parts, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    episode, step, seat, before, observation, mask, action = (column[order] for column in columns)
    following = successors({"episode": episode, "seat": seat, "step": step})
    last, to_come = following < 0, paid[episode, seat] - before
    numbers = np.array([metadata["agents"].index(name) for name in metadata["seats"]], np.int8)
    return {
        "episode": episode,
        "key": keys[episode],
        "seat": seat,
        "agent": numbers[seat],
        "step": step,
        "observation": observation,
        "action_mask": mask,
        "action": action,
        "reward": np.where(last, to_come, to_come - to_come[following]).astype(np.float32),
        "return_to_go": to_come.astype(np.float32),
        "terminated": last & table.terminated[episode],
        "truncated": last & table.truncated[episode],
    }, table


def refuse_other(folder: str | Path, metadata: Mapping[str, Any]) -> None:
    """A folder with parts of another dataset is refused, not overwritten or added to."""
    parts = [path for number in range(count_parts(metadata)) if (path := part_path(folder, number)).is_file()]
    for path in parts or sorted(Path(folder).glob("part_*.parquet"))[:1]:
        found = read_part_metadata(path)
        for name, value in metadata.items():
            if found.get(name) != value:
                raise OptionError(
                    f"{folder} holds a dataset of {name} {found.get(name)!r}, and this is {value!r}: choose another "
                    "output=, or remove it."
                )


@command("record", kept="The parts that were written are kept in {output}: the same command goes on there.")
def main(config: DictConfig) -> None:
    choose("format", config.format, FORMATS)
    console = make_console()
    game = config.game
    metadata = describe(
        game.name,
        game.num_players,
        as_list(config.agents),
        config.episodes,
        config.seed,
        game_options(config),
        config.encoding,
        config.part,
    )
    began = time.perf_counter()
    with progress(console, config.episodes, "episodes", config.progress) as advance:
        if config.format == "minari":
            from training.minari_dataset import record_minari

            decisions = record_minari(config.output, metadata, config.seat, config.num_threads, advance)
        else:
            decisions = record(config.output, metadata, config.num_threads, advance)
    rate = decisions / (time.perf_counter() - began)
    console.print(f"{decisions:,} decisions, {rate:,.0f} a second; the dataset: {config.output}")


if __name__ == "__main__":
    main()
