"""The Twits for PettingZoo: ``twits_v0.env(num_players=4)``; parameters in `cardenvs.envs.aec`."""

from functools import partial

from cardenvs.envs import aec

env = partial(aec.CheckedAECEnv, "twits")
raw_env = partial(aec.CardAECEnv, "twits")
