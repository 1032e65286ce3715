"""PettingZoo: every seat an agent, asked turn by turn."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from cardenvs.core.errors import IllegalActionError
from cardenvs.envs.one_game import OPEN, EverySeat, as_action


class CardAECEnv(EverySeat, AECEnv):
    """Agents ``player_0`` … ``player_{P−1}``, in the order of seats.

    ``observe(agent)`` is ``{"observation": float32 (D,), "action_mask": int8 (A,)}`` for every agent at any time; the
    mask is all zero for who is not asked, and at the end. ``state()`` is float32 (P·D,): all observations.

    Parameters
    ----------
    game
        Its name.
    encoding
        ``"full"`` or ``"compact"``.
    render_mode
        ``"ansi"`` for text, ``"rgb_array"`` for pictures, ``"human"`` for a window (`OneGame.render`).
    perspective
        Whose eyes `render` sees with: ``"open"`` for all cards, or a seat.
    **options
        Of the game: ``num_players, episode, reward, target_score, max_decisions, deck`` and its own.

    Raises
    ------
    OptionError
        At construction, for anything that the game cannot take.
    IllegalActionError
        From `step`; nothing has changed.
    """

    def __init__(
        self,
        game: str,
        encoding: str = "full",
        render_mode: str | None = None,
        perspective: int | str = OPEN,
        **options: Any,
    ) -> None:
        super().__init__()
        self._open(game, encoding, render_mode, perspective, options)
        self.metadata |= {"is_parallelizable": False}
        self._actor: str | None = None
        self._seen = np.zeros((1, self._games.observation_size), np.float32)  # what the actor observes
        self._no_mask = np.zeros(len(self._games.action_names), np.int8)
        self._bind()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = spaces.Box(-1.0, 1.0, (self._games.num_players * self._games.observation_size,), np.float32)

    def _bind(self) -> None:
        """Views of arrays: they save a look-up a step, and are made anew in a copy."""
        self._mask = self._games._mask[0]
        self._mask_seen = self._mask.view(np.int8)
        self._paid_now = self._games._rewards[0]
        self._actor_seen = self._seen[0]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()
        self._watch()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal an episode; ``options``: ``shuffles`` and ``dealer`` (`BatchGame.reset`)."""
        self._actor = None
        self._games.reset(seed=seed, options=options, observations=self._seen)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._paid = False
        self._actor = self.possible_agents[self._games._actors[0]]
        self.agent_selection = self._actor

    def observe(self, agent: str) -> dict[str, Any]:
        """What that agent may know, in fresh arrays."""
        if agent == self._actor:
            return {"observation": self._actor_seen.copy(), "action_mask": self._mask_seen.copy()}
        return {"observation": self._games.observe_one(self._seats[agent]), "action_mask": self._no_mask.copy()}

    def step(self, action: Any) -> None:
        """Carry out the action of `agent_selection`; None for an agent whose episode is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = as_action(action)
        if chosen is None or not 0 <= chosen < len(self._mask) or not self._mask[chosen]:
            raise IllegalActionError(self._games.explain_illegal(action if chosen is None else chosen))
        self._take(agent, chosen)

    def _take(self, agent: str, action: int) -> None:
        """Carry out an action that is known to be legal."""
        self._actor = None
        self._games.step_one(action, self._seen)
        self._cumulative_rewards[agent] = 0.0
        self._pay()
        seat = self._games._actors[0]
        if seat >= 0:
            self._actor = self.agent_selection = self.possible_agents[seat]
        else:
            self._finish()

    def _pay(self) -> None:
        """Rewards are nearly always zero: the dictionaries are only touched when they are not, or were not."""
        rewards = self._paid_now.tolist()
        paid = any(rewards)
        if paid or self._paid:
            self.rewards = dict(zip(self.agents, rewards, strict=True))
            self._accumulate_rewards()
        self._paid = paid

    def _finish(self) -> None:
        self.terminations = dict.fromkeys(self.agents, bool(self._games.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(self._games.truncated[0]))
        self.agent_selection = self.agents[0]


class _MadeByReset:
    """Stands for an attribute until there is one; `__getattr__` would slow down every look-up."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type) -> Any:
        raise AttributeError(f"{self._name} cannot be accessed before reset")


class CheckedAECEnv(CardAECEnv):
    """`CardAECEnv` by PettingZoo's conventions, as its stack of wrappers keeps them, at a fraction of the cost.

    An illegal action ends the episode for all, with −1 for the offender and 0 for the others; an action outside the
    action space is an `AssertionError`; what needs a `reset` first says so.
    """

    _has_reset = False
    _has_stepped = True
    agents: Any = _MadeByReset()
    agent_selection: Any = _MadeByReset()
    rewards: Any = _MadeByReset()
    terminations: Any = _MadeByReset()
    truncations: Any = _MadeByReset()
    infos: Any = _MadeByReset()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._has_reset = True
        self._has_stepped = True
        super().reset(seed, options)

    def step(self, action: Any) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_stepped = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            chosen = as_action(action)
            assert chosen is not None and 0 <= chosen < len(self._mask), "action is not in action space"
            if self._mask[chosen]:
                self._take(agent, chosen)
            else:
                self._end_for_offence(agent)
        else:
            self._was_dead_step(action)

    def _end_for_offence(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self._games.forfeit(self._games._all)
        self._actor = None
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: -1.0}
        self._paid = True
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> Any:
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self, seat: int | None = None) -> Any:
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render(seat)

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Whose turn it is, until nobody is left; every agent must be stepped before the next."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        for agent in super().agent_iter(max_iter):
            assert self._has_stepped, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_stepped = False
            yield agent


def make(game: str, **kwargs: Any) -> CheckedAECEnv:
    """The environment by PettingZoo's conventions (entry point of its registry)."""
    return CheckedAECEnv(game, **kwargs)
