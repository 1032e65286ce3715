"""PettingZoo's agents, asked turn by turn."""

from collections.abc import Callable
from typing import Any

import numpy as np
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cardenvs.testing.play import AECPlay, Kit, advance, canonical, choose, masks, misfit, trace
from cardenvs.testing.report import Result, check, found, raise_failures, run, skip
from cardenvs.testing.shared import SHARED, require_repeatable

NEAR = 1e-4


@check("In observe(agent), give an all-zero mask unless agent is agent_selection.")
def who_is_not_asked_has_no_mask(kit: Kit) -> None:
    """The mask that observe(agent) gives is all zero for every agent but the one that is asked."""
    masked = False
    for step, play in enumerate(kit.decisions()):
        env = play.env
        for agent in env.agents:
            seen = env.observe(agent)
            if agent == env.agent_selection or not isinstance(seen, dict) or "action_mask" not in seen:
                continue
            masked = True
            if np.any(seen["action_mask"]):
                found(f"after {step} steps {env.agent_selection} is asked, and observe({agent!r}) has a mask")
    if not masked:
        skip("observations hold no masks")


@check("Let observe(agent) work for every agent from reset() to its removal, from that agent's point of view.")
def every_agent_can_be_observed_at_any_time(kit: Kit) -> None:
    """observe(agent) lies in that agent's space for every agent that is there, asked or not, at the end as well."""
    for step, play in enumerate(kit.decisions()):
        env = play.env
        for agent in env.agents:
            if agent != env.agent_selection:
                for fault in misfit(env.observation_space(agent), env.observe(agent), f"observe({agent!r})"):
                    found(f"after {step} steps, {fault}")


@check("Compute observations from the state, and write nothing in observe(), last() and state().")
def observing_changes_nothing(kit: Kit) -> None:
    """A game in which everybody is observed again and again is the game in which nobody looks but who is asked."""
    require_repeatable(kit)
    looked, blind = kit.begin(), kit.begin()
    rngs = kit.rng(), kit.rng()
    for step in range(kit.steps):
        for agent in looked.env.agents:
            if canonical(looked.env.observe(agent)) != canonical(looked.env.observe(agent)):
                found(f"after {step} steps, two calls of observe({agent!r}) differ")
        for play, rng in zip((looked, blind), rngs, strict=True):
            advance(play, rng)
        if canonical(_plain(looked.env)) != canonical(_plain(blind.env)):
            found(f"step {step} went otherwise after everybody was observed")


def _plain(env: Any) -> Any:
    """What is told without observing anybody but who is asked."""
    asked = env.agent_selection if env.agents else None
    seen = env.observe(asked) if asked else None
    return env.agents, env.rewards, env.terminations, env.truncations, asked, seen


# --- rewards and ends -------------------------------------------------------------------------------------------------


def reads(kit: Kit) -> Any:
    """Each reading of last(): agent, what it read, and what it was paid since, in its own step and in others'."""
    own: dict[str, float] = {}
    others: dict[str, float] = {}
    play, rng = kit.begin(), kit.rng()
    for _ in range(kit.steps):
        env = play.env
        if not env.agents:
            play.renew(int(rng.integers(2**31)))
            own, others = {}, {}
        agent, live = env.agent_selection, play.live()[0]
        yield agent, float(env.last()[1]), own.get(agent, 0.0), others.get(agent, 0.0)
        own[agent] = others[agent] = 0.0
        play.step(choose(masks(play), rng))
        for paid, reward in env.rewards.items() if live else ():
            account = own if paid == agent else others
            account[paid] = account.get(paid, 0.0) + float(reward)


@check("Zero _cumulative_rewards[agent] at the start of its step, then call _accumulate_rewards() once.")
def last_rewards_add_up_to_the_return(kit: Kit) -> None:
    """The reward that last() gives is all that was paid to the agent since it acted, no more and no less."""
    for agent, read, own, others in reads(kit):
        if abs(read - own - others) > NEAR and not _lost(read, own, others):
            found(f"{agent} was paid {own + others:g} since it acted, and last() gives {read:g}")


