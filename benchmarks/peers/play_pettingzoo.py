"""PettingZoo's classic games: microseconds of one `last()` and one `step()`, choosing the action apart."""

import json
import time
from importlib import import_module

import numpy as np

STEPS = 3000


def microseconds(name: str) -> float:
    env = import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=0)
    rng, spent = np.random.default_rng(0), 0.0
    for _ in range(STEPS):
        if any(env.terminations.values()) or any(env.truncations.values()):
            env.reset()
        began = time.perf_counter()
        observation, *_ = env.last()
        spent += time.perf_counter() - began
        mask = observation["action_mask"]
        action = int((rng.random(len(mask)) * mask).argmax())
        began = time.perf_counter()
        env.step(action)
        spent += time.perf_counter() - began
    return spent / STEPS * 1e6


if __name__ == "__main__":
    names = ("connect_four_v3", "texas_holdem_v4")
    print(json.dumps({f"{name}, last() and step(), µs": microseconds(name) for name in names}))
