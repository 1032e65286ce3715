"""What every game lets a seat know: the table, the others' numbers of cards, its own hand, and what it was shown.

All seats in a view are relative: 0 is the observer itself, then clockwise; NOBODY is −1.
"""

from typing import Any

from cardenvs.core.jit import njit
from cardenvs.core.memory import pair
from cardenvs.core.state import NOBODY, distance, relative_seat


def view_fields(seats: int, kinds: int, own: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The fields of a view, for up to `seats` players and `kinds` kinds; `own` are a game's own."""
    return [
        ("num_players", "i8"),
        ("actor", "i8"),
        ("phase", "i8"),
        ("turn", "i8"),
        ("dealer", "i8"),
        *own,
        ("match", "?"),
        ("draw_size", "i4"),
        ("discard_size", "i4"),
        ("target_score", "i4"),
        ("decisions", "i4"),
        ("max_decisions", "i4"),
        ("hand", "i4", (kinds,)),
        ("discards", "i4", (kinds,)),
        ("deck", "i4", (kinds,)),
        ("copy_share", "f4", (kinds,)),  # 1 / copies of each kind
        ("sizes", "i4", (seats,)),
        ("scores", "i4", (seats,)),
        ("knows", "?"),  # whether the observer may know a card of another's hand
        ("known", "u1", (seats, kinds)),  # cards of each hand that the observer knows; its own row is empty
        ("known_sizes", "i4", (seats,)),  # how many that are
    ]


@njit
def relative(s, seat, other):
    """`other` as a relative seat of `seat`; NOBODY stays NOBODY."""
    return distance(s, seat, other) if other != NOBODY else NOBODY


@njit
def view_table(s, seat, v):
    """Fill `v`, but for a game's own fields."""
    v.num_players = s.num_players
    v.actor = relative(s, seat, s.actor)
    v.phase = s.phase
    v.turn = relative(s, seat, s.turn)
    v.dealer = relative(s, seat, s.dealer)
    v.match = s.match
    v.draw_size = s.draw_size
    v.discard_size = s.discard_size
    v.target_score = s.target_score
    v.decisions = s.decisions
    v.max_decisions = s.max_decisions
    for k in range(s.hands.shape[1]):
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
    """What the seat knows of the others' cards: nothing of most hands, as of most that `v` showed last."""
    v.knows = False
    for r in range(1, s.num_players):
        other = relative_seat(s, seat, r)
        size = s.known_sizes[seat, other]
        if size > 0:
            v.knows = True
            for k in range(s.hands.shape[1]):
                v.known[r, k] = s.known[pair(s, seat, other), k]
        elif v.known_sizes[r] > 0:
            v.known[r, :] = 0
        v.known_sizes[r] = size


@njit
def num_cards(v):
    """All cards of the game."""
    total = v.draw_size + v.discard_size
    for r in range(v.num_players):
        total += v.sizes[r]
    return total
