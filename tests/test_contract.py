"""What must hold of any game at any decision, whatever its rules: nothing here knows what a card does."""

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import scripted_table, seat_learner
from tests.helpers import (
    UNO_DECK,
    UNO_KINDS,
    cards_in,
    deck_of,
    fingerprint,
    mixed_deck,
    over,
    play,
    random_actions,
    sizes,
    stacked_deck,
    staged,
)

ROOT = Path(__file__).resolve().parents[1]
PLAYERS = (2, 3, 4, 7, 10)
OPTIONS = {
    "default": lambda p: {},
    "declare-match": lambda p: {"uno_calls": "declare", "episode": "match"},
    "ignored-score": lambda p: {"start_card": "ignored", "reward": "score"},
    "dry": lambda p: {"deck": mixed_deck(7 * p + 3), "uno_calls": "declare"},
    "large": lambda p: {"deck": mixed_deck(160), "episode": "match", "reward": "score"},
    "cut-off": lambda p: {"max_decisions": 9, "uno_calls": "declare", "episode": "match", "target_score": 100},
}
SNAPSHOT_KEYS = {
    "game", "num_players", "episode", "round", "dealer", "decisions", "actor", "phase", "legal", "hands", "draw_pile",
    "scores", "round_points", "winners", "terminated", "truncated", "shuffles", "discard_pile", "direction", "turn",
    "to_declare", "silent",
}  # fmt: skip

every_table = pytest.mark.parametrize("num_players", PLAYERS)
every_option = pytest.mark.parametrize("named", OPTIONS)
some_tables = pytest.mark.parametrize(
    ("num_players", "named"), [(2, "declare-match"), (3, "dry"), (4, "default"), (10, "large"), (4, "cut-off")]
)


def batch(num_players, named, n, seed=0, **more):
    return BatchGame("uno_all_wild", n, seed=seed, num_players=num_players, **OPTIONS[named](num_players), **more)


def go_on(game, rng, steps, deal_again=True):
    """Random decisions; games that are over are dealt again."""
    for _ in range(steps):
        game.step(random_actions(game, rng))
        if deal_again:
            game.reset(over(game))


def shown(game):
    """All that a batch tells, as bytes that are equal only if everything is."""
    snapshots = [game[i].snapshot() for i in range(len(game))]
    arrays = [game.rewards, game.legal(), game.terminated, game.truncated, game.scores, game.round_points]
    seen = [game.observe(seat) for seat in range(game.num_players)]
    return json.dumps(snapshots, sort_keys=True).encode() + b"".join(a.tobytes() for a in [*arrays, *seen])


def held(game):
    """Hands by row, seat and kind."""
    return game._states["hands"][:, : game.num_players].astype(int)


def pile_of(game):
    """The draw pile by row and kind."""
    cards, size = game._states["cards"], game._states["draw_size"]
    in_pile = np.arange(cards.shape[1]) < size[:, None]
    return np.stack([((cards == k) & in_pile).sum(axis=1) for k in range(len(UNO_KINDS))], axis=1)


def assert_cards_are_conserved(game):
    deck = [game.options.deck[kind] for kind in UNO_KINDS]
    assert (held(game).sum(axis=1) + pile_of(game) + game._states["discards"] == deck).all()
    assert cards_in(game[0].snapshot()) == {kind: n for kind, n in game.options.deck.items() if n}


def assert_stored_numbers_are_in_range(game):
    s, p = game._states, game.num_players
    live = ~over(game)
    total = sum(game.options.deck.values())
    assert (held(game) >= 0).all()
    assert (s["sizes"][:, :p] == held(game).sum(axis=2)).all()
    assert (s["draw_size"] + s["discard_size"] + s["sizes"].sum(axis=1) == total).all()
    assert (s["draw_size"] >= 0).all()
    assert (s["discard_size"] >= 1).all()
    assert (s["discards"] >= 0).all()
    assert (s["settled"] >= 0).all()
    assert (s["settled"] <= s["draw_size"]).all()
    assert (s["sizes"][:, p:] == 0).all()
    assert (s["hands"][:, p:] == 0).all()
    assert (s["scores"] >= 0).all()
    assert (s["round_points"] >= 0).all()
    assert np.isin(s["direction"], (-1, 1)).all()
    for seat in (s["turn"], s["dealer"], game.actor[live]):
        assert (seat >= 0).all()
        assert (seat < p).all()
    assert (game.phase[live] >= 0).all()
    assert (game.phase[live] < len(game.game.phases)).all()
    assert (game.actor[~live] == -1).all()
    assert (game.phase[~live] == -1).all()
    assert (game.decisions >= 0).all()
    assert (game.decisions <= game.options.max_decisions).all()
    assert (s["known"][:, :p, :p] <= held(game)[:, None]).all()  # by observer, then whose hand


