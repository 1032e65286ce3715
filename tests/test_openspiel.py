"""The games as OpenSpiel has them: its own checks and algorithms, and exact values from elsewhere."""

import itertools
import pickle
from math import comb

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation, policy, rl_environment
from open_spiel.python.algorithms import cfr, ismcts, mcts, tabular_qlearner
from open_spiel.python.algorithms.best_response import BestResponsePolicy

from cardenvs import games
from cardenvs.adapters import openspiel
from cardenvs.core.errors import IllegalActionError, OptionError
from cardenvs.envs.aec import CardAECEnv
from tests.helpers import deck_of
from tests.tables import every_game
from tests.test_best_response import TWITS_DECK, exact

TWITS = "cardenvs_twits(num_players=2,chance=explicit,dealer=0,deck=plus_10:3;minus_7:8)"
TIED_UP = "cardenvs_uno_all_wild(num_players=2,chance=explicit,dealer=0,max_decisions=12,deck=wild:14;forced_swap:1)"
RESHUFFLED = "cardenvs_uno_all_wild(num_players=2,chance=explicit,deck=wild:12;draw_four:3,max_decisions=30)"


def load(name, **params):
    return pyspiel.load_game(openspiel.short_name(name), params)


def dealt(game, rng):
    """A state in which a seat is asked."""
    return after_chance(game.new_initial_state(), rng)


def after_chance(state, rng):
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    return state


def some_states(game, rng, every=3):
    """Decisions of a random episode, and its end."""
    state = dealt(game, rng)
    while not state.is_terminal():
        if state.move_number() % every == 0:
            yield state.clone()
        state.apply_action(int(rng.choice(state.legal_actions())))
        after_chance(state, rng)
    yield state


# --- its own checks ---------------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
def test_random_simulations_of_openspiel_pass(name, most):
    game = load(name, num_players=games.get(name).players[most], max_decisions=250)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "text",
    [
        "uno_all_wild(num_players=3,episode=match,reward=score,target_score=300,uno_calls=declare,max_decisions=120)",
        "twits(num_players=3,reward=score,encoding=compact)",
        "twice_the_fun(num_players=2,chance=explicit,deck=red_1:17;blue_draw_1:2,max_decisions=50)",
        "uno_all_wild(num_players=2,chance=explicit,deck=wild:14;draw_four:1,episode=match,max_decisions=40)",
        "twits(num_players=2,seed=4)",
    ],
    ids=["match-score", "score", "explicit", "explicit-match", "seed"],
)
def test_random_simulations_pass_with_other_parameters(text):
    pyspiel.random_sim_test(pyspiel.load_game(f"cardenvs_{text}"), num_sims=2, serialize=True, verbose=False)


# --- the same games as everywhere else --------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("reward", ["win", "score"])
def test_an_episode_is_that_of_the_environment_with_the_seed_that_chance_has_drawn(name, reward):
    rng = np.random.default_rng(3)
    options = {"num_players": games.get(name).players[1], "reward": reward, "max_decisions": 400}
    game = load(name, **options)
    env = CardAECEnv(name, **options)
    state = game.new_initial_state()
    after_chance(state, rng)
    env.reset(seed=int.from_bytes(bytes(state.history()), "big"))
    while not state.is_terminal():
        seat = state.current_player()
        seen = env.observe(f"player_{seat}")
        assert env.agent_selection == f"player_{seat}"
        np.testing.assert_array_equal(state.observation_tensor(seat), seen["observation"])
        assert state.legal_actions() == np.flatnonzero(seen["action_mask"]).tolist()
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(seat, action) == env.action_name(action)
        env.step(action)
        state.apply_action(action)
        assert state.rewards() == pytest.approx(list(env.rewards.values()), abs=1e-6)
    assert env.terminations["player_0"] or env.truncations["player_0"]
    assert sum(state.returns()) == pytest.approx(0, abs=1e-12)


def test_a_fixed_seed_and_dealer_leave_nothing_to_chance():
    game = load("twits", num_players=3, seed=7, dealer=2)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    env = CardAECEnv("twits", num_players=3)
    env.reset(seed=7, options={"dealer": 2})
    assert game.new_initial_state().position.games.snapshot() == env.snapshot()


