"""The rules of UNO All Wild: RULES.md, rule by rule, on one record."""

from cardenvs.core.jit import njit
from cardenvs.core.match import begin_decision, cut_off, end_round, is_between_rounds, reaches_cap
from cardenvs.core.memory import forget_card, forget_hands, learn_hand, swap_hands
from cardenvs.core.state import NOBODY, ask, begin_episode, relative_seat, seat_left_of
from cardenvs.core.table import (
    can_draw,
    deal_hands,
    discard,
    draw_card,
    draw_to_hand,
    gather_deck,
    shuffle,
    take_from_hand,
    take_top,
    top_discard,
)
from cardenvs.games.uno_all_wild.layout import (
    CATCH,
    CATCH_SILENT,
    DECLARE,
    DOUBLE_SKIP,
    DRAW,
    DRAW_FOUR,
    DRAW_TWO,
    FORCED_SWAP,
    HAND,
    LET_GO,
    NUM_KINDS,
    PLAY,
    POINTS,
    REVERSE,
    SAY_UNO,
    SCALE,
    SEAT_0,
    SKIP,
    STAY_SILENT,
    TARGET,
    TARGETED_DRAW_TWO,
    WILD,
)

# --- deal -------------------------------------------------------------------------------------------------------------


@njit
def deal(s, dealer):
    """A new episode, up to its first decision (UAW-1 to UAW-3); `dealer` NOBODY draws the dealer by lot."""
    begin_episode(s, dealer)
    deal_round(s)


@njit
def deal_round(s):
    """Shuffle, deal seven cards to each seat and turn up the first discard (UAW-1)."""
    gather_deck(s)
    forget_hands(s)
    forget_calls(s)
    shuffle(s)
    deal_hands(s, HAND)
    s.direction = 1
    s.turn = s.dealer
    k = take_top(s)
    discard(s, k)
    if s.ignore_start:
        give_turn(s, next_seat(s, 0))  # (UAW-2)
    else:
        begin_effect(s, k)  # as if the dealer had played it (UAW-2)


# --- apply ------------------------------------------------------------------------------------------------------------


@njit
def apply(s, action):
    """Carry out a legal action and all that follows from it, up to the next decision or the end."""
    begin_decision(s)
    if s.phase == PLAY:
        apply_play(s, action)
    elif s.phase == TARGET:
        hit(s, relative_seat(s, s.actor, action - SEAT_0))
    elif s.phase == DECLARE:
        apply_declare(s, action)
    else:
        apply_catch(s, action)
    if is_between_rounds(s):
        deal_round(s)
    if reaches_cap(s):
        cut_off(s)
        forget_calls(s)


@njit
def apply_play(s, action):
    """Play a card of the hand (UAW-4), or draw one that is played at once (UAW-5)."""
    if action == DRAW:
        k = draw_card(s)
        show_plain_hand(s, s.turn)
    else:
        k = action
        take_from_hand(s, s.turn, k)
        forget_card(s, s.turn, k)
    discard(s, k)
    if s.sizes[s.turn] > 0:
        begin_effect(s, k)
    else:
        begin_last_effect(s, k)


@njit
def begin_effect(s, k):
    """What a card does that is not its player's last; a target is asked for where there is a choice."""
    if k == REVERSE:
        s.direction = -s.direction
    elif k == DRAW_TWO:
        draw_to_hand(s, next_seat(s, 0), 2)
    elif k == DRAW_FOUR:
        draw_to_hand(s, next_seat(s, 0), 4)
    elif k == TARGETED_DRAW_TWO or k == FORCED_SWAP:
        if s.num_players > 2:
            ask(s, s.turn, TARGET)
        else:
            hit(s, next_seat(s, 0))
        return
    finish_turn(s, NOBODY)


@njit
def begin_last_effect(s, k):
    """A last card does nothing but make others draw (UAW-13)."""
    if k == DRAW_TWO:
        draw_to_hand(s, next_seat(s, 0), 2)
    elif k == DRAW_FOUR:
        draw_to_hand(s, next_seat(s, 0), 4)
    elif k == TARGETED_DRAW_TWO:
        if s.num_players > 2:
            ask(s, s.turn, TARGET)
        else:
            hit(s, next_seat(s, 0))
        return
    go_out(s)


@njit
def hit(s, target):
    """The card on top of the discard pile happens to `target`."""
    if top_discard(s) == FORCED_SWAP:
        swap_hands(s, s.turn, target)
        finish_turn(s, target)
        return
    draw_to_hand(s, target, 2)
    if s.sizes[s.turn] == 0:
        go_out(s)
    else:
        finish_turn(s, NOBODY)


