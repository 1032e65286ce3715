"""Refusals and stacked shuffles, which are the engine's for all games, shown with the cards of one."""

import numpy as np
import pytest

from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import scripted_table
from tests.helpers import COPIES, UNO_DECK, deck_of, go_on, hand, play, shown, sizes, stacked_deck, staged


def uno(n=1, **options):
    return BatchGame("uno_all_wild", n, seed=0, num_players=2, **options)


# --- actions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "actions", [[0], 0, [[0], [0]], [0, 0, 0], [0.0, 0.0], [True, True], ["wild", "wild"], None, [None, None]]
)
def test_actions_of_a_wrong_shape_or_type_are_refused(actions):
    games = uno(2)
    before = shown(games)
    with pytest.raises(IllegalActionError):
        games.step(actions)
    assert shown(games) == before


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_actions_of_any_whole_type_are_taken(dtype):
    games = uno(2)
    games.step(games.legal().argmax(axis=1).astype(dtype))
    assert games.decisions.tolist() == [1, 1]


def test_unknown_action_names_and_indices_are_refused():
    game = uno()
    with pytest.raises(OptionError, match="say_uno"):
        game.action_index("say_un")
    with pytest.raises(OptionError):
        game.action_name(14)
    with pytest.raises(OptionError):
        game.action_name(-1)


# --- options and arguments --------------------------------------------------------------------------------------------


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
    games, untouched = uno(3), uno(3)
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
    games = uno(3)
    before = shown(games)
    with pytest.raises(OptionError):
        games.reset(**arguments)
    assert shown(games) == before


@pytest.mark.parametrize("seat", [-1, 2, 0.5, "0", np.array([0, 1, 2])])
def test_bad_seats_are_refused(seat):
    games = uno(3)
    with pytest.raises(OptionError, match="seat"):
        games.observe(seat)
    with pytest.raises(OptionError, match="seat"):
        games.resample_hidden(seat)


def test_snapshot_of_many_games_is_refused():
    with pytest.raises(OptionError, match="snapshot"):
        uno(2).snapshot()


def test_other_reset_options_are_ignored():
    game, other = uno(), uno()
    game.reset(options={"dealer": 1, "colour": "blue"})
    other.reset(options={"dealer": 1})
    assert game.snapshot() == other.snapshot()


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


@pytest.mark.parametrize(
    "shape",
    [np.zeros((4, 1), int), np.zeros(3, int), np.zeros(5, int), np.zeros(4), np.zeros(4, bool), 0, [[0] * 4] * 4],
)
def test_actions_that_compiled_code_cannot_read_are_refused(shape):
    game = BatchGame("uno_all_wild", 4, num_players=4, seed=0)
    before = game._states.tobytes()
    for step in (game.step, lambda actions: game.step_where(np.ones(4, bool), actions)):
        with pytest.raises(IllegalActionError, match=r"int \(4,\)"):
            step(shape)
    assert game._states.tobytes() == before


def test_actions_may_be_of_any_whole_numbers_in_any_order_in_memory():
    games = [BatchGame("uno_all_wild", 4, num_players=4, seed=0) for _ in range(4)]
    for _ in range(20):
        actions = games[0].legal().argmax(axis=1)
        spread = np.zeros((4, 2), np.int64)
        spread[:, 0] = actions
        for game, given in zip(
            games, (actions, actions.astype(np.uint64), spread[:, 0], actions.tolist()), strict=True
        ):
            game.step(given, autoreset=True)
            assert game._states.tobytes() == games[0]._states.tobytes()


# --- stacked shuffles -------------------------------------------------------------------------------------------------


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


def test_possibility_of_a_staged_game_has_no_stacked_shuffles():
    order = stacked_deck([["skip"] * 6, []])
    game = staged([["skip"] * 6, []], max_decisions=5, later=[order])
    running = game.resample_hidden(0)
    play(game, *["skip"] * 5)
    for possible in (running, game.resample_hidden(0)):
        possible.reset(options={"dealer": 1})
        assert possible.snapshot()["hands"] != [{"skip": 6, "wild": 1}, {"wild": 7}]


def test_autoreset_forgets_the_stack_of_the_episode_before():
    game = staged([["skip"] * 6, []], max_decisions=1)
    play(game, "skip")
    game.step([0], autoreset=True)
    assert game.snapshot()["hands"] != [{"skip": 6, "wild": 1}, {"wild": 7}]
    assert game.decisions.tolist() == [0]


# --- what a seat was shown --------------------------------------------------------------------------------------------


def test_hand_given_away_in_a_swap_stays_where_its_giver_knows_it_to_be():
    game = staged([["forced_swap", "skip", "reverse"], ["double_skip"] * 7, ["draw_two"] * 7])
    play(game, "forced_swap", "seat_1")
    for _ in range(20):
        assert hand(game.resample_hidden(0), 1) == hand(game, 1)
        assert hand(game.resample_hidden(1), 0) == hand(game, 0)
    assert len({str(hand(game.resample_hidden(2), 0)) for _ in range(20)}) > 10
