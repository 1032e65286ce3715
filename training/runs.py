"""A run's folder: resolved config, versions, checkpoints, model. Nothing in it is ever half-written."""

import json
import os
import platform
import shutil
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from omegaconf import DictConfig, OmegaConf
from sb3_contrib import MaskablePPO

from agents.trained import CARD, read_card
from cardenvs import baselines
from cardenvs.baselines.network import Network
from cardenvs.core.errors import OptionError, did_you_mean
from training.cli import compose_defaults, game_options, leaves, plain, write_whole

WITH_RESUME = ("resume", "extend_to", "time_limit", "progress", "output")
LIBRARIES = ("cardenvs", "gymnasium", "numba", "numpy", "pettingzoo", "sb3-contrib", "stable-baselines3", "torch")


class Clock:
    """The seconds that a run has taken, those before it was resumed included."""

    def __init__(self, checkpoint: Path | None) -> None:
        before = read_card(checkpoint / "model.zip").get("seconds", 0) if checkpoint else 0
        self.began = time.perf_counter() - before

    def seconds(self) -> float:
        return time.perf_counter() - self.began


def refuse_old_run(run: Path) -> None:
    """An old run of that name is refused, not overwritten."""
    if (run / "config.yaml").exists():
        raise OptionError(f"{run} holds a run already: choose another output=, resume={run}, or remove it.")


def start_run(run: Path, config: DictConfig) -> None:
    """Make the folder, with what the run is."""
    run.mkdir(parents=True, exist_ok=True)
    versions = {"python": platform.python_version()} | {library: version(library) for library in LIBRARIES}
    (run / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")
    write_whole(run / "config.yaml", lambda path: path.write_text(OmegaConf.to_yaml(config, resolve=True)))


def refuse_changes(given: DictConfig, config: DictConfig) -> None:
    """Refuse keys that a run which goes on by its own config could only ignore."""
    defaults = compose_defaults("best_response" if "agent" in given else "train")
    idle = [dict(leaves(known)) for known in (defaults, plain(config))]
    for key, value in leaves(plain(given)):
        if key not in WITH_RESUME and value not in [known.get(key) for known in idle]:
            raise OptionError(
                f"{key}={value} would change nothing: a run goes on by its own config. With resume= there can only be "
                f"{', '.join(WITH_RESUME[1:4])}."
            )


def restore_config(run: Path, given: DictConfig) -> DictConfig:
    """The config of a run that goes on; `extend_to` may give it more steps, and `time_limit` an end."""
    if not (run / "config.yaml").is_file():
        others = [str(path) for path in run.parent.glob("*") if (path / "config.yaml").is_file()]
        hint = did_you_mean(str(run), others)
        raise OptionError(f"{run} holds no run to resume: there is no config.yaml in it.{hint}")
    try:
        config = OmegaConf.load(run / "config.yaml")
    except yaml.YAMLError as error:
        raise OptionError(f"{run}/config.yaml is not plain YAML: {error}") from error
    assert isinstance(config, DictConfig)
    changed = {"resume": str(run), "output": str(run), "progress": given.progress, "extend_to": given.extend_to}
    if given.time_limit is not None:
        changed["time_limit"] = given.time_limit
    if given.extend_to is not None:
        changed["total_steps"] = given.extend_to
    merged = OmegaConf.merge(config, changed)
    assert isinstance(merged, DictConfig)
    refuse_changes(given, merged)
    return merged


def save_checkpoint(model: MaskablePPO, config: DictConfig, run: Path, seconds: float) -> None:
    """A folder `checkpoints/step_N`, moved into place when it is whole; only the last few are kept."""
    folder = run / "checkpoints" / f"step_{model.num_timesteps:012d}"
    unfinished = run / "checkpoints" / ".unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        model.save(unfinished / "model.zip")
        write_card(model, config, unfinished, seconds)
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(unfinished, folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    for old in _checkpoints(run)[: -config.keep_checkpoints]:
        shutil.rmtree(old)


def latest_checkpoint(run: Path) -> Path | None:
    """The newest checkpoint of a run, None if there is none yet."""
    found = _checkpoints(run)
    return found[-1] if found else None


def _checkpoints(run: Path) -> list[Path]:
    return sorted((run / "checkpoints").glob("step_*"))


def save_model(model: MaskablePPO, config: DictConfig, run: Path, seconds: float) -> None:
    """`model.zip` and what it was trained for; `policy.npz`, the policy's weights alone, which needs no torch."""
    write_whole(run / "model.zip", model.save)
    write_card(model, config, run, seconds)
    network = network_of(model, config.encoding)
    write_whole(run / "policy.npz", lambda path: baselines.write(path, network, make_card(model, config, seconds)))


def network_of(model: MaskablePPO, encoding: str, sampled: bool = False) -> Network:
    """The policy of a MaskablePPO whose networks are plain layers with ReLU, without its value."""
    policy: Any = model.policy
    layers = [layer for layer in policy.mlp_extractor.policy_net if hasattr(layer, "weight")] + [policy.action_net]
    parts = []
    for layer in layers:
        parts += [layer.weight.detach().numpy().T.ravel(), layer.bias.detach().numpy()]
    sizes = [layers[0].in_features, *(layer.out_features for layer in layers)]
    return Network(np.concatenate(parts).astype(np.float32), np.array(sizes, np.int64), encoding, sampled)


def write_card(model: MaskablePPO, config: DictConfig, folder: Path, seconds: float) -> None:
    """`make_card` beside a model."""
    card = make_card(model, config, seconds)
    write_whole(folder / CARD, lambda path: path.write_text(yaml.safe_dump(card, sort_keys=False)))


def make_card(model: MaskablePPO, config: DictConfig, seconds: float) -> dict[str, Any]:
    """What a model was trained for, and in how many seconds."""
    return {
        "game": config.game.name,
        "num_players": config.game.num_players,
        "encoding": config.encoding,
        "options": game_options(config),
        "learner_steps": int(model.num_timesteps),
        "seed": config.seed,
        "seconds": round(seconds),
    }
