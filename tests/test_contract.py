"""What must hold of any game at any decision, whatever its rules: all that differs from game to game is in `tables`."""

import copy
import json
import os
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from cardenvs import games
from cardenvs.core.errors import IllegalActionError, OptionError
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import scripted_table, seat_learner
from cardenvs.envs.aec import CardAECEnv
from cardenvs.envs.single import SingleEnv
from cardenvs.render.text import to_ansi
from cardenvs.render.views import view_of
from tests.fingerprint import fingerprint
from tests.helpers import COPIES, go_on, known_cards, over, random_actions, shown, snapshots
from tests.tables import (
    ENTRIES,
    busy_table,
    every_game,
    every_table,
    small_table,
    some_tables,
    some_tables_with_memory,
    usual_table,
)

ROOT = Path(__file__).resolve().parents[1]
SNAPSHOT_KEYS = {
    "game", "num_players", "episode", "round", "dealer", "decisions", "actor", "phase", "legal", "scores",
    "round_points", "winners", "terminated", "truncated", "shuffles",
}  # fmt: skip


def test_every_game_has_an_entry():
    assert list(ENTRIES) == list(games.VERSIONS)


# --- what is checked in many places -----------------------------------------------------------------------------------


def assert_sound(game, entry, row=0):
    """No card is lost, every number is in range, and the snapshot of a row says what the rules say."""
    assert (entry.count_cards(game._states) == list(game.options.deck.values())).all()
    position = game[row].snapshot()
    assert entry.cards_in(position) == {kind: n for kind, n in game.options.deck.items() if n}
    entry.holds(position)
    assert_stored_numbers_are_in_range(game)


def assert_stored_numbers_are_in_range(game):
    s, p, fields = game._states, game.num_players, game._states.dtype.names
    live = ~over(game)
    for seat in (s["dealer"], s["turn"] if "turn" in fields else s["dealer"], game.actor[live]):
        assert (seat >= 0).all()
        assert (seat < p).all()
    assert (game.phase[live] >= 0).all()
    assert (game.phase[live] < len(game.game.phases)).all()
    assert (game.actor[~live] == -1).all()
    assert (game.phase[~live] == -1).all()
    assert (game.decisions >= 0).all()
    assert (game.decisions <= game.options.max_decisions).all()
    for counted in ("scores", "round_points", "draw_size", "discards", "settled", "hands"):
        assert counted not in fields or (s[counted] >= 0).all()
    if "hands" in fields:
        assert (s["sizes"] == s["hands"].sum(axis=2)).all()
        assert (s["hands"][:, p:] == 0).all()
        assert (s["settled"] <= s["draw_size"]).all()
    if "known" in fields:
        known = known_cards(s)
        assert (known <= s["hands"][:, None, :p]).all()
        assert (s["known_sizes"][:, :p, :p] == known.sum(axis=3)).all()
        assert s["known_sizes"].sum() == s["known"].sum() == known.sum()
        assert not np.trace(s["known_sizes"], axis1=1, axis2=2).any()


def assert_observations_are_in_range(full, compact):
    for seat in [None, *range(full.num_players)]:
        more, less = full.observe(seat), compact.observe(seat)
        assert more.shape == (len(full), full.game.observation_size(full.num_players, "full"))
        assert less.shape == (len(full), full.game.observation_size(full.num_players, "compact"))
        assert more.shape[1] == full.observation_size >= less.shape[1] == compact.observation_size
        assert more.dtype == less.dtype == np.float32
        assert np.isfinite(more).all()
        assert abs(more).max() <= 1
        assert np.array_equal(more[:, : less.shape[1]], less)


def expected_rewards(game, rounds_before, running, points):
    """What the step ought to have paid (spec: Rewards); `points` is what a point is worth to the `score` reward."""
    by_score = game.options.reward == "score" and points != 0
    ended = running & game.terminated
    won = game.winners
    count = won.sum(axis=1, keepdims=True)
    losers = game.num_players - count
    win = np.where(won, 1 / np.maximum(count, 1), -1 / np.maximum(losers, 1)) * (losers > 0)
    score = points * (game.round_points - game.round_points.mean(axis=1, keepdims=True))
    paid = ended | (game._states["round_number"] > rounds_before) if by_score else ended
    return np.where(paid[:, None], score if by_score else win, 0)


