"""What must hold of any position of The Twits, for fuzzing."""

from cardenvs.core.invariants import OWN, QUESTION, SOUND, hands_fault
from cardenvs.core.jit import njit
from cardenvs.core.state import is_over
from cardenvs.games.twits.layout import BANK, PHASES, SETS
from cardenvs.games.twits.rules import can_bank, can_pass

NUM_PHASES = len(PHASES)


@njit
def fault_of(s, counts):
    """The first invariant that does not hold (`core.invariants`)."""
    fault = hands_fault(s, NUM_PHASES, counts)
    if fault != SOUND:
        return fault
    banked = 0
    for seat in range(s.num_players):
        if s.sets[seat] < 0 or s.sets[seat] > SETS:
            return OWN
        banked += s.sets[seat]
    if 3 * banked != s.discard_size:
        return OWN
    return SOUND if is_over(s) or fits_question(s) else QUESTION


@njit
def fits_question(s):
    """Whose turn it is banks or passes, if it can (TWT-3, TWT-5); in the last turn nobody passes (TWT-6)."""
    if s.actor != s.turn or s.sets[s.actor] == SETS:
        return False
    return can_bank(s) if s.phase == BANK else can_pass(s) and not s.last_turn
