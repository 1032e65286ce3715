"""The rules of Twice the Fun, by number (RULES.md). Seat 0 begins unless a test names a dealer."""

from collections import Counter

import numpy as np
import pytest

from cardenvs import games
from cardenvs.core.errors import IllegalActionError, OptionError
from cardenvs.engine.batch import BatchGame
from tests.games.ttf_staging import (
    COLORS,
    KINDS,
    MISS,
    NUMBER_CARDS,
    PENALTIES,
    PENALTY_CARDS,
    TTF_DECK,
    WILDS,
    deck_of,
    down_to,
    knows,
    penalty,
    played_down,
    staged,
    staged_match,
)
from tests.helpers import asked, cards_in, hand, legal_names, over, play, random_actions, rewards, sizes

COLOR_ACTIONS = [f"color_{color}" for color in COLORS]
DRAWN = {"draw_1": 1, "draw_3": 3}
ANSWERS = ["boomerang", "ricochet"]


def seats(count):
    return [f"seat_{r}" for r in range(1, count + 1)]


def missed(game):
    return game.snapshot()["missed_turns"]


def pending(game):
    return game.snapshot()["penalty"]


# --- cards, actions, phases -------------------------------------------------------------------------------------------


def test_ttf_deck_has_108_cards_of_55_kinds():
    game = BatchGame("twice_the_fun", seed=0, num_players=3)
    assert (len(TTF_DECK), sum(TTF_DECK.values())) == (55, 108)
    assert cards_in(game.snapshot()) == TTF_DECK


@pytest.mark.parametrize(
    ("kind", "copies"), [("double_trouble", 1), ("lose_your_turn", 1), ("draw_3", 2), ("draw_1", 2)]
)
def test_ttf_every_color_has_an_equal_share_of_the_penalty_cards(kind, copies):
    cards = cards_in(BatchGame("twice_the_fun", seed=0, num_players=2).snapshot())
    assert [cards[f"{color}_{kind}"] for color in COLORS] == [copies] * 4


def test_ttf_deck_option_sets_the_copies():
    deck = deck_of({kind: 1 + number % 2 for number, kind in enumerate(KINDS)})
    game = BatchGame("twice_the_fun", seed=0, num_players=4, deck=deck)
    assert cards_in(game.snapshot()) == deck


@pytest.mark.parametrize("num_players", [2, 3, 10])
def test_ttf_deck_can_have_9_cards_a_seat_and_one(num_players):
    deck = deck_of({"gold_2": 9 * num_players + 1})
    game = BatchGame("twice_the_fun", seed=0, num_players=num_players, deck=deck)
    assert game.snapshot()["draw_pile"] == []
    assert sizes(game) == [9] * num_players


@pytest.mark.parametrize(
    "deck",
    [
        deck_of({"gold_2": 18}),
        {"gold_2": 40},
        {kind: copies for kind, copies in TTF_DECK.items() if kind != "boomerang"},
        TTF_DECK | {"gold_10": 1},
        TTF_DECK | {"gold_2": -1},
        TTF_DECK | {"gold_2": 1.5},
        TTF_DECK | {"gold_2": "two"},
        108,
    ],
)
def test_ttf_bad_deck_is_refused(deck):
    with pytest.raises(OptionError, match="deck"):
        BatchGame("twice_the_fun", seed=0, num_players=2, deck=deck)


@pytest.mark.parametrize("option", ["target_score", "max_decisions"])
def test_ttf_target_score_and_cap_are_at_least_1(option):
    BatchGame("twice_the_fun", seed=0, **{option: 1})
    with pytest.raises(OptionError, match=option):
        BatchGame("twice_the_fun", seed=0, **{option: 0})


@pytest.mark.parametrize("num_players", [1, 11])
def test_ttf_is_for_2_to_10_players(num_players):
    with pytest.raises(OptionError, match="num_players"):
        BatchGame("twice_the_fun", seed=0, num_players=num_players)


@pytest.mark.parametrize("num_players", [2, 3, 10])
def test_ttf_actions_are_the_cards_the_colors_the_verbs_and_the_seats(num_players):
    game = BatchGame("twice_the_fun", seed=0, num_players=num_players)
    assert game.action_names == [*KINDS, *COLOR_ACTIONS, "draw", "accept", "decline", *seats(num_players - 1)]


def test_ttf_indices_of_the_actions():
    game = BatchGame("twice_the_fun", seed=0, num_players=10)
    index = {
        "red_1": 0, "red_9": 8, "blue_1": 9, "green_5": 22, "gold_9": 35,
        "red_double_trouble": 36, "gold_double_trouble": 39, "blue_lose_your_turn": 41, "green_draw_3": 46,
        "red_draw_1": 48, "gold_draw_1": 51, "boomerang": 52, "ricochet": 53, "double_exchange": 54,
        "color_red": 55, "color_gold": 58, "draw": 59, "accept": 60, "decline": 61, "seat_1": 62, "seat_9": 70,
    }  # fmt: skip
    assert {name: game.action_index(name) for name in index} == index
    assert len(game.action_names) == 62 + 9


def test_ttf_phases_are_numbered_in_their_order():
    assert tuple(games.get("twice_the_fun").phases) == ("play", "target", "color", "react", "give", "exchange")


def test_ttf_snapshot_at_the_start():
    position = staged([["blue_2"], [], []], draws=["gold_3"], spare=()).snapshot()
    assert position == {
        "game": "twice_the_fun", "num_players": 3, "episode": "round", "round": 0, "dealer": 2, "decisions": 0,
        "actor": 0, "phase": "play", "legal": ["red_1"],
        "hands": [{"blue_2": 1, "red_1": 8}, {"red_1": 9}, {"red_1": 9}],
        "draw_pile": ["gold_3"], "discard_pile": ["red_5"],
        "scores": [0, 0, 0], "round_points": None, "winners": None, "terminated": False, "truncated": False,
        "shuffles": 1, "color": "red", "turn": 0, "missed_turns": [0, 0, 0], "penalty": None, "to_give": 0,
    }  # fmt: skip


# --- setup ------------------------------------------------------------------------------------------------------------


def test_ttf_1_nine_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    order = [f"{color}_{n}" for n in range(1, 10) for color in ("green", "blue", "red")] + [
        "gold_1",
        "gold_2",
        "gold_3",
    ]
    game = BatchGame("twice_the_fun", seed=0, num_players=3, deck=deck_of(Counter(order)))
    game.reset(options={"dealer": 1, "shuffles": [order]})
    position = game.snapshot()
    assert position["hands"] == [{f"{color}_{n}": 1 for n in range(1, 10)} for color in ("blue", "red", "green")]
    assert (position["discard_pile"], position["draw_pile"]) == (["gold_1"], ["gold_2", "gold_3"])
    assert (position["dealer"], position["shuffles"], position["round"], position["decisions"]) == (1, 1, 0, 0)
    assert asked(game) == (2, "play")


def test_ttf_1_every_seat_gets_nine_cards_of_the_default_deck():
    rest = Counter(TTF_DECK) - Counter(["red_1"])
    for num_players in range(2, 11):
        game = BatchGame("twice_the_fun", seed=0, num_players=num_players)
        dealt = list(rest.elements())
        order = [*dealt[: 9 * num_players], "red_1", *dealt[9 * num_players :]]
        game.reset(options={"shuffles": [order]})
        position = game.snapshot()
        assert sizes(game) == [9] * num_players
        assert (position["discard_pile"], len(position["draw_pile"])) == (["red_1"], 108 - 9 * num_players - 1)


@pytest.mark.parametrize("dealer", range(4))
def test_ttf_2_seat_to_the_dealers_left_begins_after_a_number_card(dealer):
    game = staged([[], [], [], []], start="green_7", dealer=dealer)
    position = game.snapshot()
    assert asked(game) == ((dealer + 1) % 4, "play")
    assert (position["turn"], position["color"], position["discard_pile"]) == ((dealer + 1) % 4, "green", ["green_7"])
    assert (position["penalty"], position["missed_turns"], position["to_give"]) == (None, [0] * 4, 0)


@pytest.mark.parametrize("wild", WILDS)
def test_ttf_2_wild_card_turned_up_goes_to_the_bottom_of_the_draw_pile(wild):
    game = staged([[], []], start=wild, draws=["blue_3", "blue_4"], spare=["gold_8"])
    position = game.snapshot()
    assert (position["discard_pile"], position["draw_pile"]) == (["blue_3"], ["blue_4", "gold_8", wild])
    assert (position["color"], position["shuffles"], position["decisions"]) == ("blue", 1, 0)
    assert asked(game) == (0, "play")
    assert sizes(game) == [9, 9]


def test_ttf_2_several_wild_cards_go_to_the_bottom_in_their_order():
    game = staged([[], []], start="ricochet", draws=["double_exchange", "boomerang", "green_2", "gold_1"], spare=())
    position = game.snapshot()
    assert position["discard_pile"] == ["green_2"]
    assert position["draw_pile"] == ["gold_1", "ricochet", "double_exchange", "boomerang"]


def test_ttf_2_wild_card_at_the_bottom_is_drawn_last():
    game = staged([["gold_1"], []], start="boomerang", draws=["blue_3", "green_8"], fill="gold_1", spare=())
    play(game, "draw")
    assert asked(game) == (1, "play")
    play(game, "draw")
    position = game.snapshot()
    assert (asked(game), position["discard_pile"]) == ((1, "color"), ["boomerang", "blue_3"])


def test_ttf_2_wild_card_at_the_bottom_can_be_drawn_by_the_first_penalty():
    game = staged([[], []], start="boomerang", draws=["red_draw_1"], spare=())
    assert sizes(game) == [10, 9]
    assert hand(game, 0) == {"red_1": 9, "boomerang": 1}
    assert (game.snapshot()["draw_pile"], game.snapshot()["discard_pile"]) == ([], ["red_draw_1"])


@pytest.mark.parametrize("dealer", range(3))
@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
def test_ttf_3_draw_card_turned_up_hits_the_seat_to_the_dealers_left_which_has_the_first_turn(kind, count, dealer):
    draws = ["blue_2", "blue_3", "blue_4"]
    game = staged([[], [], []], start=f"green_{kind}", draws=draws, dealer=dealer)
    first = (dealer + 1) % 3
    position = game.snapshot()
    assert hand(game, first) == {"red_1": 9} | dict.fromkeys(draws[:count], 1)
    assert sum(sizes(game)) == 27 + count
    assert asked(game) == (first, "play")
    assert (position["turn"], position["color"], position["penalty"], position["decisions"]) == (
        first,
        "green",
        None,
        0,
    )


@pytest.mark.parametrize("dealer", range(3))
def test_ttf_3_lose_your_turn_turned_up_takes_away_the_first_turn(dealer):
    game = staged([[], [], []], start="red_lose_your_turn", dealer=dealer)
    assert asked(game) == ((dealer + 2) % 3, "play")
    assert (game.snapshot()["turn"], missed(game), game.snapshot()["decisions"]) == ((dealer + 2) % 3, [0, 0, 0], 0)


def test_ttf_3_lose_your_turn_turned_up_for_two_players_gives_the_dealer_the_first_turn():
    game = staged([[], []], start="red_lose_your_turn")
    assert (asked(game), missed(game)) == ((1, "play"), [0, 0])


@pytest.mark.parametrize("num_players", [2, 3])
def test_ttf_3_dealer_gives_two_cards_for_a_double_trouble_turned_up(num_players):
    dealer = num_players - 1
    game = staged([[], *[["blue_2", "blue_3"]] * dealer], start="red_double_trouble")
    position = game.snapshot()
    assert asked(game) == (dealer, "give")
    assert legal_names(game) == ["red_1", "blue_2", "blue_3"]
    assert (position["turn"], position["to_give"], position["decisions"]) == (dealer, 2, 0)
    assert position["penalty"] == penalty("double_trouble", dealer, 0, dealer)
    play(game, "blue_2", "blue_3")
    assert (hand(game, 0), hand(game, dealer)) == ({"red_1": 9, "blue_2": 1, "blue_3": 1}, {"red_1": 7})
    assert (asked(game), game.snapshot()["turn"], pending(game)) == ((0, "play"), 0, None)


@pytest.mark.parametrize("kind", PENALTIES)
def test_ttf_3_seat_to_the_dealers_left_is_asked_to_answer_in_the_turn_of_the_dealer(kind):
    game = staged([[], ["ricochet"], []], start=f"red_{kind}", dealer=0)
    position = game.snapshot()
    assert asked(game) == (1, "react")
    assert legal_names(game) == ["ricochet", "accept"]
    assert (position["turn"], position["penalty"]) == (0, penalty(kind, 0, 1, 0))
    assert (position["color"], position["missed_turns"], position["to_give"]) == ("red", [0, 0, 0], 0)


def test_ttf_3_boomerang_returns_a_penalty_turned_up_to_the_dealer():
    game = staged([["boomerang"], [], []], start="red_draw_3")
    play(game, "boomerang", "color_blue")
    position = game.snapshot()
    assert sizes(game) == [8, 9, 12]
    assert (asked(game), position["turn"], position["color"]) == ((0, "play"), 0, "blue")
    assert position["discard_pile"] == ["boomerang", "red_draw_3"]


