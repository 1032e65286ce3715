"""What must hold of any position of Twice the Fun, for fuzzing."""

from cardenvs.core.invariants import OWN, QUESTION, SOUND, hands_fault
from cardenvs.core.jit import njit
from cardenvs.core.state import is_over
from cardenvs.core.table import top_discard
from cardenvs.games.twice_the_fun.layout import (
    BOOMERANG,
    COLOR,
    DOUBLE_TROUBLE,
    GIVE,
    NO_COLOR,
    NO_PENALTY,
    NUM_COLOURED,
    PHASES,
    PLAY,
    REACT,
    RICOCHET,
    TARGET,
)

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
    return SOUND if is_over(s) or fits_question(s) else QUESTION


@njit
def fits_question(s):
    """Whose turn it is plays (TTF-5), a wild card calls for a colour (TTF-9), who can answer is asked to (TTF-12)."""
    if (s.to_give > 0) != (s.phase == GIVE):
        return False
    if s.phase == PLAY:
        return s.actor == s.turn and s.penalty == NO_PENALTY and s.missed[s.actor] == 0 and s.sizes[s.actor] > 0
    if s.phase == TARGET:
        return s.num_players > 2
    if s.phase == COLOR:
        return top_discard(s) >= NUM_COLOURED and s.color == NO_COLOR and s.sizes[s.actor] > 0
    if s.phase == REACT:
        answers = s.hands[s.actor, BOOMERANG] + s.hands[s.actor, RICOCHET]
        return answers > 0 and s.actor == s.target and s.target != s.sender
    if s.phase == GIVE:
        return s.penalty == DOUBLE_TROUBLE and s.actor != s.target and s.sizes[s.actor] > s.to_give - 1
    return s.penalty == NO_PENALTY and s.actor != s.turn and s.num_players > 2
