"""What must hold of any position of UNO All Wild, for fuzzing."""

from cardenvs.core.invariants import OWN, QUESTION, SOUND, hands_fault
from cardenvs.core.jit import njit
from cardenvs.core.state import NOBODY, is_over
from cardenvs.core.table import top_discard
from cardenvs.games.uno_all_wild.layout import CATCH, DECLARE, FORCED_SWAP, PHASES, PLAY, TARGETED_DRAW_TWO

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
    if s.phase == DECLARE:
        return s.declares and s.actor == s.to_declare[0] and s.silent == NOBODY and s.sizes[s.actor] == 1
    if s.phase == CATCH:
        return s.declares and s.actor != s.silent and s.silent == s.to_declare[0] and s.sizes[s.silent] == 1
    if s.actor != s.turn or s.silent != NOBODY or s.to_declare[0] != NOBODY:
        return False
    if s.phase == PLAY:
        return s.sizes[s.actor] > 0
    return s.num_players > 2 and (top_discard(s) == TARGETED_DRAW_TWO or top_discard(s) == FORCED_SWAP)
