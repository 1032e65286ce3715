"""What a check is, what comes of it, and how that is told."""

import logging
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from pettingzoo.utils.env_logger import EnvLogger

Check = Callable[[Any], None]


class FaultError(Exception):
    """What a check found."""


class SkipError(Exception):
    """Why a check cannot be made here."""


@dataclass(frozen=True)
class Result:
    """What came of a check: `outcome` is ``"passed"``, ``"failed"`` or ``"skipped"``, and `found` says why."""

    name: str
    outcome: str
    expected: str
    found: str
    fix: str


class ConformanceError(AssertionError):
    """What an environment does not keep; `results` has an entry for every check that was made or skipped."""

    def __init__(self, results: list[Result]) -> None:
        self.results = results
        self.failures = [result for result in results if result.outcome == "failed"]
        super().__init__("\n".join(["", *map(explain, self.failures)]))


def check(fix: str) -> Callable[[Check], Check]:
    """Make a function a check: its name names it, its docstring is what is expected, `fix` says how to get there."""

    def mark(function: Check) -> Check:
        function.fix = fix  # type: ignore[attr-defined]  # a function may bear attributes
        return function

    return mark


def found(what: str) -> NoReturn:
    raise FaultError(what)


def skip(why: str) -> NoReturn:
    raise SkipError(why)


def run(checks: Iterable[Check], kit: Any) -> list[Result]:
    """Make all checks, whatever comes of any of them."""
    return [_run_one(each, kit) for each in checks]


def _run_one(each: Check, kit: Any) -> Result:
    outcome, what = "passed", ""
    try:
        with quiet():
            each(kit)
    except SkipError as reason:
        outcome, what = "skipped", str(reason)
    except FaultError as fault:
        outcome, what = "failed", str(fault)
    except Exception as error:  # whatever an environment raises where it should not is what was found
        last = traceback.extract_tb(error.__traceback__)[-1]
        outcome, what = "failed", f"{type(error).__name__} in {last.name}, line {last.lineno}: {error}"
    expected = " ".join((each.__doc__ or each.__name__).split())
    return Result(each.__name__, outcome, expected, what, each.fix)  # type: ignore[attr-defined]  # see `check`


@contextmanager
def quiet() -> Iterator[None]:
    """Without warnings of environments, PettingZoo's logger included, which are provoked by the thousand."""
    logger = EnvLogger.get_logger()
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def raise_failures(results: list[Result]) -> list[Result]:
    """The results, if nothing failed, else a `ConformanceError`."""
    if any(result.outcome == "failed" for result in results):
        raise ConformanceError(results)
    return results


def explain(result: Result) -> str:
    lines = (f"expected: {result.expected}", f"found:    {result.found}", f"fix:      {result.fix}")
    return "\n    ".join((result.name, *lines))


def table(results: list[Result]) -> str:
    """All results as lines, then the failures in full."""
    width = max(len(result.name) for result in results)
    lines = [
        f"{result.outcome:<8} {result.name:<{width}}  {result.found if result.outcome == 'skipped' else ''}".rstrip()
        for result in results
    ]
    failures = [explain(result) for result in results if result.outcome == "failed"]
    total = f"{len(results)} checks, {len(failures)} failed"
    return "\n".join([*lines, "", *failures, total] if failures else [*lines, total])
