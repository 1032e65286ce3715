"""Gymnasium's environments with one learner."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.wrappers import OrderEnforcing, RecordEpisodeStatistics, TimeLimit

from cardenvs.testing.play import Kit, SinglePlay, advance, masks
from cardenvs.testing.report import Result, check, found, raise_failures, run, skip
from cardenvs.testing.shared import SHARED, global_random_state, require_repeatable, restore

COPIES = 16  # environments that a prediction is made for at once


def within_time_limit(env: Any) -> Any:
    return TimeLimit(env, 10**6)


@check("Put the mask into info, and use no key of info that wrappers use (episode, final_info).")
def wrappers_keep_the_masks(kit: Kit) -> None:
    """Wrapped, the environment shows the masks that it shows unwrapped, to the end of an episode."""
    for wrapper in kit.wrappers:
        same_masks_within(kit, wrapper)


@check("Give every environment a method action_masks(), and a mask in info.")
def monitor_keeps_the_masks(kit: Kit) -> None:
    """Within Stable-Baselines3's Monitor, the masks are those of the environment unwrapped."""
    try:
        from stable_baselines3.common.monitor import Monitor
    except ImportError:
        skip("stable-baselines3 is not installed")
    same_masks_within(kit, Monitor)


def same_masks_within(kit: Kit, wrapper: Callable[[Any], Any]) -> None:
    require_repeatable(kit)
    plain, rngs = kit.begin(), (kit.rng(), kit.rng())
    wrapped = SinglePlay(wrapper(kit.make()))
    wrapped.reset(kit.seed)
    for step in range(kit.steps):
        shown = [list(play.masks_by_place()) for play in (plain, wrapped)]
        if shown[0] != shown[1]:
            found(f"masks are told by {shown[0]}, and within {wrapper.__name__} by {shown[1]}")
        if not np.array_equal(masks(plain), masks(wrapped)):
            found(f"after {step} steps, the mask within {wrapper.__name__} is another")
        for play, rng in zip((plain, wrapped), rngs, strict=True):
            advance(play, rng)


@check("Give action_masks(), bool (A,), that is up to date after every reset() and step().")
def maskable_ppo_never_acts_illegally(kit: Kit) -> None:
    """A random masked policy of sb3-contrib, by MaskablePPO.predict, takes no action that is called illegal."""
    if not kit.predict_steps:
        skip("predict_steps is 0")
    try:
        from sb3_contrib import MaskablePPO
        from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
        from stable_baselines3.common.vec_env import DummyVecEnv
    except ImportError:
        skip("sb3-contrib is not installed")
    before = global_random_state()
    try:
        envs = DummyVecEnv([kit.make] * COPIES)
        if not is_masking_supported(envs):
            found("sb3-contrib finds no action_masks()")
        policy = "MultiInputPolicy" if hasattr(envs.observation_space, "spaces") else "MlpPolicy"
        model = MaskablePPO(policy, envs, n_steps=2, device="cpu")
        envs.seed(kit.seed)
        observations: Any = envs.reset()
        for _ in range(-(-kit.predict_steps // COPIES)):
            legal = get_action_masks(envs)
            actions, _ = model.predict(observations, action_masks=legal)
            observations, _, _, infos = envs.step(actions)
            if not legal[np.arange(COPIES), actions].all() or any("illegal_action" in info for info in infos):
                found(f"of the actions {actions.tolist()} one is not legal")
    finally:
        restore(before)


GYMNASIUM_CHECKS = (*SHARED, wrappers_keep_the_masks, monitor_keeps_the_masks, maskable_ppo_never_acts_illegally)
WRAPPERS = (within_time_limit, OrderEnforcing, RecordEpisodeStatistics)


def check_gymnasium(
    make_fn: Callable[..., Any],
    *,
    seed: int = 0,
    steps: int = 200,
    cap: str | None = None,
    predict_steps: int = 100_000,
    wrappers: tuple[Callable[[Any], Any], ...] = WRAPPERS,
) -> list[Result]:
    """Make every check on a Gymnasium environment with one learner.

    Parameters
    ----------
    make_fn
        Makes one. A function that can be pickled is also tried in other processes.
    seed
        Of the games and of the choices.
    steps
        How many decisions each check plays.
    cap
        The name of the option of `make_fn` that caps the decisions of an episode.
    predict_steps
        How many steps MaskablePPO's predictions are taken for; 0 leaves that out.
    wrappers
        Those that the environment is tried in.

    Returns
    -------
    list of Result
        What passed and what was skipped.

    Raises
    ------
    ConformanceError
        If anything failed: names all failures, what was expected and what was found, and how to fix it.
    """
    kit = Kit(make_fn, SinglePlay, seed=seed, steps=steps, cap=cap, predict_steps=predict_steps, wrappers=wrappers)
    return raise_failures(run(GYMNASIUM_CHECKS, kit))
