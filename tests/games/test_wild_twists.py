"""The rules of Wild Twists war, by number (RULES.md). Seat 1 deals, so that the first card goes to seat 0."""

import itertools
import json
from collections import Counter

import numpy as np
import pytest

from cardenvs import games
from cardenvs.core.errors import IllegalActionError, OptionError, ShuffleError
from cardenvs.engine.batch import BatchGame
from tests.helpers import asked, rewards

RANKS = (*(str(n) for n in range(2, 11)), "jack", "queen", "king", "ace")
SUITS = ("heart", "diamond", "spade", "club")
COLOURS = {"heart": "red", "diamond": "red", "spade": "black", "club": "black"}
WILDS = tuple(f"wild_{mark}" for mark in ("red", "black", *SUITS))
KINDS = (*(f"{suit}_{rank}" for suit in SUITS for rank in RANKS), *WILDS)
SEATS = pytest.mark.parametrize("seat", [0, 1])

# The cards of a war that goes on once, and that the seat with the first of them wins.
TWO_WARS_0 = ["heart_7", "heart_2", "heart_3", "heart_4", "wild_red", "club_2", "club_3", "club_4", "wild_heart"]
TWO_WARS_1 = ["club_7", "club_ace", "club_king", "club_queen", "wild_club"]
TWO_WARS_1 += ["heart_king", "heart_jack", "heart_10", "heart_ace"]

# A war that begins on the last cards of the play decks, or on some of the last.
LAST_0 = ["heart_7", "heart_2", "heart_3", "heart_4"]
LAST_1 = ["club_7", "club_2", "club_3", "club_4"]


# --- staging ----------------------------------------------------------------------------------------------------------


def sure_wins(taken):
    """All cards but those taken, in pairs of which the first card wins."""
    rest = [kind for kind in KINDS if kind not in taken]
    wilds = [kind for kind in rest if kind in WILDS]
    ordinary = sorted((kind for kind in rest if kind not in WILDS), key=lambda kind: RANKS.index(kind.split("_")[1]))
    pairs = []
    for wild in wilds:
        mark = wild.split("_")[1]
        beaten = next(kind for kind in ordinary if mark in (kind.split("_")[0], COLOURS[kind.split("_")[0]]))
        ordinary.remove(beaten)
        pairs.append((wild, beaten))
    half = len(ordinary) // 2
    pairs += zip(ordinary[half:], ordinary[:half], strict=True)
    return pairs


def decks_with(cards_0, cards_1, after=0, winners=(0,)):
    """Play decks that hold these cards from place `after` on; `winners`, in turn, win the battles of the others."""
    pairs = sure_wins([*cards_0, *cards_1])
    pairs = [pair if winners[i % len(winners)] == 0 else pair[::-1] for i, pair in enumerate(pairs)]
    pairs[after:after] = zip(cards_0, cards_1, strict=True)
    return [list(deck) for deck in zip(*pairs, strict=True)]


def staged(decks, dealer=1, later=(), **options):
    """A game that begins with these play decks, by seat; `later` are the orders of the shuffles after the first."""
    first = decks[1 - dealer], decks[dealer]
    order = [card for pair in zip(*first, strict=True) for card in pair]
    game = BatchGame("wild_twists", seed=0, num_players=2, **options)
    game.reset(options={"dealer": dealer, "shuffles": [order, *later]})
    return game


def begin_with(cards_0, cards_1, **options):
    """A game whose play decks begin with these cards; after them seat 0 wins every battle."""
    return staged(decks_with(cards_0, cards_1), **options)


def flip(game, count=2):
    """So many flips; two are a battle, or one round of a war."""
    for _ in range(count):
        game.step([game.action_index("flip")])


def in_index_order(*cards):
    return sorted((card for several in cards for card in several), key=KINDS.index)


def table(game):
    """What lies there, by seat: (face up, face down)."""
    position = game.snapshot()
    return list(zip(position["face_up"], position["face_down"], strict=True))


def by_seat(seat, own, other):
    """A list by seat in which `own` is for this seat and `other` for the other one."""
    return [own, other] if seat == 0 else [other, own]


def left(position):
    """How many cards each seat has in its play deck and score pile."""
    return [len(deck) + len(pile) for deck, pile in zip(position["decks"], position["score_piles"], strict=True)]


def all_cards(position):
    piles = [*position["decks"], *position["score_piles"], *position["face_up"], *position["face_down"]]
    return Counter(card for pile in piles for card in pile)


