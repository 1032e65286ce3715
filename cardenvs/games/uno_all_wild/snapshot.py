"""The whole position of UNO All Wild as plain data (spec: Snapshot)."""

from typing import Any

from cardenvs.core.snapshot import card_names, seat_or_none
from cardenvs.games.uno_all_wild.layout import KINDS


def snapshot(s: Any) -> dict[str, Any]:
    """The keys of UNO All Wild's own and those of all games; see RULES.md for names."""
    return {
        "hands": [
            {kind: int(n) for kind, n in zip(KINDS, s["hands"][seat], strict=True) if n}
            for seat in range(s["num_players"])
        ],
        "draw_pile": card_names(KINDS, s["cards"][: s["draw_size"]][::-1]),
        "discard_pile": card_names(KINDS, s["cards"][len(s["cards"]) - s["discard_size"] :]),
        "direction": int(s["direction"]),
        "turn": int(s["turn"]),
        "to_declare": [int(seat) for seat in s["to_declare"] if seat >= 0],
        "silent": seat_or_none(s["silent"]),
    }
