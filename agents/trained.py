"""Agents trained with MaskablePPO."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
import yaml
from sb3_contrib import MaskablePPO

from agents.network import require_fit
from agents.protocol import Agent, AgentError

CARD = "model.yaml"  # beside a model: what it was trained for


def load_model(path: Path, game: str, num_players: int, options: Mapping[str, Any]) -> Agent:
    """A trained network as an agent that plays its most probable action.

    SB3's files hold pickled Python: load only those that you trust.

    Raises
    ------
    AgentError
        If the file is no such model, or it was trained for another game or number of players.
    """
    card = read_card(path)
    require_fit(card, path, game, num_players, options)
    try:
        model = MaskablePPO.load(path, device="cpu")
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise AgentError(f"{path} is not a MaskablePPO model: {error}") from error

    return as_agent(f"{path.parent.name}/{path.stem}", model, card["encoding"])


def as_agent(name: str, model: MaskablePPO, encoding: str) -> Agent:
    """A model as an agent that plays its most probable action."""

    def act(observations: Any, masks: Any) -> Any:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    def think(observations: Any, masks: Any) -> tuple[Any, Any]:
        with torch.no_grad():
            seen = torch.as_tensor(observations)
            distribution: Any = model.policy.get_distribution(seen, action_masks=masks).distribution
            return distribution.probs.numpy(), model.policy.predict_values(seen)[:, 0].numpy()

    return Agent(name=name, act=act, encoding=encoding, think=think)


def read_card(path: Path) -> dict[str, Any]:
    """What a model was trained for: ``game``, ``num_players``, ``encoding``."""
    card_path = path.parent / CARD
    if not card_path.is_file():
        raise AgentError(f"{path} has no {CARD} beside it: it must be a model that training.train has written.")
    try:
        card = yaml.safe_load(card_path.read_text())
    except yaml.YAMLError as error:
        raise AgentError(f"{card_path} is not plain YAML: {error}") from error
    missing = {"game", "num_players", "encoding"} - set(card if isinstance(card, dict) else ())
    if missing:
        raise AgentError(f"{card_path} does not say {', '.join(sorted(missing))}.")
    return dict(card)