def battle(card_0, card_1):
    """Who wins the first battle of these cards: a seat, or None for a war."""
    game = begin_with([card_0], [card_1])
    flip(game)
    position = game.snapshot()
    if position["phase"] == "war":
        assert position["score_piles"] == [[], []]
        return None
    winner = 0 if position["score_piles"][0] else 1
    assert position["score_piles"] == by_seat(winner, in_index_order([card_0, card_1]), [])
    return winner


# --- cards, actions, phases, options ----------------------------------------------------------------------------------


def test_wtw_deck_has_58_different_cards():
    game = BatchGame("wild_twists", seed=0, num_players=2)
    assert len(KINDS) == 58
    assert tuple(games.get("wild_twists").kinds) == KINDS
    assert all_cards(game.snapshot()) == dict.fromkeys(KINDS, 1)


@pytest.mark.parametrize(
    "deck",
    [
        {"heart_2": 2},
        dict.fromkeys(KINDS, 2),
        dict.fromkeys(KINDS, 0),
        dict.fromkeys(KINDS, 1) | {"heart_2": 2},
        dict.fromkeys(KINDS, 1) | {"heart_2": 0},
        dict.fromkeys(KINDS, 1) | {"heart_2": 2, "heart_3": 0},
    ],
)
def test_wtw_deck_can_not_be_another(deck):
    with pytest.raises(OptionError):
        BatchGame("wild_twists", seed=0, num_players=2, deck=deck)


def test_wtw_flip_is_the_only_action():
    game = BatchGame("wild_twists", seed=0, num_players=2)
    assert (list(game.action_names), game.action_index("flip")) == (["flip"], 0)
    with pytest.raises(IllegalActionError):
        game.step([1])


def test_wtw_phases_are_numbered_in_their_order():
    assert tuple(games.get("wild_twists").phases) == ("battle", "war")


@pytest.mark.parametrize("num_players", [0, 1, 3])
def test_wtw_is_for_2_players(num_players):
    with pytest.raises(OptionError):
        BatchGame("wild_twists", seed=0, num_players=num_players)


def test_wtw_has_no_matches():
    with pytest.raises(OptionError):
        BatchGame("wild_twists", seed=0, num_players=2, episode="match")
    assert BatchGame("wild_twists", seed=0, num_players=2, episode="round").snapshot()["episode"] == "round"


def test_wtw_snapshot_shows_these_keys_as_plain_data():
    cards = (
        ["spade_7", "heart_3", "heart_4", "heart_5", "heart_6"],
        ["heart_7", "spade_3", "spade_4", "spade_5", "spade_6"],
    )
    decks = decks_with(*cards, after=1)
    game = staged(decks)
    flip(game, 5)
    position = game.snapshot()
    assert json.loads(json.dumps(position)) == position
    assert position == {
        "game": "wild_twists",
        "num_players": 2,
        "episode": "round",
        "round": 0,
        "dealer": 1,
        "decisions": 5,
        "actor": 1,
        "phase": "war",
        "legal": ["flip"],
        "decks": [decks[0][6:], decks[1][2:]],
        "score_piles": [in_index_order([decks[0][0], decks[1][0]]), []],
        "face_up": [["spade_7", "heart_6"], ["heart_7"]],
        "face_down": [["heart_3", "heart_4", "heart_5"], []],
        "scores": [0, 0],
        "round_points": None,
        "winners": None,
        "terminated": False,
        "truncated": False,
        "shuffles": 1,
    }


# --- deal and battle --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", [0, 1])
def test_wtw_1_all_cards_are_dealt_in_turn_from_the_dealers_left(dealer):
    game = BatchGame("wild_twists", seed=0, num_players=2)
    game.reset(options={"dealer": dealer, "shuffles": [KINDS]})
    position = game.snapshot()
    assert position["decks"] == by_seat(1 - dealer, list(KINDS[0::2]), list(KINDS[1::2]))
    assert [len(deck) for deck in position["decks"]] == [29, 29]
    assert (position["score_piles"], table(game)) == ([[], []], [([], []), ([], [])])
    assert (position["dealer"], position["shuffles"], position["decisions"]) == (dealer, 1, 0)


