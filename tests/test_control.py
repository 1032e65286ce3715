"""What Wild Twists war is there for: calibration, prediction, and the parallel interface."""

import json
import warnings

import numpy as np
import pettingzoo
import pytest
from omegaconf import OmegaConf
from pettingzoo.test import parallel_api_test, parallel_seed_test

import agents
from agents import AgentError
from cardenvs import BatchGame, games, twits_v0, wild_twists_v0
from cardenvs.core.errors import IllegalActionError, OptionError
from cardenvs.core.rng import seed_keys
from cardenvs.engine.seating import scripted_table
from cardenvs.envs.parallel import CardParallelEnv
from tests.helpers import over
from tests.test_training import ROOT, command
from training import calibrate, predict
from training.cli import make_console
from training.statistics import Estimate

CONSOLE = make_console()

# --- calibration ------------------------------------------------------------------------------------------------------


def always_flip(observations, masks):
    """An agent of somebody's own."""
    assert observations.shape == (len(masks), 185)
    return masks.argmax(axis=1)


def settings(**changes):
    return OmegaConf.merge(
        OmegaConf.load(ROOT / "configs" / "calibrate.yaml"),
        {"game": OmegaConf.load(ROOT / "configs" / "game" / "wild_twists.yaml")},
        changes,
    )


def test_seat_0_wins_one_half_of_many_games():
    rate, lengths = calibrate.calibrate(settings(games=20_000, seat=0), CONSOLE)
    assert rate.low < 0.5 < rate.high < 0.52
    assert lengths.min() > 16 and lengths.max() <= 20_000


def test_calibration_of_an_agent_of_ones_own(tmp_path):
    result = command(
        "training.calibrate", "agent=tests.test_control:always_flip", "games=40", f"output={tmp_path}", "seed=3"
    )
    assert "holds 50%" in result.stdout
    saved = json.loads((tmp_path / "calibration.json").read_text())
    assert saved["calibrated"] and saved["games"] == 40 and saved["win_rate"]["low"] < 0.5 < saved["win_rate"]["high"]


def test_an_agent_does_not_matter_and_each_game_is_played_once():
    scripted, own = (
        calibrate.calibrate(settings(games=30, agent=agent), CONSOLE)
        for agent in ("random", "tests.test_control:always_flip")
    )
    assert scripted[0] == own[0]
    assert scripted[1].tolist() == own[1].tolist()
    assert len(set(scripted[1].tolist())) > 25


def test_a_pipeline_that_favours_the_agent_is_found_out(monkeypatch):
    class Lost:
        """Games whose results were mixed up: seat 0 wins 6 of 10."""

        def __init__(self, n):
            first = np.arange(n) % 10 < 6
            self.winners = np.stack([first, ~first], axis=1)
            self.decisions = np.full(n, 500)

    monkeypatch.setattr(calibrate, "play_games", lambda game, table, keys, *rest: Lost(len(keys)))
    config = settings(games=1000, seat=0)
    assert not calibrate.report(config, *calibrate.calibrate(config, CONSOLE))["calibrated"]
    assert calibrate.report(config, Estimate(0.5, 0.49, 0.51), np.ones(3))["calibrated"]


@pytest.mark.parametrize("seat", [2, -1, "first"])
def test_a_seat_that_there_is_not_is_refused(seat):
    with pytest.raises(OptionError, match="seat"):
        calibrate.calibrate(settings(games=10, seat=seat), CONSOLE)


@pytest.mark.parametrize(
    "spec", ["tests.test_control:no_such", "no_such_module:policy", ":policy", "tests.helpers:UNO_DECK"]
)
def test_functions_that_are_no_agents_are_refused(spec):
    with pytest.raises(AgentError, match="no agent"):
        agents.load(spec, "wild_twists", 2)


# --- prediction -------------------------------------------------------------------------------------------------------


def test_prediction_learns_something_and_judges_it(tmp_path):
    command(
        "training.predict", f"output={tmp_path}", "games=1500", "positions=8", "held_out_games=1000", "playouts=15",
        "epochs=4", "layers=[32]", "progress=false",
    )  # fmt: skip
    results = json.loads((tmp_path / "prediction.json").read_text())
    losses = {name: result["log_loss"]["mean"] for name, result in results.items()}
    assert losses["one half"] == pytest.approx(np.log(2))
    assert losses["share of cards"] < losses["one half"] - 0.03
    assert losses["network"] < losses["one half"] - 0.03
    assert losses["Monte Carlo, 15 playouts"] < losses["one half"] - 0.03
    assert sum(point["positions"] for point in results["network"]["calibration"]) > 600
    assert (tmp_path / "calibration.png").stat().st_size > 5000


def test_a_prediction_that_was_stopped_goes_on_to_the_same_result(tmp_path, monkeypatch):
    config = OmegaConf.merge(
        OmegaConf.load(ROOT / "configs" / "predict.yaml"),
        {
            "game": OmegaConf.load(ROOT / "configs" / "game" / "wild_twists.yaml"), "progress": False, "games": 200,
            "positions": 4, "held_out_games": 100, "playouts": 6, "epochs": 1, "layers": [8], "output": f"{tmp_path}",
        },
    )  # fmt: skip
    whole = predict.predict(config, CONSOLE)
    play_out, played = predict.play_out, iter([True, True, True, True])  # both sets of games, two playouts

    def stopped(games):
        if not next(played, False):
            raise KeyboardInterrupt
        return play_out(games)

    monkeypatch.setattr(predict, "play_out", stopped)
    with pytest.raises(KeyboardInterrupt):
        predict.predict(config, CONSOLE)
    monkeypatch.setattr(predict, "play_out", play_out)
    monkeypatch.setattr(predict, "fit", None)  # it has been
    assert predict.recall(tmp_path / "unfinished.pt", config)["playouts"] == 2
    assert predict.predict(config, CONSOLE) == whole
    assert not (tmp_path / "unfinished.pt").exists()


