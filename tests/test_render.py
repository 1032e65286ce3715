"""Rendering: text, pictures, windows and videos, for every game, phase and number of players."""

import copy
import importlib
import pickle
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.error import DependencyNotInstalled
from rich.text import Text

import cardenvs  # noqa: F401 - registers
from cardenvs import BatchGame, games, uno_all_wild_v0
from cardenvs.core.errors import OptionError
from cardenvs.envs.aec import CardAECEnv
from cardenvs.render.journal import Journal
from cardenvs.render.picture import HEIGHT, WIDTH, to_array
from cardenvs.render.text import to_ansi
from cardenvs.render.views import view_of
from tests.tables import every_game

ID = "cardenvs/TwiceTheFun-v0"


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def sizes(name):
    fewest, most = games.get(name).players
    return sorted({fewest, min(4, most), most})


def asked(name, num_players):
    """The phases that there are with so many players, and None for the end: with two nobody is asked for a target."""
    return {*games.get(name).phases, None} - ({"target", "exchange"} if num_players == 2 else set())


def moments(name, num_players, **options):
    """A random game stopped at the first decision of each of its phases, and when it is over."""
    game, rng, seen = BatchGame(name, seed=7, num_players=num_players, **options), np.random.default_rng(7), set()
    journal, phases = Journal(game), asked(name, num_players)
    for _ in range(20_000):
        phase = journal.position["phase"]
        if phase not in seen:
            seen.add(phase)
            yield journal
        if seen == phases:
            return
        if game.actor[0] < 0:
            game.reset()
        else:
            game.step([rng.choice(np.flatnonzero(game.legal()[0]))])