@pytest.mark.parametrize("dealer", [0, 1])
def test_wtw_1_cards_are_flipped_in_the_order_in_which_they_were_dealt(dealer):
    decks = decks_with([], [])
    game = staged(decks, dealer=dealer)
    for battles in range(29):
        flip(game, 1)
        assert game.snapshot()["face_up"] == [[decks[0][battles]], []]
        flip(game, 1)
        position = game.snapshot()
        assert position["decks"] == [deck[battles + 1 :] for deck in decks]
        assert position["score_piles"][0] == in_index_order(*(deck[: battles + 1] for deck in decks))


@pytest.mark.parametrize("dealer", [0, 1])
def test_wtw_2_seat_0_is_asked_first_whoever_dealt(dealer):
    game = staged(decks_with(["heart_5", "heart_9"], ["spade_4", "spade_8"]), dealer=dealer)
    seen = []
    for _ in range(4):
        seen.append(asked(game))
        flip(game, 1)
    assert seen == [(0, "battle"), (1, "battle")] * 2


def test_wtw_2_flip_is_made_at_its_own_step():
    decks = decks_with(["heart_5"], ["spade_9"])
    game = staged(decks)
    flip(game, 1)
    assert table(game) == [(["heart_5"], []), ([], [])]
    assert game.snapshot()["decks"] == [decks[0][1:], decks[1]]
    flip(game, 1)
    position = game.snapshot()
    assert table(game) == [([], []), ([], [])]
    assert position["score_piles"] == [[], ["heart_5", "spade_9"]]
    assert (position["decks"], position["decisions"]) == ([decks[0][1:], decks[1][1:]], 2)


@SEATS
def test_wtw_2_flip_is_shown_to_nobody_before_both_are_made(seat):
    first = begin_with(["heart_5", "heart_9"], ["spade_4", "spade_8"])
    second = begin_with(["heart_9", "heart_5"], ["spade_4", "spade_8"])
    flip(first, 1)
    flip(second, 1)
    assert np.array_equal(first.observe(seat), second.observe(seat))
    flip(first, 1)
    flip(second, 1)
    assert first.snapshot()["score_piles"] != second.snapshot()["score_piles"]


@SEATS
def test_wtw_2_flip_of_a_war_is_shown_to_nobody_before_both_are_made(seat):
    downs = ["heart_3", "heart_4", "heart_6"]
    others = ["spade_5", "spade_3", "spade_4", "spade_6", "spade_8"]
    first = begin_with(["heart_5", *downs, "heart_9", "heart_10"], [*others, "spade_2"])
    second = begin_with(["heart_5", *downs, "heart_10", "heart_9"], [*others, "spade_2"])
    for game in (first, second):
        flip(game, 3)
        assert asked(game) == (1, "war")
    assert np.array_equal(first.observe(seat), second.observe(seat))


@SEATS
def test_wtw_2_possibilities_leave_open_what_was_flipped_alone(seat):
    game = begin_with(["heart_5"], ["heart_4"])
    flip(game, 1)
    tables = [game.resample_hidden(seat).snapshot()["face_up"] for _ in range(20)]
    assert all([len(cards) for cards in face_up] == [1, 0] for face_up in tables)
    assert len({face_up[0][0] for face_up in tables}) > 1


def test_wtw_3_higher_rank_wins_whatever_the_suits():
    for (low, high), (suit, other) in itertools.product(
        itertools.combinations(RANKS, 2), [("heart", "spade"), ("club", "diamond"), ("club", "club")]
    ):
        assert battle(f"{suit}_{high}", f"{other}_{low}") == 0
        assert battle(f"{suit}_{low}", f"{other}_{high}") == 1


def test_wtw_3_equal_ranks_are_a_war():
    for rank, (suit, other) in itertools.product(RANKS, itertools.permutations(SUITS, 2)):
        assert battle(f"{suit}_{rank}", f"{other}_{rank}") is None


@pytest.mark.parametrize("wild", WILDS)
@pytest.mark.parametrize("suit", SUITS)
def test_wtw_4_wild_wins_against_its_suit_or_colour_and_loses_to_others(wild, suit):
    wins = wild in (f"wild_{suit}", f"wild_{COLOURS[suit]}")
    for rank in RANKS:
        assert battle(wild, f"{suit}_{rank}") == (0 if wins else 1)
        assert battle(f"{suit}_{rank}", wild) == (1 if wins else 0)


def test_wtw_4_two_wilds_are_a_war():
    for pair in itertools.permutations(WILDS, 2):
        assert battle(*pair) is None


