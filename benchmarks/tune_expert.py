"""Tune the weights of a game's `expert` policy (cardenvs/games/<game>/policies.py).

    python benchmarks/tune_expert.py twice_the_fun --players 2 3 4 6

An evolution strategy: in every generation, candidates drawn around the present weights play one seat of the same
games, against opponents that are all greedy, all expert (as it is in the package) or all random; the weights move to
the mean of the best third. Prints a row of weights for each number of players, and the mean of these rows. One core.
"""

import argparse
from typing import Any

import numpy as np
from numba.extending import overload

from cardenvs import games
from cardenvs.core.arguments import Arguments, run_main
from cardenvs.core.game import new_states, resolve_options
from cardenvs.core.jit import LEAN, kernel
from cardenvs.core.rng import POLICY, derive, mix, next_state, seed_keys
from cardenvs.core.state import NOBODY, new_records
from cardenvs.engine.dispatch import act, apply, deal, game_of, legal, view
from cardenvs.games.twice_the_fun import policies as twice_the_fun
from cardenvs.games.twits import policies as twits
from cardenvs.games.uno_all_wild import policies as uno_all_wild

TABLES = ("greedy", "greedy", "expert", "expert", "random")  # the opponents of game i are TABLES[i % 5]


EXPERTS = {"twice_the_fun": twice_the_fun.expert, "twits": twits.expert, "uno_all_wild": uno_all_wild.expert}
WEIGHTS = {
    "twice_the_fun": twice_the_fun.WEIGHTS,
    "twits": twits.WEIGHTS,
    "uno_all_wild": uno_all_wild.FOUND,
}
# A first guess, how widely to search around it, and the least that makes sense.
GUESSES = {
    "twice_the_fun": np.array(
        [
            *(0.15, 0.2, -0.4, -0.4, -0.5, 0.6, 0.6, 0.2, 0.2, 0.15, 0.3, 0.25, 0.65, 0.65, 0.01),
            *(0.28, 0.6, 0.5, 0.2, 0.8, 0.25, 0.5, 0.19, 0.6, 0.05, -0.2, 0.02),
        ]
    ),
    "twits": np.array([0.6, 0.7, 1.1, 0.5, 1.5, 1.5, 9.0, 0.5, 0.1, 9.0, 1.0, 5.0, 5.0, 14.0]),
    "uno_all_wild": np.array([0.0, 0.4, 0.4, 0.3, 0.6, 0.8, 0.3, 0.5, 0.2, 1.0, 0.3, 0.0, 0.0]),
}
SPREADS = {
    "twice_the_fun": np.array([*[0.15] * 14, 0.0, *[0.15] * 7, 0.05, *[0.15] * 3, 0.0]),
    "twits": np.array([0.2, 0.3, 0.3, 0.3, 0.6, 2.0, 5.0, 0.2, 0.05, 4.0, 0.3, 4.0, 2.0, 4.0]),
    "uno_all_wild": np.array([0.0, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.2, 0.3, 0.15, 0.5, 0.4]),
}
LEASTS = {
    "twice_the_fun": np.array([*[-np.inf] * twice_the_fun.SLOPE, 0.05, *[-np.inf] * 11]),
    "twits": np.array([0.0, 0.0, 0.0, 0.0, -5.0, -10.0, 0.0, 0.0, 0.0, -20.0, 0.0, -20.0, 1.0, 1.0]),
    "uno_all_wild": np.array([*[-np.inf] * uno_all_wild.SLOPE, 0.1, *[-np.inf] * 3]),
}


def expert(v: Any, mask: Any, weights: Any) -> Any:
    """The expert's action by weights, of the game whose view it is."""
    return EXPERTS[game_of(v).name](v, mask, weights)


@overload(expert, jit_options=LEAN)
def _expert(v, mask, weights):
    choose = EXPERTS[game_of(v).name]
    return lambda v, mask, weights: choose(v, mask, weights)


@kernel
def play_games(states, keys, work, mask, opponents, weights, won):
    """Play a game from every key, the candidate in seat 0, and note its share of the win."""
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
            apply(s, act(v, mask, mix(stream), opponents[b]) if s.actor > 0 else expert(v, mask, weights))
        winners = 0
        for seat in range(s.num_players):
            winners += (s.winners >> seat) & 1
        won[b] = (s.winners & 1) / winners if winners > 0 else 0.0


class Arena:
    """Games of so many players, to try weights in."""

    def __init__(self, name: str, num_players: int, count: int, episode: str) -> None:
        game = games.get(name)
        self.prepare = uno_all_wild.with_factors if name == "uno_all_wild" else np.asarray
        options = resolve_options(game, {"num_players": num_players, "episode": episode})
        self.states = new_states(game, options, count)
        self.work = new_records(game.view_record, 1)
        self.mask = np.zeros(len(game.actions(num_players)), np.bool_)
        self.opponents = np.resize([game.policies.index(policy) for policy in TABLES], count)
        self.won = np.zeros(count)

    def win_rate(self, weights: Any, seed: int) -> float:
        """How often the candidate wins; the same seed gives the same deals."""
        keys = seed_keys(seed, len(self.states))
        weights = self.prepare(weights)
        play_games(self.states, keys, self.work, self.mask, self.opponents, weights, self.won)
        return float(self.won.mean())


def tune(arena: Arena, weights: Any, args: argparse.Namespace) -> Any:
    """Weights after so many generations, each of them searching a little closer than the last."""
    rng = np.random.default_rng(args.seed)
    best = args.candidates // 3
    shares = np.log(best + 0.5) - np.log(np.arange(1, best + 1))
    for generation in range(args.generations):
        step = args.step * 0.25 ** (generation / max(1, args.generations - 1))
        moves = rng.standard_normal((args.candidates // 2, len(weights)))
        candidates = weights + step * SPREADS[args.game] * np.concatenate([moves, -moves])
        candidates = np.maximum(candidates, LEASTS[args.game])
        rates = np.array([arena.win_rate(candidate, 1000 * args.seed + generation) for candidate in candidates])
        chosen = candidates[np.argsort(-rates)[:best]]
        weights = shares @ chosen / shares.sum()
        print(f"  generation {generation}: mean {rates.mean():.4f}, best {rates.max():.4f}", flush=True)
    return weights


def present_weights(game: str, num_players: int) -> Any:
    """The package's weights for so many players: its row, the last one for all larger tables, or the only one."""
    rows = np.atleast_2d(WEIGHTS[game])
    return rows[min(num_players, len(rows) - 1)]


def show(title: str, weights: Any) -> None:
    print(f"{title}: [{', '.join(f'{weight:.2f}' for weight in weights)}]", flush=True)


def main() -> None:
    parser = Arguments("benchmarks.tune_expert", __doc__)
    parser.add_argument("game", choices=EXPERTS)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 6])
    parser.add_argument("--episode", choices=("round", "match"), default="round")
    parser.add_argument("--games", type=int, default=10_000, help="games a candidate plays")
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--step", type=float, default=1.0, help="how far the first generation searches")
    parser.add_argument("--resume", action="store_true", help="start from the package's weights, not from a guess")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = []
    for num_players in args.players:
        print(f"{num_players} players", flush=True)
        start = present_weights(args.game, num_players) if args.resume else GUESSES[args.game]
        rows.append(tune(Arena(args.game, num_players, args.games, args.episode), start.copy(), args))
        show(f"{num_players} players", rows[-1])
    show("mean", np.mean(rows, axis=0))


if __name__ == "__main__":
    run_main(main)
