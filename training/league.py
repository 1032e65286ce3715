"""Self-play against a league: networks that the learner once was, beside scripted policies.

A member that still beats the learner is met more often (prioritised fictitious self-play; Vinyals et al., 2019): with a
chance in proportion to the square of the share of games that the newest member loses to a table of it.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from sb3_contrib import MaskablePPO

import agents
from agents.network import as_agent
from cardenvs import baselines, games
from cardenvs.adapters.sb3 import CardVecEnv
from cardenvs.baselines.network import Network
from cardenvs.core.errors import OptionError, choose, require_int
from training.callbacks import MONITOR_SEED, Every
from training.cli import game_options, write_json, write_whole
from training.duplicate import play_duplicates
from training.runs import Clock, make_card, network_of


class League:
    """The members of a run's folder ``league/``, and ``payoffs.json``: how each did against those that it met first.

    `config.league`: ``weight``, the share of opponents that are members; ``most``, how many of the newest are kept as
    opponents; ``deals`` a pairing of the payoff matrix.
    """

    def __init__(self, config: DictConfig, run: Path, steps_done: int) -> None:
        self.config = config
        self.folder = run / "league"
        self.folder.mkdir(exist_ok=True)
        file = self.folder / "payoffs.json"
        kept: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.is_file() else {}
        self.members: dict[str, Network] = {}
        for path in sorted(self.folder.glob("step_*.npz")):
            if int(path.stem.removeprefix("step_")) > steps_done:
                path.unlink()  # of steps that were lost
            elif path.stem in kept:
                self.members[path.stem] = baselines.read(path)[0]
        self.payoffs = {name: row for name, row in kept.items() if name in self.members}

    def add(self, model: MaskablePPO, seconds: float) -> None:
        """Take in the learner as it is, and have it play all others."""
        name = f"step_{model.num_timesteps:012d}"
        network = network_of(model, self.config.encoding, sampled=True)
        card = make_card(model, self.config, seconds)
        payoffs = self.payoffs | {name: self._play_all(network)}
        write_json(self.folder / "payoffs.json", payoffs)
        write_whole(self.folder / f"{name}.npz", lambda path: baselines.write(path, network, card, np.float32))
        self.payoffs, self.members[name] = payoffs, network

    def _play_all(self, network: Network) -> dict[str, Any]:
        """Win rates at tables of each scripted opponent and each of the members that are kept."""
        game, players = self.config.game.name, self.config.game.num_players
        others = {name: agents.load(name, game, players) for name in scripted_weights(self.config)}
        others |= {name: as_agent(name, self.members[name]) for name in self._kept()}
        learner, league = as_agent("learner", network), self.config.league
        options = game_options(self.config)
        return {
            name: play_duplicates(
                game, players, learner, [other] * (players - 1), league.deals, MONITOR_SEED, options
            ).win_rate.as_dict()
            for name, other in others.items()
        }

    def _kept(self) -> list[str]:
        return list(self.members)[-self.config.league.most :]

    def opponents(self) -> dict[Any, float]:
        """Whom the learner meets, with what weights: scripted policies as configured, members by priority."""
        share = self.config.league.weight
        scripted = scripted_weights(self.config)
        total = sum(scripted.values())
        weights: dict[Any, float] = {name: (1 - share) * weight / total for name, weight in scripted.items()}
        kept = self._kept()
        newest = self.payoffs[kept[-1]]
        fair = 1 / self.config.game.num_players
        losses = np.array([1 - newest[name]["mean"] if name in newest else 1 - fair for name in kept])
        chances = losses**2 / (losses**2).sum()
        return weights | {self.members[name]: share * float(c) for name, c in zip(kept, chances, strict=True)}


def check_league(config: DictConfig) -> None:
    """Refuse settings that no league can have, before anything is trained.

    Raises
    ------
    OptionError
        Names the setting and what is allowed.
    """
    league = config.league
    if not league.weight:
        return
    weights = scripted_weights(config)
    if not 0 <= league.weight <= 1:
        raise OptionError(f"league.weight is {league.weight}: it must be a share from 0 to 1.")
    for name, least in (("every", 1), ("most", 1), ("deals", 2)):
        require_int(f"league.{name}", league[name], least)
    policies = games.get(config.game.name).policies
    for name in weights:
        choose("opponents", name, policies)
    if sum(weights.values()) <= 0:
        raise OptionError(f"opponents are {weights}: at least one weight must be above 0.")


def scripted_weights(config: DictConfig) -> dict[str, float]:
    """The opponents of the config, all of which must be names with weights."""
    opponents: Any = config.opponents
    if isinstance(opponents, str):
        return {opponents: 1.0}
    if not OmegaConf.is_dict(opponents):
        raise OptionError(f"opponents are {opponents}: beside a league they must be one name, or weights by name.")
    return {str(name): float(weight) for name, weight in opponents.items()}


class Recruit(Every):
    """Once in a while the learner joins the league, and all games are dealt anew with opponents from it."""

    def __init__(
        self, config: DictConfig, run: Path, steps_done: int, console: Console, env: CardVecEnv, clock: Clock
    ) -> None:
        super().__init__(config.league.every, steps_done, console)
        self.league = League(config, run, steps_done)
        self.env = env
        self.clock = clock
        if not self.league.members:
            self.due = steps_done

    def _on_training_start(self) -> None:
        if self.league.members:
            self._seat()

    def act(self) -> None:
        model: Any = self.model  # a MaskablePPO
        self.league.add(model, self.clock.seconds())
        self._seat()
        newest = list(self.league.payoffs.values())[-1]
        for name, rate in newest.items():
            self.logger.record(f"league/{name}", rate["mean"])

    def _seat(self) -> None:
        """Between two rollouts, so that nothing that was learnt from is cut short."""
        model: Any = self.model
        self.env.set_opponents(self.league.opponents())
        model._last_obs = self.env.reset()
        model._last_episode_starts = np.ones(self.env.num_envs, np.bool_)