def assert_observations_are_in_range(full, compact):
    for seat in [None, *range(full.num_players)]:
        more, less = full.observe(seat), compact.observe(seat)
        assert more.shape == (len(full), full.game.observation_size(full.num_players, "full"))
        assert less.shape == (len(full), full.game.observation_size(full.num_players, "compact"))
        assert more.shape[1] == full.observation_size > less.shape[1] == compact.observation_size
        assert more.dtype == less.dtype == np.float32
        assert np.isfinite(more).all()
        assert abs(more).max() <= 1
        assert np.array_equal(more[:, : less.shape[1]], less)


# --- at every decision ------------------------------------------------------------------------------------------------


@every_table
@every_option
def test_random_play_keeps_the_contract(num_players, named):
    game, compact = batch(num_players, named, 24), batch(num_players, named, 24, encoding="compact")
    rng = np.random.default_rng(1)
    for step in range(150):
        legal, ended = game.legal(), over(game)
        assert (legal.any(axis=1) == ~ended).all()
        assert np.allclose(game.rewards.sum(axis=1), 0, atol=1e-6)
        if step % 3 == 0:
            assert_cards_are_conserved(game)
            assert_stored_numbers_are_in_range(game)
            assert_observations_are_in_range(game, compact)
        actions = random_actions(game, rng)
        for each in (game, compact):
            each.reset(ended)
            each.step(np.where(ended, each.legal().argmax(axis=1), actions))


@every_table
def test_only_finished_rounds_are_paid(num_players):
    game = batch(num_players, "ignored-score", 64)
    rng = np.random.default_rng(2)
    while not over(game).all():
        running = ~over(game)
        game.step(random_actions(game, rng))
        paid = (game.rewards != 0).any(axis=1)
        assert (paid == (running & game.terminated)).all()


@some_tables
def test_snapshot_is_plain_data_with_the_keys_of_the_spec(num_players, named):
    game = batch(num_players, named, 1)
    rng = np.random.default_rng(3)
    for _ in range(60):
        position = game.snapshot()
        assert set(position) == SNAPSHOT_KEYS
        assert json.loads(json.dumps(position)) == position
        assert position["legal"] == [game.action_names[a] for a in np.flatnonzero(game.legal()[0])]
        go_on(game, rng, 1)


def test_looking_changes_nothing():
    game, unseen = batch(4, "declare-match", 8), batch(4, "declare-match", 8)
    rng, same = np.random.default_rng(4), np.random.default_rng(4)
    for _ in range(80):
        shown(game)
        game.copy()
        go_on(game, rng, 1)
        go_on(unseen, same, 1)
    assert shown(game) == shown(unseen)


def test_games_that_are_over_take_any_action_and_stay():
    game = batch(2, "default", 16)
    go_on(game, np.random.default_rng(5), 18, deal_again=False)
    ended = over(game)
    assert 0 < ended.sum() < 16
    before = [game[i].snapshot() for i in np.flatnonzero(ended)]
    game.step(np.where(ended, 999, game.legal().argmax(axis=1)))
    assert [game[i].snapshot() for i in np.flatnonzero(ended)] == before
    assert (game.rewards[ended] == 0).all()
    assert (game.observe()[game.actor < 0] == 0).all()


def test_buffers_are_filled_with_what_is_returned():
    game = batch(3, "default", 8)
    observations, legal = np.zeros((8, game.observation_size), np.float32), np.zeros((8, len(game.action_names)), bool)
    game.step(game.legal().argmax(axis=1), observations)
    assert np.array_equal(observations, game.observe())
    assert np.array_equal(game.legal(legal), game.legal())
    game.observe(1, observations)
    assert np.array_equal(observations, game.observe(1))
    game.reset(observations=observations)
    assert np.array_equal(observations, game.observe())


# --- nothing leaks ----------------------------------------------------------------------------------------------------


def public(position, seat):
    """What of a snapshot is no secret to a seat."""
    known = {key: value for key, value in position.items() if key not in ("hands", "draw_pile", "legal")}
    hands = position["hands"]
    legal = position["legal"] if position["actor"] == seat else None
    return known, hands[seat], [sum(cards.values()) for cards in hands], len(position["draw_pile"]), legal


