"""AgileRL: PPO that keeps masks in its rollout buffer, on Gymnasium's vector environments."""

import time

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts
from measure import arguments, report, watch

from cardenvs import games

GAMES, STEPS = 256, 32


def main() -> None:
    given = arguments("AgileRL's PPO", steps=1_000_000)
    np.random.seed(given.seed)
    torch.manual_seed(given.seed)
    envs = gymnasium.make_vec(
        games.env_id(given.game), GAMES, num_players=given.players, opponents="random", autoreset_mode="SameStep"
    )
    counts = watch(envs)
    agent = PPO(
        envs.single_observation_space, envs.single_action_space, num_envs=GAMES, learn_step=GAMES * STEPS,
        batch_size=2048, update_epochs=4, lr=5e-4, gamma=1.0, ent_coef=0.01, use_rollout_buffer=True,
        net_config={"encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [128]}},
        rollout_buffer_config={"use_gae": False},  # its estimates cut off one step early where a round ends
    )  # fmt: skip
    observations, infos = envs.reset(seed=given.seed)
    now = {"last_obs": observations, "last_info": infos, "last_done": np.zeros(GAMES), "last_scores": np.zeros(GAMES)}
    began = time.perf_counter()
    while counts["decisions"] < given.steps:
        _, *after = collect_rollouts(agent, envs, **now)
        now = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), after, strict=True))
        agent.learn()
    seconds = time.perf_counter() - began

    @torch.no_grad()
    def policy(observations, masks):
        agent.get_action(observations, action_mask=masks)
        return np.asarray(agent.actor.head_net.dist.logits.argmax(dim=1))

    report("agilerl", given, policy, seconds, counts, games_at_once=GAMES)


if __name__ == "__main__":
    main()