def test_ttf_3_dealer_answers_as_the_origin_of_a_penalty_turned_up():
    game = staged([["boomerang"], [], ["boomerang"]], start="red_draw_3")
    play(game, "boomerang", "color_blue")
    assert (asked(game), pending(game)) == ((2, "react"), penalty("draw_3", 2, 2, 0))
    assert game.snapshot()["turn"] == 2
    play(game, "boomerang", "color_green")
    assert sizes(game) == [8 + 3, 9, 8]
    assert (asked(game), game.snapshot()["color"]) == ((0, "play"), "green")


def test_ttf_3_dealer_misses_its_next_turn_when_a_lose_your_turn_returns_to_it():
    game = staged([["boomerang"], [], []], start="red_lose_your_turn")
    play(game, "boomerang", "color_red")
    assert (asked(game), missed(game)) == ((0, "play"), [0, 0, 1])
    play(game, "red_1", "red_1")
    assert (asked(game), missed(game)) == ((0, "play"), [0, 0, 0])


def test_ttf_3_lose_your_turn_passed_on_leaves_the_first_turn_where_it_was():
    game = staged([["ricochet"], [], []], start="red_lose_your_turn")
    play(game, "ricochet", "color_red", "seat_1")
    assert (asked(game), missed(game)) == ((0, "play"), [0, 1, 0])
    play(game, "red_1")
    assert (asked(game), missed(game)) == ((2, "play"), [0, 0, 0])


def test_ttf_3_seat_to_the_left_gives_when_a_double_trouble_returns_to_the_dealer():
    game = staged([["boomerang", "gold_2"], [], []], start="red_double_trouble")
    play(game, "boomerang", "color_red")
    assert (asked(game), pending(game)) == ((0, "give"), penalty("double_trouble", 2, 2, 0))
    assert game.snapshot()["turn"] == 2
    play(game, "gold_2", "red_1")
    assert (sizes(game), hand(game, 2)) == ([6, 9, 11], {"red_1": 10, "gold_2": 1})
    assert asked(game) == (0, "play")


def test_ttf_3_dealer_gives_when_a_double_trouble_is_passed_on():
    game = staged([["ricochet"], [], []], start="red_double_trouble")
    play(game, "ricochet", "color_red", "seat_1")
    assert (asked(game), pending(game)) == ((2, "give"), penalty("double_trouble", 2, 1, 0))
    play(game, "red_1", "red_1")
    assert (sizes(game), asked(game)) == ([8, 11, 7], (0, "play"))


def test_ttf_3_accepted_lose_your_turn_takes_away_the_first_turn():
    game = staged([["ricochet"], [], []], start="red_lose_your_turn")
    play(game, "accept")
    assert (asked(game), missed(game)) == ((1, "play"), [0, 0, 0])


def test_ttf_3_penalty_card_after_a_wild_card_turned_up_counts_too():
    game = staged([[], []], start="ricochet", draws=["blue_draw_3", "green_1", "green_2"], spare=())
    assert hand(game, 0) == {"red_1": 9, "green_1": 1, "green_2": 1, "ricochet": 1}
    assert game.snapshot()["draw_pile"] == []


# --- a turn -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 5, 10])
def test_ttf_4_play_is_clockwise(num_players):
    game = staged([[]] * num_players)
    for number in range(2 * num_players):
        assert (asked(game), game.snapshot()["turn"]) == ((number % num_players, "play"), number % num_players)
        play(game, "red_1")


def test_ttf_4_color_of_the_top_discard_is_the_current_color():
    game = staged([["blue_5"], ["blue_draw_1"], []])
    play(game, "blue_5")
    assert game.snapshot()["color"] == "blue"
    play(game, "blue_draw_1", "seat_2")
    assert game.snapshot()["color"] == "blue"


def test_ttf_4_card_goes_from_the_hand_to_the_top_of_the_discard_pile():
    game = staged([["red_2"], [], []])
    play(game, "red_2", "red_1")
    position = game.snapshot()
    assert position["hands"] == [{"red_1": 8}, {"red_1": 8}, {"red_1": 9}]
    assert (position["discard_pile"], position["decisions"]) == (["red_1", "red_2", "red_5"], 2)


FITTING = [
    "red_2", "red_5", "blue_5", "green_5", "gold_5", "red_double_trouble", "red_lose_your_turn", "red_draw_3",
    "red_draw_1", "boomerang", "ricochet", "double_exchange",
]  # fmt: skip
UNFITTING = ["blue_6", "green_2", "gold_9", "blue_double_trouble", "green_lose_your_turn", "gold_draw_3", "blue_draw_1"]


@pytest.mark.parametrize("card", FITTING)
def test_ttf_5_card_of_the_color_or_the_number_or_without_a_color_can_be_laid_on_a_number_card(card):
    game = staged([[card], []], fill="gold_8")
    assert card in legal_names(game)
    assert "gold_8" not in legal_names(game)


@pytest.mark.parametrize("card", UNFITTING)
def test_ttf_5_coloured_card_of_another_color_and_number_cannot_be_laid(card):
    game = staged([[card], []], fill="gold_8")
    assert legal_names(game) == ["draw"]
    with pytest.raises(IllegalActionError):
        play(game, card)


def test_ttf_5_legal_cards_are_those_of_the_hand():
    cards = ["red_2", "red_5", "blue_5", "blue_draw_3", "gold_draw_1", "red_draw_1", "boomerang", "double_exchange"]
    game = staged([cards, []], fill="red_2")
    assert legal_names(game) == ["red_2", "red_5", "blue_5", "red_draw_1", "boomerang", "double_exchange"]


def test_ttf_5_every_color_and_every_number_fit_alike():
    for number, card in enumerate(NUMBER_CARDS):
        game = staged([NUMBER_CARDS[:9], NUMBER_CARDS[9:18]], start=card, spare=())
        color, n = number // 9, number % 9
        fits = NUMBER_CARDS[:9] if color == 0 else [NUMBER_CARDS[n]]
        assert legal_names(game) == fits


@pytest.mark.parametrize("kind", PENALTIES)
def test_ttf_5_only_the_color_counts_on_a_penalty_card(kind):
    blue = [f"blue_{other}" for other in PENALTIES]
    game = staged([[f"red_{kind}"], ["red_2", "blue_5", *blue, "red_double_trouble", "red_draw_1"], []], fill="gold_5")
    play(game, f"red_{kind}", "seat_2")
    if kind == "double_trouble":
        play(game, "gold_5", "gold_5")
    assert (asked(game), legal_names(game)) == ((1, "play"), ["red_2", "red_double_trouble", "red_draw_1"])


def test_ttf_5_only_the_called_color_counts_on_a_wild_card():
    cards = ["red_5", "red_2", "blue_2", "red_draw_3", "blue_draw_3", "blue_double_trouble"]
    game = staged([["boomerang"], cards, []], fill="gold_5")
    play(game, "boomerang", "color_blue")
    assert legal_names(game) == ["blue_2", "blue_double_trouble", "blue_draw_3"]


def test_ttf_5_wild_card_can_be_laid_on_a_wild_card():
    game = staged([["boomerang"], WILDS], fill="gold_5")
    play(game, "boomerang", "color_blue")
    assert legal_names(game) == [*WILDS, "draw"]


def test_ttf_5_card_of_the_same_number_changes_the_color():
    game = staged([["gold_5"], ["red_5", "red_2", "gold_2"]], fill="blue_8")
    play(game, "gold_5")
    assert legal_names(game) == ["red_5", "gold_2"]


@pytest.mark.parametrize("card", ["red_2", "blue_5", "red_draw_1", "red_lose_your_turn", "red_double_trouble"])
def test_ttf_6_draw_is_illegal_with_a_coloured_card_that_fits(card):
    game = staged([[card, "boomerang"], []], fill="gold_8")
    assert legal_names(game) == [card, "boomerang"]
    with pytest.raises(IllegalActionError):
        play(game, "draw")


@pytest.mark.parametrize("wild", WILDS)
def test_ttf_6_player_may_spend_a_wild_card_or_draw(wild):
    game = staged([[wild], []], fill="gold_8")
    assert legal_names(game) == [wild, "draw"]
    play(game, wild)
    assert (asked(game), sizes(game)) == ((0, "color"), [8, 9])
    game = staged([[wild], []], fill="gold_8")
    play(game, "draw")
    assert (asked(game), sizes(game), hand(game, 0)[wild]) == ((1, "play"), [10, 9], 1)


def test_ttf_6_hand_of_wild_cards_may_draw():
    game = staged([[*WILDS, *["boomerang"] * 6], []], spare=["gold_9"] * 12)
    assert legal_names(game) == [*WILDS, "draw"]


def test_ttf_6_penalty_card_of_another_color_does_not_hinder_to_draw():
    game = staged([["blue_draw_3", "green_double_trouble"], []], start="red_8", fill="gold_9")
    assert legal_names(game) == ["draw"]


@pytest.mark.parametrize("card", ["red_7", "green_5"])
def test_ttf_7_drawn_number_card_that_fits_is_laid_at_once(card):
    game = staged([["gold_8"], []], fill="gold_8", draws=[card, "gold_1"], spare=())
    play(game, "draw")
    position = game.snapshot()
    assert (position["discard_pile"], position["draw_pile"]) == ([card, "red_5"], ["gold_1"])
    assert (hand(game, 0), asked(game), position["decisions"]) == ({"gold_8": 9}, (1, "play"), 1)
    assert position["color"] == card.split("_")[0]


@pytest.mark.parametrize("card", ["blue_7", "blue_draw_1", "green_lose_your_turn"])
def test_ttf_7_drawn_card_that_does_not_fit_is_kept_and_ends_the_turn(card):
    game = staged([["gold_8"], []], fill="gold_8", draws=[card, "gold_1"], spare=())
    play(game, "draw")
    position = game.snapshot()
    assert (position["discard_pile"], position["draw_pile"]) == (["red_5"], ["gold_1"])
    assert (hand(game, 0), asked(game)) == ({"gold_8": 9, card: 1}, (1, "play"))


@pytest.mark.parametrize("wild", ["boomerang", "ricochet"])
def test_ttf_7_drawn_wild_card_is_laid_at_once_and_the_player_calls_the_color(wild):
    game = staged([["boomerang"], [], []], fill="gold_8", draws=[wild])
    play(game, "draw")
    position = game.snapshot()
    assert (asked(game), legal_names(game), position["color"]) == ((0, "color"), COLOR_ACTIONS, None)
    assert (position["discard_pile"], sizes(game), hand(game, 0)["boomerang"]) == ([wild, "red_5"], [9, 9, 9], 1)
    play(game, "color_green")
    assert (asked(game), game.snapshot()["color"]) == ((1, "play"), "green")


def test_ttf_7_drawn_double_exchange_is_laid_at_once():
    game = staged([["gold_8"], ["blue_2"], []], fill="gold_8", draws=["double_exchange"])
    play(game, "draw")
    assert asked(game) == (0, "color")
    play(game, "color_green")
    assert asked(game) == (0, "target")
    play(game, "seat_1")
    assert (asked(game), hand(game, 0)) == ((1, "exchange"), {"blue_2": 1, "gold_8": 8})
    play(game, "decline")
    assert (asked(game), hand(game, 1)) == ((1, "play"), {"gold_8": 9})


@pytest.mark.parametrize("kind", PENALTIES)
def test_ttf_7_player_aims_a_drawn_penalty_card(kind):
    game = staged([["gold_8"], [], ["ricochet"]], fill="gold_8", draws=[f"red_{kind}"])
    play(game, "draw")
    assert (asked(game), legal_names(game)) == ((0, "target"), ["seat_1", "seat_2"])
    assert (sizes(game), game.snapshot()["discard_pile"][0]) == ([9, 9, 9], f"red_{kind}")
    play(game, "seat_2")
    assert (asked(game), pending(game)) == ((2, "react"), penalty(kind, 0, 2, 0))


def test_ttf_7_drawn_card_is_laid_on_a_called_color():
    game = staged([["boomerang"], [], []], fill="gold_8", draws=["blue_3"])
    play(game, "boomerang", "color_blue", "draw")
    assert (game.snapshot()["discard_pile"], asked(game)) == (["blue_3", "boomerang", "red_5"], (2, "play"))


def test_ttf_7_drawn_number_card_does_not_fit_a_wild_card_by_its_number():
    game = staged([["boomerang"], [], []], fill="gold_8", draws=["red_5"])
    play(game, "boomerang", "color_blue", "draw")
    assert (hand(game, 1), asked(game)) == ({"gold_8": 9, "red_5": 1}, (2, "play"))


def test_ttf_7_only_one_card_is_drawn():
    game = staged([["gold_8"], []], fill="gold_8", draws=["gold_7", "red_7"])
    play(game, "draw")
    assert (asked(game), sizes(game)) == ((1, "play"), [10, 9])


