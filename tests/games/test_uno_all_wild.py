"""The rules of UNO All Wild, by number (RULES.md). Seat 0 begins unless a test names a dealer."""

import pytest

from cardenvs import games
from cardenvs.core.errors import IllegalActionError
from cardenvs.engine.batch import BatchGame
from tests.helpers import (
    UNO_DECK,
    UNO_KINDS,
    asked,
    cards_in,
    deck_of,
    hand,
    legal_names,
    play,
    rewards,
    sizes,
    staged,
)

ACTION_CARDS = UNO_KINDS[1:]


def with_one_card(last="wild", *others, num_players=3, **options):
    """Seat 0 has one card, `last`, and the turn; each other seat has seven cards, wilds where no hand is given.

    It has played six double skips at three players, six skips at two, each of which gives it another turn.
    """
    run = ["double_skip" if num_players == 3 else "skip"] * 6
    wilds = [[] for _ in range(num_players - 1 - len(others))]
    game = staged([[*run, last], *others, *wilds], **options)
    play(game, *run)
    assert (asked(game), hand(game, 0)) == ((0, "play"), {last: 1})
    return game


def against_one_card(hand_of_1=(), **options):
    """Two players: seat 0 has one card, a wild, and it is the turn of seat 1, that holds seven cards."""
    game = staged([["skip"] * 5, hand_of_1], **options)
    play(game, *["skip"] * 5, "wild")
    assert (asked(game), sizes(game)) == ((1, "play"), [1, 7])
    return game


def against_one_card_of_three(hand_of_1=(), **options):
    """Three players: seat 0 has one card; seat 2, whose turn it is with seven wilds, comes before it."""
    game = staged([["double_skip"] * 5 + ["skip"], hand_of_1, []], **options)
    play(game, *["double_skip"] * 5, "skip")
    assert (asked(game), sizes(game)) == ((2, "play"), [1, 7, 7])
    return game


# --- cards, actions, phases -------------------------------------------------------------------------------------------


def test_uaw_deck_has_112_cards_of_8_kinds():
    game = BatchGame("uno_all_wild", seed=0, num_players=3)
    assert sum(UNO_DECK.values()) == 112
    assert cards_in(game.snapshot()) == UNO_DECK


def test_uaw_deck_option_sets_the_copies():
    deck = {"wild": 10, "reverse": 1, "skip": 2, "double_skip": 3, "draw_two": 4, "draw_four": 5,
            "targeted_draw_two": 6, "forced_swap": 7}  # fmt: skip
    game = BatchGame("uno_all_wild", seed=0, num_players=3, deck=deck)
    assert cards_in(game.snapshot()) == deck


@pytest.mark.parametrize("total", [15, 160])
def test_uaw_deck_can_have_7_cards_a_seat_and_one_up_to_160(total):
    game = BatchGame("uno_all_wild", seed=0, num_players=2, deck=deck_of(wild=total))
    assert len(game.snapshot()["draw_pile"]) == total - 15


def test_uaw_actions_are_the_cards_the_verbs_and_the_seats():
    before_seats = [
        "wild", "reverse", "skip", "double_skip", "draw_two", "draw_four", "targeted_draw_two", "forced_swap",
        "draw", "say_uno", "stay_silent", "catch", "let_go",
    ]  # fmt: skip
    assert BatchGame("uno_all_wild", seed=0, num_players=2).action_names == [*before_seats, "seat_1"]
    ten = BatchGame("uno_all_wild", seed=0, num_players=10)
    assert ten.action_names == [*before_seats, *(f"seat_{r}" for r in range(1, 10))]
    assert [ten.action_index(name) for name in ("draw", "let_go", "seat_1", "seat_9")] == [8, 12, 13, 21]


def test_uaw_phases_are_numbered_in_their_order():
    assert tuple(games.get("uno_all_wild").phases) == ("play", "target", "declare", "catch")


# --- setup ------------------------------------------------------------------------------------------------------------


def test_uaw_1_seven_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    rest = ["draw_four"] * 4 + ["draw_two"] * 8 + ["wild"] * 52 + ["double_skip"] * 8 + ["targeted_draw_two"] * 8
    rest += ["forced_swap"] * 8 + ["skip", "reverse"]
    order = ["skip", "reverse", "wild"] * 7 + ["wild"] + rest
    game = BatchGame("uno_all_wild", seed=0, num_players=3)
    game.reset(options={"dealer": 1, "shuffles": [order]})
    position = game.snapshot()
    assert position["hands"] == [{"reverse": 7}, {"wild": 7}, {"skip": 7}]
    assert position["discard_pile"] == ["wild"]
    assert position["draw_pile"] == rest
    assert (position["dealer"], position["shuffles"], position["round"], position["decisions"]) == (1, 1, 0, 0)


@pytest.mark.parametrize("num_players", range(2, 11))
def test_uaw_1_every_seat_gets_seven_cards(num_players):
    game = BatchGame("uno_all_wild", seed=3, num_players=num_players, start_card="ignored")
    position = game.snapshot()
    assert sizes(game) == [7] * num_players
    assert len(position["discard_pile"]) == 1
    assert len(position["draw_pile"]) == 112 - 7 * num_players - 1


@pytest.mark.parametrize(
    ("start", "first", "direction", "drawn"),
    [
        ("wild", 2, 1, [0, 0, 0, 0]),
        ("reverse", 0, -1, [0, 0, 0, 0]),
        ("skip", 3, 1, [0, 0, 0, 0]),
        ("double_skip", 0, 1, [0, 0, 0, 0]),
        ("draw_two", 3, 1, [0, 0, 2, 0]),
        ("draw_four", 3, 1, [0, 0, 4, 0]),
    ],
)
def test_uaw_2_first_discard_happens_as_if_the_dealer_had_played_it(start, first, direction, drawn):
    game = staged([[], [], [], []], start=start, dealer=1)
    position = game.snapshot()
    assert asked(game) == (first, "play")
    assert (position["turn"], position["direction"], position["decisions"]) == (first, direction, 0)
    assert sizes(game) == [7 + n for n in drawn]


