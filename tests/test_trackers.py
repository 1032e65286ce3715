"""Trackers: what a run logs is there, offline too, and a run that is resumed goes on in the same place.

Weights & Biases and MLflow are no part of the development environment: their tests need the extra `trackers`.
"""

import json
import os
import struct
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from cardenvs.core.errors import OptionError
from training.extras import MissingExtraError
from training.trackers import IDS, Tracker, check_tracker, ids, keep_id, open_tracker

ROOT = Path(__file__).resolve().parents[1]
TINY = (
    "game=twits", "game.num_players=2", "num_envs=64", "evaluate_every=2000", "evaluate_deals=10",
    "checkpoint_every=2000", "algorithm.n_steps=16", "algorithm.batch_size=256", "algorithm.n_epochs=1",
    "algorithm.layers=[8]", "progress=false", "evaluate_replays=0", "seed=7",
)  # fmt: skip
EXTRA = "no part of the development environment: it comes with the extra trackers"
KEPT = ("config.yaml", "versions.json", "learning_curve.json", "learning_curve.png", "model.yaml", "policy.npz")


def run(module, *words, **environment):
    known = {key: value for key, value in os.environ.items() if not key.startswith(("WANDB_", "MLFLOW_"))}
    result = subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        cwd=ROOT, env=known | environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def here(name, *words):
    """`run`, of a command of `training`, in this process, which is faster."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [name, *map(str, words)])
        patch.setenv("HYDRA_FULL_ERROR", "0")
        GlobalHydra.instance().clear()
        import_module(f"training.{name}").main()


def points(folder):
    """What TensorBoard has, as (step, value) by name."""
    events = EventAccumulator(str(folder), {"scalars": 0})
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


@pytest.fixture(scope="module")
def in_tensorboard(tmp_path_factory):
    """A run, and what TensorBoard got: first its own steps, then those after a resume."""
    folder = tmp_path_factory.mktemp("trackers") / "tensorboard"
    said = run("training.train", *TINY, "total_steps=2000", f"output={folder}")
    assert f"TensorBoard: tensorboard --logdir {folder}" in said
    run("training.train", f"resume={folder}", "extend_to=4000", "progress=false")
    return folder, points(folder)


def test_tensorboard_gets_evaluations_losses_and_rates_and_goes_on_after_a_resume(in_tensorboard):
    folder, found = in_tensorboard
    curve = json.loads((folder / "learning_curve.json").read_text())
    assert {"train/loss", "train/entropy_loss", "rollout/ep_rew_mean", "time/fps"} < set(found)
    assert "time/total_timesteps" not in found  # which is the step
    for policy in ("random", "greedy", "expert"):
        values = [(point["steps"], pytest.approx(point["win_rate"][policy]["mean"])) for point in curve]
        assert found[f"eval/win_rate_{policy}"] == values and len(values) >= 2


def test_without_a_tracker_nothing_is_logged_and_all_else_is_the_same(in_tensorboard, tmp_path, capsys):
    here("train", *TINY, "total_steps=2000", "tracker=none", f"output={tmp_path / 'none'}")
    assert "TensorBoard" not in capsys.readouterr().out
    names = {path.name for path in (tmp_path / "none").iterdir()}
    assert names == {*KEPT, "model.zip", "checkpoints"}
    curves = [json.loads((folder / "learning_curve.json").read_text())
              for folder in (tmp_path / "none", in_tensorboard[0])]  # fmt: skip
    assert curves[0] == curves[1][: len(curves[0])]


def test_an_evaluation_and_a_tournament_are_logged_as_numbers(tmp_path):
    here("evaluate", "game=twits", "game.num_players=2", "agent=expert", "opponents=[greedy,random]",
        "deals=10", "tracker=tensorboard", f"output={tmp_path / 'a'}")  # fmt: skip
    rows = json.loads((tmp_path / "a" / "evaluation.json").read_text())
    found = points(tmp_path / "a")
    for row in rows:
        for part, number in row["win_rate"].items():
            assert found[f"evaluation/{row['opponents'][0]}/win_rate_{part}"] == [(0, pytest.approx(number))]
    here("tournament", "game=twits", "game.num_players=2", "agents=[greedy,random]", "deals=10",
        "tracker=tensorboard", f"output={tmp_path / 'b'}")  # fmt: skip
    ratings = json.loads((tmp_path / "b" / "ratings.json").read_text())
    found = points(tmp_path / "b")
    assert found["tournament/random/mean"] == [(0, pytest.approx(ratings["random"]["mean"]))]
    assert found["tournament/greedy/alpha_rank"] == [(0, pytest.approx(ratings["greedy"]["alpha_rank"]))]


# --- mistakes ---------------------------------------------------------------------------------------------------------


def test_a_tracker_that_there_is_not_is_refused():
    with pytest.raises(OptionError, match=r"tracker 'wanbd' is unknown.*Did you mean 'wandb'"):
        check_tracker(OmegaConf.create({"tracker": "wanbd"}))
    assert check_tracker(OmegaConf.create({})) == "tensorboard"


@pytest.mark.parametrize("name", ["wandb", "mlflow"])
@pytest.mark.parametrize("words", [("train",), ("evaluate", "agent=expert")], ids=["train", "evaluate"])
def test_a_tracker_that_is_not_installed_is_named_with_its_extra(name, words, tmp_path, monkeypatch, capsys):
    module, *keys = words
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=f'{name} is not installed: pip install "cardenvs.trackers."'):
        check_tracker(OmegaConf.create({"tracker": name}))
    with pytest.raises(SystemExit) as stopped:
        here(module, *keys, f"tracker={name}", f"output={tmp_path / 'run'}")
    lines = capsys.readouterr().err.strip().splitlines()
    assert stopped.value.code == 2 and len(lines) == 1 and "[trackers]" in lines[0]
    assert not (tmp_path / "run").exists()


class Broken:
    """A place that takes two numbers and no more."""

    where = "nowhere"

    def __init__(self):
        self.calls = []

    def log(self, numbers, step):
        self.calls.append((numbers, step))
        if len(self.calls) > 2:
            raise OSError("the disk is full")

    def keep(self, file):
        self.calls.append(file)

    def close(self):
        self.calls.append("close")


def test_a_tracker_is_given_up_once_where_it_cannot_be_written(capsys):
    backend = Broken()
    tracker = Tracker(backend, Console())
    for step in range(5):
        tracker.log({"eval/win rate=1": 1}, step)
    tracker.keep(Path(__file__))
    tracker.close()
    assert backend.calls == [({"eval/win rate_1": 1.0}, step) for step in range(3)]
    assert capsys.readouterr().out == "No more for Broken: the disk is full.\n"


def test_files_that_there_are_not_are_left_out_and_ids_are_kept_by_tracker(tmp_path):
    backend = Broken()
    Tracker(backend, Console()).keep(tmp_path / "none", Path(__file__))
    assert backend.calls == [Path(__file__)]
    assert ids(tmp_path).get("wandb") is None
    keep_id(tmp_path, "wandb", "a")
    keep_id(tmp_path, "mlflow", "b")
    assert (ids(tmp_path).get("wandb"), ids(tmp_path).get("mlflow")) == ("a", "b")


# --- Weights & Biases -------------------------------------------------------------------------------------------------


def scan(path):
    """The records of a file of Weights & Biases, which is a log of blocks of 32 kB, as LevelDB's."""
    data, at, record = path.read_bytes(), 7, b""
    while at + 7 <= len(data):
        left = 2**15 - at % 2**15
        size, kind = struct.unpack("<HB", data[at + 4 : at + 7])
        if left < 7 or kind == 0:
            at += left
            continue
        record, at = record + data[at + 7 : at + 7 + size], at + 7 + size
        if kind in (1, 4):  # whole, or the last piece
            yield record
            record = b""