@pytest.mark.parametrize("first", ["red_5", "red_2"])
def test_ttf_8_discard_pile_but_for_its_top_card_is_shuffled_when_the_draw_pile_is_empty(first):
    other = {"red_5": "red_2", "red_2": "red_5"}[first]
    game = staged([["red_2", "red_3"], ["blue_2"]], fill="gold_8", spare=(), later=[[first, other]])
    play(game, "red_2", "blue_2")
    assert (asked(game), legal_names(game), game.snapshot()["draw_pile"]) == ((0, "play"), ["draw"], [])
    play(game, "draw")
    position = game.snapshot()
    laid = ["red_2"] if first == "red_2" else []
    assert (position["discard_pile"], position["draw_pile"]) == ([*laid, "blue_2"], [other])
    assert (position["shuffles"], asked(game), sizes(game)[0]) == (2, (1, "play"), 9 - len(laid))


def test_ttf_8_nothing_is_shuffled_before_a_card_must_be_drawn():
    game = staged([["red_draw_1"], []], draws=["gold_1"], spare=())
    play(game, "red_draw_1")
    position = game.snapshot()
    assert (position["draw_pile"], position["discard_pile"], position["shuffles"]) == ([], ["red_draw_1", "red_5"], 1)


def test_ttf_8_penalty_can_bring_a_reshuffle_between_two_cards():
    game = staged([["red_2", "red_draw_3"], []], draws=["gold_1"], spare=(), later=[["red_2", "red_5", "red_1"]])
    play(game, "red_2", "red_1", "red_draw_3")
    position = game.snapshot()
    assert hand(game, 1) == {"red_1": 8, "red_2": 1, "gold_1": 1, "red_5": 1}
    assert (position["draw_pile"], position["discard_pile"], position["shuffles"]) == (["red_1"], ["red_draw_3"], 2)


def test_ttf_8_penalty_draws_as_many_cards_as_there_are():
    game = staged([["red_draw_3"], [], []], draws=["gold_1"], spare=())
    play(game, "red_draw_3", "seat_1")
    position = game.snapshot()
    assert hand(game, 1) == {"red_1": 9, "gold_1": 1, "red_5": 1}
    assert (position["draw_pile"], position["discard_pile"], position["shuffles"]) == ([], ["red_draw_3"], 2)
    assert asked(game) == (1, "play")


def test_ttf_8_penalty_card_below_its_answer_is_shuffled_too():
    game = staged([["red_draw_3"], ["boomerang"]], draws=["gold_1"], spare=(), later=[["red_draw_3", "red_5"]])
    play(game, "red_draw_3", "boomerang", "color_blue")
    position = game.snapshot()
    assert hand(game, 0) == {"red_1": 8, "red_draw_3": 1, "red_5": 1, "gold_1": 1}
    assert (position["discard_pile"], position["color"], position["draw_pile"]) == (["boomerang"], "blue", [])


def test_ttf_8_first_discard_that_hits_finds_nothing_to_draw():
    game = staged([[], []], start="red_draw_3", spare=())
    assert (sizes(game), asked(game), game.snapshot()["shuffles"]) == ([9, 9], (0, "play"), 1)


def test_ttf_8_draw_that_gives_nothing_ends_the_turn():
    game = staged([[], []], fill="gold_8", spare=())
    for seat in (0, 1, 0):
        assert (asked(game), legal_names(game)) == ((seat, "play"), ["draw"])
        play(game, "draw")
    position = game.snapshot()
    assert (sizes(game), position["shuffles"], position["decisions"]) == ([9, 9], 1, 3)


def test_ttf_8_reshuffle_that_does_not_fit_is_refused():
    game = staged([["red_draw_1"], []], spare=(), later=[["red_2"]])
    with pytest.raises(ValueError, match="shuffle"):
        play(game, "red_draw_1")


def test_ttf_8_reshuffle_past_the_stack_is_of_the_same_cards():
    game = staged([["red_2", "red_3", "red_draw_1"], []], spare=())
    play(game, "red_2", "red_1", "red_3", "red_1", "red_draw_1")
    position = game.snapshot()
    pile = Counter(position["draw_pile"]) + Counter(hand(game, 1)) - Counter({"red_1": 7})
    assert pile == {"red_2": 1, "red_3": 1, "red_1": 2, "red_5": 1}
    assert (sizes(game), len(position["draw_pile"]), position["shuffles"]) == ([6, 8], 4, 2)


@pytest.mark.parametrize("wild", WILDS)
def test_ttf_9_color_is_called_after_a_wild_card(wild):
    game = staged([[wild], [], []])
    play(game, wild)
    position = game.snapshot()
    assert (asked(game), legal_names(game)) == ((0, "color"), COLOR_ACTIONS)
    assert (position["color"], position["discard_pile"][0], position["turn"]) == (None, wild, 0)
    assert (position["penalty"], position["decisions"]) == (None, 1)


@pytest.mark.parametrize("color", COLORS)
def test_ttf_9_called_color_is_the_current_color(color):
    fitting = f"{color}_3"
    game = staged([["ricochet"], ["red_3", "blue_3", "green_3", "gold_3", *["ricochet"] * 5]])
    play(game, "ricochet", f"color_{color}")
    assert game.snapshot()["color"] == color
    assert legal_names(game) == [fitting, "ricochet"]


def test_ttf_9_target_of_a_double_exchange_is_chosen_after_the_color():
    game = staged([["double_exchange"], [], []])
    play(game, "double_exchange", "color_green")
    assert (asked(game), legal_names(game), game.snapshot()["color"]) == ((0, "target"), seats(2), "green")


def test_ttf_9_target_of_an_answering_ricochet_is_chosen_after_the_color():
    game = staged([["red_draw_1"], ["ricochet"], []])
    play(game, "red_draw_1", "seat_1", "ricochet")
    assert (asked(game), legal_names(game), game.snapshot()["color"]) == ((1, "color"), COLOR_ACTIONS, None)
    play(game, "color_blue")
    assert (asked(game), legal_names(game), game.snapshot()["color"]) == ((1, "target"), seats(2), "blue")


@pytest.mark.parametrize("wild", ANSWERS)
@pytest.mark.parametrize("num_players", [2, 4])
def test_ttf_10_boomerang_and_ricochet_in_a_turn_only_call_a_color(wild, num_players):
    game = staged([[wild], *[["boomerang", "ricochet"]] * (num_players - 1)])
    hands = game.snapshot()["hands"]
    play(game, wild, "color_red")
    position = game.snapshot()
    assert position["hands"] == [{"red_1": 8}, *hands[1:]]
    assert (asked(game), position["color"], position["penalty"]) == ((1, "play"), "red", None)


@pytest.mark.parametrize("wild", ANSWERS)
def test_ttf_10_boomerang_and_ricochet_do_nothing_to_an_earlier_penalty(wild):
    game = staged([["red_lose_your_turn"], [wild], [], []])
    play(game, "red_lose_your_turn", "seat_2", wild, "color_red")
    assert (asked(game), missed(game), pending(game)) == ((3, "play"), [0, 0, 0, 0], None)


# --- penalty cards ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PENALTIES)
@pytest.mark.parametrize("num_players", [3, 10])
def test_ttf_11_any_other_seat_can_be_the_target(kind, num_players):
    game = staged([[f"red_{kind}"], *[[]] * (num_players - 1)])
    play(game, f"red_{kind}")
    assert (asked(game), legal_names(game)) == ((0, "target"), seats(num_players - 1))
    assert (pending(game), game.snapshot()["color"], game.snapshot()["turn"]) == (None, "red", 0)


def test_ttf_11_seats_are_named_from_the_player():
    for r, target in ((1, 3), (2, 0), (3, 1)):
        game = staged([[], [], ["red_draw_1"], []], dealer=1)
        play(game, "red_draw_1", f"seat_{r}")
        assert [seat for seat, size in enumerate(sizes(game)) if size == 10] == [target]
        assert asked(game) == (3, "play")


@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
@pytest.mark.parametrize("target", [1, 2, 3])
def test_ttf_11_target_draws_and_loses_no_turn(kind, count, target):
    draws = ["blue_2", "blue_3", "blue_4"]
    game = staged([[f"red_{kind}"], [], [], []], draws=draws, spare=())
    play(game, f"red_{kind}", f"seat_{target}")
    assert hand(game, target) == {"red_1": 9} | dict.fromkeys(draws[:count], 1)
    assert (sum(sizes(game)), game.snapshot()["draw_pile"]) == (35 + count, draws[count:])
    assert (asked(game), pending(game), missed(game)) == ((1, "play"), None, [0] * 4)


def test_ttf_11_drawn_penalty_cards_are_not_laid():
    game = staged([["red_draw_3"], [], []], draws=["red_2", "red_draw_1", "boomerang"])
    play(game, "red_draw_3", "seat_2")
    assert hand(game, 2) == {"red_1": 9, "red_2": 1, "red_draw_1": 1, "boomerang": 1}
    assert game.snapshot()["discard_pile"][0] == "red_draw_3"


def test_ttf_11_next_seat_that_loses_its_turn_is_passed_over_at_once():
    game = staged([[MISS], [], []])
    play(game, MISS, "seat_1")
    assert (asked(game), game.snapshot()["turn"], missed(game)) == ((2, "play"), 2, [0, 0, 0])


def test_ttf_11_seat_further_on_loses_its_turn_when_it_comes():
    game = staged([[MISS], [], [], []])
    play(game, MISS, "seat_2")
    assert (asked(game), missed(game)) == ((1, "play"), [0, 0, 1, 0])
    play(game, "red_1")
    assert (asked(game), missed(game)) == ((3, "play"), [0, 0, 0, 0])
    play(game, "red_1", "red_1", "red_1")
    assert asked(game) == (2, "play")


def test_ttf_11_missed_turns_add_up_and_are_used_one_turn_each():
    game = staged([[MISS], [MISS], []])
    play(game, MISS, "seat_2")
    assert missed(game) == [0, 0, 1]
    play(game, MISS, "seat_1")
    assert (asked(game), missed(game)) == ((0, "play"), [0, 0, 1])
    play(game, "red_1", "red_1")
    assert (asked(game), missed(game)) == ((0, "play"), [0, 0, 0])
    play(game, "red_1", "red_1")
    assert asked(game) == (2, "play")


def test_ttf_11_several_seats_in_a_row_are_passed_over():
    game = staged([[MISS], [MISS], [MISS], []])
    play(game, MISS, "seat_3", MISS, "seat_3", MISS, "seat_3")
    assert (asked(game), missed(game)) == ((2, "play"), [0, 0, 0, 0])


def test_ttf_11_two_players_play_again_after_a_lose_your_turn():
    game = staged([[MISS] * 3, []])
    play(game, MISS, MISS, MISS)
    assert (asked(game), missed(game), sizes(game)) == ((0, "play"), [0, 0], [6, 9])


def test_ttf_11_seat_is_made_to_lose_its_next_turn_and_not_the_one_it_is_in():
    game = staged([[MISS], ["boomerang"], []])
    play(game, MISS, "seat_1", "boomerang", "color_red")
    assert (asked(game), missed(game)) == ((1, "play"), [1, 0, 0])
    play(game, "red_1", "red_1")
    assert (asked(game), missed(game)) == ((1, "play"), [0, 0, 0])


def test_ttf_11_seat_that_has_a_turn_to_miss_can_get_another():
    game = staged([[MISS], ["boomerang", MISS]])
    play(game, MISS, "boomerang", "color_red")
    assert (asked(game), missed(game)) == ((1, "play"), [1, 0])
    play(game, MISS)
    assert (asked(game), missed(game)) == ((1, "play"), [1, 0])
    play(game, "red_1")
    assert (asked(game), missed(game)) == ((1, "play"), [0, 0])


def test_ttf_11_two_seats_that_both_lose_a_turn_miss_them_in_the_order_of_play():
    game = staged([[MISS, "boomerang"], ["boomerang", MISS]])
    play(game, MISS, "boomerang", "color_red", "accept")
    assert (asked(game), missed(game)) == ((1, "play"), [1, 0])
    play(game, MISS, "boomerang", "color_red")
    assert (asked(game), missed(game)) == ((0, "play"), [0, 0])


def test_ttf_11_double_trouble_gives_two_cards_of_the_choice_of_the_player():
    game = staged([["red_double_trouble", "blue_2", "boomerang"], [], []])
    play(game, "red_double_trouble", "seat_2")
    position = game.snapshot()
    assert (asked(game), legal_names(game)) == ((0, "give"), ["red_1", "blue_2", "boomerang"])
    assert (position["penalty"], position["to_give"]) == (penalty("double_trouble", 0, 2, 0), 2)
    play(game, "boomerang")
    position = game.snapshot()
    assert (asked(game), legal_names(game)) == ((0, "give"), ["red_1", "blue_2"])
    assert (position["penalty"], position["to_give"]) == (penalty("double_trouble", 0, 2, 0), 1)
    assert hand(game, 2) == {"red_1": 9, "boomerang": 1}
    play(game, "red_1")
    position = game.snapshot()
    assert position["hands"] == [{"red_1": 5, "blue_2": 1}, {"red_1": 9}, {"red_1": 10, "boomerang": 1}]
    assert (asked(game), position["penalty"], position["to_give"]) == ((1, "play"), None, 0)


