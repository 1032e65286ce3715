"""The whole position of UNO All Wild as plain data (spec: Snapshot)."""

from typing import Any

from cardenvs.core.snapshot import describe_piles, seat_or_none, table
from cardenvs.games.uno_all_wild.layout import KINDS


def snapshot(s: Any) -> dict[str, Any]:
    """What is not in the snapshots of all games; see RULES.md for names."""
    return table(KINDS, s) | {
        "direction": int(s["direction"]),
        "turn": int(s["turn"]),
        "to_declare": [int(seat) for seat in s["to_declare"] if seat >= 0],
        "silent": seat_or_none(s["silent"]),
    }


def describe(position: dict[str, Any]) -> list[str]:
    """What lies on the table, for people."""
    direction = {1: "clockwise", -1: "counter-clockwise"}[position["direction"]]
    lines = [f"{describe_piles(position)}   play goes {direction}"]
    if position["to_declare"]:
        lines.append("to say UNO: " + ", ".join(f"seat {seat}" for seat in position["to_declare"]))
    if position["silent"] is not None:
        lines.append(f"seat {position['silent']} stayed silent")
    return lines
