"""Train MaskablePPO against scripted opponents and a league: `python -m training.train game=uno_all_wild`."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import LinearSchedule

from cardenvs import games
from cardenvs.adapters.sb3 import CardVecEnv
from cardenvs.core.errors import OptionError, choose, require_int
from training.callbacks import Checkpoint, Curves, Evaluation, Progress, TimeLimit
from training.cli import command, game_options, make_console
from training.imitation import imitate
from training.league import Recruit, check_league
from training.runs import Clock, latest_checkpoint, refuse_old_run, restore_config, save_model, start_run
from training.trackers import Tracker, check_tracker, open_tracker

ARTEFACTS = (  # what trackers get at the end
    "config.yaml", "versions.json", "learning_curve.json", "learning_curve.png", "model.yaml", "policy.npz",
)  # fmt: skip


def game_seed(seed: int, steps_done: int) -> int:
    """Where a run's games begin: game b is seeded with this plus b, so two runs must lie far apart."""
    return int(np.random.SeedSequence([seed, steps_done]).generate_state(1)[0])


def make_env(config: DictConfig, opponents: Any = None) -> CardVecEnv:
    """The learner's games; all options come from the config, and the opponents too unless they are given."""
    if opponents is None:
        opponents = config.opponents
    return CardVecEnv(
        config.game.name,
        config.num_envs,
        num_players=config.game.num_players,
        opponents=OmegaConf.to_container(opponents) if OmegaConf.is_config(opponents) else opponents,
        encoding=config.encoding,
        num_threads=config.num_threads,
        **game_options(config),
    )


def make_model(config: DictConfig, env: CardVecEnv) -> MaskablePPO:
    """A fresh network and its optimiser."""
    algorithm = config.algorithm
    layers = list(algorithm.layers)
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=LinearSchedule(algorithm.learning_rate, algorithm.final_learning_rate, 1.0),
        n_steps=algorithm.n_steps,
        batch_size=algorithm.batch_size,
        n_epochs=algorithm.n_epochs,
        gamma=algorithm.gamma,
        gae_lambda=algorithm.gae_lambda,
        clip_range=algorithm.clip_range,
        ent_coef=algorithm.ent_coef,
        vf_coef=algorithm.vf_coef,
        max_grad_norm=algorithm.max_grad_norm,
        policy_kwargs={"net_arch": {"pi": layers, "vf": layers}, "activation_fn": torch.nn.ReLU},
        seed=config.seed,
        device="cpu",
    )


def load_checkpoint(checkpoint: Path, env: CardVecEnv) -> MaskablePPO:
    """The network and its optimiser as they were."""
    return MaskablePPO.load(checkpoint / "model.zip", env=env, device="cpu")


def train(config: DictConfig, console: Console, opponents: Any = None) -> Path:
    """Train as configured, from the start or from where a run was killed; returns the run's folder.

    `opponents` are those of an environment, in place of the config's.
    """
    if config.resume:
        config = restore_config(Path(config.resume), config)
        if opponents is None and config.get("agent"):
            raise OptionError(f"{config.resume} trains a best response: resume it by training.best_response.")
    check_league(config)
    if config.imitation.decisions:
        choose("imitation.policy", config.imitation.policy, games.get(config.game.name).policies)
    require_int("imitation.batch_size", config.imitation.batch_size, 1)
    require_int("total_steps", config.total_steps, 1)
    if not isinstance(config.time_limit, int | float | None):
        raise OptionError(f"time_limit is {config.time_limit!r}: it must be a number of seconds, or null.")
    check_tracker(config)
    run = Path(config.output)
    checkpoint = latest_checkpoint(run) if config.resume else None
    steps_done = int(checkpoint.name.removeprefix("step_")) if checkpoint else 0
    if not config.resume:
        refuse_old_run(run)
    if config.total_steps <= steps_done:
        raise OptionError(f"{run} has {steps_done:,} learner steps already: extend_to must be more than that.")
    clock = Clock(checkpoint)
    env = make_env(config, opponents)
    model = load_checkpoint(checkpoint, env) if checkpoint else make_model(config, env)
    # Games after a resume are others than those before it, and the same in every resume from that step.
    model.set_random_seed(game_seed(config.seed, steps_done))
    tracker = open_tracker(config, run, console)
    try:
        return learn(config, run, model, env, tracker, clock, steps_done, console)
    finally:
        tracker.keep(*(run / file for file in ARTEFACTS))
        tracker.close()


def learn(
    config: DictConfig,
    run: Path,
    model: MaskablePPO,
    env: CardVecEnv,
    tracker: Tracker,
    clock: Clock,
    steps_done: int,
    console: Console,
) -> Path:
    """Train a model that has `steps_done` learner steps already, with all that happens beside it."""
    if not config.resume:
        start_run(run, config)  # now that the game has taken its options
    if config.imitation.decisions and not steps_done:
        console.print(f"Imitating {config.imitation.policy} in {config.imitation.decisions:,} decisions")
        imitate(model, config, console)
    how = f"Resuming at {steps_done:,} learner steps" if config.resume else "Training"
    console.print(f"{how} in {run}{tracker.where}")
    model.set_logger(Logger(str(run), [Curves(tracker)]))
    evaluation = Evaluation(config, run, steps_done, console)
    checkpoints = Checkpoint(config, run, steps_done, console, clock)
    bar = Progress(config, console, steps_done)
    callbacks = [bar, evaluation, checkpoints]
    if config.league.weight:
        callbacks.append(Recruit(config, run, steps_done, console, env, clock))
    if config.time_limit:
        callbacks.append(TimeLimit(config.time_limit))
    began = time.perf_counter()
    try:
        model.learn(config.total_steps - steps_done, callback=callbacks, reset_num_timesteps=not steps_done)
    except KeyboardInterrupt:
        bar.bar.stop()
        checkpoints.try_to_act()  # what is lost is the rollout at hand
        save_model(model, config, run, clock.seconds())
        console.print(f"{model.num_timesteps:,} learner steps; the model as it is: {run}/model.zip")
        raise
    seconds = time.perf_counter() - began
    evaluation.try_to_act()
    save_model(model, config, run, clock.seconds())
    rate = (model.num_timesteps - steps_done) / seconds
    console.print(f"{model.num_timesteps:,} learner steps; {rate:,.0f} a second, updates and evaluation included")
    console.print(f"Model: {run}/model.zip   learning curve: {run}/learning_curve.png")
    return run


@command(
    "train", kept="It goes on from its last checkpoint, if it has one, by python -m training.train resume={output}"
)
def main(config: DictConfig) -> None:
    train(config, make_console())


if __name__ == "__main__":
    main()