def test_ttf_12_origin_and_sender_are_at_first_who_laid_the_card():
    game = staged([["red_draw_1"], [], ["boomerang"]])
    play(game, "red_draw_1", "seat_2")
    assert (asked(game), pending(game)) == ((2, "react"), penalty("draw_1", 0, 2, 0))
    assert (game.snapshot()["turn"], game.snapshot()["color"], sizes(game)) == (0, "red", [8, 9, 9])


@pytest.mark.parametrize(
    ("cards", "legal"),
    [
        (["boomerang"], ["boomerang", "accept"]),
        (["ricochet", "ricochet"], ["ricochet", "accept"]),
        (["boomerang", "ricochet", "double_exchange"], ["boomerang", "ricochet", "accept"]),
    ],
)
@pytest.mark.parametrize("kind", PENALTIES)
def test_ttf_12_target_that_holds_an_answer_is_asked(cards, legal, kind):
    game = staged([[f"red_{kind}"], [*cards, f"red_{kind}"], []])
    play(game, f"red_{kind}", "seat_1")
    assert (asked(game), legal_names(game)) == ((1, "react"), legal)
    for illegal in ("red_1", f"red_{kind}", "double_exchange", "draw"):
        with pytest.raises(IllegalActionError):
            play(game, illegal)


@pytest.mark.parametrize("cards", [[], ["double_exchange"], ["red_draw_1", "red_draw_3"]])
def test_ttf_12_target_without_an_answer_is_not_asked(cards):
    game = staged([["red_draw_1"], cards, ["boomerang", "ricochet"]])
    play(game, "red_draw_1", "seat_1")
    assert (asked(game), sizes(game)) == ((1, "play"), [8, 10, 9])


@pytest.mark.parametrize("kind", PENALTIES)
def test_ttf_12_accepted_penalty_takes_effect(kind):
    game = staged([[f"red_{kind}"], ["boomerang"], []])
    play(game, f"red_{kind}", "seat_1", "accept")
    if kind == "double_trouble":
        assert asked(game) == (0, "give")
        play(game, "red_1", "red_1")
    after = {"double_trouble": [6, 11, 9], "lose_your_turn": [8, 9, 9], "draw_3": [8, 12, 9], "draw_1": [8, 10, 9]}
    assert (sizes(game), hand(game, 1)["boomerang"]) == (after[kind], 1)
    assert asked(game) == (2 if kind == "lose_your_turn" else 1, "play")
    assert game.snapshot()["discard_pile"][0] == f"red_{kind}"


def test_ttf_12_drawn_answer_comes_too_late():
    game = staged([["red_draw_3"], [], []], draws=["boomerang", "ricochet", "gold_1"])
    play(game, "red_draw_3", "seat_2")
    assert (asked(game), sizes(game)) == ((1, "play"), [8, 9, 12])


def test_ttf_12_given_answer_comes_too_late():
    game = staged([["red_double_trouble", "boomerang", "ricochet"], [], []])
    play(game, "red_double_trouble", "seat_1", "boomerang", "ricochet")
    assert (asked(game), hand(game, 1)) == ((1, "play"), {"red_1": 9, "boomerang": 1, "ricochet": 1})


def test_ttf_12_penalty_keeps_its_old_target_while_the_color_of_the_answer_is_called():
    game = staged([["red_draw_1"], ["boomerang", "ricochet"], []])
    play(game, "red_draw_1", "seat_1", "boomerang")
    position = game.snapshot()
    assert (asked(game), position["penalty"]) == ((1, "color"), penalty("draw_1", 0, 1, 0))
    assert (position["turn"], position["color"], position["discard_pile"][0]) == (0, None, "boomerang")


def test_ttf_12_penalty_keeps_its_old_target_while_a_new_one_is_chosen():
    game = staged([["red_draw_1"], ["ricochet"], []])
    play(game, "red_draw_1", "seat_1", "ricochet", "color_gold")
    position = game.snapshot()
    assert (asked(game), position["penalty"]) == ((1, "target"), penalty("draw_1", 0, 1, 0))
    assert (position["turn"], position["color"], position["discard_pile"][0]) == (0, "gold", "ricochet")


def test_ttf_13_boomerang_returns_the_penalty_to_the_origin():
    game = staged([["red_draw_3"], [], ["boomerang"]])
    play(game, "red_draw_3", "seat_2", "boomerang", "color_blue")
    assert (sizes(game), asked(game), pending(game)) == ([11, 9, 8], (1, "play"), None)


def test_ttf_13_old_target_becomes_the_sender():
    game = staged([["red_draw_3", "ricochet"], [], ["boomerang"]])
    play(game, "red_draw_3", "seat_2", "boomerang", "color_blue")
    assert (asked(game), pending(game)) == ((0, "react"), penalty("draw_3", 0, 0, 2))


def test_ttf_13_boomerang_by_the_origin_returns_to_the_sender():
    game = staged([["red_draw_3", "boomerang"], [], ["boomerang"]])
    play(game, "red_draw_3", "seat_2", "boomerang", "color_blue", "boomerang", "color_green")
    assert (sizes(game), asked(game), game.snapshot()["color"]) == ([7, 9, 8 + 3], (1, "play"), "green")


def test_ttf_13_boomerang_by_who_got_a_ricochet_hits_the_origin_and_not_the_sender():
    game = staged([["red_draw_3", "ricochet"], ["ricochet"], ["boomerang"], []])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue", "seat_1")
    assert (asked(game), pending(game)) == ((2, "react"), penalty("draw_3", 0, 2, 1))
    play(game, "boomerang", "color_blue")
    assert (asked(game), pending(game)) == ((0, "react"), penalty("draw_3", 0, 0, 2))


def test_ttf_13_boomerang_by_the_origin_goes_to_the_last_sender_and_not_to_the_first_target():
    game = staged([["red_draw_3", "boomerang"], ["ricochet"], ["boomerang"], []])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue", "seat_1", "boomerang", "color_blue")
    play(game, "boomerang", "color_red")
    assert (sizes(game), asked(game)) == ([7, 8, 8 + 3, 9], (1, "play"))


def test_ttf_13_boomerang_by_the_origin_answers_a_ricochet():
    game = staged([["red_draw_3", "boomerang"], ["ricochet"], []])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue", "seat_2")
    assert (asked(game), pending(game)) == ((0, "react"), penalty("draw_3", 0, 0, 1))
    play(game, "boomerang", "color_red")
    assert sizes(game) == [7, 8 + 3, 9]


@pytest.mark.parametrize(("r", "target"), [(1, 2), (2, 3), (3, 0)])
def test_ttf_14_ricochet_passes_the_penalty_to_any_other_seat(r, target):
    game = staged([["red_draw_3"], ["ricochet"], [], []])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue")
    assert legal_names(game) == seats(3)
    before = sizes(game)
    play(game, f"seat_{r}")
    assert sizes(game) == [size + 3 * (seat == target) for seat, size in enumerate(before)]
    assert (asked(game), pending(game)) == ((1, "play"), None)


@pytest.mark.parametrize(("r", "target"), [(1, 2), (2, 0)])
def test_ttf_14_old_target_becomes_the_sender(r, target):
    game = staged([["red_draw_3", "boomerang"], ["ricochet"], ["ricochet"]])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue", f"seat_{r}")
    assert (asked(game), pending(game)) == ((target, "react"), penalty("draw_3", 0, target, 1))


def test_ttf_14_ricochet_may_return_the_penalty_to_the_sender():
    game = staged([["red_draw_3"], ["ricochet", "boomerang"], ["ricochet"]])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue", "seat_1")
    play(game, "ricochet", "color_green", "seat_2")
    assert (asked(game), legal_names(game)) == ((1, "react"), ["boomerang", "accept"])
    assert pending(game) == penalty("draw_3", 0, 1, 2)
    play(game, "boomerang", "color_green")
    assert sizes(game) == [8 + 3, 7, 8]


def test_ttf_14_origin_may_ricochet_what_came_back():
    game = staged([["red_draw_3", "ricochet"], ["boomerang"], []])
    play(game, "red_draw_3", "seat_1", "boomerang", "color_blue", "ricochet", "color_red", "seat_2")
    assert (sizes(game), asked(game), game.snapshot()["color"]) == ([7, 8, 9 + 3], (1, "play"), "red")


def test_ttf_14_origin_may_ricochet_to_the_sender():
    game = staged([["red_draw_3", "ricochet"], ["boomerang", "boomerang"], []])
    play(game, "red_draw_3", "seat_1", "boomerang", "color_blue", "ricochet", "color_red", "seat_1")
    assert (asked(game), pending(game)) == ((1, "react"), penalty("draw_3", 0, 1, 0))
    play(game, "boomerang", "color_red")
    assert sizes(game) == [7 + 3, 7, 9]


def test_ttf_15_answers_go_on_as_long_as_there_are_cards():
    game = staged([["red_draw_1", *["boomerang"] * 4], ["boomerang"] * 4])
    play(game, "red_draw_1")
    for number in range(8):
        answering = 1 - number % 2
        assert (asked(game), pending(game)) == ((answering, "react"), penalty("draw_1", 0, answering, 1 - answering))
        play(game, "boomerang", COLOR_ACTIONS[number % 4])
    assert (sizes(game), asked(game)) == ([4, 6], (1, "play"))
    assert game.snapshot()["color"] == "gold"


def test_ttf_15_target_can_accept_in_its_turn_what_it_could_answer():
    game = staged([["red_draw_3", "ricochet"], ["boomerang"], []])
    play(game, "red_draw_3", "seat_1", "boomerang", "color_blue", "accept")
    assert (sizes(game), asked(game)) == ([8 + 3, 8, 9], (1, "play"))


def test_ttf_15_seat_with_several_answers_is_asked_each_time():
    game = staged([["red_draw_3"], ["ricochet", "boomerang"], ["ricochet"]])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_blue", "seat_1", "accept")
    assert (sizes(game), asked(game)) == ([8, 8, 9 + 3], (1, "play"))


@pytest.mark.parametrize("answer", ANSWERS)
def test_ttf_two_players_are_never_asked_for_a_target(answer):
    game = staged([["red_draw_3", "boomerang", "ricochet", MISS], [answer]])
    play(game, "red_draw_3")
    assert (asked(game), pending(game)) == ((1, "react"), penalty("draw_3", 0, 1, 0))
    play(game, answer, "color_red")
    assert (asked(game), pending(game)) == ((0, "react"), penalty("draw_3", 0, 0, 1))
    play(game, "ricochet", "color_red")
    assert (sizes(game), asked(game), pending(game)) == ([7, 8 + 3], (1, "play"), None)
    play(game, "red_1", MISS)
    assert asked(game) == (0, "play")


@pytest.mark.parametrize("answer", ANSWERS)
def test_ttf_two_players_lose_turns_by_an_answer(answer):
    game = staged([[MISS], [answer]])
    play(game, MISS, answer, "color_red")
    assert (asked(game), missed(game)) == ((1, "play"), [1, 0])
    play(game, "red_1")
    assert (asked(game), missed(game)) == ((1, "play"), [0, 0])


# --- Double Trouble ---------------------------------------------------------------------------------------------------


def test_ttf_16_origin_gives_whoever_the_target_is_in_the_end():
    game = staged([["red_double_trouble", "blue_2"], ["ricochet"], [], []])
    play(game, "red_double_trouble", "seat_1", "ricochet", "color_red", "seat_2")
    assert (asked(game), pending(game)) == ((0, "give"), penalty("double_trouble", 0, 3, 1))
    play(game, "blue_2", "red_1")
    assert (sizes(game), hand(game, 3)) == ([6, 8, 9, 11], {"red_1": 10, "blue_2": 1})
    assert asked(game) == (1, "play")


def test_ttf_16_sender_gives_when_the_origin_is_the_target():
    game = staged([["red_double_trouble"], [], ["boomerang", "gold_2"]])
    play(game, "red_double_trouble", "seat_2", "boomerang", "color_red")
    assert (asked(game), legal_names(game)) == ((2, "give"), ["red_1", "gold_2"])
    assert (pending(game), game.snapshot()["turn"]) == (penalty("double_trouble", 0, 0, 2), 0)
    play(game, "gold_2", "red_1")
    assert (sizes(game), hand(game, 0)) == ([10, 9, 6], {"red_1": 9, "gold_2": 1})
    assert asked(game) == (1, "play")


def test_ttf_16_last_sender_gives_and_not_the_first_target():
    game = staged([["red_double_trouble"], ["ricochet"], ["ricochet"], []])
    play(game, "red_double_trouble", "seat_1", "ricochet", "color_red", "seat_1")
    play(game, "ricochet", "color_red", "seat_2")
    assert (asked(game), pending(game)) == ((2, "give"), penalty("double_trouble", 0, 0, 2))
    play(game, "red_1", "red_1")
    assert sizes(game) == [10, 8, 6, 9]