@SEATS
def test_wtw_5_winner_takes_the_cards_into_its_score_pile(seat):
    mine, others = ["wild_spade", "heart_9", "club_3"], ["spade_10", "diamond_8", "club_2"]
    game = begin_with(*by_seat(seat, mine, others))
    for battles in range(1, 4):
        flip(game)
        position = game.snapshot()
        assert position["score_piles"][seat] == in_index_order(mine[:battles], others[:battles])
        assert position["score_piles"][1 - seat] == []
        assert [len(deck) for deck in position["decks"]] == [29 - battles] * 2
    assert (position["scores"], position["round_points"]) == ([0, 0], None)


@SEATS
def test_wtw_5_cards_that_were_won_are_known_to_both(seat):
    game = begin_with(["heart_9", "heart_5", *TWO_WARS_0], ["spade_8", "spade_6", *TWO_WARS_1])
    flip(game, 10)
    piles = game.snapshot()["score_piles"]
    assert [len(pile) for pile in piles] == [20, 2]
    for _ in range(10):
        position = game.resample_hidden(seat).snapshot()
        assert position["score_piles"] == piles
        assert all_cards(position) == dict.fromkeys(KINDS, 1)


# --- war --------------------------------------------------------------------------------------------------------------


def test_wtw_6_cards_of_a_tie_stay_on_the_table():
    game = begin_with(["heart_7"], ["club_7"])
    flip(game)
    assert table(game) == [(["heart_7"], []), (["club_7"], [])]
    assert (asked(game), game.snapshot()["legal"]) == ((0, "war"), ["flip"])
    assert (game.snapshot()["score_piles"], game.terminated[0]) == ([[], []], False)


def test_wtw_6_three_cards_are_laid_face_down_and_the_fourth_face_up_by_one_flip():
    game = begin_with(TWO_WARS_0[:5], TWO_WARS_1[:5])
    flip(game, 3)
    assert (asked(game), game.snapshot()["decisions"]) == ((1, "war"), 3)
    assert table(game) == [(["heart_7", "wild_red"], ["heart_2", "heart_3", "heart_4"]), (["club_7"], [])]
    assert [len(deck) for deck in game.snapshot()["decks"]] == [24, 28]


@SEATS
def test_wtw_6_winner_of_a_war_takes_all_its_cards(seat):
    mine, others = [*TWO_WARS_0[:4], "heart_9"], [*TWO_WARS_1[:4], "club_8"]
    game = begin_with(*by_seat(seat, mine, others))
    flip(game, 4)
    position = game.snapshot()
    assert position["score_piles"] == by_seat(seat, in_index_order(mine, others), [])
    assert (asked(game), table(game)) == ((0, "battle"), [([], []), ([], [])])
    assert [len(deck) for deck in position["decks"]] == [24, 24]


@SEATS
@pytest.mark.parametrize("pair", [("wild_diamond", "diamond_ace"), ("spade_2", "wild_red")])
def test_wtw_6_wild_cards_count_in_a_war_as_in_a_battle(seat, pair):
    mine, others = [*TWO_WARS_0[:4], pair[0]], [*TWO_WARS_1[:4], pair[1]]
    game = begin_with(*by_seat(seat, mine, others))
    flip(game, 4)
    assert game.snapshot()["score_piles"] == by_seat(seat, in_index_order(mine, others), [])


@SEATS
def test_wtw_6_war_of_two_wilds_is_won_by_the_cards_laid_after_them(seat):
    mine, others = ["wild_heart", *TWO_WARS_0[1:4], "heart_9"], ["wild_black", *TWO_WARS_1[1:4], "club_8"]
    game = begin_with(*by_seat(seat, mine, others))
    flip(game, 4)
    assert game.snapshot()["score_piles"] == by_seat(seat, in_index_order(mine, others), [])


@SEATS
def test_wtw_6_tie_continues_the_war(seat):
    game = begin_with(*by_seat(seat, TWO_WARS_0, TWO_WARS_1))
    flip(game, 4)
    assert (asked(game), game.snapshot()["score_piles"]) == ((0, "war"), [[], []])
    tables = [(["heart_7", "wild_red"], TWO_WARS_0[1:4]), (["club_7", "wild_club"], TWO_WARS_1[1:4])]
    assert table(game) == by_seat(seat, *tables)
    flip(game, 1)
    position = game.snapshot()
    assert position["face_up"][0] == by_seat(seat, TWO_WARS_0[0::4], TWO_WARS_1[0::4])[0]
    assert [len(cards) for cards in position["face_down"]] == [6, 3]
    flip(game, 1)
    position = game.snapshot()
    assert position["score_piles"] == by_seat(seat, in_index_order(TWO_WARS_0, TWO_WARS_1), [])
    assert (asked(game), [len(deck) for deck in position["decks"]]) == ((0, "battle"), [20, 20])


