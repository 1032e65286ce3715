"""Positions for people: as text and as pictures, which need libraries of their own, imported when they are used."""

from importlib import import_module
from typing import Any

from gymnasium.error import DependencyNotInstalled


def load(drawer: str) -> Any:
    """One of this package's modules.

    Raises
    ------
    gymnasium.error.DependencyNotInstalled
        If a library is missing that it draws with: says how to install it.
    """
    try:
        return import_module(f"cardenvs.render.{drawer}")
    except ModuleNotFoundError as error:
        raise DependencyNotInstalled(f'{error.name} is not installed: pip install "cardenvs[render]"') from error
