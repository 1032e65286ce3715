"""A person at the terminal as an agent, `agents.load("human")`, who is shown what a seat may know and nothing else.

On duplicate deals a person meets every deal once in each seat, and may remember what was hidden before: a trial of an
agent's strength against oneself is fair in the games of the first seat alone.
"""

from difflib import get_close_matches
from typing import Any

import numpy as np

from agents.protocol import Agent
from cardenvs import BatchGame
from cardenvs.render.text import render_table


def make_agent() -> Agent:
    """Somebody who is asked for every decision, by number or name."""
    return Agent(name="human", search=choose_all)


def choose_all(possible: BatchGame) -> Any:
    """int64 (n,): what was typed for each of these possible positions; all that is hidden in them is left out."""
    return np.array([ask(possible[i]) for i in range(len(possible))], np.int64)


def ask(game: BatchGame) -> int:
    """Show a single game to the seat that is asked, until it names a legal action."""
    legal = {game.action_name(int(action)): int(action) for action in np.flatnonzero(game.legal()[0])}
    print(render_table(game, int(game.actor[0])))
    print("  ".join(f"{number}) {name}" for number, name in enumerate(legal, 1)))
    while True:
        typed = input("> ").strip()
        if typed in legal:
            return legal[typed]
        if typed.isdecimal() and 1 <= int(typed) <= len(legal):
            return list(legal.values())[int(typed) - 1]
        near = get_close_matches(typed, legal, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        print(f"That is no legal action: type a number from 1 to {len(legal)}, or a name.{hint}")
