"""How Twice the Fun is shown to people (`cardenvs.core.portrayal`); rule numbers are those of RULES.md."""

from collections.abc import Callable
from typing import Any

from cardenvs.core.portrayal import (
    HIDDEN,
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
    seats_between,
    seats_in_words,
    target_of,
)
from cardenvs.games.twice_the_fun.layout import COLORS, HAND, NUMBERS

DRAWN = {"draw_3": 3, "draw_1": 1}
PENALTY_FACES = {
    "double_trouble": ("×2", "gift"),
    "lose_your_turn": ("", "skip"),
    "draw_3": ("+3", ""),
    "draw_1": ("+1", ""),
}
FACES = {
    **{f"{color}_{n}": Face(color, str(n)) for color in COLORS for n in range(1, NUMBERS + 1)},
    **{f"{color}_{penalty}": Face(color, *face) for penalty, face in PENALTY_FACES.items() for color in COLORS},
    "boomerang": Face("black", "", "boomerang"),
    "ricochet": Face("black", "", "ricochet"),
    "double_exchange": Face("black", "", "swap"),
}


def lay_out(position: Position) -> Scene:
    seats = [
        place(hand, notes=[f"misses {n} turn{'s' if n > 1 else ''}"] if n else [])
        for hand, n in zip(position["hands"], position["missed_turns"], strict=True)
    ]
    return scene(seats, both_piles(position), color=position["color"], arrow=arrow(position))


def arrow(position: Position) -> dict[str, Any] | None:
    """A penalty that is under way."""
    pending = position["penalty"]
    if not pending:
        return None
    label = plain(pending["kind"])
    if pending["sender"] != pending["origin"]:
        label += f", sent on by seat {pending['sender']}"
    if position["to_give"]:
        label += f", {position['to_give']} to give"
    return {"origin": pending["origin"], "target": pending["target"], "label": label}


def is_secret(position: Position, seat: int) -> bool:
    """A card that is given is seen by who gives it and who gets it alone."""
    return position["phase"] == "give" and seat not in (position["actor"], position["penalty"]["target"])


def tell(before: Position | None, action: str | None, after: Position) -> list[Event]:
    if before is None:
        return dealt(after)
    told = TELL[before["phase"]](before, str(action), after) + penalty_told(before, str(action), after)
    if is_shuffled(before, after):
        told.append(Event("the discard pile is shuffled into a new draw pile", "TTF-8"))
    if goes_on(before, after):
        return told + turn_passed(before, after) + endings(before, after, "TTF-21", "TTF-22", "TTF-23")
    winner = after["round_points"].index(0)
    told.append(Event(f"seat {winner} has no cards left and wins the round", "TTF-20"))
    told += endings(before, after, "TTF-21", "TTF-22", "TTF-23")
    return told if after["terminated"] else told + dealt(after)


def dealt(after: Position) -> list[Event]:
    """The deal, and the first discard, which counts as laid by the dealer if it is a penalty card."""
    dealer, card = after["dealer"], after["discard_pile"][-1]
    told = [
        Event(f"seat {dealer} deals {HAND} cards to each seat", "TTF-1"),
        Event(f"the first discard is {plain(card)}", "TTF-2"),
    ]
    if (kind := penalty_of(card)) is None:
        return told
    target = (dealer + 1) % after["num_players"]
    told.append(Event(f"it counts as laid by seat {dealer} on seat {target}", "TTF-3"))
    return told + landed(kind, dealer, target, None, after)


# --- what was chosen --------------------------------------------------------------------------------------------------


def played(before: Position, action: str, after: Position) -> list[Event]:
    seat = before["actor"]
    if action != "draw":
        return [Event(f"seat {seat} lays {plain(action)}", "TTF-5")]
    if not goes_on(before, after):
        return [Event(f"seat {seat} draws a card", "TTF-7")]
    if is_laid_from_pile(before, after):
        return [Event(f"seat {seat} draws {plain(after['discard_pile'][0])} and lays it", "TTF-7")]
    cards = came(before, after, seat)
    if not cards:
        return [Event(f"seat {seat} would draw, but no card is left", "TTF-8")]
    return [Event(f"seat {seat} draws {in_words(cards)}, and cannot lay it", "TTF-7")]


def is_laid_from_pile(before: Position, after: Position) -> bool:
    """Whether a drawn card has gone to the discard pile, which may have been shuffled first."""
    grown = 1 if after["shuffles"] > before["shuffles"] else len(before["discard_pile"])
    return len(after["discard_pile"]) > grown


def aimed(before: Position, action: str, after: Position) -> list[Event]:
    seat, card = before["actor"], before["discard_pile"][0]
    target = target_of(seat, action, before["num_players"])
    if card == "double_exchange":
        return [Event(f"seat {seat} and seat {target} swap hands", "TTF-18")]
    if card == "ricochet":
        return [Event(f"seat {seat} sends the penalty on to seat {target}", "TTF-14")]
    return [Event(f"seat {seat} aims {plain(penalty_of(card) or card)} at seat {target}", "TTF-11")]


def called(before: Position, action: str, after: Position) -> list[Event]:
    seat, card = before["actor"], before["discard_pile"][0]
    told = [Event(f"seat {seat} calls {action.removeprefix('color_')}", "TTF-9")]
    if card == "double_exchange" and before["num_players"] == 2:
        told.append(Event("the two swap hands", "TTF-18"))
    return told


