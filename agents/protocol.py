"""What an agent is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class AgentError(ValueError):
    """An agent that does not exist, or that cannot play what it is asked to."""


@dataclass(frozen=True)
class Agent:
    """A policy for one game and number of players; it only ever gets what a seat may know.

    `act` takes many decisions at once: observations float32 (n, D) in `encoding` and masks bool (n, A) to actions int
    (n,). `scripted` is the name of the compiled policy that does the same, where there is one: it then plays inside the
    kernels, and `act` is not called. `search` takes games instead that the seats asked cannot tell from the true ones
    (`BatchGame.resample_hidden`), and may draw others from them; of the true ones it gets none. (That keeps the honest
    honest: one that takes the random numbers apart could work its way back.)

    `think`, where an agent has it, takes what `act` does to the probabilities of its actions, float (n, A), and what it
    expects of the rewards to come, float (n,) or None: for people who want to know.
    """

    name: str
    act: Callable[[Any, Any], Any] | None = None
    search: Callable[[Any], Any] | None = None
    scripted: str | None = None
    encoding: str = "full"
    think: Callable[[Any, Any], tuple[Any, Any]] | None = None
