"""The table as text in colors (rich), for people: open, or as one seat sees it."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from cardenvs.core.game import Game
from cardenvs.core.portrayal import HIDDEN, plain
from cardenvs.render.look import COLORS

WIDTH = 118
BESIDE_CARDS = 54  # columns, for who sits there and remarks
FEWEST = 24  # columns for cards, however narrow the terminal is


def to_ansi(game: Game, view: Mapping[str, Any]) -> str:
    """A view (`cardenvs.render.views`) as text with ANSI's codes for colors."""
    console = Console(width=WIDTH, force_terminal=True, color_system="truecolor", highlight=False)
    with console.capture() as capture:
        console.print(to_rich(game, view, WIDTH))
    return str(capture.get()).rstrip("\n")


def to_rich(game: Game, view: Mapping[str, Any], width: int) -> Group:
    """A view as something that rich prints, for so many columns."""
    title = Text.assemble((view["title"], "bold"), f" · {view['status']}")
    seats = Table.grid(padding=(0, 1))
    for _ in range(4):
        seats.add_column(no_wrap=True)
    for seat in view["seats"]:
        seats.add_row(*seat_row(game, seat, view["actor"], max(FEWEST, width - BESIDE_CARDS)))
    lines = [Text.from_markup(f"  {escape(event)} [dim]({rule})[/]") for event, rule in view["events"]]
    asked = Text(f"  {view['question']}", style="bold")
    if view["legal"]:
        asked.append(": " + ", ".join(view["legal"]), style="not bold")
    return Group(title, seats, middle_line(game, view["middle"]), *lines, asked)


def seat_row(game: Game, seat: Mapping[str, Any], actor: int | None, width: int) -> list[str | Text]:
    """Who, how many points and cards, the cards themselves in lines of `width` columns, and remarks."""
    name = f" {seat['name']}" if seat["name"] else ""
    who = Text(f"{'→' if seat['seat'] == actor else ' '} seat {seat['seat']}{name}")
    score = f"{seat['score']} points" if seat["score"] is not None else ""
    count = f"{seat['count']} card{'s' if seat['count'] != 1 else ''}" if seat["hand"] else ""
    cards = [card_text(game, kind, n) for kind, n in seat["hand"].items()]
    cards += [Text("▸ ").append_text(card_text(game, group[0], len(group))) for group in seat["laid"]]
    cards += [Text(f"{each['name']} {each['count']}") for each in seat["piles"] if each["count"]]
    remarks = [*seat["notes"], *([f"[{', '.join(seat['marks'])}]"] if seat["marks"] else [])]
    return [who, score, count, in_lines(cards, width), Text(" ".join(remarks), style="dim")]


def in_lines(words: Sequence[Text], width: int) -> Text:
    """Words beside one another, and in new lines where they would be wider."""
    lines = [Text()]
    for word in words:
        if lines[-1] and lines[-1].cell_len + 2 + word.cell_len > width:
            lines.append(Text())
        lines[-1] = Text("  ").join([lines[-1], word]) if lines[-1] else word
    return Text("\n").join(lines)


def card_text(game: Game, kind: str, count: int = 1) -> Text:
    """A card's name on its color; so many of it."""
    if kind == HIDDEN:
        return Text(HIDDEN * count, style="dim")
    color = game.portrayal.faces[kind].color
    ink = "#000000" if color in ("white", "gold") else "#ffffff"
    return Text.assemble(f"{count}×" if count > 1 else "", (f" {plain(kind)} ", f"{ink} on {COLORS[color]}"))


def middle_line(game: Game, middle: Mapping[str, Any]) -> Text:
    """Piles, color, direction and what is under way."""
    line = Text("  ")
    for each in middle["piles"]:
        line.append(f"{each['name']} {each['count']} ")
        if each["top"]:
            line.append_text(card_text(game, each["top"]))
        line.append("  ")
    if middle["color"]:
        line.append_text(
            Text.assemble("color ", (f" {middle['color']} ", f"#000000 on {COLORS[middle['color']]}"), "  ")
        )
    line.append("".join(f"{words}  " for words in words_of(middle)))
    return line


def words_of(middle: Mapping[str, Any]) -> Sequence[str]:
    """What of the middle of the table is said in words."""
    words = list(middle["notes"])
    if middle["direction"]:
        words.append("clockwise" if middle["direction"] > 0 else "counter-clockwise")
    if middle["arrow"]:
        words.append("{label}: seat {origin} → seat {target}".format(**middle["arrow"]))
    return words
