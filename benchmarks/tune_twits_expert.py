"""Tune the weights of the `expert` policy of The Twits (cardenvs/games/twits/policies.py).

    python benchmarks/tune_twits_expert.py --players 2 3 4 5

An evolution strategy: in every generation, candidates drawn around the present weights play one seat of the same
rounds, against opponents that are all greedy, all expert (as it is in the package) or all random; the weights move to
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
from cardenvs.games.twits.policies import EXPERT, GREEDY, RANDOM, WEIGHTS, act, expert
from cardenvs.games.twits.rules import apply, deal, legal
from cardenvs.games.twits.view import view

GAME = games.get("twits")
TABLES = (GREEDY, EXPERT, EXPERT, GREEDY, RANDOM, EXPERT)  # the opponents of game i are TABLES[i % 6]
GUESS = np.array([0.6, 0.7, 1.1, 0.5, 1.5, 1.5, 9.0, 0.5, 0.1, 9.0, 1.0, 5.0, 5.0, 14.0])
SPREAD = np.array([0.2, 0.3, 0.3, 0.3, 0.6, 2.0, 5.0, 0.2, 0.05, 4.0, 0.3, 4.0, 2.0, 4.0])
LEAST = np.array([0.0, 0.0, 0.0, 0.0, -5.0, -10.0, 0.0, 0.0, 0.0, -20.0, 0.0, -20.0, 1.0, 1.0])


@kernel
def play_rounds(states, keys, work, mask, opponents, weights, won):
    """Play a round from every key, the candidate in seat 0, and note its share of the win."""
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
            action = expert(v, mask, weights) if s.actor == 0 else act(v, mask, mix(stream), opponents[b])
            apply(s, action)
        winners = 0
        for seat in range(s.num_players):
            winners += (s.winners >> seat) & 1
        won[b] = (s.winners & 1) / winners


class Arena:
    """Rounds of so many players, to try weights in."""

    def __init__(self, num_players: int, rounds: int) -> None:
        self.states = new_states(GAME, resolve_options(GAME, {"num_players": num_players}), rounds)
        self.work = new_records(GAME.view_record, 1)
        self.mask = np.zeros(len(GAME.actions(num_players)), np.bool_)
        self.opponents = np.resize(np.array(TABLES), rounds)
        self.won = np.zeros(rounds)

    def win_rate(self, weights: Any, seed: int) -> float:
        """How often the candidate wins; the same seed gives the same deals."""
        keys = seed_keys(seed, len(self.states))
        play_rounds(self.states, keys, self.work, self.mask, self.opponents, weights, self.won)
        return float(self.won.mean())


def tune(arena: Arena, weights: Any, args: argparse.Namespace, seed: int, first_step: float) -> Any:
    """Weights after so many generations, each of them searching a little closer than the last."""
    rng = np.random.default_rng(seed)
    best = args.candidates // 3
    shares = np.log(best + 0.5) - np.log(np.arange(1, best + 1))
    for generation in range(args.generations):
        step = first_step * 0.25 ** (generation / max(1, args.generations - 1))
        moves = rng.standard_normal((args.candidates // 2, len(weights)))
        candidates = np.maximum(weights + step * SPREAD * np.concatenate([moves, -moves]), LEAST)
        rates = np.array([arena.win_rate(candidate, 1000 * seed + generation) for candidate in candidates])
        chosen = candidates[np.argsort(-rates)[:best]]
        weights = shares @ chosen / shares.sum()
    print(f"  last generation: mean {rates.mean():.4f}, best {rates.max():.4f}", flush=True)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--rounds", type=int, default=2_400, help="rounds a candidate plays")
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3, help="searches, each from the weights of the last")
    parser.add_argument("--step", type=float, default=1.0, help="how far the first generation searches")
    parser.add_argument("--resume", action="store_true", help="start from the package's weights, not from a guess")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for num_players in args.players:
        print(f"{num_players} players", flush=True)
        weights = WEIGHTS[num_players].copy() if args.resume else GUESS
        arena = Arena(num_players, args.rounds)
        for repeat in range(args.repeats):
            weights = tune(arena, weights, args, args.seed + repeat, args.step * 0.7**repeat)
        print(f"{num_players} players: [{', '.join(f'{weight:.2f}' for weight in weights)}]", flush=True)


if __name__ == "__main__":
    main()
