"""Check an environment: ``python -m cardenvs.testing pettingzoo.classic.tictactoe_v3``.

What to check is a game of ours (`uno_all_wild`), a Gymnasium id (`cardenvs/UnoAllWild-v0`, `module:Id-v0`), a
PettingZoo module with a function `env`, or `module:function`, which makes an environment; then its options, as
``num_players=4``. ``fuzz`` plays all games at random instead: ``python -m cardenvs.testing fuzz --help``.
"""

import argparse
import ast
import importlib
import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv

from cardenvs import games
from cardenvs.core.arguments import Arguments, run_main
from cardenvs.engine.batch import BatchGame
from cardenvs.testing import ConformanceError, Result, check_aec, check_batch, check_gymnasium, check_vector, fuzz
from cardenvs.testing.report import table
from cardenvs.testing.vector import make_vector


def checks_of(what: str, options: dict[str, Any]) -> list[tuple[str, Callable[..., list[Result]], Any]]:
    """What to call on what, with the name of the face."""
    if what in games.VERSIONS:
        return [("batch", check_batch, partial(BatchGame, what, **options))]
    if re.search(r"-v\d+$", what):
        gymnasium.make(what, **options).close()
        single, many = partial(gymnasium.make, what, **options), partial(make_vector, what, **options)
        return [("gymnasium", check_gymnasium, single), ("vector", check_vector, many)]
    module, _, function = what.partition(":")
    make = partial(getattr(importlib.import_module(module), function or "env"), **options)
    made = make()
    for kind, face, checked in (
        (AECEnv, "aec", check_aec),
        (VectorEnv, "vector", check_vector),
        (gymnasium.Env, "gymnasium", check_gymnasium),
    ):
        if isinstance(made, kind):
            return [(face, checked, make)]
    raise SystemExit(f"{what} makes a {type(made).__name__}: it must be an AECEnv, a gymnasium.Env or a VectorEnv.")


def settings_for(face: str, given: argparse.Namespace) -> dict[str, Any]:
    """The parameters of that face's check."""
    settings = {"seed": given.seed, "steps": given.steps}
    if face != "batch":
        settings["cap"] = given.cap
    if face == "aec":
        settings["zero_sum"] = given.zero_sum
    if face == "gymnasium":
        settings["predict_steps"] = given.predict_steps
    return settings


def as_option(text: str) -> tuple[str, Any]:
    """A name and a value, which is a Python literal or else a string."""
    name, _, value = text.partition("=")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def main() -> int:
    if sys.argv[1:2] == ["fuzz"]:
        return fuzz.main(sys.argv[2:])
    parser = Arguments("cardenvs.testing", __doc__)
    parser.add_argument("what")
    parser.add_argument("options", nargs="*", type=as_option, metavar="name=value")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=200, help="decisions that each check plays")
    parser.add_argument("--cap", help="the option that caps the decisions of an episode")
    parser.add_argument("--zero-sum", action="store_true", help="whether rewards should sum to zero")
    parser.add_argument("--predict-steps", type=int, default=100_000, help="steps by MaskablePPO's predictions")
    given = parser.parse_args()
    sys.path.insert(0, "")
    failed = False
    for face, checked, make in checks_of(given.what, dict(given.options)):
        try:
            results = checked(make, **settings_for(face, given))
        except ConformanceError as error:
            results, failed = error.results, True
        print(f"{given.what} ({face})\n{table(results)}\n", flush=True)
    return int(failed)


if __name__ == "__main__":
    run_main(main)
