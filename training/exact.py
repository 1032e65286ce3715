"""The best response to an agent, exactly: by enumeration of all deals of a tiny deck, at two players.

A position of the search is an information set: all deals that the responding seat cannot tell apart by what it has
observed since the beginning, each with its chance. Its value is the best action's, summed over these deals. Decks must
be so small that no pile is ever shuffled a second time within the game's `max_decisions`; dealer is seat 0.
"""

from typing import Any

import numpy as np
from omegaconf import DictConfig
from rich.console import Console

import agents
from agents import Agent
from cardenvs import BatchGame
from cardenvs.core.errors import OptionError
from cardenvs.core.state import NOBODY
from cardenvs.engine.shuffles import distinct_orders
from training.cli import game_options

MOST_DEALS = 20_000


def best_response_value(config: DictConfig, console: Console) -> float:
    """The payoff of the best response to ``config.agent``, the mean of both seats.

    Raises
    ------
    OptionError
        If there are more deals than can be enumerated, more than two players, or a pile is shuffled again.
    """
    if config.game.num_players != 2:
        raise OptionError(f"an exact best response is for 2 players, not for {config.game.num_players}.")
    options = game_options(config)
    agent = agents.load(config.agent, config.game.name, 2, options)
    games = all_deals(config.game.name, options)
    with console.status("Enumerating"):
        values = [best_value(games.copy(), np.ones(len(games)), seat, agent) for seat in range(2)]
    return float(np.mean(values)) / len(games)


def all_deals(game: str, options: dict[str, Any]) -> BatchGame:
    """One game for each order that the deck can have."""
    deck = BatchGame(game, seed=0, num_players=2, **options).options.deck
    orders = list(distinct_orders([kind for kind, copies in deck.items() for _ in range(copies)], MOST_DEALS))
    key = np.zeros(len(orders), np.uint64)  # the same for all, so that a scripted policy's lots tell of no card
    games = BatchGame(game, len(orders), seed=key, num_players=2, **options)
    for i, order in enumerate(orders):
        rows = np.zeros(len(orders), np.bool_)
        rows[i] = True
        games.reset(rows, options={"shuffles": [order], "dealer": 0}, seed=key)
        games._stacks = {}  # every card lies in the record now
    return games


def best_value(games: BatchGame, weights: Any, seat: int, agent: Agent) -> float:
    """The sum of weights times rewards, in games that `seat` could not tell apart when it was last asked."""
    games, weights, gains, seen = play_to_seat(games, weights, seat, agent)
    total = float(gains @ weights)
    asked = np.flatnonzero(games.actor == seat).tolist()
    groups: dict[bytes, list[int]] = {}
    for i in asked:
        groups.setdefault(seen[i], []).append(i)
    for rows in groups.values():
        together, actions = games[np.array(rows)], np.flatnonzero(games.legal()[rows[0]]).tolist()
        total += max(_value_of(together, weights[rows], seat, agent, action) for action in actions)
    return total


def _value_of(games: BatchGame, weights: Any, seat: int, agent: Agent, action: int) -> float:
    after = games.copy()
    after.step(np.full(len(after), action))
    gained = float(after.rewards[:, seat] @ weights)
    return gained + best_value(after, weights, seat, agent)


def play_to_seat(games: BatchGame, weights: Any, seat: int, agent: Agent) -> tuple[BatchGame, Any, Any, list[bytes]]:
    """Let the agent act until `seat` is asked or all is over: games, weights, rewards, and all that `seat` saw."""
    gains = np.zeros(len(games))
    seen = [row.tobytes() for row in games.observe(seat)]
    while True:
        if games._states["shuffles"].max() > 1:
            raise OptionError("a pile is shuffled again: enumeration needs a smaller max_decisions or a larger deck.")
        asked = np.flatnonzero((games.actor != seat) & (games.actor != NOBODY))
        if not len(asked):
            return games, weights, gains, seen
        chances = _chances(games, asked, agent)
        rows, actions = np.nonzero(chances)
        whole = np.arange(len(games))
        kept = np.concatenate([np.delete(whole, asked), asked[rows]])
        moved = np.arange(len(kept)) >= len(games) - len(asked)
        chosen = np.concatenate([np.zeros((~moved).sum(), np.int64), actions])
        weights, gains = weights[kept].copy(), gains[kept]
        weights[moved] *= chances[rows, actions]
        games, seen = games[kept], [seen[i] for i in kept]
        games.step_where(moved, chosen)
        gains[moved] += games.rewards[moved, seat]
        observed = games.observe(seat)
        for i in np.flatnonzero(moved):
            seen[i] += observed[i].tobytes()


def _chances(games: BatchGame, asked: Any, agent: Agent) -> Any:
    """float64 (n, A): with what chances the agent takes each action, in the games in which it is asked."""
    masks = games.legal()[asked]
    if agent.scripted == "random":
        return masks / masks.sum(axis=1, keepdims=True)
    if agent.scripted:
        actions = games.advise(agent.scripted)[asked]
    elif agent.act:
        actions = agent.act(games.observe_asked(asked, agent.encoding), masks)
    else:
        raise OptionError(f"{agent.name} searches: no best response to it can be enumerated.")
    chances = np.zeros(masks.shape)
    chances[np.arange(len(asked)), actions] = 1.0
    return chances
