"""Training and evaluation, by the commands that users type."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import yaml
from omegaconf import OmegaConf

import agents
from agents import AgentError
from cardenvs import BatchGame, baselines
from cardenvs.core.errors import OptionError
from cardenvs.core.rng import HELD_OUT, seed_keys
from training.duplicate import play_duplicates, variance_gain
from training.league import League
from training.runs import restore_config
from training.statistics import clustered_mean
from training.train import game_seed

ROOT = Path(__file__).resolve().parents[1]
TINY = [
    "num_envs=64",
    "total_steps=6000",
    "evaluate_every=2000",
    "evaluate_deals=20",
    "checkpoint_every=2048",
    "algorithm.n_steps=16",
    "algorithm.batch_size=512",
    "algorithm.n_epochs=1",
    "algorithm.layers=[16]",
    "progress=false",
]


def command(module, *arguments, check=True):
    result = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not check or result.returncode == 0, result.stderr
    return result


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    command("training.train", "game=uno_all_wild", f"output={folder}", *TINY)
    return folder


def test_a_run_leaves_all_that_is_needed_to_repeat_it(run):
    config = yaml.safe_load((run / "config.yaml").read_text())
    assert config["num_envs"] == 64 and config["opponents"] == {"random": 0.2, "greedy": 0.4, "expert": 0.4}
    assert json.loads((run / "versions.json").read_text())["torch"]
    curve = json.loads((run / "learning_curve.json").read_text())
    assert [point["steps"] for point in curve] == sorted({point["steps"] for point in curve})
    assert len(curve) >= 3 and set(curve[0]["win_rate"]) == {"random", "greedy", "expert"}
    assert (run / "learning_curve.png").stat().st_size > 5000
    assert list(run.glob("events.out.tfevents*"))
    assert len(list((run / "checkpoints").glob("step_*"))) == 3


def test_evaluation_and_report_of_a_trained_model(run):
    result = command(
        "training.evaluate", f"agent={run}", "deals=50", f"output={run}", "opponents=[random,[greedy,expert,random]]"
    )
    assert "win rate" in result.stdout and "expert" in result.stdout
    rows = json.loads((run / "evaluation.json").read_text())
    assert [row["games"] for row in rows] == [200, 200]
    assert rows[0]["win_rate"]["low"] < rows[0]["win_rate"]["mean"] < rows[0]["win_rate"]["high"]
    command("training.report", run)
    page = (run / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 2 and "greedy, expert, random" in page


# `training.train`, with the number of learner steps written down after each rollout.
COUNTED = """
import os
from pathlib import Path
from sb3_contrib import MaskablePPO
from training.train import main
collect = MaskablePPO.collect_rollouts
def collect_and_count(model, *args, **kwargs):
    go_on = collect(model, *args, **kwargs)
    Path(os.environ["STEPS"] + ".new").write_text(str(model.num_timesteps))
    os.replace(os.environ["STEPS"] + ".new", os.environ["STEPS"])
    return go_on
MaskablePPO.collect_rollouts = collect_and_count
main()
"""
# The same, killed when the second checkpoint is half-written.
KILLED_WHILE_SAVING = """
import os, signal
from pathlib import Path
from sb3_contrib import MaskablePPO
from training.train import main
save, saved = MaskablePPO.save, []
def save_half(model, path):
    save(model, path)
    saved.append(path)
    if len(saved) == 2:
        Path(path).write_bytes(Path(path).read_bytes()[:-1000])
        os.kill(os.getpid(), signal.SIGKILL)
