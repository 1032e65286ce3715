"""What a seat of UNO All Wild may know, and the positions that it cannot tell apart."""

from cardenvs.core.jit import njit
from cardenvs.core.rng import RESAMPLE, SHUFFLE_0, below, derive, mix, next_state
from cardenvs.core.state import is_over, relative_seat
from cardenvs.core.table import take_top, top_discard
from cardenvs.games.uno_all_wild.layout import NUM_KINDS
from cardenvs.games.uno_all_wild.rules import relative


@njit
def view(s, seat, v):
    """Fill `v` with what `seat` may know of `s`, all seats relative to it."""
    v.num_players = s.num_players
    v.actor = relative(s, seat, s.actor)
    v.phase = s.phase
    v.turn = relative(s, seat, s.turn)
    v.dealer = relative(s, seat, s.dealer)
    v.direction = s.direction
    v.silent = relative(s, seat, s.silent)
    v.to_declare[0] = relative(s, seat, s.to_declare[0])
    v.to_declare[1] = relative(s, seat, s.to_declare[1])
    v.declares = s.declares
    v.match = s.match
    v.top = top_discard(s)
    v.draw_size = s.draw_size
    v.discard_size = s.discard_size
    v.target_score = s.target_score
    v.decisions = s.decisions
    v.max_decisions = s.max_decisions
    for k in range(NUM_KINDS):
        v.hand[k] = s.hands[seat, k]
        v.discards[k] = s.discards[k]
        v.deck[k] = s.deck[k]
        v.copy_share[k] = s.copy_share[k]
    for r in range(s.num_players):
        other = relative_seat(s, seat, r)
        v.sizes[r] = s.sizes[other]
        v.scores[r] = s.scores[other]
    view_known(s, seat, v)


@njit
def view_known(s, seat, v):
    """What the seat knows of the others' cards: nothing at all in most positions, as in most that `v` showed last."""
    if s.known_hands == 0:
        if v.knows:
            v.knows = False
            v.known[:] = 0
            v.known_sizes[:] = 0
        return
    v.knows = True
    for r in range(s.num_players):
        other = relative_seat(s, seat, r)
        size = 0
        for k in range(NUM_KINDS):
            v.known[r, k] = s.known[seat, other, k]
            size += s.known[seat, other, k]
        v.known_sizes[r] = size


@njit
def resample(s, seat, key):
    """Put a uniformly drawn possibility in place of all that `seat` cannot know; the view does not change.

    Every card whose place the seat does not know is as likely to be in any such place. The episode goes on from `key`,
    so that nothing of what would have come is left either. A finished episode stays as it is: its points tell too much
    of the hands for them to be dealt anew, and nothing depends on them.
    """
    if is_over(s):
        return
    s.key = key
    s.stacked = 0
    collect_unknown_cards(s, seat)
    s.settled = 0
    s.stream = derive(key, RESAMPLE)
    for other in range(s.num_players):
        if other != seat:
            deal_unknown_cards(s, other)
    for other in range(s.num_players):
        if other != seat:
            resample_knowledge(s, other, seat)
    s.stream = derive(key, SHUFFLE_0)


@njit
def collect_unknown_cards(s, seat):
    """All cards of other hands that `seat` does not know of go into the draw pile; those it knows of stay."""
    for other in range(s.num_players):
        if other == seat:
            continue
        for k in range(NUM_KINDS):
            known = s.known[seat, other, k]
            for _ in range(s.hands[other, k] - known):
                s.cards[s.draw_size] = k
                s.draw_size += 1
            s.hands[other, k] = known


@njit
def deal_unknown_cards(s, seat):
    """Fill a hand up to its number of cards."""
    held = 0
    for k in range(NUM_KINDS):
        held += s.hands[seat, k]
    for _ in range(s.sizes[seat] - held):
        s.hands[seat, take_top(s)] += 1


@njit
def resample_knowledge(s, seat, observer):
    """The others know as many cards of a hand as before, whichever these now are."""
    for other in range(s.num_players):
        if other == observer or other == seat:
            continue
        wanted = 0
        for k in range(NUM_KINDS):
            wanted += s.known[other, seat, k]
        if wanted == 0:
            continue
        left = s.sizes[seat]
        for k in range(NUM_KINDS):
            known = 0
            for _ in range(s.hands[seat, k]):
                s.stream = next_state(s.stream)
                if below(mix(s.stream), left) < wanted:
                    known += 1
                    wanted -= 1
                left -= 1
            s.known[other, seat, k] = known