def test_ttf_16_origin_gives_when_its_boomerang_hits_the_sender():
    game = staged([["red_double_trouble", "boomerang"], ["boomerang"], []])
    play(game, "red_double_trouble", "seat_1", "boomerang", "color_red", "boomerang", "color_red")
    assert (asked(game), pending(game)) == ((0, "give"), penalty("double_trouble", 0, 1, 0))
    play(game, "red_1", "red_1")
    assert (sizes(game), asked(game)) == ([5, 10, 9], (1, "play"))


def test_ttf_16_origin_gives_when_a_penalty_that_came_back_is_passed_on():
    game = staged([["red_double_trouble", "ricochet"], ["boomerang"], []])
    play(game, "red_double_trouble", "seat_1", "boomerang", "color_red", "ricochet", "color_red", "seat_2")
    assert (asked(game), pending(game)) == ((0, "give"), penalty("double_trouble", 0, 2, 0))


def test_ttf_16_two_cards_of_one_kind_are_given_one_after_the_other():
    game = staged([["red_double_trouble"], [], []])
    play(game, "red_double_trouble", "seat_1")
    assert (asked(game), legal_names(game), game.snapshot()["to_give"]) == ((0, "give"), ["red_1"], 2)
    play(game, "red_1")
    assert (asked(game), legal_names(game), game.snapshot()["to_give"]) == ((0, "give"), ["red_1"], 1)
    assert sizes(game) == [7, 10, 9]
    play(game, "red_1")
    assert (sizes(game), game.snapshot()["decisions"]) == ([6, 11, 9], 4)


def test_ttf_16_every_kind_of_the_hand_can_be_given():
    cards = ["red_double_trouble", "blue_9", "gold_lose_your_turn", "green_draw_3", *WILDS]
    game = staged([cards, []], fill="gold_4")
    play(game, "red_double_trouble")
    legal = ["blue_9", "gold_4", "gold_lose_your_turn", "green_draw_3", *WILDS]
    assert legal_names(game) == legal
    with pytest.raises(IllegalActionError):
        play(game, "red_double_trouble")
    play(game, "double_exchange")
    assert legal_names(game) == legal[:-1]


def test_ttf_16_giver_of_three_cards_chooses_and_keeps_one():
    game = played_down([["red_double_trouble", "blue_2", "blue_3", "blue_4"], ["gold_2"] * 4, ["gold_3"] * 4])
    play(game, "red_double_trouble", "seat_2")
    assert (asked(game), game.snapshot()["to_give"]) == ((0, "give"), 2)
    play(game, "blue_3", "blue_2")
    assert (hand(game, 0), sizes(game), asked(game)) == ({"blue_4": 1}, [1, 4, 6], (1, "play"))


@pytest.mark.parametrize("kept", [["blue_2", "blue_3"], ["blue_2", "blue_2"], ["blue_2"]])
def test_ttf_16_giver_of_two_cards_or_fewer_gives_them_all_and_goes_out(kept):
    size = 1 + len(kept)
    game = played_down([["red_double_trouble", *kept], ["gold_2"] * size, ["gold_3"] * size])
    play(game, "red_double_trouble", "seat_2")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["actor"]) == (True, [0], None)
    assert position["hands"] == [{}, {"gold_2": size}, {"gold_3": size} | Counter(kept)]
    assert position["round_points"] == [0, size, size + len(kept)]
    assert (position["penalty"], position["to_give"], position["turn"]) == (None, 0, 0)


def test_ttf_16_double_trouble_among_three_cards_can_be_answered():
    game = played_down([["red_double_trouble", "blue_2", "blue_3"], ["boomerang", "gold_2", "gold_3"], ["gold_4"] * 3])
    play(game, "red_double_trouble", "seat_1")
    assert (asked(game), sizes(game)) == ((1, "react"), [2, 3, 3])
    play(game, "accept")
    assert (game.snapshot()["winners"], sizes(game)) == ([0], [0, 5, 3])


def test_ttf_16_sender_whose_last_cards_are_given_goes_out_in_the_turn_of_another():
    game = played_down([["red_double_trouble", "blue_2", "blue_3"], ["boomerang", "gold_2", "gold_3"], ["gold_4"] * 3])
    play(game, "red_double_trouble", "seat_1", "boomerang", "color_green")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["turn"]) == (True, [1], 0)
    assert position["hands"] == [{"blue_2": 1, "blue_3": 1, "gold_2": 1, "gold_3": 1}, {}, {"gold_4": 3}]
    assert (position["penalty"], position["color"], position["round_points"]) == (None, "green", [4, 0, 3])


def test_ttf_16_sender_gives_its_only_card():
    game = played_down([["red_double_trouble", "blue_2"], ["ricochet", "gold_2"], ["gold_4"] * 2])
    play(game, "red_double_trouble", "seat_1", "ricochet", "color_green", "seat_2")
    assert game.snapshot()["winners"] == [1]
    assert game.snapshot()["hands"] == [{"blue_2": 1, "gold_2": 1}, {}, {"gold_4": 2}]


def test_ttf_16_number_of_cards_counts_when_the_penalty_takes_effect():
    game = played_down([["red_double_trouble", "boomerang", "blue_2", "blue_3"], ["boomerang", *["gold_2"] * 3]])
    play(game, "red_double_trouble", "boomerang", "color_red", "boomerang", "color_red")
    assert (game.snapshot()["winners"], sizes(game)) == ([0], [0, 5])
    assert game.snapshot()["decisions"] == 10 + 5


def test_ttf_16_double_trouble_of_two_players_asks_only_for_the_cards():
    game = staged([["red_double_trouble", "blue_2"], []])
    play(game, "red_double_trouble")
    assert (asked(game), pending(game)) == ((0, "give"), penalty("double_trouble", 0, 1, 0))
    play(game, "red_1", "blue_2")
    assert (sizes(game), asked(game)) == ([6, 11], (1, "play"))


# --- answers and the turn ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["draw_1", "draw_3", "double_trouble"])
def test_ttf_17_answers_do_not_move_the_turn(kind):
    game = staged([[f"red_{kind}"], [], [], ["ricochet"], ["boomerang"]])
    play(game, f"red_{kind}", "seat_3", "ricochet", "color_red", "seat_1", "boomerang", "color_red")
    if kind == "double_trouble":
        assert asked(game) == (4, "give")
        play(game, "red_1", "red_1")
    assert (asked(game), game.snapshot()["turn"]) == ((1, "play"), 1)


def test_ttf_17_missed_turns_count_after_answers():
    game = staged([[MISS], [], ["ricochet"], []])
    play(game, MISS, "seat_2", "ricochet", "color_red", "seat_3")
    assert (asked(game), missed(game)) == ((2, "play"), [0, 0, 0, 0])


@pytest.mark.parametrize("answer", ANSWERS)
def test_ttf_17_answer_is_the_top_discard_and_its_color_counts(answer):
    game = staged([["red_draw_1"], ["red_2", "blue_2", "blue_draw_1", "red_draw_1"], [answer]], fill="gold_3")
    play(game, "red_draw_1", "seat_2", answer, "color_blue")
    if answer == "ricochet":
        play(game, "seat_1")
    position = game.snapshot()
    assert (position["color"], position["discard_pile"]) == ("blue", [answer, "red_draw_1", "red_5"])
    assert (asked(game), legal_names(game)) == ((1, "play"), ["blue_2", "blue_draw_1"])


def test_ttf_17_answer_leaves_the_hand():
    game = staged([["red_draw_1"], ["boomerang", "boomerang"]])
    play(game, "red_draw_1", "boomerang", "color_red")
    assert hand(game, 1) == {"red_1": 7, "boomerang": 1}


@pytest.mark.parametrize("num_players", [2, 3])
def test_ttf_17_double_exchange_cannot_be_answered(num_players):
    game = staged([["double_exchange"], ["boomerang", "ricochet"], [], []][:num_players])
    play(game, "double_exchange", "color_red")
    if num_players == 3:
        play(game, "seat_1")
        assert asked(game) == (1, "exchange")
        play(game, "seat_1")
    assert hand(game, 0) == {"red_1": 7, "boomerang": 1, "ricochet": 1}
    assert asked(game) == (1, "play")


# --- Double Exchange --------------------------------------------------------------------------------------------------

FOUR_HANDS = [["double_exchange"], ["blue_2"] * 9, ["green_3"] * 9, ["gold_4"] * 9]


@pytest.mark.parametrize("target", [1, 2, 3])
def test_ttf_18_player_and_target_swap_their_hands(target):
    game = staged(FOUR_HANDS)
    hands = game.snapshot()["hands"]
    play(game, "double_exchange", "color_red", f"seat_{target}")
    hands[0], hands[target] = hands[target], {"red_1": 8}
    position = game.snapshot()
    assert position["hands"] == hands
    assert (asked(game), position["turn"], position["penalty"]) == ((target, "exchange"), 0, None)


@pytest.mark.parametrize(
    ("target", "legal"),
    [(1, ["decline", "seat_1", "seat_2"]), (2, ["decline", "seat_1", "seat_3"]), (3, ["decline", "seat_2", "seat_3"])],
)
def test_ttf_18_target_may_swap_with_a_third_seat_or_decline(target, legal):
    game = staged(FOUR_HANDS)
    play(game, "double_exchange", "color_red", f"seat_{target}")
    assert legal_names(game) == legal
    with pytest.raises(IllegalActionError):
        play(game, f"seat_{4 - target}")


def test_ttf_18_player_of_the_card_is_left_out_whoever_it_is():
    game = staged([[], [], ["double_exchange"], []], dealer=1)
    play(game, "double_exchange", "color_red", "seat_2")
    assert (asked(game), legal_names(game)) == ((0, "exchange"), ["decline", "seat_1", "seat_3"])


def test_ttf_18_second_swap_changes_the_new_hand_of_the_target():
    game = staged(FOUR_HANDS)
    play(game, "double_exchange", "color_red", "seat_1", "seat_2")
    assert game.snapshot()["hands"] == [{"blue_2": 9}, {"gold_4": 9}, {"green_3": 9}, {"red_1": 8}]
    assert asked(game) == (1, "play")


def test_ttf_18_declined_second_swap_changes_nothing():
    game = staged(FOUR_HANDS)
    play(game, "double_exchange", "color_red", "seat_3", "decline")
    assert game.snapshot()["hands"] == [{"gold_4": 9}, {"blue_2": 9}, {"green_3": 9}, {"red_1": 8}]
    assert (asked(game), game.snapshot()["decisions"]) == ((1, "play"), 4)


def test_ttf_18_three_players_are_asked_for_the_second_swap_too():
    game = staged(FOUR_HANDS[:3])
    play(game, "double_exchange", "color_red", "seat_2")
    assert (asked(game), legal_names(game)) == ((2, "exchange"), ["decline", "seat_2"])
    play(game, "seat_2")
    assert game.snapshot()["hands"] == [{"green_3": 9}, {"red_1": 8}, {"blue_2": 9}]


def test_ttf_18_two_players_swap_once():
    game = staged(FOUR_HANDS[:2])
    play(game, "double_exchange", "color_blue")
    assert game.snapshot()["hands"] == [{"blue_2": 9}, {"red_1": 8}]
    assert (asked(game), game.snapshot()["decisions"]) == ((1, "play"), 2)
    assert game.snapshot()["color"] == "blue"


def test_ttf_18_missed_turns_stay_with_the_seat():
    game = staged([[MISS], ["double_exchange"], [], []])
    play(game, MISS, "seat_3", "double_exchange", "color_red", "seat_2", "decline")
    assert (asked(game), missed(game)) == ((2, "play"), [0, 0, 0, 1])


def test_ttf_18_target_that_got_a_double_exchange_lays_it_in_a_turn_of_its_own():
    game = staged([["double_exchange"] * 2, ["green_3"] * 9, ["gold_4"] * 9])
    play(game, "double_exchange", "color_blue", "seat_1", "decline")
    assert (asked(game), legal_names(game)) == ((1, "play"), ["double_exchange", "draw"])
    play(game, "double_exchange", "color_blue", "seat_2", "seat_2")
    assert game.snapshot()["hands"] == [{"gold_4": 9}, {"green_3": 9}, {"red_1": 7}]


@pytest.mark.parametrize("num_players", [2, 3])
def test_ttf_19_last_double_exchange_is_only_a_discard(num_players):
    game = played_down([["double_exchange"], ["blue_2"], ["blue_3"]][:num_players])
    play(game, "double_exchange")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["color"]) == (True, [0], None)
    assert position["hands"] == [{}, {"blue_2": 1}, {"blue_3": 1}][:num_players]
    assert position["discard_pile"][:2] == ["double_exchange", "red_1"]


# --- end and score ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["red_7", "gold_1", "boomerang", "ricochet", MISS, "red_double_trouble"])
@pytest.mark.parametrize("num_players", [2, 3])
def test_ttf_20_last_card_wins_the_round_and_does_nothing_else(card, num_players):
    game = played_down([[card], ["boomerang"], ["ricochet"]][:num_players])
    before = game.snapshot()
    play(game, card)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [0])
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert position["hands"] == [{}, *before["hands"][1:]]
    assert position["discard_pile"] == [card, *before["discard_pile"]]
    assert position["color"] == (None if card in WILDS else card.split("_")[0])
    assert (position["turn"], position["penalty"], position["to_give"]) == (0, None, 0)
    assert (position["missed_turns"], position["decisions"]) == ([0] * num_players, before["decisions"] + 1)
    assert position["draw_pile"] == before["draw_pile"]


