"""The rules of Twice the Fun: RULES.md, rule by rule, on one record."""

from cardenvs.core.jit import njit
from cardenvs.core.match import begin_decision, cut_off, end_round, is_between_rounds, reaches_cap
from cardenvs.core.memory import forget_card, forget_hands, give, give_all, swap_hands
from cardenvs.core.state import NOBODY, ask, begin_episode, distance, relative_seat, seat_left_of
from cardenvs.core.table import (
    NO_CARD,
    deal_hands,
    discard,
    draw_card,
    draw_to_hand,
    gather_deck,
    put_at_bottom,
    shuffle,
    take_from_hand,
    take_top,
    top_discard,
)
from cardenvs.games.twice_the_fun.layout import (
    ACCEPT,
    BOOMERANG,
    COLOR,
    COLOR_0,
    COLOR_OF,
    DECLINE,
    DOUBLE_EXCHANGE,
    DOUBLE_TROUBLE,
    DRAW,
    DRAW_1,
    DRAW_3,
    EXCHANGE,
    FIRST_PENALTY,
    GIVE,
    HAND,
    LOSE_YOUR_TURN,
    NO_COLOR,
    NO_NUMBER,
    NO_PENALTY,
    NUM_COLORS,
    NUM_COLOURED,
    NUM_KINDS,
    NUMBER_OF,
    NUMBERS,
    PENALTY_OF,
    PLAY,
    POINTS,
    REACT,
    RICOCHET,
    SCALE,
    SEAT_0,
    TARGET,
)

# --- deal -------------------------------------------------------------------------------------------------------------


@njit
def deal(s, dealer):
    """A new episode, up to its first decision (TTF-1 to TTF-3); `dealer` NOBODY draws the dealer by lot."""
    begin_episode(s, dealer)
    deal_round(s)


@njit
def deal_round(s):
    """Shuffle, deal nine cards to each seat and turn up the first discard (TTF-1)."""
    gather_deck(s)
    forget_hands(s)
    end_penalty(s)
    s.missed[:] = 0
    shuffle(s)
    deal_hands(s, HAND)
    s.turn = s.dealer
    k = turn_up(s)
    discard(s, k)
    s.color = COLOR_OF[k]
    if PENALTY_OF[k] != NO_PENALTY:
        begin_penalty(s, s.dealer, PENALTY_OF[k], seat_left_of(s, s.dealer))  # as if the dealer had laid it (TTF-3)
    else:
        pass_turn(s)


@njit
def turn_up(s):
    """The first coloured card of the pile; wild cards go to its bottom (TTF-2). If all are wild, the first of them."""
    for _ in range(s.draw_size):
        k = take_top(s)
        if k < NUM_COLOURED:
            return k
        put_at_bottom(s, k)
    return take_top(s)


# --- apply ------------------------------------------------------------------------------------------------------------


@njit
def apply(s, action):
    """Carry out a legal action and all that follows from it, up to the next decision or the end."""
    begin_decision(s)
    if s.phase == PLAY:
        apply_play(s, action)
    elif s.phase == TARGET:
        apply_target(s, relative_seat(s, s.actor, action - SEAT_0))
    elif s.phase == COLOR:
        apply_color(s, action - COLOR_0)
    elif s.phase == REACT:
        apply_react(s, action)
    elif s.phase == GIVE:
        apply_give(s, action)
    else:
        apply_exchange(s, action)
    if is_between_rounds(s):
        deal_round(s)
    if reaches_cap(s):
        cut_off(s)


@njit
def apply_play(s, action):
    """Lay a card of the hand (TTF-5), or draw one that is laid at once if it can be (TTF-7)."""
    if action != DRAW:
        lay_from_hand(s, action)
        return
    k = draw_card(s)
    if k != NO_CARD and fits(s, k):
        lay(s, k)
        return
    if k != NO_CARD:
        s.hands[s.turn, k] += 1
        s.sizes[s.turn] += 1
    pass_turn(s)


@njit
def apply_target(s, seat):
    """Whom the card on top of the discard pile is to hit."""
    k = top_discard(s)
    if k == RICOCHET:
        send_on(s, seat)  # (TTF-14)
    elif k == DOUBLE_EXCHANGE:
        exchange(s, seat)
    else:
        hit(s, PENALTY_OF[k], seat)


