"""Before it learns from rewards, a network learns to do what a scripted policy does: a warm start."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from omegaconf import DictConfig
from rich.console import Console
from sb3_contrib import MaskablePPO

from cardenvs import BatchGame
from training.cli import game_options, progress

GAMES = 512  # played at a time
SLIPS = 0.05  # share of decisions played at random, so that positions off the teacher's path are seen as well
LAST_SHARE = 0.05  # of the learning rate, at the end
UNREACHED = 2**63  # seeds of these games begin here: no run's own games lie there


def imitate(model: MaskablePPO, config: DictConfig, console: Console) -> None:
    """Fit policy and value to `config.imitation`: ``policy``, whom to imitate, in so many ``decisions``.

    Every seat plays by that policy, with slips; the value is fitted to the rewards that follow.
    """
    imitation = config.imitation
    policy: Any = model.policy
    optimizer = torch.optim.Adam(policy.parameters(), lr=imitation.learning_rate)
    seen = 0
    with progress(console, imitation.decisions, "decisions", config.progress) as advance:
        for observations, masks, actions, returns in batches(config):
            for group in optimizer.param_groups:
                group["lr"] = imitation.learning_rate * max(1 - seen / imitation.decisions, LAST_SHARE)
            values, log_probabilities, _ = policy.evaluate_actions(observations, actions, action_masks=masks)
            loss = -log_probabilities.mean() + model.vf_coef * torch.nn.functional.mse_loss(values.flatten(), returns)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            optimizer.step()
            seen += len(actions)
            advance(len(actions))
            if seen >= imitation.decisions:
                return


def batches(config: DictConfig) -> Iterator[tuple[Any, ...]]:
    """Shuffled minibatches without end: observations, masks, what the policy does, rewards of that seat to the end."""
    rng = np.random.default_rng(config.seed)
    seed = UNREACHED
    while True:
        seed += GAMES
        decisions = play(config, seed, rng)
        order = rng.permutation(len(decisions[0]))
        size = min(config.imitation.batch_size, len(order))
        for at in range(0, len(order) - size + 1, size):
            rows = order[at : at + size]
            yield tuple(torch.as_tensor(part[rows]) for part in decisions)


def play(config: DictConfig, seed: int, rng: Any) -> tuple[Any, ...]:
    """All decisions of some games."""
    games = BatchGame(
        config.game.name,
        GAMES,
        seed=seed,
        encoding=config.encoding,
        num_players=config.game.num_players,
        **game_options(config),
    )
    returns = np.zeros((GAMES, games.num_players), np.float32)
    rows = np.arange(GAMES)
    parts: list[tuple[Any, ...]] = []
    while (running := games.actor >= 0).any():
        observations, masks, advised = games.observe(), games.legal(), games.advise(config.imitation.policy)
        actor = games.actor[running]
        before = returns[rows[running], actor]
        parts.append((rows[running], actor, before, observations[running], masks[running], advised[running]))
        slips = rng.random(GAMES) < SLIPS
        games.step(np.where(slips, (rng.random(masks.shape) * masks).argmax(axis=1), advised))
        returns += games.rewards
    games_of, seats, before, *others = (np.concatenate(part) for part in zip(*parts, strict=True))
    return *others, returns[games_of, seats] - before
