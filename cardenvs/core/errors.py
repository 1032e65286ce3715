"""What can go wrong, as types. All are `ValueError`s whose message names what was wrong and what is allowed."""

import operator
from collections.abc import Iterable
from difflib import get_close_matches


class OptionError(ValueError):
    """An option, or a name in one, that the game does not have or cannot take."""


class ShuffleError(ValueError):
    """A stacked shuffle that is not exactly the cards being shuffled."""


class IllegalActionError(ValueError):
    """An action that is not legal for the actor in its phase; nothing has changed."""


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """A sentence, after a space, that names the nearest of these; nothing if none is near."""
    near = get_close_matches(given, list(names), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def choose(what: str, given: object, allowed: Iterable[str]) -> str:
    """`given` if it is one of `allowed`, else an `OptionError` that names the nearest."""
    names = list(allowed)
    if isinstance(given, str) and given in names:
        return given
    hint = did_you_mean(str(given), names)
    raise OptionError(f"{what} {given!r} is unknown: it must be one of {', '.join(names)}.{hint}")


def require_int(what: str, given: object, low: int, high: int | None = None) -> int:
    """`given` as an int in [low, high], else an `OptionError`."""
    allowed = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    try:
        number = operator.index(given)  # type: ignore[arg-type]  # that it may not be one is the point
    except TypeError:
        raise OptionError(f"{what} is {given!r}: it must be {allowed}.") from None
    if isinstance(given, bool) or number < low or (high is not None and number > high):
        raise OptionError(f"{what} is {given!r}: it must be {allowed}.")
    return number
