"""Our own games, as `BatchGame`."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cardenvs.engine.batch import BatchGame
from cardenvs.testing.play import BatchPlay, Kit, canonical, trace
from cardenvs.testing.report import Result, check, found, raise_failures, run
from cardenvs.testing.shared import SHARED

ROWS = 3


@check("Observe by the seat given, and write nothing but the observation.")
def every_seat_can_be_observed_at_any_time(kit: Kit) -> None:
    """observe(seat) is float32 in [-1, 1] for every seat, asked or not, at the end too, and changes nothing."""
    for step, play in enumerate(kit.decisions()):
        game = play.env
        before = canonical([game[row].snapshot() for row in range(len(game))]) if step % 10 == 0 else None
        for seat in range(game.num_players):
            seen = game.observe(seat)
            if seen.dtype != np.float32 or seen.shape != (len(game), game.observation_size) or abs(seen).max() > 1:
                found(f"after {step} steps, observe({seat}) is {seen.dtype} {seen.shape}, at most {abs(seen).max()}")
        if before is not None and canonical([game[row].snapshot() for row in range(len(game))]) != before:
            found(f"after {step} steps, observing changed the game")


@check("Pay all seats in the step that settles the matter.")
def rewards_sum_to_zero(kit: Kit) -> None:
    """The rewards of all seats sum to zero at every step."""
    for step, play in enumerate(kit.decisions()):
        totals = play.env.rewards.sum(axis=1)
        if abs(totals).max() > 1e-4:
            found(f"the rewards of step {step} sum to {totals.tolist()}")


@check("Take the rows' own records, keys, masks and stacks with them.")
def an_item_is_a_copy_of_its_row(kit: Kit) -> None:
    """games[i] shows what row i shows, and stepping it leaves the row as it is."""
    for play in kit.decisions(min(kit.steps, 20)):
        for row in range(len(play.env)):
            item, before = play.env[row], canonical(play.env[row].snapshot())
            if not np.array_equal(item.observe()[0], play.env.observe()[row]):
                found(f"games[{row}] observes what row {row} does not")
            trace(BatchPlay(item), kit.rng(), 3)
            if canonical(play.env[row].snapshot()) != before:
                found(f"playing on in games[{row}] changed row {row}")


BATCH_CHECKS = (
    *SHARED,
    every_seat_can_be_observed_at_any_time,
    rewards_sum_to_zero,
    an_item_is_a_copy_of_its_row,
)


def check_batch(
    game: str | Callable[..., Any],
    *,
    seed: int = 0,
    steps: int = 200,
    **options: Any,
) -> list[Result]:
    """Make every check on one of our games, in batches of three.

    Parameters
    ----------
    game
        Its name, or a function of `BatchGame`'s parameters that makes one.
    seed
        Of the games and of the choices.
    steps
        How many decisions each check plays.
    **options
        Of the game.

    Returns
    -------
    list of Result
        What passed and what was skipped.

    Raises
    ------
    ConformanceError
        If anything failed: names all failures, what was expected and what was found, and how to fix it.
    """
    make = partial(BatchGame, game) if isinstance(game, str) else game
    make = partial(make, num_games=ROWS, seed=seed, **options)
    return raise_failures(run(BATCH_CHECKS, Kit(make, BatchPlay, seed=seed, steps=steps, cap="max_decisions")))
