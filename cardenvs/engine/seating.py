"""Who plays which seat of a batch: the caller, or scripted policies that are played inside a step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardenvs.core.errors import OptionError, choose, require_int
from cardenvs.core.game import Game
from cardenvs.core.state import NOBODY
from cardenvs.engine.kernels import ANY_SEAT

Opponent = str | Callable[..., Any]
Opponents = Opponent | Sequence[Opponent] | Mapping[Opponent, float]


@dataclass(frozen=True)
class Seating:
    """`learner`: its seat, ANY_SEAT for one drawn by lot each episode, NOBODY if every seat acts from outside.

    `lots`, float64 (P, 1 + policies): by place clockwise from the learner, the cumulative chances that the seat acts
    from outside or by each scripted policy, drawn anew each episode; None where every seat acts from outside.
    `outsiders` are the callables that play the seats from outside but the learner's, and `outsider_lots`, float64
    (P, outsiders), the cumulative chances of each there.
    """

    learner: int
    lots: Any
    outsiders: tuple[Callable[..., Any], ...] = ()
    outsider_lots: Any = None


def everybody_outside(game: Game, num_players: int) -> Seating:
    """Every action comes from the caller."""
    return Seating(NOBODY, None)


def scripted_table(game: Game, policies: Sequence[str | None]) -> Seating:
    """Every seat, from seat 0, plays by the policy of that name, None for a seat that acts from outside.

    Where all are scripted, a game plays itself to its end as it is dealt.
    """
    outside = np.ones(1 + len(game.policies))
    return Seating(NOBODY, np.array([outside if name is None else _chances(game, [(name, 1.0)]) for name in policies]))


def seat_learner(game: Game, num_players: int, opponents: Opponents, seat: int | str) -> Seating:
    """One learner from outside, and its opponents.

    Parameters
    ----------
    opponents
        A policy's name or a callable, for all of them; P−1 of these, clockwise from the learner; or a mapping of these
        to weights, from which each opponent is drawn by lot each episode.
    seat
        The learner's seat, or ``"random"`` to have it drawn by lot each episode.

    Raises
    ------
    OptionError
        If there is no such seat or policy, or a list has not P−1 opponents.
    """
    learner = ANY_SEAT if seat == "random" else _require_seat(seat, num_players)
    others = _weights_by_place(opponents, num_players)
    outsiders = {id(opponent): opponent for weights in others for opponent, _ in weights if callable(opponent)}
    own_seat = np.ones(1 + len(game.policies))
    lots = np.array([own_seat, *(_chances(game, weights) for weights in others)])
    if not outsiders:
        return Seating(learner, lots)
    shares = np.zeros((num_players, len(outsiders)))
    for place, weights in enumerate(others, 1):
        for opponent, weight in weights:
            if callable(opponent):
                shares[place, list(outsiders).index(id(opponent))] += weight
    totals = shares.sum(axis=1, keepdims=True)
    outsider_lots = np.cumsum(shares, axis=1) / np.where(totals > 0, totals, 1.0)
    return Seating(learner, None if (lots == 1.0).all() else lots, tuple(outsiders.values()), outsider_lots)


def _weights_by_place(opponents: Opponents, num_players: int) -> list[list[tuple[Opponent, float]]]:
    """Of each opponent, clockwise from the learner, who may play it, with weights."""
    if isinstance(opponents, str) or callable(opponents):
        return [[(opponents, 1.0)]] * (num_players - 1)
    if isinstance(opponents, Mapping):
        return [list(opponents.items())] * (num_players - 1)
    if not isinstance(opponents, Sequence):
        raise OptionError(
            f"opponents are {opponents!r}: they must be a policy's name or a callable, {num_players - 1} of these, or "
            "weights of these."
        )
    if len(opponents) != num_players - 1:
        raise OptionError(
            f"opponents are {list(opponents)}: with {num_players} players there must be {num_players - 1}."
        )
    return [[(opponent, 1.0)] for opponent in opponents]


def _require_seat(seat: object, num_players: int) -> int:
    if isinstance(seat, str):
        raise OptionError(f"seat is {seat!r}: it must be 'random' or a whole number from 0 to {num_players - 1}.")
    return require_int("seat", seat, 0, num_players - 1)


def _chances(game: Game, weights: Sequence[tuple[Opponent, float]]) -> Any:
    """Cumulative chances of OUTSIDE, which stands for all callables, and of each policy."""
    chances = np.zeros(1 + len(game.policies))
    for name, weight in weights:
        if not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
            raise OptionError(f"opponents: the weight of {name!r} is {weight!r}: it must be a number of at least 0.")
        if callable(name):
            chances[0] += weight
        else:
            chances[1 + list(game.policies).index(choose("opponents: policy", name, game.policies))] = weight
    if chances.sum() <= 0:
        raise OptionError("opponents: at least one weight must be above 0.")
    return np.cumsum(chances) / chances.sum()
