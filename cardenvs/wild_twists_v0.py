"""Wild Twists war for PettingZoo: ``wild_twists_v0.env(num_players=4)``; parameters in `cardenvs.envs.aec`."""

from functools import partial

from cardenvs.envs import aec

env = partial(aec.CheckedAECEnv, "wild_twists")
raw_env = partial(aec.CardAECEnv, "wild_twists")
