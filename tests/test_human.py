"""A person as an agent: what is shown, and what can be typed."""

import numpy as np
import pytest

import agents
from agents.human import legal_actions, match
from cardenvs import BatchGame, games
from cardenvs.core.portrayal import plain
from training.duplicate import play_games

PLAYED = [name for name in games.VERSIONS if len(games.get(name).policies) > 1]


@pytest.fixture
def typing(monkeypatch):
    """Types the given lines, one a question."""

    def type_lines(lines):
        left = iter(lines)
        monkeypatch.setattr("builtins.input", lambda prompt: next(left))

    return type_lines


@pytest.mark.parametrize("name", PLAYED)
def test_an_action_is_chosen_by_number_or_name(name, typing, capsys):
    game = BatchGame(name, 2, seed=1, num_players=2)
    legal = [list(legal_actions(game[i])) for i in range(2)]
    typing([f" {len(legal[0])} ", legal[1][0]])
    chosen = agents.load("human", name, 2).search(game.resample_hidden())
    assert [game.action_name(int(a)).replace("_", " ") for a in chosen] == [legal[0][-1], legal[1][0]]
    shown = capsys.readouterr().out
    assert all(f"1) {actions[0]}" in shown for actions in legal)


def test_what_is_no_action_is_asked_again_with_a_hint(typing, capsys):
    game = BatchGame("uno_all_wild", seed=1, num_players=2)
    typing(["0", "99", "", "wilt", "wild"])
    chosen = agents.load("human", "uno_all_wild", 2).search(game.resample_hidden())
    assert game.action_name(int(chosen[0])) == "wild"
    shown = capsys.readouterr().out
    assert shown.count("That is no legal action") == 4 and "Did you mean wild?" in shown


@pytest.mark.parametrize("name", PLAYED)
def test_a_person_is_shown_nothing_hidden(name, typing, capsys):
    """Two possibilities of what is hidden look the same."""
    game = BatchGame(name, seed=3, num_players=3)
    shown = []
    for _ in range(2):
        typing(["1"])
        agents.load("human", name, 3).search(game.resample_hidden())
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] and "you" in shown[0]


def test_a_person_plays_a_whole_game(typing):
    typing(["1"] * 500)
    players = [agents.load("human", "twits", 2), agents.load("random", "twits", 2)]
    played = play_games("twits", players, np.array([5], np.uint64), {}, 1)
    assert played.terminated.all()


def test_seats_go_by_their_own_numbers():
    """An action names a seat by how far it is from the actor; a person means the seat of that number."""
    game = BatchGame("uno_all_wild", seed=0, num_players=4)
    for _ in range(2000):
        if game.game.phases[game.phase[0]] == "target" and game.actor[0] == 2:
            break
        game.step([int(np.random.default_rng(0).choice(np.flatnonzero(game.legal()[0])))], autoreset=True)
    legal = legal_actions(game)
    assert list(legal) == ["seat 3", "seat 0", "seat 1"]
    assert [game.action_name(legal[seat]) for seat in legal] == ["seat_1", "seat_2", "seat_3"]
    assert match("seat_0", legal) == match("2", legal) == legal["seat 0"]


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_nothing_is_cut_off_in_a_narrow_terminal(columns, typing, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    game = BatchGame("twice_the_fun", seed=3, num_players=4)
    typing(["1"])
    agents.load("human", "twice_the_fun", 4).search(game)
    shown = capsys.readouterr().out
    assert "…" not in shown and "you" in shown
    assert all(plain(kind) in shown for kind in game.snapshot()["hands"][game.actor[0]])
