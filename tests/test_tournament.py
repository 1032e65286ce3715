"""Tournaments: ratings that are known, results that are kept."""

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from rich.console import Console

from cardenvs.core.errors import OptionError
from training import matches, tournament
from training.cli import CONFIGS
from training.plots import plot_matrix


def rates_of(ratings, num_players):
    """The win rates that ratings stand for."""
    strengths = 10 ** (np.array(ratings) / 400)
    return strengths[:, None] / (strengths[:, None] + (num_players - 1) * strengths)


@pytest.mark.parametrize("num_players", [2, 4, 10])
def test_ratings_are_found_again(num_players):
    truth = [0.0, 120.0, -75.0, 300.0]
    np.testing.assert_allclose(tournament.fit_ratings(rates_of(truth, num_players), num_players), truth, atol=1e-6)


def test_who_always_wins_gets_a_rating_nonetheless():
    ratings = tournament.fit_ratings(np.array([[np.nan, 0.0], [1.0, np.nan]]), 2)
    assert ratings[0] == 0 and 1000 < ratings[1] < 2000


def test_intervals_are_those_of_the_win_rate():
    """For two agents a rating is a function of one win rate: d rating = 400/ln 10 · d p / (p(1−p))."""
    p = rates_of([0.0, 100.0], 2)[1, 0]

    def rate(error):
        win_rate = {"mean": p, "low": p - 1.96 * error, "high": p + 1.96 * error}
        return tournament.rate(["a", "b"], [{"name": "b", "other": "a", "win_rate": win_rate}], 2)[1]

    for error in (0.02, 0.005):
        rating = rate(error)
        assert rating.mean == pytest.approx(100, abs=1e-6)
        reach = 1.96 * 400 / np.log(10) * error / (p * (1 - p))
        assert rating.high - rating.mean == pytest.approx(reach, rel=0.15)
        assert rating.mean - rating.low == pytest.approx(reach, rel=0.15)


def config_of(*choices):
    with initialize_config_dir(str(CONFIGS), version_base=None):
        return compose("tournament", list(choices))


def test_a_tournament_is_played_kept_and_shown(tmp_path, monkeypatch):
    config = config_of("game.num_players=2", "deals=300", "agents=[random,greedy,expert]")
    path, console = tmp_path / "pairings.json", Console(quiet=True)
    pairings = tournament.play_pairings(config, path, console)
    assert len(pairings) == 3
    assert len({pairing["seed"] for pairing in pairings}) == 3
    names = list(config.agents)
    rates, errors = tournament.win_rates(names, pairings)
    assert (np.isnan(rates) == np.isnan(errors)).all() and np.count_nonzero(~np.isnan(rates)) == 3
    ratings = tournament.rate(names, pairings, 2)
    assert 0 == ratings[0].mean < ratings[1].mean < ratings[2].low
    table = tournament.tournament_table(
        names, pairings, ratings, tournament.alpha_rank(tournament.payoff_matrix(names, pairings, 2), 2)
    )
    assert [*table.columns[0].cells] == ["expert", "greedy", "random"]
    plot_matrix(names, rates, 0.5, tmp_path / "tournament.png")
    assert (tmp_path / "tournament.png").stat().st_size > 10_000
    monkeypatch.setattr(matches, "play_match", lambda *_: pytest.fail("it was played already"))
    assert tournament.play_pairings(config, path, console) == pairings


def test_with_more_players_both_of_a_pair_play_alone_against_the_other(tmp_path):
    config = config_of("game.num_players=3", "deals=100", "agents=[random,expert]")
    one, other = tournament.play_pairings(config, tmp_path / "pairings.json", Console(quiet=True))
    assert one["win_rate"]["high"] < 1 / 3 < other["win_rate"]["low"] and one["seed"] != other["seed"]


@pytest.mark.parametrize("names", ["[random]", "[random,greedy,random]"])
def test_agents_must_be_two_different_ones(names, tmp_path):
    with pytest.raises(OptionError, match="at least two, all different"):
        tournament.play_pairings(config_of(f"agents={names}"), tmp_path / "pairings.json", Console(quiet=True))


# --- α-rank -----------------------------------------------------------------------------------------------------------


def test_alpha_rank_finds_the_best_where_there_is_one():
    payoffs = np.array([[0, 0.3, 0.6], [-0.3, 0, 0.3], [-0.6, -0.3, 0]])
    np.testing.assert_allclose(tournament.alpha_rank(payoffs, 2), [1, 0, 0], atol=1e-3)
    np.testing.assert_allclose(tournament.alpha_rank(np.zeros((3, 3)), 4), [1 / 3] * 3)


def test_alpha_rank_shares_a_circle():
    circle = np.array([[0, 0.5, -0.5], [-0.5, 0, 0.5], [0.5, -0.5, 0]])
    np.testing.assert_allclose(tournament.alpha_rank(circle, 2), [1 / 3] * 3, atol=1e-6)
    with_a_loser = np.full((4, 4), 0.0)
    with_a_loser[:3, :3], with_a_loser[:3, 3], with_a_loser[3, :3] = circle, 0.4, -0.4
    np.testing.assert_allclose(tournament.alpha_rank(with_a_loser, 2), [1 / 3] * 3 + [0], atol=1e-3)


def test_who_invades_and_is_not_invaded_is_found_at_larger_tables():
    payoffs = np.array([[0, -0.2], [0.1, 0]])  # the second gains among the first, the first loses among the second
    np.testing.assert_allclose(tournament.alpha_rank(payoffs, 4), [0, 1], atol=1e-3)


def test_alpha_rank_weighs_chances_that_are_next_to_nothing():
    """Each loses alone among the other, but the second less: everybody plays as the second does."""
    payoffs = np.array([[0, -0.2], [-0.05, 0]])
    np.testing.assert_allclose(tournament.alpha_rank(payoffs, 4), [0, 1], atol=1e-6)
    np.testing.assert_allclose(tournament.alpha_rank(10 * payoffs, 4), [0, 1], atol=1e-6)


def test_payoffs_of_two_players_tell_of_both():
    pairing = {"name": "a", "other": "b", "payoff": {"mean": 0.25}}
    np.testing.assert_array_equal(tournament.payoff_matrix(["a", "b"], [pairing], 2), [[0, 0.25], [-0.25, 0]])
    np.testing.assert_array_equal(tournament.payoff_matrix(["a", "b"], [pairing], 3), [[0, 0.25], [0, 0]])
