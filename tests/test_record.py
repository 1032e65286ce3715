"""Datasets of recorded play: what is written is what was played, in any batch, and after any kill."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import minari
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from agents import Agent, AgentError
from cardenvs import BatchGame
from cardenvs.core.errors import OptionError
from cardenvs.core.rng import HELD_OUT
from docs.recipes import behaviour_cloning
from training import datasets
from training.datasets import DatasetError, batches, load, part_paths, successors
from training.extras import MissingExtraError, optional
from training.minari_dataset import record_minari
from training.record import describe, play, record

ROOT = Path(__file__).resolve().parents[1]
TABLES = {
    "uno_all_wild": (4, ["expert", "greedy", "random", "expert"], {"uno_calls": "declare", "reward": "score"}),
    "twits": (2, ["expert", "baseline"], {}),
    "twice_the_fun": (3, ["random"], {"max_decisions": 40}),
    "wild_twists": (2, ["random"], {}),
}


def written(folder, game, players, agents, episodes=20, **settings):
    """The metadata and arrays of a dataset that is played for the purpose."""
    record(folder, describe(game, players, agents, episodes, **settings))
    return load(folder)


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def table_of(metadata, keys):
    options = metadata["options"]
    return BatchGame(
        metadata["game"], len(keys), seed=keys, num_players=metadata["num_players"], encoding=metadata["encoding"],
        **options,
    )  # fmt: skip


@pytest.mark.parametrize("game", TABLES)
def test_played_again_by_its_actions_a_dataset_is_as_it_was_recorded(game, tmp_path):
    players, agents, options = TABLES[game]
    metadata, rows = written(tmp_path, game, players, agents, options=options, part=8)
    keys = rows["key"][np.unique(rows["episode"], return_index=True)[1]]
    table, paid = table_of(metadata, keys), []
    order = np.lexsort((rows["episode"], rows["step"]))
    for step in range(rows["step"].max() + 1):
        now = order[rows["step"][order] == step]
        running = np.flatnonzero(table.actor >= 0)
        assert rows["episode"][now].tolist() == running.tolist()
        assert (rows["seat"][now] == table.actor[running]).all()
        assert (rows["observation"][now] == table.observe()[running]).all()
        assert (rows["action_mask"][now] == table.legal()[running]).all()
        actions = np.zeros(len(table), np.int64)
        actions[running] = rows["action"][now]
        table.step(actions)
        paid.append(table.rewards)
    assert (table.actor < 0).all() and not (rows["key"] & HELD_OUT).any()
    assert (rows["agent"] == np.array(metadata["seats"])[rows["seat"]]).all()
    ends = {"terminated": table.terminated, "truncated": table.truncated}
    assert np.any(ends["truncated"]) == ("max_decisions" in options)
    earned = np.cumsum([np.zeros_like(paid[0]), *paid], axis=0, dtype=float)  # before each step, and at the end
    for episode in range(len(table)):
        for seat in range(players):
            sums = earned[:, episode, seat]
            mine = np.flatnonzero((rows["episode"] == episode) & (rows["seat"] == seat))
            for row, step, until in zip(mine, rows["step"][mine], [*rows["step"][mine][1:], len(paid)], strict=True):
                assert abs(rows["reward"][row] - (sums[until] - sums[step])) < 1e-6
                assert abs(rows["return_to_go"][row] - (sums[-1] - sums[step])) < 1e-6
                for name, end in ends.items():
                    assert rows[name][row] == (row == mine[-1] and end[episode])


def test_every_action_is_legal_and_every_column_has_its_type(tmp_path):
    metadata, rows = written(tmp_path, "uno_all_wild", 4, ["expert"])
    n = len(rows["action"])
    assert rows["action_mask"][np.arange(n), rows["action"]].all()
    assert rows["observation"].shape == (n, metadata["observation_size"]) and n > 500
    assert rows["action_mask"].shape == (n, len(metadata["action_names"]))
    types = {name: values.dtype.name for name, values in rows.items()}
    assert types["observation"] == types["reward"] == types["return_to_go"] == "float32"
    assert types["key"] == "uint64" and types["action"] == "int64" and types["action_mask"] == "bool"
    assert sum(section["length"] for section in metadata["sections"]) == metadata["observation_size"]


def test_rows_do_not_depend_on_parts_or_threads_or_on_how_many_more_there_are(tmp_path):
    _, small = written(tmp_path / "small", "twits", 4, ["expert", "random", "greedy", "baseline"], 600, part=64)
    metadata = describe("twits", 4, ["expert", "random", "greedy", "baseline"], 600, part=600)
    record(tmp_path / "threads", metadata, num_threads=2)
    assert same(small, load(tmp_path / "threads")[1])
    _, fewer = written(tmp_path / "fewer", "twits", 4, ["expert", "random", "greedy", "baseline"], 50)
    assert same(fewer, {name: values[: len(fewer["key"])] for name, values in small.items()})
    assert len(part_paths(tmp_path / "small")) == 10 and small["episode"].max() == 599


def test_a_seed_is_a_dataset(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        written(tmp_path / name, "twits", 2, ["random"], seed=seed)
    a, b, c = (part_paths(tmp_path / name)[0].read_bytes() for name in "abc")
    assert a == b != c


def test_the_compact_encoding_is_recorded_too(tmp_path):
    _, full = written(tmp_path / "full", "twits", 3, ["expert"])
    metadata, compact = written(tmp_path / "compact", "twits", 3, ["expert"], encoding="compact")
    size = metadata["observation_size"]
    assert size < full["observation"].shape[1] and (compact["observation"] == full["observation"][:, :size]).all()
    assert sum(section["length"] for section in metadata["sections"]) == size


SLOW = (
    "game=twits", "game.num_players=2", "agents=['ismcts:simulations=20,playouts=greedy',expert]", "episodes=24",
    "part=4", "progress=false",
)  # fmt: skip


def start(folder):
    return subprocess.Popen(
        [sys.executable, "-m", "training.record", *SLOW, f"output={folder}"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    out, err = (process := start(folder)).communicate(timeout=120)
    assert process.returncode == 0 and "decisions, " in out, err
    return [path.read_bytes() for path in part_paths(folder)]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill", "ctrl_c"])
def test_a_run_that_is_stopped_goes_on_and_writes_the_same_files(how, uninterrupted, tmp_path):
    process = start(tmp_path)
    for _ in range(1200):
        if len(part_paths(tmp_path)) >= 2 or process.poll() is not None:
            break
        time.sleep(0.02)
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    kept = {path: path.stat().st_mtime_ns for path in part_paths(tmp_path)}
    assert 2 <= len(kept) < 6
    if how == signal.SIGINT:
        assert process.returncode == 130 and "the same command goes on there" in err and "Traceback" not in err
    with pytest.raises(DatasetError, match=f"holds {len(kept)} of 6 parts"):
        load(tmp_path)
    (tmp_path / ".part_00005.parquet.unfinished.parquet").write_bytes(b"half")
    (again := start(tmp_path)).communicate(timeout=120)
    assert again.returncode == 0
    assert [path.read_bytes() for path in part_paths(tmp_path)] == uninterrupted
    assert all(path.stat().st_mtime_ns == written for path, written in kept.items())
    assert not list(tmp_path.glob(".part*"))


def test_a_folder_with_another_dataset_is_neither_overwritten_nor_added_to(tmp_path):
    record(tmp_path, metadata := describe("twits", 2, ["random"], 12, part=4))
    before = [path.read_bytes() for path in part_paths(tmp_path)]
    for other, what in (({"seed": 1}, "seed 0"), ({"episodes": 20}, "episodes 12"), ({"part": 12}, "part 4")):
        with pytest.raises(OptionError, match=f"holds a dataset of {what}"):
            record(tmp_path, metadata | other)
    part_paths(tmp_path)[0].unlink()
    with pytest.raises(OptionError, match="holds a dataset of seed"):
        record(tmp_path, metadata | {"seed": 1, "episodes": 12})
    assert [path.read_bytes() for path in part_paths(tmp_path)] == before[1:]
    assert record(tmp_path, metadata) > 0 and record(tmp_path, metadata) == 0
    assert [path.read_bytes() for path in part_paths(tmp_path)] == before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"agents": ["expert", "greedy"]}, "must be one for all seats, or 4"),
        ({"agents": ["human"]}, "a person cannot play many games"),
        ({"agents": [3]}, "must be one for all seats"),
        ({"episodes": 0}, "episodes is 0: it must be a whole number of at least 1"),
        ({"part": 0}, "part is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"encoding": "ful"}, "Did you mean 'full'"),
        ({"options": {"uno_calls": "no"}}, "option 'uno_calls' is unknown"),
        ({"num_players": 9}, "num_players is 9"),
    ],
)
def test_what_cannot_be_recorded_is_refused(given, message):
    with pytest.raises(OptionError, match=message):
        describe(**{"game": "twits", "num_players": 4, "agents": ["expert"], "episodes": 5, **given})


def test_an_agent_that_there_is_not_leaves_no_folder_behind(tmp_path):
    with pytest.raises(AgentError, match="Did you mean 'expert'"):
        record(tmp_path / "none", describe("twits", 4, ["exprt"], 5))
    assert not (tmp_path / "none").exists()


def test_an_agent_of_ones_own_is_asked_for_its_seats_alone():
    metadata = describe("twits", 2, ["first", "random"], 20)
    asked = []

    def first(observations, masks):
        asked.append(len(masks))
        return masks.argmax(axis=1)

    players = [Agent("first", act=first), Agent("random", scripted="random")]
    rows, _ = play(metadata, players, np.arange(20, dtype=np.uint64))
    mine = rows["seat"] == 0
    assert (rows["action"][mine] == rows["action_mask"][mine].argmax(axis=1)).all()
    assert sum(asked) == mine.sum() > 0


# --- reading ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three_parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    record(folder, describe("twits", 2, ["greedy"], 12, part=5))
    return folder


def test_batches_are_all_rows_once(three_parts):
    _, rows = load(three_parts)
    n = len(rows["action"])
    parts = list(batches(three_parts, 50))
    assert [len(part["action"]) for part in parts] == [50] * (n // 50) + [n % 50]
    assert same(rows, {name: np.concatenate([part[name] for part in parts]) for name in rows})
    shuffled, again = (
        np.concatenate([part["step"] + 1000 * part["episode"] for part in batches(
            three_parts, 50, ["step", "episode"], np.random.default_rng(3))])
        for _ in range(2)
    )  # fmt: skip
    known = rows["step"] + 1000 * rows["episode"]
    assert (shuffled == again).all() and (shuffled != known).any() and (np.sort(shuffled) == known).all()


def test_some_columns_are_read_alone_and_successors_follow_a_seat(three_parts):
    _, rows = load(three_parts, ["episode", "seat", "step"])
    assert list(rows) == ["episode", "seat", "step"]
    following, n = successors(rows), len(rows["step"])
    for row in range(n):
        later = [
            other for other in range(row + 1, n)
            if rows["episode"][other] == rows["episode"][row] and rows["seat"][other] == rows["seat"][row]
        ]  # fmt: skip
        assert following[row] == (later[0] if later else -1)
    with pytest.raises(OptionError, match="Did you mean 'action'"):
        load(three_parts, ["actions"])


def damage(folder, part, change):
    """A copy of the dataset with one file changed."""
    path = part_paths(folder)[part]
    change(path)
    return folder


def with_metadata(path, metadata):
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({datasets.KEY: json.dumps(metadata)} if metadata else None), path)


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        (1, Path.unlink, "holds 2 of 3 parts"),
        (0, lambda path: path.write_bytes(b"nothing"), "part_00000.parquet is no Parquet file"),
        (0, lambda path: path.write_bytes(path.read_bytes()[:-9]), "part_00000.parquet is no Parquet file"),
        (0, lambda path: pq.write_table(pa.table({"a": [1]}), path), "no part of a dataset: .* no metadata 'cardenvs'"),
        (1, lambda path: with_metadata(path, {"format": 1, "seed": 5}), "is of another dataset than part_00000"),
        (0, lambda path: with_metadata(path, {"format": 2}), "has format 2: this version reads format 1"),
    ],
    ids=["missing", "nothing", "cut", "other", "mixed", "newer"],
)
def test_what_is_no_whole_dataset_is_refused(part, change, message, three_parts, tmp_path):
    for path in part_paths(three_parts):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    change(part_paths(tmp_path)[part])
    with pytest.raises(DatasetError, match=message):
        load(tmp_path)
    with pytest.raises(DatasetError, match=message):
        next(batches(tmp_path, 10))


@pytest.mark.parametrize("name", ["empty", "none"])
def test_a_folder_without_a_dataset_is_refused(name, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match=f"{name} holds no dataset"):
        load(tmp_path / name)


def test_a_library_that_is_not_installed_is_named_with_its_extra(three_parts, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pyarrow is not installed: pip install "cardenvs\[data\]"'):
        load(three_parts)
    with pytest.raises(MissingExtraError, match="pyarrow is not installed"):
        record(tmp_path / "none", describe("twits", 2, ["random"], 5))
    assert not (tmp_path / "none").exists()
    with pytest.raises(MissingExtraError, match="no_such_module is not installed"):
        optional("data", "no_such_module")


def test_a_clone_learns_what_was_recorded(tmp_path, capsys):
    words = ["--small", "--game", "twits", "--players", "2", "--output", str(tmp_path)]
    torch.manual_seed(5)
    results = behaviour_cloning.main(words)
    said = capsys.readouterr().out
    assert float(re.search(r"epoch 1: ([\d.]+)% of choices", said)[1]) > 50  # where two or more are legal
    assert [result.agent for result in results] == ["expert", "a clone of expert"]
    assert results[0].games == results[1].games == 40 and "95% interval" in said
    assert behaviour_cloning.main(words) == results


# --- Minari -----------------------------------------------------------------------------------------------------------


def test_a_minari_dataset_holds_the_episodes_of_one_seat(tmp_path, monkeypatch):
    metadata = describe("twits", 3, ["expert", "greedy", "random"], 40, options={"max_decisions": 60}, part=16)
    record(tmp_path / "rows", metadata)
    decisions = record_minari(tmp_path / "minari", metadata, 1)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    dataset = minari.load_dataset("cardenvs/twits_3p/greedy-v0")
    rows = load(tmp_path / "rows")[1]
    rows = {name: values[rows["seat"] == 1] for name, values in rows.items()}
    assert dataset.total_steps == decisions == len(rows["action"]) and dataset.total_episodes == 40
    for number, episode in enumerate(dataset.iterate_episodes()):
        mine = {name: values[rows["episode"] == number] for name, values in rows.items()}
        assert (episode.observations[:-1] == mine["observation"]).all()
        assert (episode.infos["action_mask"][:-1] == mine["action_mask"]).all()
        assert not episode.infos["action_mask"][-1].any()
        for name, column in (("actions", "action"), ("rewards", "reward"), ("terminations", "terminated"),
                             ("truncations", "truncated")):  # fmt: skip
            assert (getattr(episode, name) == mine[column]).all()
    assert rows["truncated"].any() and rows["terminated"].any()


def test_observations_of_a_minari_dataset_end_with_what_the_seat_sees_last(tmp_path, monkeypatch):
    metadata = describe("twits", 2, ["random"], 10)
    rows, table = play(metadata, [Agent("random", scripted="random")] * 2, keys := np.arange(10, dtype=np.uint64))
    monkeypatch.setattr("training.minari_dataset.keys_of", lambda _: keys)
    record_minari(tmp_path, metadata, 0)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = minari.load_dataset("cardenvs/twits_2p/random-v0")
    last = np.stack([episode.observations[-1] for episode in dataset.iterate_episodes()])
    assert (last == table.observe(0)[np.unique(rows["episode"][rows["seat"] == 0])]).all() and last.any()


def test_the_environment_of_a_minari_dataset_can_be_made_again(tmp_path, monkeypatch):
    record_minari(tmp_path, describe("twits", 2, ["greedy", "baseline"], 5), 0)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = minari.load_dataset("cardenvs/twits_2p/greedy-v0")
    env = dataset.recover_environment()
    observation, info = env.reset(seed=0)
    assert env.observation_space == dataset.observation_space and env.action_space == dataset.action_space
    assert env.observation_space.contains(observation) and info["action_mask"].shape == (env.action_space.n,)
    assert env.spec.kwargs["opponents"] == ["baseline"] and env.spec.kwargs["seat"] == 0


def test_what_minari_cannot_hold_is_refused(tmp_path):
    two = describe("twits", 2, ["greedy", "random"], 3)
    record_minari(tmp_path, two, 0)
    with pytest.raises(DatasetError, match="has a dataset cardenvs/twits_2p/greedy-v0 already"):
        record_minari(tmp_path, two, 0)
    with pytest.raises(OptionError, match="seat is 2: it must be a whole number from 0 to 1"):
        record_minari(tmp_path, two, 2)
    searching = describe("twits", 2, ["greedy", "ismcts"], 3)
    with pytest.raises(OptionError, match="'ismcts' can be no opponent of an environment"):
        record_minari(tmp_path, searching, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["cardenvs"]
