"""Random play that checks, after every decision, all that must hold of any game (`cardenvs.testing.fuzz`)."""

import numpy as np

from cardenvs.core.invariants import LEGAL, OBSERVATION, POLICY, SOUND, TELLING
from cardenvs.core.jit import kernel, njit
from cardenvs.core.policies import act_random
from cardenvs.core.rng import below, mix, next_state
from cardenvs.core.state import NOBODY, is_over, renew_key
from cardenvs.engine.dispatch import apply, deal, encode, fault_of, legal, resample, view
from cardenvs.engine.kernels import NO_ACTION, RANDOM, choose_action

SCRIPTED, OBSERVED, RESAMPLED = np.uint64(0b11), np.uint64(0b11100), np.uint64(0b11100000)  # all 0 in some cases
FOR_POLICY, FOR_SEAT = np.uint64(8), np.uint64(20)  # how far bits are shifted, so that each has others


@kernel
def play(states, other, work, mask, counts, seen, seen_there, policies, decisions, noise):
    """Take decisions in the first game, and check all that must hold.

    Every fourth is a scripted policy's, the others are drawn uniformly. An eighth of the positions are observed by a
    seat drawn by lot, and one in 64 is resampled for it, into `other`. Returns the fault, 0 if there is none, how many
    decisions were taken, and the last of them, NO_ACTION after a deal.
    """
    s, action, taken = states[0], NO_ACTION, 0
    while taken < decisions:
        noise = next_state(noise)
        bits = mix(noise)
        if is_over(s):
            renew_key(s)
            deal(s, NOBODY)
            action = NO_ACTION
        else:
            legal(s, mask)
            action = choose_one(s, work[0], mask, bits, policies)
            if action < 0 or action >= mask.shape[0] or not mask[action]:
                return POLICY, taken, action
            apply(s, action)
            taken += 1
        fault = fault_of(s, counts)
        if fault == SOUND:
            fault = look(states, other, work[0], mask, counts, seen, seen_there, bits)
        if fault != SOUND:
            return fault, taken, action
    return SOUND, taken, action


@njit
def choose_one(s, v, mask, bits, policies):
    policy = RANDOM if (bits & SCRIPTED) != 0 else below(bits << FOR_POLICY, policies)
    return choose_action(s, v, mask, bits, policy)


@njit
def look(states, other, v, mask, counts, seen, seen_there, bits):
    """The mask, and what a seat drawn by lot observes, also of a possibility."""
    s = states[0]
    legal(s, mask)
    if (act_random(mask, bits) < 0) != is_over(s):
        return LEGAL
    if (bits & OBSERVED) != 0:
        return SOUND
    seat = below(bits << FOR_SEAT, s.num_players)
    view(s, seat, v)
    encode(v, True, seen)
    for i in range(seen.shape[0]):
        if not abs(seen[i]) <= 1:
            return OBSERVATION
    if (bits & RESAMPLED) != 0:
        return SOUND
    other[0] = states[0]
    resample(other[0], seat, bits)
    view(other[0], seat, v)
    encode(v, True, seen_there)
    for i in range(seen.shape[0]):
        if seen[i] != seen_there[i]:
            return TELLING
    return fault_of(other[0], counts)
