"""Best responses: exact ones against what is known of them by other ways, and the command that trains them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from omegaconf import OmegaConf

import agents
from cardenvs import games
from cardenvs.core.errors import OptionError
from cardenvs.engine.shuffles import distinct_orders
from tests.helpers import deck_of
from training.best_response import as_opponent
from training.cli import make_console
from training.exact import MOST_DEALS, all_deals, best_response_value, play_to_seat
from training.train import make_env

ROOT = Path(__file__).resolve().parents[1]
TWITS_DECK = dict.fromkeys(games.get("twits").kinds, 0) | {"plus_10": 3, "minus_7": 8}


def exact(game, agent, num_players=2, **options):
    config = OmegaConf.create({"agent": agent, "game": {"name": game, "num_players": num_players, "options": options}})
    return best_response_value(config, make_console())


def played_out(game, policy, other, **options):
    """The mean payoff of one policy against another over all deals and both seats."""
    total = []
    for seat in range(2):
        table = all_deals(game, options)
        while (table.actor >= 0).any():
            mine, others = table.advise(policy), table.advise(other)
            table.step(np.where(table.actor == seat, mine, others))
            total.append(table.rewards[:, seat].sum() / len(table))
    return sum(total) / 2


def test_orders_are_all_there_are():
    orders = list(distinct_orders(list("aabc"), MOST_DEALS))
    assert len(orders) == len(set(orders)) == 12
    with pytest.raises(OptionError, match=r"has 184,756 orders: it must have at most 20,000"):
        distinct_orders(list("a" * 10 + "b" * 10), MOST_DEALS)


def test_the_best_response_to_random_play_in_a_race_of_wilds():
    """Who begins wins, but that the other's last chance is a draw at random when it has one card left (UAW-5).

    So the responder wins all games that it begins, and half of the others.
    """
    assert exact("uno_all_wild", "random", deck=deck_of(wild=33), max_decisions=15) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("uno_all_wild", {"deck": deck_of(wild=31, skip=2), "max_decisions": 14}),
        ("twits", {"deck": TWITS_DECK}),
    ],
)
@pytest.mark.parametrize("agent", ["greedy", "expert"])
def test_no_policy_does_better_than_the_best_response(game, options, agent):
    best = exact(game, agent, **options)
    assert best >= 0  # the agent itself would come out even
    for policy in ("greedy", "expert"):
        assert best >= played_out(game, policy, agent, **options) - 1e-6
    assert played_out(game, agent, agent, **options) == pytest.approx(0, abs=1e-6)


def test_a_responder_tells_deals_apart_by_what_it_has_seen_alone():
    table = all_deals("twits", {"deck": TWITS_DECK | {"plus_10": 5, "minus_7": 9}})
    games, _, _, seen = play_to_seat(table, np.ones(len(table)), 0, agents.load("greedy", "twits", 2))
    asked = np.flatnonzero(games.actor == 0)
    groups = {key: [i for i in asked if seen[i] == key] for key in {seen[i] for i in asked}}
    views, masks, hands = games.observe(0), games.legal(), games._states["hands"]
    for rows in groups.values():
        assert (views[rows] == views[rows[0]]).all() and (masks[rows] == masks[rows[0]]).all()
    assert any((hands[rows, 1] != hands[rows[0], 1]).any() for rows in groups.values())
    assert 1 < len(groups) < len(asked)


def test_what_cannot_be_enumerated_is_said():
    with pytest.raises(OptionError, match="for 2 players, not for 3"):
        exact("twits", "random", num_players=3, deck=TWITS_DECK)
    with pytest.raises(OptionError, match="shuffled again"):
        exact("uno_all_wild", "random", deck=deck_of(wild=14, draw_four=2), max_decisions=16)
    with pytest.raises(OptionError, match="searches"):
        exact("twits", "ismcts:simulations=5", deck=TWITS_DECK)


def test_the_agent_itself_is_what_is_trained_against():
    assert as_opponent(agents.load("greedy", "twits", 2)) == "greedy"
    asked = []

    def act(observations, masks):
        asked.append(observations.shape)
        return masks.argmax(axis=1)

    opponent = as_opponent(agents.Agent("mine", act=act, encoding="compact"))
    config = OmegaConf.create(
        {
            "game": {"name": "twits", "num_players": 3, "options": {}}, "opponents": "expert", "num_envs": 4,
            "encoding": "full", "num_threads": 1,
        }
    )  # fmt: skip
    make_env(config, opponent).reset()
    assert asked and {size for _, size in asked} == {games.get("twits").observation_size(3, "compact")}
    with pytest.raises(agents.AgentError, match="it searches"):
        as_opponent(agents.load("ismcts", "twits", 2))


def test_an_exploiter_learns_by_the_rules_that_were_chosen(tmp_path):
    result = subprocess.run(
        [
            sys.executable, "-m", "training.best_response", "agent=greedy", "game=uno_all_wild", "game.num_players=2",
            "game.options.uno_calls=declare", "imitation.decisions=1000", "total_steps=1000", "num_envs=64", "deals=20",
            "algorithm.n_steps=16", "algorithm.batch_size=256", "algorithm.layers=[8]", "progress=false",
            "evaluate_deals=20", f"output={tmp_path / 'run'}",
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "tables of greedy" in result.stdout


def test_an_exploiter_is_trained_and_held_against_the_best_response(tmp_path):
    deck = ",".join(f"{kind}:{copies}" for kind, copies in deck_of(wild=33).items())
    options = ["game.options.max_decisions=15", f"game.options.deck={{{deck}}}"]
    result = subprocess.run(
        [
            sys.executable, "-m", "training.best_response", "agent=random", "game=uno_all_wild", "game.num_players=2",
            *options, "exact=true", "imitation.decisions=2000", "total_steps=3000", "num_envs=64", "deals=300",
            "algorithm.n_steps=16", "algorithm.batch_size=256", "algorithm.layers=[8]", "progress=false",
            "evaluate_deals=20", f"output={tmp_path / 'run'}",
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "+0.500" in result.stdout and "exploiter wins" in result.stdout
    found = json.loads((tmp_path / "run" / "best_response.json").read_text())
    assert found["exact_payoff"] == pytest.approx(0.5)
    assert found["payoff"]["mean"] == pytest.approx(0.5, abs=0.15)  # there is nearly nothing to learn
    assert found["opponents"] == ["random"]
    refused = subprocess.run(
        [sys.executable, "-m", "training.train", f"resume={tmp_path / 'run'}", "extend_to=5000"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert refused.returncode == 2 and "resume it by training.best_response" in refused.stderr
    again = subprocess.run(
        [sys.executable, "-m", "training.best_response", f"resume={tmp_path / 'run'}", "extend_to=5000"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert again.returncode == 0, again.stderr
    assert "tables of random" in again.stdout and "+0.500" in again.stdout
