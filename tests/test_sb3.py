"""Stable-Baselines3 over the native batch."""

import warnings

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor

import cardenvs  # noqa: F401 - registers
from cardenvs import games
from cardenvs.adapters.sb3 import CardVecEnv
from cardenvs.engine.seating import scripted_table
from tests.tables import every_game, hardest, smallest


@every_game
def test_check_env_passes_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(games.env_id(name), opponents=hardest(name)).unwrapped)


@every_game
def test_a_monitored_environment_keeps_its_masks(name):
    assert is_masking_supported(Monitor(gymnasium.make(games.env_id(name))))


def test_masks_reach_maskable_ppo_and_no_action_is_illegal():
    env = CardVecEnv("uno_all_wild", 64, seed=0, num_players=4, opponents={"random": 1, "expert": 1})
    assert is_masking_supported(env)
    assert not env.has_attr("nonsense")
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=256, n_epochs=1, seed=0, device="cpu")
    model.learn(2048)
    observations = env.reset()
    for _ in range(160):  # 10,240 decisions
        masks = get_action_masks(env)
        assert masks.shape == (64, 16) and masks.any(axis=1).all()
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(64), actions].all()
        observations, *_ = env.step(actions)


def typical_decisions(name):
    """About as many decisions as half of the rounds take."""
    rounds = smallest(name).batch(100, seating=lambda game, p: scripted_table(game, ["random"] * p))
    return int(np.median(rounds.decisions))


@every_game
def test_infos_of_finished_games_are_those_of_a_monitor(name):
    cap = typical_decisions(name)
    env = CardVecEnv(name, 32, seed=1, opponents="random", max_decisions=cap, **smallest(name).options)
    env.reset()
    rng = np.random.default_rng(0)
    returns = np.zeros(32)
    terminated = truncated = 0
    for _ in range(3 * cap):
        masks = np.stack(env.env_method("action_masks"))
        _, rewards, over, infos = env.step(np.where(masks, rng.random(masks.shape), -1).argmax(axis=1))
        returns += rewards
        for b in np.flatnonzero(over):
            assert infos[b]["episode"]["r"] == pytest.approx(returns[b])
            assert infos[b]["terminal_observation"].shape == env.observation_space.shape
            truncated += infos[b]["TimeLimit.truncated"]
            terminated += not infos[b]["TimeLimit.truncated"]
            returns[b] = 0
        assert all(not infos[b] for b in np.flatnonzero(~over))
    assert truncated > 5 and terminated > 5


def test_methods_that_games_do_not_have_are_named():
    env = CardVecEnv("uno_all_wild", 2)
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("render_all")
    with pytest.raises(AttributeError, match="make a new one"):
        env.set_attr("seat", 1)
    assert env.seed(4) == [4, 5]