@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
@pytest.mark.parametrize("target", [1, 2])
def test_ttf_20_target_of_a_last_draw_card_is_chosen_as_always(kind, count, target):
    draws = ["blue_2", "blue_draw_1", "boomerang"]
    game = played_down([[f"red_{kind}"], ["gold_2"], ["gold_3"]], draws=draws)
    play(game, f"red_{kind}")
    position = game.snapshot()
    assert (asked(game), legal_names(game), sizes(game)) == ((0, "target"), seats(2), [0, 1, 1])
    assert (position["penalty"], position["color"], position["terminated"]) == (None, "red", False)
    assert (position["winners"], position["round_points"], position["turn"]) == (None, None, 0)
    play(game, f"seat_{target}")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["penalty"]) == (True, [0], None)
    assert position["hands"][target] == {f"gold_{target + 1}": 1} | dict.fromkeys(draws[:count], 1)
    assert (sum(sizes(game)), position["turn"], position["color"]) == (2 + count, 0, "red")
    points = [0, 1, 1]
    points[target] += sum([1, 5, 25][:count])
    assert position["round_points"] == points


@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
@pytest.mark.parametrize("answer", ANSWERS)
def test_ttf_20_last_draw_card_cannot_be_answered(kind, count, answer):
    game = played_down([[f"red_{kind}"], [answer], [answer]])
    play(game, f"red_{kind}", "seat_1")
    assert (game.snapshot()["winners"], sizes(game)) == ([0], [0, 1 + count, 1])


@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
def test_ttf_20_last_draw_card_of_two_players_hits_the_opponent(kind, count):
    game = played_down([[f"red_{kind}"], ["boomerang"]])
    play(game, f"red_{kind}")
    assert (game.snapshot()["winners"], sizes(game)) == ([0], [0, 1 + count])


def test_ttf_20_last_draw_card_can_bring_a_reshuffle():
    game = played_down([["red_draw_3"], ["gold_3"]], spare=["blue_2"], later=[["red_5", *["red_1"] * 16]])
    play(game, "red_draw_3")
    position = game.snapshot()
    assert position["hands"] == [{}, {"gold_3": 1, "blue_2": 1, "red_5": 1, "red_1": 1}]
    assert (position["discard_pile"], position["shuffles"]) == (["red_draw_3"], 2)
    assert position["draw_pile"] == ["red_1"] * 15


@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
def test_ttf_20_pending_draw_still_hits_the_origin_when_a_boomerang_is_the_last_card(kind, count):
    game = played_down([[f"red_{kind}", "boomerang"], ["boomerang"], ["gold_3"]])
    play(game, f"red_{kind}", "seat_1", "boomerang")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["turn"]) == (True, [1], 0)
    assert (sizes(game), position["color"], position["penalty"]) == ([1 + count, 0, 1], None, None)
    assert position["round_points"] == [25 + count, 0, 1]


@pytest.mark.parametrize("num_players", [2, 3])
def test_ttf_20_last_boomerang_of_the_origin_hits_the_sender(num_players):
    hands = [["red_draw_3", "boomerang"], ["boomerang", "blue_2"], ["gold_2", "gold_3"]][:num_players]
    game = played_down(hands)
    target = ["seat_1"] * (num_players == 3)
    play(game, "red_draw_3", *target, "boomerang", "color_red", "boomerang")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["turn"]) == (True, [0], 0)
    assert sizes(game) == [0, 1 + 3, 2][:num_players]


def test_ttf_20_last_boomerang_after_a_ricochet_hits_the_origin_and_not_the_sender():
    game = played_down([["red_draw_3", "gold_2"], ["ricochet", "gold_3"], ["boomerang"]])
    play(game, "red_draw_3", "seat_1", "ricochet", "color_red", "seat_1", "boomerang")
    assert (game.snapshot()["winners"], sizes(game)) == ([2], [1 + 3, 1, 0])


@pytest.mark.parametrize(("kind", "count"), DRAWN.items())
@pytest.mark.parametrize(("r", "target"), [(1, 2), (2, 0)])
def test_ttf_20_target_of_a_pending_draw_is_chosen_when_a_ricochet_is_the_last_card(kind, count, r, target):
    game = played_down([[f"red_{kind}", "boomerang"], ["ricochet"], ["boomerang"]])
    play(game, f"red_{kind}", "seat_1", "ricochet")
    position = game.snapshot()
    assert (asked(game), legal_names(game), sizes(game)) == ((1, "target"), seats(2), [1, 0, 1])
    assert (position["penalty"], position["color"], position["turn"]) == (penalty(kind, 0, 1, 0), None, 0)
    assert (position["terminated"], position["discard_pile"][0]) == (False, "ricochet")
    play(game, f"seat_{r}")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["penalty"]) == (True, [1], None)
    after = [1, 0, 1]
    after[target] += count
    assert (sizes(game), position["turn"], position["color"]) == (after, 0, None)


def test_ttf_20_last_ricochet_of_two_players_hits_the_opponent():
    game = played_down([["red_draw_3", "boomerang"], ["ricochet"]])
    play(game, "red_draw_3", "ricochet")
    assert (game.snapshot()["winners"], sizes(game)) == ([1], [1 + 3, 0])


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("kind", ["lose_your_turn", "double_trouble"])
@pytest.mark.parametrize("num_players", [2, 3])
def test_ttf_20_other_pending_penalties_have_no_effect_after_a_last_answer(answer, kind, num_players):
    game = played_down([[f"red_{kind}", "boomerang"], [answer], ["gold_3"]][:num_players])
    play(game, f"red_{kind}", *["seat_1"] * (num_players == 3), answer)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["turn"]) == (True, [1], 0)
    assert (sizes(game), position["missed_turns"]) == ([1, 0, 1][:num_players], [0] * num_players)
    assert (position["penalty"], position["to_give"], position["color"]) == (None, 0, None)


def test_ttf_20_seat_with_one_card_can_accept_instead():
    game = played_down([["red_draw_1", "gold_2"], ["boomerang"]])
    play(game, "red_draw_1", "accept")
    assert (sizes(game), asked(game)) == ([1, 2], (1, "play"))


def test_ttf_20_seat_that_got_a_short_hand_in_an_exchange_can_go_out():
    game = played_down([["double_exchange", "red_3"], ["gold_3", "gold_4"], ["gold_5", "gold_6"]])
    play(game, "double_exchange", "color_red", "seat_1", "decline", "red_3")
    position = game.snapshot()
    assert (position["winners"], sizes(game), position["turn"]) == ([1], [2, 0, 2], 1)
    assert position["round_points"] == [2, 0, 2]


def test_ttf_20_last_card_of_another_turn_ends_the_round_without_a_further_turn():
    game = played_down([["red_2"], ["red_3"]])
    play(game, "red_2")
    assert (game.snapshot()["winners"], game.snapshot()["turn"], sizes(game)) == ([0], 0, [0, 1])


KIND_POINTS = dict(zip(KINDS, [1] * 36 + [10] * 4 + [5] * 12 + [25, 25, 50], strict=True))


@pytest.mark.parametrize("first", range(0, 54, 9))
def test_ttf_21_every_card_counts_its_points(first):
    cards = KINDS[first : first + 9]
    game = down_to(["red_7"], cards)
    play(game, "red_7")
    assert game.snapshot()["round_points"] == [0, sum(KIND_POINTS[card] for card in cards)]


@pytest.mark.parametrize(
    ("kind", "points"),
    [("gold_9", 1), ("red_1", 1), ("green_double_trouble", 10), ("blue_lose_your_turn", 5), ("gold_draw_3", 5),
     ("red_draw_1", 5), ("boomerang", 25), ("ricochet", 25), ("double_exchange", 50)],
)  # fmt: skip
def test_ttf_21_points_of_the_kinds(kind, points):
    game = down_to(["red_7"], [kind] * 9, spare=["gold_9"] * 12)
    play(game, "red_7")
    position = game.snapshot()
    assert (position["round_points"], position["scores"]) == ([0, 9 * points], [0, 9 * points])


def test_ttf_21_each_seat_gets_the_points_of_its_own_hand():
    game = played_down([["red_3"] * 2, ["double_exchange", "gold_2"], ["boomerang", "gold_draw_3"]])
    play(game, "red_3", "double_exchange", "color_red", "seat_1", "decline")
    assert game.snapshot()["hands"] == [{"red_3": 1}, {"boomerang": 1, "gold_draw_3": 1}, {"gold_2": 1}]
    assert (game.snapshot()["round_points"], game.snapshot()["scores"]) == (None, [0, 0, 0])
    play(game, "draw", "red_3")
    position = game.snapshot()
    assert position["round_points"] == position["scores"] == [0, 30, 2]
    assert game.scores[0].tolist() == game.round_points[0].tolist() == [0, 30, 2]


def test_ttf_21_winner_in_the_turn_of_another_gets_no_points():
    game = played_down([["red_draw_3", "double_exchange"], ["boomerang"], ["red_draw_1"]], draws=["ricochet"])
    play(game, "red_draw_3", "seat_1", "boomerang")
    assert game.snapshot()["round_points"] == [50 + 25 + 2, 0, 5]


def test_ttf_22_winner_of_a_round_is_the_seat_that_went_out():
    game = played_down([["red_draw_3", "gold_1"], ["boomerang"], ["gold_2"]])
    play(game, "red_draw_3", "seat_1", "boomerang")
    assert (game.snapshot()["winners"], rewards(game)) == ([1], pytest.approx([-0.5, 1, -0.5]))
    assert game.winners[0].tolist() == [False, True, False]


@pytest.mark.parametrize(("num_players", "paid"), [(2, [1, -1]), (3, [1, -0.5, -0.5])])
def test_ttf_22_win_reward_is_one_for_the_winner_shared_by_the_losers(num_players, paid):
    game = played_down([["red_2"], ["gold_2"], ["gold_2"]][:num_players])
    assert rewards(game) == [0] * num_players
    play(game, "red_2")
    assert rewards(game) == paid


def test_ttf_22_score_reward_is_the_negative_difference_from_the_mean_over_100():
    game = played_down([["red_2"], ["boomerang"], ["gold_draw_1"]], reward="score")
    assert rewards(game) == [0, 0, 0]
    play(game, "red_2")
    assert rewards(game) == pytest.approx([0.10, 0.10 - 0.25, 0.10 - 0.05])


def test_ttf_22_score_reward_can_favour_others_than_the_winner_alike():
    game = played_down([["red_2"], ["gold_2"], ["double_exchange"], ["gold_3"]], reward="score")
    play(game, "red_2")
    assert rewards(game) == pytest.approx([0.13, 0.12, -0.37, 0.12])


RUN = [MISS] * 8 + ["red_2"]  # goes out at once when there are two players
REDS = ["red_1"] * 8
NEXT = [["gold_3"] * 9, ["blue_3"] * 9], "blue_5"


def go_out(game):
    """Seat 0 goes out with a RUN, to whose cards seat 1 does not answer."""
    for name in RUN:
        play(game, name)
        if asked(game) == (1, "react"):
            play(game, "accept")


def test_ttf_22_match_goes_on_below_the_target():
    second = ["blue_2"] * 9, ["green_3"] * 9
    game = staged_match(([RUN, ["boomerang"] * 4 + REDS[:5]], "red_5"), (second, "gold_6"), target_score=106)
    go_out(game)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (False, False, None)
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["scores"], position["round_points"]) == ([0, 105], [0, 105])
    assert position["hands"] == [{"blue_2": 9}, {"green_3": 9}]
    assert (position["discard_pile"], position["color"], position["turn"]) == (["gold_6"], "gold", 1)
    assert (position["missed_turns"], position["penalty"], position["to_give"]) == ([0, 0], None, 0)
    assert (asked(game), position["decisions"], rewards(game)) == ((1, "play"), 9 + 8, [0, 0])


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        (["double_exchange", "boomerang", "red_double_trouble", "red_double_trouble"], 100),
        (["double_exchange", "boomerang", "red_double_trouble", "red_draw_1", "red_draw_3"], 99),
    ],
)
def test_ttf_22_target_is_100_by_default(cards, points):
    game = staged_match(([RUN, cards], "red_5"), NEXT)
    go_out(game)
    assert game.snapshot()["scores"] == [0, points]
    assert game.terminated[0] == (points == 100)


def test_ttf_22_match_ends_when_a_seat_has_exactly_the_target():
    game = staged_match(([RUN, ["gold_draw_3"] * 9], "red_5"), target_score=45)
    play(game, *RUN)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["round"]) == (True, [0], 0)
    assert (position["scores"], position["hands"], rewards(game)) == ([0, 45], [{}, {"gold_draw_3": 9}], [1, -1])
    assert (position["shuffles"], position["turn"]) == (1, 0)


