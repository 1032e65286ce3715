"""The part of a snapshot that all games share: plain, JSON-able data in which cards and actions go by name."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np


def seat_or_none(seat: Any) -> int | None:
    return int(seat) if seat >= 0 else None


def card_names(kinds: Sequence[str], cards: Iterable[Any]) -> list[str]:
    return [kinds[k] for k in cards]


def common(game: Any, s: Any, mask: np.ndarray) -> dict[str, Any]:
    """The keys that all games have but for the cards; `s` a record whose piles are settled, `mask` the actor's."""
    players = range(s["num_players"])
    actions = game.actions(int(s["num_players"]))
    return {
        "game": game.name,
        "num_players": int(s["num_players"]),
        "episode": "match" if s["match"] else "round",
        "round": int(s["round_number"]),
        "dealer": int(s["dealer"]),
        "decisions": int(s["decisions"]),
        "actor": seat_or_none(s["actor"]),
        "phase": game.phases[s["phase"]] if s["phase"] >= 0 else None,
        "legal": [actions[a] for a in np.flatnonzero(mask)],
        "scores": [int(s["scores"][seat]) for seat in players],
        "round_points": [int(s["round_points"][seat]) for seat in players] if s["paid"] else None,
        "winners": [seat for seat in players if s["winners"] >> seat & 1] if s["terminated"] else None,
        "terminated": bool(s["terminated"]),
        "truncated": bool(s["truncated"]),
        "shuffles": int(s["shuffles"]),
    }


def table(kinds: Sequence[str], s: Any) -> dict[str, Any]:
    """Hands and piles of a record whose piles are settled."""
    return {
        "hands": [
            {kind: int(n) for kind, n in zip(kinds, s["hands"][seat], strict=True) if n}
            for seat in range(s["num_players"])
        ],
        "draw_pile": card_names(kinds, s["cards"][: s["draw_size"]][::-1]),
        "discard_pile": card_names(kinds, s["cards"][len(s["cards"]) - s["discard_size"] :]),
    }