@SEATS
def test_wtw_6_cards_face_down_are_shown_to_nobody(seat):
    swapped = [TWO_WARS_0[0], "heart_10", *TWO_WARS_0[2:5]]
    first = begin_with([*TWO_WARS_0[:5], "heart_10"], [*TWO_WARS_1[:5], "spade_9"])
    second = begin_with([*swapped, "heart_2"], [*TWO_WARS_1[:5], "spade_9"])
    for game in (first, second):
        flip(game, 4)
        assert asked(game) == (0, "war")
    assert first.snapshot()["face_down"] != second.snapshot()["face_down"]
    assert np.array_equal(first.observe(seat), second.observe(seat))


@SEATS
def test_wtw_6_possibilities_keep_the_cards_face_up_and_leave_the_others_open(seat):
    game = begin_with(TWO_WARS_0, TWO_WARS_1)
    flip(game, 4)
    possible = [game.resample_hidden(seat).snapshot() for _ in range(20)]
    assert all(position["face_up"] == game.snapshot()["face_up"] for position in possible)
    for of_seat in (0, 1):
        assert all(len(position["face_down"][of_seat]) == 3 for position in possible)
        assert len({frozenset(position["face_down"][of_seat]) for position in possible}) > 1


# --- a new play deck --------------------------------------------------------------------------------------------------


def reshuffled(decks, flips, *tops):
    """A game after so many flips, and the orders of the shuffles after that.

    `tops` are (whose score pile is shuffled, which cards are then on top); the others are in index order.
    """
    game = staged(decks)
    flip(game, flips)
    piles = game.snapshot()["score_piles"]
    assert all(card in piles[seat] for seat, top in tops for card in top)
    orders = [[*top, *(card for card in piles[seat] if card not in top)] for seat, top in tops]
    game = staged(decks, later=orders)
    flip(game, flips)
    assert game.snapshot()["shuffles"] == 1
    return game, orders


def test_wtw_7_score_pile_is_not_shuffled_before_a_card_is_needed():
    decks = decks_with([], [], winners=(0, 1))
    game = staged(decks)
    flip(game, 58)
    position = game.snapshot()
    assert (position["decks"], position["shuffles"]) == ([[], []], 1)
    assert position["score_piles"] == [in_index_order(*(deck[seat::2] for deck in decks)) for seat in (0, 1)]
    assert (asked(game), game.terminated[0]) == ((0, "battle"), False)


def test_wtw_7_each_seat_shuffles_its_score_pile_at_its_own_flip():
    game, orders = reshuffled(decks_with([], [], winners=(0, 1)), 58, (0, ["club_ace"]), (1, ["club_2"]))
    piles = game.snapshot()["score_piles"]
    flip(game, 1)
    position = game.snapshot()
    assert (position["decks"], position["score_piles"]) == ([orders[0][1:], []], [[], piles[1]])
    assert (position["face_up"], position["shuffles"]) == ([["club_ace"], []], 2)
    flip(game, 1)
    position = game.snapshot()
    assert (position["decks"], position["shuffles"]) == ([orders[0][1:], orders[1][1:]], 3)
    assert position["score_piles"] == [["club_2", "club_ace"], []]


@pytest.mark.parametrize("seed", range(4))
def test_wtw_7_there_is_a_shuffle_for_every_flip_that_needs_it_and_no_other(seed):
    game = BatchGame("wild_twists", seed=seed, num_players=2)
    for _ in range(300):
        if game.terminated[0]:
            game.reset()
        before = game.snapshot()
        seat = before["actor"]
        needed = 1 if before["phase"] == "battle" else min(4, left(before)[seat])
        flip(game, 1)
        after = game.snapshot()
        assert after["shuffles"] - before["shuffles"] == (needed > len(before["decks"][seat]))
        assert after["decks"][1 - seat] == before["decks"][1 - seat]
        assert all_cards(after) == dict.fromkeys(KINDS, 1)


