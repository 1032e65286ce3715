"""Decisions, rounds, matches and rewards: what all games count in the same way."""

from cardenvs.core.jit import njit
from cardenvs.core.state import NO_PHASE, NOBODY, ask, is_over, seat_left_of


@njit
def begin_decision(s):
    """Count a decision; the rewards are those of the last one no more."""
    s.decisions += 1
    s.pays = False


@njit
def reaches_cap(s):
    """Whether the cap cuts the episode off here."""
    return not is_over(s) and s.decisions >= s.max_decisions


@njit
def cut_off(s):
    """All seats are truncated, with rewards 0 for what is unfinished."""
    s.truncated = True
    ask(s, NOBODY, NO_PHASE)


@njit
def end_round(s, winners, sign, scale):
    """Count and pay a round whose `round_points` are set; a match that goes on is then between rounds.

    `winners` are the round's, a bit a seat; `sign` is +1 where points are good and −1 where they are a penalty, in
    the match too; `scale` divides the `score` reward.
    """
    s.paid = True
    s.pays = True
    s.rewards[:] = 0.0
    total = 0
    for seat in range(s.num_players):
        s.scores[seat] += s.round_points[seat]
        total += s.round_points[seat]
    if s.score_reward:
        mean = total / s.num_players
        for seat in range(s.num_players):
            s.rewards[seat] = sign * (s.round_points[seat] - mean) / scale
    if s.match:
        if highest_score(s) < s.target_score:
            s.round_number += 1
            s.dealer = seat_left_of(s, s.dealer)
            ask(s, NOBODY, NO_PHASE)
            return
        winners = leaders(s, s.scores, sign)
    terminate(s, winners)
    if not s.score_reward:
        pay_winners(s)


@njit
def is_between_rounds(s):
    """Whether the next round of the match is to be dealt."""
    return s.phase == NO_PHASE and not is_over(s)


@njit
def highest_score(s):
    highest = s.scores[0]
    for seat in range(1, s.num_players):
        if s.scores[seat] > highest:
            highest = s.scores[seat]
    return highest


@njit
def leaders(s, points, sign):
    """The seats with the best points, a bit a seat."""
    best = sign * points[0]
    for seat in range(1, s.num_players):
        if sign * points[seat] > best:
            best = sign * points[seat]
    winners = 0
    for seat in range(s.num_players):
        if sign * points[seat] == best:
            winners |= 1 << seat
    return winners


@njit
def terminate(s, winners):
    """The episode is over by the rules; `winners` are a bit a seat."""
    s.terminated = True
    s.winners = winners
    ask(s, NOBODY, NO_PHASE)


@njit
def pay_winners(s):
    """The w winners share +1, the others −1; nothing if everybody wins."""
    s.pays = True
    count = 0
    for seat in range(s.num_players):
        count += (s.winners >> seat) & 1
    losers = s.num_players - count
    for seat in range(s.num_players):
        if (s.winners >> seat) & 1:
            s.rewards[seat] = 1.0 / count if losers > 0 else 0.0
        else:
            s.rewards[seat] = -1.0 / losers
