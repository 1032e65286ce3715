"""How The Twits are shown to people (`cardenvs.core.portrayal`); rule numbers are those of RULES.md."""

from cardenvs.core.portrayal import (
    Event,
    Face,
    Portrayal,
    Position,
    Scene,
    came,
    endings,
    goes_on,
    hide_cards,
    in_words,
    pile,
    place,
    plain,
    scene,
    seats_in_words,
)
from cardenvs.games.twits.layout import HAND, SET, SETS

FACES = {
    "plus_10": Face("gold", "+10"),
    "plus_5": Face("gold", "+5"),
    **{f"minus_{n}": Face("purple", f"−{n}") for n in range(1, 8)},
    "upside_down": Face("green", "", "upside_down"),
}


def lay_out(position: Position) -> Scene:
    seats = [
        place(hand, laid=[[kind] * SET for kind in banked])
        for hand, banked in zip(position["hands"], position["banked"], strict=True)
    ]
    notes = ["the last turn"] if position["last_turn"] else []
    return scene(seats, [pile("draw pile", position["draw_pile"])], notes=notes)


def is_secret(position: Position, seat: int) -> bool:
    """A card that is passed on is seen by who passes it and who gets it alone (TWT-5)."""
    giver = position["actor"]
    return position["phase"] == "pass" and seat not in (giver, (giver + 1) % position["num_players"])


def tell(before: Position | None, action: str | None, after: Position) -> list[Event]:
    if before is None:
        return dealt(after)
    told = chosen(before, str(action))
    if goes_on(before, after):
        passed = (action,) if before["phase"] == "pass" else ()
        return told + drawn(before, after, passed) + endings(before, after, "TWT-9", "TWT-10", "TWT-11")
    told += round_ended(before, action)
    if after["terminated"] and after["episode"] == "round":
        win = "wins" if len(after["winners"]) == 1 else "share"
        told.append(Event(f"{seats_in_words(after['winners'])} {win} the round", "TWT-10"))
    told += endings(before, after, "TWT-9", "TWT-10", "TWT-11")
    return told if after["terminated"] else told + dealt(after)


def dealt(after: Position) -> list[Event]:
    """The deal, and the draws up to the first decision."""
    told = [Event(f"seat {after['dealer']} deals {HAND} cards to each seat", "TWT-1")]
    return [*told, Event(f"seat {after['turn']} draws a card", "TWT-2")]


def chosen(before: Position, action: str) -> list[Event]:
    seat = before["actor"]
    if before["phase"] == "pass":
        card = plain(action) if action in FACES else "a card"
        return [Event(f"seat {seat} passes {card} to seat {(seat + 1) % before['num_players']}", "TWT-5")]
    if action == "decline":
        return [Event(f"seat {seat} banks nothing", "TWT-3")]
    return [Event(f"seat {seat} banks three {plain(action)}", "TWT-3")]


def drawn(before: Position, after: Position, passed: tuple[str | None, ...]) -> list[Event]:
    """The draws of the turns that begin, and the last turn, which has none."""
    players, told = before["num_players"], []
    for step in range(1, len(before["draw_pile"]) - len(after["draw_pile"]) + 1):
        seat = (before["turn"] + step) % players
        cards = came(before, after, seat, [str(card) for card in passed] if step == 1 else ())
        told.append(Event(f"seat {seat} draws {in_words(cards)}", "TWT-2"))
        if seat != after["turn"]:
            told.append(Event(f"seat {seat} has no card that it could pass on", "TWT-5"))
    if after["last_turn"] and not before["last_turn"]:
        told.append(Event(f"the draw pile is empty: seat {after['turn']} has the last turn", "TWT-6"))
    return told


def round_ended(before: Position, action: str | None) -> list[Event]:
    """Why it has."""
    seat = before["actor"]
    banks = before["phase"] == "bank" and action != "decline"
    if banks and len(before["banked"][seat]) == SETS - 1 and not before["last_turn"]:
        return [Event(f"that was the third set of seat {seat}: the round ends", "TWT-4")]
    return [Event("the last turn is over: the round ends", "TWT-6")]


PORTRAYAL = Portrayal(FACES, lay_out, tell, hide_cards, is_secret)
