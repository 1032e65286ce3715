"""`BatchGame`: many games at once, every seat."""

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from cardenvs import games
from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError, choose, require_int
from cardenvs.core.game import ENCODINGS, Game, new_states, resolve_options
from cardenvs.core.jit import entry_point
from cardenvs.core.rng import DECISION, HELD_OUT, POLICY, derive_all, seed_keys, spread
from cardenvs.core.snapshot import common
from cardenvs.core.state import NO_PHASE, NOBODY, ORDERS_HELD, new_records
from cardenvs.core.table import NO_CARD
from cardenvs.engine import kernels
from cardenvs.engine.seating import Seating, everybody_outside

ROWS_A_BLOCK = 256  # below this, handing work to a thread costs more than it saves
BLOCKS_A_THREAD = 4  # so that a thread that is held up leaves more to the others
NOT_A_CARD = -2
Watcher = Callable[["BatchGame", int | None], None]
NO_LOTS = np.ones((0, 0))  # scripted seats go on and nobody is drawn; None would choose the kernel without policies


class BatchGame:
    """N games of one kind, stepped together in compiled code.

    Parameters
    ----------
    game
        Its name, one of `cardenvs.games.VERSIONS`.
    num_games
        N.
    seed
        Fixes everything, as in `reset`; None takes entropy from the system.
    encoding
        ``"full"`` or ``"compact"``: of `observe`.
    num_threads
        How many threads share the work; the results do not depend on it.
    seating
        Scripted policies that play some of the seats inside `step` (`cardenvs.engine.seating`); all seats act from
        outside by default.
    **options
        ``num_players, episode, reward, target_score, max_decisions, deck`` and the game's own.

    Raises
    ------
    OptionError
        If an option, or its value, is not one of the game's.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        *,
        seed: int | Any | None = None,
        encoding: str = "full",
        num_threads: int = 1,
        seating: Callable[[Game, int], Seating] = everybody_outside,
        **options: Any,
    ) -> None:
        self.game = games.get(game) if isinstance(game, str) else game
        self.options = resolve_options(self.game, options)
        self.encoding = choose("encoding", encoding, ENCODINGS)
        self.num_threads = require_int("num_threads", num_threads, 1)
        self.num_players = self.options.num_players
        self.action_names = self.game.actions(self.num_players)
        self.observation_size = self.game.observation_size(self.num_players, encoding)
        self._full = encoding == "full"
        self._seating = seating(self.game, self.num_players)
        self._allocate(new_states(self.game, self.options, require_int("num_games", num_games, 1)))
        self._stacks: dict[int, list[Any]] = {}
        self._watcher: Watcher | None = None
        self.reset(seed=fresh_seed() if seed is None else seed)

    def _allocate(self, states: Any) -> None:
        n, p = len(states), self.num_players
        self._states = states
        self._players = np.full((n, p), kernels.OUTSIDE, np.int8)
        self._streams = np.zeros(n, np.uint64)
        self._learners = np.full(n, NOBODY, np.int8)
        self._mask = np.zeros((n, len(self.action_names)), np.bool_)
        self._rewards = np.zeros((n, p), np.float32)
        self._ends = np.zeros(n, np.int8)
        self._unobserved = np.zeros((0, self.observation_size), np.float32)
        self._actor_seats = np.full(n, NOBODY, np.int8)
        self._all = np.ones(n, np.bool_)
        self._deal_all = np.full(n, kernels.DEAL, np.int8)
        self._step_all = np.full(n, kernels.STEP, np.int8)
        self._step_or_deal_all = np.full(n, kernels.STEP_OR_DEAL, np.int8)
        self._no_actions = np.zeros(n, np.int64)
        self._resample_key = np.uint64(0)
        self._prepare()

    def _prepare(self) -> None:
        """What a copy makes anew: scratch records for each thread, the threads, views of the states."""
        n = len(self._states)
        threads = max(1, min(self.num_threads, n // ROWS_A_BLOCK))
        blocks = 1 if threads == 1 else min(BLOCKS_A_THREAD * threads, n // ROWS_A_BLOCK)
        bounds = np.linspace(0, n, blocks + 1).astype(int).tolist()
        self._blocks = list(zip(bounds, bounds[1:], strict=False))
        self._work = [new_records(self.game.view_record, 1) for _ in range(threads)]
        self._pool: ThreadPoolExecutor | None = None
        self._entries: dict[Any, Any] = {}
        self._one_call: Any = None
        self._one_action = np.zeros(1, np.int64)
        self._each_seat = [np.array([seat], np.int8) for seat in range(self.num_players)]
        self._actors = self._states["actor"]
        self._phases = self._states["phase"]

    def _run(self, work: Callable[[Any, int, int], None]) -> None:
        """Share the rows of the batch among the threads: who is done with a block takes the next."""
        if len(self._work) == 1:
            work(self._work[0], 0, len(self._states))
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._work) - 1)
        blocks = iter(self._blocks)

        def work_on(v: Any) -> None:
            for low, high in blocks:
                work(v, low, high)

        others = [self._pool.submit(work_on, v) for v in self._work[1:]]
        work_on(self._work[0])
        for other in others:
            other.result()

    # --- what is going on ---------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._states)

    @property
    def num_games(self) -> int:
        """N."""
        return len(self._states)

    @property
    def actor(self) -> Any:
        """int8 (N,): the seat that is asked, −1 when the game is over."""
        return self._actors.astype(np.int8)

    @property
    def phase(self) -> Any:
        """int8 (N,): what it is asked, an index into `game.phases`; −1 when the game is over."""
        return self._phases.astype(np.int8)

    @property
    def rewards(self) -> Any:
        """float32 (N, P): the rewards of the last step, by seat; 0 in games that were dealt since."""
        return self._rewards.copy()

    @property
    def terminated(self) -> Any:
        """bool (N,): over by the rules."""
        return self._ends == kernels.TERMINATED

    @property
    def truncated(self) -> Any:
        """bool (N,): cut off by ``max_decisions``."""
        return self._ends == kernels.TRUNCATED

    @property
    def learner(self) -> Any:
        """int8 (N,): the learner's seat, where the seating has one; else −1."""
        return self._learners.copy()

    @property
    def scores(self) -> Any:
        """int32 (N, P): points so far, by seat."""
        return self._states["scores"][:, : self.num_players].copy()

    @property
    def round_points(self) -> Any:
        """int32 (N, P): points of the last finished round, by seat; 0 before one has ended."""
        return self._states["round_points"][:, : self.num_players].copy()

    @property
    def winners(self) -> Any:
        """bool (N, P): who won, once the episode has terminated."""
        return (self._states["winners"][:, None] >> np.arange(self.num_players) & 1).astype(np.bool_)

    @property
    def decisions(self) -> Any:
        """int32 (N,): decisions taken in this episode."""
        return self._states["decisions"].copy()

    def legal(self, out: Any = None) -> Any:
        """bool (N, A): the actions that are legal for the actor; none when the game is over."""
        if out is None:
            return self._mask.copy()
        out[...] = self._mask
        return out

    def observe(self, seat: int | Any | None = None, out: Any = None) -> Any:
        """float32 (N, D): what a seat, or each row's of int8 (N,), observes; by default whoever is asked.

        When nobody is asked, because the game is over, that row is zero.
        """
        if out is None:
            out = np.empty((len(self), self.observation_size), np.float32)
        seats = self._seats(seat)
        self._check_out(out)
        self._run(
            lambda v, low, high: self._call(kernels.observe, (self._states, v, seats, self._full, out, low, high))
        )
        return out

    def advise(self, policy: str) -> Any:
        """int64 (N,): what that scripted policy would do for whoever is asked; 0 where nobody is.

        Raises
        ------
        OptionError
            If there is no such policy.
        """
        number = list(self.game.policies).index(choose("policy", policy, self.game.policies))
        actions = np.zeros(len(self), np.int64)
        self._run(
            lambda v, low, high: self._call(kernels.advise, (self._states, v, self._mask, number, actions, low, high))
        )
        return actions

    def observe_asked(self, rows: Any, encoding: str | None = None) -> Any:
        """float32 (n, D): what whoever is asked observes in games `rows`, int (n,), in any encoding."""
        encoding = choose("encoding", encoding or self.encoding, ENCODINGS)
        rows = np.asarray(rows)
        fits = rows.ndim == 1 and rows.dtype.kind in "iu"
        if not fits or (len(rows) and not 0 <= rows.min() <= rows.max() < len(self)):
            raise OptionError(f"rows are {rows!r}: they must be int (n,) from 0 to {len(self) - 1}.")
        rows = np.ascontiguousarray(rows, np.int64)
        same = encoding == self.encoding
        size = self.observation_size if same else self.game.observation_size(self.num_players, encoding)
        out = np.empty((len(rows), size), np.float32)
        self._call(kernels.observe_asked, (self._states, self._work[0], rows, encoding == "full", out))
        return out

    def _check_out(self, out: Any) -> None:
        """Compiled code writes where it is told: only a float32 (N, D) array, or None for nowhere, may be told."""
        if out is None:
            return
        wanted = (len(self), self.observation_size)
        fits = isinstance(out, np.ndarray) and out.dtype == np.float32 and out.shape == wanted
        if not (fits and out.flags.writeable and out.flags.c_contiguous):
            raise OptionError(f"an array for observations must be float32 {wanted}, contiguous and writeable.")

    def _seats(self, seat: int | Any | None) -> Any:
        if seat is None:
            return self._actor_seats
        seats = np.broadcast_to(np.asarray(seat), (len(self),))
        if seats.dtype.kind not in "iu" or seats.min() < 0 or seats.max() >= self.num_players:
            raise OptionError(f"seat is {seat!r}: it must be a whole number from 0 to {self.num_players - 1}.")
        return seats.astype(np.int8)

    # --- playing ------------------------------------------------------------------------------------------------------

    def reset(
        self,
        where: Any = None,
        *,
        seed: int | Any | None = None,
        options: Mapping[str, Any] | None = None,
        observations: Any = None,
    ) -> None:
        """Deal new episodes.

        Parameters
        ----------
        where
            bool (N,): in which games; in all by default.
        seed
            A whole number of at least 0, or the games' own keys as uint64 (N,); None goes on in each game's stream.
        options
            ``shuffles``: the orders to stack, lists of card names, top card first; ``dealer``: a seat. Other keys
            are ignored.
        observations
            float32 (N, D) to write observations into, in the rows that are dealt.

        Raises
        ------
        OptionError, ShuffleError
            If there is no such seat or card, or shuffle 0 is not the whole deck; nothing has changed then.
        """
        rows = self._all if where is None else self._rows(where)
        todo = self._deal_all if where is None else _todo(rows, kernels.DEAL)
        self._check_out(observations)
        options = options or {}
        dealer = options.get("dealer")
        dealer = NOBODY if dealer is None else require_int("dealer", dealer, 0, self.num_players - 1)
        stack = self._encode_stack(options.get("shuffles"))
        if seed is not None:
            keys = self._keys(seed)
            self._states["key"][rows] = keys[rows]
        self._stack(np.flatnonzero(rows) if stack or self._stacks else (), stack)
        self._advance(todo, None, observations, seed is None, dealer)
        self._after_shuffles(observations, rows)

    def _rows(self, where: Any) -> Any:
        rows = np.asarray(where)
        if rows.shape != (len(self),) or rows.dtype != np.bool_:
            raise OptionError(f"where is {rows.dtype} {rows.shape}: it must be bool ({len(self)},).")
        return rows

    def _keys(self, seed: int | Any) -> Any:
        if isinstance(seed, np.ndarray):
            if seed.shape != (len(self),) or seed.dtype != np.uint64:
                raise OptionError(f"seed is {seed.dtype} {seed.shape}: keys must be uint64 ({len(self)},).")
            keys = seed
        else:
            keys = seed_keys(require_int("seed", seed, 0), len(self))
        self._resample_key = spread(keys[0], 1)[0]
        return keys

    def step(self, actions: Any, observations: Any = None, *, autoreset: bool = False) -> None:
        """Carry out one action in every game, int (N,).

        Games that are over take any action: they stay as they are, or, with `autoreset`, are dealt anew, as by
        `reset`, with rewards of 0. `observations` is as for `reset`, for all rows but those that stay.

        Raises
        ------
        IllegalActionError
            If any action is not legal: names the actor, the phase and the legal actions. No game has changed.
        ShuffleError
            If a stacked shuffle does not fit; that episode cannot go on.
        """
        self._check_out(observations)
        chosen = self._require_actions(actions)
        self._check(chosen)
        if autoreset and self._stacks:
            self._stack(np.flatnonzero(self._ends != kernels.RUNNING), [])
        self._advance(self._step_or_deal_all if autoreset else self._step_all, chosen, observations)
        self._after_shuffles(observations)

    def step_where(self, where: Any, actions: Any, observations: Any = None) -> None:
        """`step`, in the rows of `where`, bool (N,), alone."""
        rows = self._rows(where)
        self._check_out(observations)
        chosen = np.where(rows, self._require_actions(actions), np.argmax(self._mask, axis=1))
        self._check(chosen)
        self._advance(_todo(rows, kernels.STEP), chosen, observations)
        self._after_shuffles(observations)

    def _require_actions(self, actions: Any) -> Any:
        """int64 (N,): compiled code reads just that."""
        chosen = np.asarray(actions)
        if chosen.shape != (len(self),) or chosen.dtype.kind not in "iu":
            raise IllegalActionError(f"actions are {chosen.dtype} {chosen.shape}: they must be int ({len(self)},).")
        return np.ascontiguousarray(chosen, np.int64)

    def step_one(self, action: int, observations: Any = None) -> None:
        """`step` for a single game, by an action that is known to be legal; `observations` float32 (1, D)."""
        if self._stacks:
            self._refuse_faults()
        if self._watcher is not None:
            self._advance(self._step_all, np.array([action]), observations)
            self._after_shuffles(observations)
            return
        if self._one_call is None or self._one_call[0] is not observations:
            self._one_call = (observations, *self._prepare_call(observations))
        _, advance, args = self._one_call
        self._one_action[0] = action
        advance(*args)
        if self._stacks:
            self._after_shuffles(observations)

    def _prepare_call(self, observations: Any) -> tuple[Any, Any]:
        """The kernel's machine code and its arguments for steps of a single game, which are always the same arrays."""
        args = (
            self._states, self._work[0], self._step_all, self._one_action, True, NOBODY, self._seating.lots,
            self._seating.learner, self._players, self._streams, self._learners, self._full, self._rewards, self._mask,
            self._unobserved if observations is None else observations, self._ends, 0, 1,
        )  # fmt: skip
        return entry_point(kernels.advance, *args), args

    def watch(self, watcher: Watcher | None) -> None:
        """Have ``watcher(games, action)`` called after every deal, with None, and every decision of a single game.

        Decisions of scripted seats, which are else taken inside `step`, are among them; what happens is the same.
        A copy is not watched. None ends it.

        Raises
        ------
        OptionError
            If these are several games.
        """
        if len(self) != 1:
            raise OptionError(f"a single game can be watched, and these are {len(self)}.")
        self._watcher = watcher

    def play_out(self, policies: Sequence[str]) -> None:
        """Play every game to its end by scripted policies, one a seat; `rewards` are then the sums from here on.

        Raises
        ------
        OptionError
            If there is no such policy, or not one for each seat.
        """
        if len(policies) != self.num_players:
            raise OptionError(f"policies are {list(policies)}: there must be {self.num_players}, one for each seat.")
        names = list(self.game.policies)
        self._refuse_faults()
        self._players[:] = [names.index(choose("policy", policy, names)) for policy in policies]
        self._rewards[:] = 0.0
        self._resume(self._all, None)
        self._after_shuffles(None)

    def forfeit(self, where: Any) -> None:
        """End the games of `where`, bool (N,), at once: by convention, not by the rules. Nobody wins or is paid."""
        self._states["terminated"][where] = True
        self._states["actor"][where] = NOBODY
        self._states["phase"][where] = NO_PHASE
        self._mask[where] = False
        self._rewards[where] = 0.0
        self._ends[where] = kernels.TERMINATED

    def observe_one(self, seat: int) -> Any:
        """float32 (D,): what a seat of a single game observes."""
        out = np.empty((1, self.observation_size), np.float32)
        self._call(kernels.observe, (self._states, self._work[0], self._each_seat[seat], self._full, out, 0, 1))
        return out[0]

    def _first_illegal(self, actions: Any) -> int:
        """The first game whose action, of int64 (N,), is not legal, −1 if there is none."""
        return int(self._call(kernels.first_illegal, (self._mask, self._ends, actions)))

    def _check(self, actions: Any) -> None:
        self._refuse_faults()
        illegal = self._first_illegal(actions)
        if illegal >= 0:
            raise IllegalActionError(self.explain_illegal(int(actions[illegal]), illegal))

    def _resume(self, rows: Any, observations: Any) -> None:
        """Let scripted seats go on."""
        self._advance(_todo(rows, kernels.RESUME), None, observations, lots=NO_LOTS)

    def _advance(
        self, todo: Any, actions: Any, observations: Any, renew: bool = True, dealer: int = NOBODY, lots: Any = None
    ) -> None:
        """Call the kernel; actions are legal and int64 (N,), or None where no row steps."""
        actions = self._no_actions if actions is None else actions
        out = self._unobserved if observations is None else observations
        lots = self._seating.lots if lots is None else lots
        if self._watcher is None:
            self._call_advance(todo, actions, out, renew, dealer, lots)
        else:
            self._advance_watched(self._watcher, todo, actions, out, renew, dealer, lots)

    def _call_advance(self, todo: Any, actions: Any, out: Any, renew: bool, dealer: int, lots: Any) -> None:
        learner = self._seating.learner
        self._run(
            lambda v, low, high: self._call(
                kernels.advance,
                (
                    self._states, v, todo, actions, renew, dealer, lots, learner, self._players, self._streams,
                    self._learners, self._full, self._rewards, self._mask, out, self._ends, low, high,
                ),
                with_lots=lots is not None,
            )
        )  # fmt: skip

    def _advance_watched(
        self, watcher: Watcher, todo: Any, actions: Any, out: Any, renew: bool, dealer: int, lots: Any
    ) -> None:
        """One decision at a time, scripted seats' as well; `rewards` are their sums, as without a watcher."""
        what, was_over = int(todo[0]), self._ends[0] != kernels.RUNNING
        if what == kernels.STAY or (what == kernels.STEP and was_over):
            return
        if what != kernels.RESUME:
            self._call_advance(todo + np.int8(kernels.PAUSE), actions, out, renew, dealer, lots)
            watcher(self, None if what == kernels.DEAL or was_over else int(actions[0]))
        while self._scripted_is_asked():
            earned, chosen = self._rewards.copy(), np.zeros(1, np.int64)
            self._call(
                kernels.choose_scripted,
                (self._states, self._work[0], self._mask, self._players, self._streams, chosen),
            )
            self._call_advance(self._step_all + np.int8(kernels.PAUSE), chosen, out, False, NOBODY, lots)
            self._rewards += earned
            watcher(self, int(chosen[0]))

    def _scripted_is_asked(self) -> bool:
        """Whether a scripted seat of a single game can go on (`core.state.lacks_orders`)."""
        s, actor = self._states[0], int(self._actors[0])
        lacks_orders = s["loaded"] < s["stacked"] and s["loaded"] < s["shuffles"] + ORDERS_HELD
        return actor != NOBODY and self._players[0, actor] != kernels.OUTSIDE and not lacks_orders

    def _call(self, kernel: Any, args: tuple[Any, ...], with_lots: bool = False) -> Any:
        """Call a kernel by its machine code, of which there is one for each type of its arguments (`lots` varies)."""
        entry = self._entries.get((kernel, with_lots))
        if entry is None:
            entry = self._entries[kernel, with_lots] = entry_point(kernel, *args)
        return entry(*args)

    def explain_illegal(self, action: object, i: int = 0) -> str:
        """Why an action is refused in game i, and which are legal."""
        legal = [self.action_names[a] for a in np.flatnonzero(self._mask[i])]
        named = repr(action)
        if isinstance(action, int) and 0 <= action < len(self.action_names):
            named = f"{action} ({self.action_names[action]})"
        if self._ends[i] != kernels.RUNNING:
            return f"action {named} in game {i}: the episode is over, reset it first."
        return (
            f"action {named} in game {i} is not legal for seat {self._actors[i]} in phase "
            f"{self.game.phases[self._phases[i]]}: legal are {', '.join(legal)}."
        )

    # --- stacked shuffles ---------------------------------------------------------------------------------------------

    def _encode_stack(self, shuffles: Sequence[Sequence[str]] | None) -> list[Any]:
        """Orders as int8 arrays; checks the names of all and the cards of shuffle 0."""
        if shuffles is None:
            return []
        kinds = {kind: k for k, kind in enumerate(self.game.kinds)}
        stack = []
        for number, order in enumerate(shuffles):
            for name in order:
                if name not in kinds:
                    raise ShuffleError(
                        f"shuffle {number}: no card is called {name!r}; the kinds are {', '.join(kinds)}."
                    )
            stack.append(np.array([kinds[name] for name in order], np.int8))
        if stack:
            self._compare(0, stack[0], np.repeat(np.arange(len(kinds)), [self.options.deck[kind] for kind in kinds]))
        return stack

    def _compare(self, number: int, given: Any, shuffled: Any) -> None:
        kinds = self.game.kinds
        surplus = np.bincount(given, minlength=len(kinds)) - np.bincount(shuffled, minlength=len(kinds))
        if surplus.any():
            wrong = [f"{abs(n)} {kinds[k]} too {'many' if n > 0 else 'few'}" for k, n in enumerate(surplus) if n]
            raise ShuffleError(f"shuffle {number} is not the {len(shuffled)} cards being shuffled: {', '.join(wrong)}.")

    def _stack(self, rows: Any, stack: list[Any]) -> None:
        for i in rows:
            self._stacks.pop(int(i), None)
            self._states["stacked"][i] = len(stack)
            if stack:
                self._stacks[int(i)] = stack
                self._load_orders(int(i), 0)

    def _load_orders(self, i: int, first: int) -> None:
        """Lay the orders of the next shuffles, from number `first`, into the record."""
        orders, stack = self._states["orders"][i], self._stacks[i]
        self._states["loaded"][i] = min(first + ORDERS_HELD, len(stack))
        for number in range(first, min(first + ORDERS_HELD, len(stack))):
            order, given = orders[number % ORDERS_HELD], stack[number]
            order[:] = NO_CARD
            order[: len(given)] = given[: len(order)]
            if len(given) > len(order):
                order[0] = NOT_A_CARD  # more cards than there can be: the shuffle itself will refuse it

    def _after_shuffles(self, observations: Any, where: Any = None) -> None:
        """Keep the records supplied with their stacked orders, and tell of one that did not fit."""
        if not self._stacks:
            return
        self._refuse_faults(where)
        for i in self._stacks:
            if not self._states["fault"][i]:  # else the record tells what did not fit
                self._load_orders(i, int(self._states["shuffles"][i]))
        waiting = self._waiting_rows()
        if waiting.any():
            self._resume(waiting, observations)
            self._after_shuffles(observations, where)

    def _waiting_rows(self) -> Any:
        """bool (N,): where a scripted seat is to act, having been stopped for want of orders."""
        waiting = np.zeros(len(self), np.bool_)
        for i in self._stacks:
            actor = self._actors[i]
            waiting[i] = actor != NOBODY and self._players[i, actor] != kernels.OUTSIDE
        return waiting

    def _refuse_faults(self, where: Any = None) -> None:
        for i, stack in self._stacks.items():
            if self._states["fault"][i] and (where is None or where[i]):
                number = int(self._states["faulty"][i])
                shuffled = self._states["orders"][i, (number + 1) % ORDERS_HELD]
                self._compare(number, stack[number], shuffled[shuffled >= 0])

    # --- copies, names, snapshots -------------------------------------------------------------------------------------

    def copy(self) -> "BatchGame":
        """Games that go on identically and independently."""
        return self[:]

    def __getitem__(self, index: int | slice | Any) -> "BatchGame":
        """A copy of one game, or of several by slice, bool (N,) or int array."""
        rows = np.arange(len(self))[index]
        if np.ndim(rows) == 0:
            rows = np.array([rows])
        part: BatchGame = object.__new__(type(self))
        part.__dict__.update(self.__dict__)
        part._allocate(self._states[rows].copy())
        for name in ("_players", "_streams", "_learners", "_mask", "_rewards", "_ends"):
            setattr(part, name, getattr(self, name)[rows].copy())
        part._resample_key = self._resample_key
        part._watcher = None
        part._entries = self._entries
        if self._stacks:
            part._stacks = {i: self._stacks[int(row)] for i, row in enumerate(rows) if int(row) in self._stacks}
        else:
            part._stacks = {}
        return part

    def __getstate__(self) -> dict[str, Any]:
        made_anew = (
            "game",
            "_blocks",
            "_work",
            "_pool",
            "_actors",
            "_phases",
            "_one_action",
            "_each_seat",
            "_entries",
            "_one_call",
        )
        kept = {name: value for name, value in self.__dict__.items() if name not in made_anew}
        return copy.deepcopy(kept | {"_watcher": None}) | {"game": self.game.name}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.game = games.get(kept["game"])
        self._prepare()

    def decision_keys(self) -> Any:
        """uint64 (N,): a number for each decision of each episode, the same whatever else there is in a batch."""
        return derive_all(self._states["key"], DECISION, self._states["decisions"])

    def resample_hidden(self, seat: int | Any | None = None, keys: Any = None) -> "BatchGame":
        """Games that `seat`, by default whoever is asked, cannot tell from these: what it cannot know is drawn anew.

        Every call draws other possibilities, unless it is told by `keys`, uint64 (N,), which. Random numbers to come
        are others than in the true games as well. Episodes that are over stay as they are.
        """
        self._refuse_faults()
        seats = self._seats(seat)
        if keys is None:
            self._resample_key, *fresh = spread(self._resample_key, 1 + len(self))
            keys = np.array(fresh)
        elif np.shape(keys) != (len(self),) or np.asarray(keys).dtype != np.uint64:
            raise OptionError(
                f"keys are {np.asarray(keys).dtype} {np.shape(keys)}: they must be uint64 ({len(self)},)."
            )
        keys = (keys & ~HELD_OUT) | (self._states["key"] & HELD_OUT)
        possible = self.copy()
        possible._stacks = {}
        possible._states["stacked"] = possible._states["loaded"] = 0
        possible._states["orders"] = NO_CARD
        kernels.resample_rows(possible._states, seats, keys, possible._mask)
        possible._streams = derive_all(keys, POLICY)
        return possible

    def action_name(self, action: int) -> str:
        """What an action is called; an `OptionError` if there is none of that number."""
        return self.action_names[require_int("action", action, 0, len(self.action_names) - 1)]

    def action_index(self, name: str) -> int:
        """Which action is called so; an `OptionError` if there is none."""
        return self.action_names.index(choose("action", name, self.action_names))

    def snapshot(self) -> dict[str, Any]:
        """The whole position of a single game, hidden cards included, as plain data; of many take ``games[i]``."""
        if len(self) != 1:
            raise OptionError(f"a snapshot shows one game and these are {len(self)}: take games[i].snapshot().")
        settled = self._states.copy()
        kernels.settle_rows(settled)
        return common(self.game, settled[0], self._mask[0]) | self.game.snapshot(settled[0])


def _todo(rows: Any, what: int) -> Any:
    """What `kernels.advance` is to do: `what` in these rows, nothing in the others."""
    return rows.view(np.int8) * np.int8(what)


def fresh_seed() -> int:
    """A seed from the system's entropy."""
    return int.from_bytes(os.urandom(8), "little")
