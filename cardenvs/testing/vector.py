"""Gymnasium's vector environments."""

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from cardenvs.testing.play import Kit, VectorPlay, canonical, choose, masks, misfit
from cardenvs.testing.report import Result, check, found, raise_failures, run, skip
from cardenvs.testing.shared import SHARED

NUM_ENVS = 3


def make_vector(name: str, autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any) -> Any:
    """Three environments of a Gymnasium id, as one."""
    mode = {"autoreset_mode": autoreset_mode}
    native = gymnasium.spec(name).vector_entry_point is not None
    more: dict[str, Any] = mode if native else {"vector_kwargs": mode}
    return gymnasium.make_vec(name, num_envs=NUM_ENVS, **more, **options)


def begin_in(kit: Kit, mode: AutoresetMode) -> VectorPlay:
    """A new environment in that autoreset mode, made as it comes if that is its own."""
    play = VectorPlay(kit.make())
    if play.mode != mode:
        try:
            play = VectorPlay(kit.make(autoreset_mode=mode))
        except TypeError:
            skip(f"what makes the environment takes no autoreset_mode, and makes it in {play.mode.value}")
    play.reset(kit.seed)
    return play


def ends_in(kit: Kit, mode: AutoresetMode) -> Iterator[tuple[VectorPlay, Any, np.random.Generator]]:
    """A game in that mode whenever rows have just ended, bool (N,); skips the check if none ever does.

    In all modes a row makes the same choices to its first end: they hang on the step and the mask alone.
    """
    play, rng, ended = begin_in(kit, mode), kit.rng(), False
    for _ in range(kit.steps):
        before = play.over() & ~play.live()
        play.step(choose(masks(play), rng))
        over = play.over() & ~before
        if over.any():
            ended = True
            yield play, over, rng
    if not ended:
        skip("no episode ended within the steps played")


@check("In the step after the end, ignore the action, reset the row, and return reward 0 and no end.")
def next_step_autoreset_deals_in_the_step_after(kit: Kit) -> None:
    """In NEXT_STEP mode a row's step after its end is a reset: no reward, no end, and legal actions."""
    for play, over, rng in ends_in(kit, AutoresetMode.NEXT_STEP):
        play.step(choose(masks(play), rng))
        if play.rewards[over].any() or play.over()[over].any():
            found(f"the step after the end has rewards {play.rewards[over]} and ends {play.over()[over]}")
        if not masks(play)[over].any(axis=1).all():
            found("the step after the end shows no legal actions of the new episode")


@check("Put the last observation and info of the rows that end into final_obs and final_info, before dealing anew.")
def same_step_autoreset_tells_what_was_last(kit: Kit) -> None:
    """In SAME_STEP mode final_obs and final_info tell, of the rows that end, what NEXT_STEP mode shows at the end."""
    elsewhere = last_observations(kit)
    seen: set[int] = set()
    for play, over, _ in ends_in(kit, AutoresetMode.SAME_STEP):
        infos = play.infos
        for key in ("final_obs", "final_info"):
            if key not in infos or not np.array_equal(infos.get(f"_{key}"), over):
                found(f"rows {np.flatnonzero(over)} ended, and infos has {key}: {key in infos}, for rows of _{key}: "
                      f"{infos.get(f'_{key}')}")  # fmt: skip
        for row in map(int, np.flatnonzero(over)):
            last = infos["final_obs"][row]
            for fault in misfit(play.env.single_observation_space, last, f"final_obs[{row}]"):
                found(fault)
            if row in elsewhere and row not in seen and canonical(last) != elsewhere[row]:
                found(f"final_obs[{row}] is not what NEXT_STEP mode shows at the end of that episode")
            seen.add(row)
            if "action_mask" in infos["final_info"] and np.any(infos["final_info"]["action_mask"][row]):
                found(f"final_info has legal actions in row {row}, whose episode is over")


def last_observations(kit: Kit) -> dict[int, Any]:
    """What each row shows at its first end in NEXT_STEP mode; nothing where that mode cannot be had."""
    seen: dict[int, Any] = {}
    try:
        for play, over, _ in ends_in(kit, AutoresetMode.NEXT_STEP):
            for row in map(int, np.flatnonzero(over)):
                observation = _row(play.observations, row)
                seen.setdefault(row, canonical(observation))
    except Exception:  # that mode has a check of its own
        return seen
    return seen


def _row(observations: Any, row: Any) -> Any:
    if isinstance(observations, dict):
        return {key: _row(value, row) for key, value in observations.items()}
    return observations[row]


@check("In reset(), deal only where options['reset_mask'] is True, and leave the other rows as they are.")
def disabled_autoreset_deals_where_it_is_told(kit: Kit) -> None:
    """In DISABLED mode reset(options={"reset_mask": …}) deals those rows anew and leaves the others as they are."""
    for play, over, _ in ends_in(kit, AutoresetMode.DISABLED):
        before = [canonical(_row(play.observations, row)) for row in np.flatnonzero(~over)]
        play.reset(None, {"reset_mask": over})
        if not masks(play)[over].any(axis=1).all():
            found("a row that was reset has no legal actions")
        if [canonical(_row(play.observations, row)) for row in np.flatnonzero(~over)] != before:
            found("rows that were not to be reset changed")


VECTOR_CHECKS = (
    *SHARED,
    next_step_autoreset_deals_in_the_step_after,
    same_step_autoreset_tells_what_was_last,
    disabled_autoreset_deals_where_it_is_told,
)


def check_vector(
    make_fn: Callable[..., Any], *, seed: int = 0, steps: int = 200, cap: str | None = None
) -> list[Result]:
    """Make every check on a Gymnasium vector environment.

    Parameters
    ----------
    make_fn
        Makes one. With ``autoreset_mode=``, it makes one in that mode; if it refuses, only the mode of ``make_fn()`` is
        checked. A function that can be pickled is also tried in other processes.
    seed
        Of the games and of the choices.
    steps
        How many decisions each check plays.
    cap
        The name of the option of `make_fn` that caps the decisions of an episode.

    Returns
    -------
    list of Result
        What passed and what was skipped.

    Raises
    ------
    ConformanceError
        If anything failed: names all failures, what was expected and what was found, and how to fix it.
    """
    return raise_failures(run(VECTOR_CHECKS, Kit(make_fn, VectorPlay, seed=seed, steps=steps, cap=cap)))
