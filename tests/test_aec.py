"""The PettingZoo face."""

import copy
import pickle
import warnings
from functools import partial
from importlib import import_module
from itertools import islice

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import cardenvs  # noqa: F401 - registers
from cardenvs import games, uno_all_wild_v0
from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError
from tests.helpers import deck_of, stacked_deck
from tests.tables import every_game, every_size, illegal_action, some_tables, usual_table

# PettingZoo's api_test knows by name which environments may observe dictionaries with masks (its own classic games)
# and be zero at the end; for any other it warns. Nothing but these warnings is let through.
API_TEST_ASSUMES = (
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros (no legal actions).",
)


def env_of(name, **options):
    return import_module(f"cardenvs.{name}_v0").env(**options)


def raw_env_of(name, **options):
    return import_module(f"cardenvs.{name}_v0").raw_env(**options)


both_envs = pytest.mark.parametrize("make", [env_of, raw_env_of])


def random_action(env, rng):
    observation, _, terminated, truncated, _ = env.last()
    return None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))


def play(env, rng, steps):
    trace = []
    for _ in range(steps):
        if not env.agents:
            env.reset()
        agent = env.agent_selection
        action = random_action(env, rng)
        env.step(action)
        trace.append((agent, action, dict(env.rewards), env.unwrapped.snapshot()))
    return trace


@every_size
@both_envs
def test_api_test_passes(make, table):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(table.name, **table.options), num_cycles=300)
    assert {str(w.message) for w in caught} <= set(API_TEST_ASSUMES)


@every_size
def test_seed_test_passes(table):
    seed_test(partial(env_of, table.name, **table.options), num_cycles=200)


