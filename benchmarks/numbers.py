"""Numbers as tables show them."""

import statistics


def in_words(values: list[float]) -> str:
    """The median, and the range if there is one."""
    median, low, high = (shorten(value) for value in (statistics.median(values), min(values), max(values)))
    return median if low == high else f"{median} ({low} to {high})"


def shorten(value: float) -> str:
    """Three digits."""
    if value >= 1e6:
        return f"{value / 1e6:,.3g} M"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"