@pytest.mark.parametrize(
    ("start", "first", "direction", "drawn"),
    [
        ("wild", 1, 1, 0),
        ("reverse", 0, -1, 0),
        ("skip", 0, 1, 0),
        ("double_skip", 1, 1, 0),
        ("draw_two", 0, 1, 2),
        ("draw_four", 0, 1, 4),
        ("targeted_draw_two", 1, 1, 2),
        ("forced_swap", 1, 1, 0),
    ],
)
def test_uaw_2_first_discard_of_two_players(start, first, direction, drawn):
    game = staged([["skip"] * 7, ["reverse"] * 7], start=start, dealer=0)
    assert asked(game) == (first, "play")
    assert game.snapshot()["direction"] == direction
    assert sizes(game) == [7, 7 + drawn]
    assert ("skip" in hand(game, 1)) == (start == "forced_swap")


def test_uaw_2_double_skip_at_three_players_gives_the_dealer_the_first_turn():
    game = staged([[], [], []], start="double_skip", dealer=1)
    assert asked(game) == (1, "play")


def test_uaw_2_dealer_aims_a_first_targeted_draw_two():
    game = staged([[], [], [], []], start="targeted_draw_two", dealer=2, draws=["skip", "reverse"])
    assert asked(game) == (2, "target")
    assert game.snapshot()["turn"] == 2
    assert legal_names(game) == ["seat_1", "seat_2", "seat_3"]
    play(game, "seat_2")
    assert hand(game, 0) == {"wild": 7, "skip": 1, "reverse": 1}
    assert sizes(game) == [9, 7, 7, 7]
    assert asked(game) == (3, "play")
    assert game.snapshot()["turn"] == 3


def test_uaw_2_dealer_aims_a_first_forced_swap():
    game = staged([["skip"] * 7, ["reverse"] * 7, ["double_skip"] * 7], start="forced_swap", dealer=2)
    assert asked(game) == (2, "target")
    play(game, "seat_2")
    assert game.snapshot()["hands"] == [{"skip": 7}, {"double_skip": 7}, {"reverse": 7}]
    assert asked(game) == (0, "play")


def test_uaw_2_first_draw_card_draws_nothing_when_there_is_nothing_to_draw():
    game = staged([[], []], start="draw_four", dealer=0, deck=deck_of(wild=14, draw_four=1))
    assert sizes(game) == [7, 7]
    assert asked(game) == (0, "play")
    assert game.snapshot()["shuffles"] == 1


@pytest.mark.parametrize("start", ACTION_CARDS)
@pytest.mark.parametrize("num_players", [2, 4])
def test_uaw_2_ignored_first_discard_does_nothing(start, num_players):
    game = staged([["skip"], *[[]] * (num_players - 1)], start=start, dealer=0, start_card="ignored")
    position = game.snapshot()
    assert asked(game) == (1, "play")
    assert (position["direction"], position["turn"], position["discard_pile"]) == (1, 1, [start])
    assert sizes(game) == [7] * num_players
    assert hand(game, 0) == {"wild": 6, "skip": 1}


def test_uaw_2_active_is_the_default():
    assert (
        staged([[], [], []], start="skip").snapshot()
        == staged([[], [], []], start="skip", start_card="active").snapshot()
    )


@pytest.mark.parametrize("dealer", range(4))
def test_uaw_3_seat_to_the_dealers_left_begins_after_a_wild(dealer):
    game = staged([[], [], [], []], dealer=dealer)
    assert asked(game) == ((dealer + 1) % 4, "play")


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_uaw_4_any_card_of_the_hand_can_be_played_and_no_other():
    game = staged([["reverse", "draw_two", "draw_two", "forced_swap"], []], start="skip", start_card="ignored")
    assert legal_names(game) == ["wild", "reverse", "draw_two", "forced_swap"]


def test_uaw_4_card_goes_from_the_hand_to_the_top_of_the_discard_pile():
    game = staged([["skip", "draw_two"], [], []])
    play(game, "skip", "wild")
    position = game.snapshot()
    assert hand(game, 0) == {"wild": 5, "draw_two": 1}
    assert hand(game, 2) == {"wild": 6}
    assert position["discard_pile"] == ["wild", "skip", "wild"]
    assert position["decisions"] == 2


def test_uaw_4_wild_does_nothing_but_pass_the_turn():
    game = staged([[], [], []])
    play(game, "wild")
    assert asked(game) == (1, "play")
    assert sizes(game) == [6, 7, 7]
    assert game.snapshot()["direction"] == 1


def test_uaw_5_draw_is_legal_against_a_next_seat_with_one_card():
    game = against_one_card()
    assert legal_names(game) == ["wild", "draw"]


@pytest.mark.parametrize("card", ACTION_CARDS)
def test_uaw_5_draw_is_illegal_with_an_action_card_in_the_hand(card):
    game = against_one_card([card])
    assert legal_names(game) == ["wild", card]


def test_uaw_5_draw_is_illegal_against_a_next_seat_with_two_cards():
    game = staged([["skip"] * 4, []])
    play(game, *["skip"] * 4, "wild")
    assert sizes(game) == [2, 7]
    assert legal_names(game) == ["wild"]
    with pytest.raises(IllegalActionError):
        play(game, "draw")


def test_uaw_5_draw_does_not_look_at_the_seat_after_the_next():
    game = staged([["double_skip"] * 5, [], []])
    play(game, *["double_skip"] * 5, "wild")
    assert (asked(game), sizes(game)) == ((1, "play"), [1, 7, 7])
    assert legal_names(game) == ["wild"]
    play(game, "wild")
    assert legal_names(game) == ["wild", "draw"]


def test_uaw_5_draw_does_not_depend_on_the_own_number_of_cards():
    game = staged([[], []])
    play(game, *["wild"] * 12)
    assert (asked(game), sizes(game)) == ((0, "play"), [1, 1])
    assert legal_names(game) == ["wild", "draw"]