# --- explicit chance --------------------------------------------------------------------------------------------------


def test_deals_have_their_exact_probabilities():
    """Ten cards to the hands, and one to who begins: how many of three that seat has got is hypergeometric."""
    root = pyspiel.load_game(TWITS).new_initial_state()
    found = {}
    for outcome, chance in root.chance_outcomes():
        hand = root.child(outcome).position.games.snapshot()["hands"][1]
        found[hand.get("plus_10", 0)] = chance
    assert found == {n: pytest.approx(comb(6, n) * comb(5, 3 - n) / comb(11, 3)) for n in range(4)}


def test_shuffles_in_the_midst_of_a_game_are_chance_nodes():
    rng, again = np.random.default_rng(0), 0
    game = pyspiel.load_game(RESHUFFLED)
    for _ in range(4):
        state = dealt(game, rng)
        while not state.is_terminal():
            before = state.clone()
            state.apply_action(int(rng.choice(state.legal_actions())))
            if not state.is_chance_node():
                continue
            discards = before.position.games.snapshot()["discard_pile"]
            played = [state.action_to_string(-1, a).removeprefix("shuffle ").split() for a in state.legal_actions()]
            assert state.rewards() == [0, 0]
            assert all(sorted(order) in (sorted(discards), sorted(discards[1:])) for order in played)
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
            again += len(played) > 1
            after_chance(state, rng)
    assert again > 1


def test_a_dealer_by_lot_is_the_first_chance_node():
    root = load("twits", num_players=2, chance="explicit", deck="plus_10:3;minus_7:8").new_initial_state()
    assert root.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert root.action_to_string(-1, 1) == "dealer 1"
    root.apply_action(1)
    root.apply_action(0)
    assert root.position.games.snapshot()["dealer"] == 1


# --- what seats are told ----------------------------------------------------------------------------------------------


def told(state, seat):
    return (
        state.information_state_string(seat),
        state.observation_string(seat),
        np.array(state.observation_tensor(seat)).tobytes(),
    )


@every_game
def test_what_is_hidden_makes_no_difference_to_what_a_seat_is_told(name):
    rng, changed = np.random.default_rng(1), 0
    for state in some_states(load(name, max_decisions=200), rng):
        for seat in range(state.num_players()):
            possible = state.resample_from_infostate(seat, rng.random)
            assert told(possible, seat) == told(state, seat)
            assert (possible.current_player(), possible.returns()) == (state.current_player(), state.returns())
            assert possible.history() == []
            changed += str(possible) != str(state)
            if state.current_player() == seat:
                assert possible.legal_actions() == state.legal_actions()
    assert changed > 10


def test_possibilities_are_those_of_the_sampler():
    found, *_, state, _ = {}, *some_states(load("twits", num_players=3), np.random.default_rng(0))
    for number in [0.0, 0.2, 0.4] * 2:
        possible = state.resample_from_infostate(0, lambda number=number: number)
        assert found.setdefault(number, str(possible)) == str(possible)
        assert possible.information_state_string(1) != state.information_state_string(1)  # which tells a true past
    assert len(set(found.values())) == 3
    with pytest.raises(OptionError, match="player is 3: it must be a whole number from 0 to 2"):
        state.resample_from_infostate(3, lambda: 0.0)
    with pytest.raises(OptionError, match="chance is to choose"):
        pyspiel.load_game(TWITS).new_initial_state().resample_from_infostate(0, lambda: 0.0)


def test_possibilities_of_a_game_with_explicit_chance_have_it_too():
    rng, chances = np.random.default_rng(0), 0
    for state in some_states(pyspiel.load_game(RESHUFFLED), rng, every=1):
        possible = state.resample_from_infostate(0, rng.random)
        while not possible.is_terminal():
            possible.apply_action(int(rng.choice(possible.legal_actions())))
            chances += possible.is_chance_node()
            after_chance(possible, rng)
    assert chances > 5


