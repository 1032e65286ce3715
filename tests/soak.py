"""Random play with every invariant on: `python -m tests.soak twice_the_fun --decisions 10_000_000`."""

import argparse

import numpy as np

from cardenvs import games
from tests.helpers import over, random_actions
from tests.tables import ENTRIES, Table
from tests.test_contract import assert_sound, expected_rewards


def soak(name, decisions, seed):
    """Random decisions over all numbers of players and all options; returns how many."""
    fewest, most = games.get(name).players
    tables = [Table(name, players, named) for players in range(fewest, most + 1) for named in ENTRIES[name].options]
    return sum(soak_table(table, decisions // len(tables) + 1, seed + i) for i, table in enumerate(tables))


def soak_table(table, decisions, seed):
    game, rng = table.batch(1024, seed=seed), np.random.default_rng(seed)
    done = 0
    while done < decisions:
        running, rounds_before = ~over(game), game._states["round_number"].copy()
        assert (game.legal().any(axis=1) == running).all()
        game.step(random_actions(game, rng))
        done += int(running.sum())
        assert np.allclose(game.rewards, expected_rewards(game, rounds_before, running, table.entry.points), atol=1e-5)
        assert abs(game.rewards.sum(axis=1)).max() < 1e-4
        assert abs(game.observe()).max() <= 1
        assert_sound(game, table.entry, row=int(rng.integers(1024)))
        game.reset(over(game))
    return done


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(games.VERSIONS))
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name in arguments.games:
        print(f"{name}: {soak(name, arguments.decisions, arguments.seed):,} decisions, no fault", flush=True)
