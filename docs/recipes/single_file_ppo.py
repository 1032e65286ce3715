"""PyTorch alone: PPO in a single file, on Gymnasium's vector environments, masks and all."""

import time

import gymnasium
import numpy as np
import torch
from measure import arguments, report, watch
from torch import nn

from cardenvs import games

GAMES, STEPS, EPOCHS, MINIBATCH = 256, 32, 4, 2048
CLIP, LAMBDA, ENTROPY, VALUE = 0.2, 0.95, 0.01, 0.5  # rounds are short: nothing is discounted


class ActorCritic(nn.Module):
    def __init__(self, size, actions, width=128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.actor = nn.Linear(width, actions)
        self.critic = nn.Linear(width, 1)

    def forward(self, observations, masks):
        features = self.body(observations)
        logits = self.actor(features).masked_fill(~masks, -torch.inf)
        return torch.distributions.Categorical(logits=logits), self.critic(features).squeeze(-1)


def collect(envs, model, observations, masks):
    """A rollout: what was seen, done and got, [STEPS, GAMES] each, and the values with one more at the end."""
    kept = {name: [] for name in ("observations", "masks", "actions", "chances", "rewards", "over", "values")}
    for _ in range(STEPS):
        policy, values = model(observations, masks)
        actions = policy.sample()
        after, rewards, terminated, truncated, infos = envs.step(actions.numpy())
        now = (observations, masks, actions, policy.log_prob(actions), rewards, terminated | truncated, values)
        for name, what in zip(kept, now, strict=True):
            kept[name].append(torch.as_tensor(what))
        observations, masks = torch.as_tensor(after), torch.as_tensor(infos["action_mask"]).bool()
    rollout = {name: torch.stack(what) for name, what in kept.items()}
    rollout["values"] = torch.cat([rollout["values"], model(observations, masks)[1][None]])
    return rollout, observations, masks


def advantages_of(rollout):
    """Generalised advantage estimates (Schulman et al., 2016)."""
    advantages, last = [], torch.zeros(GAMES)
    for t in reversed(range(STEPS)):
        goes_on = ~rollout["over"][t]
        surprise = rollout["rewards"][t].float() + goes_on * rollout["values"][t + 1] - rollout["values"][t]
        last = surprise + LAMBDA * goes_on * last
        advantages.append(last)
    return torch.stack(advantages[::-1])


def update(model, optimiser, rollout, advantages):
    returns = advantages + rollout["values"][:-1]
    names = ("observations", "masks", "actions", "chances")
    columns = [*(rollout[name] for name in names), advantages, returns]
    observations, masks, actions, chances, advantages, returns = (column.flatten(0, 1) for column in columns)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(actions)).split(MINIBATCH):
            policy, values = model(observations[rows], masks[rows])
            ratio = (policy.log_prob(actions[rows]) - chances[rows]).exp()
            gain = (advantages[rows] - advantages[rows].mean()) / (advantages[rows].std() + 1e-8)
            clipped = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = VALUE * (values - returns[rows]).square().mean() - clipped - ENTROPY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimiser.step()


def main() -> None:
    given = arguments("PPO in a single file", steps=1_000_000)
    torch.manual_seed(given.seed)
    envs = gymnasium.make_vec(
        games.env_id(given.game), GAMES, num_players=given.players, opponents="random", autoreset_mode="SameStep"
    )
    counts = watch(envs)
    model = ActorCritic(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-4)
    observations, infos = envs.reset(seed=given.seed)
    observations, masks = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()
    began = time.perf_counter()
    while counts["decisions"] < given.steps:
        with torch.no_grad():
            rollout, observations, masks = collect(envs, model, observations, masks)
            advantages = advantages_of(rollout)
        update(model, optimiser, rollout, advantages)
    seconds = time.perf_counter() - began

    @torch.no_grad()
    def policy(observations, masks):
        chosen, _ = model(torch.as_tensor(observations), torch.as_tensor(masks))
        return np.asarray(chosen.probs.argmax(dim=1))

    report("torch", given, policy, seconds, counts, games_at_once=GAMES)


if __name__ == "__main__":
    main()
