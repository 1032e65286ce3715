"""OpenSpiel's crazy_eights at four players: its bot loop in C++, and its Python API with tensor and mask."""

import json
import time

import numpy as np
import pyspiel

PLAYERS = 4
GAMES_BY_BOTS = 2000
DECISIONS = 5000


def decisions_of(state: pyspiel.State) -> int:
    return sum(item.player >= 0 for item in state.full_history())


def by_bots(game: pyspiel.Game) -> float:
    """Random decisions a second, chance left out of the count: played once for the time, and once more to count."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(PLAYERS)]
    began = time.perf_counter()
    for seed in range(GAMES_BY_BOTS):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
    seconds = time.perf_counter() - began
    sample = []
    for seed in range(GAMES_BY_BOTS // 10):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        sample.append(decisions_of(state))
    return float(np.mean(sample)) * GAMES_BY_BOTS / seconds


def by_python(game: pyspiel.Game) -> float:
    """Decisions a second with observation tensor and mask, choosing the actions apart."""
    rng = np.random.default_rng(0)
    spent, state = 0.0, game.new_initial_state()
    for _ in range(DECISIONS):
        began = time.perf_counter()
        while state.is_terminal() or state.is_chance_node():
            if state.is_terminal():
                state = game.new_initial_state()
            else:
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(actions[int(rng.random() * len(chances))])  # uniform in this game
        np.asarray(state.observation_tensor(), np.float32)
        mask = np.asarray(state.legal_actions_mask())
        spent += time.perf_counter() - began
        action = int((rng.random(len(mask)) * mask).argmax())
        began = time.perf_counter()
        state.apply_action(action)
        spent += time.perf_counter() - began
    return DECISIONS / spent


if __name__ == "__main__":
    eights = pyspiel.load_game(f"crazy_eights(players={PLAYERS})")
    print(json.dumps({"crazy_eights, C++ bots": by_bots(eights), "crazy_eights, Python": by_python(eights)}))
