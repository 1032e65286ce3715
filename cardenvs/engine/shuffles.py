"""The orders of shuffles: of an episode's, which are drawn lazily, by playing it once more; and all there can be."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from cardenvs.core.errors import OptionError, ShuffleError
from cardenvs.core.game import as_keywords
from cardenvs.core.rng import SHUFFLE_0, spread
from cardenvs.core.state import ORDERS_HELD, new_records
from cardenvs.engine import kernels
from cardenvs.engine.batch import BatchGame

Card = TypeVar("Card")


def count_orders(cards: Sequence[Card], most: int) -> int:
    """In how many ways these cards can lie; an `OptionError` if that is more than `most`."""
    total = math.factorial(len(cards)) // math.prod(map(math.factorial, Counter(cards).values()))
    if total > most:
        raise OptionError(f"this deck has {total:,} orders: it must have at most {most:,} to be enumerated.")
    return total


def distinct_orders(cards: Sequence[Card], most: int) -> Iterator[tuple[Card, ...]]:
    """Every order of these cards once; an `OptionError` if that is more than `most`."""
    count_orders(cards, most)
    left = dict(Counter(cards))

    def go_on(order: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
        if len(order) == len(cards):
            yield order
        for card in left:
            if left[card]:
                left[card] -= 1
                yield from go_on((*order, card))
                left[card] += 1

    return go_on(())


def find_shuffles(
    games: BatchGame, key: Any, dealer: int, actions: Sequence[int], stacked: Sequence[Any] = ()
) -> list[list[str]]:
    """The order of every shuffle, top card first, of an episode of a game like `games`.

    Its key and dealer are given, the orders that were stacked for it, and the actions that were taken. A shuffle that
    is not known yet is stacked as one of no cards: it is refused together with the cards that it was to shuffle, and
    their order is that of its random stream.
    """
    orders = list(stacked)
    while (unknown := _first_unknown(games, key, dealer, actions, orders)) is not None:
        orders.append(_order(games, key, len(orders), unknown))
    kinds = games.game.kinds
    return [[kinds[card] for card in order] for order in orders]


def _first_unknown(games: BatchGame, key: Any, dealer: int, actions: Sequence[int], orders: list[Any]) -> Any:
    """int8: the cards that shuffle ``len(orders)`` is to shuffle, None if the episode has no further shuffle."""
    again = BatchGame(
        games.game,
        seed=np.array([key]),
        num_players=games.num_players,
        **as_keywords(games.game, games.options),
    )
    again._stack([0], [*orders, np.empty(0, np.int8)])
    try:
        again._advance(again._deal_all, None, None, False, dealer)
        again._after_shuffles(None)
        for action in actions:
            again.step_one(action)
    except ShuffleError:
        cards = again._states["orders"][0, (len(orders) + 1) % ORDERS_HELD]
        return cards[cards >= 0].copy()
    return None


def _order(games: BatchGame, key: Any, number: int, cards: Any) -> Any:
    """int8: these cards in the order that shuffle `number` gives them, top card first."""
    states = new_records(games.game.state, 1)
    n = len(cards)
    states["cards"][0, :n] = cards
    states["draw_size"] = n
    states["stream"] = spread(key, int(SHUFFLE_0) + number + 1)[-1]  # as `core.rng.derive` has it
    kernels.settle_draw_piles(states)
    return states["cards"][0, :n][::-1].copy()
