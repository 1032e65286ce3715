"""A replay as one page of HTML that needs nothing else: no network, no other file."""

import json
from functools import cache
from importlib import resources
from typing import Any

from cardenvs import games
from cardenvs.core.game import Game
from cardenvs.core.portrayal import Face, plain
from cardenvs.games.rulebook import rules_of
from cardenvs.render.journal import Step, tell_step
from cardenvs.render.look import ink_of, palette, svg_icon
from cardenvs.render.views import view_of
from cardenvs.replay.files import Replay

PLACE = "/*data*/"  # where the template takes the data


def to_html(replay: Replay) -> str:
    """The page: steps forwards and back, open or as a seat sees it, with the rules by which things happen."""
    data = json.dumps(page_data(replay), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return template().replace(PLACE, data)


@cache
def template() -> str:
    return resources.files("cardenvs.replay").joinpath("page.html").read_text(encoding="utf-8")


def page_data(replay: Replay) -> dict[str, Any]:
    """All that the page shows.

    ``parts`` holds every part of a view once, as views repeat most of them; ``steps`` name theirs by number, the
    open view first and then that of each seat: ``views[v]`` is ``{"view": n, "seats": [n, …], "middle": n}``.
    """
    game = games.get(replay.header["game"])
    names = replay.header.get("agents") or []
    parts: dict[str, int] = {}
    positions = [replay.start, *(decision["snapshot"] for decision in replay.decisions)]
    steps = []
    for number, position in enumerate(positions):
        decision = replay.decisions[number - 1] if number else None
        before = positions[number - 1] if number else None
        step = Step(before, decision["name"] if decision else None, position)
        steps.append({"views": views_of(game, step, names, parts), **remarks_of(before, decision)})
    return {
        "title": game.title,
        "players": replay.header["num_players"],
        "names": names,
        "colors": palette(),
        "rules": rules_of(game.name),
        "faces": {kind: face_data(face, kind) for kind, face in game.portrayal.faces.items()},
        "parts": [json.loads(part) for part in parts],
        "steps": steps,
    }


def views_of(game: Game, step: Step, names: list[str], parts: dict[str, int]) -> list[dict[str, Any]]:
    """The views of one step, by the numbers of their parts."""

    def number(part: Any) -> int:
        return parts.setdefault(json.dumps(part, ensure_ascii=False), len(parts))

    views = []
    for viewer in (None, *range(step.after["num_players"])):
        view = view_of(game, step.after, viewer, tell_step(game, step, viewer), names)
        seats, middle = view.pop("seats"), view.pop("middle")
        views.append({"view": number(view), "seats": [number(seat) for seat in seats], "middle": number(middle)})
    return views


def remarks_of(before: dict[str, Any] | None, decision: dict[str, Any] | None) -> dict[str, Any]:
    """What was remarked of the decision that led to a step, and whose it was."""
    if before is None or decision is None:
        return {}
    told = {key: decision[key] for key in ("probabilities", "value") if key in decision}
    return {"by": before["actor"], "action": decision["name"]} | told


def face_data(face: Face, kind: str) -> dict[str, str]:
    """A card's colors and corner, and its icon as SVG in a unit square."""
    ink = ink_of(face.color)
    icon = svg_icon(face.icon, ink) if face.icon else ""
    return {"name": plain(kind), "color": face.color, "ink": ink, "corner": face.corner, "icon": icon}
