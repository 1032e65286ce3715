"""What must hold of any position of UNO All Wild, for fuzzing."""

from cardenvs.core.invariants import OWN, QUESTION, SOUND, hands_fault
from cardenvs.core.jit import njit
from cardenvs.core.state import NOBODY, is_over
from cardenvs.games.uno_all_wild.layout import CATCH, DECLARE, PHASES, PLAY

NUM_PHASES = len(PHASES)


@njit
def fault_of(s, counts):
    """The first invariant that does not hold (`core.invariants`)."""
    fault = hands_fault(s, NUM_PHASES, counts)
    if fault != SOUND:
        return fault
    if s.direction != 1 and s.direction != -1:
        return OWN
    if s.discard_size == 0:
        return OWN
    return SOUND if is_over(s) or fits_question(s) else QUESTION


@njit
def fits_question(s):
    """Whose turn it is plays (UAW-3); who holds one card declares, and the others may catch it (UAW-10, UAW-11)."""
    if s.phase == PLAY:
        return s.actor == s.turn and s.sizes[s.actor] > 0 and s.to_declare[0] == NOBODY
    if s.phase == DECLARE:
        return s.actor == s.to_declare[0] and s.silent == NOBODY and s.sizes[s.actor] == 1
    if s.phase == CATCH:
        return s.silent == s.to_declare[0] and s.actor != s.silent and s.sizes[s.silent] == 1
    return s.actor == s.turn and s.num_players > 2
