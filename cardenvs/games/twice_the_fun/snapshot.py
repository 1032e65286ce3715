"""The whole position of Twice the Fun as plain data (spec: Snapshot)."""

from typing import Any

from cardenvs.core.snapshot import table
from cardenvs.games.twice_the_fun.layout import COLORS, KINDS, NO_COLOR, NO_PENALTY, PENALTIES


def snapshot(s: Any) -> dict[str, Any]:
    """What is not in the snapshots of all games; see RULES.md for names."""
    return table(KINDS, s) | {
        "color": COLORS[s["color"]] if s["color"] != NO_COLOR else None,
        "turn": int(s["turn"]),
        "missed_turns": [int(n) for n in s["missed"][: s["num_players"]]],
        "penalty": penalty(s),
        "to_give": int(s["to_give"]),
    }


def penalty(s: Any) -> dict[str, Any] | None:
    if s["penalty"] == NO_PENALTY:
        return None
    return {"kind": PENALTIES[s["penalty"]]} | {who: int(s[who]) for who in ("origin", "target", "sender")}
