"""MaskablePPO in PettingZoo's connect_four, one game made a Gymnasium environment: steps a second, all included."""

import json
import time
from typing import Any

import gymnasium
import torch
from pettingzoo.classic import connect_four_v3
from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.wrappers import ActionMasker

STEPS = 4096  # two rollouts of PPO's default length


class OneSeatAfterAnother(BaseWrapper, gymnasium.Env):
    """Whoever is asked is the learner: as PettingZoo's tutorial on action masking with SB3 has it."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed, options)
        agent = self.possible_agents[0]
        self.observation_space = super().observation_space(agent)["observation"]
        self.action_space = super().action_space(agent)
        return self.observe(self.agent_selection), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        agent = self.agent_selection
        super().step(action)
        _, _, terminated, truncated, info = super().last()
        return self.observe(self.agent_selection), self.rewards[agent], terminated, truncated, info

    def observe(self, agent: str) -> Any:
        return super().observe(agent)["observation"]

    def action_mask(self) -> Any:
        return super().observe(self.agent_selection)["action_mask"]


def steps_a_second() -> float:
    torch.set_num_threads(1)
    env = OneSeatAfterAnother(connect_four_v3.env())
    env.reset(seed=0)
    model = MaskablePPO(
        MaskableActorCriticPolicy, ActionMasker(env, OneSeatAfterAnother.action_mask), device="cpu", seed=0
    )
    model.learn(model.n_steps)  # warm
    began = time.perf_counter()
    model.learn(STEPS)
    return STEPS / (time.perf_counter() - began)


if __name__ == "__main__":
    print(json.dumps({"connect_four_v3, MaskablePPO": steps_a_second()}))