def test_ttf_22_match_does_not_end_one_point_below_the_target():
    game = staged_match(([RUN, ["gold_draw_3"] * 9], "red_5"), target_score=46)
    play(game, *RUN)
    assert (game.terminated[0], game.snapshot()["round"]) == (False, 1)


def test_ttf_22_points_of_the_rounds_add_up_and_the_dealer_passes():
    game = staged_match(
        ([RUN, ["gold_draw_3"] * 9], "red_5"), ([["gold_3"] * 9, RUN], "red_5"), ([RUN, []], "red_5"), target_score=54
    )
    play(game, *RUN)
    assert (asked(game), game.snapshot()["dealer"], game.snapshot()["scores"]) == ((1, "play"), 0, [0, 45])
    play(game, *RUN)
    position = game.snapshot()
    assert (asked(game), position["dealer"], position["round"], position["shuffles"]) == ((0, "play"), 1, 2, 3)
    assert (position["scores"], position["round_points"]) == ([9, 45], [9, 0])
    play(game, *RUN)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["scores"]) == (True, [0], [9, 54])
    assert (position["round_points"], position["round"], rewards(game)) == ([0, 9], 2, [1, -1])


def three_reds(last):
    """Hands of three seats that lay eight red 1s each; then these are left."""
    return [[*REDS, card] for card in last]


def test_ttf_22_lowest_total_wins_whoever_went_out_last():
    game = staged_match(
        (three_reds(["red_1", "gold_draw_3", "gold_2"]), "red_5"),
        (three_reds(["gold_2", "red_1", "gold_draw_3"]), "red_5"),
        target_score=6,
    )
    play(game, *["red_1"] * 25)
    assert game.snapshot()["scores"] == [0, 5, 1]
    play(game, *["red_1"] * 25)
    position = game.snapshot()
    assert (position["scores"], position["round_points"], position["turn"]) == ([1, 5, 6], [1, 0, 5], 1)
    assert (position["winners"], rewards(game)) == ([0], [1, -0.5, -0.5])


def test_ttf_22_equal_lowest_totals_share():
    game = staged_match(
        (three_reds(["red_1", "gold_2", "gold_2"]), "red_5"),
        (three_reds(["gold_2", "red_1", "gold_draw_3"]), "red_5"),
        target_score=6,
    )
    play(game, *["red_1"] * 50)
    position = game.snapshot()
    assert (position["scores"], position["winners"]) == ([1, 1, 6], [0, 1])
    assert rewards(game) == [0.5, 0.5, -1]


def test_ttf_22_score_reward_of_a_match_is_paid_each_round():
    rounds = ([RUN, ["gold_draw_3"] * 9], "red_5"), ([["gold_3"] * 9, RUN], "red_5")
    game = staged_match(*rounds, reward="score", target_score=46)
    play(game, *RUN)
    assert (game.terminated[0], rewards(game)) == (False, pytest.approx([0.225, -0.225]))
    play(game, *RUN[:8])
    assert rewards(game) == [0, 0]
    play(game, RUN[8])
    assert (game.terminated[0], rewards(game)) == (False, pytest.approx([-0.045, 0.045]))


def test_ttf_22_last_round_of_a_match_is_paid_by_its_own_points():
    rounds = ([RUN, ["gold_draw_3"] * 9], "red_5"), ([["gold_draw_3"] * 9, RUN], "red_5")
    game = staged_match(*rounds, ([RUN, []], "red_5"), reward="score", target_score=54)
    play(game, *RUN, *RUN, *RUN)
    position = game.snapshot()
    assert (position["scores"], position["winners"]) == ([45, 54], [0])
    assert rewards(game) == pytest.approx([0.045, -0.045])


def test_ttf_22_missed_turns_end_with_the_round():
    first = [[*["red_1"] * 7, MISS, "gold_2"], [*["red_1"] * 7, "boomerang", "red_2"]]
    game = staged_match((first, "red_5"), NEXT)
    play(game, *["red_1"] * 14, MISS, "boomerang", "color_red")
    assert (asked(game), missed(game), sizes(game)) == ((1, "play"), [1, 0], [1, 1])
    play(game, "red_2")
    position = game.snapshot()
    assert (position["round"], position["scores"], position["missed_turns"]) == (1, [1, 0], [0, 0])
    play(game, "blue_3")
    assert asked(game) == (0, "play")


def test_ttf_22_round_won_by_an_answer_is_followed_by_the_next():
    first = [[*["red_1"] * 8, "boomerang"], [*["red_1"] * 7, "red_draw_3", "gold_2"]]
    game = staged_match((first, "red_5"), NEXT)
    play(game, *["red_1"] * 15, "red_draw_3")
    assert (asked(game), sizes(game)) == ((0, "react"), [1, 1])
    play(game, "boomerang")
    position = game.snapshot()
    assert (position["round"], position["round_points"], position["scores"]) == (1, [0, 4], [0, 4])
    assert (position["penalty"], position["color"], position["hands"]) == (None, "blue", [{"gold_3": 9}, {"blue_3": 9}])
    assert (asked(game), position["turn"], position["dealer"]) == ((1, "play"), 1, 0)


def test_ttf_22_round_won_by_giving_is_followed_by_the_next():
    first = [[*["red_1"] * 6, "red_double_trouble", "gold_2", "gold_4"], []]
    game = staged_match((first, "red_5"), NEXT)
    play(game, *["red_1"] * 12, "red_double_trouble")
    position = game.snapshot()
    assert (position["round"], position["scores"]) == (1, [0, 5])
    assert (position["penalty"], position["to_give"], asked(game)) == (None, 0, (1, "play"))


def test_ttf_22_penalty_card_turned_up_counts_in_later_rounds():
    second = [["gold_3"] * 9, ["boomerang"] + ["blue_3"] * 8]
    game = staged_match(([RUN, []], "red_5"), (second, "blue_draw_1"))
    play(game, *RUN)
    position = game.snapshot()
    assert (asked(game), position["turn"], position["round"]) == ((1, "react"), 0, 1)
    assert position["penalty"] == penalty("draw_1", 0, 1, 0)
    play(game, "boomerang", "color_blue")
    assert (asked(game), sizes(game)) == ((1, "play"), [10, 8])


def test_ttf_22_shuffles_of_a_match_are_random_past_the_stack():
    game = staged([RUN, []], episode="match")
    deck = cards_in(game.snapshot())
    play(game, *RUN)
    position = game.snapshot()
    assert (position["round"], position["shuffles"]) == (1, 2)
    assert cards_in(position) == deck


# --- cap --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("episode", "cap"), [("round", 5_000), ("match", 50_000)])
def test_ttf_23_cap_of_an_episode_that_does_not_end(episode, cap):
    game = staged([[], []], fill="gold_8", spare=(), episode=episode)
    draw = game.action_index("draw")
    for _ in range(cap):
        assert not game.truncated[0]
        game.step([draw])
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["decisions"]) == (True, False, cap)


@pytest.mark.parametrize("reward", ["win", "score"])
def test_ttf_23_cap_cuts_the_episode_off_without_a_reward(reward):
    game = staged([RUN, []], max_decisions=8, reward=reward)
    play(game, *RUN[:7])
    assert not game.truncated[0]
    play(game, RUN[7])
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert (position["scores"], position["round_points"], rewards(game)) == ([0, 0], None, [0, 0])
    assert sizes(game) == [1, 9]


@pytest.mark.parametrize("options", [{}, {"episode": "match", "target_score": 9}])
def test_ttf_23_episode_that_ends_with_its_last_decision_is_terminated(options):
    game = staged([RUN, []], max_decisions=9, **options)
    play(game, *RUN)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [0])
    assert rewards(game) == [1, -1]


@pytest.mark.parametrize(("reward", "paid"), [("win", [0, 0]), ("score", [0.045, -0.045])])
def test_ttf_23_round_that_ends_at_the_cap_is_paid_and_the_next_one_dealt(reward, paid):
    game = staged_match(([RUN, []], "red_5"), NEXT, reward=reward, max_decisions=9)
    play(game, *RUN)
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["scores"], position["round_points"]) == ([0, 9], [0, 9])
    assert position["hands"] == [{"gold_3": 9}, {"blue_3": 9}]
    assert (position["actor"], position["phase"]) == (None, None)
    assert rewards(game) == pytest.approx(paid)


@pytest.mark.parametrize(
    ("actions", "shown", "to_give"),
    [
        (["red_double_trouble"], None, 0),
        (["red_double_trouble", "seat_1"], (1, 0), 0),
        (["red_double_trouble", "seat_1", "ricochet"], (1, 0), 0),
        (["red_double_trouble", "seat_1", "ricochet", "color_red"], (1, 0), 0),
        (["red_double_trouble", "seat_1", "ricochet", "color_red", "seat_1"], (2, 1), 2),
        (["red_double_trouble", "seat_1", "ricochet", "color_red", "seat_1", "red_1"], (2, 1), 1),
        (["red_double_trouble", "seat_1", "ricochet", "color_red", "seat_1", "red_1", "red_1"], None, 0),
    ],
)
def test_ttf_23_cap_leaves_the_penalty_as_it_was(actions, shown, to_give):
    game = staged([["red_double_trouble"], ["ricochet"], []], max_decisions=len(actions))
    play(game, *actions)
    position = game.snapshot()
    expected = shown and penalty("double_trouble", 0, *shown)
    assert (position["truncated"], position["actor"], position["phase"]) == (True, None, None)
    assert (position["penalty"], position["to_give"]) == (expected, to_give)


@pytest.mark.parametrize(("decisions", "color"), [(1, None), (2, "green"), (3, "green"), (4, "green")])
def test_ttf_23_cap_leaves_the_color_as_it_was(decisions, color):
    game = staged([["double_exchange"], ["gold_2"] * 9, []], max_decisions=decisions)
    play(game, *["double_exchange", "color_green", "seat_1", "decline"][:decisions])
    position = game.snapshot()
    assert (position["truncated"], position["actor"], position["color"]) == (True, None, color)
    assert hand(game, 1) == ({"gold_2": 9} if decisions < 3 else {"red_1": 8})


@pytest.mark.parametrize("actions", [["red_draw_3"], ["red_draw_3", "seat_1", "ricochet"]])
def test_ttf_23_cap_can_cut_off_a_last_draw(actions):
    hands = [["red_draw_3", "gold_2"], ["ricochet"], ["gold_3"]] if len(actions) > 1 else [["red_draw_3"]] * 3
    run = 27 - sum(len(cards) for cards in hands)
    game = played_down(hands, max_decisions=run + len(actions))
    play(game, *actions)
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert 0 in sizes(game)
    assert (position["round_points"], position["scores"], rewards(game)) == (None, [0] * 3, [0] * 3)
    assert position["penalty"] == (penalty("draw_3", 0, 1, 0) if len(actions) > 1 else None)


# --- memory -----------------------------------------------------------------------------------------------------------


def knowledge(game):
    """All that is known, as {(observer, seat): cards}, without what is empty."""
    every = range(game.num_players)
    known = {(observer, seat): knows(game, observer, seat) for observer in every for seat in every}
    return {pair: cards for pair, cards in known.items() if cards}


def test_ttf_memory_is_empty_after_the_deal():
    assert knowledge(staged(FOUR_HANDS)) == {}
    assert knowledge(staged([[], [], []], start="red_draw_3")) == {}


def test_ttf_memory_both_know_the_hand_that_they_gave_in_a_swap():
    game = staged(FOUR_HANDS)
    play(game, "double_exchange", "color_red")
    assert knowledge(game) == {}
    play(game, "seat_2")
    swapped = {(0, 2): {"red_1": 8}, (2, 0): {"green_3": 9}}
    assert knowledge(game) == swapped
    play(game, "decline")
    assert knowledge(game) == swapped


def test_ttf_memory_moves_with_the_hand_in_the_second_swap():
    game = staged(FOUR_HANDS)
    play(game, "double_exchange", "color_red", "seat_1", "seat_2")
    assert knowledge(game) == {
        (0, 3): {"red_1": 8},
        (1, 3): {"red_1": 8},
        (1, 0): {"blue_2": 9},
        (3, 1): {"gold_4": 9},
    }


def test_ttf_memory_of_two_players_is_of_the_hand_given():
    game = staged(FOUR_HANDS[:2])
    play(game, "double_exchange", "color_red")
    assert knowledge(game) == {(0, 1): {"red_1": 8}, (1, 0): {"blue_2": 9}}


def test_ttf_memory_moves_with_a_hand_that_is_swapped_later():
    game = staged([["double_exchange"], ["blue_2"] * 9, ["double_exchange", *["green_3"] * 8], ["gold_4"] * 9])
    play(game, "double_exchange", "color_red", "seat_1", "decline", "red_1")
    assert knowledge(game) == {(0, 1): {"red_1": 7}, (1, 0): {"blue_2": 9}}
    play(game, "double_exchange", "color_red", "seat_3", "decline")
    assert knowledge(game) == {
        (0, 2): {"red_1": 7},
        (1, 2): {"red_1": 7},
        (2, 1): {"green_3": 8},
        (1, 0): {"blue_2": 9},
    }