def test_wtw_7_new_play_deck_is_in_random_order_past_the_stack():
    game = staged(decks_with([], [], winners=(0, 1)))
    flip(game, 58)
    pile = game.snapshot()["score_piles"][0]
    flip(game, 1)
    position = game.snapshot()
    drawn = [*position["face_up"][0], *position["decks"][0]]
    assert (in_index_order(drawn), drawn != pile) == (pile, True)


def test_wtw_7_stacked_shuffle_of_a_score_pile_must_be_its_cards():
    game = staged(decks_with([], [], winners=(0, 1)), later=[KINDS[:30]])
    flip(game, 58)
    with pytest.raises(ShuffleError, match="shuffle 1"):
        flip(game, 1)


@pytest.mark.parametrize("in_deck", range(4))
def test_wtw_7_both_score_piles_are_shuffled_in_the_midst_of_a_war(in_deck):
    cards = LAST_0[: 1 + in_deck], LAST_1[: 1 + in_deck]
    decks = decks_with(*cards, after=28 - in_deck, winners=(0, 1))
    game, orders = reshuffled(decks, 2 * (29 - in_deck), (0, []), (1, []))
    before = game.snapshot()
    assert (asked(game), [len(deck) for deck in before["decks"]]) == ((0, "war"), [in_deck] * 2)
    laid = [[*held[1:], *order][:4] for held, order in zip(cards, orders, strict=True)]
    flip(game, 1)
    position = game.snapshot()
    assert table(game) == [(["heart_7", laid[0][3]], laid[0][:3]), (["club_7"], [])]
    assert position["decks"] == [orders[0][4 - in_deck :], before["decks"][1]]
    assert (position["score_piles"], position["shuffles"]) == ([[], before["score_piles"][1]], 2)
    flip(game, 1)
    position = game.snapshot()
    assert (position["decks"][1], position["shuffles"]) == (orders[1][4 - in_deck :], 3)


@SEATS
def test_wtw_7_war_begins_though_a_play_deck_is_empty_when_there_is_a_score_pile(seat):
    other = 1 - seat
    decks = decks_with([], [], winners=(seat, *[other] * 28))
    assert (decks[seat][0], decks[other][0]) == ("wild_red", "heart_2")
    tops = by_seat(seat, (seat, ["wild_red", "heart_2"]), (other, ["heart_3", "spade_2"]))
    game, _ = reshuffled(decks, 58, *tops)
    flip(game, 4)
    position = game.snapshot()
    assert (asked(game), [len(deck) for deck in position["decks"]]) == ((0, "war"), by_seat(seat, 0, 54))
    assert (position["score_piles"], position["shuffles"]) == (by_seat(seat, ["heart_3", "wild_red"], []), 3)
    flip(game, 2)
    assert game.snapshot()["shuffles"] == 4


def last_war(seat, mine, others, top=()):
    """Seat `seat` has won every battle till its last cards, `mine`; their first one and that of `others` are a tie.

    The next shuffle is that of its score pile, and gives `top` first. Returned is also its order.
    """
    decks = decks_with(*by_seat(seat, mine, others), after=29 - len(mine), winners=(seat,))
    game, orders = reshuffled(decks, 2 * (30 - len(mine)), (seat, top))
    position = game.snapshot()
    assert position["face_up"] == by_seat(seat, mine[:1], others[:1])
    assert left(position) == by_seat(seat, 57 - len(others), len(others) - 1)
    return game, orders[0]


SHORT = pytest.mark.parametrize("num_left", [1, 2, 3])


def short_war(seat, num_left, fourth, last):
    """A `last_war` of four cards of `seat`, the fourth of which is from its score pile, against 1 to 3, with `last`."""
    mine, others = LAST_0[: 1 + num_left], [*LAST_1[:num_left], last]
    top = [*["diamond_2", "diamond_3"][: 3 - num_left], fourth]
    game, order = last_war(seat, mine, others, top)
    assert asked(game) == (0, "war")
    return game, [*mine[1:], *top], others[1:], order[len(top) :]


@SEATS
@SHORT
def test_wtw_8_seat_with_fewer_than_four_cards_lays_the_last_one_face_up(seat, num_left):
    game, _, short, _ = short_war(1 - seat, num_left, fourth="spade_9", last="diamond_9")
    flip(game, 1 + seat)
    assert table(game)[seat] == ([LAST_1[0], "diamond_9"], short[:-1])
    assert left(game.snapshot())[seat] == 0