def records(folder):
    """What an offline run of Weights & Biases holds: its id, config, files and numbers, in order."""
    from wandb.proto.wandb_internal_pb2 import Record

    found = {"id": None, "config": {}, "files": set(), "points": []}
    for data in scan(next(folder.glob("*.wandb"))):
        record = Record.FromString(data)
        if record.HasField("run"):
            found["id"] = record.run.run_id
            found["config"] |= {each.key: json.loads(each.value_json) for each in record.run.config.update}
        found["files"] |= {each.path for each in record.files.files}
        items = record.history.item
        found["points"].append({each.key or each.nested_key[0]: json.loads(each.value_json) for each in items})
    return found


def test_weights_and_biases_offline_gets_it_all_and_goes_on_in_the_same_run(in_tensorboard, tmp_path):
    pytest.importorskip("wandb", reason=EXTRA)
    folder = tmp_path / "mine"
    offline = {"WANDB_MODE": "offline"}
    said = run("training.train", *TINY, "total_steps=2000", "tracker=wandb", f"output={folder}", **offline)
    assert f"wandb sync {folder}/wandb/offline-run-" in said and not list(folder.glob("events*"))
    run("training.train", f"resume={folder}", "extend_to=4000", "progress=false", **offline)
    runs = [records(path) for path in sorted(folder.glob("wandb/offline-run-*"))]
    assert [each["id"] for each in runs] == [ids(folder).get("wandb")] * 2
    assert runs[0]["config"]["seed"] == 7 and runs[0]["config"]["output"] == str(folder)
    assert {f"mine/{name}" for name in KEPT} <= runs[0]["files"] & runs[1]["files"]
    for name, values in in_tensorboard[1].items():
        if not name.startswith("time/"):
            logged = [(each["learner_steps"], each[name]) for one in runs for each in one["points"] if name in each]
            assert [(step, pytest.approx(value, rel=1e-5)) for step, value in values] == logged, name