@njit
def apply_color(s, color):
    """The colour of a wild card is called; then it does what it does (TTF-9)."""
    s.color = color
    k = top_discard(s)
    if k == DOUBLE_EXCHANGE:
        choose_target(s)  # (TTF-18)
    elif s.penalty == NO_PENALTY:
        pass_turn(s)  # (TTF-10)
    else:
        begin_answer(s, k)


@njit
def apply_react(s, action):
    """The target answers the penalty, or takes it (TTF-12)."""
    if action == ACCEPT:
        take_effect(s)
    else:
        lay_from_hand(s, action)


@njit
def apply_give(s, k):
    """The giver has chosen a card for the target of a Double Trouble (TTF-16)."""
    give(s, giver_of(s), s.target, k)
    s.to_give -= 1
    if s.to_give == 0:
        finish_penalty(s)


@njit
def apply_exchange(s, action):
    """The seat that was swapped with swaps its new hand with a third one, or declines (TTF-18)."""
    if action != DECLINE:
        swap_hands(s, s.actor, relative_seat(s, s.actor, action - SEAT_0))
    pass_turn(s)


# --- laying cards -----------------------------------------------------------------------------------------------------


@njit
def fits(s, k):
    """Whether a card can be laid in a turn (TTF-5)."""
    if k >= NUM_COLOURED or COLOR_OF[k] == s.color:
        return True
    return NUMBER_OF[k] != NO_NUMBER and NUMBER_OF[k] == NUMBER_OF[top_discard(s)]


@njit
def lay_from_hand(s, k):
    """The actor lays a card of its hand, as its last one or with more to come."""
    seat = s.actor
    take_from_hand(s, seat, k)
    forget_card(s, seat, k)
    if s.sizes[seat] == 0:
        lay_last(s, seat, k)
    else:
        lay(s, k)


@njit
def lay(s, k):
    """What a card does that is not its player's last."""
    discard(s, k)
    s.color = COLOR_OF[k]
    if k >= NUM_COLOURED:
        ask(s, s.actor, COLOR)  # (TTF-9)
    elif PENALTY_OF[k] == NO_PENALTY:
        pass_turn(s)
    else:
        choose_target(s)  # (TTF-11)


@njit
def lay_last(s, seat, k):
    """A seat goes out: no colour is called, but a Draw 3 or Draw 1, laid or answered, still hits (TTF-20)."""
    discard(s, k)
    s.color = COLOR_OF[k]
    if draws(PENALTY_OF[k]):
        choose_target(s)
    elif draws(s.penalty):
        begin_answer(s, k)
    else:
        go_out(s, seat)


@njit
def choose_target(s):
    """Ask the actor for another seat; with two players there is only one."""
    if s.num_players > 2:
        ask(s, s.actor, TARGET)
    else:
        apply_target(s, seat_left_of(s, s.actor))


# --- penalties --------------------------------------------------------------------------------------------------------


@njit
def draws(penalty):
    return penalty == DRAW_3 or penalty == DRAW_1


@njit
def hit(s, penalty, seat):
    """The actor's penalty card is to hit a seat; laid last, it can't be answered (TTF-20)."""
    if s.sizes[s.actor] > 0:
        begin_penalty(s, s.actor, penalty, seat)
    else:
        draw_to_hand(s, seat, cards_drawn(penalty))
        go_out(s, s.actor)


@njit
def cards_drawn(penalty):
    return 3 if penalty == DRAW_3 else 1


@njit
def begin_penalty(s, origin, penalty, target):
    """A penalty is on its way to its target (TTF-12)."""
    s.penalty = penalty
    s.origin = origin
    s.sender = origin
    s.target = target
    ask_target(s)


@njit
def ask_target(s):
    """The target can answer if it holds a Boomerang or a Ricochet; otherwise the penalty takes effect (TTF-12)."""
    if s.hands[s.target, BOOMERANG] > 0 or s.hands[s.target, RICOCHET] > 0:
        ask(s, s.target, REACT)
    else:
        take_effect(s)


@njit
def begin_answer(s, k):
    """The target, who is the actor, sends the penalty on by a Boomerang (TTF-13) or a Ricochet (TTF-14)."""
    if k == BOOMERANG:
        send_on(s, s.origin if s.origin != s.target else s.sender)
    else:
        choose_target(s)


