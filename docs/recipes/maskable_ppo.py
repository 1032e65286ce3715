"""sb3-contrib: MaskablePPO on many games at once."""

import time

from measure import arguments, report, watch
from sb3_contrib import MaskablePPO

from cardenvs.adapters.sb3 import CardVecEnv

GAMES = 256


def main() -> None:
    given = arguments("MaskablePPO", steps=1_000_000)
    envs = CardVecEnv(given.game, GAMES, given.seed, num_players=given.players, opponents="random")
    counts = watch(envs.vector)
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=32, batch_size=2048, n_epochs=4, gamma=1.0, ent_coef=0.01, device="cpu",
        seed=given.seed,
    )  # fmt: skip
    began = time.perf_counter()
    model.learn(given.steps)

    def policy(observations, masks):
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    report("sb3-contrib", given, policy, time.perf_counter() - began, counts, games_at_once=GAMES)


if __name__ == "__main__":
    main()