@every_game
def test_render_test_passes(name, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("cardenvs.envs.one_game.FRAMES_A_SECOND", 1000)
    render_test(partial(env_of, name))


@every_game
def test_the_registry_makes_the_same_environment(name):
    env = pettingzoo.make("aec", f"cardenvs/{name}-v{games.VERSIONS[name]}", num_players=2)
    other = env_of(name, num_players=2)
    env.reset(seed=4)
    other.reset(seed=4)
    assert env.unwrapped.snapshot() == other.unwrapped.snapshot()
    assert str(env) == f"{name}_v{games.VERSIONS[name]}"


@usual_table
def test_observe_is_valid_for_every_agent_and_changes_nothing(table):
    env = env_of(table.name, **table.options)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(60):
        if not env.agents:
            break
        before = env.unwrapped.snapshot()
        for agent in env.possible_agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            asked = agent == env.agent_selection and not env.terminations[agent]
            assert observation["action_mask"].any() == asked
        assert env.unwrapped.snapshot() == before
        env.step(random_action(env, rng))


def test_observations_are_fresh_arrays():
    env = uno_all_wild_v0.env(num_players=2)
    env.reset(seed=0)
    first = env.observe("player_0")
    kept = first["observation"].copy()
    first["observation"][:] = 9
    np.testing.assert_array_equal(env.observe("player_0")["observation"], kept)


@usual_table
def test_state_shows_every_seat_at_any_time_and_in_any_copy(table):
    env, rng = env_of(table.name, **table.options), np.random.default_rng(5)
    env.reset(seed=0)
    for _ in islice(env.agent_iter(), 60):
        for same in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            assert same.state_space.contains(same.state())
            seen = [same.observe(agent)["observation"] for agent in same.possible_agents]
            np.testing.assert_array_equal(same.state(), np.concatenate(seen))
        env.step(random_action(env, rng))


def test_who_catches_a_shuffle_that_did_not_fit_is_shown_nobody_elses_cards():
    """The card that is to be drawn needs a reshuffle, and the order stacked for that does not fit."""
    env = uno_all_wild_v0.env(num_players=2, deck=deck_of(wild=13, skip=1, draw_two=1))
    order = stacked_deck([["skip", "draw_two"], []], deck=deck_of(wild=13, skip=1, draw_two=1))
    env.reset(seed=0, options={"dealer": 1, "shuffles": [order, ["wild", "wild"]]})
    env.step(env.unwrapped.action_index("skip"))
    with pytest.raises(ShuffleError):
        env.step(env.unwrapped.action_index("draw_two"))
    np.testing.assert_array_equal(env.observe("player_0")["observation"], env.unwrapped._games.observe_one(0))


@some_tables
def test_last_rewards_add_up_to_the_returns(table):
    env = env_of(table.name, **table.options)
    rng = np.random.default_rng(3)
    env.reset(seed=3)
    paid, received = dict.fromkeys(env.possible_agents, 0.0), dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        received[agent] += env.last(observe=False)[1]
        action = random_action(env, rng)
        env.step(action)
        if action is not None:
            for other, reward in env.rewards.items():
                paid[other] += reward
    assert received == pytest.approx(paid)
    assert sum(paid.values()) == pytest.approx(0, abs=1e-4)
    assert any(paid.values()) or env.unwrapped.snapshot()["truncated"]


def test_rewards_are_those_of_the_last_step_alone():
    env = uno_all_wild_v0.raw_env(num_players=2, episode="match", reward="score", target_score=5000)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    paid_before = False
    for _ in range(200):
        env.step(random_action(env, rng))
        paid = any(env.rewards.values())
        assert not (paid and paid_before)
        paid_before = paid


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@both_envs
@usual_table
def test_copies_go_on_identically(make, clone, table):
    env = make(table.name, **table.options)
    env.reset(seed=8)
    play(env, np.random.default_rng(0), 20)
    twin = clone(env)
    assert play(env, np.random.default_rng(5), 150) == play(twin, np.random.default_rng(5), 150)


@usual_table
def test_raw_env_refuses_an_illegal_action_and_stays_as_it_was(table):
    env = raw_env_of(table.name, **table.options)
    env.reset(seed=0)
    before = env.snapshot()
    illegal = np.flatnonzero(env.last()[0]["action_mask"] == 0)
    for action in (*illegal, -1, 99, 2.5, "draw", None):
        with pytest.raises(IllegalActionError, match="legal are"):
            env.step(action)
    assert env.snapshot() == before


@pytest.mark.filterwarnings("ignore:.*[Ii]llegal")  # the warning is PettingZoo's convention too
@usual_table
def test_env_ends_the_episode_for_an_illegal_action_at_the_offenders_cost(table):
    env = env_of(table.name, **table.options)
    env.reset(seed=0)
    offender = env.agent_selection
    env.step(illegal_action(env.last()[0]["action_mask"]))
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    seen = {}
    for agent in env.agent_iter():
        seen[agent] = env.last()[1]
        assert not env.observe(agent)["action_mask"].any()
        env.step(None)
    assert seen[offender] == -1.0 and sum(seen.values()) == -1.0
    env.reset(seed=0)
    fresh = env_of(table.name, **table.options)
    fresh.reset(seed=0)
    assert env.unwrapped.snapshot() == fresh.unwrapped.snapshot()
    assert play(env, np.random.default_rng(1), 80) == play(fresh, np.random.default_rng(1), 80)


def test_env_asserts_that_actions_lie_in_their_space():
    env = uno_all_wild_v0.env(num_players=3)
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(99)


@pytest.mark.parametrize("name", ["agents", "rewards", "terminations", "infos", "agent_selection"])
def test_env_says_what_needs_a_reset(name):
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        getattr(uno_all_wild_v0.env(), name)


def test_env_says_that_step_needs_a_reset():
    with pytest.raises(AssertionError, match="reset"):
        uno_all_wild_v0.env().step(0)


def test_env_asks_for_a_step_between_agents():
    env = uno_all_wild_v0.env()
    env.reset()
    agents = env.agent_iter()
    next(agents)
    with pytest.raises(AssertionError, match="need to call step"):
        next(agents)


@usual_table
def test_the_cap_truncates_all_agents(table):
    env = env_of(table.name, **table.options, max_decisions=5)
    env.reset(seed=0)
    play(env, np.random.default_rng(0), 5)
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_unknown_options_are_named():
    with pytest.raises(OptionError, match="Did you mean 'uno_calls'"):
        uno_all_wild_v0.env(uno_call="declare")
    with pytest.raises(OptionError, match="from 2 to 10"):
        uno_all_wild_v0.env(num_players=11)
    with pytest.raises(OptionError, match="render_mode"):
        uno_all_wild_v0.env(render_mode="rgb")


def test_reset_ignores_unknown_keys():
    env = uno_all_wild_v0.env()
    env.reset(seed=2, options={"something": 1})
    assert env.agents