@pytest.mark.parametrize("text", [TWITS, TIED_UP], ids=["twits", "uno_all_wild"])
def test_recall_is_perfect(text):
    """Whoever is told the same has been told and has done the same before, and has the same choice."""
    pasts = {}

    def visit(state, past):
        if state.is_terminal():
            return
        if not state.is_chance_node():
            seat = state.current_player()
            key = seat, state.information_state_string()
            mine = past[seat], tuple(state.legal_actions())
            assert pasts.setdefault(key, mine) == mine
        for action in state.legal_actions():
            after = dict(past)
            if not state.is_chance_node():
                after[seat] = (*past[seat], key, action)
            visit(state.child(action), after)

    visit(pyspiel.load_game(text).new_initial_state(), {0: (), 1: ()})
    assert len(pasts) > 20


def test_observers_tell_what_a_seat_sees_and_nothing_else():
    game = load("twits", num_players=2, seed=1)
    state = game.new_initial_state()
    seen = observation.make_observation(game)
    seen.set_from(state, 0)
    np.testing.assert_array_equal(seen.tensor, state.observation_tensor(0))
    assert seen.string_from(state, 0) == state.observation_string(0)
    recalled = observation.make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert recalled.string_from(state, 1) == state.information_state_string(1)
    assert "nothing is dealt" in load("twits").new_initial_state().observation_string(0)
    for kind in (
        pyspiel.IIGObservationType(public_info=False, perfect_recall=False),
        pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS),
    ):
        with pytest.raises(OptionError, match="nothing less or more"):
            game.make_py_observer(kind)
    with pytest.raises(OptionError, match="no parameters"):
        game.make_py_observer(None, {"size": 1})


# --- copies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["cardenvs_twice_the_fun(num_players=4)", RESHUFFLED], ids=["sampled", "explicit"])
def test_copies_are_equal_and_independent(text):
    rng = np.random.default_rng(2)
    game = pyspiel.load_game(text)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    states = [game.new_initial_state(), *some_states(game, rng)]
    for state in states:
        _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        for copy in (state.clone(), pickle.loads(pickle.dumps(state)), read):
            same = str(copy), copy.history(), copy.returns(), copy.rewards()
            assert same == (str(state), state.history(), state.returns(), state.rewards())
            if state.is_terminal():
                continue
            before = str(state)
            action = state.legal_actions()[-1]
            copy.apply_action(action)
            assert str(state) == before != str(copy)
            assert str(state.child(action)) == str(copy)
            if not copy.is_chance_node():
                assert told(state.child(action), 0) == told(copy, 0)


# --- algorithms -------------------------------------------------------------------------------------------------------


class Advised(policy.Policy):
    """A scripted policy."""

    def __init__(self, game, name):
        super().__init__(game, list(range(game.num_players())))
        self.name = name

    def action_probabilities(self, state, player_id=None):
        return {int(state.position.games.advise(self.name)[0]): 1.0}


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_best_responses_are_worth_what_enumeration_elsewhere_says(agent):
    """Both seats' gains from responding to an agent that is level with itself, against `training.exact`."""
    for name, deck, text, cap in (
        ("twits", TWITS_DECK, "plus_10:3;minus_7:8", 200),
        ("uno_all_wild", deck_of(wild=33), "wild:33", 15),
    ):
        game = load(name, num_players=2, chance="explicit", dealer=0, deck=text, max_decisions=cap)
        others = policy.UniformRandomPolicy(game) if agent == "random" else Advised(game, agent)
        values = [BestResponsePolicy(game, seat, others).value(game.new_initial_state()) for seat in range(2)]
        assert np.mean(values) == pytest.approx(exact(name, agent, deck=deck, max_decisions=cap))


@pytest.mark.parametrize("text", [TWITS, TIED_UP], ids=["twits", "uno_all_wild"])
def test_counterfactual_regret_minimisation_comes_near_an_equilibrium(text):
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game(text))
    solver, curve = pyspiel.CFRPlusSolver(game), [pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))]
    for iterations in (5, 45, 150):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        curve.append(pyspiel.nash_conv(game, solver.average_policy()))
    assert all(later < earlier for earlier, later in itertools.pairwise(curve))
    assert curve[0] > 0.3 and curve[-1] < 0.01


