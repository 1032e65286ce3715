"""What cards look like: colors by name, and icons as shapes in a unit square, for whatever draws them."""

from math import cos, pi, sin
from typing import Any, NamedTuple

Point = tuple[float, float]

COLORS = {
    "red": "#c8372d",
    "blue": "#2f6fb7",
    "green": "#3a8f4d",
    "gold": "#d99a1c",
    "purple": "#7a4ea3",
    "black": "#2b2f36",
    "white": "#fbfaf5",
    "felt": "#1f5b4a",
    "felt_edge": "#174437",
    "back": "#3d4a63",
    "ink": "#22262c",
    "paper": "#f4f1e8",
    "muted": "#8a8f98",
    "accent": "#f2b632",
}


class Shape(NamedTuple):
    """A filled polygon, y downwards from the top left; `color` by name, "ink" for that of the card's symbols."""

    points: tuple[Point, ...]
    color: str = "ink"


def circle(x: float, y: float, radius: float, color: str = "ink", first: float = 0, last: float = 2 * pi) -> Shape:
    """A disc, or a sector of one between two angles, clockwise from the right."""
    steps = max(6, int(40 * (last - first) / (2 * pi)))
    angles = [first + (last - first) * step / steps for step in range(steps + 1)]
    rim = tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)
    return Shape(rim if last - first >= 2 * pi else ((x, y), *rim), color)


def arc(x: float, y: float, radius: float, width: float, first: float, last: float, color: str = "ink") -> Shape:
    """A part of a ring."""
    steps = 24
    angles = [first + (last - first) * step / steps for step in range(steps + 1)]
    outer = [(x + radius * cos(a), y + radius * sin(a)) for a in angles]
    inner = [(x + (radius - width) * cos(a), y + (radius - width) * sin(a)) for a in reversed(angles)]
    return Shape((*outer, *inner), color)


def arrow_head(x: float, y: float, angle: float, size: float, color: str = "ink") -> Shape:
    """A triangle whose tip is at (x, y) and points along `angle`."""
    sides = [(x + size * cos(angle + turn), y + size * sin(angle + turn)) for turn in (0.86 * pi, -0.86 * pi)]
    return Shape(((x, y), *sides), color)


def bar(x0: float, y0: float, x1: float, y1: float, width: float, color: str = "ink") -> Shape:
    """A thick line."""
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    dx, dy = (y1 - y0) / length * width / 2, (x0 - x1) / length * width / 2
    return Shape(((x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)), color)


