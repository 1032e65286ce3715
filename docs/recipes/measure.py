"""What recipes share: their arguments, and how a policy is judged in the end. Needs NumPy and cardenvs alone."""

import argparse
import json
import math
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np

from cardenvs import games

Policy = Callable[[Any, Any], Any]
SEED = 2**32  # of the games that judge; recipes train on others


def arguments(library: str, steps: int) -> argparse.Namespace:
    """The command line of a recipe: `steps` are of the learner."""
    parser = argparse.ArgumentParser(description=f"{library} against random opponents.")
    parser.add_argument("--game", default="uno_all_wild")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--steps", type=int, default=steps, help="of the learner, in training")
    parser.add_argument("--rounds", type=int, default=8192, help="that judge the policy")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def play_random(policy: Policy, game: str, players: int, rounds: int) -> dict[str, float]:
    """How often a policy wins against random opponents (a shared win counts in part), with a 95% interval.

    Parameters
    ----------
    policy
        ``(observations float32 (n, D), masks bool (n, A)) -> actions int (n,)``.
    rounds
        Each row of a batch plays equally many, so that short rounds do not count more often than long ones.
    """
    rows = min(rounds, 1024)
    each = math.ceil(rounds / rows)
    envs = gymnasium.make_vec(
        games.env_id(game), num_envs=rows, num_players=players, opponents="random", autoreset_mode="SameStep"
    )
    observations, infos = envs.reset(seed=SEED)
    won = np.zeros((rows, each))
    played = np.zeros(rows, np.int64)
    decisions = illegal = 0
    while (played < each).any():
        masks = infos["action_mask"].astype(bool)
        actions = np.asarray(policy(observations, masks))
        illegal += int((~masks[np.arange(rows), actions]).sum())
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        decisions += rows
        counted = np.flatnonzero((terminated | truncated) & (played < each))
        all_won = terminated & (rewards == 0)
        won[counted, played[counted]] = np.where(all_won, 1 / players, np.maximum(rewards, 0))[counted]
        played[counted] += 1
    half = 1.96 * float(won.std(ddof=1)) / math.sqrt(won.size)
    return {"wins": float(won.mean()), "half": half, "rounds": won.size, "decisions": decisions, "illegal": illegal}


def watch(envs: Any) -> dict[str, int]:
    """Count the decisions that go through a Gymnasium environment of ours, single or vector, and the illegal ones."""
    counts = {"decisions": 0, "illegal": 0}
    step = envs.step

    def watched(actions: Any) -> Any:
        result = step(actions)
        counts["decisions"] += np.size(actions)
        counts["illegal"] += int(np.sum(np.asarray(result[4].get("illegal_action", False), bool)))
        return result

    envs.step = watched
    return counts


def report(
    library: str,
    given: argparse.Namespace,
    policy: Policy,
    seconds: float,
    counts: dict[str, int],
    seats: str = "the learner's",
    games_at_once: int = 1,
) -> None:
    """Judge a policy that was trained in so many seconds, and print what came out as one line of JSON.

    Raises
    ------
    AssertionError
        If there was an illegal action: masks did not reach the policy.

    Parameters
    ----------
    counts
        Of training: ``decisions`` and ``illegal``, as `watch` gives them.
    seats
        Whose rewards are learnt from.
    """
    result = play_random(policy, given.game, given.players, given.rounds)
    told = {"library": library, "version": version(library), "game": given.game, "players": given.players}
    told |= {"seed": given.seed, "steps": given.steps, "steps/s": counts["decisions"] / seconds}
    told |= {"seats": seats, "games": games_at_once, "training": counts, "random": result}
    print(json.dumps(told))
    assert not counts["illegal"] and not result["illegal"], "illegal actions"
