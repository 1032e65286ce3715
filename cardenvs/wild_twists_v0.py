"""Wild Twists war for PettingZoo: ``wild_twists_v0.env()``, or ``parallel_env()``, in which both flip at once.

Parameters are in `cardenvs.envs.aec` and `cardenvs.envs.parallel`.
"""

from functools import partial

from cardenvs.envs import aec, parallel

env = partial(aec.CheckedAECEnv, "wild_twists")
raw_env = partial(aec.CardAECEnv, "wild_twists")
parallel_env = partial(parallel.CardParallelEnv, "wild_twists")
