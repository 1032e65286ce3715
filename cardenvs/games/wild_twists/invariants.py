"""What must hold of any position of Wild Twists war, for fuzzing."""

from cardenvs.core.invariants import CARDS, OWN, QUESTION, SIZES, SOUND, table_fault
from cardenvs.core.jit import njit
from cardenvs.core.state import is_over
from cardenvs.games.wild_twists.layout import BATTLE, NUM_KINDS, PHASES, PLAYERS
from cardenvs.games.wild_twists.rules import has

NUM_PHASES = len(PHASES)


@njit
def fault_of(s, counts):
    """The first invariant that does not hold (`core.invariants`)."""
    fault = table_fault(s, NUM_PHASES)
    if fault == SOUND:
        fault = cards_fault(s, counts)
    if fault != SOUND:
        return fault
    if s.taken[0] & s.taken[1] or s.score[0] & ~s.taken[0] or s.score[1] & ~s.taken[1]:
        return OWN
    if is_over(s):
        return SOUND
    return SOUND if fits_question(s) else QUESTION


@njit
def cards_fault(s, counts):
    """Every card lies in one place (WTW-1, WTW-5), and score piles are as large as counted."""
    counts[:] = 0
    for seat in range(PLAYERS):
        scored = 0
        for k in range(NUM_KINDS):
            if has(s.score[seat], k):
                counts[k] += 1
                scored += 1
        if scored != s.score_sizes[seat]:
            return SIZES
        if not (
            count_cards(s.decks[seat], s.deck_sizes[seat], counts)
            and count_cards(s.face_up[seat], s.up_sizes[seat], counts)
            and count_cards(s.face_down[seat], s.down_sizes[seat], counts)
        ):
            return SIZES
    for k in range(NUM_KINDS):
        if counts[k] != 1:
            return CARDS
    return SOUND


@njit
def count_cards(pile, size, counts):
    """Add the cards of a pile; False if it has more than there are, or one that there is not."""
    if size < 0 or size > NUM_KINDS:
        return False
    for i in range(size):
        if pile[i] < 0 or pile[i] >= NUM_KINDS:
            return False
        counts[pile[i]] += 1
    return True


@njit
def fits_question(s):
    """Seat 0 flips first and then seat 1, on an empty table in a battle and not in a war (WTW-2, WTW-6), if it can."""
    if s.up_sizes[0] != s.up_sizes[1] + s.actor or s.deck_sizes[s.actor] + s.score_sizes[s.actor] == 0:
        return False
    return (s.up_sizes[1] == 0) == (s.phase == BATTLE)
