"""What a seat of The Twits may know, and the positions that it cannot tell apart."""

from cardenvs.core.jit import njit
from cardenvs.core.memory import deal_others, deal_unknown, gather_unknown, take_unknown
from cardenvs.core.state import is_over, relative_seat
from cardenvs.core.view import view_table
from cardenvs.games.twits.layout import BANK
from cardenvs.games.twits.rules import banked_points, can_bank, can_pass


@njit
def view(s, seat, v):
    """Fill `v` with what `seat` may know of `s`, all seats relative to it."""
    view_table(s, seat, v)
    v.last_turn = s.last_turn
    for r in range(s.num_players):
        other = relative_seat(s, seat, r)
        v.sets[r] = s.sets[other]
        v.banked_points[r] = banked_points(s, other)


@njit
def resample(s, seat, key):
    """Put a uniformly drawn possibility in place of all that `seat` cannot know; the view does not change.

    A seat that is asked has shown that it can do what it is asked (TWT-3, TWT-5). A finished episode stays as it is:
    its points tell too much of the hands for them to be dealt anew, and nothing depends on them.
    """
    if is_over(s):
        return
    gather_unknown(s, seat, key)
    if s.actor != seat:
        deal_able_hand(s, s.actor, seat)
    deal_others(s, seat)


@njit
def deal_able_hand(s, seat, observer):
    """Fill the actor's hand, again and again until it can do what it is asked."""
    deal_unknown(s, seat)
    while not (can_bank(s) if s.phase == BANK else can_pass(s)):
        take_unknown(s, observer, seat)
        deal_unknown(s, seat)
