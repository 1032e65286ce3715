"""What a seat of Twice the Fun may know, and the positions that it cannot tell apart."""

from cardenvs.core.jit import njit
from cardenvs.core.memory import deal_others, deal_unknown, gather_unknown, take_unknown
from cardenvs.core.state import is_over, relative_seat
from cardenvs.core.table import top_discard
from cardenvs.core.view import relative, view_table
from cardenvs.games.twice_the_fun.layout import BOOMERANG, REACT, RICOCHET


@njit
def view(s, seat, v):
    """Fill `v` with what `seat` may know of `s`, all seats relative to it."""
    view_table(s, seat, v)
    v.top = top_discard(s)
    v.color = s.color
    v.penalty = s.penalty
    v.origin = relative(s, seat, s.origin)
    v.target = relative(s, seat, s.target)
    v.sender = relative(s, seat, s.sender)
    v.to_give = s.to_give
    for r in range(s.num_players):
        v.missed[r] = s.missed[relative_seat(s, seat, r)]


@njit
def resample(s, seat, key):
    """Put a uniformly drawn possibility in place of all that `seat` cannot know; the view does not change.

    A seat that is asked to answer a penalty has shown that it can (TTF-12). A finished episode stays as it is: its
    points tell too much of the hands for them to be dealt anew, and nothing depends on them.
    """
    if is_over(s):
        return
    gather_unknown(s, seat, key)
    if s.phase == REACT and s.actor != seat:
        deal_answering_hand(s, s.actor, seat)
    deal_others(s, seat)


@njit
def deal_answering_hand(s, seat, observer):
    """Fill a hand, again and again until it holds a Boomerang or a Ricochet."""
    deal_unknown(s, seat)
    while s.hands[seat, BOOMERANG] + s.hands[seat, RICOCHET] == 0:
        take_unknown(s, observer, seat)
        deal_unknown(s, seat)
