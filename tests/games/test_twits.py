"""The rules of The Twits Card Game, by number (RULES.md). Seat 0 begins unless a test names a dealer.

Cards are written short: `+10`, `-3`, `u` for an upside-down card.
"""

import json
from collections import Counter

import numpy as np
import pytest

from cardenvs import games
from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError
from cardenvs.engine.batch import BatchGame
from tests.helpers import asked, hand, known_cards, legal_names, over, play, random_actions, rewards, sizes

KINDS = ("plus_10", "plus_5", *(f"minus_{n}" for n in range(1, 8)), "upside_down")
VALUES = (10, 5, -1, -2, -3, -4, -5, -6, -7, 0)
SHORT = dict(zip(("+10", "+5", *(f"-{n}" for n in range(1, 8)), "u"), KINDS, strict=True))
DULL = "-1 -2 -3 -4 -5"  # no set, and never more than 0 points
POOR = "-7 -7 -6 -6 -4"  # the same of other kinds


def cards(text):
    """The names of cards written short; other names, such as `decline`, stay as they are."""
    return [SHORT.get(word, word) for word in text.split()]


def deck_of(names):
    """A deck option of just these cards."""
    return dict.fromkeys(KINDS, 0) | Counter(names)


def in_order(hands, draws, dealer):
    """The order of a shuffle that deals these hands, by seat, and goes on with `draws`."""
    num_players = len(hands)
    seats = [(dealer + r) % num_players for r in range(1, num_players + 1)]
    dealt = [cards(hands[seat])[i] for i in range(5) for seat in seats]
    return [*dealt, *cards(draws)]


def staged(hands, draws, dealer=None, later=(), **options):
    """One game, of no other cards than these hands and draws, that begins with them.

    `later` are (hands, draws) of the same cards for the rounds after that; the deal goes round as it does.
    """
    num_players = len(hands)
    dealer = num_players - 1 if dealer is None else dealer
    rounds = [(hands, draws), *later]
    orders = [in_order(dealt, drawn, (dealer + n) % num_players) for n, (dealt, drawn) in enumerate(rounds)]
    game = BatchGame("twits", seed=0, num_players=num_players, deck=deck_of(orders[0]), **options)
    game.reset(options={"dealer": dealer, "shuffles": orders})
    return game


def act(game, text):
    """Take these actions, written short, whoever is asked."""
    play(game, *cards(text))


def counts(text):
    return dict(Counter(cards(text)))


def all_cards(position):
    """Every card of a snapshot, counted by name."""
    total = Counter(position["draw_pile"])
    for held, banked in zip(position["hands"], position["banked"], strict=True):
        total += Counter(held) + Counter(3 * banked)
    return total


def with_two_sets(draws, sets="-6 -7 +10", **options):
    """Two players: seat 1 has banked two of these sets and holds two cards of the third kind.

    It is the fourth turn of seat 0; `draws` are the cards from that turn's on.
    """
    a, b, c = sets.split()
    hands = [f"{b} {c} {c} -1 -2", f"{a} {a} {a} {b} {b}"]
    game = staged(hands, f"-3 -1 -4 -2 -5 -3 {draws}", **options)
    act(game, f"{b} {a} -1 {c} {b} -2 {c} -3")
    position = game.snapshot()
    assert (position["actor"], position["banked"]) == (0, [[], cards(f"{a} {b}")])
    assert position["hands"][1] == counts(f"{c} {c}")
    return game


def scored(hand_of_0, banked="", hand_of_1=POOR, **options):
    """Two players, a round of one turn: seat 0 draws a -1, banks the set, if one is given, and passes the -1 on.

    Nobody else banks: whoever is asked declines.
    """
    game = staged([hand_of_0, hand_of_1], "-1", **options)
    if game.snapshot()["phase"] == "bank":
        act(game, banked or "decline")
    act(game, "-1")
    if game.snapshot()["phase"] == "bank":
        act(game, "decline")
    return game


# --- cards, actions, phases, options ----------------------------------------------------------------------------------


def test_twt_deck_has_60_cards_of_10_kinds():
    game = BatchGame("twits", seed=0, num_players=3)
    assert tuple(games.get("twits").kinds) == KINDS
    assert all_cards(game.snapshot()) == dict.fromkeys(KINDS, 6)


def test_twt_deck_option_sets_the_copies():
    deck = {kind: k + 1 for k, kind in enumerate(KINDS)}
    game = BatchGame("twits", seed=0, num_players=3, deck=deck)
    assert all_cards(game.snapshot()) == deck


@pytest.mark.parametrize("num_players", range(2, 6))
def test_twt_deck_can_have_5_cards_a_seat_and_one_up_to_120(num_players):
    smallest = 5 * num_players + 1
    for total in (smallest, 120):
        game = BatchGame("twits", seed=0, num_players=num_players, deck=deck_of(["minus_1"] * total))
        assert len(game.snapshot()["draw_pile"]) == total - smallest
    for total in (0, smallest - 1, 121):
        with pytest.raises(OptionError):
            BatchGame("twits", seed=0, num_players=num_players, deck=deck_of(["minus_1"] * total))


