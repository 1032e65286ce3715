"""What else the literature says of such games, beside plain PPO: `python -m benchmarks.alternatives`.

Three ways to learn, with the same network, games, opponents and number of learner steps:

- `ppo`: PPO (Schulman et al., 2017), every policy gradient with an entropy bonus;
- `magnet`: the same, drawn towards a slow copy of itself by a KL divergence in place of the entropy bonus, as in
  magnetic mirror descent (Sokota et al., 2023);
- `action_values`: Monte-Carlo action values, as in DouZero (Zha et al., 2021): the value of every action is fitted to
  what the round came to in the end, and the best is played but for one time in `EXPLORE`.

Each is judged on duplicate deals against tables of experts. Results go to docs/results/alternatives.json.
"""

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import agents
from agents import Agent
from cardenvs import games
from cardenvs.core.arguments import Arguments, run_main
from cardenvs.envs.vector import CardVectorEnv
from training.cli import compose_defaults, make_console, progress, write_json
from training.duplicate import play_duplicates

OUTPUT = Path("docs/results/alternatives.json")
GAMES, STEPS, EPOCHS, MINIBATCH, WIDTH, RATE = 1024, 16, 4, 4096, 256, 5e-4
CLIP, LAMBDA, ENTROPY, VALUE = 0.2, 0.95, 0.01, 0.5
MAGNET, DRIFT = 0.05, 0.05  # the weight of the divergence, and how far the slow copy follows after each rollout
EXPLORE = 20


