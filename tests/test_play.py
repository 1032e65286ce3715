"""A person at the terminal among agents."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from omegaconf import OmegaConf
from rich.console import Console

from agents.human import legal_actions
from agents.play import Saved, Session, decide, new_game, play, read, save, save_replay
from agents.protocol import AgentError
from cardenvs import games, replay
from cardenvs.core.errors import OptionError
from cardenvs.core.portrayal import plain

ROOT = Path(__file__).resolve().parents[1]
PLAYED = [name for name in games.VERSIONS if len(games.get(name).policies) > 1]


def config_of(game, opponents="expert", num_players=2, seat=0, **options):
    table = {"name": game, "num_players": num_players, "options": options}
    return OmegaConf.create({"game": table, "opponents": opponents, "seat": seat})


def session_of(game, seed=1, **config):
    console = Console(width=150, record=True, file=StringIO())
    return Session(new_game(config_of(game, **config), seed), console)


def answers(*lines):
    """What is typed, one line a question; then always the first action."""
    left = iter(lines)
    return lambda prompt: next(left, "1")


def shown(session):
    return session.console.export_text(clear=False)


@pytest.mark.parametrize("name", games.VERSIONS)
def test_a_whole_game_can_be_played(name, tmp_path):
    session = session_of(name, opponents="random", episode="round")
    assert play(session, tmp_path, answers())
    assert session.is_over and "won" in shown(session)
    kept = replay.load(save_replay(session, tmp_path))
    replay.verify(kept)
    assert kept.header["agents"] == ["human", "random"]


@pytest.mark.parametrize("name", PLAYED)
def test_nothing_hidden_is_ever_shown(name, tmp_path):
    """What is shown of two games that differ in what the seat cannot know is the same until it may differ."""
    session = session_of(name, num_players=3, episode="round")
    session.let_others_act()
    session.show()
    position = session.table.snapshot()
    others = {kind for hand in position["hands"][1:] for kind in hand}
    seen = set(position["hands"][0]) | set(position.get("discard_pile", ()))
    said = " ".join(line for line in shown(session).splitlines() if "seat 0" not in line)
    for kind in sorted(seen, key=len, reverse=True):
        said = said.replace(plain(kind), "")
    assert others - seen
    for kind in others - seen:
        assert f" {plain(kind)} " not in said
    assert shown(session).count("?") == sum(sum(hand.values()) for hand in position["hands"][1:])


def test_a_match_keeps_its_score(tmp_path):
    session = session_of("uno_all_wild", opponents="random")
    assert session.saved.options["episode"] == "match"
    play(session, tmp_path, answers())
    assert session.table.scores.max() >= 500 and "points" in shown(session) and "wins the match" in shown(session)


def test_a_hint_is_what_the_baseline_would_do_with_its_probabilities(tmp_path):
    session = session_of("twice_the_fun", opponents=["expert", "expert", "expert"])
    session.let_others_act()
    assert decide(session, tmp_path, answers("hint", "1"))
    lines = [line for line in shown(session).splitlines() if "baseline" in line]
    assert len(lines) == len(session.journal.steps[0].after["legal"]) or len(lines) > 1
    chances = [float(line.split("%")[0].split()[-1]) for line in lines]
    assert sum(chances) == pytest.approx(100, abs=0.5) and chances == sorted(chances, reverse=True)


def test_where_there_is_no_baseline_the_expert_gives_hints(tmp_path):
    session = session_of("twits", num_players=3)
    session.let_others_act()
    decide(session, tmp_path, answers("hint", "1"))
    assert "expert would choose" in shown(session)


def test_undo_goes_back_to_ones_own_decision_before(tmp_path):
    session = session_of("twits", num_players=3, opponents=["random", "greedy"])
    session.let_others_act()
    first = session.table.snapshot()
    decide(session, tmp_path, answers("undo", "1"))
    assert "There is nothing to take back." in shown(session)
    session.let_others_act()
    assert session.table.snapshot() != first
    decide(session, tmp_path, answers("undo"))
    assert session.table.snapshot() == first and session.saved.actions == [
        session.table.action_name(action) for action in session.journal.actions
    ]


def test_after_undo_the_others_play_as_they_did(tmp_path):
    session = session_of("twits", num_players=3, opponents=["random", "expert"])
    states = []
    for typed in (("1",), ("undo",), ("1",)):
        session.let_others_act()
        decide(session, tmp_path, answers(*typed))
        session.let_others_act()
        states.append(session.table.snapshot())
    assert states[0] == states[2] != states[1]


def test_a_game_is_taken_up_again_where_it_was_left(tmp_path):
    session = session_of("twice_the_fun", opponents=["expert", "baseline", "random"], seat=2)
    left = play(session, tmp_path, answers("1", "1", "1", "save", "quit"))
    assert not left and "python -m agents.play resume=" in shown(session)
    again = Session(read(save(session, tmp_path)), session.console)
    assert again.table.snapshot() == session.table.snapshot() and again.saved == session.saved
    for one in (session, again):
        play(one, tmp_path, answers())
    assert again.table.snapshot() == session.table.snapshot()


def test_rules_can_be_looked_up(tmp_path):
    session = session_of("twits")
    session.let_others_act()
    decide(session, tmp_path, answers("rule twt-4", "rule 99", "help", "replay", "banana", "1"))
    text = shown(session)
    assert "TWT-4: If that was the seat's third set, the round ends at once." in text
    assert "rule '99' is unknown" in text and "what the baseline" in text
    assert "Written to" in text and "That is no legal action" in text


def test_seats_and_opponents_are_as_they_are_asked_for():
    saved = new_game(config_of("twits", ["random", "greedy", "expert"], seat=2), 0)
    assert saved.agents == ["greedy", "expert", "human", "random"] and saved.seat == 2
    seats = {new_game(config_of("twits", num_players=4, seat="random"), seed).seat for seed in range(30)}
    assert seats == {0, 1, 2, 3}
    with pytest.raises(OptionError, match="seat is 4"):
        new_game(config_of("twits", num_players=4, seat=4), 0)
    with pytest.raises(AgentError, match="Did you mean 'expert'"):
        session_of("twits", opponents="expart")


def test_what_is_no_saved_game_is_refused(tmp_path):
    for content in ("", "{}", '{"game": "twits"}', json.dumps(dict.fromkeys(Saved.__dataclass_fields__, 0))):
        (tmp_path / "game.json").write_text(content)
        with pytest.raises(AgentError, match="is no saved game"):
            read(tmp_path / "game.json")
    with pytest.raises(AgentError, match="there is no saved game"):
        read(tmp_path / "nothing.json")


def run(typed, *args):
    return subprocess.run(
        [sys.executable, "-m", "agents.play", *args],
        cwd=ROOT, input=typed, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_plays_and_keeps_the_game_when_nobody_answers_any_more(tmp_path):
    result = run("1\n1\n", "game=twits", "opponents=[greedy]", "seed=4", f"output={tmp_path}")
    assert result.returncode == 0, result.stderr
    assert f"resume={tmp_path}/twits.json" in result.stdout
    assert np.size(json.loads((tmp_path / "twits.json").read_text())["actions"]) >= 2
    result = run("1\n" * 400 + "n\n", f"resume={tmp_path}/twits.json", f"output={tmp_path}")
    assert result.returncode == 0, result.stderr
    assert "You have won" in result.stdout and "of 1" in result.stdout
    result = run("", "game=twits", "opponents=[graedy]")
    assert result.returncode == 2 and "Did you mean 'greedy'" in result.stderr and "Traceback" not in result.stderr


def test_a_hint_names_a_seat_by_its_own_number(tmp_path):
    """The person is seat 2 of three: the seat to its left is seat 0, and no action is about seat 2."""
    aimed = ("forced swap", "targeted draw two")
    for seed in range(30):
        session = session_of("uno_all_wild", seed, opponents=["random", "random"], seat=2)
        session.let_others_act()
        held = [card for card in aimed if card in legal_actions(session.table)]
        if held:
            break
    decide(session, tmp_path, answers(held[0]))
    assert session.journal.position["phase"] == "target"
    decide(session, tmp_path, answers("hint", "1"))
    assert "expert would choose seat 0" in shown(session) or "expert would choose seat 1" in shown(session)