@pytest.mark.parametrize(
    "deck",
    [
        {"plus_10": 60},
        dict.fromkeys(KINDS[:-1], 6),
        dict.fromkeys([*KINDS, "minus_8"], 6),
        dict.fromkeys(KINDS, 6) | {"plus_5": -1},
        dict.fromkeys(KINDS, 6) | {"plus_5": 1.5},
    ],
)
def test_twt_deck_that_is_not_copies_of_every_kind_is_refused(deck):
    with pytest.raises(OptionError):
        BatchGame("twits", seed=0, num_players=2, deck=deck)


@pytest.mark.parametrize("num_players", range(2, 6))
def test_twt_actions_are_the_cards_and_decline_whatever_the_number_of_players(num_players):
    game = BatchGame("twits", seed=0, num_players=num_players)
    assert list(game.action_names) == [*KINDS, "decline"]
    assert [game.action_index(name) for name in ("plus_10", "minus_7", "upside_down", "decline")] == [0, 8, 9, 10]


def test_twt_phases_are_numbered_in_their_order():
    assert tuple(games.get("twits").phases) == ("bank", "pass")


@pytest.mark.parametrize("num_players", [0, 1, 6])
def test_twt_is_for_2_to_5_players(num_players):
    with pytest.raises(OptionError):
        BatchGame("twits", seed=0, num_players=num_players)


def test_twt_snapshot_shows_these_keys_as_plain_data():
    game = with_two_sets("-4 +10 -6")
    act(game, "-3")
    position = game.snapshot()
    assert json.loads(json.dumps(position)) == position
    assert position == {
        "game": "twits",
        "num_players": 2,
        "episode": "round",
        "round": 0,
        "dealer": 1,
        "decisions": 9,
        "actor": 1,
        "phase": "bank",
        "legal": ["plus_10", "decline"],
        "hands": [counts("-1 -1 -2 -2 -3 -4 -4 -5"), counts("+10 +10 +10 -3")],
        "draw_pile": ["minus_6"],
        "banked": [[], ["minus_6", "minus_7"]],
        "turn": 1,
        "last_turn": False,
        "scores": [0, 0],
        "round_points": None,
        "winners": None,
        "terminated": False,
        "truncated": False,
        "shuffles": 1,
    }
    assert position["last_turn"] is False


# --- setup ------------------------------------------------------------------------------------------------------------


def test_twt_1_five_cards_are_dealt_one_at_a_time_from_the_dealers_left():
    rest = ["plus_10", "minus_1", "minus_2", "minus_3", *cards("+10") * 5]
    rest += [kind for kind in cards("+5 -4 -5 -6 -7 u") for _ in range(6)]
    game = BatchGame("twits", seed=0, num_players=3)
    game.reset(options={"dealer": 1, "shuffles": [["minus_1", "minus_2", "minus_3"] * 5 + rest]})
    position = game.snapshot()
    assert position["hands"] == [{"minus_2": 5}, {"minus_3": 5}, {"plus_10": 1, "minus_1": 5}]
    assert position["draw_pile"] == rest[1:]
    assert position["banked"] == [[], [], []]
    assert (position["dealer"], position["shuffles"], position["round"], position["decisions"]) == (1, 1, 0, 0)


@pytest.mark.parametrize("num_players", range(2, 6))
def test_twt_1_every_seat_gets_five_cards_and_nothing_is_turned_up(num_players):
    game = BatchGame("twits", seed=3, num_players=num_players)
    first = (game.snapshot()["dealer"] + 1) % num_players
    assert sizes(game) == [6 if seat == first else 5 for seat in range(num_players)]
    assert len(game.snapshot()["draw_pile"]) == 60 - 5 * num_players - 1


@pytest.mark.parametrize("dealer", range(4))
def test_twt_1_seat_to_the_dealers_left_begins_and_play_is_clockwise(dealer):
    game = staged([DULL] * 4, "-6 -6 -7 -7 +5 +5 +10", dealer=dealer)
    order = [(dealer + r) % 4 for r in (1, 2, 3, 4, 1)]
    seen = []
    for card in cards("-6 -6 -7 -7 +5"):
        seen.append((asked(game), game.snapshot()["turn"]))
        play(game, card)
    assert seen == [((seat, "pass"), seat) for seat in order]


# --- drawing and banking ----------------------------------------------------------------------------------------------


def test_twt_2_top_card_is_drawn_for_whose_turn_begins():
    game = staged([DULL, DULL], "+10 +5 -7")
    assert hand(game, 0) == counts(f"{DULL} +10")
    assert game.snapshot()["draw_pile"] == cards("+5 -7")
    act(game, "-1")
    assert hand(game, 1) == counts(f"{DULL} -1 +5")
    assert (game.snapshot()["draw_pile"], game.snapshot()["decisions"]) == (cards("-7"), 1)


def test_twt_3_nobody_is_asked_to_bank_with_two_cards_of_each_kind():
    game = staged(["-1 -1 -2 -2 u", DULL], "u -7")
    assert (asked(game), legal_names(game)) == ((0, "pass"), cards("-1 -2"))


