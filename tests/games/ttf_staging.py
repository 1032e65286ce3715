"""Staging positions of Twice the Fun: decks made to measure, hands of nine and of fewer cards, what seats know."""

from collections import Counter

from cardenvs.engine.batch import BatchGame
from tests.helpers import asked, hand, known_cards, play, sizes

COLORS = ("red", "blue", "green", "gold")
PENALTIES = ("double_trouble", "lose_your_turn", "draw_3", "draw_1")
WILDS = ("boomerang", "ricochet", "double_exchange")
NUMBER_CARDS = [f"{color}_{n}" for color in COLORS for n in range(1, 10)]
PENALTY_CARDS = [f"{color}_{kind}" for kind in PENALTIES for color in COLORS]
KINDS = [*NUMBER_CARDS, *PENALTY_CARDS, *WILDS]
COPIES = [2] * 36 + [1] * 8 + [2] * 8 + [5, 5, 2]
TTF_DECK = dict(zip(KINDS, COPIES, strict=True))

HAND = 9
SPARE = ("gold_9",) * 8  # what is drawn when a test does not care
MISS = "red_lose_your_turn"


def deck_of(copies):
    """A deck option: every kind named, those that are left out with 0 copies."""
    return dict.fromkeys(KINDS, 0) | copies


def filled(cards, fill="red_1"):
    """Nine names: those given, then `fill`."""
    return [*cards, *[fill] * (HAND - len(cards))]


def deal_order(hands, start="red_5", draws=(), dealer=None, fill="red_1"):
    """The order, top first, that deals these hands, by seat, turns up `start` and goes on with `draws`.

    The dealer is the last seat, so that seat 0 begins, unless one is given.
    """
    num_players = len(hands)
    dealer = num_players - 1 if dealer is None else dealer
    seats = [(dealer + r) % num_players for r in range(1, num_players + 1)]
    return [*(filled(hands[seat], fill)[i] for i in range(HAND) for seat in seats), start, *draws]


def staged(hands, start="red_5", draws=(), dealer=None, *, fill="red_1", spare=SPARE, later=(), **options):
    """One game that begins with these hands, filled up with `fill`; its draw pile is `draws` and then `spare`.

    The deck is made to measure; `later` are the orders of the shuffles after the first.
    """
    order = deal_order(hands, start, [*draws, *spare], dealer, fill)
    game = BatchGame("twice_the_fun", seed=0, num_players=len(hands), **{"deck": deck_of(Counter(order)), **options})
    game.reset(options={"dealer": len(hands) - 1 if dealer is None else dealer, "shuffles": [order, *later]})
    return game


def staged_match(*rounds, **options):
    """A match whose rounds begin with these (hands, start); the dealer of the first is the last seat."""
    num_players = len(rounds[0][0])
    orders = [
        deal_order(hands, start, dealer=(num_players - 1 + number) % num_players)
        for number, (hands, start) in enumerate(rounds)
    ]
    deck = Counter()
    for order in orders:
        deck |= Counter(order)
    orders = [[*order, *(deck - Counter(order)).elements()] for order in orders]
    game = BatchGame("twice_the_fun", seed=0, num_players=num_players, episode="match", deck=deck_of(deck), **options)
    game.reset(options={"dealer": num_players - 1, "shuffles": orders})
    return game


def played_down(hands, **options):
    """Seat 0 has the turn and every seat has exactly these cards, on a red 1: the others of its nine were red ones.

    Whoever began has laid most: no hand can be longer than that of a seat before it, or by more than one shorter.
    """
    lengths = [len(cards) for cards in hands]
    assert lengths == sorted(lengths, reverse=True) and lengths[0] - lengths[-1] <= 1 and lengths[-1] > 0
    begins = lengths.index(lengths[-1]) if lengths[-1] < lengths[0] else 0
    dealer = (begins - 1) % len(hands)
    game = staged([["red_1"] * (HAND - len(cards)) + list(cards) for cards in hands], dealer=dealer, **options)
    play(game, *["red_1"] * sum(HAND - length for length in lengths))
    assert (asked(game), sizes(game)) == ((0, "play"), lengths)
    return game


def down_to(cards, hand_of_1=(), *, fill="red_1", **options):
    """Two players: seat 0 has exactly these cards and the turn, on a red Lose Your Turn; seat 1 has nine cards."""
    run = HAND - len(cards)
    game = staged([[MISS] * run + list(cards), filled(hand_of_1, fill)], **options)
    for _ in range(run):
        play(game, MISS)
        if asked(game) == (1, "react"):
            play(game, "accept")
    assert (asked(game), hand(game, 0)) == ((0, "play"), dict(Counter(cards)))
    return game


def knows(game, observer, seat):
    """The cards that the observer knows in the seat's hand, as {name: count}."""
    known = known_cards(game._states)[0, observer, seat]
    return {kind: int(count) for kind, count in zip(KINDS, known, strict=True) if count}


def penalty(kind, origin, target, sender):
    """A pending penalty as the snapshot shows it."""
    return {"kind": kind, "origin": origin, "target": target, "sender": sender}