def test_weights_and_biases_without_an_account_is_refused_in_one_line(tmp_path, monkeypatch):
    pytest.importorskip("wandb", reason=EXTRA)
    code = (
        "import sys; sys.argv += ['agent=expert', 'tracker=wandb', 'deals=5', f'output=' + sys.argv.pop()]\n"
        "from training.evaluate import main; main()"
    )
    known = {key: value for key, value in os.environ.items() if not key.startswith("WANDB_")}
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, env=known | {"HOME": str(tmp_path)},
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    last = result.stderr.strip().splitlines()[-1]
    assert result.returncode == 2 and last.startswith("TrackerError: tracker wandb") and "WANDB_MODE=offline" in last
    assert "Traceback" not in result.stderr and not (tmp_path / IDS).exists()


# --- MLflow -----------------------------------------------------------------------------------------------------------


def mlflow_client(folder, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    return pytest.importorskip("mlflow", reason=EXTRA).MlflowClient((folder / "mlflow").as_uri())


def test_mlflow_keeps_it_all_in_the_runs_folder_and_goes_on_in_the_same_run(in_tensorboard, tmp_path, monkeypatch):
    client = mlflow_client(tmp_path, monkeypatch)
    said = run("training.train", *TINY, "total_steps=2000", "tracker=mlflow", f"output={tmp_path}")
    assert f"mlflow ui --backend-store-uri {(tmp_path / 'mlflow').as_uri()}" in said
    assert not list(tmp_path.glob("events*"))
    run("training.train", f"resume={tmp_path}", "extend_to=4000", "progress=false")
    run("training.evaluate", "game=twits", "game.num_players=2", f"agent={tmp_path}", "opponents=[greedy]", "deals=10",
        "tracker=mlflow", f"output={tmp_path}")  # fmt: skip
    experiment = client.get_experiment_by_name("cardenvs").experiment_id
    (found,) = client.search_runs([experiment])
    assert found.info.run_id == ids(tmp_path).get("mlflow") and found.info.status == "FINISHED"
    assert found.data.params["seed"] == "7" and found.data.params["algorithm.n_steps"] == "16"
    kept = {each.path for each in client.list_artifacts(found.info.run_id)}
    assert kept == {*KEPT, "evaluation.json", "evaluation.png"}
    for name, values in in_tensorboard[1].items():
        if not name.startswith("time/"):
            history = client.get_metric_history(found.info.run_id, name)
            logged = [(each.step, each.value) for each in sorted(history, key=lambda each: each.step)]
            assert [(step, pytest.approx(value, rel=1e-5)) for step, value in values] == logged, name
    row = json.loads((tmp_path / "evaluation.json").read_text())[0]
    assert found.data.metrics["evaluation/greedy/win_rate_mean"] == pytest.approx(row["win_rate"]["mean"])


def test_a_store_that_mlflow_does_not_know_is_refused(tmp_path, monkeypatch):
    pytest.importorskip("mlflow", reason=EXTRA)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "nowhere://at.all")
    with pytest.raises(ValueError, match="tracker mlflow"):
        open_tracker(OmegaConf.create({"tracker": "mlflow"}), tmp_path, Console())
