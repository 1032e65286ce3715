"""Scripted policies: the ladder, and that they see no more than a seat may."""

import pytest

import agents
from cardenvs import BatchGame
from cardenvs.engine.seating import scripted_table
from training.duplicate import play_duplicates

LADDER = [("greedy", "random"), ("expert", "greedy"), ("expert", "random")]


@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize(("better", "worse"), LADDER)
def test_each_rung_of_the_ladder_beats_those_below(better, worse, players):
    agent, opponent = (agents.load(name, "uno_all_wild", players) for name in (better, worse))
    result = play_duplicates("uno_all_wild", players, agent, [opponent] * (players - 1), deals=2500)
    assert result.win_rate.low > 1 / players
    assert result.payoff.low > 0


@pytest.mark.parametrize("policy", ["random", "greedy", "expert"])
def test_a_policy_holds_its_fair_share_against_itself(policy):
    agent = agents.load(policy, "uno_all_wild", 4)
    result = play_duplicates("uno_all_wild", 4, agent, [agent] * 3, deals=500)
    assert result.win_rate.mean == pytest.approx(0.25)  # in duplicate deals exactly: the four games of a deal are one


@pytest.mark.parametrize("policy", ["random", "greedy", "expert"])
@pytest.mark.parametrize("options", [{}, {"uno_calls": "declare"}, {"episode": "match"}, {"start_card": "ignored"}])
def test_policies_finish_their_games(policy, options):
    games = BatchGame(
        "uno_all_wild",
        300,
        num_players=4,
        seed=1,
        seating=lambda game, _: scripted_table(game, [policy] * 4),
        **options,
    )
    assert games.terminated.all()
