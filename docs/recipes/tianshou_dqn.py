"""Tianshou: double DQN whose policy takes the mask from the observation."""

import time

import gymnasium
import numpy as np
import torch
from measure import arguments, report, watch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from cardenvs import games

GAMES = 64
EXPLORING = 0.3  # of the steps, until exploration is down to 5%


class MaskInObservation(gymnasium.Wrapper):
    """Observations as Tianshou looks for masks in them: ``{"obs": float32 (D,), "mask": bool (A,)}``."""

    def reset(self, **options):
        observation, info = self.env.reset(**options)
        return {"obs": observation, "mask": info["action_mask"].astype(bool)}, {}

    def step(self, action):
        observation, reward, terminated, truncated, info = self.env.step(action)
        return {"obs": observation, "mask": info["action_mask"].astype(bool)}, reward, terminated, truncated, {}


def main() -> None:
    given = arguments("Tianshou's DQN", steps=200_000)
    np.random.seed(given.seed)
    torch.manual_seed(given.seed)
    singles = [
        gymnasium.make(games.env_id(given.game), num_players=given.players, opponents="random") for _ in range(GAMES)
    ]
    counts = [watch(env) for env in singles]
    envs = DummyVectorEnv([lambda env=env: MaskInObservation(env) for env in singles])
    size, actions = singles[0].observation_space.shape, int(singles[0].action_space.n)
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=size, action_shape=actions, hidden_sizes=[256, 256]), action_space=singles[0].action_space
    )
    algorithm = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, target_update_freq=500, is_double=True
    )
    collector = Collector(algorithm, envs, VectorReplayBuffer(200_000, GAMES), exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": given.seed})

    def explore(epoch, steps):
        policy.set_eps_training(max(0.05, 1.0 - steps / (EXPLORING * given.steps)))

    began = time.perf_counter()
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector, max_epochs=1, epoch_num_steps=given.steps, batch_size=1024,
            collection_step_num_env_steps=GAMES * 4, update_step_num_gradient_steps_per_sample=1 / 64,
            training_fn=explore, show_progress=False, verbose=False,
        )
    )  # fmt: skip
    seconds = time.perf_counter() - began

    @torch.no_grad()
    def best(observations, masks):
        return policy(Batch(obs=Batch(obs=observations, mask=masks), info={})).act

    total = {what: sum(count[what] for count in counts) for what in counts[0]}
    report("tianshou", given, best, seconds, total, games_at_once=GAMES)


if __name__ == "__main__":
    main()
