"""A replay as one page of HTML that needs nothing else: no network, no other file."""

import json
from functools import cache
from importlib import resources
from typing import Any

from cardenvs import games
from cardenvs.core.game import Game
from cardenvs.core.portrayal import Face, action_in_words, plain
from cardenvs.games.rulebook import rules_of
from cardenvs.render.journal import Step, tell_step
from cardenvs.render.look import ink_of, palette, svg_icon
from cardenvs.render.views import view_of
from cardenvs.replay.files import Replay

PLACE = "/*data*/"  # where the template takes the data


def to_html(replay: Replay) -> str:
    """The page: steps forwards and back, open or as a seat sees it, with the rules by which things happen."""
    data = json.dumps(page_data(replay), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return template().replace(PLACE, data)


@cache
def template() -> str:
    return resources.files("cardenvs.replay").joinpath("page.html").read_text(encoding="utf-8")


def page_data(replay: Replay) -> dict[str, Any]:
    """All that the page shows.

    ``parts`` holds every part of a view once, as views repeat most of them. A step's ``views``, the open one first and
    then that of each seat, are lists of numbers of parts: of each seat, then of the middle, of the legal actions and of
    the events; 0 stands for the part that the same view had there a step before.
    """
    game = games.get(replay.header["game"])
    positions = [replay.start, *(decision["snapshot"] for decision in replay.decisions)]
    parts: dict[str, int] = {"null": 0}
    shown = [step_of(game, replay, positions, number, parts) for number in range(len(positions))]
    return {
        "title": game.title,
        "players": replay.header["num_players"],
        "names": replay.header.get("agents") or [],
        "colors": palette(),
        "rules": rules_of(game.name),
        **faces_of(game),
        "parts": [json.loads(part) for part in parts],
        "steps": [
            {**step, "views": changed(step, before)} for step, before in zip(shown, [None, *shown], strict=False)
        ],
        "end": end_of(positions[-1]),
    }


def step_of(
    game: Game, replay: Replay, positions: list[dict[str, Any]], number: int, parts: dict[str, int]
) -> dict[str, Any]:
    """A position: what all see, what was decided to get there, and the views of it by the numbers of their parts."""
    decision = replay.decisions[number - 1] if number else None
    before, after = positions[number - 1] if number else None, positions[number]
    step = Step(before, decision["name"] if decision else None, after)
    views = [view_of(game, after, seat, tell_step(game, step, seat)) for seat in (None, *range(after["num_players"]))]
    what_all_see = {key: views[0][key] for key in ("status", "question", "actor")}
    marks = [seat["marks"] for seat in views[0]["seats"]]
    return {
        **what_all_see,
        "marks": marks,
        **({"decided": decided(before, decision)} if before and decision else {}),
        "views": [numbered(view, parts) for view in views],
    }


def numbered(view: dict[str, Any], parts: dict[str, int]) -> list[int]:
    """The parts of a view, by their numbers."""
    kept = ("hand", "count", "laid", "piles", "notes", "score")
    seats = [{key: seat[key] for key in kept if seat[key] not in ([], {}, None)} for seat in view["seats"]]
    told = [*seats, view["middle"], view["legal"], view["events"]]
    return [parts.setdefault(json.dumps(part, ensure_ascii=False), len(parts)) for part in told]


def changed(step: dict[str, Any], before: dict[str, Any] | None) -> list[list[int]]:
    """The views of a step, with 0 for what is as it was a step before."""
    if before is None:
        return list(step["views"])
    return [
        [0 if now == then else now for now, then in zip(view, old, strict=True)]
        for view, old in zip(step["views"], before["views"], strict=True)
    ]


def decided(before: dict[str, Any], decision: dict[str, Any]) -> dict[str, Any]:
    """What a seat chose, and what was remarked of that."""
    told = {"seat": before["actor"], "action": action_in_words(decision["name"], before)}
    if "probabilities" in decision:
        told["probabilities"] = {action_in_words(name, before): p for name, p in decision["probabilities"].items()}
    return told | ({"value": decision["value"]} if "value" in decision else {})


def end_of(position: dict[str, Any]) -> dict[str, Any] | None:
    """Who won, and the points of the last round and of the match; None if it is not over."""
    if not (position["terminated"] or position["truncated"]):
        return None
    scores = position["scores"] if position["episode"] == "match" else None
    return {"winners": position["winners"] or [], "points": position["round_points"], "scores": scores}


def faces_of(game: Game) -> dict[str, Any]:
    """Cards by kind: colors, what stands in the corner, and the name of an icon, each a drawing in a unit square."""
    faces = {kind: face_data(face, kind) for kind, face in game.portrayal.faces.items()}
    icons = {faces[kind]["icon"]: face for kind, face in game.portrayal.faces.items() if face.icon}
    return {"faces": faces, "icons": {name: svg_icon(face.icon, ink_of(face.color)) for name, face in icons.items()}}


def face_data(face: Face, kind: str) -> dict[str, str]:
    ink = ink_of(face.color)
    icon = f"{face.icon}-{ink}" if face.icon else ""
    return {"name": plain(kind), "color": face.color, "ink": ink, "corner": face.corner, "icon": icon}