def moments(game, rng, count=4, apart=9):
    for _ in range(count):
        go_on(game, rng, apart)
        yield game


@every_table
@every_option
def test_no_seat_can_tell_a_possibility_from_the_truth(num_players, named):
    encodings = [batch(num_players, named, 12, encoding=encoding) for encoding in ("full", "compact")]
    for game in encodings:
        for truth in moments(game, np.random.default_rng(6)):
            for seat in range(num_players):
                possible = truth.resample_hidden(seat)
                assert truth.observe(seat).tobytes() == possible.observe(seat).tobytes()
                asked = truth.actor == seat
                assert np.array_equal(truth.legal()[asked], possible.legal()[asked])
                assert np.array_equal(truth.actor, possible.actor)
                assert public(truth[0].snapshot(), seat) == public(possible[0].snapshot(), seat)
                assert_cards_are_conserved(possible)
                assert_stored_numbers_are_in_range(possible)


@every_table
@every_option
def test_possibilities_differ_from_the_truth_in_most_cases(num_players, named):
    game = batch(num_players, named, 64)
    changed = []
    for truth in moments(game, np.random.default_rng(7), apart=3):
        for seat in range(num_players):
            others = np.arange(num_players) != seat
            differs = held(truth)[:, others] != held(truth.resample_hidden(seat))[:, others]
            changed.append(differs.any(axis=(1, 2)).mean())
    two_cards_hidden_at_most = (num_players, named) == (2, "dry")
    assert np.mean(changed) > (0.05 if two_cards_hidden_at_most else 0.5)


def test_all_hands_and_the_draw_pile_are_drawn_anew_after_the_deal():
    game = batch(4, "ignored-score", 64)
    possible = game.resample_hidden(2)
    assert (held(game) != held(possible)).any(axis=2).mean(axis=0) == pytest.approx([0.9, 0.9, 0, 0.9], abs=0.1)
    assert (pile_of(game) != pile_of(possible)).any(axis=1).mean() > 0.9
    assert game[0].snapshot()["draw_pile"] != possible[0].snapshot()["draw_pile"]


@some_tables
def test_actor_of_a_possibility_can_play_what_it_holds_there(num_players, named):
    game = batch(num_players, named, 32)
    for truth in moments(game, np.random.default_rng(12)):
        for seat in range(num_players):
            possible = truth.resample_hidden(seat)
            playing = possible.phase == list(game.game.phases).index("play")
            hands = held(possible)[playing, possible.actor[playing]]
            assert np.array_equal(possible.legal()[playing, : len(UNO_KINDS)], hands > 0)


def test_every_call_draws_other_possibilities():
    game = batch(4, "default", 16)
    first, second = game.resample_hidden(0), game.resample_hidden(0)
    assert (held(first) != held(second)).any(axis=(1, 2)).mean() > 0.8


def test_possibilities_leave_the_true_game_alone():
    game, untouched = batch(4, "declare-match", 8), batch(4, "declare-match", 8)
    for each, looks in ((game, True), (untouched, False)):
        rng = np.random.default_rng(8)
        for _ in range(40):
            if looks:
                go_on(each.resample_hidden(1), np.random.default_rng(0), 2)
            go_on(each, rng, 1)
    assert shown(game) == shown(untouched)


def test_possibilities_are_those_of_the_actor_by_default_or_of_a_seat_a_row():
    game = batch(3, "default", 12)
    go_on(game, np.random.default_rng(9), 5)
    actors = game.actor
    rows = np.arange(12)
    assert (actors >= 0).all()
    for possible in (game.resample_hidden(), game.resample_hidden(actors)):
        assert np.array_equal(held(possible)[rows, actors], held(game)[rows, actors])
        assert np.array_equal(game.observe(), possible.observe())
        assert np.array_equal(game.legal(), possible.legal())


def test_finished_games_stay_as_they_are():
    game = batch(2, "default", 8)
    go_on(game, np.random.default_rng(10), 70, deal_again=False)
    assert over(game).all()
    before = [game[i].snapshot()["hands"] for i in range(8)]
    possible = game.resample_hidden(0)
    assert [possible[i].snapshot()["hands"] for i in range(8)] == before


def test_what_comes_after_a_possibility_is_not_what_was_to_come():
    game = batch(2, "default", 32)
    possible = game.resample_hidden(0)
    following = [[each[i].snapshot()["hands"] for i in range(32)] for each in (game, possible) if each.reset() is None]
    assert sum(a != b for a, b in zip(*following, strict=True)) > 25


