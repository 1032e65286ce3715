"""The table as text, for people: open, or as one seat sees it."""

from typing import Any

from cardenvs.engine.batch import BatchGame

HIDDEN = "?"


def render_table(games: BatchGame, seat: int | None = None) -> str:
    """A single game as text; only what `seat` may see if one is given, and everything otherwise."""
    position = games.snapshot()
    on_the_table = [f"  {line}" for line in games.game.describe(position)]
    lines = [_title(games, position), *_seats(position, seat), *on_the_table, _what_next(position, seat)]
    return "\n".join(lines)


def _title(games: BatchGame, position: dict[str, Any]) -> str:
    parts = [games.game.title, f"{position['num_players']} players", f"decision {position['decisions']}"]
    if position["episode"] == "match":
        parts.insert(2, f"match to {games.options.target_score}, round {position['round'] + 1}")
    return " · ".join(parts)


def _seats(position: dict[str, Any], viewer: int | None) -> list[str]:
    lines = []
    for seat in range(position["num_players"]):
        marks = [
            mark
            for mark, is_on in (
                ("to act", seat == position["actor"]),
                ("turn", seat == position.get("turn") and seat != position["actor"]),
                ("dealer", seat == position["dealer"]),
                ("you", seat == viewer),
                ("won", seat in (position["winners"] or ())),
            )
            if is_on
        ]
        arrow = "→" if seat == position["actor"] else " "
        score = f"  {position['scores'][seat]:>4} points" if position["episode"] == "match" else ""
        hand = _hand(position["hands"][seat], viewer in (None, seat)) if "hands" in position else ""
        lines.append(f"{arrow} seat {seat}{score}{hand}{_in_brackets(marks)}")
    return lines


def _hand(hand: dict[str, int], is_open: bool) -> str:
    count = sum(hand.values())
    return f"  {count:>2} card{'s' if count != 1 else ' '}  {_cards(hand) if is_open else HIDDEN * count}"


def _cards(hand: dict[str, int]) -> str:
    return "  ".join(name if n == 1 else f"{n}×{name}" for name, n in hand.items()) or "no cards"


def _in_brackets(marks: list[str]) -> str:
    return f"  [{', '.join(marks)}]" if marks else ""


def _what_next(position: dict[str, Any], viewer: int | None) -> str:
    if position["truncated"]:
        return "  cut off: the cap on decisions is reached"
    if position["terminated"] and not position["winners"]:
        return "  over: ended by an illegal action"
    if position["terminated"]:
        winners = " and ".join(f"seat {seat}" for seat in position["winners"])
        points = ", ".join(str(n) for n in position["round_points"] or ())
        return f"  over: {winners} won" + (f"   points of the last round: {points}" if points else "")
    question = f"  seat {position['actor']} is asked to {position['phase']}"
    if viewer in (None, position["actor"]):
        question += ": " + ", ".join(position["legal"])
    return question