def test_the_solvers_in_python_and_by_sampling_come_nearer_too():
    game = pyspiel.load_game(TWITS)
    solver = cfr.CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    tree = pyspiel.convert_to_cached_tree(game)
    sampler = pyspiel.ExternalSamplingMCCFRSolver(tree, 1)
    for _ in range(500):
        sampler.run_iteration()
    uniform = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert pyspiel.nash_conv(tree, sampler.average_policy()) < uniform / 4
    python = pyspiel.nash_conv(game, policy.python_policy_to_pyspiel_policy(solver.average_policy()))
    assert python < uniform / 2


def searcher(kind, game, rng):
    rollouts = mcts.RandomRolloutEvaluator(1, rng)
    if kind == "mcts":
        return mcts.MCTSBot(game, 2.0, 8, rollouts, random_state=rng)
    bot = ismcts.ISMCTSBot(
        game, rollouts, 2.0, 8, random_state=rng, use_observation_string=kind == "ismcts-by-observation"
    )
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bot


@pytest.mark.parametrize("name", ["uno_all_wild", "twits"])
@pytest.mark.parametrize("kind", ["mcts", "ismcts", "ismcts-by-observation"])
def test_searching_bots_play_whole_games(name, kind):
    def play():
        rng = np.random.RandomState(4)
        game = load(name, num_players=3, max_decisions=60)
        state, bot = dealt(game, rng), searcher(kind, game, rng)
        while not state.is_terminal():
            searches = state.current_player() == 0
            state.apply_action(int(bot.step(state) if searches else rng.choice(state.legal_actions())))
        return state.history(), state.returns()

    assert play() == play()


def test_the_reinforcement_learning_environment_of_openspiel_runs():
    env = rl_environment.Environment(load("twits", num_players=3))
    env.seed(0)
    actions = env.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(player_id=seat, num_actions=actions) for seat in range(3)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.current_player()].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("twits(num_players=9)", "num_players is 9: it must be a whole number from 2 to 5"),
        ("twits(deck=plus_11:3)", "kind 'plus_11' is unknown.*Did you mean 'plus_10'"),
        ("twits(deck=plus_10)", "deck is 'plus_10': it must be default or like plus_10:10;plus_5:5"),
        ("twits(chance=explicit)", r"has 222,254,[\d,]* orders: it must have at most 5,000 to be enumerated"),
        ("twits(chance=dice)", "chance 'dice' is unknown: it must be one of sampled, explicit"),
        ("twits(chance=explicit,seed=3,deck=plus_10:21)", "seed is 3: with chance=explicit it must be -1"),
        ("twits(dealer=4)", "dealer is 4: it must be a whole number from -1 to 3"),
        ("twits(seed=-2)", "seed is -2: it must be a whole number of at least -1"),
        ("twits(max_decisions=-1)", "max_decisions is -1"),
        ("uno_all_wild(uno_calls=sometimes)", "uno_calls 'sometimes' is unknown"),
        ("uno_all_wild(encoding=long)", "encoding 'long' is unknown"),
    ],
)
def test_parameters_that_cannot_be_are_refused(text, message):
    with pytest.raises(OptionError, match=message):
        pyspiel.load_game(f"cardenvs_{text}")


def test_parameters_that_there_are_not_are_refused():
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'colour'"):
        load("twits", colour=1)
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'deck'"):
        load("wild_twists", deck="heart_2:58")


def test_actions_that_are_not_legal_are_refused():
    state = dealt(load("twits", num_players=2, seed=0), None)
    with pytest.raises(IllegalActionError, match="not legal for seat"):
        state.apply_action(next(a for a in range(11) if a not in state.legal_actions()))
    over = list(some_states(load("twits", num_players=2), np.random.default_rng(0)))[-1]
    with pytest.raises(IllegalActionError, match="the episode is over"):
        over.apply_action(0)
