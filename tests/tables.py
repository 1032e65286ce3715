"""What the tests that run over every game have to be told of each: the table that a new game adds an entry to."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np
import pytest

from cardenvs import games
from cardenvs.engine.batch import BatchGame
from tests.helpers import UNO_KINDS, cards_in, known_cards, mixed_deck

HANDS_AND_PILES = {"hands", "draw_pile", "discard_pile"}

# --- games with hands and a draw pile ---------------------------------------------------------------------------------


def seen_of_hands_and_pile(position, seat):
    """What a seat sees of that of a snapshot which is hidden in part."""
    hands = position["hands"]
    sizes = [sum(cards.values()) for cards in hands]
    return {"hands": (hands[seat], sizes), "draw_pile": len(position["draw_pile"])}


def count_hands_and_piles(states):
    """All cards by row and kind."""
    cards = states["cards"]
    in_pile = np.arange(cards.shape[1]) < states["draw_size"][:, None]
    pile = np.stack([((cards == k) & in_pile).sum(axis=1) for k in range(states["hands"].shape[2])], axis=1)
    return states["hands"].sum(axis=1) + pile + states["discards"]


def hands_of_others(states, seat):
    return np.delete(states["hands"][:, : states["num_players"][0]], seat, axis=1)


def exchange_unseen_card(states, owners, rng):
    """Exchange a card of each row's owner's hand for another of the draw pile, if no other seat has seen any such card.

    Returns, bool (N,), in which rows.
    """
    changed = np.zeros(len(states), bool)
    for b, owner in enumerate(owners):
        hand, pile = states["hands"][b, owner], states["cards"][b, : states["draw_size"][b]]
        unseen = np.flatnonzero(hand > known_cards(states)[b, :, owner].max(axis=0))
        pairs = [(k, i) for k in unseen for i in np.flatnonzero(pile != k)]
        if pairs:
            k, i = pairs[rng.integers(len(pairs))]
            hand[k] -= 1
            hand[pile[i]] += 1
            pile[i] = k
            changed[b] = True
    return changed


# --- the entries ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """What is to be known of a game.

    Quick tests try all `players` with all `options`, which are functions of the number of players, slow ones `some` of
    them, of which the first should bring most rules to bear. Every game has the options `default`, `dry`, a deck of
    few cards more than the least, and `cut-off`, by the cap. The functions that have defaults are those of a game
    with hands, a draw pile and a discard pile.
    """

    players: tuple[int, ...]
    options: Mapping[str, Callable[[int], dict[str, Any]]]
    some: tuple[tuple[int, str], ...]
    snapshot_keys: set[str]  # besides those of all games
    points: float  # what a point is worth to the `score` reward; 0 where that is the `win` reward
    holds: Callable[[dict[str, Any]], None]  # asserts what the rules say of every snapshot
    cards_in: Callable[[dict[str, Any]], Counter] = cards_in  # all cards of a snapshot, by name
    seen_of: Callable[[dict[str, Any], int], dict[str, Any]] = seen_of_hands_and_pile  # in place of what is secret
    count_cards: Callable[[Any], Any] = count_hands_and_piles  # int (N, kinds) of N records
    hidden_from: Callable[[Any, int], Any] = hands_of_others  # (N, hands, …) of N records and a seat
    exchange_unseen: Callable[[Any, Any, Any], Any] = exchange_unseen_card  # bool (N,) of N records and their owners


def hand_of_actor(position):
    return position["hands"][position["actor"]]


def every_other_seat(position):
    return [f"seat_{r}" for r in range(1, position["num_players"])]


def uno_holds(position):
    assert position["discard_pile"]
    assert position["direction"] in (1, -1)
    to_declare, silent, actor, legal = (position[key] for key in ("to_declare", "silent", "actor", "legal"))
    match position["phase"]:
        case None:
            assert (to_declare, silent) == ([], None)
        case "play":
            assert [name for name in legal if name in UNO_KINDS] == list(hand_of_actor(position))
            assert actor == position["turn"]
        case "target":
            assert legal == every_other_seat(position)
        case "declare":
            assert (actor, silent) == (to_declare[0], None)
            assert sum(hand_of_actor(position).values()) == 1
        case "catch":
            assert silent == to_declare[0] != actor


def ttf_fits(kind, color, top):
    """Whether a coloured card can be laid (TTF-5)."""
    number = kind.split("_", 1)[1]
    return kind.split("_")[0] == color or (number.isdigit() and number == top.partition("_")[2])


def ttf_holds(position):
    assert position["discard_pile"]
    assert min(position["missed_turns"]) >= 0
    phase, penalty, legal = (position[key] for key in ("phase", "penalty", "legal"))
    if phase is None:
        assert penalty is None or position["truncated"]
        return
    hand, top = hand_of_actor(position), position["discard_pile"][0]
    wild = [kind for kind in hand if kind in TTF_WILD]
    assert (position["to_give"] > 0) == (phase == "give")
    assert penalty is None or phase not in ("play", "exchange")
    match phase:
        case "play":
            coloured = [kind for kind in hand if kind not in TTF_WILD and ttf_fits(kind, position["color"], top)]
            assert legal == [*coloured, *wild, *(["draw"] if not coloured else [])]
        case "target":
            assert legal == every_other_seat(position)
        case "color":
            assert legal == [f"color_{color}" for color in ("red", "blue", "green", "gold")]
            assert top in TTF_WILD
            assert position["color"] is None
        case "react":
            answers = [kind for kind in wild if kind != "double_exchange"]
            assert answers
            assert legal == [*answers, "accept"]
            assert position["actor"] == penalty["target"] != penalty["sender"]
        case "give":
            assert legal == list(hand)
            assert penalty["kind"] == "double_trouble"
            assert position["actor"] != penalty["target"]
        case "exchange":
            assert len(legal) == position["num_players"] - 1
            assert legal[0] == "decline"


TTF_KINDS = games.get("twice_the_fun").kinds
TTF_WILD = ("boomerang", "ricochet", "double_exchange")
TTF_CARDS = (
    "red_1", "boomerang", "blue_draw_3", "green_2", "gold_double_trouble", "ricochet", "red_lose_your_turn", "blue_1",
    "double_exchange", "gold_draw_1", "green_double_trouble", "red_2", "boomerang", "ricochet", "gold_1",
)  # fmt: skip


def ttf_deck(total):
    """A deck option of `total` cards with far more penalties and answers to them than the printed one has."""
    return dict.fromkeys(TTF_KINDS, 0) | Counter(islice(cycle(TTF_CARDS), total))


def twits_deck(total):
    """A deck option of `total` cards, as many of each kind as there can be."""
    kinds = games.get("twits").kinds
    return dict.fromkeys(kinds, 0) | Counter(islice(cycle(kinds), total))


def twits_holds(position):
    assert max(map(len, position["banked"])) <= 3
    if position["phase"] is None:
        return
    hand = hand_of_actor(position)
    assert position["actor"] == position["turn"]
    if position["phase"] == "bank":
        assert position["legal"] == [*(kind for kind, n in hand.items() if n >= 3), "decline"]
        assert len(position["legal"]) > 1
    else:
        assert position["legal"] == [kind for kind in hand if kind != "upside_down"] != []
        assert not position["last_turn"]


def twits_cards_in(position):
    cards = Counter(position["draw_pile"])
    for hand, banked in zip(position["hands"], position["banked"], strict=True):
        cards += Counter(hand) + Counter(3 * banked)
    return cards


WTW_PILES = ("decks", "score_piles", "face_up", "face_down")


def wtw_holds(position):
    up, down = ([len(cards) for cards in position[pile]] for pile in ("face_up", "face_down"))
    assert position["legal"] == (["flip"] if position["phase"] else [])
    assert (position["scores"], position["round_points"]) == ([0, 0], None)
    match position["actor"]:
        case 0:
            assert up[0] == up[1]
            assert (up[0] == 0) == (position["phase"] == "battle")
        case 1:
            assert up[0] == up[1] + 1
    assert max(down) <= 3 * max(up)


def wtw_seen_of(position, seat):
    """What both see: the cards that were won, and those face up, but for the first flip of two."""
    shown = len(position["face_up"][1])
    return {
        "decks": [len(deck) for deck in position["decks"]],
        "face_up": [cards[:shown] for cards in position["face_up"]],
        "face_down": [len(cards) for cards in position["face_down"]],
    }


def wtw_count_cards(states):
    kinds, rows = np.arange(58), len(states)
    counts = (states["score"][:, :, None] >> kinds.astype(np.uint64) & np.uint64(1)).sum(axis=1).astype(int)
    places = 58 * np.arange(rows)[:, None, None] + np.zeros((1, 2, 58), int)
    for pile, size in (("decks", "deck_sizes"), ("face_up", "up_sizes"), ("face_down", "down_sizes")):
        inside = kinds < states[size][:, :, None]
        counts += np.bincount((places + states[pile])[inside], minlength=58 * rows).reshape(rows, 58)
    return counts


def wtw_exchange_unseen(states, owners, rng):
    """Exchange two cards of each row's owner's play deck."""
    sizes = states["deck_sizes"][np.arange(len(states)), owners]
    for b, (owner, size) in enumerate(zip(owners, sizes, strict=True)):
        if size > 1:
            i, j = rng.choice(size, 2, replace=False)
            deck = states["decks"][b, owner]
            deck[i], deck[j] = deck[j], deck[i]
    return sizes > 1


ENTRIES = {
    "uno_all_wild": Entry(
        players=(2, 3, 4, 7, 10),
        options={
            "default": lambda p: {},
            "declare-match": lambda p: {"uno_calls": "declare", "episode": "match"},
            "ignored-score": lambda p: {"start_card": "ignored", "reward": "score"},
            "dry": lambda p: {"deck": mixed_deck(7 * p + 3), "uno_calls": "declare"},
            "large": lambda p: {"deck": mixed_deck(160), "episode": "match", "reward": "score"},
            "cut-off": lambda p: {"max_decisions": 9, "uno_calls": "declare", "episode": "match", "target_score": 100},
        },
        some=((4, "declare-match"), (3, "dry"), (2, "default"), (10, "large"), (4, "cut-off")),
        snapshot_keys=HANDS_AND_PILES | {"direction", "turn", "to_declare", "silent"},
        points=1 / 500,
        holds=uno_holds,
    ),
    "twice_the_fun": Entry(
        players=(2, 3, 4, 7, 10),
        options={
            "default": lambda p: {},
            "match": lambda p: {"episode": "match", "target_score": 20},
            "match-score": lambda p: {"episode": "match", "reward": "score", "target_score": 60},
            "dry": lambda p: {"deck": ttf_deck(9 * p + 3), "reward": "score"},
            "large": lambda p: {"deck": ttf_deck(160), "episode": "match"},
            "cut-off": lambda p: {"max_decisions": 9, "deck": ttf_deck(108)},
        },
        some=((4, "match-score"), (3, "dry"), (2, "default"), (10, "large"), (4, "cut-off")),
        snapshot_keys=HANDS_AND_PILES | {"color", "turn", "missed_turns", "penalty", "to_give"},
        points=-1 / 100,
        holds=ttf_holds,
    ),
    "twits": Entry(
        players=(2, 3, 4, 5),
        options={
            "default": lambda p: {},
            "match": lambda p: {"episode": "match", "target_score": 40},
            "match-score": lambda p: {"episode": "match", "reward": "score", "target_score": 30},
            "dry": lambda p: {"deck": twits_deck(5 * p + 12), "reward": "score"},
            "large": lambda p: {"deck": twits_deck(120), "episode": "match"},
            "cut-off": lambda p: {"max_decisions": 9},
        },
        some=((4, "match-score"), (3, "dry"), (2, "default"), (5, "large"), (4, "cut-off")),
        snapshot_keys={"hands", "draw_pile", "banked", "turn", "last_turn"},
        points=1 / 100,
        holds=twits_holds,
        cards_in=twits_cards_in,
    ),
    "wild_twists": Entry(
        players=(2,),
        options={
            "default": lambda p: {},
            "score": lambda p: {"reward": "score"},
            "dry": lambda p: {},  # the deck is always the same
            "cut-off": lambda p: {"max_decisions": 9},
        },
        some=((2, "score"), (2, "default"), (2, "cut-off")),
        snapshot_keys=set(WTW_PILES),
        points=0,
        holds=wtw_holds,
        cards_in=lambda position: Counter(name for pile in WTW_PILES for cards in position[pile] for name in cards),
        seen_of=wtw_seen_of,
        count_cards=wtw_count_cards,
        hidden_from=lambda states, seat: states["decks"][:, :, :20],
        exchange_unseen=wtw_exchange_unseen,
    ),
}


# --- tables, to be parametrised over ----------------------------------------------------------------------------------


class Table(NamedTuple):
    """Games of one kind, for so many players, with the options of that name."""

    name: str
    num_players: int
    named: str

    @property
    def entry(self):
        return ENTRIES[self.name]

    @property
    def options(self):
        return {"num_players": self.num_players} | self.entry.options[self.named](self.num_players)

    def batch(self, n=1, seed=0, **more):
        return BatchGame(self.name, n, seed=seed, **self.options | more)


def smallest(name):
    return Table(name, games.get(name).players[0], "default")


def usual(name):
    return Table(name, min(4, games.get(name).players[1]), "default")


def busy(name, num_players=None):
    """The options that come first in `some`."""
    usual_number, named = ENTRIES[name].some[0]
    return Table(name, num_players or usual_number, named)


def some_players(name):
    """The fewest, the usual number and the most."""
    return sorted({smallest(name).num_players, usual(name).num_players, games.get(name).players[1]})


def over_tables(tables):
    return pytest.mark.parametrize("table", tables, ids=lambda table: "-".join(map(str, table)))


every_game = pytest.mark.parametrize("name", games.VERSIONS)
EVERY_TABLE = [Table(name, p, o) for name, e in ENTRIES.items() for p in e.players for o in e.options]
every_table = over_tables(EVERY_TABLE)
SOME_TABLES = [Table(name, *table) for name, e in ENTRIES.items() for table in e.some]
some_tables = over_tables(SOME_TABLES)
some_tables_with_memory = over_tables([table for table in SOME_TABLES if "known" in games.get(table.name).state.names])
small_table = over_tables([smallest(name) for name in ENTRIES])
usual_table = over_tables([usual(name) for name in ENTRIES])
busy_table = over_tables([busy(name) for name in ENTRIES])
every_size = over_tables([busy(name, p) for name in ENTRIES for p in some_players(name)])


# --- what a test may pick ---------------------------------------------------------------------------------------------


def illegal_action(mask):
    """The first action that is not legal; the test is skipped for a game in which all always are."""
    if mask.all():
        pytest.skip("every action of the game is legal")
    return int(np.argmin(mask))


def hardest(name):
    """The last policy of a game, which is the strongest."""
    return games.get(name).policies[-1]
