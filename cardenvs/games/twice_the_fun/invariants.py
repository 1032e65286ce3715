"""What must hold of any position of Twice the Fun, for fuzzing."""

from cardenvs.core.invariants import OWN, QUESTION, SOUND, hands_fault
from cardenvs.core.jit import njit
from cardenvs.core.state import is_over
from cardenvs.core.table import top_discard
from cardenvs.games.twice_the_fun.layout import (
    BOOMERANG,
    COLOR,
    COLOR_OF,
    DOUBLE_EXCHANGE,
    DOUBLE_TROUBLE,
    GIVE,
    NO_COLOR,
    NO_PENALTY,
    NUM_COLOURED,
    PENALTY_OF,
    PHASES,
    PLAY,
    REACT,
    RICOCHET,
    TARGET,
)
from cardenvs.games.twice_the_fun.rules import giver_of

NUM_PHASES = len(PHASES)


@njit
def fault_of(s, counts):
    """The first invariant that does not hold (`core.invariants`)."""
    fault = hands_fault(s, NUM_PHASES, counts)
    if fault != SOUND:
        return fault
    if s.discard_size == 0 or s.to_give < 0 or s.to_give > 2:
        return OWN
    for seat in range(s.num_players):
        if s.missed[seat] < 0:
            return OWN
    if COLOR_OF[top_discard(s)] != NO_COLOR and s.color != COLOR_OF[top_discard(s)]:  # TTF-4
        return OWN
    return SOUND if is_over(s) or fits_question(s) else QUESTION


@njit
def fits_question(s):
    """Whose turn it is plays (TTF-5), a wild card calls for a colour (TTF-9), who can answer is asked to (TTF-12)."""
    if (s.to_give > 0) != (s.phase == GIVE):
        return False
    if s.phase == PLAY:
        return s.actor == s.turn and s.penalty == NO_PENALTY and s.missed[s.actor] == 0 and s.sizes[s.actor] > 0
    if s.phase == COLOR:
        return top_discard(s) >= NUM_COLOURED and s.color == NO_COLOR and s.sizes[s.actor] > 0
    if s.phase == REACT:
        answers = s.hands[s.actor, BOOMERANG] + s.hands[s.actor, RICOCHET]
        return answers > 0 and s.penalty != NO_PENALTY and s.actor == s.target and s.target != s.sender
    if s.phase == GIVE:
        return s.penalty == DOUBLE_TROUBLE and s.actor == giver_of(s) and s.sizes[s.actor] > s.to_give
    return s.num_players > 2 and (can_aim(s) if s.phase == TARGET else can_exchange_again(s))


@njit
def can_aim(s):
    """A penalty card or a Double Exchange, by whose turn it is (TTF-11, TTF-18), or a Ricochet (TTF-14)."""
    top = top_discard(s)
    if top == RICOCHET:
        return s.penalty != NO_PENALTY and s.actor == s.target
    return s.penalty == NO_PENALTY and s.actor == s.turn and (PENALTY_OF[top] != NO_PENALTY or top == DOUBLE_EXCHANGE)


@njit
def can_exchange_again(s):
    """TTF-18."""
    return s.penalty == NO_PENALTY and s.actor != s.turn and top_discard(s) == DOUBLE_EXCHANGE