def test_ttf_memory_of_a_hand_that_comes_back_is_no_knowledge_of_oneself():
    game = staged([["double_exchange"], ["blue_2"] * 9, ["double_exchange", *["green_3"] * 8]])
    play(game, "double_exchange", "color_blue", "seat_1", "decline", "draw")
    play(game, "double_exchange", "color_blue", "seat_1", "seat_1")
    position = game.snapshot()
    assert position["hands"] == [{"red_1": 8, "gold_9": 1}, {"green_3": 8}, {"blue_2": 9}]
    known = knowledge(game)
    assert not any(observer == seat for observer, seat in known)
    assert known[1, 2] == {"blue_2": 9}
    assert known[2, 1] == known[0, 1] == {"green_3": 8}
    assert known[1, 0] == {"red_1": 8, "gold_9": 1}
    assert known[0, 2] == {"blue_2": 9}


def test_ttf_memory_of_a_laid_card_falls_for_everybody():
    game = staged([["double_exchange", "red_2", "red_3", "red_3"], ["blue_2"] * 9, ["gold_4"] * 9])
    play(game, "double_exchange", "color_red", "seat_1", "seat_1")
    start = {"red_1": 5, "red_2": 1, "red_3": 2}
    assert knows(game, 0, 2) == knows(game, 1, 2) == start
    play(game, "draw", "red_3")
    assert knows(game, 0, 2) == knows(game, 1, 2) == start | {"red_3": 1}
    assert knows(game, 2, 0) == {}


def test_ttf_memory_of_an_answer_falls_when_it_is_laid():
    game = staged([["double_exchange", "ricochet", "boomerang"], ["red_draw_1"] * 9, []])
    play(game, "double_exchange", "color_red", "seat_1", "decline", "red_1", "red_1", "red_draw_1", "seat_1")
    assert (asked(game), knows(game, 0, 1)) == ((1, "react"), {"red_1": 5, "boomerang": 1, "ricochet": 1})
    play(game, "ricochet")
    assert knows(game, 0, 1) == {"red_1": 5, "boomerang": 1}


def test_ttf_memory_does_not_change_by_draws():
    hands = [["double_exchange"], ["blue_2"] * 9, ["red_draw_3"] * 9]
    game = staged(hands, draws=["gold_1", "red_1", "blue_2"])
    play(game, "double_exchange", "color_red", "seat_1", "decline", "red_1")
    known = {(0, 1): {"red_1": 7}, (1, 0): {"blue_2": 9}}
    assert knowledge(game) == known
    play(game, "red_draw_3", "seat_2", "draw")
    assert (sizes(game), knowledge(game)) == ([10, 10, 8], known)


def test_ttf_memory_does_not_fall_when_a_drawn_card_is_laid_at_once():
    game = staged([["double_exchange", "boomerang"], ["gold_4"] * 9, ["gold_4"] * 9], draws=["boomerang"])
    play(game, "double_exchange", "color_blue", "seat_1", "decline", "draw")
    assert asked(game) == (1, "color")
    assert knows(game, 0, 1) == {"red_1": 7, "boomerang": 1}


def test_ttf_memory_outlasts_a_reshuffle():
    game = staged([["double_exchange"], ["blue_2"] * 9, ["red_draw_3"] * 9], draws=["gold_1"], spare=())
    play(game, "double_exchange", "color_red", "seat_1", "decline", "red_1", "red_draw_3", "seat_2")
    assert (game.snapshot()["shuffles"], sizes(game)) == (2, [9, 10, 8])
    assert knowledge(game) == {(0, 1): {"red_1": 7}, (1, 0): {"blue_2": 9}}


def test_ttf_memory_of_the_giver_is_of_the_cards_given():
    game = staged([["red_double_trouble", "red_2", "blue_3"], [], []])
    play(game, "red_double_trouble", "seat_1")
    assert knowledge(game) == {}
    play(game, "red_2")
    assert knowledge(game) == {(0, 1): {"red_2": 1}}
    play(game, "blue_3")
    assert knowledge(game) == {(0, 1): {"red_2": 1, "blue_3": 1}}
    play(game, "red_2")
    assert knowledge(game) == {(0, 1): {"blue_3": 1}}


def test_ttf_memory_of_two_given_cards_of_one_kind():
    game = staged([["red_double_trouble"], [], []])
    play(game, "red_double_trouble", "seat_1", "red_1", "red_1")
    assert knowledge(game) == {(0, 1): {"red_1": 2}}
    play(game, "red_1")
    assert knowledge(game) == {(0, 1): {"red_1": 1}}


def test_ttf_memory_of_a_sender_that_gives():
    game = staged([["red_double_trouble"], [], ["boomerang", "gold_2"]])
    play(game, "red_double_trouble", "seat_2", "boomerang", "color_red", "gold_2", "red_1")
    assert knowledge(game) == {(2, 0): {"gold_2": 1, "red_1": 1}}


def known_giver(*actions):
    """Seat 1 knows the hand of seat 0, a Double Trouble, three blue 2s, a blue 3 and four red 2s; seat 0 lays it."""
    given = ["red_double_trouble", "blue_2", "blue_2", "blue_2", "blue_3", *["red_2"] * 4]
    game = staged([["double_exchange"], given, [], []])
    play(game, "double_exchange", "color_red", "seat_1", "decline", "red_1", "red_1", "red_1")
    assert knows(game, 1, 0) == Counter(given)
    play(game, "red_double_trouble", *actions)
    return game


def test_ttf_memory_of_the_receiver_falls_by_the_cards_given():
    game = known_giver("seat_1")
    assert knows(game, 1, 0) == {"blue_2": 3, "blue_3": 1, "red_2": 4}
    play(game, "blue_2")
    assert knows(game, 1, 0) == {"blue_2": 2, "blue_3": 1, "red_2": 4}
    play(game, "blue_3")
    assert knows(game, 1, 0) == {"blue_2": 2, "red_2": 4}
    assert knows(game, 0, 1) == {"red_1": 7, "blue_2": 1, "blue_3": 1}


def test_ttf_memory_of_others_falls_by_what_could_have_been_given():
    game = known_giver("seat_2", "blue_2", "blue_3")
    assert knows(game, 1, 0) == {"blue_2": 1, "red_2": 2}
    assert knows(game, 0, 2) == {"blue_2": 1, "blue_3": 1}
    assert knows(game, 1, 2) == knows(game, 3, 0) == knows(game, 3, 2) == {}


def test_ttf_memory_of_others_tells_nothing_of_the_kinds_given():
    games = [
        known_giver("seat_2", *given) for given in (["red_2", "red_2"], ["blue_2", "blue_3"], ["blue_2", "blue_2"])
    ]
    for pair in ((1, 0), (1, 2), (3, 0), (3, 2)):
        assert knows(games[0], *pair) == knows(games[1], *pair) == knows(games[2], *pair)


def test_ttf_memory_of_the_hand_of_a_receiver_stays():
    hands = [["double_exchange"], [], ["green_3"] * 9, ["red_double_trouble", *["gold_4"] * 8]]
    game = staged(hands)
    play(game, "double_exchange", "color_red", "seat_1", "seat_1", "draw", "red_1")
    assert knows(game, 0, 2) == knows(game, 1, 2) == {"red_1": 7}
    play(game, "red_double_trouble", "seat_3", "gold_4", "gold_4")
    assert knows(game, 0, 2) == knows(game, 1, 2) == {"red_1": 7}
    assert knows(game, 3, 2) == {"gold_4": 2}


def test_ttf_memory_of_given_cards_moves_with_the_hand():
    game = staged([["red_double_trouble", "gold_2", "gold_3"], ["double_exchange"], [], []])
    play(game, "red_double_trouble", "seat_1", "gold_2", "gold_3", "double_exchange", "color_red", "seat_1", "decline")
    assert knows(game, 0, 2) == {"gold_2": 1, "gold_3": 1}
    assert knows(game, 0, 1) == {}
    assert knows(game, 1, 2) == {"gold_2": 1, "gold_3": 1, "red_1": 8}


def test_ttf_memory_is_forgotten_when_a_new_round_is_dealt():
    game = staged_match(([["double_exchange", *["red_2"] * 8], [*[MISS] * 8, "red_3"]], "red_5"), NEXT)
    play(game, "double_exchange", "color_red", "red_2", *[MISS] * 8)
    assert knowledge(game) == {(0, 1): {"red_2": 7}, (1, 0): {"red_3": 1}}
    play(game, "red_3")
    assert (game.snapshot()["round"], knowledge(game)) == (1, {})


# --- random games -----------------------------------------------------------------------------------------------------

LIVELY = dict.fromkeys(NUMBER_CARDS[9:], 1) | dict.fromkeys(PENALTY_CARDS, 3) | dict.fromkeys(WILDS, 5)
LIVELY |= dict.fromkeys(NUMBER_CARDS[:9], 2)
RANDOM = [
    {"num_players": 2},
    {"num_players": 2, "deck": dict.fromkeys(NUMBER_CARDS, 0) | dict.fromkeys([*PENALTY_CARDS, *WILDS], 2)},
    {"num_players": 3, "deck": LIVELY},
    {"num_players": 4, "deck": LIVELY, "reward": "score"},
    {"num_players": 10, "deck": LIVELY},
]


def fits(card, position):
    if card in WILDS or card.startswith(f"{position['color']}_"):
        return True
    top = position["discard_pile"][0]
    return {card, top} <= set(NUMBER_CARDS) and card[-1] == top[-1]


def lawful(position, num_players):
    """The legal actions that the rules give, from the rest of the snapshot."""
    actor, held = position["actor"], position["hands"][position["actor"]]
    cards = [kind for kind in KINDS if kind in held]
    if position["phase"] == "play":
        laid = [kind for kind in cards if fits(kind, position)]
        return laid if set(laid) - set(WILDS) else [*laid, "draw"]
    if position["phase"] == "exchange":
        return [
            "decline",
            *(f"seat_{r}" for r in range(1, num_players) if (actor + r) % num_players != position["turn"]),
        ]
    return {
        "target": seats(num_players - 1),
        "color": COLOR_ACTIONS,
        "react": [*(kind for kind in ANSWERS if kind in held), "accept"],
        "give": cards,
    }[position["phase"]]


def assert_position_is_sound(position):
    """What holds at every decision: who is asked, and what is shown of the penalty and the colour."""
    actor, phase, sent, turn = (position[key] for key in ("actor", "phase", "penalty", "turn"))
    top = position["discard_pile"][0]
    if phase in ("play", "exchange"):
        assert sent is None
    if phase == "play":
        assert actor == turn
    if phase in ("react", "give"):
        assert sent is not None
    if phase == "react":
        assert actor == sent["target"] and set(ANSWERS) & set(position["hands"][actor])
    if phase == "give":
        assert actor == (sent["sender"] if sent["target"] == sent["origin"] else sent["origin"])
    if phase in ("color", "target") and sent is not None:
        assert actor == sent["target"] and top in ANSWERS
    if sent is not None:
        assert sent["target"] != sent["sender"]
    assert (position["to_give"] > 0) == (phase == "give")
    uncolored = phase == "color" or (phase == "target" and top in WILDS and not position["hands"][actor])
    assert (position["color"] is None) == uncolored
    if top not in WILDS:
        assert top.startswith(position["color"])


@pytest.mark.parametrize("options", RANDOM)
@pytest.mark.parametrize("episode", ["round", "match"])
def test_ttf_random_games_are_lawful(options, episode):
    game = BatchGame("twice_the_fun", seed=1, episode=episode, **options)
    rng, cards, phases = np.random.default_rng(2), cards_in(game.snapshot()), set()
    num_players = game.num_players
    for _ in range(500):
        position = game.snapshot()
        phases.add(position["phase"])
        assert position["legal"] == lawful(position, num_players)
        assert [game.action_names[index] for index in np.flatnonzero(game.legal()[0])] == position["legal"]
        assert_position_is_sound(position)
        game.step(random_actions(game, rng))
        after = game.snapshot()
        assert cards_in(after) == cards
        if over(game)[0]:
            assert (after["penalty"], after["to_give"], after["legal"]) == (None, 0, [])
            assert sum(rewards(game)) == pytest.approx(0, abs=1e-6)
            game.reset()
    expected = {"play", "target", "color", "react", "give", "exchange"}
    assert phases == (expected - {"target", "exchange"} if num_players == 2 else expected)


@pytest.mark.parametrize("options", RANDOM)
def test_ttf_memory_of_random_games_is_never_more_than_the_truth(options):
    game = BatchGame("twice_the_fun", seed=3, episode="match", **options)
    rng, anything = np.random.default_rng(4), False
    for _ in range(500):
        hands = game.snapshot()["hands"]
        for (observer, seat), cards in knowledge(game).items():
            anything = True
            assert observer != seat
            assert Counter(cards) <= Counter(hands[seat])
        game.step(random_actions(game, rng))
        if over(game)[0]:
            game.reset()
    assert anything