@every_table
@every_option
def test_possibilities_go_on_legally(num_players, named):
    game = batch(num_players, named, 12)
    rng = np.random.default_rng(11)
    for truth in moments(game, rng, count=2):
        for seat in (0, num_players - 1):
            possible = truth.resample_hidden(seat)
            for _ in range(4):
                go_on(possible, rng, 8)
                assert (possible.legal().any(axis=1) == ~over(possible)).all()
                assert_cards_are_conserved(possible)
                assert_stored_numbers_are_in_range(possible)


def test_hand_given_away_in_a_swap_stays_where_its_giver_knows_it_to_be():
    game = staged([["forced_swap", "skip", "reverse"], ["double_skip"] * 7, ["draw_two"] * 7])
    play(game, "forced_swap", "seat_1")
    for _ in range(20):
        assert held(game.resample_hidden(0))[0, 1].tolist() == held(game)[0, 1].tolist()
        assert held(game.resample_hidden(1))[0, 0].tolist() == held(game)[0, 0].tolist()
    seen_by_2 = {tuple(held(game.resample_hidden(2))[0, 0]) for _ in range(20)}
    assert len(seen_by_2) > 10


def test_possibility_of_a_staged_game_has_no_stacked_shuffles():
    order = stacked_deck([["skip"] * 6, []])
    game = staged([["skip"] * 6, []], max_decisions=5, later=[order])
    running = game.resample_hidden(0)
    play(game, *["skip"] * 5)
    for possible in (running, game.resample_hidden(0)):
        possible.reset(options={"dealer": 1})
        assert possible.snapshot()["hands"] != [{"skip": 6, "wild": 1}, {"wild": 7}]


# --- the same games, however they are played --------------------------------------------------------------------------


@some_tables
def test_row_of_a_batch_plays_as_a_single_game(num_players, named):
    games = batch(num_players, named, 5, seed=12)
    keys = games._states["key"].copy()
    singles = [batch(num_players, named, 1, seed=99) for _ in range(5)]
    for i, single in enumerate(singles):
        single.reset(seed=keys[i : i + 1])
    rng = np.random.default_rng(13)
    for _ in range(70):
        actions = random_actions(games, rng)
        games.step(actions)
        for i, single in enumerate(singles):
            single.step(actions[i : i + 1])
            assert single.snapshot() == games[i].snapshot()
            assert np.array_equal(single.rewards[0], games.rewards[i])
            assert np.array_equal(single.observe()[0], games.observe()[i])
            single.reset(over(single))
        games.reset(over(games))


def test_games_of_a_batch_differ():
    games = batch(4, "default", 50)
    assert len({json.dumps(games[i].snapshot()["hands"]) for i in range(50)}) == 50


def test_number_of_threads_does_not_matter():
    seatings = ({}, {"seating": lambda game, p: seat_learner(game, p, "random", "random")})
    for more in seatings:
        results = []
        for num_threads in (1, 2, 4):
            games = batch(4, "declare-match", 1100, seed=14, num_threads=num_threads, **more)
            go_on(games, np.random.default_rng(15), 60)
            results.append(
                [games.observe().tobytes(), games.rewards.tobytes(), games.legal().tobytes(), held(games).tobytes()]
            )
        assert results[0] == results[1] == results[2]


