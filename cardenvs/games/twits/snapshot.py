"""The whole position of The Twits as plain data (spec: Snapshot)."""

from typing import Any

from cardenvs.core.snapshot import card_names, table
from cardenvs.games.twits.layout import KINDS


def snapshot(s: Any) -> dict[str, Any]:
    """What is not in the snapshots of all games; see RULES.md for names."""
    on_table = table(KINDS, s)
    return {"hands": on_table["hands"], "draw_pile": on_table["draw_pile"]} | {
        "banked": [card_names(KINDS, s["banked"][seat, : s["sets"][seat]]) for seat in range(s["num_players"])],
        "turn": int(s["turn"]),
        "last_turn": bool(s["last_turn"]),
    }