MaskablePPO.save = save_half
main()
"""


def last_step(folder):
    return max((int(path.name.removeprefix("step_")) for path in folder.glob("checkpoints/step_*")), default=0)


def test_a_run_killed_at_any_moment_loses_one_interval_and_a_rollout_at_most(tmp_path):
    folder, steps, chance = tmp_path / "killed", tmp_path / "steps", np.random.default_rng(0)
    arguments = [*TINY, "total_steps=10_000_000", "evaluate_every=100_000_000", f"output={folder}"]
    rollout, interval = 64 * 16, 2048
    reached = 0
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", COUNTED, *arguments], cwd=ROOT, env=os.environ | {"STEPS": str(steps)}
        )
        deadline = time.monotonic() + 120
        while last_step(folder) <= reached and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(chance.uniform(0, 1.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert reached < last_step(folder) and not (folder / "model.zip").exists()
        assert int(steps.read_text()) - last_step(folder) <= interval + rollout
        reached = last_step(folder)
        arguments = [f"resume={folder}", "progress=false"]
    result = command("training.train", f"resume={folder}", "time_limit=1", "progress=false")
    assert f"Resuming at {reached:,} learner steps" in result.stdout
    assert yaml.safe_load((folder / "model.yaml").read_text())["learner_steps"] > reached


def test_a_run_killed_while_it_saves_goes_on_from_what_was_whole(tmp_path):
    folder = tmp_path / "killed"
    arguments = [*TINY, "evaluate_every=100_000_000", f"output={folder}"]
    killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_SAVING, *arguments], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(folder.glob("checkpoints/.unfinished/model.zip"))
    result = command("training.train", f"resume={folder}", "progress=false")
    assert f"Resuming at {2048:,} learner steps" in result.stdout
    assert agents.load(str(folder), "uno_all_wild", 4).act is not None
    assert not list(folder.glob("checkpoints/.*"))


def test_a_full_disk_costs_checkpoints_but_not_the_run(tmp_path):
    """Files of more than 20 kB cannot be written, as on a disk that is full."""
    folder = tmp_path / "full"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    code = limit + "from training.train import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code, *TINY, f"output={folder}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.stdout.count("No checkpoint at") >= 2
    assert result.returncode == 2 and "File too large" in result.stderr and "Traceback" not in result.stderr
    assert len(json.loads((folder / "learning_curve.json").read_text())) >= 3
    assert not list(folder.rglob("*unfinished*")) and not list(folder.rglob("model.zip"))


def test_tensorboard_is_given_up_where_it_cannot_be_written(tmp_path):
    code = """
import resource, sys
from pathlib import Path
from omegaconf import OmegaConf
from training.callbacks import Curves
from training.cli import make_console
from training.trackers import open_tracker
curves = Curves(open_tracker(OmegaConf.create({"tracker": "tensorboard"}), Path(sys.argv[1]), make_console()))
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
for step in range(200):
    curves.write({"loss": 1.0}, {"loss": ()}, step)
curves.tracker.close()
"""
    result = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("No more for TensorBoard") == 1


@pytest.mark.parametrize("name", ["model.yaml", "config.yaml"])
def test_no_file_beside_a_model_can_bring_code(name, run, tmp_path):
    """SB3's own zip does: its documentation, and ours, say so."""
    folder, trace = tmp_path / "copy", tmp_path / "trace"
    shutil.copytree(run, folder)
    text = f"!!python/object/apply:pathlib.Path.touch [!!python/object/apply:pathlib.Path ['{trace}']]\n"
    (folder / name).write_text(text)
    with pytest.raises(ValueError, match=name):
        if name == "model.yaml":
            agents.load(str(folder), "uno_all_wild", 4)
        else:
            restore_config(folder, OmegaConf.create({"progress": False}))
    assert not trace.exists()


def test_runs_and_resumes_play_games_of_their_own():
    starts = [game_seed(seed, steps) for seed in range(6) for steps in (0, 1_000_000)]
    gaps = np.diff(np.sort(starts))
    assert gaps.min() > 100_000  # games of a run are seeded from its start upwards


def test_a_run_killed_before_its_first_checkpoint_begins_again(run, tmp_path):
    (tmp_path / "config.yaml").write_text((run / "config.yaml").read_text())
    result = command("training.train", f"resume={tmp_path}", "progress=false")
    assert "Resuming at 0 learner steps" in result.stdout
    card = yaml.safe_load((tmp_path / "model.yaml").read_text())
    assert 6000 <= card["learner_steps"] < 8000  # as long as it was meant to be


def test_a_finished_run_is_extended_only_when_told(run):
    result = command("training.train", f"resume={run}", check=False)
    assert result.returncode == 2 and "extend_to" in result.stderr


def test_a_checkpoint_is_an_agent(run):
    checkpoint = max((run / "checkpoints").glob("step_*"))
    assert agents.load(str(checkpoint), "uno_all_wild", 4).act is not None


def test_a_run_is_not_overwritten(run):
    result = command("training.train", f"output={run}", *TINY, check=False)
    assert result.returncode == 2 and "holds a run already" in result.stderr and "Traceback" not in result.stderr


