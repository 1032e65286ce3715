"""A card table as a picture (pygame), and the window that shows it. Needs no display but for the window."""

import os
from collections.abc import Mapping, Sequence
from functools import cache
from math import cos, pi, sin
from typing import Any

import numpy as np

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from cardenvs.core.game import Game
from cardenvs.core.portrayal import HIDDEN, Face
from cardenvs.render.look import ICONS, ink_of, rgb

WIDTH, HEIGHT, PANEL = 1280, 800, 340  # pixels; the panel with words is on the right
SMOOTH = 2  # everything is drawn so many times as large, and scaled down
BACK = Face("back", "")
MIDDLE = ((WIDTH - PANEL) / 2, HEIGHT / 2)
REACH = (345.0, 300.0)  # from the middle of the table to the seats
CARD_RATIO = 0.68
MOST_CARDS = 26  # of a fan; more are shown by kind, with their numbers

Point = tuple[float, float]
Color = tuple[int, int, int]


def to_array(game: Game, view: Mapping[str, Any]) -> Any:
    """A view (`cardenvs.render.views`) as uint8 (HEIGHT, WIDTH, 3)."""
    return np.ascontiguousarray(pygame.surfarray.array3d(draw(game, view)).transpose(1, 0, 2))


def draw(game: Game, view: Mapping[str, Any]) -> pygame.Surface:
    """A view as a surface of WIDTH × HEIGHT."""
    canvas = Canvas(game)
    canvas.table()
    places = seat_places(len(view["seats"]), view["viewer"])
    canvas.middle(view["middle"])
    for seat in view["seats"]:
        canvas.seat(seat, places[seat["seat"]], view)
    if view["middle"]["arrow"]:
        canvas.arrow(view["middle"]["arrow"], places)
    canvas.panel(view)
    return pygame.transform.smoothscale(canvas.surface, (WIDTH, HEIGHT))


def seat_places(num_players: int, viewer: int | None) -> list[Point]:
    """Where each seat is, in pixels: the viewer, or seat 0, at the bottom, the others clockwise from there."""
    first, places = viewer or 0, []
    for seat in range(num_players):
        angle = 2 * pi * ((seat - first) % num_players) / num_players
        places.append((MIDDLE[0] - REACH[0] * sin(angle), MIDDLE[1] - 12 + REACH[1] * cos(angle)))
    return places