@pytest.mark.parametrize(
    "environment",
    [{"NUMBA_DISABLE_JIT": "1"}, {"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}],
    ids=["plain Python", "another process", "another hash seed"],
)
def test_games_are_the_same_in(environment):
    script = "from tests.helpers import fingerprint; print(fingerprint())"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == fingerprint()


def test_fingerprint_tells_games_apart():
    assert fingerprint(steps=2) != fingerprint(steps=3)


COPIES = {
    "copy": BatchGame.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "slice": lambda game: game[:],
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@some_tables
def test_copies_go_on_identically_and_independently(make, num_players, named):
    game = batch(num_players, named, 6)
    go_on(game, np.random.default_rng(16), 25, deal_again=False)
    before = shown(game)
    twin = make(game)
    assert shown(twin) == before
    rng = np.random.default_rng(17)
    go_on(twin, rng, 30)
    twin.reset()
    go_on(twin, rng, 10)
    assert shown(game) == before
    rng = np.random.default_rng(17)
    go_on(game, rng, 30)
    game.reset()
    go_on(game, rng, 10)
    assert shown(game) == shown(twin)


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_copies_keep_the_policies_that_play(make):
    game = batch(4, "declare-match", 6, seating=lambda game, p: seat_learner(game, p, "random", "random"))
    go_on(game, np.random.default_rng(18), 10)
    twin = make(game)
    assert np.array_equal(twin.learner, game.learner)
    for each in (game, twin):
        go_on(each, np.random.default_rng(19), 30)
    assert shown(game) == shown(twin)


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_copies_keep_the_stacked_shuffles_to_come(make):
    later = [stacked_deck([["reverse"] * 6, ["skip"] * 6]), stacked_deck([["double_skip"], ["draw_four"]])]
    game = staged([["skip"] * 6, []], episode="match", later=later)
    play(game, *["skip"] * 6)
    twin = make(game)
    for each in (game, twin):
        play(each, "wild")
        assert each.snapshot()["round"] == 1
    assert game.snapshot() == twin.snapshot()
    assert twin.snapshot()["draw_pile"] == later[0][15:]


def test_item_of_a_batch_is_a_copy_of_that_game():
    games = batch(3, "default", 6)
    go_on(games, np.random.default_rng(20), 8)
    rows = shown(games[2]), shown(games[4])
    assert (shown(games[[2, 4]][0]), shown(games[2:5][2])) == rows
    chosen = np.array([False, False, True, False, True, False])
    assert len(games[chosen]) == 2
    assert shown(games[chosen][1]) == rows[1]
    games[2].step(games[2].legal().argmax(axis=1))
    assert shown(games[2]) == rows[0]


# --- random streams ---------------------------------------------------------------------------------------------------


def test_seed_fixes_everything():
    first, second = batch(4, "default", 8, seed=21), batch(4, "default", 8, seed=21)
    third = batch(4, "default", 8, seed=22)
    assert shown(first) == shown(second) != shown(third)
    third.reset(seed=21)
    assert shown(third) == shown(first)


def test_games_without_a_seed_differ():
    assert shown(batch(4, "default", 4, seed=None)) != shown(batch(4, "default", 4, seed=None))


def test_reset_without_a_seed_goes_on_in_the_stream():
    first, second = batch(4, "default", 8, seed=23), batch(4, "default", 8, seed=23)
    episodes = {shown(first)}
    for _ in range(4):
        first.reset()
        second.reset()
        assert shown(first) == shown(second)
        episodes.add(shown(first))
    assert len(episodes) == 5


def test_next_episode_does_not_depend_on_how_the_last_was_played():
    first, second = batch(2, "default", 4, seed=24), batch(2, "default", 4, seed=24)
    go_on(first, np.random.default_rng(0), 12, deal_again=False)
    go_on(second, np.random.default_rng(1), 7, deal_again=False)
    first.reset()
    second.reset()
    assert shown(first) == shown(second)


def test_reset_deals_only_where_it_is_told():
    games = batch(3, "default", 6)
    go_on(games, np.random.default_rng(25), 10, deal_again=False)
    before = [games[i].snapshot() for i in range(6)]
    where = np.array([True, False, True, False, False, False])
    games.reset(where)
    after = [games[i].snapshot() for i in range(6)]
    assert [a == b for a, b in zip(before, after, strict=True)] == (~where).tolist()
    assert games.decisions.tolist() == [0, 10, 0, 10, 10, 10]
    games.reset(where, seed=5, options={"dealer": 2})
    assert [games[i].snapshot()["dealer"] for i in (0, 2)] == [2, 2]
    assert [games[i].snapshot() for i in (1, 3, 4, 5)] == [before[i] for i in (1, 3, 4, 5)]


def test_autoreset_is_a_reset_of_what_is_over_in_the_same_call():
    one, other = batch(2, "default", 8, seed=33), batch(2, "default", 8, seed=33)
    seen = [game.observe() for game in (one, other)]
    rng = np.random.default_rng(33)
    dealt = 0
    for _ in range(60):
        actions, ended = random_actions(one, rng), over(one)
        one.step(actions, seen[0])
        one.reset(ended, observations=seen[0])
        other.step(actions, seen[1], autoreset=True)
        dealt += ended.sum()
        assert shown(one) == shown(other)
        assert np.array_equal(*seen)
        assert not one.rewards[ended].any()
    assert dealt > 8


def test_autoreset_forgets_the_stack_of_the_episode_before():
    game = staged([["skip"] * 6, []], max_decisions=1)
    play(game, "skip")
    game.step([0], autoreset=True)
    assert game.snapshot()["hands"] != [{"skip": 6, "wild": 1}, {"wild": 7}]
    assert game.decisions.tolist() == [0]


def test_global_random_states_are_left_alone():
    np.random.seed(1)
    random.seed(1)
    before = np.random.get_state(), random.getstate()
    game = batch(4, "default", 4, seed=None, seating=lambda game, p: scripted_table(game, ["random"] * p))
    game.reset()
    game = batch(4, "default", 4, seed=None)
    go_on(game, np.random.default_rng(26), 40)
    game.resample_hidden(1).reset()
    after = np.random.get_state(), random.getstate()
    assert str(before) == str(after)
    np.random.seed(2)
    random.seed(2)
    assert shown(batch(4, "default", 4)) == shown(batch(4, "default", 4))


# --- illegal actions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, 8, 12, 16, 1000, -(2**40)])
def test_illegal_action_names_what_is_legal_and_changes_nothing(action):
    games = batch(4, "declare-match", 5)
    games.reset(options={"dealer": 3, "shuffles": [stacked_deck([["skip", "draw_four"], [], [], []])]})
    actions = games.legal().argmax(axis=1)
    games.step(actions)
    games.reset(np.arange(5) == 3, options={"dealer": 1, "shuffles": [stacked_deck([[], [], ["skip"], []], dealer=1)]})
    before = shown(games)
    actions = games.legal().argmax(axis=1)
    actions[3] = action
    with pytest.raises(IllegalActionError, match=r"seat 2 .*phase play.* legal are wild, skip\.") as raised:
        games.step(actions)
    assert "game 3" in str(raised.value)
    assert shown(games) == before


def test_illegal_action_in_another_phase_names_it():
    game = staged([["forced_swap"], [], []])
    play(game, "forced_swap")
    with pytest.raises(IllegalActionError, match=r"seat 0 .*phase target.* legal are seat_1, seat_2\."):
        play(game, "wild")


@pytest.mark.parametrize(
    "actions", [[0], 0, [[0], [0]], [0, 0, 0], [0.0, 0.0], [True, True], ["wild", "wild"], None, [None, None]]
)
def test_actions_of_a_wrong_shape_or_type_are_refused(actions):
    games = batch(2, "default", 2)
    before = shown(games)
    with pytest.raises(IllegalActionError):
        games.step(actions)
    assert shown(games) == before


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_actions_of_any_whole_type_are_taken(dtype):
    games = batch(2, "default", 2)
    games.step(games.legal().argmax(axis=1).astype(dtype))
    assert games.decisions.tolist() == [1, 1]


def test_unknown_action_names_and_indices_are_refused():
    game = batch(2, "default", 1)
    with pytest.raises(OptionError, match="say_uno"):
        game.action_index("say_un")
    with pytest.raises(OptionError):
        game.action_name(14)
    with pytest.raises(OptionError):
        game.action_name(-1)


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start_crad": "ignored"}, "Did you mean 'start_card'"),
        ({"num_player": 3}, "Did you mean 'num_players'"),
        ({"uno_calls": "declares"}, "Did you mean 'declare'"),
        ({"start_card": "off"}, "active, ignored"),
        ({"num_players": 1}, "2 to 10"),
        ({"num_players": 11}, "2 to 10"),
        ({"num_players": 2.5}, "num_players"),
        ({"num_players": "4"}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"episode": "rounds"}, "Did you mean 'round'"),
        ({"reward": "wins"}, "Did you mean 'win'"),
        ({"encoding": "ful"}, "Did you mean 'full'"),
        ({"target_score": 0}, "target_score"),
        ({"max_decisions": 0}, "max_decisions"),
        ({"max_decisions": 1.5}, "max_decisions"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"num_games": 0}, "num_games"),
        ({"num_threads": 0}, "num_threads"),
        ({"num_players": 4, "deck": deck_of(wild=28)}, "29 to 160"),
        ({"deck": deck_of(wild=161)}, "160"),
        ({"deck": deck_of(wild=159, skip=2)}, "29 to 160"),
        ({"deck": {"wild": 60, "skip": 8}}, "does not name reverse"),
        ({"deck": UNO_DECK | {"skips": 1}}, "Did you mean 'skip'"),
        ({"deck": UNO_DECK | {"skip": -1}}, "skip"),
        ({"deck": UNO_DECK | {"skip": 1.5}}, "skip"),
        ({"deck": ["wild"] * 60}, "deck"),
    ],
    ids=str,
)
def test_bad_option_is_refused_by_name(options, message):
    with pytest.raises(OptionError, match=message):
        BatchGame("uno_all_wild", **options)


