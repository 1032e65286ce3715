"""A run's folder: resolved config, versions, checkpoints, model. Nothing in it is ever half-written."""

import json
import os
import platform
import shutil
from importlib.metadata import version
from pathlib import Path

import yaml
from omegaconf import DictConfig, OmegaConf
from sb3_contrib import MaskablePPO

from agents.trained import CARD
from cardenvs.core.errors import OptionError
from training.cli import game_options, write_whole

LIBRARIES = ("cardenvs", "gymnasium", "numba", "numpy", "pettingzoo", "sb3-contrib", "stable-baselines3", "torch")


def start_run(run: Path, config: DictConfig) -> None:
    """Make the folder; an old run of that name is refused, not overwritten."""
    if (run / "config.yaml").exists():
        raise OptionError(f"{run} holds a run already: choose another output=, resume={run}, or remove it.")
    run.mkdir(parents=True, exist_ok=True)
    versions = {"python": platform.python_version()} | {library: version(library) for library in LIBRARIES}
    (run / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")
    write_whole(run / "config.yaml", lambda path: path.write_text(OmegaConf.to_yaml(config, resolve=True)))


def restore_config(run: Path, given: DictConfig) -> DictConfig:
    """The config of a run that goes on; `extend_to` may give it more steps, and `time_limit` an end."""
    if not (run / "config.yaml").is_file():
        raise OptionError(f"{run} holds no run to resume: there is no config.yaml in it.")
    try:
        config = OmegaConf.load(run / "config.yaml")
    except yaml.YAMLError as error:
        raise OptionError(f"{run}/config.yaml is not plain YAML: {error}") from error
    assert isinstance(config, DictConfig)
    changed = {"resume": str(run), "output": str(run), "progress": given.progress}
    if given.time_limit is not None:
        changed["time_limit"] = given.time_limit
    if given.extend_to is not None:
        changed["total_steps"] = given.extend_to
    merged = OmegaConf.merge(config, changed)
    assert isinstance(merged, DictConfig)
    return merged


def save_checkpoint(model: MaskablePPO, config: DictConfig, run: Path) -> None:
    """A folder `checkpoints/step_N`, moved into place when it is whole; only the last few are kept."""
    folder = run / "checkpoints" / f"step_{model.num_timesteps:012d}"
    unfinished = run / "checkpoints" / ".unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        model.save(unfinished / "model.zip")
        write_card(model, config, unfinished)
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


def save_model(model: MaskablePPO, config: DictConfig, run: Path) -> None:
    """`model.zip` and what it was trained for."""
    write_whole(run / "model.zip", model.save)
    write_card(model, config, run)


def write_card(model: MaskablePPO, config: DictConfig, folder: Path) -> None:
    """What a model was trained for."""
    card = {
        "game": config.game.name,
        "num_players": config.game.num_players,
        "encoding": config.encoding,
        "options": game_options(config),
        "learner_steps": int(model.num_timesteps),
        "seed": config.seed,
    }
    write_whole(folder / CARD, lambda path: path.write_text(yaml.safe_dump(card, sort_keys=False)))
