"""Do Monte-Carlo action values reach the baselines? (DouZero, Zha et al., 2021)

    python -m benchmarks.action_values twits --players 2

A network learns what each action is worth from the rewards that followed it, in self-play in which every seat does what
it finds best, but for a small share of random actions. Prints win rates against scripted policies and the baseline.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import agents
from cardenvs import BatchGame, baselines
from cardenvs.baselines.network import Network
from training.duplicate import play_duplicates
from training.evaluate import percent

GAMES = 1024  # played at a time
RANDOM = 0.02  # share of actions by lot
BATCH, RATE = 4096, 1e-3


def make_network(sizes: list[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for rows, columns in zip(sizes, sizes[1:], strict=False):
        layers += [nn.Linear(rows, columns), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def play(network: nn.Module, game: str, players: int, seed: int, rng: Any) -> tuple[Any, ...]:
    """Games to their ends: observations, actions, and the rewards that followed for that seat."""
    games, rows = BatchGame(game, GAMES, seed=seed, num_players=players), np.arange(GAMES)
    returns, parts = np.zeros((GAMES, players), np.float32), []
    while (running := games.actor >= 0).any():
        observations, masks, actor = games.observe(), games.legal(), games.actor
        with torch.no_grad():
            values = network(torch.from_numpy(observations)).numpy()
        best = np.where(masks, values, -np.inf).argmax(axis=1)
        lots = (rng.random(masks.shape) * masks).argmax(axis=1)
        actions = np.where(rng.random(GAMES) < RANDOM, lots, best)
        before = returns[rows[running], actor[running]]
        parts.append((rows[running], actor[running], before, observations[running], actions[running]))
        games.step(actions)
        returns += games.rewards
    games_of, seats, before, observations, actions = (np.concatenate(part) for part in zip(*parts, strict=True))
    return observations, actions, returns[games_of, seats] - before


def learn(network: nn.Module, game: str, players: int, decisions: int, rng: Any) -> None:
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    seen, seed = 0, 0
    while seen < decisions:
        parts = [torch.from_numpy(part) for part in play(network, game, players, seed, rng)]
        order = torch.from_numpy(rng.permutation(len(parts[0])))
        for group in optimizer.param_groups:
            group["lr"] = RATE * max(1 - seen / decisions, 0.05)
        for rows in order.split(BATCH):
            observations, actions, returns = (part[rows] for part in parts)
            values = network(observations).gather(1, actions[:, None])[:, 0]
            optimizer.zero_grad()
            nn.functional.mse_loss(values, returns).backward()
            optimizer.step()
        seen, seed = seen + len(order), seed + GAMES


def as_network(network: nn.Sequential, sizes: list[int]) -> Network:
    weights = [part for layer in network if isinstance(layer, nn.Linear) for part in (layer.weight.T, layer.bias)]
    flat = np.concatenate([part.detach().numpy().ravel() for part in weights]).astype(np.float32)
    return Network(flat, np.array(sizes, np.int64))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--decisions", type=int, default=60_000_000)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--deals", type=int, default=10_000)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(asked.seed)
    table = BatchGame(asked.game, seed=0, num_players=asked.players)
    sizes = [table.observation_size, asked.width, asked.width, len(table.action_names)]
    network, began = make_network(sizes), time.perf_counter()
    learn(network, asked.game, asked.players, asked.decisions, np.random.default_rng(asked.seed))
    seconds = time.perf_counter() - began
    path = Path(f"runs/action_values_{asked.game}_{asked.players}p_seed{asked.seed}/policy.npz")
    path.parent.mkdir(parents=True, exist_ok=True)
    card = {"game": asked.game, "num_players": asked.players, "options": {}, "seed": asked.seed, "seconds": seconds}
    baselines.write(path, as_network(network, sizes), card)
    print(f"{asked.decisions:,} decisions in {seconds / 60:.1f} minutes")
    learnt = agents.load(str(path), asked.game, asked.players)
    for name in ("random", "greedy", "expert", "baseline"):
        opponents = [agents.load(name, asked.game, asked.players)] * (asked.players - 1)
        result = play_duplicates(asked.game, asked.players, learnt, opponents, asked.deals)
        print(f"against {name}: {percent(result.win_rate)}", flush=True)


if __name__ == "__main__":
    main()
