"""Uniformly random play has the means that an independent implementation found (spec/statistics.md)."""

import numpy as np
import pytest

from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import scripted_table
from tests.helpers import UNO_DECK, over, random_actions

ROUNDS = 4_000  # as many as the longest row of the table has
STANDARD_ERRORS = 5
OPTIONS = {"auto": {}, "declare": {"uno_calls": "declare"}}


def random_table(game, num_players):
    return scripted_table(game, ["random"] * num_players)


def play_rounds(num_players, **options):
    """Rounds of random actions from outside: decisions by phase, whether anybody drew, whether any was reshuffled."""
    games = BatchGame("uno_all_wild", ROUNDS, seed=2, num_players=num_players, **options)
    rng = np.random.default_rng(3)
    phases = np.zeros(len(games.game.phases), int)
    drew = np.zeros(ROUNDS, bool)
    while not over(games).all():
        actions, live = random_actions(games, rng), ~over(games)
        phases += np.bincount(games.phase[live], minlength=len(phases))
        drew |= live & (actions == games.action_index("draw"))
        games.step(actions)
    return phases, drew, games._states["shuffles"] > 1


def standard_error(share, n):
    return np.sqrt(share * (1 - share) / n)


@pytest.mark.parametrize(
    ("num_players", "calls", "mean", "longest"),
    [(2, "auto", 18.7, 48), (4, "auto", 30.6, 62), (10, "auto", 58.0, 116), (4, "declare", 42.4, 119)],
)
def test_random_rounds_take_as_many_decisions_as_they_should(num_players, calls, mean, longest):
    games = BatchGame("uno_all_wild", ROUNDS, seed=1, num_players=num_players, seating=random_table, **OPTIONS[calls])
    decisions = games.decisions
    assert games.terminated.all()
    rounding = 0.05
    assert abs(decisions.mean() - mean) <= STANDARD_ERRORS * decisions.std() / np.sqrt(ROUNDS) + rounding
    assert longest / 1.5 < decisions.max() < longest * 1.5


@pytest.mark.parametrize(
    ("num_players", "calls", "shares"),
    [
        (2, "auto", (100, 0, 0, 0)),
        (4, "auto", (85, 15, 0, 0)),
        (10, "auto", (85, 15, 0, 0)),
        (4, "declare", (75, 12, 7, 6)),
    ],
)
def test_random_rounds_ask_in_each_phase_as_often_as_they_should(num_players, calls, shares):
    phases, drew, reshuffled = play_rounds(num_players, **OPTIONS[calls])
    rounding = 0.5
    assert np.allclose(100 * phases / phases.sum(), shares, atol=rounding + 0.5)
    if (num_players, calls) == (2, "auto"):
        assert abs(drew.mean() - 0.24) <= STANDARD_ERRORS * standard_error(0.24, ROUNDS) + 0.005
    if (num_players, calls) == (4, "auto"):
        assert abs(drew.mean() - 0.17) <= STANDARD_ERRORS * standard_error(0.17, ROUNDS) + 0.005
    if num_players == 10:
        assert abs(reshuffled.mean() - 0.04) <= STANDARD_ERRORS * standard_error(0.04, ROUNDS) + 0.005


def test_first_dealers_are_uniform():
    games = BatchGame("uno_all_wild", ROUNDS, seed=5, num_players=5)
    dealers = np.bincount(games._states["dealer"], minlength=5) / ROUNDS
    assert np.all(abs(dealers - 0.2) < STANDARD_ERRORS * standard_error(0.2, ROUNDS))


def test_every_place_of_a_shuffle_gets_every_kind_as_often():
    games = BatchGame("uno_all_wild", 1000, seed=6, num_players=2, start_card="ignored")
    positions = [games[i].snapshot() for i in range(1000)]
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
    games = BatchGame("uno_all_wild", 1000, seed=7, num_players=4, start_card="ignored")
    hands = [games[i].snapshot()["hands"] for i in range(1000)]
    for seat in range(4):
        for kind, copies in UNO_DECK.items():
            held = np.array([by_seat[seat].get(kind, 0) for by_seat in hands])
            assert abs(held.mean() - 7 * copies / 112) < STANDARD_ERRORS * held.std() / np.sqrt(1000), (seat, kind)
