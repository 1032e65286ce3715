"""Agents by name: `agents.load("expert")`, `agents.load("runs/…/model.zip")`."""

from agents.protocol import Agent, AgentError
from agents.registry import load

__all__ = ["Agent", "AgentError", "load"]