def test_twt_3_drawn_card_counts_for_a_set():
    game = staged(["-1 -1 -2 -2 u", DULL], "-2 -7")
    assert (asked(game), legal_names(game)) == ((0, "bank"), cards("-2 decline"))


def test_twt_3_passed_card_counts_for_a_set_in_ones_own_turn():
    game = staged(["-6 -5 -4 -2 -1", "-6 -6 -1 -2 -3", DULL], "+10 +5 -7 -7")
    act(game, "-6")
    assert (asked(game), legal_names(game)) == ((1, "bank"), cards("-6 decline"))


def test_twt_3_set_is_not_banked_in_anothers_turn():
    game = staged([DULL, "-6 -6 -6 -6 -6", DULL], "+10 +5 -7 -7")
    assert asked(game) == (0, "pass")


def test_twt_3_kinds_with_three_cards_or_more_can_be_banked_and_no_other():
    game = staged(["-2 -2 -2 u u", DULL], "u -7")
    assert legal_names(game) == cards("-2 u decline")
    game = staged(["-2 -2 -2 -2 u", DULL], "u -7")
    assert legal_names(game) == cards("-2 decline")
    with pytest.raises(IllegalActionError):
        act(game, "u")
    assert (hand(game, 0), game.snapshot()["decisions"]) == (counts("-2 -2 -2 -2 u u"), 0)


@pytest.mark.parametrize("kind", KINDS)
def test_twt_3_three_cards_of_any_kind_can_be_banked(kind):
    deck = dict.fromkeys(KINDS, 6)
    rest = [other for other in KINDS for _ in range(6) if other != kind]
    others = [other for other in KINDS if other != kind][:5]
    order = [card for pair in zip([kind] * 5, others, strict=True) for card in pair]
    for other in others:
        rest.remove(other)
    game = BatchGame("twits", seed=0, num_players=2, deck=deck)
    game.reset(options={"dealer": 1, "shuffles": [[*order, kind, *rest]]})
    assert (asked(game), legal_names(game)) == ((0, "bank"), [kind, "decline"])
    play(game, kind)
    position = game.snapshot()
    assert (position["banked"], position["hands"][0]) == ([[kind], []], {kind: 3})
    assert all_cards(position) == deck


def test_twt_3_banked_set_is_three_cards_of_the_hand():
    game = staged(["-2 -2 -2 -2 u", DULL], "-3 -7")
    act(game, "-2")
    position = game.snapshot()
    assert (position["hands"][0], position["banked"]) == (counts("-2 -3 u"), [["minus_2"], []])
    assert asked(game) == (0, "pass")


@pytest.mark.parametrize(("hand_of_0", "draw"), [("-2 -2 -2 -2 -2", "-2"), ("-2 -2 -2 -6 -6", "-6")])
def test_twt_3_one_set_a_turn_is_banked_at_the_most(hand_of_0, draw):
    game = staged([hand_of_0, DULL], f"{draw} -7")
    act(game, "-2")
    assert (asked(game), legal_names(game)) == ((0, "pass"), cards(draw))
    assert hand(game, 0) == counts(f"{draw} " * 3)


def test_twt_3_banking_can_be_declined():
    game = staged(["-2 -2 -2 u u", DULL], "-3 -6 -7")
    act(game, "decline")
    position = game.snapshot()
    assert (asked(game), legal_names(game)) == ((0, "pass"), cards("-2 -3"))
    assert (position["hands"][0], position["banked"], position["decisions"]) == (counts("-2 -2 -2 -3 u u"), [[], []], 1)


def test_twt_3_banking_is_asked_again_in_the_next_turn():
    game = staged(["-2 -2 -2 u u", DULL], "-3 -6 -7 -7")
    act(game, "decline -3 -6")
    assert (asked(game), legal_names(game)) == ((0, "bank"), cards("-2 decline"))


def test_twt_3_decline_is_illegal_when_passing():
    game = staged([DULL, DULL], "-6 -7")
    with pytest.raises(IllegalActionError):
        act(game, "decline")


def test_twt_3_sets_are_shown_in_the_order_banked():
    assert with_two_sets("-4 +10", sets="-7 +10 -6").snapshot()["banked"] == [[], ["minus_7", "plus_10"]]


def test_twt_4_third_set_ends_the_round_at_once():
    game = with_two_sets("-4 +10 -6")
    act(game, "-3 +10")
    position = game.snapshot()
    assert (position["terminated"], position["actor"], position["phase"], position["legal"]) == (True, None, None, [])
    assert position["banked"] == [[], ["minus_6", "minus_7", "plus_10"]]
    assert (position["hands"][1], position["draw_pile"]) == (counts("-3"), ["minus_6"])
    assert (position["turn"], position["last_turn"]) == (1, False)
    assert (position["round_points"], position["winners"]) == ([0, 6 + 7 + 10 - 3], [1])


def test_twt_4_upside_down_sets_count_among_the_three():
    game = with_two_sets("-4 -7 -6", sets="u -6 -7")
    act(game, "-3 -7")
    assert game.snapshot()["round_points"] == [0, 0 + 6 + 7 - 3]


def test_twt_4_round_goes_on_when_the_third_set_is_declined():
    game = with_two_sets("-4 +10 -6")
    act(game, "-3 decline")
    assert (asked(game), legal_names(game)) == ((1, "pass"), cards("+10 -3"))