class Canvas:
    """A surface that is drawn on in the final picture's pixels."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.surface = pygame.Surface((WIDTH * SMOOTH, HEIGHT * SMOOTH))

    # --- shapes -------------------------------------------------------------------------------------------------------

    def polygon(self, points: Sequence[Point], color: Color) -> None:
        pygame.draw.polygon(self.surface, color, [(x * SMOOTH, y * SMOOTH) for x, y in points])

    def circle(self, center: Point, radius: float, color: Color, width: float = 0) -> None:
        x, y = center
        pygame.draw.circle(self.surface, color, (x * SMOOTH, y * SMOOTH), radius * SMOOTH, round(width * SMOOTH))

    def box(self, left: float, top: float, width: float, height: float, color: Color, line: float = 0) -> None:
        area = pygame.Rect(*(round(n * SMOOTH) for n in (left, top, width, height)))
        radius = round(min(9, height / 2) * SMOOTH)
        pygame.draw.rect(self.surface, color, area, round(line * SMOOTH), border_radius=radius)

    def text(self, words: str, at: Point, size: int, color: str, anchor: str = "midleft") -> float:
        """Write a line; returns its width."""
        written = font(size * SMOOTH).render(words, True, rgb(color))
        area = written.get_rect(**{anchor: (round(at[0] * SMOOTH), round(at[1] * SMOOTH))})
        self.surface.blit(written, area)
        return area.width / SMOOTH

    def card(self, kind: str, center: Point, height: float, angle: float = 0.0) -> None:
        face = BACK if kind == HIDDEN else self.game.portrayal.faces[kind]
        drawn = card_surface(face, round(height * SMOOTH), round(angle, 1))
        self.surface.blit(drawn, drawn.get_rect(center=(round(center[0] * SMOOTH), round(center[1] * SMOOTH))))

    # --- the table ----------------------------------------------------------------------------------------------------

    def table(self) -> None:
        self.surface.fill(rgb("felt_edge"))
        area = pygame.Rect(0, 0, (WIDTH - PANEL - 24) * SMOOTH, (HEIGHT - 24) * SMOOTH)
        area.center = (round(MIDDLE[0] * SMOOTH), round(MIDDLE[1] * SMOOTH))
        pygame.draw.rect(self.surface, rgb("felt"), area, border_radius=210 * SMOOTH)

    def middle(self, middle: Mapping[str, Any]) -> None:
        """Piles side by side, the called color around them, the direction of play around that."""
        x, y = MIDDLE[0], MIDDLE[1] - 12
        if middle["direction"]:
            self.direction(middle["direction"], (x, y), 122)
        if middle["color"]:
            self.circle((x, y), 106, rgb(middle["color"]), 7)
        gap = 92
        for i, pile in enumerate(middle["piles"]):
            self.pile(pile, (x + (i - (len(middle["piles"]) - 1) / 2) * gap, y - 6), 96)
        lines = [*middle["notes"], *([f"color: {middle['color']}"] if middle["color"] else [])]
        for i, line in enumerate(lines):
            below = 84 if middle["piles"] else 0
            self.text(line, (x, y + below + 18 * i), 17, "paper", "center")

    def pile(self, pile: Mapping[str, Any], center: Point, height: float) -> None:
        x, y = center
        if pile["count"]:
            for depth in range(min(3, pile["count"] - 1), 0, -1):
                self.card(HIDDEN, (x + 2 * depth, y + 2 * depth), height)
            self.card(pile["top"] or HIDDEN, center, height)
        else:
            self.box(x - height * CARD_RATIO / 2, y - height / 2, height * CARD_RATIO, height, rgb("felt_edge"), 2)
        self.text(f"{pile['name']} {pile['count']}", (x, y + height / 2 + 13), 14, "paper", "center")

    def direction(self, direction: int, center: Point, radius: float) -> None:
        """Two arcs with heads: clockwise is left from the bottom, as seats are."""
        for start in (0.0, pi):
            first, last = start + 0.3, start + pi - 0.3
            angles = [first + (last - first) * step / 30 for step in range(31)]
            outer = [on_circle(center, radius + 3, a) for a in angles]
            self.polygon([*outer, *(on_circle(center, radius - 3, a) for a in reversed(angles))], rgb("accent"))
            end = last if direction > 0 else first
            along = end + direction * pi / 2
            tip = on_circle(on_circle(center, radius, end), 16, along)
            base = [on_circle(on_circle(center, radius + side, end), -2, along) for side in (-11, 11)]
            self.polygon([tip, *base], rgb("accent"))

    # --- seats --------------------------------------------------------------------------------------------------------

    def seat(self, seat: Mapping[str, Any], place: Point, view: Mapping[str, Any]) -> None:
        """A fan of cards, what is laid and piled beside it, and a plate with words under it."""
        players = len(view["seats"])
        is_viewer = seat["seat"] == view["viewer"]
        height = (116 if is_viewer else 92) if players <= 4 else 84 if players <= 6 else 72
        width = (470 if abs(place[0] - MIDDLE[0]) < 1 else 205) if players <= 4 else 225 if players <= 6 else 200
        x, y = place
        cards = [kind for kind, n in seat["hand"].items() for _ in range(n)]
        piles = [pile for pile in seat["piles"] if pile["count"]]
        if len(cards) > MOST_CARDS and HIDDEN not in seat["hand"]:
            self.counted(seat["hand"], (x, y), width, height)
        elif cards:
            self.fan(cards, (x, y), width, height)
        for i, pile in enumerate(piles):
            self.pile(pile, (x + (i - (len(piles) - 1) / 2) * 96, y - 10), 84)
        self.laid(seat["laid"], place, height, 0.62 if cards else 1.0)
        self.plate(seat, (x, y + height / 2 + (13 if players > 6 else 18)), view)

    def laid(self, groups: Sequence[Sequence[str]], place: Point, height: float, scale: float) -> None:
        """What lies face up before a seat, on its side of the middle."""
        size = height * scale
        before = 1 if place[1] < MIDDLE[1] else -1
        y = place[1] + before * (height / 2 + size / 2 + (44 if before > 0 else 26))
        for i, group in enumerate(groups):
            x = place[0] + (i - (len(groups) - 1) / 2) * size * 0.95
            for depth in range(len(group) - 1, -1, -1):
                self.card(group[depth], (x + 4 * depth, y - 3 * depth), size)

    def fan(self, cards: Sequence[str], center: Point, width: float, height: float) -> None:
        card_width = height * CARD_RATIO
        step = min(card_width * 0.62, (width - card_width) / max(1, len(cards) - 1))
        spread = min(15.0, 2.2 * len(cards))
        for i, kind in enumerate(cards):
            part = (i / (len(cards) - 1) - 0.5) * 2 if len(cards) > 1 else 0.0
            x = center[0] + (i - (len(cards) - 1) / 2) * step
            self.card(kind, (x, center[1] + abs(part) ** 2 * spread * height / 420), height, -part * spread)

    def counted(self, hand: Mapping[str, int], center: Point, width: float, height: float) -> None:
        """Each kind once, with how many there are: for hands that are too large to fan."""
        card_width = height * CARD_RATIO
        step = min(card_width * 1.05, (width - card_width) / max(1, len(hand) - 1))
        for i, (kind, n) in enumerate(hand.items()):
            x = center[0] + (i - (len(hand) - 1) / 2) * step
            self.card(kind, (x, center[1]), height)
            if n > 1:
                self.circle((x + card_width / 2 - 8, center[1] - height / 2 + 8), 11, rgb("accent"))
                self.text(str(n), (x + card_width / 2 - 8, center[1] - height / 2 + 9), 15, "ink", "center")

    def plate(self, seat: Mapping[str, Any], at: Point, view: Mapping[str, Any]) -> None:
        """Name, cards, points and remarks; bright for who is asked."""
        is_asked = seat["seat"] == view["actor"]
        parts = [seat["name"] or f"seat {seat['seat']}"]
        if seat["hand"]:
            parts.append(f"{seat['count']} card{'' if seat['count'] == 1 else 's'}")
        if seat["score"] is not None:
            parts.append(f"{seat['score']} pts")
        parts += [mark for mark in seat["marks"] if mark != "to act"]
        ink = "ink" if is_asked or "won" in seat["marks"] else "paper"
        size = 15 if len(view["seats"]) > 6 else 17
        words = " · ".join(parts)
        width = font(size * SMOOTH).size(words)[0] / SMOOTH + 22
        ground = rgb("accent") if ink == "ink" else rgb("felt_edge")
        self.box(at[0] - width / 2, at[1] - 12, width, 24, ground)
        self.text(words, (at[0], at[1] + 1), size, ink, "center")
        if seat["notes"]:
            self.text(", ".join(seat["notes"]), (at[0], at[1] + 21), 14, "accent", "center")

    def arrow(self, arrow: Mapping[str, Any], places: Sequence[Point]) -> None:
        """From whose penalty it is to whom it is to hit."""
        start, end = (toward(places[arrow[who]], MIDDLE, 0.34) for who in ("origin", "target"))
        length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
        dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        neck = (end[0] - 26 * dx, end[1] - 26 * dy)
        for grow, color in ((3.0, "black"), (0.0, "accent")):
            side = 6 + grow
            body = [
                (p[0] + s * side * dy, p[1] - s * side * dx)
                for p, s in ((start, 1), (neck, 1), (neck, -1), (start, -1))
            ]
            self.polygon(body, rgb(color))
            wing = 17 + 1.6 * grow
            tip = (end[0] + grow * 1.6 * dx, end[1] + grow * 1.6 * dy)
            base = (neck[0] - grow * dx, neck[1] - grow * dy)
            self.polygon(
                [tip, (base[0] + wing * dy, base[1] - wing * dx), (base[0] - wing * dy, base[1] + wing * dx)],
                rgb(color),
            )
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        width = font(16 * SMOOTH).size(arrow["label"])[0] / SMOOTH + 20
        self.box(middle[0] - width / 2, middle[1] - 13, width, 26, rgb("accent"))
        self.text(arrow["label"], (middle[0], middle[1] + 1), 16, "ink", "center")

    # --- words --------------------------------------------------------------------------------------------------------

    def panel(self, view: Mapping[str, Any]) -> None:
        """What is going on, what may be done and what has happened, newest last."""
        left, bottom = WIDTH - PANEL, HEIGHT - 16
        self.box(left, 0, PANEL + 20, HEIGHT, rgb("paper"))
        left += 18
        self.text(view["title"], (left, 30), 30, "ink")
        self.text(view["status"], (left, 58), 16, "muted")
        y = self.lines(view["question"], (left, 90), 18, "ink")
        if view["legal"]:
            y = self.lines(", ".join(view["legal"]), (left, y + 2), 16, "blue")
        for line, rule in self.newest(view["events"], bottom - y - 30):
            bottom -= 18
            self.text(line, (left, bottom), 15, "ink")
            self.text(rule, (WIDTH - 14, bottom), 13, "muted", "midright")

    def lines(self, words: str, at: Point, size: int, color: str) -> float:
        """Write a paragraph; returns where the next begins."""
        x, y = at
        for line in wrapped(words, size, PANEL - 36):
            self.text(line, (x, y), size, color)
            y += size + 3
        return y + 4

    def newest(self, events: Sequence[Sequence[str]], room: float) -> list[tuple[str, str]]:
        """Lines that fit, newest first: of each event its lines from last to first, its rule beside the first."""
        found: list[tuple[str, str]] = []
        for text, rule in reversed(events):
            lines = wrapped(text, 15, PANEL - 90)
            found += [(line, rule if i == 0 else "") for i, line in reversed(list(enumerate(lines)))]
            if 18 * len(found) > room:
                return found[: int(room / 18)]
        return found


def on_circle(center: Point, radius: float, angle: float) -> Point:
    return center[0] + radius * cos(angle), center[1] + radius * sin(angle)


def toward(point: Point, goal: Point, share: float) -> Point:
    """A point on the way from one to another."""
    return point[0] + (goal[0] - point[0]) * share, point[1] + (goal[1] - point[1]) * share


def wrapped(words: str, size: int, width: float) -> list[str]:
    """Words in lines of at most `width` pixels."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if font(size * SMOOTH).size(longer)[0] <= width * SMOOTH:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@cache
