"""Random play that checks, after every decision, all that must hold of any game (`cardenvs.testing.fuzz`)."""

import numpy as np

from cardenvs.core.invariants import LEGAL, OBSERVATION, POLICY, SOUND, TELLING
from cardenvs.core.jit import kernel, njit
from cardenvs.core.policies import act_random
from cardenvs.core.rng import below, mix, next_state
from cardenvs.core.state import NOBODY, is_over, renew_key
from cardenvs.engine.dispatch import act, apply, deal, encode, fault_of, legal, resample, settle, view

SCRIPTED, OBSERVED, RESAMPLED = np.uint64(0b11), np.uint64(0b11100), np.uint64(0b11100000)  # all 0 in some cases
SKIPPED_BITS = np.uint64(8)


@kernel
def play(states, other, work, mask, counts, seen, seen_there, policies, decisions, noise):
    """Take decisions in the first game, and check all that must hold.

    Every fourth is a scripted policy's, the others are drawn uniformly. An eighth of the positions are observed by a
    seat drawn by lot, and one in 64 is resampled for it, into `other`. Returns the fault, 0 if there is none, how many
    decisions were taken and the last of them.
    """
    s, action = states[0], -1
    for n in range(decisions):
        noise = next_state(noise)
        bits = mix(noise)
        if is_over(s):
            renew_key(s)
            deal(s, NOBODY)
        legal(s, mask)
        if is_over(s):  # no decision was needed
            action = -1
        else:
            action = choose_one(s, work[0], mask, bits, policies)
            if action < 0 or action >= mask.shape[0] or not mask[action]:
                return (LEGAL if action < 0 else POLICY), n, action
            apply(s, action)
        fault = fault_of(s, counts)
        if fault == SOUND:
            fault = look(states, other, work[0], mask, counts, seen, seen_there, bits)
        if fault != SOUND:
            return fault, n + 1, action
    return SOUND, decisions, action


@njit
def choose_one(s, v, mask, bits, policies):
    if (bits & SCRIPTED) != 0:
        return act_random(mask, bits)
    view(s, s.actor, v)
    return act(v, mask, bits, below(bits << SKIPPED_BITS, policies))


@njit
def look(states, other, v, mask, counts, seen, seen_there, bits):
    """The mask, and what a seat drawn by lot observes, also of a possibility."""
    s = states[0]
    legal(s, mask)
    if (act_random(mask, bits) < 0) != is_over(s):
        return LEGAL
    if (bits & OBSERVED) != 0:
        return SOUND
    seat = below(bits << SKIPPED_BITS, s.num_players)
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


@kernel
def first_fault(states, counts):
    """The first fault of any of these records, and its row; 0 and −1 if there is none."""
    for b in range(states.shape[0]):
        settle(states[b])
        fault = fault_of(states[b], counts)
        if fault != SOUND:
            return fault, b
    return SOUND, -1
