"""Commands and the people who type them: mistakes are named, Ctrl-C loses nothing, help says what there is."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from hydra.core.global_hydra import GlobalHydra
from rich.console import Console

from cardenvs import replay
from cardenvs.core.arguments import run_main
from cardenvs.core.errors import OptionError
from training.cli import check_types, compose_defaults, help_text, keys_of, progress, unknown_key

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = sorted(path.stem for path in (ROOT / "configs").glob("*.yaml"))
TINY = (
    "game=twits", "game.num_players=2", "num_envs=64", "algorithm.n_steps=16", "algorithm.batch_size=256",
    "algorithm.layers=[8]", "evaluate_deals=20", "progress=false",
)  # fmt: skip


def module_of(name):
    return f"agents.{name}" if name == "play" else f"training.{name}"


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["training.train", "gme=twits"], "Did you mean 'game'?"),
        (["training.train", "game.num_playrs=4"], "Did you mean 'game.num_players'?"),
        (["training.train", "algorithm.n_stepz=16"], "Did you mean 'algorithm.n_steps'?"),
        (["training.train", "game=twitz"], "game: 'twitz' is unknown.*Did you mean 'twits'?"),
        (["training.train", "+experiment=basline_twits_4p"], "Did you mean 'baseline_twits_4p'?"),
        (["training.train", "game.options.uno_callz=declare"], "Did you mean 'game.options.uno_calls'?"),
        (["training.train", "total_steps=abc"], "total_steps is 'abc': it must be a whole number, as 10_000_000"),
        (["training.train", "progress=loud"], "progress is 'loud': it must be true or false"),
        (["training.train", "algorithm.gamma=[1]"], "algorithm.gamma is .* must be a number"),
        (["training.train", "game=[twits"], r"'game=\[twits' is not understood"),
        (["training.train", "resume=runs/nothing"], "runs/nothing holds no run to resume"),
        (["training.evaluate"], "agent is missing: give it as agent=…"),
        (["training.evaluate", "agent=exprt"], "Did you mean 'expert'?"),
        (["training.evaluate", "agent=expert", "opponents=gredy"], "Did you mean 'greedy'?"),
        (["training.evaluate", "agent=expert", "game.num_players=40"], "num_players is 40: .* from 2 to 10"),
        (["training.evaluate", "agent=expert", "deals=-5"], "deals is -5"),
        (["training.evaluate", "agent=expert", "game.options.uno_calls=declar"], "Did you mean 'declare'?"),
        (["agents.play", "oponents=expert"], "Did you mean 'opponents'?"),
        (["training.train", "+experimnt=demo"], "key 'experimnt' is unknown.*Did you mean"),
        (["training.train", "algorithm.layers=[a]"], r"algorithm.layers is \['a'\]: it must be whole numbers"),
        (["training.train", "time_limit=abc"], "time_limit is 'abc': it must be a number of seconds"),
        (["training.train", "output=5"], "output is 5: it must be the name of a folder"),
        (["training.train", "total_steps=-5"], "total_steps is -5: it must be a whole number of at least 1"),
        (["training.train", "--total_steps=5"], "keys have no dashes, total_steps=5"),
        (["training.evaluate", "agent=expert", "opponents=5"], "5 is neither an agent nor a list"),
        (["training.tournament", "agents=expert"], r"agents are \['expert'\]: there must be at least two"),
        (["training.record", "agents=exprt"], "Did you mean 'expert'?"),
        (["training.record", "agents=[expert,greedy]"], "there must be one for all seats, or 4, one for each"),
        (["training.record", "format=parqet"], "Did you mean 'parquet'?"),
        (["training.record", "format=minari", "seat=4"], "seat is 4: it must be a whole number from 0 to 3"),
        (["training.calibrate", "games=-3"], "games is -3: it must be a whole number of at least 2"),
        (["training.report", "runs/nothing"], "runs/nothing has no config.yaml"),
        (["benchmarks.guard", "--recrd"], "unrecognized arguments: --recrd. Did you mean '--record'?"),
        (["benchmarks.tune_expert", "twitz"], "invalid choice: 'twitz'.* Did you mean 'twits'?"),
        (["benchmarks.learning", "twitz"], "game 'twitz' is unknown.* Did you mean 'twits'?"),
        (["cardenvs.replay.__main__", "nothing.jsonl", "--verify"], "there is no file nothing.jsonl"),
        (["docs.recipes.__main__", "dqm"], "recipe 'dqm' is unknown.* Did you mean 'dqn'?"),
        (["training.calibrate", "confidence=2.0"], "confidence is 2.0: it must be a number between 0 and 1"),
    ],
)
def test_a_mistake_is_named_in_one_line_with_the_nearest_choice(words, message, monkeypatch, capsys):
    module, *keys = words
    monkeypatch.setattr(sys, "argv", [module, *keys])
    monkeypatch.setenv("HYDRA_FULL_ERROR", "0")
    GlobalHydra.instance().clear()
    with pytest.raises(SystemExit) as stopped:
        run_main(import_module(module).main)
    assert stopped.value.code == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and re.search(message, lines[0]), lines


def test_a_game_that_refuses_its_options_leaves_no_run_behind(tmp_path):
    result = run("training.train", "game.num_players=40", f"output={tmp_path / 'run'}")
    assert result.returncode == 2 and "num_players is 40" in result.stderr and not (tmp_path / "run").exists()


def test_a_mistake_ends_a_command_without_a_stack():
    result = run("training.evaluate", "agent=exprt")
    assert result.returncode == 2 and len(result.stderr.strip().splitlines()) == 1 and not result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_what_a_command_does_and_has_all_its_keys(name):
    module = import_module(module_of(name))
    text = help_text(name, module.__doc__)
    assert text.startswith(module.__doc__.splitlines()[0])
    own = {key for key in compose_defaults(name) if key not in ("game", "algorithm")}
    inherits = "- train" in (ROOT / "configs" / f"{name}.yaml").read_text()
    assert inherits or all(re.search(rf"^  {key}:", text, re.MULTILINE) for key in own)
    assert "game: twice_the_fun, twits, uno_all_wild, wild_twists" in text


def test_help_and_hydras_own_flags_work():
    result = run("training.evaluate", "--help")
    assert result.returncode == 0 and result.stdout.startswith("Evaluate an agent on duplicate deals")
    result = run("training.evaluate", "agent=expert", "--cfg", "job")
    assert result.returncode == 0 and "agent: expert" in result.stdout


def test_keys_and_their_types_are_those_of_the_config():
    defaults = {"a": 1, "b": {"c": 0.5, "d": True, "e": "text"}, "f": None}
    assert keys_of(defaults) == ["a", "b", "b.c", "b.d", "b.e", "f"]
    check_types({"a": 3, "b": {"c": 1, "d": False, "e": 4, "new": 1}, "f": "any"}, defaults)
    with pytest.raises(OptionError, match="key 'new' is unknown"):
        check_types({"new": 1}, defaults)
    assert "Did you mean 'b.c'?" in unknown_key("b.cc", defaults)


def test_a_bar_is_shown_to_people_alone():
    for terminal in (True, False):
        console = Console(file=StringIO(), force_terminal=terminal, width=100)
        with progress(console, 200, "games") as advance:
            advance(50)
            advance(150)
        shown = console.file.getvalue()
        assert ("200/200" in shown and "games" in shown and "/s" in shown) == terminal
        assert terminal or not shown


def interrupt(ready, *words):
    """Run a command, and press Ctrl-C as soon as `ready` says so: its exit code, and all that it said."""
    process = subprocess.Popen(
        [sys.executable, "-m", *map(str, words)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip
    for _ in range(1200):
        if ready() or process.poll() is not None:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err, err
    return process.returncode, out + err


def test_training_that_is_stopped_goes_on_from_where_it_was(tmp_path):
    path = tmp_path / "run"
    code, said = interrupt(
        lambda: any((path / "checkpoints").glob("step_*")),
        "training.train", *TINY, "total_steps=50_000_000", "checkpoint_every=20_000", f"output={path}",
    )  # fmt: skip
    assert code == 130 and f"python -m training.train resume={path}" in said
    steps = max(int(each.name.removeprefix("step_")) for each in (path / "checkpoints").glob("step_*"))
    assert (path / "model.zip").is_file() and steps >= 20_000
    result = run("training.train", f"resume={path}", "seed=7", "extend_to=60_000_000")
    assert result.returncode == 2 and "seed=7 would change nothing" in result.stderr
    result = run("training.train", f"resume={path}", f"extend_to={steps + 2000}", "progress=false")
    assert result.returncode == 0 and f"Resuming at {steps:,} learner steps" in result.stdout, result.stderr


def test_an_evaluation_that_is_stopped_goes_on_and_comes_to_the_same(tmp_path):
    words = [
        "training.evaluate", "game=twits", "game.num_players=2", "deals=16", "opponents=[random,greedy,expert]",
        "agent='ismcts:simulations=400,playouts=greedy'",
    ]  # fmt: skip
    rows = tmp_path / "stopped" / ".rows.json"
    code, said = interrupt(rows.is_file, *words, f"output={tmp_path / 'stopped'}")
    assert code == 130 and "the same command goes on there" in said
    kept = json.loads(rows.read_text())
    assert 1 <= len(kept) < 3
    for output in ("stopped", "whole"):
        assert run(*words, f"output={tmp_path / output}").returncode == 0
    results = [json.loads((tmp_path / output / "evaluation.json").read_text()) for output in ("stopped", "whole")]
    assert results[0] == results[1] and results[0][0].items() <= kept[0].items() and not rows.exists()


def test_a_tournament_that_is_stopped_goes_on(tmp_path):
    words = [
        "training.tournament", "game=twits", "game.num_players=2", "deals=16", f"output={tmp_path}",
        "agents=[random,greedy,expert,'ismcts:simulations=800']",
    ]  # fmt: skip
    pairings = tmp_path / "pairings.json"
    code, said = interrupt(pairings.is_file, *words)
    assert code == 130 and "the same command goes on there" in said
    kept = json.loads(pairings.read_text())
    assert run(*words).returncode == 0
    assert json.loads(pairings.read_text())[: len(kept)] == kept and len(kept) < 6


def test_games_of_evaluations_are_kept_as_replays(tmp_path):
    result = run(
        "training.evaluate", "game=twits", "game.num_players=4", "agent=baseline", "opponents=[expert]", "deals=10",
        "replays=2", f"output={tmp_path}",
    )  # fmt: skip
    assert result.returncode == 0 and f"Replays: {tmp_path}/replays" in result.stdout, result.stderr
    files = sorted((tmp_path / "replays").iterdir())
    assert len(files) == 2
    for file in files:
        kept = replay.load(file)
        replay.verify(kept)
        assert kept.header["agents"] == ["baseline", "expert", "expert", "expert"]
        before = [kept.start, *(decision["snapshot"] for decision in kept.decisions)]
        for position, decision in zip(before, kept.decisions, strict=False):
            assert ("probabilities" in decision) == (position["actor"] == 0)
            assert "probabilities" not in decision or set(decision["probabilities"]) == set(position["legal"])


def test_games_of_a_training_run_are_kept_with_what_the_learner_thought(tmp_path):
    path = tmp_path / "run"
    assert run("training.train", *TINY, "total_steps=4000", f"output={path}").returncode == 0
    files = sorted((path / "replays").iterdir())
    assert files
    for file in files:
        kept = replay.load(file)
        replay.verify(kept)
        thought = [decision for decision in kept.decisions if "probabilities" in decision]
        assert thought and all(sum(each["probabilities"].values()) == pytest.approx(1, abs=1e-2) for each in thought)
        assert all(-2 < each["value"] < 2 for each in thought)