def test_mistakes_end_in_one_line(tmp_path, run):
    for arguments, message in (
        (["agent=exprt"], "Did you mean 'expert'"),
        (["agent=runs/nothing.zip"], "no agent 'runs/nothing.zip'"),
        ([f"agent={run}", "game.num_players=3"], "it cannot play num_players 3"),
        (["agent=expert", "opponents=[[greedy]]"], "must be 3"),
        (["agent=expert", "game.options.uno_calls=declared"], "Did you mean 'declare'"),
    ):
        result = command("training.evaluate", *arguments, "deals=5", f"output={tmp_path}", check=False)
        assert result.returncode == 2 and message in result.stderr, result.stderr
        assert "Traceback" not in result.stderr
    result = command("training.report", tmp_path, check=False)
    assert result.returncode == 2 and "config.yaml" in result.stderr
    result = command("training.train", f"resume={tmp_path}", check=False)
    assert result.returncode == 2 and "no run to resume" in result.stderr


def test_a_model_of_another_game_is_refused(run, tmp_path):
    card = yaml.safe_load((run / "model.yaml").read_text())
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(card | {"game": "another_game"}))
    (tmp_path / "model.zip").write_bytes((run / "model.zip").read_bytes())
    with pytest.raises(AgentError, match="trained for game 'another_game'"):
        agents.load(str(tmp_path), "uno_all_wild", 4)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    (tmp_path / "model.zip").write_bytes(b"nothing")
    with pytest.raises(AgentError, match=r"has no model\.yaml"):
        agents.load(str(tmp_path), "uno_all_wild", 4)
    (tmp_path / "model.yaml").write_text("game: uno_all_wild\nnum_players: 4\nencoding: full\n")
    with pytest.raises(AgentError, match="not a MaskablePPO model"):
        agents.load(str(tmp_path), "uno_all_wild", 4)


# --- duplicate deals --------------------------------------------------------------------------------------------------


def test_held_out_games_are_none_that_can_be_trained_on():
    """Keys keep their top bit from episode to episode: seeded games never have it, held-out games always do."""
    for held_out in (False, True):
        games = BatchGame("uno_all_wild", 200, num_players=2)
        games.reset(seed=seed_keys(3, 200, held_out=held_out))
        for _ in range(20):
            assert ((games._states["key"] & HELD_OUT) > 0).all() == held_out
            assert ((games._states["key"] & HELD_OUT) > 0).any() == held_out
            games.reset()


def test_an_agent_from_outside_plays_as_the_compiled_policy_of_its_kind():
    """Playing the first legal action from outside or by table must agree: the loop and the seats are right."""
    first = agents.Agent(name="first", act=lambda observations, masks: masks.argmax(axis=1))
    mirror = play_duplicates("uno_all_wild", 3, first, [first, first], deals=40)
    assert mirror.win_rate.mean == pytest.approx(1 / 3)
    assert mirror.points.mean == pytest.approx(0, abs=1e-9)
    expert = agents.load("expert", "uno_all_wild", 3)
    one, other = (
        play_duplicates("uno_all_wild", 3, agent, table, deals=300)
        for agent, table in ((first, [expert, expert]), (expert, [first, first]))
    )
    assert one.win_rate.high < 1 / 3 < other.win_rate.low


def test_results_are_the_same_twice_and_on_two_threads():
    greedy, expert = (agents.load(name, "uno_all_wild", 4) for name in ("greedy", "expert"))
    results = [
        play_duplicates("uno_all_wild", 4, expert, [greedy] * 3, deals=600, num_threads=threads)
        for threads in (1, 1, 2)
    ]
    assert results[0] == results[1] == results[2]


