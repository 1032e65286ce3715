"""TorchRL over the native batch, and TorchRL's own wrapper over the PettingZoo environment."""

import numpy as np
import pytest
import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from cardenvs import uno_all_wild_v0
from cardenvs.adapters.torchrl import CardEnv
from cardenvs.core.errors import IllegalActionError, OptionError
from cardenvs.envs.vector import CardVectorEnv
from tests.tables import every_game, illegal_action


def chosen_are_legal(rollout, *group):
    """bool: whether each action of a rollout was."""
    return rollout[(*group, "action_mask")].gather(-1, rollout[(*group, "action")].unsqueeze(-1)).squeeze(-1)


def masked_actor(observation, mask, action, actions):
    """A policy whose logits have nothing to do with what is legal."""
    logits = TensorDictModule(lambda seen: 3 * torch.randn(*seen.shape[:-1], actions), [observation], ["logits"])
    return ProbabilisticActor(
        logits, {"logits": "logits", "mask": mask}, out_keys=[action], distribution_class=MaskedCategorical
    )


@every_game
def test_specs_are_what_steps_return(name):
    check_env_specs(CardEnv(name, 3, seed=0), seed=1)


@every_game
def test_rows_play_as_those_of_the_vector_environment(name):
    env = CardEnv(name, 8, seed=5, opponents="random", max_decisions=40)
    other = CardVectorEnv(name, 8, opponents="random", max_decisions=40, autoreset_mode="SameStep")
    torch.manual_seed(0)
    rollout = env.rollout(60, break_when_any_done=False)
    observations, infos = other.reset(seed=5)
    for t in range(60):
        now = rollout[:, t]
        np.testing.assert_array_equal(now["observation"], observations)
        np.testing.assert_array_equal(now["action_mask"], infos["action_mask"])
        observations, rewards, terminated, truncated, infos = other.step(now["action"].numpy())
        np.testing.assert_array_equal(now["next", "reward"][:, 0], rewards)
        np.testing.assert_array_equal(now["next", "terminated"][:, 0], terminated)
        np.testing.assert_array_equal(now["next", "truncated"][:, 0], truncated)
        for b in np.flatnonzero(terminated | truncated):
            np.testing.assert_array_equal(now["next", "observation"][b], infos["final_obs"][b])
            assert not now["next", "action_mask"][b].any()
    assert rollout["next", "done"].sum() > 4 and chosen_are_legal(rollout).all()


def test_a_seed_plays_the_same_again():
    env = CardEnv("twits", 4, num_players=2)
    rollouts = []
    for _ in range(2):
        env.set_seed(3)
        torch.manual_seed(0)
        rollouts.append(env.rollout(50, break_when_any_done=False))
    assert (rollouts[0] == rollouts[1]).all()


def test_masked_policies_choose_no_illegal_action():
    env = CardEnv("uno_all_wild", 64, seed=0, num_players=4)
    policy = masked_actor("observation", "action_mask", "action", env.action_spec.n)
    rollout = env.rollout(160, policy, break_when_any_done=False)  # 10,240 decisions
    assert chosen_are_legal(rollout).all() and rollout["action_mask"].float().mean() < 0.9
    assert rollout["next", "reward"].min() > -1 and rollout["next", "reward"].max() == 1  # −1 is for offences


def test_games_that_are_over_stay_until_all_are():
    env = CardEnv("uno_all_wild", 16, seed=0)
    rollout = env.rollout(1000, break_when_any_done=False, break_when_all_done=True)
    over = rollout["next", "done"][..., 0]
    assert over[:, -1].all() and over[:, 0].sum() < 16
    assert (over.int().diff(dim=1) >= 0).all()


def test_an_illegal_action_loses_and_no_action_is_refused():
    env = CardEnv("uno_all_wild", 2, seed=0)
    now = env.reset()
    with pytest.raises(IllegalActionError, match="from 0 to"):
        env.step(now.clone().set("action", torch.tensor([0, 999])))
    action = illegal_action(now["action_mask"][0].numpy())
    legal = now["action_mask"][1].int().argmax()
    after = env.step(now.set("action", torch.tensor([action, legal])))["next"]
    assert after["reward"][0] == -1 and after["terminated"][:, 0].tolist()[0]


def test_a_game_that_goes_on_cannot_be_held_up():
    env = CardEnv("uno_all_wild", 2, seed=0)
    now = env.rand_action(env.reset()).set("_step", torch.tensor([[True], [False]]))
    with pytest.raises(OptionError, match="game 1"):
        env.step(now)


@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested")
def test_torchrls_own_wrapper_gets_masks_and_the_rewards_of_all_seats():
    env = PettingZooWrapper(
        uno_all_wild_v0.env(num_players=3), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=0
    )
    actions = env.full_action_spec["agents", "action"].space.n
    policy = masked_actor(
        ("agents", "observation", "observation"), ("agents", "action_mask"), ("agents", "action"), actions
    )
    rollout = env.rollout(10_000, policy, break_when_any_done=False)
    asked = rollout["agents", "mask"]
    assert (asked.sum(dim=1) == 1).all() and (asked.sum(dim=0) > 2_000).all()
    assert chosen_are_legal(rollout, "agents")[asked].all()
    assert rollout["agents", "action_mask"][asked].float().mean() < 0.9
    over = rollout["next", "done"][:, 0]
    rewards = rollout["next", "agents", "reward"][..., 0]
    assert not rewards[~over].any() and over.sum() > 100
    assert (rewards[over].max(dim=1).values == 1).all() and (rewards[over].min(dim=1).values < 0).all()
    assert rewards[over].count_nonzero(dim=1).min() == 3  # of seats that were asked last and of all others
