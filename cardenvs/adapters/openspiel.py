"""OpenSpiel: importing this module registers every game with `pyspiel`, as ``cardenvs_`` and its name.

A state holds a `Position`, which never changes, so that clones cost nothing. What happens in it is `BatchGame`'s doing.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError, choose, require_int
from cardenvs.core.game import Game, option_names
from cardenvs.core.jit import kernel
from cardenvs.core.state import ORDERS_HELD, new_records
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.dispatch import view
from cardenvs.engine.shuffles import count_orders, distinct_orders
from cardenvs.games import VERSIONS, get

CHANCES = ("sampled", "explicit")
SEED_BYTES = 4
BYTE = 256  # outcomes of a chance node that draws a byte of the seed
MOST_ORDERS = 5_000  # of a deck whose shuffles are explicit
MOST_POINTS, LEAST_SCALE = 50, 100  # no card counts more points in any game, no score is divided by less
NO_ORDER = np.empty(0, np.int8)  # stacked for a shuffle that is not known yet: it is refused, with its cards
UNSEEN = -1  # in place of an action
DIGEST_BYTES = 16
OWN_DECK = "default"  # in place of a deck: pyspiel reads no empty text
BY_CHANCE = -1  # in place of a dealer or a seed


def short_name(game: str) -> str:
    """What `pyspiel.load_game` calls a game."""
    return f"cardenvs_{game}"


# --- positions --------------------------------------------------------------------------------------------------------


class Shuffled(NamedTuple):
    """An outcome of a shuffle: all orders that come to the same position."""

    probability: float
    order: tuple[int, ...]  # one of them, kinds by number, top card first
    after: "Position"


@dataclass(frozen=True)
class Position:
    """A position of a single game, or one in which chance is to choose.

    ``chance`` is what it chooses, None where a seat is asked or all is over: a byte of the ``seed``, of which
    ``number`` holds the first ``drawn``; the ``dealer``; or a ``shuffle`` of ``cards`` that ``action`` waits for, None
    for the deal. ``games`` is then as it was before. ``seen`` are digests of all that each seat has seen.
    """

    games: BatchGame
    seen: tuple[bytes, ...]
    returns: tuple[float, ...]
    rewards: tuple[float, ...]
    dealer: int | None
    chance: str | None
    drawn: int = 0
    number: int = 0
    action: int | None = None
    cards: tuple[int, ...] = ()

    def __deepcopy__(self, memo: Any) -> "Position":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def is_dealt(self) -> bool:
        return self.seen[0] != b""

    @cached_property
    def shuffled(self) -> list[Shuffled]:
        """The outcomes of the shuffle that is to come; orders that make no difference are one."""
        found: dict[bytes, list[Any]] = {}
        orders = list(distinct_orders(self.cards, MOST_ORDERS))
        for order in orders:
            after = _deal_order(self, order) if self.action is None else _play(_with_order(self, order), self.action)
            found.setdefault(_essence(after), [order, after, 0])[2] += 1
        return [Shuffled(count / len(orders), order, after) for order, after, count in found.values()]


@kernel
def look(states, views):  # type: ignore[no-untyped-def]  # Numba types it
    """What every seat may know of the first game, into `views`, (P,) records of zeros."""
    for seat in range(states[0].num_players):
        view(states[0], seat, views[seat])


def _views(games: BatchGame) -> Any:
    """What every seat may know: records (P,)."""
    views = new_records(games.game.view_record, games.num_players)
    look(games._states, views)
    return views


def _chain(seen: bytes, action: int, view: Any) -> bytes:
    """The digest of what was seen before, an action, and what is seen now."""
    return hashlib.blake2b(
        seen + action.to_bytes(2, "big", signed=True) + view.tobytes(), digest_size=DIGEST_BYTES
    ).digest()


def _essence(position: Position) -> bytes:
    """All that what comes after depends on."""
    views: bytes = _views(position.games).tobytes()
    return json.dumps([position.games.snapshot(), position.action, position.cards]).encode() + views


def _begin(games: BatchGame, explicit: bool, dealer: int | None, seed: int | None) -> Position:
    """Before the deal, or after it if nothing is left to chance."""
    nothing = (0.0,) * games.num_players
    start = Position(games, (b"",) * games.num_players, nothing, nothing, dealer, None)
    if seed is not None:
        return _deal(start, seed, {})
    if explicit:
        return replace(start, chance="dealer") if dealer is None else _wait_for_deal(start, dealer)
    return replace(start, chance="seed")


def _wait_for_deal(start: Position, dealer: int) -> Position:
    return replace(start, dealer=dealer, chance="shuffle", cards=_whole_deck(start.games))


def _whole_deck(games: BatchGame) -> tuple[int, ...]:
    """Every card, as its kind's number."""
    return tuple(k for k, kind in enumerate(games.game.kinds) for _ in range(games.options.deck[kind]))


