"""Staging positions, playing by name and reading tables: what several test files need."""

import copy
import json
import pickle
from collections import Counter

import numpy as np

from cardenvs.engine.batch import BatchGame

UNO_KINDS = ("wild", "reverse", "skip", "double_skip", "draw_two", "draw_four", "targeted_draw_two", "forced_swap")
UNO_DECK = dict(zip(UNO_KINDS, (60, 8, 8, 8, 8, 4, 8, 8), strict=True))


def known_cards(states):
    """int (N, P, P, K): how many cards of each kind an observer knows to be in a seat's hand."""
    players = int(states["num_players"][0])
    rows = states["known"][:, : players**2].astype(int)
    return rows.reshape(len(states), players, players, -1)


# --- staging ----------------------------------------------------------------------------------------------------------


def deck_of(**copies):
    """A deck option: every kind named, those that are left out with 0 copies."""
    return dict.fromkeys(UNO_KINDS, 0) | copies


def mixed_deck(total):
    """A deck option of `total` cards with as many of each action card as there can be, the rest plain wilds."""
    each = total // len(UNO_KINDS)
    return dict.fromkeys(UNO_KINDS, each) | {"wild": total - 7 * each}


def full_hand(names):
    """Seven names: those given, filled up with wilds."""
    return [*names, *["wild"] * (7 - len(names))]


def stacked_deck(hands, start="wild", draws=(), dealer=None, deck=UNO_DECK):
    """The order of shuffle 0, top first, that deals these hands, by seat, turns up `start` and goes on with `draws`.

    Hands are filled up with wilds; the dealer is the last seat, so that seat 0 begins, unless one is given.
    """
    num_players = len(hands)
    dealer = num_players - 1 if dealer is None else dealer
    seats = [(dealer + r) % num_players for r in range(1, num_players + 1)]
    dealt = [full_hand(hands[seat])[i] for i in range(7) for seat in seats]
    order = [*dealt, start, *draws]
    rest = Counter(deck)
    rest.subtract(Counter(order))
    assert min(rest.values()) >= 0, f"the deck has not enough cards: {rest}"
    return [*order, *rest.elements()]


def staged(hands, start="wild", draws=(), dealer=None, later=(), deck=UNO_DECK, **options):
    """One game that begins with these hands (`stacked_deck`); `later` are the orders of the shuffles after that."""
    dealer = len(hands) - 1 if dealer is None else dealer
    game = BatchGame("uno_all_wild", seed=0, num_players=len(hands), deck=deck, **options)
    game.reset(options={"dealer": dealer, "shuffles": [stacked_deck(hands, start, draws, dealer, deck), *later]})
    return game


# --- playing ----------------------------------------------------------------------------------------------------------


def play(game, *names):
    """Take these actions one after the other, whoever is asked."""
    for name in names:
        game.step([game.action_index(name)])


def random_actions(game, rng):
    """A legal action for each game, drawn uniformly; 0 where the episode is over."""
    legal = game.legal()
    return np.where(legal, rng.random(legal.shape), -1.0).argmax(axis=1)


def over(game):
    return game.terminated | game.truncated


def go_on(game, rng, steps, deal_again=True):
    """Random decisions; games that are over are dealt again."""
    for _ in range(steps):
        game.step(random_actions(game, rng))
        if deal_again:
            game.reset(over(game))


# --- reading ----------------------------------------------------------------------------------------------------------


def asked(game):
    """Who is asked what, as (seat, phase name)."""
    position = game.snapshot()
    return position["actor"], position["phase"]


def legal_names(game):
    return game.snapshot()["legal"]


def hand(game, seat):
    return game.snapshot()["hands"][seat]


def sizes(game):
    return [sum(cards.values()) for cards in game.snapshot()["hands"]]


def rewards(game):
    return game.rewards[0].tolist()


def cards_in(position):
    """Every card of a snapshot of a game with hands and two piles, counted by name."""
    cards = Counter(position["draw_pile"]) + Counter(position["discard_pile"])
    for held in position["hands"]:
        cards += Counter(held)
    return cards


def snapshots(game):
    return [game[i].snapshot() for i in range(len(game))]


def shown(game):
    """All that a batch tells, as bytes that are equal only if everything is."""
    arrays = [game.rewards, game.legal(), game.terminated, game.truncated, game.scores, game.round_points]
    seen = [game.observe(seat) for seat in range(game.num_players)]
    return json.dumps(snapshots(game), sort_keys=True).encode() + b"".join(a.tobytes() for a in [*arrays, *seen])


# --- copying ----------------------------------------------------------------------------------------------------------

COPIES = {
    "copy": BatchGame.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "slice": lambda game: game[:],
}