class Network(nn.Module):
    """From observations float32 (n, D) to `outputs` for each action, (n, A), and a value (n,)."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU())
        self.actions = nn.Linear(WIDTH, actions)
        self.value = nn.Linear(WIDTH, 1)

    def forward(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        features = self.body(observations)
        return self.actions(features).masked_fill(~masks, -1e9), self.value(features).squeeze(-1)


def rollouts(envs: CardVectorEnv, steps: int, seed: int, choose: Callable[[Any, Any], Any]) -> Iterator[dict[str, Any]]:
    """Rollouts of STEPS by GAMES, until there were so many learner steps; tensors by name, and what comes ``next``."""
    observations, infos = envs.reset(seed=seed)
    seen, masks = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()
    for _ in range(steps // (GAMES * STEPS)):
        kept: dict[str, list[Any]] = {name: [] for name in ("seen", "masks", "actions", "rewards", "over")}
        for _ in range(STEPS):
            actions = choose(seen, masks)
            observations, rewards, terminated, truncated, infos = envs.step(actions.numpy())
            now = (seen, masks, actions, torch.as_tensor(rewards).float(), torch.as_tensor(terminated | truncated))
            for name, what in zip(kept, now, strict=True):
                kept[name].append(what)
            seen, masks = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()
        yield {name: torch.stack(what) for name, what in kept.items()} | {"next": (seen, masks)}


def minibatches(rows: int) -> Iterator[Any]:
    for _ in range(EPOCHS):
        yield from torch.randperm(rows).split(MINIBATCH)


# --- PPO, with and without a magnet -----------------------------------------------------------------------------------


def learn_ppo(envs: CardVectorEnv, network: Network, steps: int, seed: int, magnetic: bool = False) -> None:
    optimiser = torch.optim.Adam(network.parameters(), RATE)
    magnet = deepcopy(network)

    @torch.no_grad()
    def choose(seen: Any, masks: Any) -> Any:
        return torch.distributions.Categorical(logits=network(seen, masks)[0]).sample()

    for rollout in rollouts(envs, steps, seed, choose):
        seen, masks, actions = (rollout[name].flatten(0, 1) for name in ("seen", "masks", "actions"))
        with torch.no_grad():
            logits, values = network(seen, masks)
            before = log_chances(logits, actions)
            towards = magnet(seen, masks)[0].log_softmax(dim=1)
            advantages = estimate(rollout, values.reshape(STEPS, GAMES), network(*rollout["next"])[1]).flatten()
        returns = advantages + values
        for rows in minibatches(len(actions)):
            logits, guesses = network(seen[rows], masks[rows])
            ratio = (log_chances(logits, actions[rows]) - before[rows]).exp()
            gain = (advantages[rows] - advantages[rows].mean()) / (advantages[rows].std() + 1e-8)
            loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = loss + VALUE * (guesses - returns[rows]).square().mean()
            chances, logs = logits.softmax(dim=1), logits.log_softmax(dim=1)
            pull = (
                MAGNET * (chances * (logs - towards[rows])).sum(dim=1)
                if magnetic
                else ENTROPY * (chances * logs).sum(dim=1)
            )
            take_step(network, optimiser, loss + pull.mean())
        with torch.no_grad():
            for slow, fast in zip(magnet.parameters(), network.parameters(), strict=True):
                slow.lerp_(fast, DRIFT)


def log_chances(logits: Any, actions: Any) -> Any:
    return logits.log_softmax(dim=1).gather(1, actions[:, None]).squeeze(1)


def estimate(rollout: dict[str, Any], values: Any, last: Any) -> Any:
    """Generalised advantage estimates (Schulman et al., 2016), undiscounted: float (STEPS, GAMES)."""
    ahead, later, found = last, torch.zeros(GAMES), []
    for t in reversed(range(STEPS)):
        goes_on = ~rollout["over"][t]
        later = rollout["rewards"][t] + goes_on * ahead - values[t] + LAMBDA * goes_on * later
        ahead = values[t]
        found.append(later)
    return torch.stack(found[::-1])


def take_step(network: Network, optimiser: Any, loss: Any) -> None:
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 0.5)
    optimiser.step()


# --- Monte-Carlo action values ----------------------------------------------------------------------------------------


def learn_action_values(envs: CardVectorEnv, network: Network, steps: int, seed: int) -> None:
    optimiser = torch.optim.Adam(network.parameters(), RATE)
    rng = np.random.default_rng(seed)
    pending: list[list[Any]] = [[] for _ in range(GAMES)]  # what was seen and done in rounds that are not over

    @torch.no_grad()
    def choose(seen: Any, masks: Any) -> Any:
        best = network(seen, masks)[0].argmax(dim=1)
        lot = torch.as_tensor((rng.random(masks.shape) * masks.numpy()).argmax(axis=1))
        return torch.where(torch.as_tensor(rng.integers(EXPLORE, size=GAMES) == 0), lot, best)

    for rollout in rollouts(envs, steps, seed, choose):
        told = []
        for t in range(STEPS):
            for game in range(GAMES):
                pending[game].append((rollout["seen"][t, game], rollout["masks"][t, game], rollout["actions"][t, game]))
            for game in rollout["over"][t].nonzero().flatten().tolist():
                told += [(*decision, rollout["rewards"][t, game]) for decision in pending[game]]
                pending[game] = []
        if not told:
            continue
        seen, masks, actions, came_to = (torch.stack(column) for column in zip(*told, strict=True))
        for rows in minibatches(len(actions)):
            guesses = network(seen[rows], masks[rows])[0].gather(1, actions[rows, None]).squeeze(1)
            take_step(network, optimiser, (guesses - came_to[rows]).square().mean())


# --- side by side -----------------------------------------------------------------------------------------------------


WAYS: dict[str, Callable[..., None]] = {
    "ppo": learn_ppo,
    "magnet": partial(learn_ppo, magnetic=True),
    "action_values": learn_action_values,
}


def judge(way: str, game: str, players: int, steps: int, seed: int, deals: int) -> dict[str, Any]:
    """Learn in one way, and play tables of experts with the best action of each decision."""
    torch.manual_seed(seed)
    opponents = compose_defaults("train")["opponents"]
    envs = CardVectorEnv(game, GAMES, opponents, autoreset_mode="SameStep", num_players=players)
    rules = games.get(game)
    network = Network(rules.observation_size(players), len(rules.actions(players)))
    began = time.perf_counter()
    WAYS[way](envs, network, steps, seed)
    seconds = time.perf_counter() - began

    @torch.no_grad()
    def act(observations: Any, masks: Any) -> Any:
        return network(torch.as_tensor(observations), torch.as_tensor(masks))[0].argmax(dim=1).numpy()

    others = [agents.load("expert", game, players)] * (players - 1)
    result = play_duplicates(game, players, Agent(way, act), others, deals, seed=0)
    told = {"way": way, "game": game, "players": players, "steps": steps, "seed": seed, "seconds": seconds}
    return told | {"deals": deals, "win_rate": result.win_rate.as_dict()}


def main() -> None:
    parser = Arguments("benchmarks.alternatives", __doc__)
    parser.add_argument(
        "--games", nargs="+", default=[name for name in games.VERSIONS if len(games.get(name).policies) > 1]
    )
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--steps", type=int, default=2_000_000, help="of the learner")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--deals", type=int, default=5_000, help="that judge each")
    given = parser.parse_args()
    torch.set_num_threads(1)
    console, results = make_console(), []
    cells = [(game, players) for game in given.games for players in given.players]
    with progress(console, len(cells) * len(WAYS) * given.seeds, "networks", True) as advance:
        for game, players in cells:
            for seed in range(given.seeds):
                for way in WAYS:
                    results.append(judge(way, game, players, given.steps, seed, given.deals))
                    rate, took = results[-1]["win_rate"], results[-1]["seconds"]
                    interval = "{mean:.1%} [{low:.1%}, {high:.1%}]".format(**rate)
                    console.print(f"{game}, {players} players, seed {seed}, {way}: {interval}, {took:.0f} s")
                    write_json(OUTPUT, results)
                    advance(1)


if __name__ == "__main__":
    run_main(main)
