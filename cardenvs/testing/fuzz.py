"""Random play with every invariant compiled in: ``python -m cardenvs.testing fuzz --decisions 1e9``.

Tables, each a game with options drawn by lot, are numbered, and each table's games follow from its number and the seed:
so a fault names what brings it about again, and a long run can be stopped and gone on with.
"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

import numpy as np

from cardenvs import games
from cardenvs.core.arguments import Arguments
from cardenvs.core.errors import OptionError, choose
from cardenvs.core.game import REWARDS, Game, new_states, resolve_options
from cardenvs.core.invariants import FAULTS, SOUND
from cardenvs.core.state import new_records
from cardenvs.engine.checked import play
from cardenvs.engine.kernels import NO_ACTION

DECISIONS_A_TABLE = 200_000
TABLES_AT_ONCE = 64
REPORT_SECONDS = 10


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FuzzTable:
    """A game with its options, and where its random numbers begin."""

    number: int
    game: str
    options: dict[str, Any]
    seed: int

    def start(self) -> tuple[Any, ...]:
        """The arguments of `play`, from the deal on, but for the number of decisions and the noise."""
        game = games.get(self.game)
        options = resolve_options(game, self.options)
        states = new_states(game, options, 1)
        states["key"] = self.random_bits()[0]
        size = game.observation_size(options.num_players)
        mask = np.zeros(len(game.actions(options.num_players)), np.bool_)
        seen, seen_there = np.zeros(size, np.float32), np.zeros(size, np.float32)
        work, counts = new_records(game.view_record, 1), np.zeros(len(game.kinds), np.int64)
        return states, states.copy(), work, mask, counts, seen, seen_there, len(game.policies)

    def random_bits(self) -> Any:
        """uint64 (2,): for the cards and for the choices."""
        return np.random.SeedSequence([self.seed, self.number]).generate_state(2, np.uint64)

    def play(self, decisions: int) -> tuple[int, int, int, Any]:
        """The fault, the number of decisions taken, the last of them, and the record then."""
        arguments = self.start()
        fault, taken, action = play(*arguments, decisions, self.random_bits()[1])
        return int(fault), int(taken), int(action), arguments[0]


def game_at(number: int) -> str:
    return list(games.VERSIONS)[number % len(games.VERSIONS)]


def table(number: int, seed: int = 0) -> FuzzTable:
    """The table of that number; the games take turns."""
    name = game_at(number)
    return FuzzTable(number, name, draw_options(games.get(name), np.random.default_rng([seed, number])), seed)


def draw_options(game: Game, rng: np.random.Generator) -> dict[str, Any]:
    """Options by lot: each is left at its default half of the time."""
    fewest, most = game.players
    options: dict[str, Any] = {"num_players": int(rng.integers(fewest, most + 1))}
    drawn: dict[str, Any] = {
        "episode": rng.choice(list(game.max_decisions)),
        "reward": rng.choice(REWARDS),
        "max_decisions": rng.choice([1, 7, 40, 300, 5000]),
        **{name: rng.choice(switch.choices) for name, switch in game.switches.items()},
    }
    if game.target_score is not None:
        drawn["target_score"] = rng.choice([1, 20, 100, 1000])
    if game.deck_sizes is not None:
        drawn["deck"] = draw_deck(game, game.deck_sizes(options["num_players"]), rng)
    for name, value in drawn.items():
        if rng.random() < 0.5:
            options[name] = value.item() if hasattr(value, "item") else value
    return options


def draw_deck(game: Game, sizes: tuple[int, int], rng: np.random.Generator) -> dict[str, int]:
    """Copies of few kinds or many, of hardly enough cards half of the time."""
    fewest, most = sizes
    cards = rng.integers(fewest, min(fewest + 10, most) + 1) if rng.random() < 0.5 else rng.integers(fewest, most + 1)
    chosen = rng.choice(len(game.kinds), rng.integers(1, len(game.kinds) + 1), replace=False)
    copies = np.zeros(len(game.kinds), int)
    copies[chosen] = rng.multinomial(cards, np.full(len(chosen), 1 / len(chosen)))
    return dict(zip(game.kinds, copies.tolist(), strict=True))


# --- runs -------------------------------------------------------------------------------------------------------------


class FuzzError(AssertionError):
    """An invariant that does not hold: says which, and how to come to it again."""


def fuzz_table(at: FuzzTable, decisions: int) -> int:
    """Play at a table; returns how many decisions were taken, and raises a `FuzzError` for the first fault."""
    fault, taken, action, _ = at.play(decisions)
    if fault != SOUND:
        raise FuzzError(explain(at, fault, taken, action))
    return taken


def explain(at: FuzzTable, fault: int, taken: int, action: int) -> str:
    """A fault with what led to it."""
    names = dict(enumerate(games.get(at.game).actions(at.options["num_players"]))) | {NO_ACTION: "a deal"}
    told = names.get(action, f"action {action}, which there is not")
    lines = [
        f"{at.game}: {FAULTS[fault]}",
        f"table {at.number} of seed {at.seed}: {at.options}",
        f"after decision {taken}, {told}",
        f"again: cardenvs.testing.fuzz.table({at.number}, {at.seed}).play({taken + 1})",
    ]
    return "\n    ".join(lines)


def fuzz(
    decisions: int, names: Sequence[str] = tuple(games.VERSIONS), seed: int = 0, first: int = 0, threads: int = 1
) -> Iterator[tuple[int, int]]:
    """Play at table after table, from number `first` on: (its number, decisions taken in all) for each, in order.

    Raises
    ------
    FuzzError
        For the first fault.
    OptionError
        If there is no such game.
    """
    wanted = {choose("game", name, games.VERSIONS) for name in names}
    numbers = (number for number in count(first) if game_at(number) in wanted)
    left = -(-decisions // DECISIONS_A_TABLE)

    def play_table(number: int) -> int:
        return fuzz_table(table(number, seed), DECISIONS_A_TABLE)

    total = 0
    with ThreadPoolExecutor(threads) as pool:
        while left > 0:
            chosen = list(islice(numbers, min(left, TABLES_AT_ONCE)))
            left -= len(chosen)
            for number, taken in zip(chosen, pool.map(play_table, chosen), strict=True):
                total += taken
                yield number, total


def main(arguments: Sequence[str]) -> int:
    parser = Arguments("cardenvs.testing fuzz", __doc__)
    parser.add_argument("games", nargs="*", metavar="game", help="all by default")
    parser.add_argument("--decisions", type=float, default=1e7, help="how many to take, as 1e9")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the table to begin with")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    names = given.games or list(games.VERSIONS)
    began, said, number, total = time.monotonic(), 0.0, given.first - 1, 0
    try:
        for number, total in fuzz(int(given.decisions), names, given.seed, given.first, given.threads):
            seconds = time.monotonic() - began
            if seconds - said > REPORT_SECONDS:
                said = seconds
                left = (given.decisions - total) * seconds / total
                print(
                    f"table {number}: {total:,} decisions, {total / seconds:,.0f}/s, {left:,.0f} s left",
                    file=sys.stderr,
                )
    except (FuzzError, OptionError) as error:
        print(error)
        return 1
    except KeyboardInterrupt:
        print(f"stopped; go on with --first {number + 1}", file=sys.stderr)
    print(f"{total:,} decisions at tables {given.first} to {number} of seed {given.seed}: no fault")
    return 0
