"""EnvPool's LeducHoldem-v1, 1,024 games on one thread: steps with observation and mask, choosing the actions apart."""

import json
import time

import envpool
import numpy as np

GAMES = 1024
STEPS = 200


def steps_a_second() -> float:
    envs = envpool.make_gymnasium("LeducHoldem-v1", num_envs=GAMES, num_threads=1, seed=0)
    _, info = envs.reset()
    rng, spent = np.random.default_rng(0), 0.0
    for _ in range(STEPS):
        mask = np.asarray(info.get("legal_action_mask", info.get("action_mask")))
        actions = (rng.random(mask.shape) * mask).argmax(axis=1).astype(np.int32)
        began = time.perf_counter()
        *_, info = envs.step(actions)
        spent += time.perf_counter() - began
    return GAMES * STEPS / spent


if __name__ == "__main__":
    print(json.dumps({"LeducHoldem-v1, 1,024 games": steps_a_second()}))
