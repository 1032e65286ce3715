"""TorchRL: PPO with a masked categorical distribution, on games in an `EnvBase` of their own."""

import math
import time

import numpy as np
import torch
from measure import arguments, report
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from cardenvs.adapters.torchrl import CardEnv

GAMES, STEPS, EPOCHS, MINIBATCH = 256, 32, 4, 2048


def main() -> None:
    given = arguments("TorchRL's PPO", steps=1_000_000)
    torch.manual_seed(given.seed)
    env = CardEnv(given.game, GAMES, given.seed, num_players=given.players, opponents="random")
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    actor = ProbabilisticActor(
        TensorDictModule(MLP(size, actions, num_cells=[128, 128]), ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"}, distribution_class=MaskedCategorical,
        spec=env.action_spec, return_log_prob=True,
    )  # fmt: skip
    critic = ValueOperator(MLP(size, 1, num_cells=[128, 128]), in_keys=["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(
        actor, critic, entropy_coeff=0.01, critic_coeff=0.5, loss_critic_type="l2", normalize_advantage=True
    )
    optimiser = torch.optim.Adam(loss.parameters(), lr=5e-4)
    counts = {"decisions": 0, "illegal": 0}
    began = time.perf_counter()
    frames = math.ceil(given.steps / (GAMES * STEPS)) * GAMES * STEPS
    rollouts = Collector(
        env, actor, frames_per_batch=GAMES * STEPS, total_frames=frames, auto_register_policy_transforms=False
    )
    for rollout in rollouts:
        counts["decisions"] += rollout.numel()
        counts["illegal"] += int((~rollout["action_mask"].gather(-1, rollout["action"][..., None])).sum())
        with torch.no_grad():
            advantage(rollout)
        columns = rollout.reshape(-1)
        for _ in range(EPOCHS):
            for rows in torch.randperm(len(columns)).split(MINIBATCH):
                losses = loss(columns[rows])
                optimiser.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
    seconds = time.perf_counter() - began

    @torch.no_grad()
    def policy(observations, masks):
        seen = {"observation": torch.as_tensor(observations), "action_mask": torch.as_tensor(masks)}
        chosen = actor.get_dist(TensorDict(seen, [len(masks)]))
        return np.asarray(chosen.probs.argmax(dim=1))

    report("torchrl", given, policy, seconds, counts, games_at_once=GAMES)


if __name__ == "__main__":
    main()
