"""Pgx on the processor: steps of 1,024 games, observation and mask included, choosing the actions apart."""

import json
import time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

GAMES = 1024
STEPS = 200


def steps_a_second(name: str) -> float:
    env = pgx.make(name)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf)))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES))
    key, spent = jax.random.PRNGKey(1), 0.0
    for number in range(STEPS + 3):  # the first compile
        key, chooser, dealer = jax.random.split(key, 3)
        ready = jax.block_until_ready((choose(chooser, state.legal_action_mask), jax.random.split(dealer, GAMES)))
        began = time.perf_counter()
        state = jax.block_until_ready(step(state, *ready))
        spent += time.perf_counter() - began if number >= 3 else 0.0
    return GAMES * STEPS / spent


if __name__ == "__main__":
    print(json.dumps({f"{name}, 1,024 games": steps_a_second(name) for name in ("leduc_holdem", "connect_four")}))