# --- saying UNO -------------------------------------------------------------------------------------------------------


@njit
def finish_turn(s, swapped_with):
    """The effect is done: whoever has to says UNO (UAW-10), then the turn passes (UAW-12)."""
    if s.declares:
        n = 0
        if s.sizes[s.turn] == 1:
            s.to_declare[n] = s.turn
            n += 1
        if swapped_with != NOBODY and s.sizes[swapped_with] == 1:
            s.to_declare[n] = swapped_with
            n += 1
    ask_to_declare(s)


@njit
def ask_to_declare(s):
    """Ask the next seat that has to say UNO; when all are settled, the turn passes."""
    if s.to_declare[0] != NOBODY:
        ask(s, s.to_declare[0], DECLARE)
    else:
        pass_turn(s)


@njit
def apply_declare(s, action):
    """Who stays silent can be caught by the others, clockwise from its left (UAW-11)."""
    if action == SAY_UNO:
        settle_call(s)
    else:
        s.silent = s.actor
        ask(s, seat_left_of(s, s.silent), CATCH)


@njit
def apply_catch(s, action):
    """At the first catch the silent seat draws two cards and the asking stops (UAW-11)."""
    if action == CATCH_SILENT:
        draw_to_hand(s, s.silent, 2)
        settle_call(s)
        return
    after = seat_left_of(s, s.actor)
    if after == s.silent:
        settle_call(s)
    else:
        ask(s, after, CATCH)


@njit
def settle_call(s):
    """The first seat of `to_declare` is settled."""
    s.silent = NOBODY
    s.to_declare[0] = s.to_declare[1]
    s.to_declare[1] = NOBODY
    ask_to_declare(s)


@njit
def forget_calls(s):
    s.silent = NOBODY
    s.to_declare[:] = NOBODY


# --- turns and rounds -------------------------------------------------------------------------------------------------


@njit
def next_seat(s, skipped):
    """The seat that follows the turn's in the direction of play, past `skipped` seats (UAW-6)."""
    step = 1 + skipped
    if step >= s.num_players:
        step -= s.num_players
    seat = s.turn + s.direction * step
    if seat < 0:
        seat += s.num_players
    if seat >= s.num_players:
        seat -= s.num_players
    return seat


@njit
def skipped_by(num_players, k):
    """How many seats lose their turn by a card (UAW-6, UAW-7)."""
    if k == SKIP or k == DRAW_TWO or k == DRAW_FOUR:
        return 1
    if k == DOUBLE_SKIP:
        return 2
    return 1 if k == REVERSE and num_players == 2 else 0


@njit
def pass_turn(s):
    """The turn goes on by the card that was played last."""
    give_turn(s, next_seat(s, skipped_by(s.num_players, top_discard(s))))


@njit
def give_turn(s, seat):
    s.turn = seat
    ask(s, seat, PLAY)


@njit
def go_out(s):
    """The seat whose turn it is is out and wins all the cards that the others hold (UAW-13 to UAW-15)."""
    s.round_points[:] = 0
    for seat in range(s.num_players):
        for k in range(NUM_KINDS):
            s.round_points[s.turn] += s.hands[seat, k] * POINTS[k]
    end_round(s, 1 << s.turn, 1, SCALE)


# --- what others know of a hand (core.memory) -------------------------------------------------------------------------


@njit
def show_plain_hand(s, seat):
    """Drawing of one's own will shows that the hand has no action card, but plain wilds alone (UAW-5)."""
    for observer in range(s.num_players):
        if observer != seat:
            learn_hand(s, observer, seat)


# --- legal actions ----------------------------------------------------------------------------------------------------


@njit
def legal(s, mask):
    """Fill the actor's action mask, bool (A,); all False when the episode is over."""
    mask[:] = False
    if s.phase == PLAY:
        legal_play(s, mask)
    elif s.phase == TARGET:
        for r in range(1, s.num_players):
            mask[SEAT_0 + r] = True
    elif s.phase == DECLARE:
        mask[SAY_UNO] = True
        mask[STAY_SILENT] = True
    elif s.phase == CATCH:
        mask[CATCH_SILENT] = True
        mask[LET_GO] = True


@njit
def legal_play(s, mask):
    """Any card of the hand (UAW-4); `draw` against a next seat with one card and for want of action cards (UAW-5)."""
    for k in range(NUM_KINDS):
        mask[k] = s.hands[s.actor, k] > 0
    plain = s.hands[s.actor, WILD] == s.sizes[s.actor]
    mask[DRAW] = plain and s.sizes[next_seat(s, 0)] == 1 and can_draw(s)
