"""Libraries that not everybody needs."""

from importlib import import_module
from typing import Any


class MissingExtraError(ImportError, ValueError):
    """A library that is not installed: the message says which extra brings it."""


def optional(extra: str, module: str) -> Any:
    """A module that an extra brings; a `MissingExtraError` if it has not been installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(f'{error.name} is not installed: pip install "cardenvs[{extra}]"') from error