def _deal_order(start: Position, order: tuple[int, ...]) -> Position:
    return _deal(start, 0, {"shuffles": [[start.games.game.kinds[k] for k in order], ()]})


def _deal(start: Position, seed: int, options: Mapping[str, Any]) -> Position:
    games = start.games.copy()
    games.reset(seed=seed, options={"dealer": start.dealer, **options})
    seen = tuple(_chain(b"", UNSEEN, view) for view in _views(games))
    return replace(start, games=games, seen=seen, chance=None, cards=())


def _play(position: Position, action: int) -> Position:
    """After an action, which must be legal; or before it, if a shuffle has to be known first."""
    games = position.games.copy()
    try:
        games.step(np.array([action]))
    except ShuffleError:
        return replace(position, chance="shuffle", action=action, cards=_unknown_cards(games))
    earned = _exact(games)
    returns = tuple(before + now for before, now in zip(position.returns, earned, strict=True))
    seen = _see(position, action, _views(games))
    return Position(games, seen, returns, earned, position.dealer, None)


def _see(position: Position, action: int, views: Any) -> tuple[bytes, ...]:
    before, is_secret = position.games.snapshot(), position.games.game.portrayal.is_secret
    return tuple(
        _chain(seen, UNSEEN if is_secret(before, seat) else action, views[seat])
        for seat, seen in enumerate(position.seen)
    )


def _exact(games: BatchGame) -> tuple[float, ...]:
    """The last rewards, float32, so that they add up to 0 as float64: shares of a win are fractions."""
    rewards = games.rewards[0].astype(float)
    if games.options.reward == "win":
        return tuple(float(Fraction(reward).limit_denominator(games.num_players)) for reward in rewards)
    return tuple((rewards - rewards.mean()).tolist())


def _unknown_cards(games: BatchGame) -> tuple[int, ...]:
    """The cards of the shuffle that was refused for want of an order, sorted (`core.table.lay_in_order`)."""
    cards = games._states["orders"][0, (int(games._states["faulty"][0]) + 1) % ORDERS_HELD]
    return tuple(sorted(cards[cards >= 0].tolist()))


def _with_order(position: Position, order: tuple[int, ...]) -> Position:
    """With the order of the next shuffle known."""
    games = position.games.copy()
    _stack(games, [*games._stacks[0][:-1], np.array(order, np.int8), NO_ORDER])
    return replace(position, games=games, chance=None, action=None, cards=())


def _stack(games: BatchGame, stack: list[Any]) -> None:
    """Stack these orders in the midst of a game."""
    games._stacks = {0: stack}
    games._states["stacked"] = len(stack)
    games._load_orders(0, int(games._states["shuffles"][0]))


def _choose(position: Position, outcome: int) -> Position:
    """After chance has chosen."""
    if position.chance == "shuffle":
        return position.shuffled[outcome].after
    if position.chance == "dealer":
        return _wait_for_deal(position, outcome)
    number, drawn = position.number * BYTE + outcome, position.drawn + 1
    if drawn < SEED_BYTES:
        return replace(position, number=number, drawn=drawn)
    return _deal(position, number, {})


def _resample(position: Position, seat: int, key: int) -> Position:
    """A position that `seat` cannot tell from this one; the others remember nothing but what they would know now."""
    games = position.games.resample_hidden(seat, keys=np.array([key], np.uint64))
    if position.games._stacks:
        _stack(games, [NO_ORDER] * (int(games._states["shuffles"][0]) + 1))
    views = _views(games)
    seen = tuple(s if other == seat else _chain(b"", UNSEEN, views[other]) for other, s in enumerate(position.seen))
    return replace(position, games=games, seen=seen)


def _in_words(games: BatchGame, view: Any) -> str:
    """A view, field by field; cards go by name, with how many there are."""
    kinds, told = games.game.kinds, []
    for name in view.dtype.names:
        value = view[name]
        if value.dtype.kind == "f":
            continue  # what was worked out from the rest
        if value.shape == (len(kinds),):
            told.append(f"{name}: {' '.join(f'{kinds[k]}={value[k]}' for k in np.flatnonzero(value).tolist()) or '-'}")
        elif value.ndim == 2:
            told.append(
                f"{name}: {' '.join(f'{r}.{kinds[k]}={value[r, k]}' for r, k in np.argwhere(value).tolist()) or '-'}"
            )
        else:
            told.append(f"{name}: {' '.join(str(int(n)) for n in np.atleast_1d(value)[: games.num_players])}")
    return ", ".join(told)


