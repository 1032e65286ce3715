"""Digests of all that a fixed script of games shows, to compare processes by: `python -m tests.fingerprint`."""

import hashlib
import json

import numpy as np

from cardenvs.engine.seating import seat_learner
from tests.helpers import over, random_actions
from tests.tables import ENTRIES, Table, usual

STEPS = 24


def against_policies(game, num_players):
    return seat_learner(game, num_players, dict.fromkeys(game.policies, 1.0), "random")


def fingerprint(name, steps=STEPS):
    """Snapshots, masks, rewards, observations and possibilities of some tables of a game."""
    digest = hashlib.sha256()
    for number, table in enumerate(ENTRIES[name].some):
        add_games(digest, Table(name, *table).batch(2, seed=number), steps)
    add_games(digest, usual(name).batch(2, seed=9, encoding="compact", seating=against_policies), steps)
    return digest.hexdigest()


def add_games(digest, games, steps):
    rng = np.random.default_rng(0)
    for step in range(steps):
        games.step(random_actions(games, rng))
        for i in range(len(games)):
            digest.update(json.dumps(games[i].snapshot(), sort_keys=True).encode())
        digest.update(games.rewards.tobytes() + games.legal().tobytes() + games.observe().tobytes())
        if step % 10 == 0:
            possible = games.resample_hidden(step % games.num_players)
            for seat in range(games.num_players):
                digest.update(games.observe(seat).tobytes() + possible.observe(seat).tobytes())
        games.reset(over(games))


if __name__ == "__main__":
    print(json.dumps({name: fingerprint(name) for name in ENTRIES}))
