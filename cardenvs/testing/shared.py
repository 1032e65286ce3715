"""The checks that are the same for every face."""

import copy
import os
import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
from pettingzoo.utils.env_logger import EnvLogger

from cardenvs.testing.play import (
    Kit,
    Play,
    advance,
    arrays_in,
    canonical,
    choose,
    clone,
    digest,
    masks,
    retrace,
    trace,
)
from cardenvs.testing.report import check, found, skip

PREFIXES = (0, 1, 2, 5, 9)  # after so many decisions games are reset, copied, and tried with every action
HASH_SEEDS = ("1", "2")
MANY_EPISODES = 5


@cache
def is_repeatable(kit: Kit) -> bool:
    return trace(kit.begin(), kit.rng(), kit.steps) == trace(kit.begin(), kit.rng(), kit.steps)


def require_repeatable(kit: Kit) -> None:
    """Two games can only be compared where the same seed deals the same game."""
    if not is_repeatable(kit):
        skip("two environments of the same seed differ (same_seed_same_game), so that none can be compared")


# --- what is told -----------------------------------------------------------------------------------------------------


@check("Make dtype, shape and bounds those of observation_space; give masks as int8 or bool of 0 and 1.")
def what_is_told_lies_in_its_space(kit: Kit) -> None:
    """Observations of who is asked lie in their space; masks are int8 or bool, one entry an action, of 0 and 1."""
    for play in kit.decisions():
        for fault in play.misfits():
            found(fault)


@check("Compute the mask once, after each step, and give copies of that one everywhere.")
def masks_agree(kit: Kit) -> None:
    """The masks in the observation, in the info and of action_masks() are the same."""
    if len(kit.begin().masks_by_place()) < 2:
        skip("the mask is told in one place, or none")
    for step, play in enumerate(kit.decisions()):
        (place, first), *others = play.masks_by_place().items()
        for other, mask in others:
            if not np.array_equal(np.asarray(first) > 0, np.asarray(mask) > 0):
                found(f"after {step} steps, {place} and {other} differ: {np.asarray(first)} and {np.asarray(mask)}")


@check("End the episode, or pass the turn on inside step(), when nobody has a legal action.")
def live_decisions_have_a_legal_action(kit: Kit) -> None:
    """Whoever is asked while the episode lasts has a legal action."""
    for step, play in enumerate(kit.decisions()):
        if not masks(play)[play.live()].any(axis=1).all():
            found(f"after {step} steps somebody is asked and has no legal action")


@check("Clear the mask when the episode ends.")
def nothing_is_legal_after_the_end(kit: Kit) -> None:
    """Masks are all zero once the episode is over."""
    ended = 0
    for step, play in enumerate(kit.decisions()):
        over = ~play.live()
        ended += over.sum()
        if masks(play)[over].any():
            found(f"after {step} steps the episode is over and actions are legal: {np.flatnonzero(masks(play)[over])}")
    if not ended:
        skip("no episode was over within the steps played, or rows that end are dealt anew at once")


@check("Return copies of internal arrays, from every call.")
def arrays_are_fresh(kit: Kit) -> None:
    """Arrays that were told stay as they are when the game goes on, and share no memory with what is told later."""
    play, rng = kit.begin(), kit.rng()
    for step in range(min(kit.steps, 30)):
        told = play.told_by_calls()
        before, earlier = canonical(told), arrays_in(told)
        advance(play, rng)
        if canonical(told) != before:
            found(f"step {step} changed what had been told before it")
        if any(np.may_share_memory(a, b) for a in earlier for b in arrays_in(play.told_by_calls())):
            found(f"what is told before and after step {step} shares memory")


# --- actions ----------------------------------------------------------------------------------------------------------


def positions(kit: Kit) -> Iterator[tuple[int, Callable[[], Play], Any]]:
    """Some positions: after how many decisions, a function that plays to it anew, and row 0's mask."""
    require_repeatable(kit)
    for length in (*prefixes(kit), *later_positions(kit)):

        def again(length: int = length) -> Play:
            play, rng = kit.begin(), kit.rng()
            for _ in range(length):
                advance(play, rng)
            return play

        play = again()
        if play.live()[0]:
            yield length, again, masks(play)[0]


