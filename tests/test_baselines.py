"""Networks as opponents: what they compute, whom they play, and those that come with the package."""

import json
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from omegaconf import OmegaConf

import agents
from cardenvs import BatchGame, baselines, games
from cardenvs.baselines.network import Network
from cardenvs.core.errors import OptionError
from cardenvs.envs.learner import LearnerGames
from training.duplicate import play_duplicates
from training.results import digest

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = [(name, players) for name in games.VERSIONS for players in baselines.players_of(name)]
ROOM = 500_000  # bytes, of a file


def at_random(masks, rng):
    return np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)


def some_network(game="uno_all_wild", players=4, layers=(24, 16), seed=0, scale=0.5, **how):
    rules = games.get(game)
    encoding = how.get("encoding", "full")
    sizes = [rules.observation_size(players, encoding), *layers, len(rules.actions(players))]
    count = sum((rows + 1) * columns for rows, columns in zip(sizes, sizes[1:], strict=False))
    weights = np.random.default_rng(seed).normal(0.0, scale, count).astype(np.float32)
    return Network(weights, np.array(sizes, np.int64), **how)


def by_matrices(network, inputs):
    """The outputs of the last layer, as a matrix library computes them."""
    at, last = 0, len(network.sizes) - 2
    for layer, (rows, columns) in enumerate(zip(network.sizes, network.sizes[1:], strict=False)):
        matrix = network.weights[at : at + rows * columns].reshape(rows, columns).astype(float)
        at += rows * columns
        inputs = inputs @ matrix + network.weights[at : at + columns]
        at += columns
        inputs = inputs if layer == last else np.maximum(inputs, 0)
    return inputs


def positions(game="uno_all_wild", players=4, count=500, seed=0, encoding="full"):
    table = BatchGame(game, count, seed=seed, num_players=players, encoding=encoding)
    rng = np.random.default_rng(seed)
    for _ in range(12):
        table.step(at_random(table.legal(), rng), autoreset=True)
    asked = table.legal().any(axis=1)
    return table.observe()[asked], table.legal()[asked]