def test_unknown_game_is_refused_by_name():
    with pytest.raises(OptionError, match="Did you mean 'uno_all_wild'"):
        BatchGame("uno_allwild")


def test_all_errors_are_value_errors():
    assert all(issubclass(error, ValueError) for error in (OptionError, ShuffleError, IllegalActionError))


GOOD = stacked_deck([["skip"] * 6, []])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"dealer": 2}, OptionError, "dealer is 2.*0 to 1"),
        ({"dealer": -1}, OptionError, "dealer"),
        ({"dealer": 0.5}, OptionError, "dealer"),
        ({"dealer": "0"}, OptionError, "dealer"),
        ({"shuffles": [["wild", *GOOD[1:]]]}, ShuffleError, "shuffle 0.*1 wild too many, 1 skip too few"),
        ({"shuffles": [GOOD[1:]]}, ShuffleError, "shuffle 0.*1 skip too few"),
        ({"shuffles": [[*GOOD, "draw_four"]]}, ShuffleError, "shuffle 0.*1 draw_four too many"),
        ({"shuffles": [[*GOOD, *["wild"] * 60]]}, ShuffleError, "shuffle 0.*60 wild too many"),
        ({"shuffles": [[]]}, ShuffleError, "shuffle 0"),
        ({"shuffles": [["skipp", *GOOD[1:]]]}, ShuffleError, "shuffle 0.*'skipp'"),
        ({"shuffles": [GOOD, ["wild", "joker"]]}, ShuffleError, "shuffle 1.*'joker'"),
        ({"shuffles": [GOOD], "dealer": 7}, OptionError, "dealer"),
    ],
)
def test_bad_reset_is_refused_and_changes_nothing(options, error, message):
    games, untouched = batch(2, "default", 3), batch(2, "default", 3)
    for each in (games, untouched):
        go_on(each, np.random.default_rng(27), 6)
    for more in ({}, {"seed": 5}):
        with pytest.raises(error, match=message):
            games.reset(options=options, **more)
    assert shown(games) == shown(untouched)
    for each in (games, untouched):
        go_on(each, np.random.default_rng(28), 40)
    assert shown(games) == shown(untouched)


