"""The tables of the README and of the games' pages, from the code: `python docs/tables.py` rewrites them."""

import re
from pathlib import Path

from cardenvs import games
from cardenvs.core.sections import rows

DOCS = Path(__file__).resolve().parent
PAGES = [DOCS.parent / "README.md", *(DOCS / "games" / f"{name}.md" for name in games.VERSIONS)]
MOST = 4  # players of the tables, or as many as there can be


def players_of(name: str) -> int:
    return min(MOST, games.get(name).players[1])


def facts_table(name: str) -> str:
    """What a user looks for first."""
    game, players = games.get(name), players_of(name)
    fewest, most = game.players
    actions = [f"{len(game.actions(p))} with {p}" for p in sorted({fewest, players, most})]
    sizes = [
        f"{game.observation_size(p)} (`compact`: {game.observation_size(p, 'compact')}) with {p}"
        for p in sorted({fewest, players, most})
    ]
    facts = {
        "import": f"`from cardenvs import {name}_v{games.VERSIONS[name]}`",
        "Gymnasium": f"`{games.env_id(name)}`",
        "PettingZoo": f"`cardenvs/{name}-v{games.VERSIONS[name]}`",
        "interfaces": "AEC, parallel" if name in games.SIMULTANEOUS else "AEC",
        "players": f"{fewest} to {most}" if fewest < most else f"{fewest}",
        "agents": f"`player_0` … `player_{players - 1}`, by seat",
        "cards": f"{sum(game.default_deck.values())} of {len(game.kinds)} kinds",
        "phases": ", ".join(f"`{phase}`" for phase in game.phases),
        "actions": "discrete: " + "; ".join(actions),
        "observation": "float32, in [−1, 1]: " + "; ".join(sizes),
        "scripted opponents": ", ".join(f"`{policy}`" for policy in game.policies),
        "cap": ", ".join(f"{cap:,} decisions a {episode}" for episode, cap in game.max_decisions.items()),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {what} | {fact} |" for what, fact in facts.items())])


def observation_table(name: str) -> str:
    """First feature, length, name and meaning of every section."""
    game, players = games.get(name), players_of(name)
    lines = ["| index | length | section | meaning |", "|---|---|---|---|"]
    for first, length, section, meaning in rows(game.sections, players):
        lines.append(f"| {first} | {length} | `{section}` | {meaning} |")
    full, compact = (game.observation_size(players, encoding) for encoding in ("full", "compact"))
    lines.append("")
    lines.append(
        f'{full} features in all; `encoding="compact"` has the first {compact}, without what a seat remembers.'
    )
    return "\n".join(lines)


def action_table(name: str) -> str:
    """Index and name of every action."""
    actions = games.get(name).actions(players_of(name))
    lines = ["| index | action |", "|---|---|"]
    lines.extend(f"| {index} | `{action}` |" for index, action in enumerate(actions))
    return "\n".join(lines)


def option_table(name: str) -> str:
    """The game's own options."""
    lines = ["| option | values, default first | meaning |", "|---|---|---|"]
    for option, switch in games.get(name).switches.items():
        values = sorted(switch.choices, key=lambda value: value != switch.default)
        lines.append(f"| `{option}` | {', '.join(f'`{value}`' for value in values)} | {switch.meaning} |")
    return "\n".join(lines)


TABLES = {"facts": facts_table, "observation": observation_table, "actions": action_table, "options": option_table}
MARKED = re.compile(r"<!-- (\w+) (\w+) -->\n.*?<!-- end of \1 \2 -->", re.DOTALL)


def insert(text: str) -> str:
    """`text` with every table between its markers, `<!-- game table -->` and `<!-- end of game table -->`, replaced."""

    def table(found: re.Match[str]) -> str:
        name, kind = found.groups()
        return f"<!-- {name} {kind} -->\n{TABLES[kind](name)}\n<!-- end of {name} {kind} -->"

    return MARKED.sub(table, text)


def main() -> None:
    for page in PAGES:
        page.write_text(insert(page.read_text()))


if __name__ == "__main__":
    main()
