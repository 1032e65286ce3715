"""Scripted policies for The Twits. They see a view and a mask, never a state."""

from cardenvs.core.jit import njit
from cardenvs.core.policies import act_random

POLICIES = ("random",)


@njit
def act(v, mask, noise, policy):
    """The action of a scripted policy; `noise` is 64 random bits."""
    return act_random(mask, noise)