def font(size: int) -> pygame.font.Font:
    """pygame's own font, which looks alike everywhere."""
    pygame.font.init()
    return pygame.font.Font(None, size)


@cache
def card_surface(face: Face, height: int, angle: float) -> pygame.Surface:
    """A card, turned by so many degrees anticlockwise; its corners are transparent."""
    if angle:
        return pygame.transform.rotozoom(card_surface(face, height, 0.0), angle, 1.0)
    width, radius = round(height * CARD_RATIO), height // 10
    card = pygame.Surface((width, height), pygame.SRCALPHA)
    pygame.draw.rect(card, rgb("ink"), card.get_rect(), border_radius=radius)
    pygame.draw.rect(card, rgb("white"), card.get_rect().inflate(-2, -2), border_radius=radius)
    rim = height // 22 * 2
    inner = card.get_rect().inflate(-rim, -rim)
    pygame.draw.rect(card, rgb(face.color), inner, border_radius=max(1, radius - rim // 3))
    if face is BACK:
        draw_back(card, inner)
    else:
        draw_face(card, face, height)
    return card


def draw_back(card: pygame.Surface, inner: pygame.Rect) -> None:
    """Diagonal lines."""
    pattern = pygame.Surface(card.get_size(), pygame.SRCALPHA)
    for start in range(-card.get_height(), card.get_width(), max(6, card.get_height() // 11)):
        end = (start + card.get_height(), card.get_height())
        pygame.draw.line(pattern, (*rgb("paper"), 60), (start, 0), end, max(1, card.get_height() // 60))
    card.blit(pattern, inner, inner)


def draw_face(card: pygame.Surface, face: Face, height: int) -> None:
    """Corners, and the icon or the corner's text in the middle."""
    ink, width = ink_of(face.color), card.get_width()
    center = (width / 2, height / 2)
    if face.icon:
        draw_icon(card, face.icon, center, width * (0.62 if face.corner else 0.74), ink)
    else:
        big = font(round(height * (0.5 if len(face.corner) < 3 else 0.38))).render(face.corner, True, rgb(ink))
        card.blit(big, big.get_rect(center=center))
    corner = pygame.Surface((width, height), pygame.SRCALPHA)
    if face.corner:
        small = font(round(height * 0.24)).render(face.corner, True, rgb(ink))
        corner.blit(small, (height * 0.075, height * 0.065))
    else:
        draw_icon(corner, face.icon, (height * 0.16, height * 0.15), height * 0.17, ink)
    card.blit(corner, (0, 0))
    card.blit(pygame.transform.rotate(corner, 180), (0, 0))


def draw_icon(card: pygame.Surface, icon: str, center: Point, size: float, ink: str) -> None:
    for shape in ICONS[icon]:
        points = [(center[0] + (x - 0.5) * size, center[1] + (y - 0.5) * size) for x, y in shape.points]
        pygame.draw.polygon(card, rgb(ink if shape.color == "ink" else shape.color), points)


class Window:
    """A window that shows pictures, opened by the first; a copy of it is not open."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._screen: pygame.Surface | None = None
        self._clock = pygame.time.Clock()

    def __reduce__(self) -> tuple[Any, ...]:
        return Window, (self._title,)

    def show(self, picture: pygame.Surface, rate: float) -> None:
        """Show a picture, at most so many a second."""
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode((WIDTH, HEIGHT))
        self._screen.blit(picture, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(rate)

    def close(self) -> None:
        if self._screen is not None:
            pygame.display.quit()
            self._screen = None
