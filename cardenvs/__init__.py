"""Card games as reinforcement-learning environments: exact rules, any number of players, compiled.

Importing this package registers every game with Gymnasium and PettingZoo; nothing is compiled before a game is made.
"""

from typing import TYPE_CHECKING, Any

from cardenvs.envs.registration import register_all

if TYPE_CHECKING:
    from cardenvs.engine.batch import BatchGame as BatchGame

__version__ = "0.1.0"
__all__ = ["BatchGame", "__version__"]

register_all()


def __getattr__(name: str) -> Any:
    """Numba is imported with the first game, not with the package."""
    if name == "BatchGame":
        from cardenvs.engine.batch import BatchGame

        return BatchGame
    raise AttributeError(f"module 'cardenvs' has no attribute {name!r}")
