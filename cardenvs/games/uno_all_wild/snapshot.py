"""The whole position of UNO All Wild as plain data (spec: Snapshot)."""

from typing import Any

from cardenvs.core.snapshot import seat_or_none, table
from cardenvs.games.uno_all_wild.layout import KINDS


def snapshot(s: Any) -> dict[str, Any]:
    """What is not in the snapshots of all games; see RULES.md for names."""
    return table(KINDS, s) | {
        "direction": int(s["direction"]),
        "turn": int(s["turn"]),
        "to_declare": [int(seat) for seat in s["to_declare"] if seat >= 0],
        "silent": seat_or_none(s["silent"]),
    }