def test_uaw_5_draw_looks_in_the_direction_of_play():
    game = staged([["double_skip"] * 4 + ["reverse"], [], []])
    play(game, *["double_skip"] * 4, "reverse", "wild", "wild", "wild")
    assert (asked(game), sizes(game)) == ((2, "play"), [1, 6, 6])
    assert legal_names(game) == ["wild"]
    play(game, "wild")
    assert asked(game) == (1, "play")
    assert legal_names(game) == ["wild", "draw"]


def test_uaw_5_draw_is_illegal_when_no_card_can_be_drawn():
    game = staged([["draw_two"] * 6, [], []], deck=deck_of(wild=16, draw_two=6))
    play(game, *["draw_two", "wild"] * 5, "draw_two")
    position = game.snapshot()
    assert (asked(game), sizes(game)) == ((2, "play"), [1, 18, 2])
    assert (position["draw_pile"], position["discard_pile"]) == ([], ["draw_two"])
    assert legal_names(game) == ["wild"]


def test_uaw_5_draw_is_legal_when_only_the_discard_pile_has_cards_to_draw():
    game = against_one_card(deck=deck_of(wild=10, skip=5))
    assert game.snapshot()["draw_pile"] == []
    assert legal_names(game) == ["wild", "draw"]


def test_uaw_5_drawn_card_is_played_at_once():
    game = against_one_card(draws=["wild", "skip"])
    pile = game.snapshot()["draw_pile"]
    play(game, "draw")
    position = game.snapshot()
    assert position["hands"] == [{"wild": 1}, {"wild": 7}]
    assert position["discard_pile"] == ["wild", "wild", *["skip"] * 5, "wild"]
    assert position["draw_pile"] == pile[1:]
    assert asked(game) == (0, "play")
    assert position["decisions"] == 7


@pytest.mark.parametrize(
    ("card", "actor", "after", "direction"),
    [
        ("reverse", 1, [1, 7], -1),
        ("skip", 1, [1, 7], 1),
        ("double_skip", 0, [1, 7], 1),
        ("draw_two", 1, [3, 7], 1),
        ("draw_four", 1, [5, 7], 1),
        ("targeted_draw_two", 0, [3, 7], 1),
        ("forced_swap", 0, [7, 1], 1),
    ],
)
def test_uaw_5_effect_of_the_drawn_card_happens(card, actor, after, direction):
    game = against_one_card(draws=[card])
    play(game, "draw")
    assert (asked(game), sizes(game)) == ((actor, "play"), after)
    assert game.snapshot()["direction"] == direction
    assert game.snapshot()["discard_pile"][0] == card


def test_uaw_5_drawn_skip_allows_to_draw_again():
    game = against_one_card(draws=["skip", "wild"])
    play(game, "draw")
    assert legal_names(game) == ["wild", "draw"]


def test_uaw_5_player_aims_a_drawn_targeted_draw_two():
    game = against_one_card_of_three(draws=["targeted_draw_two", "skip", "reverse"])
    play(game, "draw")
    assert asked(game) == (2, "target")
    assert legal_names(game) == ["seat_1", "seat_2"]
    play(game, "seat_2")
    assert hand(game, 1) == {"wild": 7, "skip": 1, "reverse": 1}
    assert asked(game) == (0, "play")


def test_uaw_5_player_aims_a_drawn_forced_swap():
    game = against_one_card_of_three(["reverse"] * 7, draws=["forced_swap"])
    play(game, "draw", "seat_2")
    assert game.snapshot()["hands"] == [{"wild": 1}, {"wild": 7}, {"reverse": 7}]
    assert asked(game) == (0, "play")


@pytest.mark.parametrize(
    ("card", "clockwise", "counterclockwise"),
    [
        ("wild", 1, 4),
        ("reverse", 4, 1),
        ("skip", 2, 3),
        ("double_skip", 3, 2),
        ("draw_two", 2, 3),
        ("draw_four", 2, 3),
    ],
)
def test_uaw_6_skipping_counts_seats_in_the_direction_of_play(card, clockwise, counterclockwise):
    game = staged([[card], [], [], [], []])
    play(game, card)
    assert asked(game) == (clockwise, "play")
    assert game.snapshot()["turn"] == clockwise
    game = staged([[card], [], [], [], []], start="reverse", dealer=1)
    assert (asked(game), game.snapshot()["direction"]) == ((0, "play"), -1)
    play(game, card)
    assert asked(game) == (counterclockwise, "play")


