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


def describe(position: dict[str, Any]) -> list[str]:
    """What lies on the table, for people; the first flip of two is not shown yet (WTW-2)."""
    shown = len(position["face_up"][1])
    lines = []
    for seat in range(PLAYERS):
        face_up = [*position["face_up"][seat][:shown], *["?" for _ in position["face_up"][seat][shown:]]]
        sizes = [len(position[pile][seat]) for pile in ("decks", "score_piles", "face_down")]
        lines.append(
            f"seat {seat}: play deck {sizes[0]}, score pile {sizes[1]}"
            + (f", face down {sizes[2]}" if sizes[2] else "")
            + (f", face up {' '.join(face_up)}" if face_up else "")
        )
    return lines
