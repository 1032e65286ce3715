"""How UNO All Wild is shown to people (`cardenvs.core.portrayal`); rule numbers are those of RULES.md."""

from collections.abc import Callable

from cardenvs.core.portrayal import (
    Event,
    Face,
    Portrayal,
    Position,
    Scene,
    both_piles,
    came,
    endings,
    goes_on,
    hide_cards,
    in_words,
    is_shuffled,
    place,
    plain,
    scene,
    seats_in_words,
    target_of,
)
from cardenvs.games.uno_all_wild.layout import HAND

FACES = {
    "wild": Face("black", "", "pinwheel"),
    "reverse": Face("black", "", "reverse"),
    "skip": Face("black", "", "skip"),
    "double_skip": Face("black", "×2", "skip"),
    "draw_two": Face("black", "+2"),
    "draw_four": Face("black", "+4"),
    "targeted_draw_two": Face("black", "+2", "target"),
    "forced_swap": Face("black", "", "swap"),
}
DRAWN = {"draw_two": 2, "draw_four": 4}
SKIPPED = {"skip": 1, "draw_two": 1, "draw_four": 1, "double_skip": 2}


def lay_out(position: Position) -> Scene:
    seats = [place(hand, notes=notes_of(position, seat)) for seat, hand in enumerate(position["hands"])]
    return scene(seats, both_piles(position), direction=position["direction"])


def notes_of(position: Position, seat: int) -> list[str]:
    if position["silent"] == seat:
        return ["stayed silent"]
    return ["has to say UNO"] if seat in position["to_declare"] else []


def tell(before: Position | None, action: str | None, after: Position) -> list[Event]:
    if before is None:
        return dealt(after)
    told = TELL[before["phase"]](before, str(action), after)
    if is_shuffled(before, after):
        told.append(Event("the discard pile is shuffled into a new draw pile", "UAW-8"))
    if goes_on(before, after):
        return told + turn_passed(before["turn"], after) + endings(before, after, "UAW-14", "UAW-15", "UAW-16")
    told.append(Event(f"seat {before['turn']} has played its last card and wins the round", "UAW-13"))
    told += endings(before, after, "UAW-14", "UAW-15", "UAW-16")
    return told if after["terminated"] else told + dealt(after)


def dealt(after: Position) -> list[Event]:
    """The deal, and the first discard, which happens as if the dealer had played it."""
    dealer, card = after["dealer"], after["discard_pile"][-1]
    told = [
        Event(f"seat {dealer} deals {HAND} cards to each seat", "UAW-1"),
        Event(f"the first discard is {plain(card)}", "UAW-1"),
    ]
    for seat, hand in enumerate(after["hands"]):
        if sum(hand.values()) > HAND:
            told.append(Event(f"seat {seat} draws {sum(hand.values()) - HAND} cards", "UAW-2"))
    if after["direction"] < 0:
        told.append(Event("play goes counter-clockwise", "UAW-2"))
    if after["phase"] == "play":
        told.append(Event(f"seat {after['turn']} begins", "UAW-3"))  # past seats that it skips, if it does
    return told


def played(before: Position, action: str, after: Position) -> list[Event]:
    seat = before["actor"]
    if action != "draw":
        return [Event(f"seat {seat} plays {plain(action)}", "UAW-4"), *effect(before, action, after)]
    if not goes_on(before, after) and not after["terminated"]:
        return [Event(f"seat {seat} draws a card and plays it", "UAW-5")]
    card = after["discard_pile"][0]
    return [Event(f"seat {seat} draws {plain(card)} and plays it", "UAW-5"), *effect(before, card, after)]


def effect(before: Position, card: str, after: Position) -> list[Event]:
    """What a card does at once; a target is still to be chosen where there is a choice."""
    seat, players = before["turn"], before["num_players"]
    following = (seat + before["direction"]) % players
    if card in DRAWN:
        return [drew(before, following, after, DRAWN[card], "UAW-4")]
    if card == "reverse" and goes_on(before, after):
        way = "clockwise" if after["direction"] > 0 else "counter-clockwise"
        return [Event(f"play goes {way}", "UAW-4")]
    return hit(before, card, 1 - seat, after) if players == 2 else []


def hit(before: Position, card: str, target: int, after: Position) -> list[Event]:
    """What a card does to its target."""
    if card == "targeted_draw_two":
        return [drew(before, target, after, 2, "UAW-4")]
    if card == "forced_swap" and goes_on(before, after):
        return [Event(f"seat {before['turn']} and seat {target} swap hands", "UAW-4")]
    return []


def drew(before: Position, seat: int, after: Position, count: int, rule: str) -> Event:
    if before["round"] != after["round"]:
        return Event(f"seat {seat} draws {count} cards", rule)
    cards = came(before, after, seat)
    return Event(f"seat {seat} draws {in_words(cards) if cards else 'nothing'}", rule)


def aimed(before: Position, action: str, after: Position) -> list[Event]:
    target = target_of(before["actor"], action, before["num_players"])
    card = before["discard_pile"][0]
    told = Event(f"seat {before['actor']} aims {plain(card)} at seat {target}", "UAW-4")
    return [told, *hit(before, card, target, after)]


def declared(before: Position, action: str, after: Position) -> list[Event]:
    says = "says UNO" if action == "say_uno" else "stays silent"
    return [Event(f"seat {before['actor']} {says}", "UAW-11")]


def caught(before: Position, action: str, after: Position) -> list[Event]:
    seat, silent = before["actor"], before["silent"]
    if action == "let_go":
        return [Event(f"seat {seat} lets seat {silent} go", "UAW-11")]
    return [Event(f"seat {seat} catches seat {silent}", "UAW-11"), drew(before, silent, after, 2, "UAW-11")]


def turn_passed(seat: int, after: Position) -> list[Event]:
    """Who loses a turn now that it has passed on."""
    players, card = after["num_players"], after["discard_pile"][0]
    if after["phase"] != "play":
        return []
    count = 1 if card == "reverse" and players == 2 else SKIPPED.get(card, 0)
    skipped = [(seat + after["direction"] * step) % players for step in range(1, count + 1)]
    if not skipped:
        return []
    lose = "loses its turn" if len(skipped) == 1 else "lose their turn"
    return [Event(f"{seats_in_words(skipped)} {lose}", "UAW-7" if card == "reverse" else "UAW-6")]


TELL: dict[str, Callable[[Position, str, Position], list[Event]]] = {
    "play": played,
    "target": aimed,
    "declare": declared,
    "catch": caught,
}
PORTRAYAL = Portrayal(FACES, lay_out, tell, hide_cards)
