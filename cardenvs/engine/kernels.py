"""The loops over games. Each works on rows `low` to `high`, so that threads can share a batch.

Arrays of a batch: `states` (N,) records; `work` (1,) a view record to write into; `players` int8 (N, P) who plays each
seat, a scripted policy's number or OUTSIDE; `streams` uint64 (N,) their random numbers; `learners` int8 (N,) the seat
that is observed, NOBODY for whoever is asked; and what comes out: `mask` bool (N, A), `observations` float32 (N, D) or
(0, D) if nobody wants them, `rewards` float32 (N, P), `ends` int8 (N,): RUNNING, TERMINATED or TRUNCATED.
"""

import numpy as np

from cardenvs.core.jit import kernel, njit
from cardenvs.core.policies import act_random
from cardenvs.core.prefetch import AHEAD, prefetch
from cardenvs.core.rng import BITS_11, POLICY, UNIT, below, derive, mix, next_state
from cardenvs.core.state import NOBODY, is_over, lacks_orders, relative_seat, renew_key
from cardenvs.core.table import settle_pile
from cardenvs.engine.dispatch import act, apply, deal, encode, legal, resample, settle, view

ANY_SEAT = -2
OUTSIDE = -1  # a seat whose actions come from the caller
RANDOM = 0  # the first scripted policy of every game
RUNNING, TERMINATED, TRUNCATED = range(3)
STAY, DEAL, STEP, STEP_OR_DEAL, RESUME = range(5)
PAUSE = 8  # added to one of these: stop also where a scripted seat is asked
NO_ACTION = -1


@kernel
def advance(
    states, work, todo, actions, renew, dealer, lots, learner,
    players, streams, learners, full, rewards, mask, observations, ends, low, high,
):  # fmt: skip
    """Take every game to the next decision from outside, or to its end.

    `todo` int8 (N,) says how: DEAL a new episode; STEP by `actions`, int64 (N,), which must be legal, or STEP_OR_DEAL
    where games that are over are to be dealt anew; RESUME where scripted seats were stopped for want of stacked
    orders; or STAY as they are, as do games that are over. With PAUSE added no scripted seat acts.
    `renew` goes on to the key of the next episode; `dealer` NOBODY draws the dealer by lot; `lots` float64
    (P, 1 + policies) are the cumulative chances, by place from the learner, of OUTSIDE and of each policy, None where
    all act from outside and no policy need be compiled; `learner` is its seat, ANY_SEAT to draw it by lot, NOBODY if
    there is none (then places count from seat 0).
    """
    for b in range(low, high):
        if b + AHEAD < high:
            prefetch(states[b + AHEAD])
        if todo[b] == STAY:
            continue
        s = states[b]
        action = NO_ACTION
        what, pauses = todo[b] & (PAUSE - 1), todo[b] >= PAUSE
        if what != RESUME:
            rewards[b] = 0.0
        if what == DEAL or (what == STEP_OR_DEAL and is_over(s)):
            if renew:
                renew_key(s)
            seat_players(s, b, lots, learner, players, streams, learners)
            deal(s, dealer)
        elif what != RESUME:
            if is_over(s):
                continue
            action = actions[b]
        play_on(s, work[0], b, action, pauses, lots, players, streams, rewards[b], mask[b])
        ends[b] = TERMINATED if s.terminated else TRUNCATED if s.truncated else RUNNING
        if observations.shape[0] > 0:
            write_observation(s, work[0], learners[b], full, observations[b])


@kernel
def observe(states, work, seats, full, observations, low, high):
    """Write what `seats`, int8 (N,), observe; NOBODY stands for the actor, and sees zeros when there is none."""
    for b in range(low, high):
        write_observation(states[b], work[0], seats[b], full, observations[b])


@kernel
def observe_asked(states, work, rows, full, out):
    """Write what whoever is asked observes in the games of `rows`, int64 (n,): float32 (n, D)."""
    for i in range(rows.shape[0]):
        write_observation(states[rows[i]], work[0], NOBODY, full, out[i])


