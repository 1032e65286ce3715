"""What a game is to everything above it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardenvs.core import sections as observation_sections
from cardenvs.core.errors import OptionError, choose, require_int
from cardenvs.core.portrayal import Portrayal
from cardenvs.core.sections import Section
from cardenvs.core.state import new_records
from cardenvs.core.table import settle_pile

ENCODINGS = ("full", "compact")
REWARDS = ("win", "score")


@dataclass(frozen=True)
class Switch:
    """An option of a game's own that chooses one of two readings of a rule: `choices[1]` sets the field."""

    field: str
    choices: tuple[str, str]
    default: str
    meaning: str


@dataclass(frozen=True)
class Game:
    """The contract of a game: its names, records and verbs.

    The verbs are compiled functions of one record (`s` a state, `v` a view):

    - ``deal(s, dealer)``: a new episode, up to its first decision
    - ``apply(s, action)``: a legal action and all that follows, up to the next decision or the end
    - ``legal(s, mask)``: fill the actor's action mask, bool (A,)
    - ``view(s, seat, v)``: what that seat may know
    - ``encode(v, full, out)``: the observation of a view, float32 (D,), in [−1, 1]
    - ``resample(s, seat, key)``: put one of the possibilities in place of what that seat cannot know
    - ``act(v, mask, noise, policy)``: the action of scripted policy number `policy`; `noise` is 64 random bits
    - ``fault_of(s, counts)``: which invariant does not hold, an index into `core.invariants.FAULTS`, 0 if all do
    - ``settle(s)``: give every card that is drawn lazily its place, so that it can be read

    ``snapshot(s)``, the game's own part of the snapshot of a settled record, and ``portrayal``, how snapshots are shown
    to people, are plain Python.
    """

    name: str
    title: str
    players: tuple[int, int]
    state: np.dtype[Any]
    view_record: np.dtype[Any]
    kinds: Sequence[str]
    phases: Sequence[str]
    choices: Sequence[str]  # all actions but those that choose a seat
    policies: Sequence[str]
    sections: Sequence[Section]
    default_deck: Mapping[str, int]
    deck_sizes: Callable[[int], tuple[int, int]] | None  # fewest and most cards for P players; None: always the same
    max_decisions: Mapping[str, int]  # by the episodes that there are
    target_score: int | None  # None where there are no matches
    deal: Any
    apply: Any
    legal: Any
    view: Any
    encode: Any
    resample: Any
    act: Any
    fault_of: Any
    snapshot: Callable[[Any], dict[str, Any]]
    portrayal: Portrayal
    settle: Any = settle_pile
    switches: Mapping[str, Switch] = field(default_factory=dict)
    targets: bool = True  # whether seats are chosen
    penalty_points: bool = False  # whether points are bad

    def actions(self, num_players: int) -> list[str]:
        """The name of every action, in index order; `seat_1` … `seat_{P−1}`, where seats are chosen, come last."""
        seats = [f"seat_{r}" for r in range(1, num_players)] if self.targets else []
        return [*self.choices, *seats]

    def observation_size(self, num_players: int, encoding: str = "full") -> int:
        return observation_sections.size(self.sections, num_players, encoding)


@dataclass(frozen=True)
class Options:
    """Options of a game, checked and with their defaults filled in."""

    num_players: int
    episode: str
    reward: str
    target_score: int
    max_decisions: int
    deck: dict[str, int]
    own: dict[str, str]


def option_names(game: Game) -> list[str]:
    """The options that a game has."""
    names = ["num_players", "episode", "reward", "max_decisions"]
    if game.target_score is not None:
        names.append("target_score")
    if game.deck_sizes is not None:
        names.append("deck")
    return [*names, *game.switches]


def resolve_options(game: Game, given: Mapping[str, Any]) -> Options:
    """Check options and fill in what is left out.

    Raises
    ------
    OptionError
        Names the option, what was given and what is allowed.
    """
    for name in given:
        choose(f"{game.name}: option", name, option_names(game))
    num_players = require_int("num_players", given.get("num_players", min(4, game.players[1])), *game.players)
    episode = choose("episode", given.get("episode", "round"), game.max_decisions)
    own = {
        name: choose(name, given.get(name, switch.default), switch.choices) for name, switch in game.switches.items()
    }
    return Options(
        num_players=num_players,
        episode=episode,
        reward=choose("reward", given.get("reward", "win"), REWARDS),
        target_score=_positive("target_score", given, game.target_score or 0),
        max_decisions=_positive("max_decisions", given, game.max_decisions[episode]),
        deck=_resolve_deck(game, given.get("deck"), num_players),
        own=own,
    )


def as_keywords(game: Game, options: Options) -> dict[str, Any]:
    """Options as they are given to environments, but for `num_players`: all that the game has."""
    names = option_names(game)
    known = {name: getattr(options, name) for name in names if name not in options.own and name != "num_players"}
    return known | options.own


def _positive(name: str, given: Mapping[str, Any], default: int) -> int:
    value = given.get(name)
    return default if value is None else require_int(name, value, 1, 2**31 - 1)


def _resolve_deck(game: Game, deck: Any, num_players: int) -> dict[str, int]:
    if deck is None or game.deck_sizes is None:
        return dict(game.default_deck)
    if not isinstance(deck, Mapping):
        raise OptionError(f"deck is {deck!r}: it must map the name of every kind to its copies.")
    for name in deck:
        choose("deck: kind", name, game.kinds)
    missing = [kind for kind in game.kinds if kind not in deck]
    if missing:
        raise OptionError(
            f"deck does not name {', '.join(missing)}: every kind must be named, with 0 if it has no copies."
        )
    fewest, most = game.deck_sizes(num_players)
    copies = {kind: require_int(f"deck[{kind!r}]", deck[kind], 0, most) for kind in game.kinds}
    total = sum(copies.values())
    if not fewest <= total <= most:
        raise OptionError(f"deck has {total} cards: {game.name} with {num_players} players needs {fewest} to {most}.")
    return copies


def new_states(game: Game, options: Options, n: int) -> Any:
    """`n` records of a game with these options, not dealt yet."""
    states = new_records(game.state, n)
    states["num_players"] = options.num_players
    states["match"] = options.episode == "match"
    states["score_reward"] = options.reward == "score"
    states["target_score"] = options.target_score
    states["max_decisions"] = options.max_decisions
    copies = np.array([options.deck[kind] for kind in game.kinds])
    states["deck"] = copies
    if "copy_share" in (game.state.names or ()):
        states["copy_share"] = np.where(copies > 0, 1 / np.maximum(copies, 1), 0)
    for name, switch in game.switches.items():
        states[switch.field] = options.own[name] == switch.choices[1]
    states["actor"] = -1
    states["phase"] = -1
    states["terminated"] = True
    return states