# --- what pyspiel sees ------------------------------------------------------------------------------------------------


class CardState(pyspiel.State):
    """A state; its one attribute is its `Position`."""

    def __init__(self, game: "CardGame") -> None:
        super().__init__(game)
        self.position = game.start

    def current_player(self) -> int:
        if self.position.chance is not None:
            return int(pyspiel.PlayerId.CHANCE)
        actor = int(self.position.games.actor[0])
        return actor if actor >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(np.flatnonzero(self.position.games.legal()[0]).tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its exact probability."""
        position = self.position
        if position.chance == "shuffle":
            return [(i, outcome.probability) for i, outcome in enumerate(position.shuffled)]
        n = BYTE if position.chance == "seed" else position.games.num_players
        return [(i, 1 / n) for i in range(n)]

    def _apply_action(self, action: int) -> None:
        if self.position.chance is not None:
            self.position = _choose(self.position, action)
        elif self.is_terminal():
            raise IllegalActionError(self.position.games.explain_illegal(action))
        else:
            self.position = _play(self.position, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return self.position.games.action_name(action)
        if self.position.chance != "shuffle":
            return f"{self.position.chance or 'outcome'} {action}"
        kinds = self.position.games.game.kinds
        return "shuffle " + " ".join(kinds[k] for k in self.position.shuffled[action].order)

    def returns(self) -> list[float]:
        return list(self.position.returns)

    def rewards(self) -> list[float]:
        """What the last decision has earned."""
        chance = self.position.chance is not None
        return [0.0] * self.num_players() if chance else list(self.position.rewards)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "CardState":
        """A state that `player` cannot tell from this one, drawn by `sampler`, numbers from 0 to below 1.

        It has no history, which would tell the true deal, and the other seats have forgotten how they came there.

        Raises
        ------
        OptionError
            If there is no such player, or chance is to choose.
        """
        seat = require_int("player", player, 0, self.num_players() - 1)
        if self.position.chance is not None:
            raise OptionError(
                "resample_from_infostate: chance is to choose, and nobody is asked: apply an outcome first."
            )
        possible: CardState = self.get_game().new_initial_state()
        possible.position = _resample(self.position, seat, int(sampler() * 2**53))
        return possible

    def __str__(self) -> str:
        """Everything, hidden cards included."""
        position = self.position
        shown = position.games.snapshot() if position.is_dealt else {}
        waiting = {"chance": position.chance, "number": position.number, "cards": position.cards}
        return json.dumps(shown | (waiting if position.chance else {}))


class CardObserver:
    """What a seat observes: ``observation``, float32 (D,), or, with perfect recall, a string alone."""

    def __init__(self, games: BatchGame, kind: Any, params: Any) -> None:
        if params:
            raise OptionError(f"observers have no parameters, but were given {params}.")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise OptionError("observers show what is public together with what one player sees: nothing less or more.")
        self.perfect_recall = kind.perfect_recall
        self.tensor = None if self.perfect_recall else np.zeros(games.observation_size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: CardState, player: int) -> None:
        """Fill the tensor; zeros before the deal."""
        if self.tensor is not None:
            position = state.position
            self.tensor[:] = position.games.observe_one(player) if position.is_dealt else 0.0

    def string_from(self, state: CardState, player: int) -> str:
        """What is seen now, and with perfect recall a digest of all that was seen before."""
        position = state.position
        if not position.is_dealt:
            return f"seat {player}: nothing is dealt"
        now = f"seat {player}: {_in_words(position.games, _views(position.games)[player])}"
        return f"{now}, history: {position.seen[player].hex()}" if self.perfect_recall else now


class CardGame(pyspiel.Game):
    """A game with pyspiel's parameters (`parameters`); every game has a class of its own, with its name in ``name``.

    Raises
    ------
    OptionError
        If a parameter, or its value, is not one of the game's.
    """

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = get(self.name)
        known = parameters(game)
        for key in params or {}:
            choose(f"{short_name(self.name)}: parameter", key, known)
        params = known | dict(params or {})
        games = BatchGame(game, seed=0, encoding=params["encoding"], **_options(game, params))
        explicit = choose("chance", params["chance"], CHANCES) == "explicit"
        dealer = require_int("dealer", params["dealer"], BY_CHANCE, games.num_players - 1)
        seed = require_int("seed", params["seed"], BY_CHANCE)
        if explicit and seed != BY_CHANCE:
            raise OptionError(
                f"seed is {seed}: with chance=explicit it must be {BY_CHANCE}, as it would decide nothing."
            )
        self.start = _begin(games, explicit, _unless_by_chance(dealer), _unless_by_chance(seed))
        most = _most_reward(games)
        decisions = games.options.max_decisions
        nodes, outcomes = SEED_BYTES, BYTE
        if explicit:
            nodes, outcomes = 1 + ORDERS_HELD * (1 + decisions), max(games.num_players, _count_orders(games))
        elif seed != BY_CHANCE:
            nodes = outcomes = 0
        self._most_chance_nodes = nodes
        info = pyspiel.GameInfo(
            num_distinct_actions=len(games.action_names),
            max_chance_outcomes=outcomes,
            num_players=games.num_players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(game_type(game, _pays_by_round(games), outcomes > 0), info, params)

    def new_initial_state(self) -> CardState:
        """Before the deal, or after it if nothing is left to chance."""
        return CardState(self)

    def max_chance_nodes_in_history(self) -> int:
        """No episode has more."""
        return self._most_chance_nodes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CardObserver:
        """What `pyspiel` observes states by."""
        return CardObserver(self.start.games, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


# --- parameters -------------------------------------------------------------------------------------------------------


def parameters(game: Game) -> dict[str, Any]:
    """The parameters that `pyspiel` is told of, with their defaults."""
    own = {
        "num_players": min(4, game.players[1]),
        "episode": "round",
        "reward": "win",
        "max_decisions": 0,  # the game's own
        "target_score": game.target_score,
        "deck": OWN_DECK,
        **{name: switch.default for name, switch in game.switches.items()},
    }
    mine = {"chance": "sampled", "dealer": BY_CHANCE, "encoding": "full", "seed": BY_CHANCE}
    return {name: own[name] for name in option_names(game)} | mine


def _options(game: Game, params: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are the game's own options."""
    options = {name: params[name] for name in option_names(game)}
    if "deck" in options:
        options["deck"] = parse_deck(game, options["deck"])
    return options | {"max_decisions": options["max_decisions"] or None}


def parse_deck(game: Game, text: str) -> dict[str, int] | None:
    """A deck of ``kind:copies`` with ``;`` between them, kinds that are left out with none; None for `OWN_DECK`."""
    if text == OWN_DECK:
        return None
    deck = dict.fromkeys(game.kinds, 0)
    for part in text.split(";"):
        kind, _, copies = part.partition(":")
        if not copies.isdecimal():
            raise OptionError(f"deck is {text!r}: it must be {OWN_DECK} or like {game.kinds[0]}:10;{game.kinds[1]}:5.")
        deck[choose("deck: kind", kind, game.kinds)] = int(copies)
    return deck


def _unless_by_chance(number: int) -> int | None:
    return None if number == BY_CHANCE else number


def _pays_by_round(games: BatchGame) -> bool:
    """Whether rewards come before the end."""
    return games.options.episode == "match" and games.options.reward == "score"


def _most_reward(games: BatchGame) -> float:
    """What nobody's sum of rewards can exceed: 1, or for points a loose bound."""
    options = games.options
    if options.reward == "win":
        return 1.0
    points = MOST_POINTS * sum(options.deck.values()) + (options.target_score if _pays_by_round(games) else 0)
    return points / LEAST_SCALE


def _count_orders(games: BatchGame) -> int:
    """How many orders the deck has; an `OptionError` if these are too many."""
    return count_orders(_whole_deck(games), MOST_ORDERS)


def game_type(game: Game, pays_by_round: bool = False, has_chance: bool = True) -> Any:
    """What `pyspiel` is told of a game.

    Chance is called explicit in both of its modes, since every outcome has its probability. Where it is called sampled
    OpenSpiel keeps a game by the state of random numbers of its own, which a game in Python cannot give it.
    """
    kinds, rewards = pyspiel.GameType.ChanceMode, pyspiel.GameType.RewardModel
    return pyspiel.GameType(
        short_name=short_name(game.name),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=kinds.EXPLICIT_STOCHASTIC if has_chance else kinds.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=rewards.REWARDS if pays_by_round else rewards.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(game),
    )


def _make_class(name: str) -> type[CardGame]:
    """The class of one game: what is registered must not be a function, which pyspiel would let go of too late."""
    return type(name.title().replace("_", ""), (CardGame,), {"name": name})


CLASSES = {name: _make_class(name) for name in VERSIONS}
globals().update({made.__name__: made for made in CLASSES.values()})  # where pickle looks for them


def register() -> None:
    """Register every game with `pyspiel`; importing this module does so."""
    for name, made in CLASSES.items():
        pyspiel.register_game(game_type(get(name)), made)


register()