def test_positions_are_those_of_games_that_go_on_and_their_results_come_true():
    config = OmegaConf.merge(
        OmegaConf.load(ROOT / "configs" / "predict.yaml"),
        {"game": OmegaConf.load(ROOT / "configs" / "game" / "wild_twists.yaml"), "progress": False},
    )
    found = predict.gather(config, 300, 1, True, CONSOLE)
    assert 100 < len(found.won) < 280
    assert not over(found.games).any()
    assert np.array_equal(found.games.observe(found.seats), found.observations)
    shares = predict.shares_won(predict.play_out(found.games))
    assert np.array_equal(shares[np.arange(len(found.won)), found.seats], found.won)
    learnt_from = predict.gather(config, 300, 1, False, CONSOLE)
    assert not np.array_equal(found.observations[:50], learnt_from.observations[:50])


def test_share_of_cards_is_what_lies_in_play_deck_and_score_pile():
    config = OmegaConf.merge(
        OmegaConf.load(ROOT / "configs" / "predict.yaml"),
        {"game": OmegaConf.load(ROOT / "configs" / "game" / "wild_twists.yaml"), "progress": False},
    )
    found = predict.gather(config, 40, 1, True, CONSOLE)
    for i, share in enumerate(predict.by_share(found)):
        position = found.games[i].snapshot()
        held = [len(position["decks"][seat]) + len(position["score_piles"][seat]) for seat in (0, 1)]
        assert share == pytest.approx(held[found.seats[i]] / sum(held))


# --- playing out ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.VERSIONS)
def test_games_that_are_played_out_end_as_those_that_play_themselves(name):
    players = games.get(name).players[1]
    keys = seed_keys(5, 50)
    batch = BatchGame(name, 50, num_players=players, reward="score")
    batch.reset(seed=keys)
    batch.play_out(["random"] * players)
    themselves = BatchGame(
        name, 50, num_players=players, reward="score", seating=lambda game, p: scripted_table(game, ["random"] * p)
    )
    themselves.reset(seed=keys)
    assert batch.terminated.all()
    assert [batch[i].snapshot() for i in range(50)] == [themselves[i].snapshot() for i in range(50)]
    assert np.array_equal(batch.rewards, themselves.rewards) and batch.rewards.any()


def test_playing_out_wants_a_policy_for_each_seat():
    batch = BatchGame("twits", 2, seed=0, num_players=3)
    for policies in (["random"] * 2, ["random", "random", "radnom"]):
        with pytest.raises(OptionError, match=r"policies are|policy 'radnom'"):
            batch.play_out(policies)
    assert not over(batch).any()


# --- the parallel interface -------------------------------------------------------------------------------------------


def test_parallel_api_and_seed_tests_pass_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(wild_twists_v0.parallel_env(), num_cycles=2000)
        parallel_seed_test(wild_twists_v0.parallel_env)


def both(env, action=0):
    return dict.fromkeys(env.agents, action)


def test_both_flip_at_once_as_one_after_the_other_in_the_turn_based_game():
    parallel, turns = wild_twists_v0.parallel_env(), wild_twists_v0.raw_env()
    seen, _ = parallel.reset(seed=7)
    turns.reset(seed=7)
    returns = dict.fromkeys(parallel.possible_agents, 0.0)
    while parallel.agents:
        assert all(seen[agent]["action_mask"].tolist() == [1] for agent in parallel.agents)
        seen, rewards, terminated, truncated, _ = parallel.step(both(parallel))
        for _ in range(2):
            turns.step(0)
        assert parallel.snapshot() == turns.snapshot()
        for agent in parallel.possible_agents:
            assert np.array_equal(seen[agent]["observation"], turns.observe(agent)["observation"])
            returns[agent] += rewards[agent]
    assert all(terminated.values()) and not any(truncated.values())
    assert all(seen[agent]["action_mask"].tolist() == [0] for agent in parallel.possible_agents)
    assert sorted(returns.values()) == [-1, 1] and rewards == turns.rewards


def test_the_cap_can_come_between_two_flips():
    env = wild_twists_v0.parallel_env(max_decisions=5)
    env.reset(seed=1)
    for _ in range(3):
        assert env.agents
        *_, truncated, _ = env.step(both(env))
    assert all(truncated.values()) and not env.agents and env.snapshot()["decisions"] == 5


@pytest.mark.parametrize(
    "actions", [{}, {"player_0": 0}, {"player_0": 0, "player_1": 1}, {"player_0": 0, "player_1": "flip"}]
)
def test_bad_parallel_actions_are_refused_and_change_nothing(actions):
    env = wild_twists_v0.parallel_env()
    env.reset(seed=2)
    before = env.snapshot()
    with pytest.raises(IllegalActionError, match="player_"):
        env.step(actions)
    assert env.snapshot() == before


def test_games_of_turns_have_no_parallel_environment():
    assert not hasattr(twits_v0, "parallel_env")
    with pytest.raises(OptionError, match="take turns"):
        CardParallelEnv("twits")
    env = pettingzoo.make("parallel", "cardenvs/wild_twists-v0")
    assert env.reset(seed=3)[0].keys() == {"player_0", "player_1"}
