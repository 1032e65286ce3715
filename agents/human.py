"""A person at the terminal as an agent, `agents.load("human")`, who is shown what a seat may know and nothing else.

On duplicate deals a person meets every deal once in each seat, and may remember what was hidden before: a trial of an
agent's strength against oneself is fair in the games of the first seat alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from rich.console import Console

from agents.protocol import Agent
from cardenvs import BatchGame
from cardenvs.core.portrayal import action_in_words
from cardenvs.render.text import to_rich
from cardenvs.render.views import view_of


def make_agent() -> Agent:
    """Somebody who is asked for every decision, by number or name."""
    return Agent(name="human", search=choose_all)


def choose_all(possible: BatchGame) -> Any:
    """int64 (n,): what was typed for each of these possible positions; all that is hidden in them is left out."""
    return np.array([ask(possible[i]) for i in range(len(possible))], np.int64)


def ask(game: BatchGame) -> int:
    """Show a single game to the seat that is asked, until it names a legal action."""
    console = Console(soft_wrap=True)
    view = view_of(game.game, game.snapshot(), int(game.actor[0])) | {"legal": []}
    console.print(to_rich(game.game, view, console.width))
    legal = legal_actions(game)
    console.print(numbered(legal), markup=False)
    while True:
        typed = input("> ")
        if (chosen := match(typed, legal)) is not None:
            return chosen
        console.print(no_such(typed, legal), markup=False)


def legal_actions(game: BatchGame) -> dict[str, int]:
    """The legal actions of a single game by what people call them: cards and verbs, seats by their own numbers."""
    position = game.snapshot()
    return {action_in_words(name, position): game.action_index(name) for name in position["legal"]}


def numbered(legal: Iterable[str]) -> str:
    return "  ".join(f"{number}) {name}" for number, name in enumerate(legal, 1))


def match(typed: str, legal: Mapping[str, int]) -> int | None:
    """The action that was typed, by number or by name in any usual writing; None if it is none."""
    typed = typed.strip().lower().replace("_", " ")
    if typed.isdecimal() and 1 <= int(typed) <= len(legal):
        return list(legal.values())[int(typed) - 1]
    return legal.get(typed)


def no_such(typed: str, legal: Mapping[str, int], verbs: Sequence[str] = ()) -> str:
    """What is said of something that is no legal action, and none of the other things that can be typed."""
    near = get_close_matches(typed.strip(), [*legal, *verbs], n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"That is no legal action: type a number from 1 to {len(legal)}, or a name.{hint}"