@SEATS
@SHORT
def test_wtw_8_other_seat_lays_four_cards_as_always(seat, num_left):
    game, four, _, deck = short_war(seat, num_left, fourth="spade_9", last="diamond_9")
    flip(game, 1 + seat)
    position = game.snapshot()
    assert table(game)[seat] == ([LAST_0[0], "spade_9"], four[:3])
    assert (position["decks"][seat], position["score_piles"], position["shuffles"]) == (deck, [[], []], 2)


@SEATS
@SHORT
def test_wtw_8_seat_with_fewer_than_four_cards_can_win_the_war(seat, num_left):
    game, four, short, deck = short_war(1 - seat, num_left, fourth="spade_9", last="wild_spade")
    flip(game, 2)
    position = game.snapshot()
    assert (asked(game), position["winners"], table(game)) == ((0, "battle"), None, [([], []), ([], [])])
    assert position["decks"] == by_seat(seat, [], deck)
    assert position["score_piles"] == by_seat(seat, in_index_order([LAST_0[0], LAST_1[0]], four, short), [])


@SEATS
@SHORT
def test_wtw_8_seat_with_fewer_than_four_cards_can_lose_the_war_and_the_game(seat, num_left):
    game, four, short, _ = short_war(1 - seat, num_left, fourth="spade_9", last="diamond_8")
    flip(game, 2)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], left(position)) == (True, [1 - seat], by_seat(seat, 0, 58))
    assert position["score_piles"] == by_seat(seat, [], in_index_order([LAST_0[0], LAST_1[0]], four, short))


@SEATS
@pytest.mark.parametrize("in_deck", [0, 1])
def test_wtw_8_cards_of_the_score_pile_count_as_left(seat, in_deck):
    other = 1 - seat
    mine, others = LAST_1[: 1 + in_deck], LAST_0[: 1 + in_deck]
    decks = decks_with(*by_seat(seat, mine, others), after=28 - in_deck, winners=(seat, *[other] * 28))
    pile = [decks[seat][0], decks[other][0]]
    assert pile[0] in WILDS
    tops = (seat, pile[::-1]), (other, ["spade_2", "spade_3", "spade_4", "wild_club"][in_deck:])
    game, _ = reshuffled(decks, 2 * (29 - in_deck), *by_seat(seat, *tops))
    flip(game, 2)
    assert table(game)[seat] == ([mine[0], pile[0]], [*mine[1:], pile[1]])
    assert table(game)[other][0] == [others[0], "wild_club"]
    assert (game.snapshot()["shuffles"], left(game.snapshot())[seat]) == (3, 0)


# --- the end ----------------------------------------------------------------------------------------------------------


@SEATS
def test_wtw_9_seat_without_a_card_for_a_war_has_lost(seat):
    game, _ = last_war(seat, LAST_0[:1], LAST_1[:1])
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [seat])
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert rewards(game) == by_seat(seat, 1, -1)
    assert table(game) == by_seat(seat, (["heart_7"], []), (["club_7"], []))
    assert [len(pile) for pile in position["score_piles"]] == by_seat(seat, 56, 0)
    assert (position["decks"], position["shuffles"], position["decisions"]) == ([[], []], 1, 58)


@SEATS
@SHORT
def test_wtw_9_seat_without_a_card_for_a_war_that_continues_has_lost(seat, num_left):
    game, four, short, deck = short_war(seat, num_left, fourth="wild_heart", last="wild_black")
    flip(game, 1)
    assert not game.terminated[0]
    flip(game, 1)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], rewards(game)) == (True, [seat], by_seat(seat, 1, -1))
    assert table(game) == by_seat(seat, (["heart_7", "wild_heart"], four[:3]), (["club_7", "wild_black"], short[:-1]))
    assert position["decks"] == by_seat(seat, deck, [])
    assert position["score_piles"] == [[], []]


@SEATS
def test_wtw_9_seat_that_lays_its_last_four_cards_in_a_tie_has_lost(seat):
    mine, others = [*LAST_0[:4], "heart_9"], [*LAST_1[:4], "club_9"]
    game, _ = last_war(seat, mine, others)
    flip(game, 2)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], position["shuffles"]) == (True, [seat], 1)
    assert table(game) == by_seat(seat, (["heart_7", "heart_9"], mine[1:4]), (["club_7", "club_9"], others[1:4]))
    assert left(position) == by_seat(seat, 48, 0)


