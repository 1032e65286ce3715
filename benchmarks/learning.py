"""Where MaskablePPO's time goes, on one core: `python -m benchmarks.learning`.

The training's own settings (configs/train.yaml), scripted opponents included. Parts are timed where SB3 calls
them: the environment's steps, the network's forward passes in a rollout, and the updates; the rest is SB3's own.
"""

import time
from collections.abc import Callable
from typing import Any

import torch
from hydra import compose, initialize_config_dir
from sb3_contrib import MaskablePPO

from benchmarks.subject import Subject, pin_to_one_core
from cardenvs.core.arguments import Arguments, run_main
from training.cli import CONFIGS
from training.train import make_env, make_model

PARTS = ("environment", "forward", "update")


def make_learner(subject: Subject, num_envs: int) -> MaskablePPO:
    """A fresh learner by the training's configuration."""
    choices = [f"game={subject.name}", f"game.num_players={subject.players}", f"num_envs={num_envs}"]
    with initialize_config_dir(str(CONFIGS), version_base=None):
        config = compose("train", choices)
    return make_model(config, make_env(config))


def timed(spent: dict[str, float], part: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """`work`, adding the seconds that it takes to those of its part."""

    def work_and_time(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return work(*args, **kwargs)
        finally:
            spent[part] += time.perf_counter() - began

    return work_and_time


def learning(subject: Subject, num_envs: int = 1024, rollouts: int = 2) -> dict[str, float]:
    """Learner steps a second, all included, and the share of each part."""
    torch.set_num_threads(1)
    model: Any = make_learner(subject, num_envs)
    steps = num_envs * model.n_steps
    model.learn(steps)  # warm
    spent = dict.fromkeys(PARTS, 0.0)
    model.env.step = timed(spent, "environment", model.env.step)
    model.policy.forward = timed(spent, "forward", model.policy.forward)
    model.train = timed(spent, "update", model.train)
    began = time.perf_counter()
    model.learn(rollouts * steps)
    seconds = time.perf_counter() - began
    shares = {f"share of {part}": spent[part] / seconds for part in PARTS}
    return {"steps/s": rollouts * steps / seconds} | shares | {"share of the rest": 1 - sum(spent.values()) / seconds}


def main() -> None:
    parser = Arguments("benchmarks.learning", __doc__)
    parser.add_argument("game", nargs="?", default="uno_all_wild")
    parser.add_argument("--num-envs", type=int, default=1024)
    given = parser.parse_args()
    pin_to_one_core()
    for name, value in learning(Subject(given.game), given.num_envs).items():
        print(f"{name:<22} {value:12,.0f}" if value > 1 else f"{name:<22} {value:12.1%}")


if __name__ == "__main__":
    run_main(main)
