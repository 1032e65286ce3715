"""Uniformly random play has the means that an independent implementation found (spec/statistics.md)."""

from typing import NamedTuple

import numpy as np
import pytest

from cardenvs import games
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import scripted_table
from tests.helpers import UNO_DECK, over, random_actions
from tests.tables import every_game

ROUNDS = 4_000  # as many as the longest row of the table has
STANDARD_ERRORS = 5


class Row(NamedTuple):
    """What is known of random rounds. Phases in percent of decisions, in the order in which the game numbers them."""

    name: str
    num_players: int
    options: dict
    mean: str
    p99: int
    longest: int
    phases: str
    also: dict  # by what `measure` calls it


ROWS = [
    Row("uno_all_wild", 2, {}, "18.7", 39, 48, "100 0 0 0", {"draws": "0.24"}),
    Row("uno_all_wild", 4, {}, "30.6", 53, 62, "85 15 0 0", {"draws": "0.17"}),
    Row("uno_all_wild", 10, {}, "58.0", 92, 116, "85 15 0 0", {"reshuffles": "0.04"}),
    Row("uno_all_wild", 4, {"uno_calls": "declare"}, "42.4", 92, 119, "75 12 7 6", {}),
    Row("twice_the_fun", 2, {}, "66", 229, 379, "86 0 8 1.5 4 0", {"without a choice": "0.56"}),
    Row("twice_the_fun", 4, {}, "84", 206, 302, "71 14 8 2 3.5 1.4", {}),
    Row("twice_the_fun", 10, {}, "149", 272, 418, "67 14 11 2.6 3.5 1.8", {"reshuffles": "1.1"}),
    Row("twits", 2, {}, "29.0", 43, 48, "30 70", {"shared": "0.13"}),
    Row("twits", 4, {}, "48.0", 60, 65, "28 72", {"third sets": "0.77"}),
    Row("twits", 5, {}, "46.3", 54, 60, "", {}),
    Row("wild_twists", 2, {}, "726", 2832, 5166, "94 6", {"reshuffles": "36", "in a war": "0.12"}),
]
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(map(str, [*row[:2], *row.options.values()])))


def random_table(game, num_players):
    return scripted_table(game, ["random"] * num_players)


def rounding(figure):
    """By how much a printed figure may differ from what it stands for."""
    return 0.5 * 10.0 ** -len(figure.partition(".")[2])


def standard_error(share, n):
    return np.sqrt(share * (1 - share) / n)


def measure(row):
    """Rounds of random actions from outside: decisions by phase, and by name samples of what is known besides."""
    batch = BatchGame(row.name, ROUNDS, seed=2, num_players=row.num_players, **row.options)
    draw = batch.action_index("draw") if "draw" in batch.action_names else None
    rng = np.random.default_rng(3)
    phases = np.zeros(len(batch.game.phases), int)
    drew, forced = np.zeros(ROUNDS, bool), 0
    while not over(batch).all():
        actions, live = random_actions(batch, rng), ~over(batch)
        phases += np.bincount(batch.phase[live], minlength=len(phases))
        drew |= live & (actions == draw)
        forced += (live & (batch.phase == 0) & (batch.legal().sum(axis=1) == 1)).sum()
        batch.step(actions)
    return phases, {
        "draws": drew,
        "reshuffles": batch._states["shuffles"] - 1,
        "without a choice": np.arange(phases[0]) < forced,
        "shared": batch.winners.sum(axis=1) > 1,
        "third sets": (batch._states["sets"] == 3).any(axis=1) if row.name == "twits" else None,
        "in a war": (batch._states["up_sizes"] > 0).any(axis=1) if row.name == "wild_twists" else None,
    }


@every_row
def test_random_rounds_take_as_many_decisions_as_they_should(row):
    batch = BatchGame(row.name, ROUNDS, seed=1, num_players=row.num_players, seating=random_table, **row.options)
    decisions = batch.decisions
    assert batch.terminated.all()
    error = STANDARD_ERRORS * decisions.std() / np.sqrt(ROUNDS) + rounding(row.mean)
    assert abs(decisions.mean() - float(row.mean)) <= error
    assert np.percentile(decisions, 99) == pytest.approx(row.p99, rel=0.1)
    assert row.longest / 1.5 < decisions.max() < row.longest * 1.5


@every_row
def test_random_rounds_ask_in_each_phase_as_often_as_they_should(row):
    phases, samples = measure(row)
    for figure, share in zip(row.phases.split(), 100 * phases / phases.sum(), strict=bool(row.phases)):
        assert abs(share - float(figure)) <= rounding(figure) + 0.2
    for what, figure in row.also.items():
        sample = samples[what]
        error = STANDARD_ERRORS * sample.std() / np.sqrt(len(sample)) + rounding(figure)
        assert abs(sample.mean() - float(figure)) <= error, what


@every_game
def test_first_dealers_are_uniform(name):
    players = games.get(name).players[1]
    dealers = np.bincount(BatchGame(name, ROUNDS, seed=5, num_players=players)._states["dealer"], minlength=players)
    share = 1 / players
    assert np.all(abs(dealers / ROUNDS - share) < STANDARD_ERRORS * standard_error(share, ROUNDS))


def test_every_place_of_a_shuffle_gets_every_kind_as_often():
    batch = BatchGame("uno_all_wild", 1000, seed=6, num_players=2, start_card="ignored")
    positions = [batch[i].snapshot() for i in range(1000)]
    places = {
        "top of the draw pile": [position["draw_pile"][0] for position in positions],
        "bottom of the draw pile": [position["draw_pile"][-1] for position in positions],
        "first discard": [position["discard_pile"][0] for position in positions],
    }
    for place, cards in places.items():
        for kind, copies in UNO_DECK.items():
            share = copies / 112
            assert abs(cards.count(kind) / 1000 - share) < STANDARD_ERRORS * standard_error(share, 1000), (place, kind)


def test_hands_hold_every_kind_as_often():
    batch = BatchGame("uno_all_wild", 1000, seed=7, num_players=4, start_card="ignored")
    hands = [batch[i].snapshot()["hands"] for i in range(1000)]
    for seat in range(4):
        for kind, copies in UNO_DECK.items():
            held = np.array([by_seat[seat].get(kind, 0) for by_seat in hands])
            assert abs(held.mean() - 7 * copies / 112) < STANDARD_ERRORS * held.std() / np.sqrt(1000), (seat, kind)
