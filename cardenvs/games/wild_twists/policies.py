"""Wild Twists war has one policy, and it has one action."""

from cardenvs.core.jit import njit
from cardenvs.core.policies import act_random

POLICIES = ("random",)


@njit
def act(v, mask, noise, policy):
    """The action of a scripted policy: to flip."""
    return act_random(mask, noise)
