"""RLlib: PPO with a masking RLModule that all seats share, against itself, on PettingZoo's turns."""

import time

import numpy as np
import ray
import torch
from measure import arguments, report
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env
from torch import nn

import cardenvs  # noqa: F401 - registers
from cardenvs.envs import aec

NEVER = -1e9  # finite: PPO's divergence subtracts it from itself


class Counted(PettingZooEnv):
    decisions = illegal = 0

    def step(self, action):
        seat = self.env.agent_selection
        self.decisions += 1
        self.illegal += int(not self.env.observe(seat)["action_mask"][action[seat]])
        return super().step(action)


class MaskedActorCritic(TorchRLModule, ValueFunctionAPI):
    def setup(self):
        size, width = self.observation_space["observation"].shape[0], 128
        self.body = nn.Sequential(nn.Linear(size, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.actor = nn.Linear(width, int(self.action_space.n))
        self.critic = nn.Linear(width, 1)

    def _forward(self, batch, **kwargs):
        features = self.body(batch[Columns.OBS]["observation"])
        logits = self.actor(features).masked_fill(batch[Columns.OBS]["action_mask"] == 0, NEVER)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: features}

    def compute_values(self, batch, embeddings=None):
        features = self.body(batch[Columns.OBS]["observation"]) if embeddings is None else embeddings
        return self.critic(features).squeeze(-1)


def main() -> None:
    given = arguments("RLlib's PPO", steps=200_000)
    ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    register_env("cards", lambda _: Counted(aec.make(given.game, num_players=given.players)))
    config = (
        PPOConfig()
        .environment("cards", disable_env_checking=True)  # it tries actions that are drawn without a mask
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16, batch_mode="complete_episodes")
        .learners(num_learners=0)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": RLModuleSpec(module_class=MaskedActorCritic)})
        )
        .training(
            lr=1e-3, gamma=1.0, lambda_=0.95, train_batch_size_per_learner=4096, minibatch_size=512, num_epochs=6,
            entropy_coeff=0.01, vf_loss_coeff=0.5, use_kl_loss=False,
        )
        .debugging(seed=given.seed, log_level="ERROR")
    )  # fmt: skip
    algorithm = config.build_algo()
    envs = [env.unwrapped for env in algorithm.env_runner.env.unwrapped.envs]
    began = time.perf_counter()
    while sum(env.decisions for env in envs) < given.steps:
        algorithm.train()
    seconds = time.perf_counter() - began
    counts = {"decisions": sum(env.decisions for env in envs), "illegal": sum(env.illegal for env in envs)}
    module = algorithm.get_module("shared")

    @torch.no_grad()
    def policy(observations, masks):
        seen = {"observation": torch.as_tensor(observations), "action_mask": torch.as_tensor(masks)}
        return np.asarray(module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].argmax(dim=1))

    report("ray", given, policy, seconds, counts, seats="all seats'", games_at_once=16)


if __name__ == "__main__":
    main()