def mirrored(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """Shapes with themselves turned by half a turn."""
    turned = tuple(Shape(tuple((1 - x, 1 - y) for x, y in shape.points), shape.color) for shape in shapes)
    return (*shapes, *turned)


def heart(color: str) -> tuple[Shape, ...]:
    return (
        circle(0.34, 0.38, 0.2, color),
        circle(0.66, 0.38, 0.2, color),
        Shape(((0.17, 0.48), (0.5, 0.88), (0.83, 0.48), (0.66, 0.3), (0.5, 0.42), (0.34, 0.3)), color),
    )


def spade(color: str) -> tuple[Shape, ...]:
    return (
        circle(0.34, 0.55, 0.19, color),
        circle(0.66, 0.55, 0.19, color),
        Shape(((0.16, 0.5), (0.5, 0.1), (0.84, 0.5), (0.66, 0.7), (0.5, 0.6), (0.34, 0.7)), color),
        Shape(((0.5, 0.5), (0.62, 0.88), (0.38, 0.88)), color),
    )


def club(color: str) -> tuple[Shape, ...]:
    return (
        circle(0.5, 0.3, 0.18, color),
        circle(0.31, 0.56, 0.18, color),
        circle(0.69, 0.56, 0.18, color),
        Shape(((0.5, 0.35), (0.62, 0.88), (0.38, 0.88)), color),
    )


ICONS: dict[str, tuple[Shape, ...]] = {
    "heart": heart("red"),
    "diamond": (Shape(((0.5, 0.1), (0.8, 0.5), (0.5, 0.9), (0.2, 0.5)), "red"),),
    "spade": spade("ink"),
    "club": club("ink"),
    "red_disc": (circle(0.5, 0.5, 0.36, "white"), circle(0.5, 0.5, 0.31, "red")),
    "black_disc": (circle(0.5, 0.5, 0.36, "white"), circle(0.5, 0.5, 0.31, "black")),
    "pinwheel": tuple(
        circle(0.5, 0.5, 0.42, color, first=quarter * pi / 2, last=(quarter + 1) * pi / 2)
        for quarter, color in enumerate(("green", "blue", "red", "gold"))
    ),
    "skip": (arc(0.5, 0.5, 0.4, 0.1, 0, 2 * pi), bar(0.24, 0.76, 0.76, 0.24, 0.1)),
    "reverse": mirrored(
        (bar(0.3, 0.75, 0.3, 0.32, 0.13), arrow_head(0.3, 0.1, -pi / 2, 0.3)),
    ),
    "swap": mirrored((arc(0.5, 0.5, 0.38, 0.11, pi, 1.8 * pi), arrow_head(0.93, 0.5, pi / 2.4, 0.3))),
    "target": (
        arc(0.5, 0.5, 0.4, 0.08, 0, 2 * pi),
        arc(0.5, 0.5, 0.22, 0.08, 0, 2 * pi),
        circle(0.5, 0.5, 0.06),
    ),
    "gift": (
        Shape(((0.2, 0.2), (0.52, 0.2), (0.52, 0.66), (0.2, 0.66)), "ink"),
        Shape(((0.44, 0.3), (0.82, 0.3), (0.82, 0.84), (0.44, 0.84)), "white"),
        Shape(((0.48, 0.34), (0.78, 0.34), (0.78, 0.8), (0.48, 0.8)), "ink"),
    ),
    "boomerang": (
        bar(0.16, 0.84, 0.36, 0.32, 0.17, "gold"),
        bar(0.36, 0.32, 0.86, 0.18, 0.17, "gold"),
        circle(0.36, 0.32, 0.085, "gold"),
        circle(0.16, 0.84, 0.085, "gold"),
        circle(0.86, 0.18, 0.085, "gold"),
    ),
    "ricochet": (
        bar(0.12, 0.3, 0.42, 0.78, 0.1, "gold"),
        bar(0.42, 0.78, 0.66, 0.36, 0.1, "gold"),
        arrow_head(0.84, 0.08, -pi / 3, 0.36, "gold"),
        bar(0.2, 0.86, 0.8, 0.86, 0.08, "white"),
    ),
    "upside_down": (
        circle(0.5, 0.5, 0.4, "white"),
        circle(0.36, 0.62, 0.06, "green"),
        circle(0.64, 0.62, 0.06, "green"),
        arc(0.5, 0.5, 0.26, 0.07, 1.15 * pi, 1.85 * pi, "green"),
    ),
}


def rgb(color: str) -> tuple[int, int, int]:
    """A color of `COLORS` as red, green and blue, 0 to 255."""
    code = COLORS[color].lstrip("#")
    red, green, blue = (int(code[i : i + 2], 16) for i in (0, 2, 4))
    return red, green, blue


def ink_of(ground: str) -> str:
    """The color of symbols on a card of that color."""
    return "black" if ground == "white" else "white"


def svg_icon(icon: str, ink: str) -> str:
    """An icon as SVG, 1 × 1, with what is in "ink" in that color."""

    def polygon(shape: Shape) -> str:
        points = " ".join(f"{x:.3f},{y:.3f}" for x, y in shape.points)
        return f'<polygon points="{points}" fill="{COLORS[ink if shape.color == "ink" else shape.color]}"/>'

    return "".join(polygon(shape) for shape in ICONS[icon])


def palette() -> dict[str, Any]:
    """All colors, for a page's style."""
    return {f"--{name.replace('_', '-')}": code for name, code in COLORS.items()}