def reacted(before: Position, action: str, after: Position) -> list[Event]:
    seat = before["actor"]
    if action == "accept":
        return [Event(f"seat {seat} accepts it", "TTF-12")]
    return [Event(f"seat {seat} answers with a {action}", "TTF-12")]


def gave(before: Position, action: str, after: Position) -> list[Event]:
    card = "a card" if action == HIDDEN else plain(action)
    return [Event(f"seat {before['actor']} gives {card} to seat {before['penalty']['target']}", "TTF-16")]


def exchanged(before: Position, action: str, after: Position) -> list[Event]:
    seat = before["actor"]
    if action == "decline":
        return [Event(f"seat {seat} keeps its new hand", "TTF-18")]
    target = target_of(seat, action, before["num_players"])
    return [Event(f"seat {seat} swaps its new hand with seat {target}", "TTF-18")]


# --- what came of it --------------------------------------------------------------------------------------------------


def penalty_of(card: str) -> str | None:
    """The penalty of a penalty card."""
    _, _, penalty = card.partition("_")
    return penalty if penalty in PENALTY_FACES else None


def penalty_told(before: Position, action: str, after: Position) -> list[Event]:
    """Where a penalty has gone in this step, and what it did if nobody can answer it."""
    pending, actor = before["penalty"], before["actor"]
    if before["phase"] == "react" and action == "accept":
        return landed(pending["kind"], giver(pending), pending["target"], before, after)
    target = new_target(before, action, after)
    if target is None:
        return []
    if pending is None:
        kind = penalty_of(laid_card(before, action, after))
        return landed(kind, actor, target, before, after) if kind else []
    sent = {"origin": pending["origin"], "target": target, "sender": actor}
    if before["phase"] == "target":
        return landed(pending["kind"], giver(sent), target, before, after)
    card = action if before["phase"] == "react" else before["discard_pile"][0]
    goes = Event(f"the penalty goes to seat {target}", "TTF-13" if card == "boomerang" else "TTF-14")
    return [goes, *landed(pending["kind"], giver(sent), target, before, after)]


def laid_card(before: Position, action: str, after: Position) -> str:
    """The card whose penalty this step is about."""
    if before["phase"] != "play":
        return str(before["discard_pile"][0])
    if action != "draw":
        return action
    return str(after["discard_pile"][0]) if goes_on(before, after) and is_laid_from_pile(before, after) else ""


def new_target(before: Position, action: str, after: Position) -> int | None:
    """The seat that a penalty is aimed at, or sent on to, by this step; None if none is, or it is yet to be named."""
    pending, actor, players = before["penalty"], before["actor"], before["num_players"]
    if before["phase"] == "target" and before["discard_pile"][0] != "double_exchange":
        return target_of(actor, action, players)
    last = before["phase"] in ("play", "react") and sum(before["hands"][actor].values()) == 1 and action != "draw"
    if before["phase"] == "color" or (before["phase"] == "react" and last):
        card = before["discard_pile"][0] if before["phase"] == "color" else action
        if pending and pending["kind"] not in DRAWN and last:
            return None
        if pending and card == "boomerang":
            return int(pending["origin"] if pending["origin"] != pending["target"] else pending["sender"])
        return 1 - actor if pending and players == 2 else None
    if before["phase"] == "play" and players == 2:
        kind = penalty_of(laid_card(before, action, after))
        return 1 - actor if kind and (not last or kind in DRAWN) else None
    return None


def giver(pending: dict[str, Any]) -> int:
    """Who gives in a Double Trouble (TTF-16)."""
    return int(pending["origin"] if pending["origin"] != pending["target"] else pending["sender"])


def landed(kind: str, from_seat: int, target: int, before: Position | None, after: Position) -> list[Event]:
    """What a penalty does to its target, or that the target can answer it."""
    same = before is None or before["round"] == after["round"]
    if same and after["phase"] == "react" and after["penalty"]:
        return [Event(f"seat {target} can answer", "TTF-12")]
    if kind in DRAWN:
        rule = "TTF-11" if before is None or goes_on(before, after) else "TTF-20"
        return [Event(f"seat {target} draws {drew(kind, target, before, after)}", rule)]
    if kind == "lose_your_turn":
        return [Event(f"seat {target} is to miss its next turn", "TTF-11")]
    if same and after["phase"] == "give":
        return [Event(f"seat {from_seat} is to give two cards to seat {target}", "TTF-16")]
    return [Event(f"seat {from_seat} gives all its cards to seat {target}", "TTF-16")]


def drew(kind: str, target: int, before: Position | None, after: Position) -> str:
    """The cards that a penalty made its target draw, as far as they are seen."""
    if before is None or before["round"] != after["round"]:
        return in_words({HIDDEN: DRAWN[kind]})
    cards = came(before, after, target)
    return in_words(cards) if cards else "nothing"


def turn_passed(before: Position, after: Position) -> list[Event]:
    """Who misses its turn now that it has passed on."""
    if after["phase"] != "play":
        return []
    missed = seats_between(before["turn"], after["turn"], after["num_players"])
    misses = "misses its turn" if len(missed) == 1 else "miss their turns"
    return [Event(f"{seats_in_words(missed)} {misses}", "TTF-11")] if missed else []


TELL: dict[str, Callable[[Position, str, Position], list[Event]]] = {
    "play": played,
    "target": aimed,
    "color": called,
    "react": reacted,
    "give": gave,
    "exchange": exchanged,
}
PORTRAYAL = Portrayal(FACES, lay_out, tell, hide_cards, is_secret)