# --- what a network computes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [(), (8,), (24, 16), (7, 5, 3)])
def test_probabilities_are_those_of_the_matrices(layers):
    network = some_network(layers=layers)
    observations, masks = positions()
    logits = np.where(masks, by_matrices(network, observations.astype(float)), -np.inf)
    expected = np.exp(logits - logits.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(network.probabilities(observations, masks), expected, atol=1e-4)
    chosen = network(observations, masks)
    np.testing.assert_allclose(expected[np.arange(len(chosen)), chosen], expected.max(axis=1), atol=1e-4)


@pytest.mark.parametrize("sampled", [False, True])
def test_an_action_does_not_depend_on_what_else_is_asked(sampled):
    network = some_network(sampled=sampled)
    observations, masks = positions()
    together = network(observations, masks)
    assert masks[np.arange(len(masks)), together].all()
    alone = [network(observations[i : i + 1], masks[i : i + 1])[0] for i in range(len(masks))]
    np.testing.assert_array_equal(together, alone)


def test_a_sampled_network_plays_by_its_probabilities():
    network = some_network(sampled=True, scale=0.2)
    observations, masks = positions(count=20_000)
    expected = network.probabilities(observations, masks)
    played = np.bincount(network(observations, masks), minlength=masks.shape[1])
    spread = np.sqrt((expected * (1 - expected)).sum(axis=0)) + 1e-9
    assert (np.abs(played - expected.sum(axis=0)) < 4.5 * spread).all()
    best = np.bincount(expected.argmax(axis=1), minlength=masks.shape[1])
    assert (np.abs(best - expected.sum(axis=0)) > 4.5 * spread).any()  # or the test could not tell


def test_a_network_is_kept_as_plain_numbers(tmp_path):
    network, path = some_network(encoding="compact", sampled=True), tmp_path / "some.npz"
    baselines.write(path, network, {"game": "uno_all_wild", "num_players": 4}, np.float32)
    again, card = baselines.read(path)
    np.testing.assert_array_equal(again.weights, network.weights)
    np.testing.assert_array_equal(again.sizes, network.sizes)
    assert (again.encoding, again.sampled) == ("compact", True)
    assert card["game"] == "uno_all_wild" and card["layers"] == network.sizes.tolist()
    np.savez(tmp_path / "code.npz", weights=np.array([print], object), card=np.array("{}"))
    with pytest.raises(ValueError, match="pickle"):
        baselines.read(tmp_path / "code.npz")


def test_arrays_that_do_not_fit_a_network_are_refused():
    network = some_network()
    observations, masks = positions(count=8)
    for wrong in (
        (observations[:3], masks[:2]),
        (observations[:, :-1], masks),
        (observations, np.ones((len(masks), masks.shape[1] + 1), bool)),
        (observations.astype(float), masks),
        (observations[0], masks[0]),
        (observations.tolist(), masks),
    ):
        for ask in (network, network.probabilities):
            with pytest.raises(OptionError, match=r"must be .* \(n, \d+\)"):
                ask(*wrong)
    np.testing.assert_array_equal(network(observations[::2], masks[::2]), network(observations, masks)[::2])
    nothing = np.zeros_like(masks)
    assert not network(observations, nothing).any() and not network.probabilities(observations, nothing).any()


@pytest.mark.parametrize(
    "change",
    [
        {"layers": [200, 7]}, {"layers": [5]}, {"layers": [-1, 2]}, {"layers": "none"}, {"encoding": "what"},
        {"sampled": None, "layers": None},
    ],
)  # fmt: skip
def test_a_file_that_does_not_hold_what_its_card_says_is_refused(change, tmp_path):
    network, path = some_network(), tmp_path / "some.npz"
    baselines.write(path, network, {"game": "uno_all_wild", "num_players": 4})
    with np.load(path) as file:
        card = json.loads(str(file["card"])) | change
        np.savez(path, weights=file["weights"], card=np.array(json.dumps(card)))
    with pytest.raises(agents.AgentError, match="no file of a network's weights"):
        agents.load(str(path), "uno_all_wild", 4)


def test_a_network_of_other_observations_is_refused(tmp_path):
    path = tmp_path / "some.npz"
    baselines.write(path, some_network(players=3), {"game": "uno_all_wild", "num_players": 4})
    with pytest.raises(agents.AgentError, match="they must begin and end with"):
        agents.load(str(path), "uno_all_wild", 4)
    for content in (b"", b"PK"):
        path.write_bytes(content)
        with pytest.raises(agents.AgentError, match="no file of a network's weights"):
            agents.load(str(path), "uno_all_wild", 4)
    with path.open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(agents.AgentError, match="no file of a network's weights"):
        agents.load(str(path), "uno_all_wild", 4)


def test_rows_that_are_no_games_are_refused():
    table = BatchGame("uno_all_wild", 6, seed=0, num_players=3)
    every = table.observe()
    for rows in ([4, 1], np.arange(6)[::2], np.array([5, 0], np.int32), np.array([], np.int64)):
        np.testing.assert_array_equal(table.observe_asked(rows), every[np.asarray(rows, int)])
    for wrong in ([6], [-1], [0.5], [[0]], 2):
        with pytest.raises(OptionError, match="from 0 to 5"):
            table.observe_asked(wrong)
    with pytest.raises(OptionError, match="full"):
        table.observe_asked([0], "fulll")


# --- whom it plays ----------------------------------------------------------------------------------------------------


class Tally:
    """A callable opponent that counts what it is asked and plays the first legal action."""

    def __init__(self):
        self.asked = 0

    def __call__(self, observations, masks):
        self.asked += len(masks)
        return masks.argmax(axis=1)


def play_on(table, steps, seed=0):
    rng = np.random.default_rng(seed)
    table.reset()
    for _ in range(steps):
        actions = np.where(table.over, 0, at_random(table.mask, rng))
        table.step(actions, autoreset=True)


def test_callables_share_seats_with_policies_by_their_weights():
    often, seldom = Tally(), Tally()
    table = LearnerGames("uno_all_wild", 256, {often: 3, seldom: 1, "random": 4}, "random", seed=0, num_players=3)
    play_on(table, 200)
    assert often.asked / (often.asked + seldom.asked) == pytest.approx(0.75, abs=0.03)
    outside = (table.games._players == -1).mean()  # the learner, and half of the two others
    assert outside == pytest.approx(2 / 3, abs=0.06)


def test_one_callable_plays_a_seat_throughout_an_episode():
    table = LearnerGames("twits", 64, {Tally(): 1, Tally(): 1, Tally(): 1}, 0, seed=0, num_players=4)
    table.reset()
    rows, players = np.arange(64), {}
    rng = np.random.default_rng(0)
    for _ in range(15):
        for seat in (1, 2, 3):
            table.games._actors[:], kept = seat, table.games._actors.copy()
            drawn = table._who_plays(rows)
            table.games._actors[:] = kept
            for b in rows:
                key = int(table.games._states["key"][b]), seat
                assert players.setdefault(key, drawn[b]) == drawn[b]
        table.step(np.where(table.over, 0, at_random(table.mask, rng)), autoreset=True)
    assert len(players) > 3 * 64
    assert min(np.bincount(list(players.values()), minlength=3)) > len(players) / 5


def test_a_listed_callable_sits_where_it_is_listed():
    first, last = Tally(), Tally()
    table = LearnerGames("uno_all_wild", 64, [first, "random", last], 0, seed=0, num_players=4)
    table.reset()
    assert (table.games._players[:, 2] == 0).all() and (table.games._players[:, [0, 1, 3]] == -1).all()
    table.games._actors[:] = 1
    np.testing.assert_array_equal(table._who_plays(np.arange(64)), 0)
    table.games._actors[:] = 3
    np.testing.assert_array_equal(table._who_plays(np.arange(64)), 1)


def test_callables_need_not_be_hashable():
    class Unhashable(Tally):
        __hash__ = None

    one, other = Unhashable(), Unhashable()
    for opponents in (one, [one, other]):
        play_on(LearnerGames("uno_all_wild", 8, opponents, "random", seed=0, num_players=3), 5)
    assert one.asked > other.asked > 0


def test_weights_of_a_network_by_name_and_of_itself_are_added():
    network = baselines.load("uno_all_wild", 4)
    table = LearnerGames("uno_all_wild", 8, {"baseline": 1, network: 1, "random": 2}, 0, seed=0, num_players=4)
    np.testing.assert_allclose(table.games._seating.lots[1], [0.5, 1, 1, 1])


def test_nothing_goes_on_with_other_opponents_before_all_is_dealt_anew():
    table = LearnerGames("uno_all_wild", 4, Tally(), 0, seed=0, num_players=3)
    table.reset()
    table.set_opponents("expert")
    with pytest.raises(OptionError, match="reset all games first"):
        table.step(table.mask.argmax(axis=1))
    with pytest.raises(OptionError, match="reset all games first"):
        table.reset(np.array([True, False, False, False]))
    table.reset()
    table.step(table.mask.argmax(axis=1))


def test_opponents_can_be_changed_between_episodes():
    before, after = Tally(), Tally()
    table = LearnerGames("uno_all_wild", 32, before, "random", seed=0, num_players=3)
    play_on(table, 10)
    counted = before.asked
    table.set_opponents({after: 1, "expert": 1})
    play_on(table, 10)
    assert before.asked == counted > 0 < after.asked


def test_a_network_sees_its_own_encoding():
    seen = []

    class Compact(Tally):
        encoding = "compact"

        def __call__(self, observations, masks):
            seen.append(observations.shape[1])
            return super().__call__(observations, masks)

    play_on(LearnerGames("uno_all_wild", 8, Compact(), "random", seed=0, num_players=4), 5)
    assert set(seen) == {games.get("uno_all_wild").observation_size(4, "compact")}


def test_advice_is_what_the_policy_itself_plays():
    for name in ("uno_all_wild", "twits"):
        table = BatchGame(name, 200, seed=3, num_players=3)
        while (table.actor >= 0).any():
            advised = table.advise("expert")
            asked = table.actor >= 0
            assert table.legal()[asked, advised[asked]].all()
            table.step(advised)
        with pytest.raises(OptionError, match="random, greedy, expert"):
            table.advise("exprt")
        scripted = agents.load("expert", name, 3)
        advised = agents.Agent("advised", search=lambda possible: possible.advise("expert"))
        result = play_duplicates(name, 3, advised, [scripted] * 2, 300)
        assert result.win_rate.mean == pytest.approx(1 / 3, abs=0.005)  # the same games in every seat
        assert result.win_rate.high - result.win_rate.low < 0.01


# --- those that come with the package ---------------------------------------------------------------------------------


def test_there_is_one_for_every_game_with_decisions():
    decided = [name for name in games.VERSIONS if len(games.get(name).policies) > 1]
    assert all({2, 4} <= set(baselines.players_of(name)) for name in decided)


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_a_baseline_is_small_and_says_how_it_was_made(name, players):
    path = baselines.FOLDER / f"{name}_{players}p.npz"
    assert path.stat().st_size <= ROOM
    network, card = baselines.read(path)
    assert (card["game"], card["num_players"]) == (name, players)
    assert card["learner_steps"] > 0 and 0 < card["seconds"] <= 3600 and card["seed"] >= 0
    rules = games.get(name)
    assert network.sizes[0] == rules.observation_size(players, network.encoding)
    assert network.sizes[-1] == len(rules.actions(players))


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_results_are_of_the_networks_that_come_with_the_package(name, players):
    config = OmegaConf.create({"game": {"name": name, "num_players": players, "options": {}}})
    results = json.loads((ROOT / "docs" / "results" / f"{name}_{players}p.json").read_text())
    weights = digest(config, "baseline")
    assert weights and {result["weights"] for result in results if result["name"] == "seed 0"} == {weights}
    assert {result["other_weights"] for result in results if result["other"] == "baseline"} == {weights}


@pytest.mark.parametrize(("name", "players"), SHIPPED)
def test_a_baseline_beats_the_expert(name, players):
    """On few deals: the documented results are of many."""
    expert = agents.load("expert", name, players)
    result = play_duplicates(name, players, agents.load("baseline", name, players), [expert] * (players - 1), 2000)
    assert result.win_rate.mean > result.fair_share


def test_baselines_play_without_any_learning_library():
    code = (
        "import sys\n"
        "for name in ('torch', 'stable_baselines3', 'sb3_contrib'): sys.modules[name] = None\n"
        "import cardenvs, gymnasium\n"
        "envs = gymnasium.make_vec('cardenvs/UnoAllWild-v0', num_envs=4, num_players=4, opponents='baseline')\n"
        "observations, infos = envs.reset(seed=0)\n"
        "for _ in range(20): observations, *_, infos = envs.step(infos['action_mask'].argmax(axis=1))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("opponents", ["baseline", ["expert", "baseline", "random"], {"baseline": 1, "greedy": 1}])
def test_baselines_are_opponents_by_name(opponents):
    env = gymnasium.make("cardenvs/UnoAllWild-v0", num_players=4, opponents=opponents, encoding="compact")
    _, info = env.reset(seed=0)
    for _ in range(200):
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            _, info = env.reset()


def test_where_there_is_no_baseline_it_is_said_where_there_are():
    with pytest.raises(OptionError, match="for 9 players: there is for 2, 4"):
        gymnasium.make("cardenvs/UnoAllWild-v0", num_players=9, opponents="baseline")
    with pytest.raises(OptionError, match="uno_calls='auto'"):
        gymnasium.make("cardenvs/UnoAllWild-v0", num_players=4, opponents="baseline", uno_calls="declare")
    with pytest.raises(OptionError, match="no baseline of wild_twists"):
        gymnasium.make("cardenvs/WildTwists-v0", opponents="baseline")
    with pytest.raises(agents.AgentError, match="for 9 players"):
        agents.load("baseline", "uno_all_wild", 9)
    with pytest.raises(agents.AgentError, match="uno_calls='auto'"):
        agents.load("baseline", "uno_all_wild", 4, {"uno_calls": "declare"})