@pytest.mark.parametrize(("card", "count"), [("draw_two", 2), ("draw_four", 4)])
def test_uaw_6_next_seat_in_the_direction_of_play_draws(card, count):
    draws = ["skip", "reverse", "skip", "reverse"]
    game = staged([[card], [], [], [], []], draws=draws)
    play(game, card)
    assert sizes(game) == [6, 7 + count, 7, 7, 7]
    assert hand(game, 1) == {"wild": 7, "skip": count // 2, "reverse": count // 2}
    game = staged([[card], [], [], [], []], start="reverse", dealer=1)
    play(game, card)
    assert sizes(game) == [6, 7, 7, 7, 7 + count]


@pytest.mark.parametrize("card", ["targeted_draw_two", "forced_swap"])
@pytest.mark.parametrize(("start", "dealer", "after"), [("wild", 4, 1), ("reverse", 1, 4)])
def test_uaw_6_turn_goes_to_the_next_seat_after_a_target_was_hit(card, start, dealer, after):
    game = staged([[card], [], [], [], []], start=start, dealer=dealer)
    play(game, card)
    assert asked(game) == (0, "target")
    assert game.snapshot()["turn"] == 0
    play(game, f"seat_{after}")
    assert asked(game) == (after, "play")


def test_uaw_6_targeted_draw_two_hits_the_chosen_opponent_alone():
    game = staged([["targeted_draw_two"], [], [], []], draws=["skip", "reverse"])
    play(game, "targeted_draw_two")
    assert legal_names(game) == ["seat_1", "seat_2", "seat_3"]
    play(game, "seat_3")
    assert sizes(game) == [6, 7, 7, 9]
    assert hand(game, 3) == {"wild": 7, "skip": 1, "reverse": 1}


def test_uaw_6_forced_swap_changes_the_hands_without_the_card_played():
    game = staged([["forced_swap", "skip"], ["reverse"] * 7, ["double_skip"] * 7])
    play(game, "forced_swap", "seat_2")
    assert game.snapshot()["hands"] == [{"double_skip": 7}, {"reverse": 7}, {"wild": 5, "skip": 1}]


def test_uaw_6_seats_are_named_clockwise_whatever_the_direction_of_play():
    game = staged([[], [], ["targeted_draw_two"], []], start="reverse", dealer=3)
    assert (asked(game), game.snapshot()["direction"]) == ((2, "play"), -1)
    play(game, "targeted_draw_two", "seat_1")
    assert sizes(game) == [7, 7, 6, 9]
    game = staged([[], [], ["targeted_draw_two"], []], start="reverse", dealer=3)
    play(game, "targeted_draw_two", "seat_3")
    assert sizes(game) == [7, 9, 6, 7]


def test_uaw_6_double_skip_at_three_players_gives_another_turn():
    game = staged([["double_skip"], [], []])
    play(game, "double_skip")
    assert asked(game) == (0, "play")


def test_uaw_6_double_skip_passes_two_seats_past_the_end_of_the_row():
    game = staged([[], [], [], ["double_skip"]], dealer=2)
    play(game, "double_skip")
    assert asked(game) == (2, "play")


def test_uaw_7_reverse_of_two_players_gives_another_turn_and_turns_the_direction():
    game = staged([["reverse"] * 2, []])
    play(game, "reverse")
    assert (asked(game), game.snapshot()["direction"]) == ((0, "play"), -1)
    play(game, "reverse")
    assert (asked(game), game.snapshot()["direction"]) == ((0, "play"), 1)


def test_uaw_7_turn_passes_between_two_players_in_either_direction():
    game = staged([["reverse"], []])
    play(game, "reverse", "wild")
    assert asked(game) == (1, "play")
    play(game, "wild")
    assert asked(game) == (0, "play")


@pytest.mark.parametrize("start", ["wild", "reverse"])
def test_uaw_7_double_skip_of_two_players_passes_the_turn_to_the_opponent(start):
    dealer = 1 if start == "wild" else 0
    game = staged([["double_skip"], []], start=start, dealer=dealer)
    play(game, "double_skip")
    assert asked(game) == (1, "play")


@pytest.mark.parametrize(
    ("card", "actor", "after"),
    [("skip", 0, [6, 7]), ("draw_two", 0, [6, 9]), ("draw_four", 0, [6, 11]), ("targeted_draw_two", 1, [6, 9])],
)
def test_uaw_7_cards_of_two_players_that_hit_the_opponent(card, actor, after):
    game = staged([[card], []])
    play(game, card)
    assert (asked(game), sizes(game)) == ((actor, "play"), after)


def test_uaw_7_two_players_are_never_asked_for_a_target():
    game = staged([["forced_swap"], ["skip"] * 7])
    play(game, "forced_swap")
    assert game.snapshot()["hands"] == [{"skip": 7}, {"wild": 6}]
    assert asked(game) == (1, "play")
    assert game.snapshot()["decisions"] == 1


def test_uaw_7_reverse_of_three_players_skips_nobody():
    game = staged([["reverse"], [], []])
    play(game, "reverse")
    assert (asked(game), game.snapshot()["direction"]) == ((2, "play"), -1)


def test_uaw_8_discard_pile_but_for_its_top_card_is_shuffled_when_the_draw_pile_is_empty():
    deck = deck_of(wild=13, skip=1, reverse=1, draw_two=1)
    game = staged([["skip", "draw_two"], []], draws=["reverse"], deck=deck, later=[["skip", "wild"]])
    play(game, "skip")
    assert game.snapshot()["draw_pile"] == ["reverse"]
    play(game, "draw_two")
    position = game.snapshot()
    assert hand(game, 1) == {"wild": 7, "reverse": 1, "skip": 1}
    assert position["draw_pile"] == ["wild"]
    assert position["discard_pile"] == ["draw_two"]
    assert position["shuffles"] == 2


def test_uaw_8_nothing_is_shuffled_before_a_card_must_be_drawn():
    deck = deck_of(wild=15, draw_two=2)
    game = staged([["draw_two"], []], draws=["wild", "draw_two"], deck=deck)
    play(game, "draw_two")
    position = game.snapshot()
    assert position["draw_pile"] == []
    assert position["discard_pile"] == ["draw_two", "wild"]
    assert position["shuffles"] == 1
    assert hand(game, 1) == {"wild": 8, "draw_two": 1}


@pytest.mark.parametrize("card", ["draw_two", "draw_four", "targeted_draw_two"])
def test_uaw_8_no_more_cards_are_drawn_when_there_is_nothing_to_shuffle(card):
    game = staged([[card], []], deck=deck_of(wild=14) | {card: 1})
    play(game, card)
    position = game.snapshot()
    assert sizes(game) == [6, 8]
    assert (position["draw_pile"], position["discard_pile"], position["shuffles"]) == ([], [card], 2)


def test_uaw_8_card_drawn_of_ones_own_will_brings_a_reshuffle():
    deck = deck_of(wild=10, skip=5)
    game = against_one_card(deck=deck, later=[["skip", "wild", *["skip"] * 4]])
    play(game, "draw")
    position = game.snapshot()
    assert position["discard_pile"] == ["skip", "wild"]
    assert position["draw_pile"] == ["wild", *["skip"] * 4]
    assert position["shuffles"] == 2
    assert asked(game) == (1, "play")


# --- saying UNO -------------------------------------------------------------------------------------------------------


def test_uaw_9_nobody_is_asked_to_say_uno_by_default():
    for options in ({}, {"uno_calls": "auto"}):
        game = staged([["double_skip"] * 5, [], []], **options)
        play(game, *["double_skip"] * 5, "wild")
        assert (asked(game), sizes(game)) == ((1, "play"), [1, 7, 7])
        assert game.snapshot()["to_declare"] == []


def down_to_one(card="wild", *others, **options):
    """Three players who declare: seat 0 has just played `card`, of its last two."""
    game = staged([["double_skip"] * 5 + [card], *others, *[[]] * (2 - len(others))], uno_calls="declare", **options)
    play(game, *["double_skip"] * 5, card)
    return game


def test_uaw_10_player_with_one_card_left_is_asked():
    game = down_to_one()
    position = game.snapshot()
    assert asked(game) == (0, "declare")
    assert legal_names(game) == ["say_uno", "stay_silent"]
    assert (position["to_declare"], position["silent"], position["turn"]) == ([0], None, 0)
    assert sizes(game) == [1, 7, 7]


def test_uaw_10_player_with_two_cards_left_is_not_asked():
    game = staged([["double_skip"] * 4, [], []], uno_calls="declare")
    play(game, *["double_skip"] * 4, "wild")
    assert (asked(game), sizes(game)) == ((1, "play"), [2, 7, 7])


def test_uaw_10_player_is_asked_when_the_effect_of_its_card_is_done():
    game = down_to_one("targeted_draw_two")
    assert (asked(game), game.snapshot()["to_declare"]) == ((0, "target"), [])
    play(game, "seat_2")
    assert (asked(game), sizes(game)) == ((0, "declare"), [1, 7, 9])


def test_uaw_10_player_whose_last_card_is_played_is_not_asked():
    game = with_one_card("wild", uno_calls="auto")
    play(game, "wild")
    assert game.terminated[0]
    game = down_to_one("double_skip")
    play(game, "say_uno", "wild")
    assert game.terminated[0]
    assert game.snapshot()["to_declare"] == []


def test_uaw_10_swap_that_leaves_the_target_one_card_asks_the_target():
    game = down_to_one("forced_swap", ["skip"])
    play(game, "seat_1")
    position = game.snapshot()
    assert sizes(game) == [7, 1, 7]
    assert asked(game) == (1, "declare")
    assert (position["to_declare"], position["turn"]) == ([1], 0)
    play(game, "say_uno")
    assert asked(game) == (1, "play")


def test_uaw_10_swap_that_leaves_the_target_two_cards_asks_nobody():
    game = staged([["double_skip"] * 4 + ["forced_swap"], ["skip"], []], uno_calls="declare")
    play(game, *["double_skip"] * 4, "forced_swap", "seat_1")
    assert (asked(game), sizes(game)) == ((1, "play"), [7, 2, 7])


def test_uaw_10_swap_with_a_seat_of_one_card_asks_the_player():
    game = down_to_one("wild", ["forced_swap"])
    play(game, "say_uno", "forced_swap", "seat_2")
    assert sizes(game) == [6, 1, 7]
    assert (asked(game), game.snapshot()["to_declare"]) == ((1, "declare"), [1])
    play(game, "say_uno")
    assert asked(game) == (2, "play")


def about_to_swap_the_last_but_one():
    """Three players who declare: it is the turn of seat 0 with a forced swap and a wild, each other has one wild."""
    game = staged([["forced_swap"], [], []], start="double_skip", dealer=1, uno_calls="declare")
    assert asked(game) == (1, "play")
    play(game, *["wild"] * 15, "wild", "say_uno", "wild", "say_uno")
    assert (asked(game), sizes(game)) == ((0, "play"), [2, 1, 1])
    return game


def test_uaw_10_player_is_asked_before_the_target_of_the_swap():
    game = about_to_swap_the_last_but_one()
    play(game, "forced_swap", "seat_1")
    assert sizes(game) == [1, 1, 1]
    assert (asked(game), game.snapshot()["to_declare"]) == ((0, "declare"), [0, 1])
    play(game, "say_uno")
    assert (asked(game), game.snapshot()["to_declare"]) == ((1, "declare"), [1])
    play(game, "say_uno")
    assert (asked(game), game.snapshot()["to_declare"]) == ((1, "play"), [])


def test_uaw_10_each_is_settled_before_the_next_is_asked():
    game = about_to_swap_the_last_but_one()
    play(game, "forced_swap", "seat_1", "stay_silent")
    assert (asked(game), game.snapshot()["to_declare"], game.snapshot()["silent"]) == ((1, "catch"), [0, 1], 0)
    play(game, "let_go", "catch")
    assert sizes(game) == [3, 1, 1]
    assert (asked(game), game.snapshot()["to_declare"]) == ((1, "declare"), [1])
    play(game, "stay_silent")
    assert (asked(game), game.snapshot()["silent"]) == ((2, "catch"), 1)
    play(game, "let_go")
    assert asked(game) == (0, "catch")
    play(game, "catch")
    assert sizes(game) == [3, 3, 1]
    assert asked(game) == (1, "play")


def test_uaw_10_who_keeps_one_card_is_not_asked_again_after_the_plays_of_others():
    game = down_to_one()
    play(game, "say_uno", "wild")
    assert (asked(game), sizes(game)) == ((2, "play"), [1, 6, 7])


def test_uaw_10_who_draws_and_plays_with_one_card_is_asked_again():
    game = staged([[], []], uno_calls="declare", draws=["wild"])
    play(game, *["wild"] * 11, "say_uno", "wild", "say_uno")
    assert (asked(game), sizes(game)) == ((0, "play"), [1, 1])
    play(game, "draw")
    assert (asked(game), game.snapshot()["to_declare"], sizes(game)) == ((0, "declare"), [0], [1, 1])


def test_uaw_10_two_players_are_asked_after_a_swap_without_a_target_asked():
    game = staged([["skip"] * 5 + ["forced_swap"], ["reverse"] * 7], uno_calls="declare")
    play(game, *["skip"] * 5, "forced_swap")
    assert (asked(game), sizes(game)) == ((1, "declare"), [7, 1])


@pytest.mark.parametrize("start", UNO_KINDS[:6])
def test_uaw_10_first_discard_asks_nobody_to_declare(start):
    game = staged([[], [], []], start=start, uno_calls="declare")
    assert game.snapshot()["phase"] == "play"
    assert game.snapshot()["to_declare"] == []


def test_uaw_11_nothing_happens_to_who_says_uno():
    game = down_to_one()
    play(game, "say_uno")
    assert (asked(game), sizes(game)) == ((1, "play"), [1, 7, 7])
    assert game.snapshot()["to_declare"] == []


def test_uaw_11_others_are_asked_to_catch_who_stays_silent():
    game = down_to_one()
    play(game, "stay_silent")
    position = game.snapshot()
    assert asked(game) == (1, "catch")
    assert legal_names(game) == ["catch", "let_go"]
    assert (position["silent"], position["to_declare"], position["turn"]) == (0, [0], 0)


def test_uaw_11_first_catch_draws_two_and_stops_the_asking():
    game = down_to_one(draws=["skip", "reverse"])
    play(game, "stay_silent", "catch")
    position = game.snapshot()
    assert hand(game, 0) == {"wild": 1, "skip": 1, "reverse": 1}
    assert (asked(game), position["silent"], position["to_declare"]) == ((1, "play"), None, [])


def test_uaw_11_second_seat_can_catch_when_the_first_lets_go():
    game = down_to_one()
    play(game, "stay_silent", "let_go")
    assert (asked(game), sizes(game)) == ((2, "catch"), [1, 7, 7])
    play(game, "catch")
    assert (asked(game), sizes(game)) == ((1, "play"), [3, 7, 7])


def test_uaw_11_nobody_draws_when_all_let_go():
    game = down_to_one()
    play(game, "stay_silent", "let_go", "let_go")
    assert (asked(game), sizes(game)) == ((1, "play"), [1, 7, 7])
    assert game.snapshot()["silent"] is None


@pytest.mark.parametrize(("start", "dealer", "next_turn"), [("wild", 0, 2), ("reverse", 2, 0)])
def test_uaw_11_others_are_asked_clockwise_whatever_the_direction(start, dealer, next_turn):
    game = staged([[], [], [], []], start=start, dealer=dealer, uno_calls="declare")
    assert asked(game) == (1, "play")
    play(game, *["wild"] * 21, "stay_silent")
    askings = [asked(game)]
    for _ in range(2):
        play(game, "let_go")
        askings.append(asked(game))
    assert askings == [(2, "catch"), (3, "catch"), (0, "catch")]
    play(game, "let_go")
    assert asked(game) == (next_turn, "play")


def test_uaw_11_caught_seat_draws_what_there_is():
    deck = deck_of(wild=17, double_skip=5)
    game = staged([["double_skip"] * 5, [], []], uno_calls="declare", deck=deck)
    play(game, *["double_skip"] * 5, "wild", "stay_silent", "catch")
    position = game.snapshot()
    assert sizes(game) == [3, 7, 7]
    assert (len(position["draw_pile"]), position["discard_pile"], position["shuffles"]) == (4, ["wild"], 2)
    game = staged([["draw_two"] * 6, [], []], uno_calls="declare", deck=deck_of(wild=16, draw_two=6))
    play(game, *["draw_two", "wild"] * 5, "draw_two", "stay_silent", "catch")
    assert sizes(game) == [1, 18, 2]
    assert asked(game) == (2, "play")


@pytest.mark.parametrize(
    ("card", "after"), [("wild", 1), ("reverse", 2), ("skip", 2), ("double_skip", 0), ("draw_two", 2), ("draw_four", 2)]
)
@pytest.mark.parametrize("answers", [["say_uno"], ["stay_silent", "catch"], ["stay_silent", "let_go", "let_go"]])
def test_uaw_12_turn_passes_as_it_would_have(card, after, answers):
    game = down_to_one(card)
    assert asked(game) == (0, "declare")
    play(game, *answers)
    assert asked(game) == (after, "play")
    assert game.snapshot()["turn"] == after


def test_uaw_12_reverse_of_two_players_gives_another_turn_after_the_call():
    game = staged([["skip"] * 5 + ["reverse"], []], uno_calls="declare")
    play(game, *["skip"] * 5, "reverse", "say_uno")
    assert asked(game) == (0, "play")


# --- end and score ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["wild", "reverse", "skip", "double_skip", "forced_swap"])
@pytest.mark.parametrize("num_players", [2, 3])
def test_uaw_13_last_card_wins_the_round_and_does_nothing_else(card, num_players):
    game = with_one_card(card, ["targeted_draw_two"] * 7, num_players=num_players)
    before = game.snapshot()
    play(game, card)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [0])
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert position["hands"] == [{}, *before["hands"][1:]]
    assert (position["direction"], position["turn"], position["discard_pile"][0]) == (1, 0, card)