@pytest.mark.parametrize(
    "arguments",
    [
        {"seed": -1},
        {"seed": 1.5},
        {"seed": np.zeros(2, np.uint64)},
        {"seed": np.zeros(3, np.int64)},
        {"where": np.ones(3, int)},
        {"where": np.ones(2, bool)},
    ],
    ids=str,
)
def test_bad_arguments_of_reset_are_refused_and_change_nothing(arguments):
    games = batch(2, "default", 3)
    before = shown(games)
    with pytest.raises(OptionError):
        games.reset(**arguments)
    assert shown(games) == before


@pytest.mark.parametrize("seat", [-1, 2, 0.5, "0", np.array([0, 1, 2])])
def test_bad_seats_are_refused(seat):
    games = batch(2, "default", 3)
    with pytest.raises(OptionError, match="seat"):
        games.observe(seat)
    with pytest.raises(OptionError, match="seat"):
        games.resample_hidden(seat)


def test_snapshot_of_many_games_is_refused():
    with pytest.raises(OptionError, match="snapshot"):
        batch(2, "default", 2).snapshot()


def test_other_reset_options_are_ignored():
    game, other = batch(2, "default", 1), batch(2, "default", 1)
    game.reset(options={"dealer": 1, "colour": "blue"})
    other.reset(options={"dealer": 1})
    assert game.snapshot() == other.snapshot()


# --- stacked shuffles that come later ---------------------------------------------------------------------------------

DRY = deck_of(wild=13, skip=1, draw_two=1)  # the cards that two players are dealt, and the first discard


def dry_game(*later):
    """Seat 0 is about to play a draw two, for which the wild and the skip in the discard pile will be shuffled."""
    game = staged([["skip", "draw_two"], []], deck=DRY, later=later)
    play(game, "skip")
    return game