@kernel
def advise(states, work, mask, policy, actions, low, high):
    """What a scripted policy would do for whoever is asked, into `actions`, int64 (N,): as it is where nobody is."""
    for b in range(low, high):
        s = states[b]
        if s.actor != NOBODY:
            noise = mix(derive(s.key, POLICY) ^ np.uint64(s.decisions))
            actions[b] = choose_action(s, work[0], mask[b], noise, policy)


@kernel
def choose_scripted(states, work, mask, players, streams, actions):
    """What the scripted seats that are asked do next, into `actions`, int64 (N,): as it is where none is asked."""
    for b in range(states.shape[0]):
        s = states[b]
        if s.actor != NOBODY and players[b, s.actor] != OUTSIDE:
            actions[b] = choose_action(s, work[0], mask[b], next_noise(streams, b), players[b, s.actor])


@kernel
def resample_rows(states, seats, keys, mask):
    """Put a possibility in place of what each row's seat, NOBODY for the actor, cannot know; fill the masks anew."""
    for b in range(states.shape[0]):
        s = states[b]
        seat = s.actor if seats[b] == NOBODY else np.int64(seats[b])
        if seat != NOBODY:
            resample(s, seat, keys[b])
            legal(s, mask[b])


@kernel
def settle_rows(states):
    """Give every card its place, so that piles can be read."""
    for b in range(states.shape[0]):
        settle(states[b])


@kernel
def settle_draw_piles(states):
    """Give every card of `core.table`'s draw pile its place, in games that keep no such pile as well."""
    for b in range(states.shape[0]):
        settle_pile(states[b])


@kernel
def first_illegal(mask, ends, actions):
    """The first row whose action is not legal, −1 if there is none; rows that are over take any."""
    for b in range(actions.shape[0]):
        a = actions[b]
        if ends[b] == RUNNING and (a < 0 or a >= mask.shape[1] or not mask[b, a]):
            return b
    return -1


@njit
def seat_players(s, b, lots, learner, players, streams, learners):
    """Draw the learner's seat and who plays the others; the players' random numbers begin anew."""
    streams[b] = derive(s.key, POLICY)
    learners[b] = below(next_noise(streams, b), s.num_players) if learner == ANY_SEAT else learner
    first = 0 if learners[b] == NOBODY else np.int64(learners[b])
    for r in range(s.num_players):
        seat = relative_seat(s, first, r)
        noise = next_noise(streams, b)  # drawn in any case: policies then act alike however they come to play
        players[b, seat] = OUTSIDE if lots is None else draw_player(lots, r, noise)


@njit
def play_on(s, v, b, action, pauses, lots, players, streams, rewards, mask):
    """Take an action, if there is one, and let scripted seats act until somebody outside is asked or all is over.

    Fills the mask of who is asked. Each verb is called in one place alone, where it can be compiled in line.
    """
    while True:
        if action != NO_ACTION:
            apply(s, action)
            add_rewards(s, rewards)
        legal(s, mask)
        if s.actor == NOBODY or lots is None or pauses:
            return
        policy = players[b, s.actor]
        if policy == OUTSIDE or lacks_orders(s):
            return
        action = choose_action(s, v, mask, next_noise(streams, b), policy)


@njit
def choose_action(s, v, mask, noise, policy):
    """What a scripted seat does."""
    if policy == RANDOM:
        return act_random(mask, noise)
    view(s, s.actor, v)
    return act(v, mask, noise, policy)


@njit
def add_rewards(s, rewards):
    if not s.pays:
        return
    for seat in range(s.num_players):
        rewards[seat] += s.rewards[seat]


@njit
def write_observation(s, v, seat, full, out):
    """What a seat, or for NOBODY whoever is asked, observes: zeros if that is nobody."""
    seat = s.actor if seat == NOBODY else np.int64(seat)
    if seat == NOBODY:
        out[:] = 0.0
    else:
        view(s, seat, v)
        encode(v, full, out)


@njit
def next_noise(streams, b):
    """64 random bits for the players of game b."""
    streams[b] = next_state(streams[b])
    return mix(streams[b])


@njit
def draw_player(lots, r, noise):
    """Who plays the seat at place r from the learner."""
    chance = (noise >> BITS_11) * UNIT
    for i in range(lots.shape[1] - 1):
        if chance < lots[r, i]:
            return i - 1
    return lots.shape[1] - 2