@pytest.mark.parametrize(("card", "count"), [("draw_two", 2), ("draw_four", 4)])
def test_uaw_13_draws_of_a_last_card_still_happen(card, count):
    game = with_one_card(card, draws=["skip", "reverse", "wild", "wild"])
    play(game, card)
    assert game.terminated[0]
    assert sizes(game) == [0, 7 + count, 7]
    assert game.snapshot()["round_points"] == [7 * 20 + 7 * 20 + 50 + 50 + (count - 2) * 20, 0, 0]


def test_uaw_13_last_draw_two_hits_the_next_seat_in_the_direction_of_play():
    game = staged([["double_skip"] * 5 + ["draw_two"], [], []], start="reverse", dealer=1)
    play(game, *["double_skip"] * 5, *["wild"] * 3, "draw_two")
    assert game.terminated[0]
    assert sizes(game) == [0, 6, 8]


def test_uaw_13_target_of_a_last_targeted_draw_two_is_chosen_as_always():
    game = with_one_card("targeted_draw_two", draws=["skip", "wild"])
    play(game, "targeted_draw_two")
    assert (asked(game), sizes(game)) == ((0, "target"), [0, 7, 7])
    assert legal_names(game) == ["seat_1", "seat_2"]
    assert (game.snapshot()["round_points"], game.terminated[0]) == (None, False)
    play(game, "seat_2")
    assert game.terminated[0]
    assert game.snapshot()["winners"] == [0]
    assert sizes(game) == [0, 7, 9]
    assert game.snapshot()["round_points"] == [14 * 20 + 50 + 20, 0, 0]


