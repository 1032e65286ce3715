"""How Wild Twists war is shown to people (`cardenvs.core.portrayal`); rule numbers are those of RULES.md."""

from typing import Any

from cardenvs.core.portrayal import (
    HIDDEN,
    Event,
    Face,
    Portrayal,
    Position,
    Scene,
    hidden,
    listed,
    pile,
    place,
    plain,
    scene,
)
from cardenvs.games.wild_twists.layout import FACE_DOWN, KINDS, NUM_KINDS, PLAYERS

CORNERS = {"jack": "J", "queen": "Q", "king": "K", "ace": "A"}


def face(kind: str) -> Face:
    first, second = kind.split("_")
    if first == "wild":
        return Face("gold", "W", f"{second}_disc" if second in ("red", "black") else second)
    return Face("white", CORNERS.get(second, second), first)


FACES = {kind: face(kind) for kind in KINDS}


def hide(position: Position, seat: int) -> dict[str, Any]:
    """Nobody sees face-down cards and play decks, nor a flip that the other seat has not answered yet (WTW-2)."""
    shown = len(position["face_up"][1])
    return {
        **position,
        "decks": [hidden(deck) for deck in position["decks"]],
        "face_down": [hidden(cards) for cards in position["face_down"]],
        "face_up": [[*cards[:shown], *hidden(cards[shown:])] for cards in position["face_up"]],
        "legal": position["legal"] if seat == position["actor"] else [],
    }


def lay_out(position: Position) -> Scene:
    seats = [
        place(
            laid=[[card] for card in position["face_up"][seat]],
            piles=[
                pile("play deck", position["decks"][seat]),
                pile("score pile", position["score_piles"][seat]),
                pile("face down", position["face_down"][seat]),
            ],
        )
        for seat in range(PLAYERS)
    ]
    return scene(seats, [], notes=["war"] if position["phase"] == "war" else [])


def tell(before: Position | None, action: str | None, after: Position) -> list[Event]:
    if before is None:
        return [Event(f"seat {after['dealer']} deals {NUM_KINDS // PLAYERS} cards to each seat", "WTW-1")]
    seat = before["actor"]
    told = [flipped(before, seat)]
    if after["shuffles"] > before["shuffles"]:
        told.insert(0, Event(f"seat {seat} shuffles its score pile into a new play deck", "WTW-7"))
    if seat == 1:
        told += decided(before, after)
    if after["truncated"]:
        told.append(Event("the episode is cut off", "WTW-11"))
    return told


def flipped(before: Position, seat: int) -> Event:
    if before["phase"] == "battle":
        return Event(f"seat {seat} flips a card", "WTW-2")
    held = sum(len(before[cards][seat]) for cards in ("decks", "score_piles"))
    if held > FACE_DOWN:
        return Event(f"seat {seat} lays three cards face down and one face up", "WTW-6")
    return Event(f"seat {seat} lays its last {held} cards" if held > 1 else f"seat {seat} lays its last card", "WTW-8")


def decided(before: Position, after: Position) -> list[Event]:
    """Who has won the cards on the table, or that there is war."""
    up = [cards[-1] if cards else HIDDEN for cards in after["face_up"]]
    if all(after["face_up"]):
        tie = f"{plain(up[0])} against {plain(up[1])}"
        if not after["terminated"]:
            return [Event(f"{tie}: war", "WTW-4" if up[0].startswith("wild") else "WTW-3")]
        return [Event(f"{tie}: war, but not everybody has a card left", "WTW-9"), *won(after, "WTW-9")]
    winner = 0 if len(after["score_piles"][0]) > len(before["score_piles"][0]) else 1
    held = [] if winner == 1 and after["shuffles"] > before["shuffles"] else before["score_piles"][winner]
    cards = [plain(card) for card in after["score_piles"][winner] if card not in held]
    told = [Event(f"seat {winner} wins {listed(cards)}", "WTW-5")]
    return told + won(after, "WTW-10") if after["terminated"] else told


def won(after: Position, rule: str) -> list[Event]:
    if len(after["winners"]) == PLAYERS:
        return [Event("the game is drawn", rule)]
    return [Event(f"seat {after['winners'][0]} wins the game", rule)]


PORTRAYAL = Portrayal(FACES, lay_out, tell, hide)