def test_twt_4_sets_of_several_seats_do_not_add_up():
    game = BatchGame("twits", seed=0, num_players=2, deck=deck_of(["upside_down"] * 40))
    act(game, "u u u u")
    assert (game.snapshot()["banked"], over(game)[0]) == ([["upside_down"] * 2] * 2, False)
    act(game, "u")
    assert (game.terminated[0], len(game.snapshot()["draw_pile"])) == (True, 40 - 10 - 7)


# --- passing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", range(2, 6))
def test_twt_5_card_goes_to_the_seat_on_the_left(num_players):
    game = staged([DULL] * num_players, "+10 " + "-6 " * num_players)
    act(game, "+10")
    assert hand(game, 0) == counts(DULL)
    assert hand(game, 1) == counts(f"{DULL} +10 -6")
    assert sizes(game) == [5, 7, *[5] * (num_players - 2)]


def test_twt_5_last_seat_passes_to_seat_0():
    game = staged([DULL] * 3, "-6 -6 -7 -7 +10")
    act(game, "-6 -6 -1")
    assert hand(game, 2) == counts("-2 -3 -4 -5 -6 -7")
    assert hand(game, 0) == counts(f"{DULL} -1 -7")


def test_twt_5_any_card_but_an_upside_down_one_can_be_passed():
    game = staged(["+10 -2 -2 u u", DULL], "+5 -7")
    assert (asked(game), legal_names(game)) == ((0, "pass"), cards("+10 +5 -2"))
    with pytest.raises(IllegalActionError):
        act(game, "u")
    with pytest.raises(IllegalActionError):
        act(game, "-7")
    assert sizes(game) == [6, 5]


def test_twt_5_seat_is_asked_even_when_it_can_pass_one_kind_alone():
    game = staged(["u u u u u", DULL], "-6 -7")
    act(game, "u")
    assert (asked(game), legal_names(game)) == ((0, "pass"), cards("-6"))


@pytest.mark.parametrize(("answer", "left"), [("u", "u u u"), ("decline", "u u u u u u")])
def test_twt_5_nothing_is_passed_from_upside_down_cards_alone(answer, left):
    game = staged(["u u u u u", DULL], "u -6 -7")
    act(game, answer)
    assert (asked(game), game.snapshot()["decisions"]) == ((1, "pass"), 1)
    assert game.snapshot()["hands"] == [counts(left), counts(f"{DULL} -6")]


def test_twt_5_nobody_is_asked_in_turns_without_a_choice():
    game = BatchGame("twits", seed=0, num_players=2, deck=deck_of(["upside_down"] * 40))
    game.reset(options={"dealer": 1})
    turns = []
    for _ in range(4):
        turns.append((asked(game), sizes(game)))
        act(game, "u")
    assert turns == [((0, "bank"), [6, 5]), ((1, "bank"), [3, 6]), ((0, "bank"), [4, 3]), ((1, "bank"), [1, 4])]
    assert (asked(game), sizes(game), game.snapshot()["decisions"]) == ((0, "bank"), [3, 2], 4)


def test_twt_5_nothing_is_passed_from_an_empty_hand():
    game = staged(["-1 -1 -1 -2 -2", "-3 -3 u u u"], "-3 u -2 -6 -7")
    act(game, "-1 -3 -3 -2")
    position = game.snapshot()
    assert position["hands"] == [{}, counts("u u u u -6")]
    assert position["banked"] == [cards("-1 -2"), cards("-3")]
    assert (asked(game), position["decisions"]) == ((1, "bank"), 4)


# --- who knows of a passed card ---------------------------------------------------------------------------------------


def known(game, observer, seat):
    """What the observer remembers of a hand: so many cards of a kind are in it at least."""
    bounds = known_cards(game._states)[0, observer, seat]
    return {kind: int(n) for kind, n in zip(KINDS, bounds, strict=True) if n}


def test_twt_5_passed_card_is_shown_to_giver_and_receiver_alone():
    first, second = (staged(["-6 -7 +5 u u", DULL, DULL], "+10 +5 -7 -7") for _ in range(2))
    act(first, "-6")
    act(second, "-7")
    assert asked(first) == asked(second) == (1, "pass")
    assert np.array_equal(first.observe(2), second.observe(2))
    assert not np.array_equal(first.observe(0), second.observe(0))
    assert not np.array_equal(first.observe(1), second.observe(1))


def test_twt_5_giver_knows_that_the_receiver_holds_the_card():
    game = staged([DULL] * 3, "-6 -7 +5 +10")
    act(game, "-6")
    assert known(game, 0, 1) == counts("-6")
    assert [known(game, *pair) for pair in ((0, 2), (1, 0), (1, 2), (2, 0), (2, 1))] == [{}] * 5


@pytest.mark.parametrize("passed_on", ["-6", "-7", "-1"])
def test_twt_5_card_may_have_left_when_another_is_passed_unseen(passed_on):
    game = staged([DULL] * 3, "-6 -7 +5 +10")
    act(game, f"-6 {passed_on}")
    assert known(game, 0, 1) == {}
    assert known(game, 0, 2) == {}
    assert known(game, 1, 2) == counts(passed_on)


