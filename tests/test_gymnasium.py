"""The Gymnasium faces: one learner, and many."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from rich.text import Text

import cardenvs  # noqa: F401 - registers
from cardenvs import games
from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError
from cardenvs.core.portrayal import plain
from tests.tables import every_game, every_size, hardest, illegal_action, usual

ID = "cardenvs/UnoAllWild-v0"


def env_of(name, **options):
    return gymnasium.make(games.env_id(name), **options)


def envs_of(name, num_envs, **options):
    return gymnasium.make_vec(games.env_id(name), num_envs=num_envs, **options)


def random_actions(masks, rng):
    return np.where(masks, rng.random(masks.shape), -1).argmax(axis=-1)


def play(env, rng, steps):
    trace = []
    mask = env.unwrapped.action_masks()
    for _ in range(steps):
        observation, reward, terminated, truncated, info = env.step(int(random_actions(mask, rng)))
        trace.append((observation.tobytes(), reward, terminated, truncated, info["action_mask"].tobytes()))
        if terminated or truncated:
            observation, info = env.reset()
            trace.append((observation.tobytes(), info["action_mask"].tobytes()))
        mask = info["action_mask"] > 0
    return trace


@every_size
def test_check_env_passes_without_a_warning(table):
    env = env_of(table.name, opponents=hardest(table.name), render_mode="ansi", **table.options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@every_game
def test_masks_agree_and_are_never_empty_while_it_lasts(name):
    env = env_of(name, opponents=dict.fromkeys(games.get(name).policies, 1), max_decisions=80)
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(1)
    ended = 0
    for _ in range(400):
        np.testing.assert_array_equal(info["action_mask"] > 0, env.get_wrapper_attr("action_masks")())
        assert info["action_mask"].dtype == np.int8 and info["action_mask"].any()
        _, reward, terminated, truncated, info = env.step(int(random_actions(info["action_mask"] > 0, rng)))
        if terminated or truncated:
            assert not info["action_mask"].any() and not (truncated and reward)
            ended += 1
            _, info = env.reset()
    assert ended > 5


@every_game
def test_the_learner_sits_where_it_is_told(name):
    for seat in range(usual(name).num_players):
        env = env_of(name, opponents=hardest(name), seat=seat, **usual(name).options).unwrapped
        env.reset(seed=0)
        assert env.snapshot()["actor"] == seat


@every_game
def test_a_random_seat_is_every_seat(name):
    env = env_of(name, opponents=hardest(name), seat="random", **usual(name).options).unwrapped
    seats = set()
    for seed in range(50):
        env.reset(seed=seed)
        seats.add(env.snapshot()["actor"])
    assert seats == set(range(usual(name).num_players))


def test_a_listed_opponent_sits_clockwise_from_the_learner():
    """The first seat to the left of the learner, who deals, leads by its own policy, as a callable shows."""
    asked = []

    def left(observations, masks):
        asked.append(observations.copy())
        return masks.argmax(axis=1)

    env = gymnasium.make(ID, num_players=3, opponents=left, seat=1).unwrapped
    env.reset(
        seed=0,
        options={"dealer": 1, "shuffles": [["wild"] * 60 + [k for k in ACTION_KINDS for _ in range(ACTION_KINDS[k])]]},
    )
    assert len(asked) == 2 and env.snapshot()["actor"] == 1 and env.snapshot()["decisions"] == 2


ACTION_KINDS = {
    "reverse": 8, "skip": 8, "double_skip": 8, "draw_two": 8, "draw_four": 4, "targeted_draw_two": 8, "forced_swap": 8,
}  # fmt: skip


def test_a_callable_plays_as_the_policy_that_it_computes():
    """Random play is one policy, by name or from outside: both win their fair share against each other."""
    rng = np.random.default_rng(0)
    envs = gymnasium.make_vec(
        ID,
        num_envs=512,
        num_players=2,
        opponents=lambda observations, masks: random_actions(masks, rng),
        autoreset_mode="SameStep",
    )
    _, infos = envs.reset(seed=0)
    wins = games = 0
    for _ in range(80):
        _, rewards, terminated, _, infos = envs.step(random_actions(infos["action_mask"] > 0, rng))
        wins += int((rewards[terminated] > 0).sum())
        games += int(terminated.sum())
    assert games > 3000 and abs(wins / games - 0.5) < 4 * 0.5 / games**0.5


@every_game
def test_same_seed_same_game_and_reset_goes_on_in_the_stream(name):
    first, second = (env_of(name, opponents=hardest(name)) for _ in range(2))
    for env in (first, second):
        env.reset(seed=7)
    traces = [play(env, np.random.default_rng(2), 200) for env in (first, second)]
    assert traces[0] == traces[1]
    first.reset(seed=7)
    opening = first.unwrapped.snapshot()
    first.reset()
    assert first.unwrapped.snapshot() != opening


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@every_game
def test_copies_go_on_identically(name, clone):
    env = env_of(name, opponents={policy: n + 1 for n, policy in enumerate(games.get(name).policies)})
    env.reset(seed=3)
    play(env, np.random.default_rng(0), 15)
    twin = clone(env)
    assert play(env, np.random.default_rng(1), 150) == play(twin, np.random.default_rng(1), 150)


@every_game
def test_what_is_no_action_is_refused_and_changes_nothing(name):
    env = env_of(name, opponents="random").unwrapped
    env.reset(seed=0)
    before = env.snapshot()
    for action in (-1, env.action_space.n, None, 1.5, "draw"):
        with pytest.raises(IllegalActionError, match="legal are"):
            env.step(action)
    assert env.snapshot() == before


@every_game
def test_an_illegal_action_loses_at_once_and_is_named(name):
    env = env_of(name, opponents="random").unwrapped
    action = illegal_action(env.reset(seed=0)[1]["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert f"({env.action_name(action)})" in info["illegal_action"] and "legal are" in info["illegal_action"]
    assert env.observation_space.contains(observation) and not info["action_mask"].any()
    with pytest.raises(IllegalActionError, match="is over"):
        env.step(0)
    env.reset(seed=0)
    fresh = env_of(name, opponents="random").unwrapped
    fresh.reset(seed=0)
    assert env.snapshot() == fresh.snapshot()
    assert play(env, np.random.default_rng(0), 60) == play(fresh, np.random.default_rng(0), 60)


def test_bad_arguments_are_named():
    for wrong, message in (
        ({"opponents": "gredy"}, "Did you mean 'greedy'"),
        ({"opponents": ["greedy"]}, "must be 3"),
        ({"opponents": {"greedy": -1}}, "weight"),
        ({"opponents": 3}, "opponents are 3"),
        ({"seat": 4}, "from 0 to 3"),
        ({"seat": "left"}, "'random'"),
        ({"encoding": "tiny"}, "full, compact"),
        ({"deck": {"wild": 3}}, "every kind"),
    ):
        with pytest.raises(OptionError, match=message):
            gymnasium.make(ID, **wrong)
    with pytest.raises(ShuffleError, match="1 wild too few"):
        env = gymnasium.make(ID)
        env.reset(options={"shuffles": [["wild"] * 59 + [k for k in ACTION_KINDS for _ in range(ACTION_KINDS[k])]]})


def test_render_shows_the_learner_its_own_hand_alone():
    env = gymnasium.make(ID, num_players=3, seat=1, render_mode="ansi").unwrapped
    env.reset(seed=0)
    lines = Text.from_ansi(env.render()).plain.splitlines()
    rows = {seat: next(line for line in lines if f"seat {seat} " in line and "cards" in line) for seat in range(3)}
    assert "?" not in rows[1]
    for seat in (0, 2):
        assert rows[seat].count("?") == sum(env.snapshot()["hands"][seat].values())
        assert not any(plain(kind) in rows[seat] for kind in env.snapshot()["hands"][seat])


# --- many -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("played", ["inside", "outside", "mixed"])
@every_game
def test_vector_rows_play_as_single_environments(name, mode, played):
    mixed = {last_legal: 1, first_legal: 1, "random": 1}
    opponents = {"inside": hardest(name), "outside": last_legal, "mixed": mixed}[played]
    n, options = 6, {"opponents": opponents, "max_decisions": 80}
    envs = envs_of(name, n, autoreset_mode=mode, **options)
    singles = [env_of(name, **options) for _ in range(n)]
    observations, infos = envs.reset(seed=11)
    single = [env.reset(seed=11 + b) for b, env in enumerate(singles)]
    over = np.zeros(n, bool)
    rng = np.random.default_rng(0)
    finals = 0
    for _ in range(120):
        np.testing.assert_array_equal(observations, [observation for observation, _ in single])
        np.testing.assert_array_equal(infos["action_mask"], [info["action_mask"] for _, info in single])
        if mode == AutoresetMode.DISABLED and over.any():
            observations, infos = envs.reset(options={"reset_mask": over})
            single = [env.reset() if over[b] else single[b] for b, env in enumerate(singles)]
            over = np.zeros(n, bool)
            continue
        actions = random_actions(infos["action_mask"] > 0, rng)
        if rng.random() < 0.2:  # somebody tries what is not legal
            row = rng.integers(n)
            actions[row] = infos["action_mask"][row].argmin()
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        stepped = [
            (*env.reset(), 0.0, False) if over[b] and mode == AutoresetMode.NEXT_STEP else _step(env, actions[b])
            for b, env in enumerate(singles)
        ]
        np.testing.assert_allclose(rewards, [reward for _, _, reward, _ in stepped])
        over = terminated | truncated
        np.testing.assert_array_equal(over, [ended for *_, ended in stepped])
        single = [(observation, info) for observation, info, *_ in stepped]
        if mode == AutoresetMode.SAME_STEP and over.any():
            np.testing.assert_array_equal(infos["_final_obs"], over)
            for b in np.flatnonzero(over):
                np.testing.assert_array_equal(infos["final_obs"][b], single[b][0])
                assert not infos["final_info"]["action_mask"][b].any()
                single[b] = singles[b].reset()
                finals += 1
    assert mode != AutoresetMode.SAME_STEP or finals > 5


def _step(env, action):
    observation, reward, terminated, truncated, info = env.step(int(action))
    return observation, info, reward, terminated or truncated


@every_game
def test_threads_do_not_change_a_game(name):
    results = []
    for threads in (1, 2):
        envs = envs_of(name, 600, opponents=hardest(name), num_threads=threads)
        observations, infos = envs.reset(seed=5)
        rng = np.random.default_rng(0)
        for _ in range(40):
            observations, rewards, *_, infos = envs.step(random_actions(infos["action_mask"] > 0, rng))
        results.append((observations.tobytes(), rewards.tobytes(), infos["action_mask"].tobytes()))
    assert results[0] == results[1]


@every_game
def test_vector_refuses_what_is_no_action_and_changes_nothing(name):
    envs = envs_of(name, 4)
    beyond = envs.single_action_space.n
    _, infos = envs.reset(seed=0)
    before = envs.unwrapped.snapshots()
    actions = random_actions(infos["action_mask"] > 0, np.random.default_rng(0))
    for wrong in (np.array([*actions[:3], beyond]), actions[:3], actions.astype(float)):
        with pytest.raises(IllegalActionError, match=f"from 0 to {beyond - 1}"):
            envs.step(wrong)
    assert envs.unwrapped.snapshots() == before


@every_game
def test_an_illegal_action_loses_in_its_own_row_alone(name):
    envs, others = (envs_of(name, 4, opponents=hardest(name)) for _ in range(2))
    _, infos = envs.reset(seed=0)
    others.reset(seed=0)
    actions = infos["action_mask"].argmax(axis=1)
    legal = others.step(actions)
    actions[2] = illegal_action(infos["action_mask"][2])
    observations, rewards, terminated, truncated, infos = envs.step(actions)
    np.testing.assert_array_equal(infos["illegal_action"], [False, False, True, False])
    assert rewards[2] == -1 and terminated[2] and not truncated[2] and not infos["action_mask"][2].any()
    kept = [0, 1, 3]
    np.testing.assert_array_equal(observations[kept], legal[0][kept])
    np.testing.assert_array_equal(rewards[kept], legal[1][kept])


def test_disabled_autoreset_asks_for_a_reset():
    envs = gymnasium.make_vec(ID, num_envs=2, max_decisions=1, autoreset_mode="Disabled")
    _, infos = envs.reset(seed=0)
    envs.step(infos["action_mask"].argmax(axis=1))
    with pytest.raises(OptionError, match="reset_mask"):
        envs.step(np.zeros(2, int))


def test_vector_wrappers_keep_the_masks_in_reach():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec(ID, num_envs=8, opponents="greedy"))
    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    episodes = 0
    for _ in range(60):
        *_, infos = envs.step(random_actions(infos["action_mask"] > 0, rng))
        episodes += int(infos.get("_episode", np.zeros(1)).sum())
    assert episodes > 5


def test_unknown_autoreset_mode_is_named():
    with pytest.raises(OptionError, match="SameStep"):
        gymnasium.make_vec(ID, num_envs=2, autoreset_mode="SameSteps")


def first_legal(observations, masks):
    return masks.argmax(axis=1)


def last_legal(observations, masks):
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_rewards_with_callable_opponents_are_those_of_single_environments():
    n = 8
    envs = gymnasium.make_vec(ID, num_envs=n, opponents=last_legal, autoreset_mode="SameStep")
    singles = [gymnasium.make(ID, opponents=last_legal).unwrapped for _ in range(n)]
    observations, infos = envs.reset(seed=2)
    for b, env in enumerate(singles):
        np.testing.assert_array_equal(env.reset(seed=2 + b)[0], observations[b])
    paid = 0
    for _ in range(60):
        actions = infos["action_mask"].argmax(axis=1)
        observations, rewards, *_, infos = envs.step(actions)
        for b, env in enumerate(singles):
            observation, reward, terminated, _, _ = env.step(int(actions[b]))
            assert rewards[b] == pytest.approx(reward)
            paid += terminated
            np.testing.assert_array_equal(observations[b], env.reset()[0] if terminated else observation)
    assert paid > 8


def test_opponents_that_answer_nonsense_are_named():
    env = gymnasium.make(ID, opponents=lambda observations, masks: np.full(len(masks), 0.5), seat=0)
    with pytest.raises(IllegalActionError, match="opponents answered float64"):
        for seed in range(20):
            env.reset(seed=seed)


@every_game
def test_an_episode_can_be_rendered_until_it_ends_and_however_it_ended(name):
    env = env_of(name, opponents=hardest(name), render_mode="ansi", max_decisions=80).unwrapped
    rng = np.random.default_rng(0)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        while info["action_mask"].any():
            assert "is asked:" in env.render()
            *_, info = env.step(int(random_actions(info["action_mask"] > 0, rng)))
        assert "won" in env.render() or "cut off" in env.render()
    _, info = env.reset(seed=0)
    env.step(illegal_action(info["action_mask"]))
    assert "ended by an illegal action" in env.render()


@pytest.mark.parametrize("dealer", range(4))
def test_observations_are_of_now_however_many_shuffles_are_stacked(dealer):
    deck = ["wild"] * 60 + [kind for kind in ACTION_KINDS for _ in range(ACTION_KINDS[kind])]
    env = gymnasium.make(ID, opponents="random", seat=0, episode="match").unwrapped
    observation, _ = env.reset(seed=1, options={"dealer": dealer, "shuffles": [deck] * 5})
    np.testing.assert_array_equal(observation, env._games.observe(0)[0])
