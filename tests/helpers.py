"""Staging positions, playing by name and reading tables: what several test files need."""

import hashlib
import json
from collections import Counter

import numpy as np

from cardenvs.engine.batch import BatchGame
from cardenvs.engine.seating import seat_learner

UNO_KINDS = ("wild", "reverse", "skip", "double_skip", "draw_two", "draw_four", "targeted_draw_two", "forced_swap")
UNO_DECK = dict(zip(UNO_KINDS, (60, 8, 8, 8, 8, 4, 8, 8), strict=True))


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


# --- the same games in another process --------------------------------------------------------------------------------


def _against_policies(game, num_players):
    return seat_learner(game, num_players, dict.fromkeys(game.policies, 1.0), "random")


SCRIPT = (
    {"num_players": 2},
    {"num_players": 2, "episode": "match", "reward": "score"},
    {"num_players": 2, "uno_calls": "declare", "deck": mixed_deck(17), "episode": "match"},
    {"num_players": 3, "uno_calls": "declare", "episode": "match", "reward": "score", "target_score": 300},
    {"num_players": 4, "start_card": "ignored", "max_decisions": 25, "encoding": "compact"},
    {"num_players": 4, "uno_calls": "declare", "seating": _against_policies},
    {"num_players": 10, "deck": mixed_deck(160), "reward": "score"},
)


def fingerprint(steps=30):
    """A digest of all that a fixed script of games shows: snapshots, masks, rewards, observations, possibilities."""
    digest = hashlib.sha256()
    for number, options in enumerate(SCRIPT):
        games = BatchGame("uno_all_wild", 2, seed=number, **options)
        rng = np.random.default_rng(number)
        for step in range(steps):
            games.step(random_actions(games, rng))
            _add(digest, games)
            games.reset(over(games))
            if step % 10 == 0:
                _add(digest, games.resample_hidden(step % games.num_players))
    return digest.hexdigest()


def _add(digest, games):
    for i in range(len(games)):
        digest.update(json.dumps(games[i].snapshot(), sort_keys=True).encode())
    digest.update(games.rewards.tobytes() + games.legal().tobytes() + games.observe().tobytes())
    for seat in range(games.num_players):
        digest.update(games.observe(seat).tobytes())
