"""The list of games: the one line that a new game edits."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from cardenvs.core.errors import choose

if TYPE_CHECKING:
    from cardenvs.core.game import Game

VERSIONS = {"uno_all_wild": 0, "twice_the_fun": 0, "twits": 0, "wild_twists": 0}  # name → version of its environments
SIMULTANEOUS = {"wild_twists"}  # all seats act at once: these have a parallel environment too


@cache
def get(name: str) -> "Game":
    """The game of that name; its code is imported here, and not before.

    Raises
    ------
    OptionError
        If there is no such game.
    """
    game: Game = import_module(f"cardenvs.games.{choose('game', name, VERSIONS)}").GAME
    return game


def env_id(name: str) -> str:
    """The id of a game's Gymnasium environments: ``cardenvs/UnoAllWild-v0``."""
    return f"cardenvs/{name.title().replace('_', '')}-v{VERSIONS[name]}"