def all_in_one_war(last_0="heart_9", last_1="spade_9"):
    """Decks that go in one war; its last cards face up are these."""
    ties = [*((f"heart_{rank}", f"spade_{rank}") for rank in RANKS[:7]), (last_0, last_1)]
    rest = [kind for kind in KINDS if kind not in itertools.chain(*ties)]
    decks = [rest[:21], rest[21:]]
    for battle_number, tie in enumerate(ties):
        for deck, card in zip(decks, tie, strict=True):
            deck.insert(4 * battle_number, card)
    return decks


@pytest.mark.parametrize("reward", ["win", "score"])
def test_wtw_9_game_is_drawn_when_neither_has_a_card_for_the_war(reward):
    decks = all_in_one_war()
    game = staged(decks, reward=reward)
    flip(game, 15)
    assert (asked(game), game.snapshot()["decks"][0], len(game.snapshot()["decks"][1])) == ((1, "war"), [], 4)
    flip(game, 1)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [0, 1])
    assert (rewards(game), position["scores"], position["round_points"]) == ([0, 0], [0, 0], None)
    assert (left(position), position["shuffles"], position["decisions"]) == ([0, 0], 1, 16)
    assert position["face_up"] == [deck[0::4] for deck in decks]
    assert position["face_down"] == [[card for i, card in enumerate(deck) if i % 4] for deck in decks]


@SEATS
def test_wtw_10_winner_of_a_war_with_all_cards_in_it_wins_the_game(seat):
    game = staged(all_in_one_war(*by_seat(seat, "heart_10", "spade_9")))
    flip(game, 16)
    position = game.snapshot()
    assert (position["terminated"], position["winners"], left(position)) == (True, [seat], by_seat(seat, 58, 0))
    assert table(game) == [([], []), ([], [])]


@SEATS
@pytest.mark.parametrize("reward", ["win", "score"])
def test_wtw_10_game_ends_when_a_seat_has_no_card_after_a_battle(seat, reward):
    game = staged(decks_with([], [], winners=(seat,)), reward=reward)
    flip(game, 57)
    assert (game.terminated[0], rewards(game), game.snapshot()["winners"]) == (False, [0, 0], None)
    flip(game, 1)
    position = game.snapshot()
    assert (position["terminated"], position["truncated"], position["winners"]) == (True, False, [seat])
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert position["score_piles"] == by_seat(seat, list(KINDS), [])
    assert (position["decks"], position["shuffles"], position["decisions"]) == ([[], []], 1, 58)
    assert (rewards(game), position["scores"], position["round_points"]) == (by_seat(seat, 1, -1), [0, 0], None)


@SEATS
def test_wtw_10_seat_with_an_empty_play_deck_but_a_score_pile_goes_on(seat):
    game = staged(decks_with([], [], winners=(*[1 - seat] * 28, seat)))
    flip(game, 58)
    position = game.snapshot()
    assert (asked(game), left(position), position["terminated"]) == ((0, "battle"), by_seat(seat, 2, 56), False)


def test_wtw_11_cap_by_default():
    assert BatchGame("wild_twists", seed=0, num_players=2).options.max_decisions == 20_000


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("cap", [1, 2, 4, 5, 6])
def test_wtw_11_cap_cuts_the_episode_off_without_a_reward(cap, reward):
    cards = ["heart_9", *TWO_WARS_0], ["spade_8", *TWO_WARS_1]
    uncut, game = begin_with(*cards), begin_with(*cards, reward=reward, max_decisions=cap)
    flip(uncut, cap - 1)
    flip(game, cap - 1)
    assert not game.truncated[0]
    flip(uncut, 1)
    flip(game, 1)
    position = game.snapshot()
    assert (position["truncated"], position["terminated"], position["winners"]) == (True, False, None)
    assert (position["actor"], position["phase"], position["legal"]) == (None, None, [])
    assert (rewards(game), position["scores"], position["round_points"]) == ([0, 0], [0, 0], None)
    for key in ("decks", "score_piles", "face_up", "face_down", "decisions", "shuffles"):
        assert position[key] == uncut.snapshot()[key]


def test_wtw_11_game_that_ends_with_its_last_flip_is_terminated():
    game = staged(decks_with([], []), max_decisions=58)
    flip(game, 58)
    assert (game.terminated[0], game.truncated[0], rewards(game)) == (True, False, [1, -1])
    game = staged(all_in_one_war(), max_decisions=16)
    flip(game, 16)
    assert (game.terminated[0], game.truncated[0], game.snapshot()["winners"]) == (True, False, [0, 1])
