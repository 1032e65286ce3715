"""Random play inside kernels: what the rules themselves cost, and actions that cost next to nothing to choose."""

from cardenvs.core.jit import kernel
from cardenvs.core.policies import act_random
from cardenvs.core.rng import mix, next_state
from cardenvs.core.state import NOBODY, is_over, renew_key
from cardenvs.engine.dispatch import apply, deal, legal


@kernel
def rollout(states, mask, count, noise):
    """Take `count` random decisions in the first game, dealing anew when it is over; True if each was legal."""
    s = states[0]
    for _ in range(count):
        if is_over(s):
            renew_key(s)
            deal(s, NOBODY)
        legal(s, mask)
        noise = next_state(noise)
        action = act_random(mask, mix(noise))
        if action < 0:
            return False
        apply(s, action)
    return True


@kernel
def choose_randomly(masks, noise, actions):
    """A legal action for each game, drawn uniformly, into `actions`, int64 (N,); −1 where the episode is over."""
    for b in range(masks.shape[0]):
        noise = next_state(noise)
        actions[b] = act_random(masks[b], mix(noise))
    return noise