@pytest.mark.parametrize(("passed_back", "left"), [("-6", ""), ("-7", "-6"), ("-1", "-6")])
def test_twt_5_receiver_of_two_players_sees_what_leaves_the_hand(passed_back, left):
    game = staged([DULL, DULL], "-6 -7 +5 +10")
    act(game, f"-6 {passed_back}")
    assert known(game, 0, 1) == counts(left)
    assert known(game, 1, 0) == counts(passed_back)


def test_twt_5_passed_cards_add_up():
    game = staged([DULL, DULL], "-6 -7 -6 +5 +10")
    act(game, "-6 -7 -6")
    assert (known(game, 0, 1), known(game, 1, 0)) == (counts("-6 -6"), counts("-7"))
    act(game, "+5")
    act(game, "-7")
    assert (known(game, 0, 1), known(game, 1, 0)) == (counts("-6 -6 -7"), counts("+5"))


def test_twt_5_banked_set_takes_three_known_cards_with_it():
    game = staged(["-6 -6 -6 -6 -7", DULL], "+5 -7 +5 -7 u +10 u +10 -6 u")
    act(game, "decline -6 -1 decline -6 -2 -6 decline -3 -6")
    assert (asked(game), known(game, 0, 1)) == ((1, "bank"), counts("-6 -6 -6 -6"))
    act(game, "-6")
    assert (hand(game, 1)["minus_6"], known(game, 0, 1)) == (1, counts("-6"))


def test_twt_5_banked_set_leaves_no_card_known_of_fewer_than_three():
    game = staged([f"-6 {DULL[3:]} u", "-6 -6 -6 -1 -2"], "+5 +10 -7 -7")
    act(game, "-6")
    assert known(game, 0, 1) == counts("-6")
    act(game, "-6")
    assert (hand(game, 1)["minus_6"], known(game, 0, 1)) == (1, {})


def test_twt_5_banked_set_of_another_kind_and_a_declined_one_change_nothing():
    for answer in ("-7", "decline"):
        game = staged([f"-6 {DULL[3:]} u", "-7 -7 -7 -1 -2"], "+5 +10 -3 -4")
        act(game, f"-6 {answer}")
        assert (asked(game), known(game, 0, 1)) == ((1, "pass"), counts("-6"))


def test_twt_5_nothing_is_known_of_the_hands_of_the_next_round():
    hands = ["+5 -1 -2 -3 -4", POOR]
    game = staged(hands, "-1", episode="match", later=[(hands, "-1")])
    act(game, "+5")
    assert (game.snapshot()["round"], asked(game)) == (1, (1, "pass"))
    assert (known(game, 0, 1), known(game, 1, 0)) == ({}, {})


@pytest.mark.parametrize("num_players", range(2, 6))
def test_twt_5_what_is_known_of_a_hand_is_in_it(num_players):
    game = BatchGame("twits", seed=1, num_players=num_players, episode="match", target_score=10_000)
    rng = np.random.default_rng(num_players)
    for _ in range(300):
        game.step(random_actions(game, rng))
        held, bounds = game._states["hands"][0], known_cards(game._states)[0]
        for observer in range(num_players):
            others = [seat for seat in range(num_players) if seat != observer]
            assert (bounds[observer, others] <= held[others]).all()


def test_twt_5_possibilities_keep_what_a_seat_knows():
    game = staged([DULL] * 3, "-6 -7 +5 +10")
    act(game, "-6")
    possible = [game.resample_hidden(0).snapshot() for _ in range(30)]
    assert all(position["hands"][0] == hand(game, 0) for position in possible)
    assert all("minus_6" in position["hands"][1] for position in possible)
    assert all([sum(held.values()) for held in position["hands"]] == [5, 7, 5] for position in possible)
    assert len({json.dumps(position["hands"][2], sort_keys=True) for position in possible}) > 1


# --- the last card ----------------------------------------------------------------------------------------------------


def test_twt_6_turn_goes_on_after_the_last_card_is_drawn():
    game = staged(["-1 -1 -1 -2 -3", POOR], "-5")
    seen = []
    for action in ("-1", "-5"):
        position = game.snapshot()
        seen.append((asked(game), position["turn"], position["last_turn"], position["draw_pile"]))
        act(game, action)
    assert seen == [((0, "bank"), 0, False, []), ((0, "pass"), 0, False, [])]
    assert hand(game, 1) == counts(f"{POOR} -5")


def test_twt_6_last_turn_is_without_a_draw_and_without_passing():
    game = staged(["-7 +5 -1 -2 -3", "-7 -7 -6 -6 -1"], "+10")
    act(game, "-7")
    position = game.snapshot()
    assert (asked(game), legal_names(game)) == ((1, "bank"), cards("-7 decline"))
    assert (position["turn"], position["last_turn"], position["decisions"]) == (1, True, 1)
    assert hand(game, 1) == counts("-7 -7 -7 -6 -6 -1")
    act(game, "-7")
    position = game.snapshot()
    assert (position["terminated"], position["turn"], position["last_turn"]) == (True, 1, True)
    assert position["hands"] == [counts("+10 +5 -1 -2 -3"), counts("-6 -6 -1")]
    assert position["banked"] == [[], ["minus_7"]]
    assert position["round_points"] == [9, 0]


