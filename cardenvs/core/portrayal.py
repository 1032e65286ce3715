"""How a game is shown to people: what a seat sees of a snapshot, what lies where, how cards look, what has happened.

All of it is plain Python on snapshots. What a seat may not see is taken out of them first (`hide`), so that nothing
that draws or tells can show it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

HIDDEN = "?"  # in place of a card, or of an action, that a seat does not see

Position = Mapping[str, Any]  # a snapshot
Scene = dict[str, Any]


class Face(NamedTuple):
    """How a card looks: `corner` is what stands in its corners, `icon` what is drawn in its middle, else `corner`."""

    color: str  # of `cardenvs.render.look`
    corner: str
    icon: str = ""  # of `cardenvs.render.look`


class Event(NamedTuple):
    """A line of what has happened, and the number of the rule by which it did."""

    text: str
    rule: str


@dataclass(frozen=True)
class Portrayal:
    """What a game adds to what is shown of all games.

    - ``faces``: of every kind of card
    - ``lay_out(position)``: a `scene` of a snapshot, also of one that `hide` has been at
    - ``tell(before, action, after)``: what happened between two snapshots that are hidden alike; the first is None for
      a deal, and the action's name is `HIDDEN` for who does not see it
    - ``hide(position, seat)``: the snapshot without what that seat does not see
    - ``is_secret(position, seat)``: whether it does not see which action is taken now
    """

    faces: Mapping[str, Face]
    lay_out: Callable[[Position], Scene]
    tell: Callable[[Position | None, str | None, Position], list[Event]]
    hide: Callable[[Position, int], dict[str, Any]]
    is_secret: Callable[[Position, int], bool] = lambda position, seat: False


# --- what a seat sees -------------------------------------------------------------------------------------------------


def hide_cards(position: Position, seat: int) -> dict[str, Any]:
    """A snapshot as `seat` sees it, in games in which hands and draw pile are hidden."""
    hands = [hand if owner == seat else {HIDDEN: sum(hand.values())} for owner, hand in enumerate(position["hands"])]
    return {
        **position,
        "hands": hands,
        "draw_pile": hidden(position["draw_pile"]),
        "legal": position["legal"] if seat == position["actor"] else [],
    }


def hidden(cards: Sequence[str]) -> list[str]:
    """As many cards, face down."""
    return [HIDDEN] * len(cards)


# --- what lies where --------------------------------------------------------------------------------------------------


def scene(seats: list[dict[str, Any]], piles: list[dict[str, Any]], **more: Any) -> Scene:
    """What lies where, as plain data.

    ``seats``, a `place` each; ``piles`` in the middle; ``color`` that is called, ``direction`` of play, 1 or −1;
    ``arrow``: ``origin``, ``target`` and ``label`` of what is under way; ``notes``, lines about the whole table.
    """
    return {"seats": seats, "piles": piles, "color": None, "direction": None, "arrow": None, "notes": []} | more


def place(hand: Mapping[str, int] | None = None, **more: Any) -> dict[str, Any]:
    """What lies at a seat: ``hand`` by kind, ``laid`` face up in groups, ``piles``, ``notes``."""
    return {"hand": dict(hand or {}), "laid": [], "piles": [], "notes": []} | more


def pile(name: str, cards: Sequence[str], top: str | None = None) -> dict[str, Any]:
    """A pile: its name, how many cards it has, and the top one if it lies face up."""
    return {"name": name, "count": len(cards), "top": top}


def both_piles(position: Position) -> list[dict[str, Any]]:
    """The draw pile and the discard pile."""
    discards = position["discard_pile"]
    return [pile("draw pile", position["draw_pile"]), pile("discard pile", discards, discards[0] if discards else None)]


# --- what has happened ------------------------------------------------------------------------------------------------


def plain(name: str) -> str:
    """The name of a card or an action in plain words."""
    return name.replace("_", " ")


def in_words(cards: Mapping[str, int]) -> str:
    """Cards by kind in words: "2 cards" if they are hidden, else their names."""
    count = sum(cards.values())
    if HIDDEN in cards:
        return "a card" if count == 1 else f"{count} cards"
    return listed([plain(card) if n == 1 else f"{n} × {plain(card)}" for card, n in cards.items()])


def listed(names: Sequence[str]) -> str:
    return " and ".join(", ".join(names).rsplit(", ", 1))


def seats_in_words(seats: Sequence[int]) -> str:
    return listed([f"seat {seat}" for seat in seats])


def came(before: Position, after: Position, seat: int, but: Sequence[str] = ()) -> Counter[str]:
    """The cards that came into a hand, but for some that are told otherwise."""
    gained = Counter(after["hands"][seat])
    gained.subtract(before["hands"][seat])
    gained.subtract([HIDDEN] * len(but) if HIDDEN in after["hands"][seat] else but)
    return +gained


def target_of(actor: int, action: str, num_players: int) -> int:
    """The seat that an action ``seat_r`` names."""
    return int((actor + int(action.removeprefix("seat_"))) % num_players)


def action_in_words(action: str, position: Position) -> str:
    """An action that is to be taken in a position; a seat that it names goes by its own number, not a relative one."""
    if action.startswith("seat_"):
        return f"seat {target_of(position['actor'], action, position['num_players'])}"
    return plain(action)


def goes_on(before: Position, after: Position) -> bool:
    """Whether the round has not ended between two snapshots: hands and piles can be compared."""
    return bool(before["round"] == after["round"] and not after["terminated"])


def seats_between(first: int, last: int, num_players: int) -> list[int]:
    """The seats that a turn passes over, clockwise, from one seat to another; all others if they are the same."""
    gap = (last - first) % num_players or num_players
    return [(first + step) % num_players for step in range(1, gap)]


def is_shuffled(before: Position, after: Position) -> bool:
    """Whether a pile was shuffled in the middle of a round."""
    return goes_on(before, after) and bool(after["shuffles"] > before["shuffles"])


def endings(before: Position, after: Position, points: str, match: str, cap: str) -> list[Event]:
    """What the end of a round, a match or an episode brings, by the rules of these numbers."""
    events = []
    paid = after["round_points"]
    if paid is not None and (after["round"] != before["round"] or after["terminated"]):
        scored = ", ".join(f"seat {seat} {n}" for seat, n in enumerate(paid))
        events.append(Event(f"points of the round: {scored}", points))
    if after["terminated"] and after["episode"] == "match" and after["winners"]:
        wins = "wins" if len(after["winners"]) == 1 else "share"
        events.append(Event(f"{seats_in_words(after['winners'])} {wins} the match", match))
    if after["truncated"]:
        events.append(Event("the episode is cut off", cap))
    return events
