"""The whole position of Wild Twists war as plain data (spec: Snapshot)."""

from typing import Any

from cardenvs.core.snapshot import card_names
from cardenvs.games.wild_twists.layout import KINDS, PLAYERS


def snapshot(s: Any) -> dict[str, Any]:
    """What is not in the snapshots of all games; see RULES.md for names."""
    return {
        "decks": [card_names(KINDS, s["decks"][seat, : s["deck_sizes"][seat]][::-1]) for seat in range(PLAYERS)],
        "score_piles": [
            [kind for k, kind in enumerate(KINDS) if int(s["score"][seat]) >> k & 1] for seat in range(PLAYERS)
        ],
        "face_up": [card_names(KINDS, s["face_up"][seat, : s["up_sizes"][seat]]) for seat in range(PLAYERS)],
        "face_down": [card_names(KINDS, s["face_down"][seat, : s["down_sizes"][seat]]) for seat in range(PLAYERS)],
    }
