"""Scripted policies: the ladder, and that they see no more than a seat may."""

from itertools import combinations

import numpy as np
import pytest

import agents
from cardenvs import games
from cardenvs.core.jit import kernel
from cardenvs.core.rng import mix, next_state
from cardenvs.core.state import NOBODY, new_records
from cardenvs.engine.dispatch import act, apply, legal, view
from cardenvs.engine.seating import scripted_table
from tests.tables import EVERY_TABLE, over_tables, usual
from training.duplicate import play_duplicates

RUNGS = [
    (name, better, worse, players)
    for name in games.VERSIONS
    for worse, better in combinations(games.get(name).policies, 2)
    for players in sorted({min(p, games.get(name).players[1]) for p in (2, 4, 8)})
]
POLICIES = [(name, policy) for name in games.VERSIONS for policy in games.get(name).policies]


@kernel
def first_illegal_choice(states, work, mask, policies, noise):
    """Play every game to its end, by policies drawn by lot: the first action that is not legal, −1 if none is."""
    for b in range(states.shape[0]):
        s = states[b]
        while s.actor != NOBODY:
            noise = next_state(noise)
            bits = mix(noise)
            legal(s, mask)
            view(s, s.actor, work[0])
            action = act(work[0], mask, bits, np.int64(bits % np.uint64(policies)))
            if action < 0 or action >= mask.shape[0] or not mask[action]:
                return action
            apply(s, action)
    return -1


@pytest.mark.parametrize("name", [name for name in games.VERSIONS if len(games.get(name).policies) > 1])
def test_policies_choose_legal_actions_alone(name):
    game = games.get(name)
    for table in EVERY_TABLE:
        if table.name == name and table.named != "dry":
            batch = table.batch(30)
            work, mask = new_records(game.view_record, 1), np.zeros(len(batch.action_names), np.bool_)
            assert first_illegal_choice(batch._states, work, mask, len(game.policies), np.uint64(7)) == -1, table


@pytest.mark.parametrize(("name", "better", "worse", "players"), RUNGS)
def test_each_rung_of_the_ladder_beats_those_below(name, better, worse, players):
    agent, opponent = (agents.load(policy, name, players) for policy in (better, worse))
    result = play_duplicates(name, players, agent, [opponent] * (players - 1), deals=2500)
    assert result.win_rate.low > 1 / players
    assert result.payoff.low > 0


@pytest.mark.parametrize(("name", "policy"), POLICIES)
def test_a_policy_holds_its_fair_share_against_itself(name, policy):
    players = usual(name).num_players
    agent = agents.load(policy, name, players)
    result = play_duplicates(name, players, agent, [agent] * (players - 1), deals=500)
    assert result.win_rate.mean == pytest.approx(1 / players)  # exactly: in duplicate deals the games of a deal are one


@over_tables([table for table in EVERY_TABLE if not {"deck", "max_decisions"} & table.options.keys()])
def test_policies_finish_games_with_the_printed_deck(table):
    for policy in games.get(table.name).policies:
        rounds = table.batch(100, seating=lambda game, p, policy=policy: scripted_table(game, [policy] * p))
        assert rounds.terminated.all()
