"""What a seat of UNO All Wild may know, and the positions that it cannot tell apart."""

from cardenvs.core.jit import njit
from cardenvs.core.memory import deal_others, gather_unknown
from cardenvs.core.state import is_over
from cardenvs.core.table import top_discard
from cardenvs.core.view import relative, view_table


@njit
def view(s, seat, v):
    """Fill `v` with what `seat` may know of `s`, all seats relative to it."""
    view_table(s, seat, v)
    v.top = top_discard(s)
    v.direction = s.direction
    v.silent = relative(s, seat, s.silent)
    v.to_declare[0] = relative(s, seat, s.to_declare[0])
    v.to_declare[1] = relative(s, seat, s.to_declare[1])
    v.declares = s.declares


@njit
def resample(s, seat, key):
    """Put a uniformly drawn possibility in place of all that `seat` cannot know; the view does not change.

    A finished episode stays as it is: its points tell too much of the hands for them to be dealt anew, and nothing
    depends on them.
    """
    if is_over(s):
        return
    gather_unknown(s, seat, key)
    deal_others(s, seat)