def prefixes(kit: Kit) -> tuple[int, ...]:
    """Fewer in short runs."""
    return tuple(length for length in PREFIXES if length <= kit.steps // 10)


def later_positions(kit: Kit) -> list[int]:
    """The first position after the early ones in which something is masked out."""
    shut = [n for n, play in enumerate(kit.decisions()) if play.live()[0] and not masks(play)[0].all()]
    return [n for n in shut if n > PREFIXES[-1]][:1]


def with_first(play: Play, action: int) -> Any:
    """Actions for all rows, row 0's given, the first legal one in the others."""
    actions = masks(play).argmax(axis=1)
    actions[0] = action
    return actions


def some(kit: Kit, actions: Any) -> list[int]:
    """All, or evenly spread ones of more than a quarter of the kit's steps."""
    return [int(action) for action in actions[:: -(-len(actions) // max(kit.steps // 4, 1)) or 1]]


@check("Raise before anything changes, or end the episode for the offender with a reward of -1.")
def masked_out_actions_are_refused(kit: Kit) -> None:
    """Every masked-out action raises, or ends the episode at once at the offender's cost (-1 by convention)."""
    tried = 0
    for length, again, mask in positions(kit):
        for action in some(kit, np.flatnonzero(~mask)):
            tried, play = tried + 1, again()
            try:
                reward, ended = play.step(with_first(play, action))
            except Exception:  # any kind of refusal will do; what it leaves is checked on its own
                continue
            if not (ended and reward < 0):
                found(f"action {action} is masked out after {length} decisions: reward {reward}, ended {ended}")
    if not tried:
        skip("every action was legal in every position tried")


@check("Check the action against the mask first, and only then touch the state, random streams included.")
def raised_refusals_change_nothing(kit: Kit) -> None:
    """Where a masked-out action raises, the game goes on as if it had never been tried."""
    raised = 0
    for length, again, mask in positions(kit):
        play, untouched = again(), again()
        before = digest(play.told())
        for action in some(kit, np.flatnonzero(~mask)):
            try:
                play.step(with_first(play, action))
            except Exception:
                raised += 1
                if digest(play.told()) != before:
                    found(f"after {length} decisions action {action} was refused, and what is told changed")
                continue
            play = again()
        if trace(play, kit.rng(), 15) != trace(untouched, kit.rng(), 15):
            found(f"after {length} decisions and refused actions, the game went on differently")
    if not raised:
        skip("no masked-out action raises here: the episode ends instead, or there are none")


@check("Make the mask and the rules in step() one function.")
def masked_in_actions_are_accepted(kit: Kit) -> None:
    """Every masked-in action is carried out without an exception and without being called illegal."""
    for length, again, mask in positions(kit):
        for action in some(kit, np.flatnonzero(mask)):
            play = again()
            complaint = complaint_of(play, with_first(play, action))
            if complaint:
                found(f"action {action} is masked in after {length} decisions: {complaint}")


def complaint_of(play: Play, actions: Any) -> str:
    """What is said against the actions: an exception, a warning, PettingZoo's logger, or ``illegal_action``."""
    logged = len(EnvLogger.mqueue)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            play.step(actions)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    said = [str(warning.message) for warning in caught] + [str(said) for said in EnvLogger.mqueue[logged:]]
    said += [f"illegal_action {where}" for where in keys_in(play.told()) if where == "illegal_action"]
    return next((each for each in said if "illegal" in each.lower()), "")


def keys_in(value: Any) -> Iterator[str]:
    """The keys of all dictionaries."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    if isinstance(value, dict):
        yield from map(str, value)
    for each in inner:
        yield from keys_in(each)


# --- beginning anew ---------------------------------------------------------------------------------------------------


def same_as_fresh(kit: Kit, play: Play, what: str) -> None:
    require_repeatable(kit)
    play.reset(kit.seed)
    for step, (told, fresh) in enumerate(
        zip(trace(play, kit.rng(), kit.steps), trace(kit.begin(), kit.rng(), kit.steps), strict=True)
    ):
        if told != fresh:
            found(f"{what} and reset(seed={kit.seed}), what is told differs from a new environment's at step {step}")


@check("Set everything in reset(), flags of an offence and pending rewards included.")
def reset_after_an_illegal_action_is_as_new(kit: Kit) -> None:
    """After an illegal action, reset(seed) begins the game that a new environment begins."""
    tried = False
    for length, again, mask in positions(kit):
        for action in np.flatnonzero(~mask)[:1]:
            tried, play = True, again()
            with suppress(Exception):  # to refuse is right too: what remains of it is looked for
                play.step(with_first(play, int(action)))
            same_as_fresh(kit, play, f"after {length} decisions, an illegal action")
    if not tried:
        skip("every action was legal in every position tried")


@check("Set everything in reset(), or keep the state of an episode in one object that reset() makes anew.")
def reset_in_mid_game_is_as_new(kit: Kit) -> None:
    """In the middle of a game by another seed, reset(seed) begins the game that a new environment begins."""
    for length in prefixes(kit):
        play, rng = kit.begin(kit.seed + 1), kit.rng()
        for _ in range(length):
            advance(play, rng)
        same_as_fresh(kit, play, f"after {length} decisions of another game")


@check("Ignore the keys of options that you do not know, or raise an error that names them.")
def unknown_reset_options_are_harmless(kit: Kit) -> None:
    """reset(options=…) with an unknown key deals the same game as without, or raises an error that names the key."""
    require_repeatable(kit)
    play = kit.face(kit.make())
    try:
        play.reset(kit.seed, {"no_such_option": 1})
    except Exception as error:
        if "no_such_option" in str(error):
            return
        raise
    if trace(play, kit.rng(), 15) != trace(kit.begin(), kit.rng(), 15):
        found("an unknown key in options changed the game")


# --- randomness -------------------------------------------------------------------------------------------------------


def first_difference(one: list[str], other: list[str]) -> int | None:
    return next((step for step, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), None)


@check("Draw everything from one generator that reset(seed) seeds; iterate over no sets.")
def same_seed_same_game(kit: Kit) -> None:
    """Two environments with the same seed and the same actions tell the same."""
    step = first_difference(*(trace(kit.begin(), kit.rng(), kit.steps) for _ in range(2)))
    if step is not None:
        found(f"two environments of seed {kit.seed} differ at step {step}")


@check("Use no hash(), no order of sets, no id(), no time and no file in the rules.")
def other_processes_play_the_same_game(kit: Kit) -> None:
    """Another process with another PYTHONHASHSEED plays the same game by the same seed and actions."""
    try:
        packed = pickle.dumps(kit)
    except Exception as error:
        skip(f"what makes the environment cannot be sent to another process ({type(error).__name__}: {error})")
    if b"__main__" in packed:
        skip("what makes the environment is defined in __main__, which another process does not have")
    require_repeatable(kit)
    here = retrace(kit)
    for hash_seed, process in [(hash_seed, _process(hash_seed)) for hash_seed in HASH_SEEDS]:
        out, errors = process.communicate(packed)
        if process.returncode:
            found(f"with PYTHONHASHSEED={hash_seed} the other process failed: {errors.decode().strip()[-300:]}")
        if out.decode().split()[-1] != here:
            found(f"with PYTHONHASHSEED={hash_seed} the game by seed {kit.seed} is another")


def _process(hash_seed: str) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "cardenvs.testing.elsewhere"],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def episodes(kit: Kit, play: Play, count: int = MANY_EPISODES) -> list[list[str]]:
    """Beginnings of episodes, each by a reset() without a seed and the same choices."""
    beginnings = []
    for _ in range(count):
        play.reset()
        beginnings.append(beginning(play, kit.rng()))
    return beginnings


def beginning(play: Play, rng: np.random.Generator) -> list[str]:
    """What is told in the first decisions of an episode, and no further: another would be dealt by a seed."""
    digests = [digest(play.told())]
    while len(digests) < 10 and play.live().all():
        play.step(choose(masks(play), rng))
        digests.append(digest(play.told()))
    return digests


@check("In reset(seed=None), keep the generator that there is: neither seed it anew nor start it again.")
def reset_without_a_seed_goes_on_in_the_stream(kit: Kit) -> None:
    """After reset(seed), resets without a seed deal other games, and the same ones every time."""
    require_repeatable(kit)
    if len({str(beginning(kit.begin(kit.seed + i), kit.rng())) for i in range(MANY_EPISODES)}) == 1:
        skip("nothing is random here: all seeds play the same game")
    if not stream_is_fixed(kit):
        found("two environments of the same seed deal different games after reset() without one")
    if len(set(map(str, episodes(kit, kit.begin())))) == 1:
        found(f"{MANY_EPISODES} resets without a seed deal the same game again and again")


def stream_is_fixed(kit: Kit) -> bool:
    return episodes(kit, kit.begin(), 2) == episodes(kit, kit.begin(), 2)


def global_random_state() -> tuple[Any, Any]:
    return random.getstate(), np.random.get_state()


def restore(state: tuple[Any, Any]) -> None:
    random.setstate(state[0])
    np.random.set_state(state[1])


@check("Use a generator of your own: never random.seed, np.random.seed or their module-level draws.")
def global_random_state_is_untouched(kit: Kit) -> None:
    """Making, resetting and playing leave the states of `random` and `numpy.random` as they were."""
    kept = global_random_state()
    random.seed()
    np.random.seed()  # else a state that was seeded before could not be told from one that is seeded again
    before = global_random_state()
    try:
        play = kit.begin()
        play.reset()
        trace(play, kit.rng(), kit.steps)
        touched = [
            name
            for name, old, new in zip(("random", "numpy.random"), before, global_random_state(), strict=True)
            if canonical(old) != canonical(new)
        ]
    finally:
        restore(kept)
    if touched:
        found(f"changed: {', '.join(touched)}")


def goes_on_identically(kit: Kit, copied: Callable[[Any], Any]) -> None:
    fixed = stream_is_fixed(kit)
    for length in prefixes(kit):
        play, rng = kit.begin(), kit.rng()
        for _ in range(length):
            advance(play, rng)
        before = digest(play.told())
        twin = clone(play, copied)
        ahead = trace(twin, kit.rng(), kit.steps)
        if digest(play.told()) != before:
            found(f"playing on in the copy made after {length} decisions changed the original")
        step = first_difference(ahead, trace(play, kit.rng(), kit.steps))
        if step is not None:
            found(f"the copy made after {length} decisions differs {step} steps later")
        if fixed and episodes(kit, play, 2) != episodes(kit, twin, 2):
            found(f"the copy made after {length} decisions deals other games after reset() without a seed")


@check("Hold plain data and generators, and leave EzPickle out, which makes a new environment instead of a copy.")
def deepcopies_go_on_identically(kit: Kit) -> None:
    """A deepcopy in mid-game goes on identically, later episodes included, and independently."""
    goes_on_identically(kit, copy.deepcopy)


@check("Hold nothing that cannot be pickled (lambdas, open files), and leave EzPickle out, which forgets the game.")
def pickles_go_on_identically(kit: Kit) -> None:
    """An environment that was pickled in mid-game goes on identically, later episodes included."""
    goes_on_identically(kit, lambda env: pickle.loads(pickle.dumps(env)))


# --- the cap ----------------------------------------------------------------------------------------------------------

CAP = 7


@check("When the cap is reached, set truncated for everybody and leave terminated False.")
def the_cap_truncates(kit: Kit) -> None:
    """With the option that caps decisions, no episode is longer, and those that are cut off are truncated."""
    if kit.cap is None:
        skip("no option that caps the decisions was named")
    truncated = False
    for seed in range(MANY_EPISODES):
        play = kit.face(kit.make(**{kit.cap: CAP}))
        play.reset(kit.seed + seed)
        ends = ends_within(play, kit.rng(), CAP)
        if not (ends[0] | ends[1]).all():
            found(f"with {kit.cap}={CAP}, the episode goes on after {CAP} decisions")
        if (ends[0] & ends[1]).any():
            found(f"with {kit.cap}={CAP}, an episode is both terminated and truncated")
        truncated |= bool(ends[1].any())
    if not truncated:
        found(f"with {kit.cap}={CAP}, {MANY_EPISODES} episodes ended and none is truncated")


def ends_within(play: Play, rng: np.random.Generator, steps: int) -> tuple[Any, Any]:
    """Where the first episode is terminated, and where truncated."""
    terminated, truncated = play.ends()
    for _ in range(steps):
        if (terminated | truncated).all():
            break
        play.step(choose(masks(play), rng))
        first = ~(terminated | truncated)
        now = play.ends()
        terminated, truncated = terminated | (first & now[0]), truncated | (first & now[1])
    return terminated, truncated


SHARED = (
    what_is_told_lies_in_its_space,
    masks_agree,
    live_decisions_have_a_legal_action,
    nothing_is_legal_after_the_end,
    masked_out_actions_are_refused,
    raised_refusals_change_nothing,
    masked_in_actions_are_accepted,
    arrays_are_fresh,
    reset_after_an_illegal_action_is_as_new,
    reset_in_mid_game_is_as_new,
    unknown_reset_options_are_harmless,
    same_seed_same_game,
    other_processes_play_the_same_game,
    reset_without_a_seed_goes_on_in_the_stream,
    global_random_state_is_untouched,
    deepcopies_go_on_identically,
    pickles_go_on_identically,
    the_cap_truncates,
)
