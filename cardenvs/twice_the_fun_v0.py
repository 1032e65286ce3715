"""Twice the Fun for PettingZoo: ``twice_the_fun_v0.env(num_players=4)``; parameters in `cardenvs.envs.aec`."""

from functools import partial

from cardenvs.envs import aec

env = partial(aec.CheckedAECEnv, "twice_the_fun")
raw_env = partial(aec.CardAECEnv, "twice_the_fun")