def test_twt_6_banking_in_the_last_turn_can_be_declined():
    game = staged([f"-7 {DULL[3:]}", "-7 -7 -6 -6 -1"], "+10")
    act(game, "-7 decline")
    position = game.snapshot()
    assert (position["terminated"], position["banked"], sizes(game)) == (True, [[], []], [5, 6])


def test_twt_6_seat_that_can_not_bank_is_not_asked_in_the_last_turn():
    game = staged([DULL, POOR], "-5")
    act(game, "-5")
    position = game.snapshot()
    assert (position["terminated"], position["actor"], position["decisions"]) == (True, None, 1)
    assert (position["turn"], position["last_turn"], sizes(game)) == (1, True, [5, 6])


@pytest.mark.parametrize("hand_of_1", ["-7 -7 -7 -6 -6", "-7 -7 -7 -7 -7"])
def test_twt_6_one_set_is_banked_in_the_last_turn_at_the_most(hand_of_1):
    passed = hand_of_1[-2:]
    game = staged([f"{passed} {DULL[3:]}", hand_of_1], "+10")
    act(game, f"{passed} -7")
    position = game.snapshot()
    assert (position["terminated"], position["banked"][1]) == (True, ["minus_7"])
    assert position["hands"][1] == counts(f"{passed} " * 3)


def test_twt_6_upside_down_set_can_be_banked_in_the_last_turn():
    game = staged([DULL, "u u u -7 -6"], "+5")
    act(game, "+5")
    assert (asked(game), legal_names(game)) == ((1, "bank"), cards("u decline"))
    act(game, "u")
    assert (game.terminated[0], hand(game, 1)) == (True, counts("+5 -6 -7"))


def test_twt_6_one_seat_alone_has_a_last_turn():
    game = staged(["-1 -1 -1 -2 -3", "-6 -6 -6 -2 -3", "-7 -7 -7 -2 -3"], "-4")
    act(game, "decline -4")
    assert asked(game) == (1, "bank")
    act(game, "-6")
    assert (game.terminated[0], game.snapshot()["banked"]) == (True, [[], ["minus_6"], []])


@pytest.mark.parametrize(("draws", "last"), [("-6", 1), ("-6 -7", 2), ("-6 -7 -6", 0), ("-6 -7 -6 -7", 1)])
def test_twt_6_last_turn_is_that_of_the_seat_on_the_left_of_the_drawer(draws, last):
    game = staged([DULL] * 3, draws)
    for card in cards(draws):
        assert not game.snapshot()["last_turn"]
        play(game, card)
    position = game.snapshot()
    assert (position["terminated"], position["turn"], position["last_turn"]) == (True, last, True)
    assert sum(sizes(game)) == 15 + len(cards(draws))


def test_twt_6_last_turn_comes_also_when_nothing_was_passed():
    game = staged(["u u u u u", "-6 -6 -6 -1 -2"], "u")
    act(game, "decline")
    assert (asked(game), sizes(game), game.snapshot()["last_turn"]) == ((1, "bank"), [6, 5], True)


def test_twt_6_third_set_of_the_drawer_of_the_last_card_ends_the_round():
    game = with_two_sets("-2 +10")
    act(game, "decline -1")
    assert (asked(game), game.snapshot()["draw_pile"]) == ((1, "bank"), [])
    act(game, "+10")
    position = game.snapshot()
    assert (position["terminated"], position["turn"], position["last_turn"]) == (True, 1, False)
    assert position["hands"] == [counts("-1 -2 -2 -2 -3 -3 -4 -5"), counts("-1")]
    assert position["banked"][0] == []


def test_twt_6_third_set_can_be_banked_in_the_last_turn():
    game = with_two_sets("+10")
    act(game, "+10")
    assert (asked(game), game.snapshot()["last_turn"]) == ((1, "bank"), True)
    act(game, "+10")
    position = game.snapshot()
    assert (position["terminated"], position["turn"], position["last_turn"]) == (True, 1, True)
    assert position["round_points"] == [0, 6 + 7 + 10]


# --- score ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "value"), list(zip(SHORT, VALUES, strict=True)))
def test_twt_7_set_scores_the_value_of_one_card_as_a_positive_number(kind, value):
    game = scored(f"{kind} {kind} {kind} +5 -5", banked=kind)
    assert game.snapshot()["banked"][0] == [SHORT[kind]]
    assert game.snapshot()["round_points"] == [abs(value), 0]


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ("+10 +10 +5 -1 -2", 22),
        ("+10 -1 -2 -3 -3", 1),
        ("u -1 -2 -3 -4", 10),
        ("u +10 -5 -6 -7", 8),
        ("u u +10 +5 -3", 12),
        ("u u u -7 -6", 13),
        ("u u u u +5", 5),
        ("u u u u -5", 0),
        ("u u u u u", 0),
    ],
)
def test_twt_8_hand_scores_its_sum_turned_by_an_odd_number_of_upside_down_cards(held, points):
    game = scored(held)
    assert (hand(game, 0), game.snapshot()["round_points"]) == (counts(held), [points, 0])