def test_intervals_are_clustered_by_deal():
    """Copies of one observation are one observation."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(400, 1))
    once, often = clustered_mean(values), clustered_mean(np.repeat(values, 4, axis=1))
    assert often.low == pytest.approx(once.low) and often.high == pytest.approx(once.high)
    assert once.high - once.low == pytest.approx(2 * 1.96 * values.std(ddof=1) / 20, rel=1e-3)


def test_the_gain_of_clusters_is_what_they_save():
    rng = np.random.default_rng(0)
    values, luck = rng.normal(size=(4000, 4)), rng.normal(size=(4000, 1))
    assert variance_gain(values) == pytest.approx(1, rel=0.1)
    assert variance_gain(np.repeat(luck, 4, axis=1)) == pytest.approx(1 / 4)
    assert variance_gain(values + luck * [3, -1, -1, -1]) == pytest.approx(4, rel=0.1)  # luck that cancels
    assert variance_gain(np.ones((10, 1)) * [0, 1]) is None


def test_intervals_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        luck = rng.normal(size=(100, 1))
        estimate = clustered_mean(luck + 0.3 * rng.normal(size=(100, 4)))
        hits += estimate.low < 0 < estimate.high
    assert 0.92 < hits / 400 < 0.98


def test_results_are_played_once_and_told_by_seed(run, tmp_path):
    shutil.copytree(run, tmp_path / "run_0")
    arguments = [
        "game=uno_all_wild", "deals=20", "search_deals=2", f"runs={tmp_path}/run_%d", "seeds=[0]", "variant_run=null",
        "searches=['ismcts:simulations=5']", "search_opponents=[greedy]", "opponents=[random,greedy]",
        f"output={tmp_path / 'results'}",
    ]  # fmt: skip
    first = command("training.results", *arguments)
    file = tmp_path / "results" / "uno_all_wild_4p.json"
    results = json.loads(file.read_text())
    pairs = [(result["name"], result["other"], result["deals"]) for result in results]
    assert pairs == [
        ("random", "greedy", 20), ("greedy", "random", 20), ("expert", "random", 20), ("expert", "greedy", 20),
        ("seed 0", "random", 20), ("seed 0", "greedy", 20), ("ismcts:simulations=5", "greedy", 2),
    ]  # fmt: skip
    assert all(result["gain"] is None or result["gain"] > 0 for result in results)
    trained = json.loads((tmp_path / "results" / "uno_all_wild_4p_training.json").read_text())
    assert [row["seed"] for row in trained] == [0] and trained[0]["curve"]
    assert (tmp_path / "results" / "uno_all_wild_4p.png").stat().st_size > 5000
    file.write_text(json.dumps([result | {"win_rate": {"mean": 0.5, "low": 0.5, "high": 0.5}} for result in results]))
    again = command("training.results", *arguments)
    assert "50.0% [50.0%, 50.0%]" in again.stdout and "50.0% [50.0%, 50.0%]" not in first.stdout


# --- imitation, and a league ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def league_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "league"
    warm = ["imitation.decisions=4000", "imitation.batch_size=256"]
    league = ["league.weight=0.5", "league.every=2000", "league.deals=10", "league.most=2"]
    command("training.train", "game=twits", "game.num_players=3", f"output={folder}", *TINY, *warm, *league)
    return folder


def members_of(folder):
    return [path.stem for path in sorted((folder / "league").glob("step_*.npz"))]


def test_a_league_keeps_what_the_learner_was_and_how_it_did(league_run):
    members = members_of(league_run)
    assert len(members) >= 3 and members[0] == "step_000000000000"
    payoffs = json.loads((league_run / "league" / "payoffs.json").read_text())
    assert list(payoffs) == members
    scripted = {"random", "greedy", "expert"}
    for i, row in enumerate(payoffs.values()):
        assert set(row) == scripted | set(members[max(0, i - 2) : i])
        assert all(rate["low"] <= rate["mean"] <= rate["high"] for rate in row.values())
    weights = [baselines.read(league_run / "league" / f"{name}.npz")[0].weights for name in (members[0], members[-1])]
    assert not np.array_equal(*weights)


def test_a_run_with_a_league_goes_on_with_its_members(league_run, tmp_path):
    folder = tmp_path / "again"
    shutil.copytree(league_run, folder)
    before = members_of(folder)
    last = sorted((folder / "checkpoints").iterdir())[-1]
    (folder / "league" / "step_000000999999.npz").write_bytes(b"from a future that was lost")
    result = command("training.train", f"resume={folder}", "extend_to=9000", "progress=false")
    assert "Imitating" not in result.stdout  # that is how a run begins
    after = members_of(folder)
    steps = int(last.name.removeprefix("step_"))
    assert [name for name in before if int(name.removeprefix("step_")) <= steps] == after[: len(before)]
    assert len(after) > len(before) and "step_000000999999" not in after
    seconds = [yaml.safe_load((path / "model.yaml").read_text())["seconds"] for path in (league_run, folder)]
    assert seconds[1] >= seconds[0] > 0


def test_a_league_goes_on_though_it_was_killed_while_a_member_came_in(league_run, tmp_path):
    shutil.copytree(league_run / "league", tmp_path / "league")
    newest = members_of(tmp_path)[-1]
    file = tmp_path / "league" / "payoffs.json"
    rows = json.loads(file.read_text())
    config = OmegaConf.load(league_run / "config.yaml")
    file.write_text(json.dumps({name: row for name, row in rows.items() if name != newest}))
    assert list(League(config, tmp_path, 10**9).members) == members_of(league_run)[:-1]
    file.write_text(json.dumps(rows | {"step_000000888888": rows[newest]}))  # its weights were not written yet
    league = League(config, tmp_path, 10**9)
    assert list(league.payoffs) == list(league.members) == members_of(league_run)
    assert sum(league.opponents().values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("argument", "named"),
    [
        ("league.weight=1.5", "league.weight is 1.5"),
        ("league.most=0", "league.most"),
        ("league.deals=1", "league.deals"),
        ("opponents=exprt", "random, greedy, expert"),
        ("imitation.policy=exprt", "random, greedy, expert"),
        ("imitation.batch_size=0", "imitation.batch_size"),
    ],
)
def test_settings_are_refused_before_anything_is_trained(argument, named, tmp_path):
    result = command(
        "training.train", f"output={tmp_path / 'run'}", *TINY, "imitation.decisions=100000", "league.weight=0.5",
        argument, check=False,
    )  # fmt: skip
    assert result.returncode == 2 and named in result.stderr
    assert "Imitating" not in result.stdout


def test_a_policy_file_plays_as_its_model(league_run):
    table = BatchGame("twits", 300, seed=1, num_players=3)
    model, policy = (agents.load(str(league_run / name), "twits", 3) for name in ("model.zip", "policy.npz"))
    same = []
    for _ in range(10):
        chosen = [agent.act(table.observe(), table.legal()) for agent in (model, policy)]
        same.append(chosen[0] == chosen[1])
        table.step(chosen[0], autoreset=True)
        if not table.legal().any(axis=1).all():
            table.reset(~table.legal().any(axis=1))
    assert np.mean(same) > 0.98  # its weights are rounded


def test_a_file_that_is_no_network_is_refused(tmp_path, league_run):
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"nothing")
    with pytest.raises(AgentError, match="no file of a network's weights"):
        agents.load(str(broken), "twits", 3)
    with pytest.raises(AgentError, match="num_players 3: it cannot play num_players 4"):
        agents.load(str(league_run / "policy.npz"), "twits", 4)


def test_imitation_comes_close_to_the_policy(tmp_path):
    """Without a single step of learning from rewards, the network does mostly what the policy would."""
    folder = tmp_path / "pupil"
    arguments = ["imitation.decisions=150000", "total_steps=64", "algorithm.layers=[64]", "num_envs=8"]
    command(
        "training.train", "game=twits", "game.num_players=2", f"output={folder}", *TINY, *arguments,
        "algorithm.learning_rate=0", "algorithm.final_learning_rate=0", "algorithm.batch_size=64",
    )  # fmt: skip
    pupil = agents.load(str(folder / "policy.npz"), "twits", 2)
    table, agreed = BatchGame("twits", 500, seed=2, num_players=2), []
    for _ in range(8):
        advised = table.advise("expert")
        agreed.append((pupil.act(table.observe(), table.legal()) == advised)[table.legal().sum(axis=1) > 1])
        table.step(advised, autoreset=True)
    by_chance = 1 / 4
    assert np.mean(np.concatenate(agreed)) > 2 * by_chance


def league_of(tmp_path, losses):
    config = OmegaConf.create(
        {
            "game": {"name": "twits", "num_players": 2, "options": {}},
            "opponents": {"greedy": 1.0, "expert": 3.0},
            "league": {"weight": 0.5, "every": 1, "most": 2, "deals": 2},
            "encoding": "full",
        }
    )
    league = League(config, tmp_path, 0)
    names = [f"step_{i:012d}" for i in range(len(losses))]
    league.members = {name: f"network {i}" for i, name in enumerate(names)}
    league.payoffs = {names[-1]: {name: {"mean": 1 - loss} for name, loss in zip(names, losses, strict=True)}}
    return league


def test_members_that_win_more_are_met_more(tmp_path):
    weights = league_of(tmp_path, [0.9, 0.4, 0.2]).opponents()
    assert weights["greedy"] == pytest.approx(0.125) and weights["expert"] == pytest.approx(0.375)
    assert "network 0" not in weights  # only the newest two are kept
    assert weights["network 1"] / weights["network 2"] == pytest.approx(4.0)
    assert sum(weights.values()) == pytest.approx(1.0)


def test_opponents_beside_a_league_have_names(tmp_path):
    league = league_of(tmp_path, [0.5])
    league.config.opponents = "expert"
    assert league.opponents()["expert"] == 0.5
    league.config.opponents = ["expert"]
    with pytest.raises(OptionError, match="beside a league they must be one name, or weights by name"):
        league.opponents()
