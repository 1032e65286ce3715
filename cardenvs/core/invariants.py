"""What must hold of any game's record after any decision; each game's `fault_of` puts it together with its own.

A fault is an index into `FAULTS`: 0 if all holds.
"""

from cardenvs.core.jit import njit
from cardenvs.core.memory import pair
from cardenvs.core.state import NO_PHASE, NOBODY, is_over

SUM_TOLERANCE = 1e-4
FAULTS = (
    "",
    "the actor or the phase is none that there is",
    "an episode that is over asks somebody, or one that is not asks nobody",
    "an episode is both terminated and truncated, or its winners are not told when it terminates",
    "the decisions are more than the cap",
    "the rewards do not sum to zero",
    "the cards are not those of the deck",
    "the size of a hand or a pile is not the number of its cards",
    "somebody knows of cards that are not in a hand, or of its own",
    "what is asked does not fit the position",
    "a number of the game's own is out of range",
    "no action is legal, or one is when nobody is asked",
    "a policy chose an action that is not legal",
    "an observation is not a number from −1 to 1",
    "a seat can tell a possibility from the truth",
)
(
    SOUND, NO_SUCH_ACTOR, ASKED, ENDED, CAP, PAY, CARDS, SIZES, MEMORY, QUESTION, OWN, LEGAL, POLICY,
    OBSERVATION, TELLING,
) = range(len(FAULTS))  # fmt: skip


@njit
def table_fault(s, phases):
    """What all games have; `phases` is how many phases there are."""
    over = is_over(s)
    if over and (s.actor != NOBODY or s.phase != NO_PHASE):
        return ASKED
    if not over and (s.actor == NOBODY or s.phase == NO_PHASE):
        return ASKED
    if s.actor < NOBODY or s.actor >= s.num_players or s.phase < NO_PHASE or s.phase >= phases:
        return NO_SUCH_ACTOR
    if (s.terminated and (s.truncated or s.winners == 0)) or (not s.terminated and s.winners != 0):
        return ENDED
    if s.decisions < 0 or s.decisions > s.max_decisions or (s.decisions == s.max_decisions and not over):
        return CAP
    return pay_fault(s)


@njit
def pay_fault(s):
    """What a decision pays sums to zero."""
    total = 0.0
    if s.pays:
        for seat in range(s.num_players):
            total += s.rewards[seat]
    return PAY if abs(total) > SUM_TOLERANCE else SOUND


@njit
def cards_fault(s, counts):
    """Hands and two piles hold the deck, kind by kind; `counts`, int64 (kinds,), is to work with."""
    if s.draw_size < 0 or s.discard_size < 0 or s.draw_size + s.discard_size > s.cards.shape[0]:
        return SIZES
    for k in range(s.deck.shape[0]):
        counts[k] = s.deck[k] - s.discards[k]
        for seat in range(s.hands.shape[0]):
            counts[k] -= s.hands[seat, k]
            if s.hands[seat, k] < 0:
                return CARDS
    if not (subtract(s, 0, s.draw_size, counts) and holds_nothing(counts)):
        return CARDS
    for k in range(s.deck.shape[0]):
        counts[k] = s.discards[k]
    if not (subtract(s, s.cards.shape[0] - s.discard_size, s.cards.shape[0], counts) and holds_nothing(counts)):
        return CARDS
    return sizes_fault(s)


@njit
def subtract(s, low, high, counts):
    """Take the cards in these places off the counts; False if one is of no kind."""
    for i in range(low, high):
        if s.cards[i] < 0 or s.cards[i] >= counts.shape[0]:
            return False
        counts[s.cards[i]] -= 1
    return True


@njit
def holds_nothing(counts):
    for k in range(counts.shape[0]):
        if counts[k] != 0:
            return False
    return True


@njit
def sizes_fault(s):
    """The sizes of hands are the numbers of their cards."""
    for seat in range(s.hands.shape[0]):
        size = 0
        for k in range(s.hands.shape[1]):
            size += s.hands[seat, k]
        if size != s.sizes[seat] or (size > 0 and seat >= s.num_players):
            return SIZES
    return SIZES if s.settled > s.draw_size else SOUND


@njit
def memory_fault(s):
    """Nobody knows of more cards than there are, nor, in this sense, of its own."""
    for observer in range(s.num_players):
        if s.known_sizes[observer, observer] != 0:
            return MEMORY
        for seat in range(s.num_players):
            known = 0
            for k in range(s.hands.shape[1]):
                if s.known[pair(s, observer, seat), k] > s.hands[seat, k]:
                    return MEMORY
                known += s.known[pair(s, observer, seat), k]
            if known != s.known_sizes[observer, seat]:
                return MEMORY
    return SOUND


@njit
def hands_fault(s, phases, counts):
    """All of this, for games with hands and two piles."""
    fault = table_fault(s, phases)
    if fault == SOUND:
        fault = cards_fault(s, counts)
    if fault == SOUND:
        fault = memory_fault(s)
    return fault