@pytest.mark.parametrize(
    ("held", "points"), [("u u u +10 -3", 7), ("u u u -7 -6", 0), ("u u u u -5", 5), ("u u u u +5", 0)]
)
def test_twt_8_banked_upside_down_cards_do_not_turn_the_hand(held, points):
    game = scored(held, banked="u")
    assert (game.snapshot()["banked"][0], game.snapshot()["round_points"]) == (["upside_down"], [points, 0])


@pytest.mark.parametrize(
    "held", ["+10 -1 -2 -3 -4", "-1 -2 -3 -4 -5", "u +10 +5 -1 -2", "u u -1 -2 -3", "u u u +10 -1"]
)
def test_twt_9_points_are_never_less_than_0(held):
    assert scored(held).snapshot()["round_points"] == [0, 0]


@pytest.mark.parametrize(
    ("held", "banked", "points"), [("-6 -6 -6 -1 -2", "-6", 3), ("-6 -6 -6 -5 -7", "-6", 0), ("-6 -6 -6 +5 u", "-6", 1)]
)
def test_twt_9_hand_is_taken_off_what_was_banked(held, banked, points):
    assert scored(held, banked=banked).snapshot()["round_points"] == [points, 0]


def test_twt_9_points_of_every_seat_count():
    game = scored("+10 +5 -1 -2 -3", hand_of_1="+10 +10 +5 u u")
    position = game.snapshot()
    assert (position["round_points"], position["scores"], position["winners"]) == ([9, 24], [9, 24], [1])
    assert game.scores[0].tolist() == game.round_points[0].tolist() == [9, 24]


def test_twt_9_scores_are_0_until_the_round_ends():
    position = with_two_sets("-4 +10").snapshot()
    assert (position["scores"], position["round_points"], position["winners"]) == ([0, 0], None, None)


# --- rounds, matches and rewards --------------------------------------------------------------------------------------


def three_scores(first, second, third, **options):
    """Three players, a round of one turn; the hands are scored as they are, the second with a -1 besides."""
    game = staged([first, second, third], "-1", **options)
    act(game, "-1")
    return game


TEN = "+10 +5 -5 +5 -5"
ELEVEN = "+10 +10 -5 -3 -1"  # ten with the -1


@pytest.mark.parametrize("options", [{}, {"episode": "match", "target_score": 10}])
@pytest.mark.parametrize(
    ("hands", "winners", "paid"),
    [
        ((TEN, DULL, POOR), [0], [1, -0.5, -0.5]),
        ((TEN, ELEVEN, POOR), [0, 1], [0.5, 0.5, -1]),
        ((TEN, ELEVEN, TEN), [0, 1, 2], [0, 0, 0]),
    ],
)
def test_twt_10_most_points_win_and_equal_ones_share(hands, winners, paid, options):
    game = three_scores(*hands, **options)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], rewards(game)) == (True, winners, paid)


def test_twt_10_seats_without_points_share_as_well():
    game = three_scores(DULL, DULL, POOR)
    assert game.snapshot()["round_points"] == [0, 0, 0]
    assert (game.snapshot()["winners"], rewards(game)) == ([0, 1, 2], [0, 0, 0])


def test_twt_10_score_reward_is_the_difference_from_the_mean_over_100():
    game = scored("+10 +10 +5 -1 -2", reward="score")
    assert rewards(game) == pytest.approx([0.11, -0.11])
    game = three_scores(TEN, ELEVEN, POOR, reward="score")
    assert rewards(game) == pytest.approx([(10 - 20 / 3) / 100] * 2 + [-20 / 3 / 100])


FIRST = ["+10 +10 +10 +10 +10", POOR], "+5"  # seat 0 begins: 45, or 50 if it passes the +5
SECOND = ["+10 +10 +10 +10 +10", POOR], "+5"  # seat 1 begins: 55 for seat 0 if it passes the +5, 46 if it passes the -4


def after_the_first_round(passed="+10", **options):
    game = staged(*FIRST, episode="match", later=[SECOND], **options)
    act(game, f"decline {passed}")
    return game


def test_twt_10_match_goes_on_below_the_target():
    game = after_the_first_round("+5", target_score=51)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (False, False, None)
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["scores"], position["round_points"]) == ([50, 0], [50, 0])
    assert position["hands"] == [counts(SECOND[0][0]), counts(f"{POOR} +5")]
    assert (position["banked"], position["draw_pile"], position["last_turn"], position["turn"]) == (
        [[], []],
        [],
        False,
        1,
    )
    assert (asked(game), position["decisions"], rewards(game)) == ((1, "pass"), 2, [0, 0])


def test_twt_10_sets_of_the_last_round_are_gone_in_the_next_one():
    hands = ["-6 -6 -6 +10 +10", "-7 -7 -5 -5 -4"]
    game = staged(hands, "-1", episode="match", later=[(hands, "-1")])
    act(game, "-6 -1")
    assert (game.snapshot()["scores"], game.snapshot()["banked"]) == ([26, 0], [[], []])
    assert all_cards(game.snapshot()) == Counter(cards(" ".join([*hands, "-1"])))


