"""A round at the terminal, as text, for the docs: `python -m docs.session` plays it anew.

The person asks for a hint before its first decision, and always does what the baseline finds best.
"""

from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import OmegaConf
from rich.console import Console

from agents.play import Session, new_game, play

PAGE = Path(__file__).resolve().parent / "playing.md"
BEGIN, END = "<!-- a round -->\n", "<!-- end of a round -->"
GAME = {"name": "twice_the_fun", "num_players": 2, "options": {"episode": "round"}}
COMMAND = (
    "python -m agents.play game=twice_the_fun game.num_players=2 game.options.episode=round opponents=expert seed=11"
)
SEED = 11
WIDTH = 118


def record(folder: Path) -> str:
    """What is on the screen in the course of the round, what is typed included; games would be kept in `folder`."""
    config: Any = OmegaConf.create({"game": GAME, "opponents": "expert", "seat": 0})
    console = Console(width=WIDTH, record=True, file=StringIO(), highlight=False)
    session = Session(new_game(config, SEED), console)
    asked: list[str] = []

    def answer(prompt: str) -> str:
        """A hint first, then what the baseline would do."""
        typed = session.advice() if asked else "hint"
        asked.append(typed)
        console.print(f"{prompt}{typed}")
        return typed

    play(session, folder, answer)
    won = bool(np.any(session.table.winners[0, session.saved.seat]))
    console.print("You have won." if won else "You have lost.")
    lines = console.export_text().splitlines()
    return "\n".join([f"$ {COMMAND}", *(line.rstrip() for line in lines)])


def page(text: str, recorded: str) -> str:
    """The page with the round in its place."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}```text\n{recorded}\n```\n{rest[rest.index(END) :]}"


def main() -> None:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), record(PAGE.parent)), encoding="utf-8")


if __name__ == "__main__":
    main()
