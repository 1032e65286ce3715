"""What must hold of any position of The Twits, for fuzzing."""

from cardenvs.core.invariants import OWN, QUESTION, SOUND, hands_fault, holds_nothing
from cardenvs.core.jit import njit
from cardenvs.core.state import is_over
from cardenvs.games.twits.layout import BANK, NUM_KINDS, PHASES, SET, SETS
from cardenvs.games.twits.rules import can_bank, can_pass

NUM_PHASES = len(PHASES)


@njit
def fault_of(s, counts):
    """The first invariant that does not hold (`core.invariants`)."""
    fault = hands_fault(s, NUM_PHASES, counts)
    if fault != SOUND:
        return fault
    if not sets_are_laid(s, counts):
        return OWN
    return SOUND if is_over(s) or fits_question(s) else QUESTION


@njit
def sets_are_laid(s, counts):
    """The cards that have been laid are those of the sets, of which three end a round (TWT-4)."""
    for k in range(NUM_KINDS):
        counts[k] = s.discards[k]
    for seat in range(s.num_players):
        if s.sets[seat] < 0 or s.sets[seat] > (SETS if is_over(s) else SETS - 1):
            return False
        for i in range(s.sets[seat]):
            counts[s.banked[seat, i]] -= SET
    return holds_nothing(counts)


@njit
def fits_question(s):
    """Whose turn it is banks or passes, if it can (TWT-3, TWT-5); in the last turn nobody passes (TWT-6)."""
    if s.actor != s.turn or (s.last_turn and s.draw_size > 0):
        return False
    return can_bank(s) if s.phase == BANK else can_pass(s) and not s.last_turn