@pytest.mark.parametrize("num_players", ["fewest", "usual", "most"])
@every_game
def test_every_phase_has_a_picture_and_a_text(name, num_players):
    players = sizes(name)[{"fewest": 0, "usual": len(sizes(name)) // 2, "most": -1}[num_players]]
    phases = set()
    for journal in moments(name, players, **({"uno_calls": "declare"} if name == "uno_all_wild" else {})):
        phases.add(journal.position["phase"])
        for viewer in (None, 0, players - 1):
            view = view_of(journal.games.game, journal.position, viewer, journal.events(viewer, 30))
            picture = to_array(journal.games.game, view)
            assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
            assert picture.std() > 20
            text = Text.from_ansi(to_ansi(journal.games.game, view)).plain
            assert all(f"seat {seat} " in text for seat in range(players))
    assert phases == asked(name, players)


def test_pictures_of_a_seat_do_not_change_with_what_it_cannot_see():
    for journal in moments("twice_the_fun", 4):
        game, seat = journal.games, 2
        other = game.resample_hidden(seat)
        mine, its = (to_array(game.game, view_of(game.game, each.snapshot(), seat)) for each in (game, other))
        assert np.array_equal(mine, its)
    opened, its = (to_array(game.game, view_of(game.game, each.snapshot(), None)) for each in (game[0], other))
    if journal.position["phase"] is not None:
        assert not np.array_equal(opened, its)


def learner_env(**options):
    return gymnasium.make(ID, num_players=4, opponents="greedy", **options)


def walk(env, steps, seed=3):
    """Take random legal actions; a new episode when one is over."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    for _ in range(steps):
        yield env
        *_, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        if terminated or truncated:
            _, info = env.reset()


def test_what_is_rendered_changes_nothing_that_is_played():
    """Scripted opponents act one by one when somebody watches, and all inside the step when nobody does."""
    watched = learner_env(render_mode="ansi").unwrapped
    plain = learner_env().unwrapped
    pairs = zip(walk(watched, 80), walk(plain, 80), strict=True)
    assert all(one.snapshot() == other.snapshot() for one, other in pairs)


@pytest.mark.parametrize("episode", ["round", "match"])
@every_game
def test_rewards_are_the_same_with_a_watcher(name, episode):
    if episode not in games.get(name).max_decisions:
        pytest.skip("there are no matches")
    rewards = []
    for watches in (False, True):
        env = gymnasium.make(
            games.env_id(name), opponents="random", num_players=2, episode=episode, reward="score", max_decisions=900
        ).unwrapped
        if watches:
            env.journal()
        rng = np.random.default_rng(0)
        _, info = env.reset(seed=5)
        paid, over = [], False
        while not over:
            _, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            over = terminated or truncated
            paid.append(reward)
        rewards.append(paid)
    assert rewards[0] == rewards[1] and len(rewards[0]) > 3


def test_every_decision_of_opponents_is_told():
    env = learner_env(render_mode="ansi", seat=0).unwrapped
    for _ in walk(env, 30):
        journal = env._journal
        assert len(journal.actions) == env.snapshot()["decisions"]
    assert "seat 3" in Text.from_ansi(env.render()).plain


def test_a_perspective_hides_what_its_seat_does_not_see():
    env = learner_env(render_mode="rgb_array", seat=1).unwrapped
    env.reset(seed=0)
    own, open_table = env.render(), learner_env(render_mode="rgb_array", seat=1, perspective="open").unwrapped
    open_table.reset(seed=0)
    third = learner_env(render_mode="rgb_array", seat=1, perspective=3).unwrapped
    third.reset(seed=0)
    assert not np.array_equal(own, open_table.render())
    assert np.array_equal(own, env.render(seat=1)) and np.array_equal(third.render(), env.render(seat=3))
    for make in (learner_env, uno_all_wild_v0.env):
        with pytest.raises(OptionError, match="perspective"):
            make(perspective="mine")
        with pytest.raises(OptionError, match="perspective"):
            make(perspective=9)
    with pytest.raises(OptionError, match="seat is 4: it must be a whole number from 0 to 3"):
        env.render(seat=4)


def test_pettingzoo_shows_all_cards_or_those_of_a_seat():
    env = uno_all_wild_v0.env(render_mode="rgb_array")
    env.reset(seed=1)
    assert not np.array_equal(env.render(), env.render(seat=0))
    closed = uno_all_wild_v0.env(render_mode="rgb_array", perspective=0)
    closed.reset(seed=1)
    assert np.array_equal(closed.render(), env.render(seat=0))


@every_game
def test_windows_show_every_decision(name, monkeypatch):
    picture = importlib.import_module("cardenvs.render.picture")
    shown = []
    monkeypatch.setattr(picture.Window, "show", lambda self, surface, rate: shown.append(surface.get_size()))
    env = CardAECEnv(name, num_players=2, render_mode="human")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(5):
        if env.agents and not env.terminations[env.agent_selection]:
            env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
    assert len(shown) == 1 + env.snapshot()["decisions"] and set(shown) == {(WIDTH, HEIGHT)}
    env.close()


def test_a_window_opens_and_closes():
    env = learner_env(render_mode="human").unwrapped
    env.reset(seed=0)
    assert env._window is not None and env.render() is None
    twin = copy.deepcopy(env)
    env.close()
    assert env._window is None and twin._window is not None
    twin.close()


def test_copies_are_watched_by_journals_of_their_own():
    env = learner_env(render_mode="ansi").unwrapped
    list(walk(env, 6))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.render() == env.render()
        before = len(env._journal.actions)
        twin.step(int(np.argmax(twin.action_masks())))
        assert len(env._journal.actions) == before < len(twin._journal.actions)
        assert twin._journal.games is twin._games


def test_gymnasium_records_a_video(tmp_path):
    env = gymnasium.wrappers.RecordVideo(
        learner_env(render_mode="rgb_array"),
        str(tmp_path / "videos"),
        episode_trigger=lambda episode: True,
        disable_logger=True,
    )
    list(walk(env, 12))
    env.close()
    assert [path.stat().st_size > 10_000 for path in tmp_path.rglob("*.mp4")] == [True]


def test_pettingzoo_records_a_video(tmp_path):
    from pettingzoo.utils.wrappers import RecordVideo

    env = RecordVideo(
        pettingzoo.make("aec", "cardenvs/twits-v0", num_players=2, render_mode="rgb_array"), str(tmp_path / "videos")
    )
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else rng.choice(np.flatnonzero(observation["action_mask"])))
    env.close()
    assert [path.stat().st_size > 10_000 for path in tmp_path.rglob("*.mp4")] == [True]


def test_vector_environments_render_every_table():
    for mode in ("ansi", "rgb_array"):
        envs = gymnasium.make_vec(ID, num_envs=3, num_players=2, render_mode=mode)
        envs.reset(seed=0)
        rendered = envs.render()
        assert len(rendered) == 3
        assert all(isinstance(each, str if mode == "ansi" else np.ndarray) for each in rendered)
    with pytest.raises(OptionError, match="ansi, rgb_array"):
        gymnasium.make_vec(ID, num_envs=3, render_mode="human")


@pytest.mark.parametrize(("mode", "module"), [("ansi", "text"), ("rgb_array", "picture")])
def test_what_is_missing_is_named_with_how_to_install_it(mode, module, monkeypatch):
    env = uno_all_wild_v0.env(render_mode=mode)
    env.reset(seed=0)
    library = {"text": "rich.console", "picture": "pygame"}[module]
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"cardenvs.render.{module}", raising=False)
    with pytest.raises(DependencyNotInstalled, match=r'pip install "cardenvs\[render\]"'):
        env.render()


def test_only_single_games_are_watched():
    with pytest.raises(OptionError, match="these are 2"):
        BatchGame("twits", 2, seed=0).watch(lambda games, action: None)
