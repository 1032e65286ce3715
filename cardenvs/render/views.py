"""What is to be drawn of a position, as plain data: one form for text, pictures and pages."""

from collections.abc import Sequence
from typing import Any

from cardenvs.core.game import Game
from cardenvs.core.portrayal import Event, action_in_words, plain, seats_in_words


def view_of(
    game: Game, position: dict[str, Any], viewer: int | None, events: Sequence[Event] = (), names: Sequence[str] = ()
) -> dict[str, Any]:
    """A snapshot as `viewer` sees it, None for the open table, in the words and places of `cardenvs.core.portrayal`.

    ``title``, ``status`` and ``question`` are lines of text; ``seats`` have ``seat, name, hand, count, laid, piles,
    notes, marks, score``; ``middle`` has ``piles, color, direction, arrow, notes``; ``legal`` are words for what the
    viewer may choose; ``events`` are pairs of text and rule.
    """
    seen = position if viewer is None else game.portrayal.hide(position, viewer)
    scene = game.portrayal.lay_out(seen)
    seats = [
        {
            "seat": seat,
            "name": names[seat] if names else "",
            **placed,
            "count": sum(placed["hand"].values()),
            "marks": marks(position, seat, viewer),
            "score": position["scores"][seat] if position["episode"] == "match" else None,
        }
        for seat, placed in enumerate(scene.pop("seats"))
    ]
    return {
        "title": game.title,
        "status": status(position),
        "viewer": viewer,
        "actor": position["actor"],
        "seats": seats,
        "middle": scene,
        "question": question(position),
        "legal": [action_in_words(action, position) for action in seen["legal"]],
        "events": [list(event) for event in events],
    }


def marks(position: dict[str, Any], seat: int, viewer: int | None) -> list[str]:
    """What is special about a seat."""
    found = {
        "to act": seat == position["actor"],
        "turn": seat == position.get("turn") != position["actor"] and position["actor"] is not None,
        "dealer": seat == position["dealer"],
        "you": seat == viewer,
        "won": seat in (position["winners"] or ()),
    }
    return [mark for mark, is_on in found.items() if is_on]


def status(position: dict[str, Any]) -> str:
    parts = [f"{position['num_players']} players", f"decision {position['decisions']}"]
    if position["episode"] == "match":
        parts.insert(1, f"match, round {position['round'] + 1}")
    return " · ".join(parts)


def question(position: dict[str, Any]) -> str:
    """Who is asked what, or how it ended."""
    if position["truncated"]:
        return "cut off: the cap on decisions is reached"
    if position["terminated"] and not position["winners"]:
        return "over: ended by an illegal action"
    if position["terminated"]:
        points = ", ".join(str(n) for n in position["round_points"] or ())
        return f"over: {seats_in_words(position['winners'])} won" + (f" (points {points})" if points else "")
    return f"seat {position['actor']} is asked: {plain(position['phase'])}"