# --- at every decision ------------------------------------------------------------------------------------------------


@every_table
def test_random_play_keeps_the_contract(table):
    game, compact = table.batch(24), table.batch(24, encoding="compact")
    rng = np.random.default_rng(1)
    for step in range(150):
        legal, ended = game.legal(), over(game)
        assert (legal.any(axis=1) == ~ended).all()
        if step % 4 == 0:
            assert_sound(game, table.entry, row=step // 4 % 24)
            assert_observations_are_in_range(game, compact)
        actions = random_actions(game, rng)
        for each in (game, compact):
            each.reset(ended)
            each.step(np.where(ended, each.legal().argmax(axis=1), actions))


@some_tables
def test_snapshot_is_plain_data_with_the_keys_of_the_spec(table):
    game = table.batch()
    rng = np.random.default_rng(3)
    for _ in range(60):
        position = game.snapshot()
        assert set(position) == SNAPSHOT_KEYS | table.entry.snapshot_keys
        assert json.loads(json.dumps(position)) == position
        assert position["legal"] == [game.action_names[a] for a in np.flatnonzero(game.legal()[0])]
        go_on(game, rng, 1)


@every_table
def test_finished_rounds_alone_are_paid_and_all_in_all_nothing(table):
    game = table.batch(64)
    rng = np.random.default_rng(2)
    paid = 0
    for _ in range(250):
        running, rounds_before = ~over(game), game._states["round_number"].copy()
        game.step(random_actions(game, rng))
        expected = expected_rewards(game, rounds_before, running, table.entry.points)
        assert np.allclose(game.rewards, expected, atol=1e-6)
        assert np.allclose(game.rewards.sum(axis=1), 0, atol=1e-6)
        paid += (game.rewards != 0).any(axis=1).sum()
        game.reset(over(game))
    assert paid > 0 or table.named == "cut-off"


@busy_table
def test_looking_changes_nothing(table):
    game, unseen = table.batch(8), table.batch(8)
    rng, same = np.random.default_rng(4), np.random.default_rng(4)
    for _ in range(80):
        shown(game)
        game.copy()
        go_on(game, rng, 1)
        go_on(unseen, same, 1)
    assert shown(game) == shown(unseen)


@small_table
def test_games_that_are_over_take_any_action_and_stay(table):
    game, rng = table.batch(16), np.random.default_rng(5)
    while over(game).sum() < 4:
        go_on(game, rng, 1, deal_again=False)
    ended = over(game)
    assert not ended.all()
    before = [game[i].snapshot() for i in np.flatnonzero(ended)]
    game.step(np.where(ended, 999, game.legal().argmax(axis=1)))
    assert [game[i].snapshot() for i in np.flatnonzero(ended)] == before
    assert (game.rewards[ended] == 0).all()
    assert (game.observe()[game.actor < 0] == 0).all()


@usual_table
def test_buffers_are_filled_with_what_is_returned(table):
    game = table.batch(8)
    observations, legal = np.zeros((8, game.observation_size), np.float32), np.zeros((8, len(game.action_names)), bool)
    game.step(game.legal().argmax(axis=1), observations)
    assert np.array_equal(observations, game.observe())
    assert np.array_equal(game.legal(legal), game.legal())
    game.observe(1, observations)
    assert np.array_equal(observations, game.observe(1))
    game.reset(observations=observations)
    assert np.array_equal(observations, game.observe())


@pytest.mark.parametrize("name", [name for name in games.VERSIONS if games.get(name).deck_sizes])
def test_decks_are_of_as_many_cards_as_there_may_be(name):
    game = games.get(name)
    for players in ENTRIES[name].players:
        fewest, most = game.deck_sizes(players)
        for total, fits in [(fewest - 1, False), (fewest, True), (most, True), (most + 1, False)]:
            deck = dict.fromkeys(game.kinds, 0) | {game.kinds[0]: 1, game.kinds[1]: total - 1}
            if fits:
                assert BatchGame(name, num_players=players, deck=deck).legal().any()
            else:
                with pytest.raises(OptionError, match=f"deck has {total} cards"):
                    BatchGame(name, num_players=players, deck=deck)


def test_game_whose_deck_is_always_the_same_has_no_option_for_it():
    with pytest.raises(OptionError, match="option 'deck'"):
        BatchGame("wild_twists", deck=dict.fromkeys(games.get("wild_twists").kinds, 1))


@every_game
def test_numbers_of_players_beyond_the_games_are_refused(name):
    fewest, most = games.get(name).players
    for players in (fewest - 1, most + 1):
        with pytest.raises(OptionError, match=f"{fewest} to {most}"):
            BatchGame(name, num_players=players)


# --- nothing leaks ----------------------------------------------------------------------------------------------------


def public(position, seat, entry):
    """What of a snapshot is no secret to a seat."""
    own_legal = {} if position["actor"] == seat else {"legal": None}
    return position | own_legal | entry.seen_of(position, seat)


def moments(game, rng, count=4, apart=9):
    """The game at some moments, the last with episodes that are over in it."""
    for _ in range(count):
        go_on(game, rng, apart)
        yield game
    go_on(game, rng, 3 * apart, deal_again=False)
    yield game


def assert_same_to(seat, game, other, rows, entry):
    """In `rows`, bool (N,), a seat cannot tell the one game from the other; the first of them is looked at closely."""
    assert game.observe(seat)[rows].tobytes() == other.observe(seat)[rows].tobytes()
    asked = rows & (game.actor == seat)
    assert np.array_equal(game.legal()[asked], other.legal()[asked])
    for i in np.flatnonzero(rows)[:1]:
        one, another = game[i], other[i]
        assert public(one.snapshot(), seat, entry) == public(another.snapshot(), seat, entry)
        one_view, other_view = (view_of(truth.game, truth.snapshot(), seat) for truth in (one, another))
        assert one_view == other_view
        assert to_ansi(one.game, one_view) == to_ansi(one.game, other_view)


@every_table
def test_no_seat_can_tell_a_possibility_from_the_truth(table):
    everywhere = np.ones(12, bool)
    for truth in moments(table.batch(12), np.random.default_rng(6)):
        for seat in range(table.num_players):
            possible = truth.resample_hidden(seat)
            assert_same_to(seat, truth, possible, everywhere, table.entry)
            assert np.array_equal(truth.actor, possible.actor)
            assert_sound(possible, table.entry, row=seat)


def told_by_gymnasium(env):
    """All that a learner is told at the moment, and then for an illegal action, if there is one."""
    told = [env._table.observations.tobytes(), env.action_masks().tobytes(), str(env._info()), env.render()]
    if not env.action_masks().all():
        observation, *rest = env.step(int(env.action_masks().argmin()))
        told += [observation.tobytes(), *map(str, rest)]
    return told


@some_tables
def test_no_learner_is_told_of_what_it_cannot_know(table):
    env, rng = SingleEnv(table.name, render_mode="ansi", **table.options), np.random.default_rng(33)
    env.reset(seed=33)
    for _ in range(12):
        *_, terminated, truncated, _ = env.step(int((rng.random(env.action_space.n) * env.action_masks()).argmax()))
        if terminated or truncated:
            env.reset()
        truth, other = copy.deepcopy(env), copy.deepcopy(env)
        other._table.games = env._games.resample_hidden(env._viewer())
        other._bind()
        other._table.observations[:] = other._games.observe(env._viewer())
        assert told_by_gymnasium(truth) == told_by_gymnasium(other)


@some_tables
def test_no_agent_is_told_of_what_it_cannot_know(table):
    env, rng = CardAECEnv(table.name, **table.options), np.random.default_rng(34)
    env.reset(seed=34)
    for _ in islice(env.agent_iter(), 40):
        observation, _, terminated, truncated, info = env.last()
        for seat, seen_by in enumerate(env.possible_agents):
            other = copy.deepcopy(env)
            other._games = env._games.resample_hidden(seat)
            other._bind()
            other._games.observe(out=other._seen)
            there, here = other.observe(seen_by), env.observe(seen_by)
            assert all(here[key].tobytes() == there[key].tobytes() for key in here)
        assert info == {}
        mask = observation["action_mask"]
        env.step(None if terminated or truncated else int((rng.random(len(mask)) * mask).argmax()))


@every_table
def test_card_that_nobody_else_has_seen_shows_to_nobody_else(table):
    rng = np.random.default_rng(31)
    for truth in moments(table.batch(24), rng):
        owners = np.arange(24) % table.num_players
        other = truth.copy()
        changed = table.entry.exchange_unseen(other._states, owners, rng)
        assert changed.any() or table.named == "dry"
        for seat in range(table.num_players):
            assert_same_to(seat, truth, other, changed & (owners != seat), table.entry)


@some_tables_with_memory
def test_card_that_a_seat_has_not_seen_is_not_remembered_either(table):
    """As long as all that happens looks the same to a seat, it observes the same, memory included."""
    n, seats = 128, range(table.num_players)
    compact = table.batch(encoding="compact").observation_size  # without memory: what is to be seen now
    rng = np.random.default_rng(32)
    one = table.batch(n)
    go_on(one, rng, 5)
    other = one.copy()
    owners = (one.actor + 1) % table.num_players
    same = np.array([owners != seat for seat in seats]) & table.entry.exchange_unseen(other._states, owners, rng)
    compared = 0
    for _ in range(60):
        legal = one.legal() & other.legal()
        actions = np.where(legal, rng.random(legal.shape), -1.0).argmax(axis=1)
        same &= legal.any(axis=1)
        for each in (one, other):
            each.step_where(same.any(axis=0), actions)
        for seat in seats:
            seen, seen_there = one.observe(seat), other.observe(seat)
            same[seat] &= (seen[:, :compact] == seen_there[:, :compact]).all(axis=1)
            assert np.array_equal(seen[same[seat]], seen_there[same[seat]])
        compared += same.sum()
    assert compared > n


@every_table
def test_possibilities_differ_from_the_truth_in_most_cases(table):
    hidden_from = table.entry.hidden_from
    changed = []
    for truth in moments(table.batch(64), np.random.default_rng(7), apart=3):
        live = ~over(truth)
        for seat in range(table.num_players):
            possible = truth.resample_hidden(seat)
            differs = hidden_from(truth._states, seat) != hidden_from(possible._states, seat)
            changed.extend(differs.reshape(64, -1).any(axis=1)[live])
    assert np.mean(changed) > (0.05 if table.named == "dry" else 0.5)


@usual_table
def test_all_that_is_hidden_is_drawn_anew_after_the_deal(table):
    game = table.batch(64)
    possible = game.resample_hidden(1)
    hidden, there = (table.entry.hidden_from(each._states, 1) for each in (game, possible))
    assert ((hidden != there).any(axis=2).mean(axis=0) > 0.8).all()
    piles = [[position.get("draw_pile") for position in snapshots(each)] for each in (game, possible)]
    assert sum(pile != drawn for pile, drawn in zip(*piles, strict=True)) > 60 or piles[0][0] is None


@usual_table
def test_every_call_draws_other_possibilities(table):
    game = table.batch(16)
    first, second = (table.entry.hidden_from(game.resample_hidden(0)._states, 0) for _ in range(2))
    assert (first != second).reshape(16, -1).any(axis=1).mean() > 0.8


@busy_table
def test_possibilities_leave_the_true_game_alone(table):
    game, untouched = table.batch(8), table.batch(8)
    for each, looks in ((game, True), (untouched, False)):
        rng = np.random.default_rng(8)
        for _ in range(40):
            if looks:
                go_on(each.resample_hidden(1), np.random.default_rng(0), 2)
            go_on(each, rng, 1)
    assert shown(game) == shown(untouched)


@usual_table
def test_possibilities_are_those_of_the_actor_by_default_or_of_a_seat_a_row(table):
    game = table.batch(12)
    go_on(game, np.random.default_rng(9), 5)
    actors = game.actor
    assert (actors >= 0).all()
    for possible in (game.resample_hidden(), game.resample_hidden(actors)):
        for actor, truth, there in zip(actors, snapshots(game), snapshots(possible), strict=True):
            assert public(truth, actor, table.entry) == public(there, actor, table.entry)
        assert np.array_equal(game.observe(), possible.observe())
        assert np.array_equal(game.legal(), possible.legal())


@small_table
def test_finished_games_stay_as_they_are(table):
    game, rng = table.batch(8), np.random.default_rng(10)
    while not over(game).all():
        go_on(game, rng, 1, deal_again=False)
    assert snapshots(game.resample_hidden(0)) == snapshots(game)


@small_table
def test_what_comes_after_a_possibility_is_not_what_was_to_come(table):
    game = table.batch(32)
    possible = game.resample_hidden(0)
    for each in (game, possible):
        each.reset()
    hidden, there = (table.entry.hidden_from(each._states, 0) for each in (game, possible))
    assert (hidden != there).reshape(32, -1).any(axis=1).sum() > 25


@every_table
def test_possibilities_go_on_legally(table):
    rng = np.random.default_rng(11)
    for truth in moments(table.batch(12), rng, count=2):
        for seat in (0, table.num_players - 1):
            possible = truth.resample_hidden(seat)
            for _ in range(4):
                go_on(possible, rng, 8)
                assert (possible.legal().any(axis=1) == ~over(possible)).all()
                assert_sound(possible, table.entry)


@usual_table
def test_resampling_is_fixed_by_keys_too(table):
    keys = np.arange(5, 9, dtype=np.uint64)
    results = []
    for _ in range(2):
        game = table.batch(4, seed=None)
        game.reset(seed=keys)
        results.append([shown(game.resample_hidden(0)) for _ in range(2)])
    assert results[0] == results[1]
    assert results[0][0] != results[0][1]


# --- the same games, however they are played --------------------------------------------------------------------------


@some_tables
def test_row_of_a_batch_plays_as_a_single_game(table):
    batch = table.batch(5, seed=12)
    keys = batch._states["key"].copy()
    singles = [table.batch(1, seed=99) for _ in range(5)]
    for i, single in enumerate(singles):
        single.reset(seed=keys[i : i + 1])
    rng = np.random.default_rng(13)
    for step in range(70):
        actions = random_actions(batch, rng)
        batch.step(actions)
        for i, single in enumerate(singles):
            single.step(actions[i : i + 1])
            assert np.array_equal(single.rewards[0], batch.rewards[i])
            assert np.array_equal(single.observe()[0], batch.observe()[i])
            assert i != step % 5 or single.snapshot() == batch[i].snapshot()
            single.reset(over(single))
        batch.reset(over(batch))


@usual_table
def test_games_of_a_batch_differ(table):
    batch = table.batch(50)
    assert len(np.unique(table.entry.hidden_from(batch._states, 0), axis=0)) == 50


@busy_table
def test_number_of_threads_does_not_matter(table):
    for more in ({}, {"seating": lambda game, p: seat_learner(game, p, "random", "random")}):
        results = []
        for num_threads in (1, 2, 4):
            batch = table.batch(1100, seed=14, num_threads=num_threads, **more)
            go_on(batch, np.random.default_rng(15), 60)
            results.append([each.tobytes() for each in (batch.observe(), batch.rewards, batch.legal(), batch._states)])
        assert results[0] == results[1] == results[2]


@pytest.fixture(scope="module")
def fingerprints():
    return {name: fingerprint(name) for name in games.VERSIONS}


@pytest.mark.parametrize(
    "environment",
    [{"NUMBA_DISABLE_JIT": "1"}, {"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2"}],
    ids=["plain Python", "another process", "another hash seed"],
)
def test_games_are_the_same_in(environment, fingerprints):
    command = [sys.executable, "-m", "tests.fingerprint"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == fingerprints


@every_game
def test_fingerprint_tells_games_apart(name):
    assert fingerprint(name, steps=2) != fingerprint(name, steps=3)


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
@some_tables
def test_copies_go_on_identically_and_independently(make, table):
    game = table.batch(6)
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
@busy_table
def test_copies_keep_the_policies_that_play(make, table):
    game = table.batch(6, seating=lambda game, p: seat_learner(game, p, "random", "random"))
    go_on(game, np.random.default_rng(18), 10)
    twin = make(game)
    assert np.array_equal(twin.learner, game.learner)
    for each in (game, twin):
        go_on(each, np.random.default_rng(19), 30)
    assert shown(game) == shown(twin)


@usual_table
def test_item_of_a_batch_is_a_copy_of_that_game(table):
    batch = table.batch(6)
    go_on(batch, np.random.default_rng(20), 8)
    rows = shown(batch[2]), shown(batch[4])
    assert (shown(batch[[2, 4]][0]), shown(batch[2:5][2])) == rows
    chosen = np.array([False, False, True, False, True, False])
    assert len(batch[chosen]) == 2
    assert shown(batch[chosen][1]) == rows[1]
    batch[2].step(batch[2].legal().argmax(axis=1))
    assert shown(batch[2]) == rows[0]


# --- random streams ---------------------------------------------------------------------------------------------------


@usual_table
def test_seed_fixes_everything(table):
    first, second, third = table.batch(8, seed=21), table.batch(8, seed=21), table.batch(8, seed=22)
    assert shown(first) == shown(second) != shown(third)
    third.reset(seed=21)
    assert shown(third) == shown(first)


@usual_table
def test_games_without_a_seed_differ(table):
    assert shown(table.batch(4, seed=None)) != shown(table.batch(4, seed=None))


@usual_table
def test_reset_without_a_seed_goes_on_in_the_stream(table):
    first, second = table.batch(8, seed=23), table.batch(8, seed=23)
    episodes = {shown(first)}
    for _ in range(4):
        first.reset()
        second.reset()
        assert shown(first) == shown(second)
        episodes.add(shown(first))
    assert len(episodes) == 5


@small_table
def test_next_episode_does_not_depend_on_how_the_last_was_played(table):
    first, second = table.batch(4, seed=24), table.batch(4, seed=24)
    go_on(first, np.random.default_rng(0), 12, deal_again=False)
    go_on(second, np.random.default_rng(1), 7, deal_again=False)
    first.reset()
    second.reset()
    assert shown(first) == shown(second)


@usual_table
def test_reset_deals_only_where_it_is_told(table):
    batch = table.batch(6)
    go_on(batch, np.random.default_rng(25), 5, deal_again=False)
    before, decisions = snapshots(batch), batch.decisions
    where = np.array([True, False, True, False, False, False])
    batch.reset(where)
    assert [a == b for a, b in zip(before, snapshots(batch), strict=True)] == (~where).tolist()
    assert batch.decisions.tolist() == np.where(where, 0, decisions).tolist() and decisions.any()
    batch.reset(where, seed=5, options={"dealer": 1})
    after = snapshots(batch)
    assert [after[i]["dealer"] for i in (0, 2)] == [1, 1]
    assert [after[i] for i in (1, 3, 4, 5)] == [before[i] for i in (1, 3, 4, 5)]


@small_table
def test_autoreset_is_a_reset_of_what_is_over_in_the_same_call(table):
    one, other = (table.batch(8, seed=33, max_decisions=25) for _ in range(2))
    seen = [game.observe() for game in (one, other)]
    rng = np.random.default_rng(33)
    dealt = 0
    for _ in range(60):
        actions, ended = random_actions(one, rng), over(one)
        one.step(actions, seen[0])
        one.reset(ended, observations=seen[0])
        other.step(actions, seen[1], autoreset=True)
        dealt += ended.sum()
        assert one._states.tobytes() == other._states.tobytes()
        assert np.array_equal(*seen)
        assert not one.rewards[ended].any()
    assert shown(one) == shown(other)
    assert dealt > 8


@usual_table
def test_global_random_states_are_left_alone(table):
    np.random.seed(1)
    random.seed(1)
    before = np.random.get_state(), random.getstate()
    game = table.batch(4, seed=None, seating=lambda game, p: scripted_table(game, ["random"] * p))
    game.reset()
    game = table.batch(4, seed=None)
    go_on(game, np.random.default_rng(26), 40)
    game.resample_hidden(1).reset()
    after = np.random.get_state(), random.getstate()
    assert str(before) == str(after)
    np.random.seed(2)
    random.seed(2)
    assert shown(table.batch(4)) == shown(table.batch(4))


# --- illegal actions --------------------------------------------------------------------------------------------------


@busy_table
def test_illegal_action_names_what_is_legal_and_changes_nothing(table):
    batch, rng = table.batch(5), np.random.default_rng(27)
    phases = set()
    for step in range(80):
        go_on(batch, rng, 1)
        row = step % 5
        position, before = batch[row].snapshot(), batch._states.tobytes()
        if over(batch)[row]:
            continue
        phases.add(position["phase"])
        actions = batch.legal().argmax(axis=1)
        for action in (-1, len(batch.action_names), 1000, -(2**40), *np.flatnonzero(~batch.legal()[row])):
            actions[row] = action
            with pytest.raises(IllegalActionError) as raised:
                batch.step(actions)
            assert f"game {row} " in str(raised.value)
            assert str(raised.value).endswith(
                f"seat {position['actor']} in phase {position['phase']}: legal are {', '.join(position['legal'])}."
            )
        assert batch._states.tobytes() == before
    assert len(phases) > 1 or len(batch.game.phases) == 1