def test_uaw_13_last_targeted_draw_two_of_two_players_hits_the_opponent():
    game = with_one_card("targeted_draw_two", num_players=2, draws=["skip", "wild"])
    play(game, "targeted_draw_two")
    assert game.terminated[0]
    assert sizes(game) == [0, 9]


def test_uaw_13_draws_of_a_last_card_can_bring_a_reshuffle():
    deck = deck_of(wild=8, skip=6, draw_two=1)
    game = with_one_card("draw_two", num_players=2, deck=deck, later=[["skip", "wild", *["skip"] * 5]])
    play(game, "draw_two")
    position = game.snapshot()
    assert hand(game, 1) == {"wild": 8, "skip": 1}
    assert (position["discard_pile"], position["draw_pile"], position["shuffles"]) == (["draw_two"], ["skip"] * 5, 2)


def test_uaw_13_seat_that_declares_can_go_out():
    game = down_to_one("double_skip")
    play(game, "stay_silent", "let_go", "let_go", "wild")
    assert game.snapshot()["winners"] == [0]


def test_uaw_13_seat_whose_hand_went_by_a_swap_can_go_out():
    game = staged([["double_skip"] * 5 + ["forced_swap"], ["skip"], []])
    play(game, *["double_skip"] * 5, "forced_swap", "seat_1", "wild")
    assert (game.snapshot()["winners"], sizes(game)) == ([1], [7, 0, 7])


