"""Replays: an episode in a file of its own, to be watched, checked and played again (`cardenvs.replay.files`)."""

from cardenvs.replay.files import Replay, ReplayError, load, save, verify
from cardenvs.replay.page import to_html

__all__ = ["Replay", "ReplayError", "load", "save", "to_html", "verify"]
