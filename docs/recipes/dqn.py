"""Stable-Baselines3: DQN whose values of illegal actions are never chosen, in play, exploration and targets alike."""

import time

import numpy as np
from gymnasium import spaces
from measure import arguments, report, watch
from stable_baselines3 import DQN
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from cardenvs.adapters.sb3 import CardVecEnv

GAMES = 64
NEVER = -1e9  # finite: a target of a finished game multiplies it by nought


class MaskInObservation(VecEnvWrapper):
    """The replay buffer keeps observations alone, so the mask of each goes in it, in front."""

    def __init__(self, venv):
        size = venv.action_space.n + venv.observation_space.shape[0]
        super().__init__(venv, spaces.Box(-1.0, 1.0, (size,), np.float32))

    def _joined(self, observations):
        return np.concatenate([self.venv.action_masks().astype(np.float32), observations], axis=1)

    def reset(self):
        return self._joined(self.venv.reset())

    def step_wait(self):
        observations, rewards, over, infos = self.venv.step_wait()
        for b in np.flatnonzero(over):  # nothing is legal any more
            nothing = np.zeros(self.action_space.n, np.float32)
            infos[b]["terminal_observation"] = np.concatenate([nothing, infos[b]["terminal_observation"]])
        return self._joined(observations), rewards, over, infos


class MaskedValues(QNetwork):
    def forward(self, observations):
        legal = observations[:, : self.action_space.n] > 0
        return super().forward(observations).masked_fill(~legal, NEVER)


class MaskedPolicy(DQNPolicy):
    def make_q_net(self):
        return MaskedValues(**self._update_features_extractor(self.net_args, None)).to(self.device)


class MaskedDQN(DQN):
    def predict(self, observation, state=None, episode_start=None, deterministic=False):
        actions, state = self.policy.predict(observation, state, episode_start, deterministic=True)
        if not deterministic:
            legal = observation[:, : self.action_space.n]
            noise = self.random.random(legal.shape) * legal
            explores = self.random.random(len(legal)) < self.exploration_rate
            actions = np.where(explores, noise.argmax(axis=1), actions)
        return actions, state

    def _sample_action(self, learning_starts, action_noise=None, n_envs=1):
        actions, _ = self.predict(self._last_obs)  # all exploration, until `exploration_fraction` sets in
        return actions, actions


def main() -> None:
    given = arguments("DQN", steps=300_000)
    envs = CardVecEnv(given.game, GAMES, given.seed, num_players=given.players, opponents="random")
    counts = watch(envs.vector)
    model = MaskedDQN(
        MaskedPolicy, MaskInObservation(envs), learning_rate=5e-4, buffer_size=200_000, learning_starts=5_000,
        batch_size=1024, gamma=1.0, train_freq=4, gradient_steps=4, target_update_interval=2_000,
        exploration_fraction=0.3, exploration_final_eps=0.05, policy_kwargs={"net_arch": [256, 256]}, seed=given.seed,
        device="cpu",
    )  # fmt: skip
    model.random = np.random.default_rng(given.seed)
    began = time.perf_counter()
    model.learn(given.steps)

    def policy(observations, masks):
        joined = np.concatenate([masks.astype(np.float32), observations], axis=1)
        return model.predict(joined, deterministic=True)[0]

    report("stable-baselines3", given, policy, time.perf_counter() - began, counts, games_at_once=GAMES)


if __name__ == "__main__":
    main()
