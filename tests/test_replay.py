"""Replays: whatever is played can be kept, is true, and can be watched."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from cardenvs import BatchGame, games, replay
from cardenvs.core.game import as_keywords
from cardenvs.envs.aec import CardAECEnv
from cardenvs.envs.parallel import CardParallelEnv
from cardenvs.render.journal import Journal
from cardenvs.replay import ReplayError
from tests.helpers import mixed_deck
from tests.tables import every_game, every_table

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/*.jsonl.gz"))


def play_random(journal, rng, remark=False):
    """Play the game of a journal to its end."""
    game = journal.games
    while game.actor[0] >= 0:
        legal = np.flatnonzero(game.legal()[0])
        if remark:
            journal.remark(probabilities={game.action_name(int(a)): 1 / len(legal) for a in legal}, value=0.25)
        game.step([rng.choice(legal)])
    return journal


@every_table
def test_a_replay_is_what_was_played(table, tmp_path):
    game = BatchGame(table.name, seed=8, **table.options)
    journal = play_random(Journal(game), np.random.default_rng(8))
    kept = replay.load(replay.save(tmp_path / "game.jsonl", journal))
    replay.verify(kept)
    assert kept.header["game"] == table.name
    assert [decision["action"] for decision in kept.decisions] == journal.actions
    assert (kept.decisions[-1]["snapshot"] if kept.decisions else kept.start) == game.snapshot()
    assert len(kept.header["reset"]["shuffles"]) == game.snapshot()["shuffles"]


@every_game
def test_opponents_that_are_played_inside_a_step_are_in_the_replay(name, tmp_path):
    env = gymnasium.make(games.env_id(name), opponents="random", num_players=2, max_decisions=60).unwrapped
    journal = env.journal()
    _, info = env.reset(seed=4)
    while info["action_mask"].any():
        *_, info = env.step(int(info["action_mask"].argmax()))
    kept = replay.load(replay.save(tmp_path / "game.jsonl.gz", journal, ["me", "random"]))
    replay.verify(kept)
    assert kept.header["agents"] == ["me", "random"]
    assert kept.decisions[-1]["snapshot"] == env.snapshot()
    assert {decision["snapshot"]["actor"] for decision in kept.decisions} >= {0, 1}


def test_both_of_pettingzoos_interfaces_can_be_kept(tmp_path):
    for make in (CardAECEnv, CardParallelEnv):
        env = make("wild_twists")
        journal = env.journal()
        env.reset(seed=1)
        for _ in range(20):
            env.step(0 if make is CardAECEnv else dict.fromkeys(env.agents, 0))
        replay.verify(replay.load(replay.save(tmp_path / "game.jsonl", journal)))


def test_stacked_shuffles_and_what_comes_after_them(tmp_path):
    options = {"deck": mixed_deck(16), "num_players": 2, "episode": "match", "max_decisions": 400}
    game = BatchGame("uno_all_wild", seed=3, **options)
    deck = [kind for kind, copies in options["deck"].items() for _ in range(copies)]
    journal = Journal(game)
    game.reset(options={"shuffles": [deck], "dealer": 1})
    kept = replay.load(replay.save(tmp_path / "game.jsonl", play_random(journal, np.random.default_rng(0))))
    replay.verify(kept)
    assert kept.header["reset"]["shuffles"][0] == deck and len(kept.header["reset"]["shuffles"]) > 3
    assert kept.header["reset"]["dealer"] == 1


def test_an_unfinished_episode_and_one_of_many_can_be_kept(tmp_path):
    game = BatchGame("twits", seed=2, num_players=3)
    journal = Journal(game)
    for number in range(4):
        kept = replay.load(replay.save(tmp_path / "game.jsonl", journal))
        replay.verify(kept)
        assert len(kept.decisions) == number
        game.step([int(game.legal()[0].argmax())])
    game.reset()
    assert len(replay.load(replay.save(tmp_path / "game.jsonl", journal)).decisions) == 0


def test_a_journal_that_was_begun_too_late_is_refused(tmp_path):
    game = BatchGame("twits", seed=2, num_players=3)
    game.step([int(game.legal()[0].argmax())])
    journal = Journal(game)
    with pytest.raises(ReplayError, match="1 decisions of this episode are not in the journal"):
        replay.save(tmp_path / "game.jsonl", journal)
    game.reset()
    replay.verify(replay.load(replay.save(tmp_path / "game.jsonl", journal)))


def test_what_was_remarked_is_kept(tmp_path):
    journal = play_random(Journal(BatchGame("uno_all_wild", seed=1, num_players=2)), np.random.default_rng(1), True)
    kept = replay.load(replay.save(tmp_path / "game.jsonl", journal))
    for decision in kept.decisions:
        assert decision["name"] in decision["probabilities"] and decision["value"] == 0.25


@pytest.mark.parametrize("path", GOLDEN[:: len(GOLDEN) // 12], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_games_are_replays(path):
    replay.verify(replay.load(path))


def one_replay(tmp_path):
    journal = play_random(Journal(BatchGame("twits", seed=1, num_players=2)), np.random.default_rng(1))
    return replay.save(tmp_path / "game.jsonl", journal)


def changed(path, number, change):
    """The file with one line changed by a function of its data."""
    lines = path.read_text().splitlines()
    data = json.loads(lines[number - 1])
    change(data)
    lines[number - 1] = json.dumps(data)
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (2, lambda data: data["snapshot"].update(dealer=7), "line 2: snapshot.dealer is 7, and should be"),
        (5, lambda data: data["rewards"].reverse() or data.update(rewards=[1, 0]), r"line 5: rewards are \[1, 0\]"),
        (6, lambda data: data["snapshot"].pop("hands"), "line 6: snapshot.hands is None"),
        (4, lambda data: data.update(name="plus_11"), "line 4: .*'plus_11' is unknown.*plus_10"),
        (4, lambda data: data.update(action=99), "line 4: action is 99"),
        (1, lambda data: data["reset"]["shuffles"][0].pop(), "line 1: .*too few"),
        (1, lambda data: data["options"].update(speed="fast"), "line 1: .*'speed' is unknown"),
    ],
)
def test_what_is_not_true_is_named_with_its_line(number, change, message, tmp_path):
    with pytest.raises(ReplayError, match=message):
        replay.verify(replay.load(changed(one_replay(tmp_path), number, change)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"not json",
        b'{"game": "poker"}\n{}',
        gzip.compress(b"x", mtime=0)[:-3],
        b'{"game": "twits", "reset": {}}\n{}\n',
    ],
    ids=["empty", "no game", "no json", "no such game", "cut short", "no shuffles"],
)
def test_what_is_no_replay_is_refused(content, tmp_path):
    for name in ("file.jsonl", "file.jsonl.gz"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ReplayError, match="is no replay"):
            replay.load(tmp_path / name)
    with pytest.raises(ReplayError, match="there is no file"):
        replay.load(tmp_path / "nothing.jsonl")


@every_table
def test_options_are_told_as_they_are_given(table):
    game = BatchGame(table.name, seed=0, **table.options)
    told = as_keywords(game.game, game.options)
    assert BatchGame(table.name, seed=0, num_players=table.num_players, **told).options == game.options
    assert table.options.items() <= {"num_players": table.num_players, **told}.items()


def command(*args):
    return subprocess.run(
        [sys.executable, "-m", "cardenvs.replay", *map(str, args)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_checks_a_replay_and_makes_a_page_of_it(tmp_path):
    path = one_replay(tmp_path)
    result = command(path, "--verify", "--html", tmp_path / "pages" / "game.html")
    assert result.returncode == 0, result.stderr
    assert "decisions, all as they are played here" in result.stdout
    assert "The Twits" in (tmp_path / "pages" / "game.html").read_text()
    changed(path, 2, lambda data: data["snapshot"].update(turn=1))
    result = command(path, "--verify")
    assert result.returncode == 2 and "ReplayError: line 2" in result.stderr and "Traceback" not in result.stderr
    assert "--html PAGE, --verify or both" in command(path).stderr
