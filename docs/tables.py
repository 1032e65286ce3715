"""The tables of the README, from the code: `python docs/tables.py` rewrites them."""

from pathlib import Path

from cardenvs import games
from cardenvs.core.sections import rows

README = Path(__file__).resolve().parents[1] / "README.md"
PLAYERS = 4


def observation_table(name: str) -> str:
    """First feature, length, name and meaning of every section, for four players."""
    game = games.get(name)
    lines = ["| index | length | section | meaning |", "|---|---|---|---|"]
    for first, length, section, meaning in rows(game.sections, PLAYERS):
        lines.append(f"| {first} | {length} | `{section}` | {meaning} |")
    full, compact = (game.observation_size(PLAYERS, encoding) for encoding in ("full", "compact"))
    lines.append("")
    lines.append(
        f'{full} features in all; `encoding="compact"` has the first {compact}, without what a seat remembers.'
    )
    return "\n".join(lines)


def action_table(name: str) -> str:
    """Index and name of every action, for four players."""
    actions = games.get(name).actions(PLAYERS)
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


TABLES = {"observation": observation_table, "actions": action_table, "options": option_table}


def insert(text: str, name: str) -> str:
    """`text` with every table of that game between its markers replaced."""
    for kind, table in TABLES.items():
        begin, end = f"<!-- {name} {kind} -->", f"<!-- end of {name} {kind} -->"
        before, rest = text.split(begin + "\n")
        _, after = rest.split(end)
        text = f"{before}{begin}\n{table(name)}\n{end}{after}"
    return text


def main() -> None:
    text = README.read_text()
    for name in games.VERSIONS:
        text = insert(text, name)
    README.write_text(text)


if __name__ == "__main__":
    main()
