"""Information-set search: it finds what is known to be best, sees nothing hidden, and is worth its time."""

import signal
import threading
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from rich.console import Console

import agents
from agents.ismcts import SLICE, Settings, choose_all, make_tree, read_settings, search
from cardenvs import BatchGame, games
from cardenvs.core.errors import OptionError
from tests.helpers import play, staged
from training import matches, strength
from training.cli import CONFIGS
from training.duplicate import play_duplicates, play_games
from training.plots import plot_strength

UNO = games.get("uno_all_wild")
PLAYED = tuple(name for name in games.VERSIONS if len(games.get(name).policies) > 1)


def found(game, **settings):
    """The action that search chooses in a single game, by name."""
    return game.action_name(int(choose_all(game.resample_hidden(), Settings(**settings))[0]))


def race(kind):
    """Two players; seat 0 has a wild and another card, seat 1 a single card, so a turn given away is the game."""
    game = staged([["wild", "wild", "wild", "wild", "wild", kind], ["wild"] * 7], dealer=0)
    play(game, *["wild"] * 11)
    assert game.actor[0] == 0
    return game


@pytest.mark.parametrize("kind", ["skip", "reverse", "draw_two", "draw_four"])
@pytest.mark.parametrize("playouts", ["random", "greedy"])
def test_a_card_that_gives_another_turn_comes_before_the_last_one(kind, playouts):
    assert found(race(kind), simulations=400, playouts=playouts) == kind


def test_the_hand_of_whoever_is_nearly_out_is_taken():
    """Three players, one of them with one card: to swap for that card wins the next turn, to lay a wild loses."""
    game = staged([["wild"] * 5 + ["forced_swap"], ["wild"] * 7, ["wild"] * 7], dealer=0)
    play(game, *["wild"] * 17)
    assert game.actor[0] == 0 and game._states["sizes"][0, :3].tolist() == [2, 1, 1]
    assert found(game, simulations=1000) == "forced_swap"


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("name", PLAYED)
def test_search_plays_any_number_of_players_and_episode(name, episode):
    players = games.get(name).players[1]
    searcher = agents.load("ismcts:simulations=3", name, players)
    table = play_games(name, [searcher] * players, np.arange(2, dtype=np.uint64), {"episode": episode}, 1)
    assert table.terminated.all()


@pytest.mark.parametrize("name", PLAYED)
def test_search_is_stronger_than_the_policy_that_it_plays_on_with(name):
    searcher = agents.load("ismcts:simulations=150", name, 2)
    random = agents.load("random", name, 2)
    result = play_duplicates(name, 2, searcher, [random], deals=100 if name == "uno_all_wild" else 40)
    assert result.win_rate.low > 0.5


def positions(count=12):
    batch = BatchGame("uno_all_wild", count, num_players=4, seed=3)
    for _ in range(9):
        batch.step(batch.legal().argmax(axis=1), autoreset=True)
    return batch


def test_the_choice_depends_on_neither_threads_nor_company():
    possible = positions().resample_hidden()
    settings = Settings(simulations=120)
    chosen = choose_all(possible, settings)
    np.testing.assert_array_equal(chosen, choose_all(possible, settings))
    np.testing.assert_array_equal(chosen, choose_all(possible, replace(settings, threads=2)))
    np.testing.assert_array_equal(chosen[:5], choose_all(possible[:5], settings))
    assert possible.legal()[np.arange(len(possible)), chosen].all()


def test_search_leaves_the_positions_as_they_are():
    possible = positions().resample_hidden()
    before = possible._states.tobytes()
    choose_all(possible, Settings(simulations=50))
    assert possible._states.tobytes() == before


def test_the_tree_counts_every_simulation():
    possible = positions(1).resample_hidden()
    tree = make_tree(possible, 301)
    for _ in range(2):  # a tree that is used again begins anew
        visits = search(UNO, tree, possible._states, Settings(simulations=300))
        assert visits.sum() == 300
        assert (visits[~possible.legal()[0]] == 0).all() and (visits[possible.legal()[0]] > 0).all()
        assert 1 < tree.nodes_used[0] <= 301


def test_a_tree_without_room_goes_on_counting():
    possible = positions(1).resample_hidden()
    tree = make_tree(possible, 3)
    visits = search(UNO, tree, possible._states, Settings(simulations=500))
    assert visits.sum() == 500 and tree.nodes_used[0] == 3


@pytest.mark.parametrize("seconds", [0.05, 1e-9])
def test_time_ends_the_search_but_not_before_it_has_begun(seconds):
    possible = positions(1).resample_hidden()
    tree = make_tree(possible, 1000)
    visits = search(UNO, tree, possible._states, Settings(simulations=10**9, time=seconds))
    assert 0 < visits.sum() < 10**9