def test_uaw_14_winner_gets_the_points_of_all_other_hands():
    others = ["reverse", "skip", "double_skip", "draw_two"], ["draw_four", "targeted_draw_two", "forced_swap"]
    game = with_one_card("wild", *others)
    assert (game.snapshot()["round_points"], game.snapshot()["scores"]) == (None, [0, 0, 0])
    play(game, "wild")
    points = (4 * 50 + 3 * 20) + (3 * 50 + 4 * 20)
    assert game.snapshot()["round_points"] == [points, 0, 0]
    assert game.snapshot()["scores"] == [points, 0, 0]
    assert game.scores[0].tolist() == game.round_points[0].tolist() == [points, 0, 0]


@pytest.mark.parametrize("kind", UNO_KINDS)
def test_uaw_14_wild_counts_20_and_every_action_card_50(kind):
    game = with_one_card("wild", [kind] * 7, num_players=2, deck=dict.fromkeys(UNO_KINDS, 13))
    play(game, "wild")
    assert game.snapshot()["round_points"] == [7 * (20 if kind == "wild" else 50), 0]


def test_win_reward_is_one_for_the_winner_shared_by_the_losers():
    for num_players, expected in ((2, [1, -1]), (3, [1, -0.5, -0.5])):
        game = with_one_card("wild", num_players=num_players)
        assert rewards(game) == [0] * num_players
        play(game, "wild")
        assert rewards(game) == expected


def test_uaw_15_score_reward_is_the_difference_from_the_mean_over_500():
    game = with_one_card("wild", ["reverse"] * 7, reward="score")
    assert rewards(game) == [0, 0, 0]
    play(game, "wild")
    points = 7 * 50 + 7 * 20
    assert rewards(game) == pytest.approx([points * 2 / 3 / 500, -points / 3 / 500, -points / 3 / 500])


NEXT_DECK = ["wild"] * 15 + [kind for kind in ACTION_CARDS for _ in range(UNO_DECK[kind])] + ["wild"] * 45


def test_uaw_15_match_goes_on_below_the_target():
    game = with_one_card("wild", ["reverse"] * 7, num_players=2, episode="match", target_score=351, later=[NEXT_DECK])
    play(game, "wild")
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (False, False, None)
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["scores"], position["round_points"]) == ([350, 0], [350, 0])
    assert position["hands"] == [{"wild": 7}, {"wild": 7}]
    assert position["discard_pile"] == ["wild"]
    assert position["draw_pile"] == NEXT_DECK[15:]
    assert (asked(game), position["decisions"]) == ((1, "play"), 7)
    assert rewards(game) == [0, 0]


def test_uaw_15_match_ends_when_a_seat_has_exactly_the_target():
    game = with_one_card("wild", ["reverse"] * 7, num_players=2, episode="match", target_score=350)
    play(game, "wild")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["round"]) == (True, [0], 0)
    assert position["scores"] == [350, 0]
    assert rewards(game) == [1, -1]


def go_out_with_draw_two(actions_of_1, **options):
    """Three players: seat 0 goes out while the others hold 16 cards, of which `actions_of_1` are action cards."""
    game = with_one_card("draw_two", ["reverse"] * actions_of_1, draws=["wild", "wild"], episode="match", **options)
    play(game, "draw_two")
    return game.snapshot()


def test_uaw_15_target_is_500_by_default():
    assert go_out_with_draw_two(6)["scores"] == [500, 0, 0]
    assert go_out_with_draw_two(6)["terminated"]
    assert go_out_with_draw_two(5)["scores"] == [470, 0, 0]
    assert not go_out_with_draw_two(5)["terminated"]


