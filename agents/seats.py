"""Agents at the seats of a batch of games."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.protocol import Agent
from cardenvs import BatchGame


def choose_actions(table: BatchGame, players: Sequence[Agent]) -> Any:
    """int64 (N,): what the agents, by seat, do in the games in which they are asked; 0 where the game is over."""
    actor = table.actor
    actions = np.zeros(len(table), np.int64)
    for player in {id(player): player for player in players}.values():
        seats = [seat for seat, other in enumerate(players) if other is player]
        asked = np.flatnonzero(np.isin(actor, seats))
        if not len(asked):
            continue
        if player.scripted:
            actions[asked] = table.advise(player.scripted)[asked]
        elif player.search:
            # what is possible depends on the decision alone, so that games can be shared out as one likes
            actions[asked] = player.search(table[asked].resample_hidden(keys=table.decision_keys()[asked]))
        elif player.act:
            actions[asked] = player.act(table.observe_asked(asked, player.encoding), table.legal()[asked])
    return actions


def thoughts(table: BatchGame, player: Agent) -> dict[str, Any]:
    """What an agent that is asked in a single game thinks of it, by action name: nothing if it does not say."""
    if player.think is None:
        return {}
    chances, values = player.think(table.observe_asked(np.zeros(1, np.int64), player.encoding), table.legal())
    legal = np.flatnonzero(table.legal()[0])
    told: dict[str, Any] = {
        "probabilities": {table.action_name(int(action)): round(float(chances[0, action]), 4) for action in legal}
    }
    return told if values is None else told | {"value": round(float(values[0]), 4)}