def test_a_search_agent_is_never_given_the_true_game(monkeypatch):
    """What it gets looks the same to the seat that is asked, and has other keys; the hidden cards differ somewhere."""
    given = []

    def act(possible):
        given.append(possible)
        return possible.legal().argmax(axis=1)

    true = []
    resample = BatchGame.resample_hidden

    def resample_and_note(self, seat=None, keys=None):
        true.append(self.copy())
        return resample(self, seat, keys)

    monkeypatch.setattr(BatchGame, "resample_hidden", resample_and_note)
    players = [agents.Agent(name="spy", search=act), *[agents.load("random", "uno_all_wild", 3)] * 2]
    play_games("uno_all_wild", players, np.arange(40, dtype=np.uint64), {}, 1)
    assert len(given) == len(true) > 5
    differ = 0
    for possible, hidden in zip(given, true, strict=True):
        np.testing.assert_array_equal(possible.observe(), hidden.observe())
        assert (possible._states["key"] != hidden._states["key"]).all()
        assert (possible._streams != hidden._streams).all()
        differ += (possible._states["hands"] != hidden._states["hands"]).any()
    assert differ > len(given) / 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ismcts:depth=3", "no setting 'depth'.*simulations"),
        ("ismcts:simulations=many", "simulations is 'many'.*int"),
        ("ismcts:simulations=0", "at least 1"),
        ("ismcts:exploration=nan", "at least 0"),
        ("ismcts:threads=0", "at least 1"),
        ("ismcts:playouts=clever", "'clever'.*greedy"),
    ],
)
def test_bad_settings_are_refused(text, said):
    with pytest.raises(agents.AgentError, match=said):
        agents.load(text, "uno_all_wild", 4)


def test_settings_are_read():
    assert read_settings(UNO, "") == Settings()
    assert read_settings(UNO, "simulations=7,playouts=expert,exploration=0.5,threads=2") == Settings(
        simulations=7, playouts="expert", exploration=0.5, threads=2
    )
    assert read_settings(UNO, "time=0.5").simulations > 10**6


def test_strength_is_measured_by_budget_and_goes_on_where_it_stopped(tmp_path, monkeypatch):
    with initialize_config_dir(str(CONFIGS), version_base=None):
        choices = ["game=uno_all_wild", "game.num_players=2", "budgets=[1,60]", "opponents=[random]", "deals=60"]
        config = compose("strength", choices)
    path, console = tmp_path / "strength.json", Console(quiet=True)
    one, sixty = strength.measure(config, path, console)
    assert one["win_rate"]["high"] < sixty["win_rate"]["mean"]
    monkeypatch.setattr(matches, "play_match", lambda *_: pytest.fail("it was played already"))
    assert strength.measure(config, path, console) == [one, sixty]
    other_game = OmegaConf.merge(config, {"game": {"name": "twits"}})
    with pytest.raises(pytest.fail.Exception):
        strength.measure(other_game, path, console)
    plot_strength([one, sixty], tmp_path / "strength.png")
    assert (tmp_path / "strength.png").stat().st_size > 10_000


def test_strength_needs_a_place_for_the_budget():
    with pytest.raises(OptionError, match="one %d"):
        strength.agent_of(OmegaConf.create({"agent": "ismcts", "num_threads": 1}), 10)


def test_simulate_plays_to_the_end_of_a_round_where_every_round_pays():
    """In a match by points the rewards of the round at hand are what a simulation brings home."""
    batch = BatchGame("uno_all_wild", 1, num_players=3, seed=1, episode="match", reward="score")
    possible = batch.resample_hidden()
    tree = make_tree(possible, 101)
    search(UNO, tree, possible._states, Settings(simulations=100))
    means = tree.arrays[3][0] / np.maximum(tree.arrays[1][0], 1)
    assert (np.abs(means) < 3).all() and tree.scratch["round_number"][0] <= 1


def test_a_search_is_not_waited_for_by_one_who_stops_it():
    possible = BatchGame("twits", 4, num_players=2, seed=0)
    settings = read_settings(games.get("twits"), "simulations=100_000_000,threads=2")
    choose_all(possible, read_settings(games.get("twits"), "simulations=1"))  # compiled
    ctrl_c = partial(signal.pthread_kill, threading.main_thread().ident, signal.SIGINT)
    threading.Timer(0.3, ctrl_c).start()
    with pytest.raises(KeyboardInterrupt):
        choose_all(possible, settings)


def test_simulations_come_in_slices_that_change_nothing():
    possible = BatchGame("twits", 1, num_players=2, seed=0)
    settings = read_settings(games.get("twits"), f"simulations={3 * SLICE}")
    roots = possible._states
    looks = iter([False, False, True])
    visits = search(possible.game, make_tree(possible, 1000), roots, settings, lambda: next(looks))
    shorter = read_settings(games.get("twits"), f"simulations={2 * SLICE}")
    assert visits.sum() == 2 * SLICE
    assert np.array_equal(visits, search(possible.game, make_tree(possible, 1000), roots, shorter))