@njit
def send_on(s, seat):
    """The penalty goes to a new target, which can answer in its turn (TTF-15), but not who has gone out (TTF-20)."""
    s.sender = s.target
    s.target = seat
    if s.sizes[s.sender] > 0:
        ask_target(s)
    else:
        draw_to_hand(s, seat, cards_drawn(s.penalty))
        go_out(s, s.sender)


@njit
def take_effect(s):
    """The penalty hits its target (TTF-11)."""
    if s.penalty == DOUBLE_TROUBLE:
        begin_giving(s)
        return
    if s.penalty == LOSE_YOUR_TURN:
        s.missed[s.target] += 1
    else:
        draw_to_hand(s, s.target, cards_drawn(s.penalty))
    finish_penalty(s)


@njit
def begin_giving(s):
    """Two cards of the giver's hand go to the target; it is asked for them if it has a choice (TTF-16)."""
    giver = giver_of(s)
    if s.sizes[giver] > 2:
        s.to_give = 2
        ask(s, giver, GIVE)
        return
    give_all(s, giver, s.target)
    finish_penalty(s)


@njit
def giver_of(s):
    """Who gives in a Double Trouble: the origin, or if that is the target, the sender (TTF-16)."""
    return s.origin if s.origin != s.target else s.sender


@njit
def finish_penalty(s):
    """The penalty is done; a giver without cards has gone out (TTF-16), else the turn passes (TTF-17)."""
    giver = giver_of(s)
    end_penalty(s)
    if s.sizes[giver] == 0:
        go_out(s, giver)
    else:
        pass_turn(s)


@njit
def end_penalty(s):
    s.penalty = NO_PENALTY
    s.origin = NOBODY
    s.target = NOBODY
    s.sender = NOBODY
    s.to_give = 0


# --- exchanging hands ------------------------------------------------------------------------------------------------


@njit
def exchange(s, seat):
    """The two swap hands; then the other may swap with a third, if there is one (TTF-18)."""
    swap_hands(s, s.turn, seat)
    if s.num_players > 2:
        ask(s, seat, EXCHANGE)
    else:
        pass_turn(s)


# --- turns and rounds -------------------------------------------------------------------------------------------------


@njit
def pass_turn(s):
    """The turn goes to the left (TTF-17), past seats that have a turn to miss (TTF-11)."""
    seat = seat_left_of(s, s.turn)
    while s.missed[seat] > 0:
        s.missed[seat] -= 1
        seat = seat_left_of(s, seat)
    s.turn = seat
    ask(s, seat, PLAY)


@njit
def go_out(s, winner):
    """A seat has no cards: the others get penalty points for theirs (TTF-20 to TTF-22)."""
    end_penalty(s)
    s.round_points[:] = 0
    for seat in range(s.num_players):
        for k in range(NUM_KINDS):
            s.round_points[seat] += s.hands[seat, k] * POINTS[k]
    end_round(s, 1 << winner, -1, SCALE)


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
    elif s.phase == COLOR:
        for color in range(NUM_COLORS):
            mask[COLOR_0 + color] = True
    elif s.phase == REACT:
        mask[BOOMERANG] = s.hands[s.actor, BOOMERANG] > 0
        mask[RICOCHET] = s.hands[s.actor, RICOCHET] > 0
        mask[ACCEPT] = True
    elif s.phase == GIVE:
        for k in range(NUM_KINDS):
            mask[k] = s.hands[s.actor, k] > 0
    elif s.phase == EXCHANGE:
        for r in range(1, s.num_players):
            mask[SEAT_0 + r] = r != distance(s, s.actor, s.turn)
        mask[DECLINE] = True


@njit
def legal_play(s, mask):
    """The cards of the hand that fit (TTF-5); `draw` for want of a coloured one (TTF-6)."""
    hand = s.hands[s.actor]
    found = False
    number = NUMBER_OF[top_discard(s)]
    for color in range(NUM_COLORS):
        if number != NO_NUMBER and hand[NUMBERS * color + number] > 0:
            mask[NUMBERS * color + number] = True
            found = True
    if s.color != NO_COLOR:
        for k in range(NUMBERS * s.color, NUMBERS * (s.color + 1)):
            if hand[k] > 0:
                mask[k] = True
                found = True
        for k in range(FIRST_PENALTY + s.color, NUM_COLOURED, NUM_COLORS):
            if hand[k] > 0:
                mask[k] = True
                found = True
    for k in range(NUM_COLOURED, NUM_KINDS):
        mask[k] = hand[k] > 0
    mask[DRAW] = not found