def test_stacked_reshuffle_gives_the_order():
    for order in (["skip", "wild"], ["wild", "skip"]):
        game = dry_game(order)
        play(game, "draw_two")
        assert (game.snapshot()["shuffles"], sizes(game)) == (2, [5, 9])


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["wild", "wild"], "shuffle 1.*1 wild too many, 1 skip too few"),
        (["wild"], "shuffle 1.*1 skip too few"),
        (["wild", "skip", "skip"], "shuffle 1.*1 skip too many"),
        ([], "shuffle 1.*1 wild too few, 1 skip too few"),
        (["wild"] * 170, "shuffle 1.*169 wild too many, 1 skip too few"),
    ],
)
def test_later_shuffle_that_does_not_fit_stops_the_episode_until_a_reset(order, message):
    game = dry_game(order)
    with pytest.raises(ShuffleError, match=message):
        play(game, "draw_two")
    for _ in range(3):
        with pytest.raises(ShuffleError, match=message):
            game.step(game.legal().argmax(axis=1))
        with pytest.raises(ShuffleError, match=message):
            twin = game.copy()
            twin.step(twin.legal().argmax(axis=1))
    game.reset(seed=1)
    fresh = BatchGame("uno_all_wild", seed=1, num_players=2, deck=DRY)
    assert shown(game) == shown(fresh)
    go_on(game, np.random.default_rng(29), 40)


def test_shuffle_that_does_not_fit_does_not_stop_the_other_games_once_its_own_is_reset():
    games = BatchGame("uno_all_wild", 2, seed=0, num_players=2, deck=DRY)
    good = stacked_deck([["skip", "draw_two"], []], deck=DRY)
    games.reset(options={"dealer": 1, "shuffles": [good]})
    second = np.array([False, True])
    games.reset(second, options={"dealer": 1, "shuffles": [good, ["wild", "wild"]]})
    games.step([2, 2])
    with pytest.raises(ShuffleError, match="shuffle 1"):
        games.step([4, 4])
    with pytest.raises(ShuffleError, match="shuffle 1"):
        games.step(games.legal().argmax(axis=1))
    assert sizes(games[0]) == [5, 9]
    games.reset(second)
    games.step(games.legal().argmax(axis=1))
    assert games.decisions.tolist() == [3, 1]


def test_wrong_stack_that_is_never_reached_does_no_harm():
    game = dry_game(["skip", "wild"], ["draw_four"])
    play(game, "draw_two", "wild")
    assert game.snapshot()["shuffles"] == 2


def test_stack_is_forgotten_at_the_next_reset():
    game = staged([["skip"] * 6, []])
    game.reset(options={"dealer": 1})
    assert game.snapshot()["hands"] != [{"skip": 6, "wild": 1}, {"wild": 7}]


def test_stack_holds_when_scripted_seats_play_a_whole_match_in_one_step():
    rng = np.random.default_rng(30)
    cards = [kind for kind, copies in UNO_DECK.items() for _ in range(copies)]
    stack = [rng.permutation(cards).tolist() for _ in range(12)]
    games = BatchGame(
        "uno_all_wild", 40, seed=31, num_players=2, episode="match",
        seating=lambda game, p: scripted_table(game, ["random"] * p),
    )  # fmt: skip
    games.reset(options={"shuffles": stack})
    positions = [games[i].snapshot() for i in range(40)]
    untouched = [p for p in positions if 3 < p["shuffles"] == p["round"] + 1 <= len(stack) and len(p["draw_pile"]) > 20]
    assert len(untouched) > 10
    for position in untouched:
        assert position["draw_pile"][-20:] == stack[position["round"]][-20:]


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((3, 111), np.float32),
        np.zeros((4, 84), np.float32),
        np.zeros((4, 111)),
        np.zeros((4, 222), np.float32)[:, ::2],
        [[0.0] * 111] * 4,
    ],
)
def test_arrays_that_observations_do_not_fit_are_refused(out):
    game = BatchGame("uno_all_wild", 4, num_players=4, seed=0)
    before = game._states.tobytes()
    for write in (
        lambda: game.observe(out=out),
        lambda: game.reset(observations=out),
        lambda: game.step(game.legal().argmax(axis=1), out),
        lambda: game.step_where(np.ones(4, bool), game.legal().argmax(axis=1), out),
    ):
        with pytest.raises(OptionError, match="float32"):
            write()
    assert game._states.tobytes() == before


def test_resampling_is_fixed_by_keys_too():
    keys = np.arange(5, 9, dtype=np.uint64)
    results = []
    for _ in range(2):
        game = BatchGame("uno_all_wild", 4, num_players=3)
        game.reset(seed=keys)
        results.append([game.resample_hidden(0).observe(1).tobytes() for _ in range(2)])
    assert results[0] == results[1]
    assert results[0][0] != results[0][1]