def second_round_won_by_seat_1(**options):
    """Seat 0 has won the first round and seat 1, with 350 points to come, is about to win the second."""
    second = ["skip", "reverse"] * 6 + ["wild", "reverse", "wild"]
    second += ["wild"] * 58 + ["skip"] * 2 + ["reverse"]
    second += ["double_skip", "draw_two", "targeted_draw_two", "forced_swap"] * 8 + ["draw_four"] * 4
    game = with_one_card("wild", num_players=2, episode="match", later=[second], **options)
    play(game, "wild")
    assert (asked(game), game.snapshot()["hands"]) == ((1, "play"), [{"reverse": 7}, {"skip": 6, "wild": 1}])
    play(game, *["skip"] * 6)
    return game


def test_uaw_15_points_of_the_rounds_of_a_match_add_up():
    game = second_round_won_by_seat_1()
    assert game.snapshot()["round_points"] == [140, 0]
    play(game, "wild")
    position = game.snapshot()
    assert (position["scores"], position["round_points"]) == ([140, 350], [0, 350])
    assert (position["round"], position["dealer"], position["shuffles"]) == (2, 1, 3)
    assert not position["terminated"]


def test_uaw_15_seat_that_reaches_the_target_wins_the_match():
    game = second_round_won_by_seat_1(target_score=350)
    play(game, "wild")
    assert game.snapshot()["winners"] == [1]
    assert rewards(game) == [-1, 1]


def second_deal_for_seat_0():
    """An order that deals a wild and six reverses to seat 1, that begins, and a wild and six skips to seat 0."""
    order = ["wild", "wild", *["reverse", "skip"] * 6, "wild"]
    rest = UNO_DECK | {"wild": 57, "reverse": 2, "skip": 2}
    return [*order, *(kind for kind, copies in rest.items() for _ in range(copies))]


def test_uaw_15_points_of_earlier_rounds_count_for_the_target():
    game = staged([["skip"] * 6, ["reverse"] * 7], episode="match", later=[second_deal_for_seat_0()], target_score=650)
    play(game, *["skip"] * 6, "wild")
    assert game.snapshot()["scores"] == [350, 0]
    play(game, "wild", *["skip"] * 6, "wild")
    assert game.snapshot()["scores"] == [350 + 6 * 50, 0]
    assert game.snapshot()["winners"] == [0]


def test_uaw_15_score_reward_of_a_match_is_paid_each_round():
    game = second_round_won_by_seat_1(reward="score", target_score=350)
    assert rewards(game) == [0, 0]
    play(game, "wild")
    assert rewards(game) == pytest.approx([-0.35, 0.35])
    game = with_one_card("wild", ["reverse"] * 7, num_players=2, episode="match", reward="score")
    play(game, "wild")
    assert (game.terminated[0], rewards(game)) == (False, pytest.approx([0.35, -0.35]))


def test_uaw_15_direction_of_play_is_clockwise_again_in_the_next_round():
    game = staged([["reverse"] + ["skip"] * 5, []], episode="match", later=[NEXT_DECK])
    play(game, "reverse", *["skip"] * 5)
    assert game.snapshot()["direction"] == -1
    play(game, "wild")
    assert (game.snapshot()["round"], game.snapshot()["direction"]) == (1, 1)


def test_uaw_15_shuffles_of_a_match_are_random_past_the_stack():
    game = staged([["skip"] * 6, []], episode="match")
    play(game, *["skip"] * 6, "wild")
    position = game.snapshot()
    assert (position["round"], position["shuffles"]) == (1, 2)
    assert cards_in(position) == UNO_DECK


@pytest.mark.parametrize(("episode", "cap"), [("round", 3_000), ("match", 60_000)])
def test_uaw_16_cap_of_an_episode_that_does_not_end(episode, cap):
    game = BatchGame("uno_all_wild", seed=0, num_players=2, uno_calls="declare", episode=episode)
    draw, silent, catch = (game.action_index(name) for name in ("draw", "stay_silent", "catch"))
    for _ in range(cap):
        assert not game.truncated[0]
        legal = game.legal()[0]
        action = next((a for a in (silent, catch) if legal[a]), None)
        game.step([legal[:draw].argmax() if action is None else action])
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["decisions"]) == (True, False, cap)


def test_uaw_16_cap_cuts_the_episode_off_without_a_reward():
    game = staged([["skip"] * 6, []], max_decisions=6)
    play(game, *["skip"] * 5)
    assert not game.truncated[0]
    play(game, "skip")
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert (position["scores"], position["round_points"], rewards(game)) == ([0, 0], None, [0, 0])
    assert sizes(game) == [1, 7]


@pytest.mark.parametrize("options", [{}, {"episode": "match", "target_score": 140}])
def test_uaw_16_episode_that_ends_with_its_last_decision_is_terminated(options):
    game = staged([["skip"] * 6, []], max_decisions=7, **options)
    play(game, *["skip"] * 6, "wild")
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [0])
    assert rewards(game) == [1, -1]


@pytest.mark.parametrize(("reward", "paid"), [("win", [0, 0]), ("score", [0.14, -0.14])])
def test_uaw_16_round_that_ends_at_the_cap_is_paid_and_the_next_one_dealt(reward, paid):
    game = staged([["skip"] * 6, []], episode="match", reward=reward, max_decisions=7, later=[NEXT_DECK])
    play(game, *["skip"] * 6, "wild")
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["scores"], position["round_points"]) == ([140, 0], [140, 0])
    assert position["hands"] == [{"wild": 7}, {"wild": 7}]
    assert (position["actor"], position["phase"]) == (None, None)
    assert rewards(game) == pytest.approx(paid)


@pytest.mark.parametrize("answers", [[], ["stay_silent"], ["stay_silent", "let_go"]])
def test_uaw_16_cap_leaves_nobody_to_declare(answers):
    game = down_to_one(max_decisions=6 + len(answers))
    play(game, *answers)
    position = game.snapshot()
    assert position["truncated"]
    assert (position["to_declare"], position["silent"], position["actor"]) == ([], None, None)
