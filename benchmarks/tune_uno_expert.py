"""Tune the weights of the `expert` policy of UNO All Wild (cardenvs/games/uno_all_wild/policies.py).

    python benchmarks/tune_uno_expert.py --players 2 3 4 6

An evolution strategy: in every generation, candidates drawn around the present weights play one seat of the same
games, against opponents that are all greedy, all expert (as it is in the package) or all random; the weights move to
the mean of the best third. Prints a row of `WEIGHTS` for each number of players. One core.
"""

import argparse
from typing import Any

import numpy as np

from cardenvs import games
from cardenvs.core.game import new_states, resolve_options
from cardenvs.core.jit import kernel
from cardenvs.core.rng import POLICY, derive, mix, next_state, seed_keys
from cardenvs.core.state import NOBODY, new_records
from cardenvs.games.uno_all_wild.layout import SEAT_0, TARGET
from cardenvs.games.uno_all_wild.policies import (
    EXPERT,
    GREEDY,
    RANDOM,
    SLOPE,
    WEIGHTS,
    act,
    best_target,
    expert_play,
)
from cardenvs.games.uno_all_wild.rules import apply, deal, legal
from cardenvs.games.uno_all_wild.view import view

GAME = games.get("uno_all_wild")
TABLES = (GREEDY, GREEDY, EXPERT, EXPERT, RANDOM)  # the opponents of game i are TABLES[i % 5]
GUESS = np.array([0.0, 0.4, 0.4, 0.3, 0.6, 0.8, 0.3, 0.5, 0.2, 1.0, 0.3, 0.0, 0.0])
SPREAD = np.array([0.0, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.2, 0.3, 0.15, 0.5, 0.4])
LEAST_SLOPE = 0.1


@kernel
def play_rounds(states, keys, work, mask, opponents, weights, won):
    """Play a round from every key, the candidate in seat 0, and note whether it won."""
    v = work[0]
    for b in range(states.shape[0]):
        s = states[b]
        s.key = keys[b]
        stream = derive(s.key, POLICY)
        deal(s, NOBODY)
        while s.actor != NOBODY:
            stream = next_state(stream)
            legal(s, mask)
            view(s, s.actor, v)
            if s.actor > 0:
                action = act(v, mask, mix(stream), opponents[b])
            elif v.phase == TARGET:
                action = SEAT_0 + best_target(v, v.top, v.sizes[0], weights)
            else:
                action = expert_play(v, mask, weights)
            apply(s, action)
        won[b] = s.winners == 1


class Arena:
    """Rounds of so many players, to try weights in."""

    def __init__(self, num_players: int, rounds: int) -> None:
        self.states = new_states(GAME, resolve_options(GAME, {"num_players": num_players}), rounds)
        self.work = new_records(GAME.view_record, 1)
        self.mask = np.zeros(len(GAME.actions(num_players)), np.bool_)
        self.opponents = np.resize(np.array(TABLES), rounds)
        self.won = np.zeros(rounds, np.bool_)

    def win_rate(self, weights: Any, seed: int) -> float:
        """How often the candidate wins; the same seed gives the same deals."""
        keys = seed_keys(seed, len(self.states))
        play_rounds(self.states, keys, self.work, self.mask, self.opponents, weights, self.won)
        return float(self.won.mean())


def tune(arena: Arena, weights: Any, args: argparse.Namespace) -> Any:
    """Weights after so many generations, each of them searching a little closer than the last."""
    rng = np.random.default_rng(args.seed)
    best = args.candidates // 3
    shares = np.log(best + 0.5) - np.log(np.arange(1, best + 1))
    for generation in range(args.generations):
        step = args.step * 0.25 ** (generation / max(1, args.generations - 1))
        moves = rng.standard_normal((args.candidates // 2, len(weights)))
        candidates = weights + step * SPREAD * np.concatenate([moves, -moves])
        candidates[:, SLOPE] = np.maximum(candidates[:, SLOPE], LEAST_SLOPE)
        rates = np.array([arena.win_rate(candidate, 1000 * args.seed + generation) for candidate in candidates])
        chosen = candidates[np.argsort(-rates)[:best]]
        weights = shares @ chosen / shares.sum()
        print(f"  generation {generation}: mean {rates.mean():.4f}, best {rates.max():.4f}", flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 6])
    parser.add_argument("--rounds", type=int, default=10_000, help="rounds a candidate plays")
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--step", type=float, default=1.0, help="how far the first generation searches")
    parser.add_argument("--resume", action="store_true", help="start from the package's weights, not from a guess")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for num_players in args.players:
        print(f"{num_players} players", flush=True)
        start = WEIGHTS[min(num_players, len(WEIGHTS) - 1)] if args.resume else GUESS
        weights = tune(Arena(num_players, args.rounds), start.copy(), args)
        print(f"{num_players} players: [{', '.join(f'{weight:.2f}' for weight in weights)}]", flush=True)


if __name__ == "__main__":
    main()
