"""What happens beside training: progress, evaluation, checkpoints, a time limit."""

import json
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
from omegaconf import DictConfig
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter

import agents
from agents import Agent
from agents.trained import as_agent
from cardenvs import games
from cardenvs.core.rng import seed_keys
from training.cli import game_options, write_whole
from training.duplicate import play_duplicates, record_game
from training.plots import plot_learning_curve
from training.runs import Clock, save_checkpoint
from training.trackers import Tracker

MONITOR_SEED = 2**32  # of deals that watch a run; those that judge it afterwards are others


class Every(BaseCallback):
    """Do something once in `interval` learner steps; if it cannot be written, say so and go on."""

    def __init__(self, interval: int, steps_done: int, console: Console) -> None:
        super().__init__()
        self.console = console
        self.interval = interval
        self.due = steps_done + interval

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self.due:
            self.due = self.num_timesteps + self.interval
            self.try_to_act()

    def try_to_act(self) -> None:
        try:
            self.act()
        except OSError as error:
            what = type(self).__name__.lower()
            self.console.print(f"No {what} at {self.num_timesteps:,} learner steps: {error}.")

    def act(self) -> None:
        raise NotImplementedError


class Evaluation(Every):
    """Masked evaluation on duplicate deals against each scripted policy: log, curve and picture."""

    def __init__(self, config: DictConfig, run: Path, steps_done: int, console: Console) -> None:
        super().__init__(config.evaluate_every, steps_done, console)
        self.config = config
        self.run = run
        file = run / "learning_curve.json"
        self.curve: list[dict[str, Any]] = json.loads(file.read_text()) if file.is_file() else []
        self.curve = [point for point in self.curve if point["steps"] <= steps_done]

    def act(self) -> None:
        """Evaluate the network as it is."""
        if self.curve and self.curve[-1]["steps"] == self.num_timesteps:
            return
        game, players = self.config.game.name, self.config.game.num_players
        learner = as_agent("learner", cast(MaskablePPO, self.model), self.config.encoding)
        options = game_options(self.config)
        rates = {}
        for policy in games.get(game).policies:
            others = [agents.load(policy, game, players)] * (players - 1)
            result = play_duplicates(game, players, learner, others, self.config.evaluate_deals, MONITOR_SEED, options)
            rates[policy] = result.win_rate.as_dict()
            self.logger.record(f"eval/win_rate_{policy}", result.win_rate.mean)
            self.logger.record(f"eval/payoff_{policy}", result.payoff.mean)
        self.logger.dump(self.num_timesteps)
        self.curve.append({"steps": self.num_timesteps, "fair_share": 1 / players, "win_rate": rates})
        write_whole(self.run / "learning_curve.json", lambda path: path.write_text(json.dumps(self.curve, indent=1)))
        write_whole(self.run / "learning_curve.png", lambda path: plot_learning_curve(self.curve, path))
        self._record(learner)

    def _record(self, learner: Agent) -> None:
        """Keep games against the strongest scripted policy as replays, with what the learner thought."""
        game, players, options = self.config.game.name, self.config.game.num_players, game_options(self.config)
        table = [learner, *[agents.load(games.get(game).policies[-1], game, players)] * (players - 1)]
        count = self.config.get("evaluate_replays", 0)  # runs that were begun without this key go on without it
        for number, key in enumerate(seed_keys(MONITOR_SEED, count, held_out=True)):
            path = self.run / "replays" / f"step_{self.num_timesteps:012d}_{number}.jsonl.gz"
            record_game(path, game, table, key, options)


class Checkpoint(Every):
    """Save the network and its optimiser: a killed run loses one interval at most, and the rollout at hand."""

    def __init__(self, config: DictConfig, run: Path, steps_done: int, console: Console, clock: Clock) -> None:
        super().__init__(config.checkpoint_every, steps_done, console)
        self.clock = clock
        self.config = config
        self.run = run

    def act(self) -> None:
        model: Any = self.model  # a MaskablePPO
        save_checkpoint(model, self.config, self.run, self.clock.seconds())

    def _on_training_end(self) -> None:
        self.try_to_act()


class TimeLimit(BaseCallback):
    """Stop after so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.monotonic() + seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


class Curves(KVWriter):
    """What is logged during training, to the run's tracker."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        kept = {key: value for key, value in key_values.items() if "tensorboard" not in (key_excluded[key] or ())}
        self.tracker.log({key: float(n) for key, n in kept.items() if isinstance(n, int | float | np.number)}, step)

    def close(self) -> None:
        pass  # whoever has opened the tracker does


class Progress(BaseCallback):
    """A bar with the rate, the time left and how the learner does."""

    def __init__(self, config: DictConfig, console: Console, steps_done: int) -> None:
        super().__init__()
        self.bar = Bar(
            TextColumn("training"),
            BarColumn(),
            TextColumn(
                "{task.completed:,.0f}/{task.total:,.0f} steps  {task.fields[rate]:,.0f}/s  "
                "return {task.fields[reward]}"
            ),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not config.progress,
        )
        self.task = self.bar.add_task("", total=config.total_steps, completed=steps_done, rate=0.0, reward="–")
        self.began = time.perf_counter()
        self.steps_done = steps_done

    def _on_training_start(self) -> None:
        self.began = time.perf_counter()
        self.bar.start()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        rate = (self.num_timesteps - self.steps_done) / (time.perf_counter() - self.began)
        episodes = list(self.model.ep_info_buffer or ())
        reward = f"{sum(episode['r'] for episode in episodes) / len(episodes):+.2f}" if episodes else "–"
        self.bar.update(self.task, completed=self.num_timesteps, rate=rate, reward=reward)

    def _on_training_end(self) -> None:
        self.bar.stop()
