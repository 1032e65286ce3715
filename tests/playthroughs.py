"""Games to be read beside the rule sheet: `python -m tests.playthroughs` writes `docs/playthroughs/`.

The second writing of the rules (`tests/reference`) tells them; the engine plays the same (`test_reference`).
"""

import random
from pathlib import Path

from cardenvs import games
from tests.test_reference import play

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "playthroughs"
LONGEST = 1000
# Players, options, and a seed whose game is short and brings many rules to bear.
TABLES = {
    "uno_all_wild": (3, {"uno_calls": "declare"}, 3),
    "twice_the_fun": (3, {}, 125),
    "twits": (3, {}, 0),
    "wild_twists": (2, {}, 334),
}


def playthrough(name):
    """A whole random game, as `play` tells it."""
    num_players, options, seed = TABLES[name]
    chance = random.Random(seed)
    choices = [chance.randrange(100) for _ in range(LONGEST)]
    return play(name, num_players, options, seed % num_players, seed, choices)


def page(name, header, steps):
    """A game as a Markdown page."""
    chosen = ", ".join(f"`{key}={value!r}`" for key, value in header["options"].items()) or "the default options"
    (_, _, asked, dealt), *decisions = steps
    lines = [
        f"# A game of {games.get(name).title}",
        "",
        f"{header['num_players']} players, seat {header['reset']['dealer']} deals, {chosen}; all choices are by lot.",
        "Numbered lines are decisions; what follows from each is indented, with the rule that says so.",
        "",
        "```text",
        *dealt,
    ]
    for number, (action, _, position, log) in enumerate(decisions, start=1):
        lines.append(f"{number:>3}  seat {asked['actor']}, {asked['phase']}: {action}")
        lines.extend(f"       {line}" for line in log)
        asked = position
    rewards = ", ".join(f"{reward:+.2f}" for reward in decisions[-1][1])
    return "\n".join([*lines, f"Rewards by seat: {rewards}.", "```", ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in TABLES:
        (FOLDER / f"{name}.md").write_text(page(name, *playthrough(name)))
