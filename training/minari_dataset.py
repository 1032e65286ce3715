"""Minari datasets (https://minari.farama.org): the episodes of one seat, as a learner in the Gymnasium environment."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from cardenvs import baselines, games
from cardenvs.core.errors import OptionError, require_int
from training.datasets import DatasetError, successors
from training.duplicate import Advance, ignore
from training.extras import optional
from training.record import keys_of, load_agents, play

ROOT = "MINARI_DATASETS_PATH"


def record_minari(
    folder: str | Path, metadata: Mapping[str, Any], seat: int, num_threads: int = 1, advance: Advance = ignore
) -> int:
    """Play what `training.record.describe` says, and make a Minari dataset of it in a folder: the decisions of `seat`.

    Observations, actions, rewards and ``infos["action_mask"]`` are those of the game's Gymnasium environment with the
    other agents for opponents, which the dataset names and can make again. What ends before the seat is asked is no
    episode. The folder gets a dataset that is whole, or none.

    Raises
    ------
    OptionError
        If there is no such seat, or an opponent is none that an environment can have by name.
    DatasetError
        If the folder has the dataset already.
    """
    minari = optional("data", "minari")
    spec = environment_spec(metadata, require_int("seat", seat, 0, metadata["num_players"] - 1))
    name = dataset_name(metadata, seat)
    if (Path(folder) / name).exists():
        raise DatasetError(f"{folder} has a dataset {name} already: choose another output=, or remove it.")
    unfinished = Path(folder) / ".unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    players, keys, size = load_agents(metadata), keys_of(metadata), metadata["part"]
    dataset, decisions = None, 0
    with datasets_in(unfinished):
        for first in range(0, len(keys), size):
            rows, table = play(metadata, players, keys[first : first + size], num_threads, advance)
            buffers = list(episodes_of(minari, rows, table.observe(seat), seat))
            decisions += sum(len(buffer) for buffer in buffers)
            if dataset is None:
                dataset = minari.create_dataset_from_buffers(
                    name,
                    buffers,
                    env=spec,
                    eval_env=spec,
                    algorithm_name=metadata["seats"][seat],
                    author="cardenvs",
                    author_email="",
                    code_permalink="",
                    description=f"Seat {seat} of {', '.join(metadata['seats'])}; seed {metadata['seed']}.",
                    requirements=[f"cardenvs=={metadata['cardenvs']}"],
                )
            else:
                dataset.update_dataset_from_buffer(buffers)
    (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
    os.replace(unfinished / name, Path(folder) / name)
    shutil.rmtree(unfinished)
    return decisions


def dataset_name(metadata: Mapping[str, Any], seat: int) -> str:
    """What Minari calls it: `cardenvs/twits_4p/expert-v0`."""
    agent = "".join(letter if letter.isalnum() else "_" for letter in metadata["seats"][seat])
    return f"cardenvs/{metadata['game']}_{metadata['num_players']}p/{agent}-v0"


def environment_spec(metadata: Mapping[str, Any], seat: int) -> Any:
    """Gymnasium's description of the environment in which that seat learns."""
    opponents = metadata["seats"][seat + 1 :] + metadata["seats"][:seat]
    known = [*games.get(metadata["game"]).policies, baselines.NAME]
    strange = [name for name in opponents if name not in known]
    if strange:
        raise OptionError(
            f"agents: {strange[0]!r} can be no opponent of an environment that is made by name: with format=minari all "
            f"but seat {seat} must be one of {', '.join(known)}."
        )
    spec = gymnasium.spec(games.env_id(metadata["game"]))
    kwargs = {"num_players": metadata["num_players"], "encoding": metadata["encoding"], **metadata["options"]}
    spec.kwargs = {**spec.kwargs, **kwargs, "opponents": opponents, "seat": seat}
    return spec


def episodes_of(minari: Any, rows: Mapping[str, Any], final: Any, seat: int) -> Iterator[Any]:
    """Minari's buffers of the episodes in which `seat` is asked; `final` float32 (episodes, D) is what it sees last."""
    mine = np.flatnonzero(rows["seat"] == seat)
    rows = {name: values[mine] for name, values in rows.items()}
    ends = np.flatnonzero(successors(rows) < 0)
    for first, last in zip([0, *ends[:-1] + 1], ends, strict=True):
        part = slice(first, last + 1)
        masks = rows["action_mask"][part].astype(np.int8)
        yield minari.data_collector.EpisodeBuffer(
            observations=np.concatenate([rows["observation"][part], final[rows["episode"][last], None]]),
            actions=rows["action"][part],
            rewards=rows["reward"][part],
            terminations=rows["terminated"][part],
            truncations=rows["truncated"][part],
            infos={"action_mask": np.concatenate([masks, np.zeros_like(masks[:1])])},
        )


@contextmanager
def datasets_in(folder: Path) -> Iterator[None]:
    """Minari's datasets are in that folder for a while."""
    before = os.environ.get(ROOT)
    os.environ[ROOT] = str(folder.absolute())  # Minari joins what is relative to itself
    try:
        yield
    finally:
        if before is None:
            del os.environ[ROOT]
        else:
            os.environ[ROOT] = before
