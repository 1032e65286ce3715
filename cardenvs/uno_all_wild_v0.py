"""UNO All Wild for PettingZoo: ``uno_all_wild_v0.env(num_players=4)``; parameters in `cardenvs.envs.aec`."""

from functools import partial

from cardenvs.envs import aec

env = partial(aec.CheckedAECEnv, "uno_all_wild")
raw_env = partial(aec.CardAECEnv, "uno_all_wild")