def test_twt_10_points_of_the_rounds_of_a_match_add_up():
    game = after_the_first_round("+10")
    act(game, "-4 decline")
    position = game.snapshot()
    assert (position["scores"], position["round_points"]) == ([91, 0], [46, 0])
    assert (position["round"], position["dealer"], position["shuffles"], position["terminated"]) == (2, 1, 3, False)


def test_twt_10_match_ends_when_a_seat_has_exactly_100_points():
    game = after_the_first_round("+10")
    act(game, "+5 decline")
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["scores"]) == (True, [0], [100, 0])
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["hands"][0], rewards(game)) == (counts(f"{SECOND[0][0]} +5"), [1, -1])


def test_twt_10_match_goes_on_with_99_points():
    game = after_the_first_round("+5", target_score=99)
    assert not game.terminated[0]
    hands, draws = ["+10 +10 +10 +10 +10", "-1 -7 -6 -6 -4"], "+5"
    game = staged(hands, draws, episode="match", later=[(hands, draws)])
    act(game, "decline +5 -1 decline")
    assert (game.snapshot()["scores"], game.terminated[0]) == ([99, 0], False)


def test_twt_10_highest_total_wins_the_match_not_the_last_round():
    first, second = ["+10 +10 +5 -1 -2", "+10 -3 -4 -5 -6"], ["+10 +10 -2 -5 -6", "+10 +5 -1 -3 -4"]
    game = staged(first, "-1", episode="match", target_score=23, later=[(second, "-1")])
    act(game, "-1")
    assert (game.snapshot()["scores"], asked(game)) == ([22, 0], (1, "pass"))
    act(game, "-1")
    position = game.snapshot()
    assert (position["round_points"], position["scores"]) == ([6, 7], [28, 7])
    assert (position["winners"], rewards(game)) == ([0], [1, -1])


def test_twt_10_target_can_be_reached_by_several_and_the_highest_wins():
    game = scored("+10 +5 -1 -2 -3", hand_of_1="+10 +10 +5 u u", episode="match", target_score=9)
    assert (game.snapshot()["scores"], game.snapshot()["winners"]) == ([9, 24], [1])


def test_twt_10_score_reward_of_a_match_is_paid_each_round():
    game = after_the_first_round("+5", reward="score")
    assert (game.terminated[0], rewards(game)) == (False, pytest.approx([0.25, -0.25]))
    act(game, "-4")
    assert rewards(game) == [0, 0]
    act(game, "decline")
    assert (game.terminated[0], rewards(game)) == (False, pytest.approx([0.23, -0.23]))


def test_twt_10_shuffles_of_a_match_are_random_past_the_stack():
    game = staged(*FIRST, episode="match")
    act(game, "decline +5")
    position = game.snapshot()
    assert (position["round"], position["shuffles"]) == (1, 2)
    assert all_cards(position) == Counter(cards(" ".join([*FIRST[0], FIRST[1]])))


def test_twt_10_stacked_shuffle_of_a_later_round_must_be_the_whole_deck():
    hands, draws = FIRST
    game = staged(hands, draws, episode="match", later=[([hands[0], DULL], draws)])
    with pytest.raises(ShuffleError, match="shuffle 1"):
        act(game, "decline +5")


def test_twt_10_target_is_100_by_default():
    assert BatchGame("twits", seed=0, num_players=2, episode="match").options.target_score == 100


@pytest.mark.parametrize(("episode", "cap"), [("round", 2_000), ("match", 40_000)])
def test_twt_11_cap_by_default(episode, cap):
    assert BatchGame("twits", seed=0, num_players=2, episode=episode).options.max_decisions == cap


def test_twt_11_cap_cuts_the_episode_off_without_a_reward():
    game = staged(["-2 -2 -2 -3 -4", DULL], "-6 -7", max_decisions=2)
    act(game, "-2")
    assert not game.truncated[0]
    act(game, "-6")
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert (position["scores"], position["round_points"], rewards(game)) == ([0, 0], None, [0, 0])
    assert (position["banked"], sizes(game)) == ([["minus_2"], []], [2, 7])


@pytest.mark.parametrize("options", [{}, {"episode": "match", "target_score": 22}])
def test_twt_11_episode_that_ends_with_its_last_decision_is_terminated(options):
    game = scored("+10 +10 +5 -1 -2", max_decisions=1, **options)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [0])
    assert rewards(game) == [1, -1]


@pytest.mark.parametrize(("reward", "paid"), [("win", [0, 0]), ("score", [0.25, -0.25])])
def test_twt_11_round_that_ends_at_the_cap_is_paid_and_the_next_one_dealt(reward, paid):
    game = after_the_first_round("+5", reward=reward, max_decisions=2)
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["round"], position["dealer"], position["shuffles"]) == (1, 0, 2)
    assert (position["scores"], position["round_points"]) == ([50, 0], [50, 0])
    assert position["hands"] == [counts(SECOND[0][0]), counts(f"{POOR} +5")]
    assert (position["actor"], position["phase"]) == (None, None)
    assert rewards(game) == pytest.approx(paid)
