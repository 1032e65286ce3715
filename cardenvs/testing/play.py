"""Playing any environment by its masks: the one thing that the checks are written on.

A play holds an environment and what it told last, as rows: an AEC or a Gymnasium environment has one row.
"""

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode

from cardenvs.testing.report import skip


class Play(Protocol):
    """What the checks ask of a face."""

    env: Any

    def __init__(self, env: Any) -> None: ...

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew."""

    def renew(self, seed: int) -> None:
        """Begin anew where nothing can go on any more."""

    def step(self, actions: Any) -> tuple[float, bool]:
        """Carry out an action in each row; what row 0's actor got, and whether its episode ended."""

    def live(self) -> Any:
        """bool (N,): where a decision is due."""

    def ends(self) -> tuple[Any, Any]:
        """bool (N,) each: terminated, and truncated, by the last step; for AEC, of each agent."""

    def masks_by_place(self) -> dict[str, Any]:
        """The masks of who is asked, (N, A), by where they are told."""

    def told(self) -> Any:
        """All that is told to anybody."""

    def told_by_calls(self) -> Any:
        """The part of that which the last calls made."""

    def misfits(self) -> list[str]:
        """What is told to who is asked and is not in its space."""


@dataclass(frozen=True)
class Kit:
    """What is checked, and how thoroughly."""

    make: Callable[..., Any]
    face: type[Play]
    seed: int = 0
    steps: int = 200
    cap: str | None = None
    zero_sum: bool = False
    predict_steps: int = 0
    wrappers: Sequence[Callable[[Any], Any]] = field(default=())

    def begin(self, seed: int | None = None) -> Play:
        """A new environment, reset by a seed."""
        play = self.face(self.make())
        play.reset(self.seed if seed is None else seed)
        return play

    def rng(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    def decisions(self, steps: int | None = None) -> Iterator[Play]:
        """A game that goes on by random legal actions, before each of them."""
        play, rng = self.begin(), self.rng()
        for _ in range(steps or self.steps):
            yield play
            advance(play, rng)


def masks(play: Play) -> Any:
    """bool (N, A): the legal actions."""
    places = play.masks_by_place()
    if not places:
        skip("no action mask in the observation, in the info, or by action_masks()")
    return np.asarray(next(iter(places.values()))) > 0


def choose(legal: Any, rng: np.random.Generator) -> Any:
    """A random legal action in each row, 0 where there is none."""
    return np.where(legal, rng.random(legal.shape), -1.0).argmax(axis=1)


def advance(play: Play, rng: np.random.Generator) -> None:
    """One random legal action, or a new episode by a seed, where one has ended: no stream but `rng` is relied on."""
    play.renew(int(rng.integers(2**31)))
    play.step(choose(masks(play), rng))


def trace(play: Play, rng: np.random.Generator, steps: int) -> list[str]:
    """What is told from here on, as digests."""
    digests = [digest(play.told())]
    for _ in range(steps):
        advance(play, rng)
        digests.append(digest(play.told()))
    return digests


def clone(play: Play, copied: Callable[[Any], Any]) -> Play:
    twin = copy.copy(play)
    twin.env = copied(play.env)
    return twin


def canonical(value: Any) -> Any:
    """Plain data that are equal only if the values are, types and dtypes included."""
    if isinstance(value, Mapping):
        return [(str(key), canonical(value[key])) for key in sorted(value, key=str)]
    if isinstance(value, np.ndarray) and value.dtype != object:
        return (str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, list | tuple | np.ndarray):
        return [canonical(each) for each in value]
    return repr(value) if isinstance(value, bool | int | float | str | np.generic | None) else type(value).__name__


def digest(value: Any) -> str:
    return hashlib.sha256(repr(canonical(value)).encode()).hexdigest()


def arrays_in(value: Any) -> list[Any]:
    """All arrays of numbers, in a fixed order."""
    if isinstance(value, Mapping):
        return [array for key in sorted(value, key=str) for array in arrays_in(value[key])]
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return [array for each in value for array in arrays_in(each)]
    return [value] if isinstance(value, np.ndarray) and value.size else []


def misfit(space: Any, value: Any, where: str) -> list[str]:
    """Why a value is not in its space, part by part."""
    if isinstance(space, spaces.Dict) and isinstance(value, Mapping) and set(space) == set(value):
        return [fault for key in space for fault in misfit(space[key], value[key], f"{where}[{key!r}]")]
    if space.contains(value):
        return []
    is_array = isinstance(value, np.ndarray)
    what = f"{value.dtype} {value.shape} from {value.min()} to {value.max()}" if is_array else repr(value)
    return [f"{where} is {what}, and its space {space}"]


def mask_misfit(mask: Any, shape: tuple[int, ...], where: str) -> list[str]:
    mask = np.asarray(mask)
    if mask.shape == shape and mask.dtype.kind in "bui" and mask.itemsize == 1 and not (mask > 1).any():
        return []
    return [f"the mask in {where} is {mask.dtype} {mask.shape}: it must be int8 or bool {shape}, of 0 and 1"]


def from_observation_and_info(observation: Any, info: Any) -> dict[str, Any]:
    """The masks by where they are told."""
    places = {"observation": observation, "info": info}
    return {
        place: told["action_mask"]
        for place, told in places.items()
        if isinstance(told, Mapping) and "action_mask" in told
    }


class AECPlay:
    """PettingZoo, agent by agent; agents whose episode is over step once more, with None, as decisions of their own."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.env.reset(seed=seed, options=options)

    def renew(self, seed: int) -> None:
        if not self.env.agents:
            self.reset(seed)

    def step(self, actions: Any) -> tuple[float, bool]:
        env, agent = self.env, self.env.agent_selection
        if not self.live()[0]:
            env.step(None)
            return 0.0, True
        env.step(int(actions[0]))
        ended = agent not in env.agents or env.terminations[agent] or env.truncations[agent]
        return float(env.rewards.get(agent, 0.0)), bool(ended)

    def live(self) -> Any:
        env = self.env
        agent = env.agent_selection if env.agents else None
        return np.array([agent is not None and not (env.terminations[agent] or env.truncations[agent])])

    def ends(self) -> tuple[Any, Any]:
        ends = self.env.terminations, self.env.truncations
        return np.array(list(ends[0].values()), bool), np.array(list(ends[1].values()), bool)

    def masks_by_place(self) -> dict[str, Any]:
        env = self.env
        if not env.agents:
            return {"nobody": np.zeros((1, 1), np.int8)}
        agent = env.agent_selection
        places = from_observation_and_info(env.observe(agent), env.infos[agent])
        return {place: np.asarray(mask)[None] for place, mask in places.items()}

    def told(self) -> Any:
        env = self.env
        about = (env.agents, env.rewards, env.terminations, env.truncations, env.infos)
        return (*about, env.agent_selection if env.agents else None, self.told_by_calls())

    def told_by_calls(self) -> Any:
        return {agent: self.env.observe(agent) for agent in self.env.agents}

    def misfits(self) -> list[str]:
        env = self.env
        if not env.agents:
            return []
        agent = env.agent_selection
        shape = (1, int(env.action_space(agent).n))
        faults = [fault for place, mask in self.masks_by_place().items() for fault in mask_misfit(mask, shape, place)]
        return faults + misfit(env.observation_space(agent), env.last()[0], f"last() of {agent}")


class SinglePlay:
    """Gymnasium, one learner."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.reward, self.terminated, self.truncated = 0.0, False, False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.observation, self.info = self.env.reset(seed=seed, options=options)
        self.reward, self.terminated, self.truncated = 0.0, False, False

    def renew(self, seed: int) -> None:
        if not self.live()[0]:
            self.reset(seed)

    def step(self, actions: Any) -> tuple[float, bool]:
        self.observation, self.reward, self.terminated, self.truncated, self.info = self.env.step(int(actions[0]))
        return float(self.reward), bool(self.terminated or self.truncated)

    def live(self) -> Any:
        return np.array([not (self.terminated or self.truncated)])

    def ends(self) -> tuple[Any, Any]:
        return np.array([bool(self.terminated)]), np.array([bool(self.truncated)])

    def masks_by_place(self) -> dict[str, Any]:
        places = from_observation_and_info(self.observation, self.info)
        if self.env.has_wrapper_attr("action_masks"):
            places["action_masks()"] = self.env.get_wrapper_attr("action_masks")()
        return {place: np.asarray(mask)[None] for place, mask in places.items()}

    def told(self) -> Any:
        return (*self.told_by_calls(), float(self.reward), bool(self.terminated), bool(self.truncated))

    def told_by_calls(self) -> Any:
        return (self.observation, self.info, self.masks_by_place().get("action_masks()"))

    def misfits(self) -> list[str]:
        env = self.env
        shape = (1, int(env.action_space.n))
        faults = [fault for place, mask in self.masks_by_place().items() for fault in mask_misfit(mask, shape, place)]
        return faults + misfit(env.observation_space, self.observation, "the observation")


class VectorPlay:
    """Gymnasium, many learners; rows that are over are dealt anew as the environment does it."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        self._forget()

    def _forget(self) -> None:
        self.rewards = np.zeros(self.env.num_envs)
        self.terminated, self.truncated = (np.zeros(self.env.num_envs, bool) for _ in range(2))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.observations, self.infos = self.env.reset(seed=seed, options=options)
        self._forget()

    def renew(self, seed: int) -> None:
        if self.mode == AutoresetMode.DISABLED and self.over().any():
            self.reset(seed, {"reset_mask": self.over()})

    def step(self, actions: Any) -> tuple[float, bool]:
        self.observations, self.rewards, self.terminated, self.truncated, self.infos = self.env.step(actions)
        return float(self.rewards[0]), bool(self.over()[0])

    def over(self) -> Any:
        return self.terminated | self.truncated

    def live(self) -> Any:
        return np.ones(self.env.num_envs, bool) if self.mode == AutoresetMode.SAME_STEP else ~self.over()

    def ends(self) -> tuple[Any, Any]:
        return self.terminated, self.truncated

    def masks_by_place(self) -> dict[str, Any]:
        places = from_observation_and_info(self.observations, self.infos)
        if hasattr(self.env.unwrapped, "action_masks"):
            places["action_masks()"] = self.env.unwrapped.action_masks()
        return places

    def told(self) -> Any:
        return (*self.told_by_calls(), self.rewards, self.terminated, self.truncated)

    def told_by_calls(self) -> Any:
        return (self.observations, self.infos, self.masks_by_place().get("action_masks()"))

    def misfits(self) -> list[str]:
        env = self.env
        shape = (env.num_envs, int(env.single_action_space.n))
        faults = [fault for place, mask in self.masks_by_place().items() for fault in mask_misfit(mask, shape, place)]
        return faults + misfit(env.observation_space, self.observations, "the observation")


class BatchPlay:
    """`BatchGame`, every seat."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.env.reset(seed=seed, options=options)

    def renew(self, seed: int) -> None:
        if not self.live().all():
            self.env.reset(~self.live(), seed=seed)

    def step(self, actions: Any) -> tuple[float, bool]:
        actor = self.env.actor[0]
        self.env.step(actions)
        return float(self.env.rewards[0, actor]), not self.live()[0]

    def live(self) -> Any:
        return ~(self.env.terminated | self.env.truncated)

    def ends(self) -> tuple[Any, Any]:
        return self.env.terminated, self.env.truncated

    def masks_by_place(self) -> dict[str, Any]:
        return {"legal()": self.env.legal()}

    def told(self) -> Any:
        env = self.env
        return (*self.told_by_calls(), env.terminated, env.truncated, env.winners)

    def told_by_calls(self) -> Any:
        env = self.env
        observations = [env.observe(seat) for seat in range(env.num_players)]
        return (observations, env.observe(), env.legal(), env.rewards, env.actor, env.phase, env.scores, env.decisions)

    def misfits(self) -> list[str]:
        env = self.env
        box = spaces.Box(-1.0, 1.0, (len(env), env.observation_size), np.float32)
        return mask_misfit(env.legal(), (len(env), len(env.action_names)), "legal()") + misfit(
            box, env.observe(), "observe()"
        )


def retrace(kit: Kit) -> str:
    """A digest of a whole game, to be compared with that of another process."""
    return digest(trace(kit.begin(), kit.rng(), kit.steps))