@check("Accumulate the rewards of all agents at every step, not only those of who acted.")
def rewards_reach_who_is_not_on_move(kit: Kit) -> None:
    """What an agent is paid in the steps of others is in the reward of its next last()."""
    for agent, read, own, others in reads(kit):
        if _lost(read, own, others):
            found(f"{agent} was paid {others:g} while others acted, and last() gives {read:g}")


def _lost(read: float, own: float, others: float) -> bool:
    """Whether what was paid in the steps of others, and that alone, is missing."""
    return abs(others) > NEAR and abs(read - own) <= NEAR


@check("Pay each step's rewards so that they sum to 0.")
def rewards_sum_to_zero(kit: Kit) -> None:
    """The rewards of all agents sum to zero at every step."""
    if not kit.zero_sum:
        skip("not asked for: zero_sum=True asks")
    for step, play in enumerate(kit.decisions()):
        total = sum(map(float, play.env.rewards.values())) if play.live()[0] or play.env.agents else 0.0
        if abs(total) > NEAR:
            found(f"the rewards {play.env.rewards} of step {step} sum to {total:g}")


@check("End the episode for all agents, and keep them in `agents` until each has stepped with None.")
def every_agent_is_told_of_the_end_whoever_finishes(kit: Kit) -> None:
    """When an episode ends, whoever made the last move, every agent is asked once more, reads its end, and goes."""
    play, rng = kit.begin(), kit.rng()
    finisher, finishers, told = "", set[str](), set[str]()
    for _ in range(10 * kit.steps):
        env = play.env
        if not env.agents:
            missing = set(env.possible_agents) - told
            if missing:
                found(f"an episode ended by {finisher}'s move, and {sorted(map(str, missing))} was never told")
            if len(finishers) > 1:
                return
            play.renew(int(rng.integers(2**31)))
            told = set()
        agent = env.agent_selection
        if play.live()[0]:
            finisher = agent
        else:
            told.add(agent)
            finishers.add(finisher)
        play.step(choose(masks(play), rng))
    skip(f"within the steps played, episodes were ended by {sorted(map(str, finishers)) or 'nobody'} alone")


@check("Let wrappers reach the mask through observe() and infos.")
def wrappers_keep_the_masks(kit: Kit) -> None:
    """Wrapped, the environment shows the same masks, observations and ends."""
    require_repeatable(kit)
    for wrapper in kit.wrappers:
        plain = kit.begin()
        wrapped = AECPlay(wrapper(kit.make()))
        wrapped.reset(kit.seed)
        if not wrapped.masks_by_place() and plain.masks_by_place():
            found(f"{wrapper.__name__} hides the masks")
        if trace(plain, kit.rng(), kit.steps) != trace(wrapped, kit.rng(), kit.steps):
            found(f"the game is another within {wrapper.__name__}")


AEC_CHECKS = (
    *SHARED,
    who_is_not_asked_has_no_mask,
    every_agent_can_be_observed_at_any_time,
    observing_changes_nothing,
    last_rewards_add_up_to_the_return,
    rewards_reach_who_is_not_on_move,
    rewards_sum_to_zero,
    every_agent_is_told_of_the_end_whoever_finishes,
    wrappers_keep_the_masks,
)


def check_aec(
    env_fn: Callable[..., Any],
    *,
    seed: int = 0,
    steps: int = 200,
    cap: str | None = None,
    zero_sum: bool = False,
    wrappers: tuple[Callable[[Any], Any], ...] = (OrderEnforcingWrapper,),
) -> list[Result]:
    """Make every check on a turn-based PettingZoo environment.

    Parameters
    ----------
    env_fn
        Makes one. A function that can be pickled is also tried in other processes.
    seed
        Of the games and of the choices.
    steps
        How many decisions each check plays.
    cap
        The name of the option of `env_fn` that caps the decisions of an episode.
    zero_sum
        Whether rewards should sum to zero.
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
    kit = Kit(env_fn, AECPlay, seed=seed, steps=steps, cap=cap, zero_sum=zero_sum, wrappers=wrappers)
    return raise_failures(run(AEC_CHECKS, kit))
