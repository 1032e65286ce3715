"""Twice the Fun once more, from its rules page alone: slow and plain, to check the compiled game against."""

from collections import Counter
from dataclasses import dataclass

from hypothesis import strategies as st

COLORS = ["red", "blue", "green", "gold"]
PENALTIES = ["double_trouble", "lose_your_turn", "draw_3", "draw_1"]
ANSWERS = ["boomerang", "ricochet"]
WILD_CARDS = [*ANSWERS, "double_exchange"]
KINDS = [
    *[f"{color}_{number}" for color in COLORS for number in range(1, 10)],
    *[f"{color}_{penalty}" for penalty in PENALTIES for color in COLORS],
    *WILD_CARDS,
]
NUMBERS = [str(number) for number in range(1, 10)]
# By face, which is what a card says beside its colour: copies of each card, and points.
COPIES = dict.fromkeys(NUMBERS, 2) | {
    "double_trouble": 1,
    "lose_your_turn": 1,
    "draw_3": 2,
    "draw_1": 2,
    "boomerang": 5,
    "ricochet": 5,
    "double_exchange": 2,
}
POINTS = dict.fromkeys(NUMBERS, 1) | {
    "double_trouble": 10,
    "lose_your_turn": 5,
    "draw_3": 5,
    "draw_1": 5,
    "boomerang": 25,
    "ricochet": 25,
    "double_exchange": 50,
}
CARDS_TO_DRAW = {"draw_3": 3, "draw_1": 1}
HAND_SIZE = 9
MOST_CARDS = 160
SCALE = 100


def color_of(card):
    """The colour's name; None for a wild card."""
    return None if card in WILD_CARDS else card.split("_")[0]


def face_of(card):
    """What a card says beside its colour, as "7" or "draw_3"; a wild card's whole name."""
    return card if card in WILD_CARDS else card.split("_", 1)[1]


def is_number(card):
    return face_of(card) in NUMBERS


def is_penalty(card):
    return face_of(card) in PENALTIES


def actions(num_players):
    """All action names in the order of their indices."""
    seats = [f"seat_{r}" for r in range(1, num_players)]
    return [*KINDS, *[f"color_{color}" for color in COLORS], "draw", "accept", "decline", *seats]


def in_order(cards):
    return sorted(cards, key=KINDS.index)


def listed(cards):
    return ", ".join(in_order(cards)) or "no card"


@dataclass
class Penalty:
    """A penalty on its way (TTF-12)."""

    kind: str
    origin: int
    target: int
    sender: int

    def opponent(self):
        """Whom a Boomerang sends it to (TTF-13), and who gives in Double Trouble (TTF-16)."""
        return self.sender if self.target == self.origin else self.origin


class Reference:
    """One episode. Piles are lists with the top card first, hands are lists in no order."""

    ACTIONS = staticmethod(actions)

    def __init__(self, num_players, options, dealer, shuffle):
        self.seats = range(num_players)
        self.episode = options.get("episode", "round")
        self.reward = options.get("reward", "win")
        self.target_score = options.get("target_score", 100)
        self.deck = options.get("deck", {card: COPIES[face_of(card)] for card in KINDS})
        # TTF-23
        self.max_decisions = options.get("max_decisions", 5_000 if self.episode == "round" else 50_000)
        self.shuffle = shuffle
        self.shuffles = 0
        self.decisions = 0
        self.round = 0
        self.dealer = dealer
        self.scores = [0 for _ in self.seats]
        self.round_points = None
        self.winners = None
        self.terminated = False
        self.truncated = False
        self.rewards = [0.0 for _ in self.seats]
        self.log = []
        self.start_round()

    # --- what is asked, and what is answered ---

    def ask(self, seat, phase):
        self.actor = seat
        self.phase = phase

    def legal(self):
        """The names of the actor's legal actions, in index order."""
        if self.phase is None:
            return []
        hand = self.hands[self.actor]
        if self.phase == "play":
            allowed = [card for card in hand if self.fits(card)] + (["draw"] if self.may_draw() else [])
        elif self.phase == "target":
            allowed = [self.relative(seat) for seat in self.seats if seat != self.actor]
        elif self.phase == "color":
            allowed = [f"color_{color}" for color in COLORS]
        elif self.phase == "react":
            allowed = [card for card in hand if card in ANSWERS] + ["accept"]
        elif self.phase == "give":
            allowed = hand
        elif self.phase == "exchange":
            third_seats = [seat for seat in self.seats if seat not in (self.actor, self.turn)]
            allowed = ["decline"] + [self.relative(seat) for seat in third_seats]
        return [name for name in actions(len(self.seats)) if name in allowed]

    def act(self, name):
        """Take a legal action, and all that follows from it without a further choice."""
        assert name in self.legal(), name
        self.log = []
        self.rewards = [0.0 for _ in self.seats]
        self.decisions += 1
        if self.phase == "play":
            self.play(name)
        elif self.phase == "target":
            self.choose_target(self.seat_named(name))
        elif self.phase == "color":
            self.call_color(name.removeprefix("color_"))
        elif self.phase == "react":
            self.react(name)
        elif self.phase == "give":
            self.give(name)
        elif self.phase == "exchange":
            self.exchange_again(name)
        # The cap comes last: a round that ends with the last decision is paid, and the next one dealt, before it.
        if self.decisions == self.max_decisions and not self.terminated:
            self.truncated = True
            self.ask(None, None)
            self.log.append(f"The episode is cut off after {self.decisions} decisions (TTF-23).")

    def relative(self, seat):
        """The name of a seat as the actor sees it."""
        return f"seat_{(seat - self.actor) % len(self.seats)}"

    def seat_named(self, name):
        return (self.actor + int(name.removeprefix("seat_"))) % len(self.seats)

    def left_of(self, seat):
        return (seat + 1) % len(self.seats)

    # --- setup ---

    def start_round(self):
        self.missed_turns = [0 for _ in self.seats]
        self.penalty = None
        self.to_give = 0
        self.called_color = None
        self.deal()
        self.turn_up_first_discard()
        self.turn = self.dealer
        if is_penalty(self.discard_pile[0]):
            self.lay_first_penalty()
        else:
            self.end_turn()

    def deal(self):
        """TTF-1"""
        all_cards = [card for card in KINDS for _ in range(self.deck[card])]
        self.draw_pile = self.shuffled(all_cards)
        self.discard_pile = []
        self.hands = [[] for _ in self.seats]
        self.log.append(
            f"Round {self.round} begins: all {len(all_cards)} cards are shuffled, and seat {self.dealer} deals (TTF-1)."
        )
        for _ in range(HAND_SIZE):
            seat = self.dealer
            for _ in self.seats:
                seat = self.left_of(seat)
                self.hands[seat].append(self.draw_pile.pop(0))
        for seat in self.seats:
            self.log.append(f"Seat {seat} is dealt {listed(self.hands[seat])} (TTF-1).")

    def turn_up_first_discard(self):
        """TTF-2; where a deck has left no coloured card, the first wild one begins the pile."""
        has_coloured = any(card not in WILD_CARDS for card in self.draw_pile)
        card = self.draw_pile.pop(0)
        while card in WILD_CARDS and has_coloured:
            self.draw_pile.append(card)
            self.log.append(f"{card} is turned up and put at the bottom of the draw pile (TTF-2).")
            card = self.draw_pile.pop(0)
        self.discard_pile = [card]
        self.log.append(f"{card} is turned up and begins the discard pile (TTF-2).")

    def lay_first_penalty(self):
        """TTF-3"""
        target = self.left_of(self.dealer)
        self.penalty = Penalty(face_of(self.discard_pile[0]), origin=self.dealer, target=target, sender=self.dealer)
        self.log.append(f"It counts as laid by seat {self.dealer}, the dealer, on seat {target} (TTF-3).")
        self.offer_answer()

    # --- a turn ---

    def current_color(self):
        """TTF-4; None while a wild card has no colour called."""
        return color_of(self.discard_pile[0]) or self.called_color

    def fits(self, card):
        """TTF-5"""
        top = self.discard_pile[0]
        if card in WILD_CARDS or color_of(card) == self.current_color():
            return True
        return is_number(card) and is_number(top) and face_of(card) == face_of(top)

    def may_draw(self):
        """TTF-6"""
        coloured_cards = [card for card in self.hands[self.actor] if card not in WILD_CARDS]
        return not any(self.fits(card) for card in coloured_cards)

    def play(self, name):
        if name == "draw":
            self.draw_in_turn()
        else:
            self.log.append(f"Seat {self.actor} plays {name} (TTF-5).")
            self.lay_in_turn(name)

    def draw_in_turn(self):
        """TTF-7"""
        card = self.draw_card(self.actor, "TTF-7")
        if card is None:
            self.end_turn()  # TTF-8
        elif self.fits(card):
            self.log.append(f"{card} can be laid, so it is laid at once (TTF-7).")
            self.lay_in_turn(card)
        else:
            self.log.append(f"{card} cannot be laid (TTF-7).")
            self.end_turn()

    def draw_card(self, seat, rule):
        """TTF-8: the card that the seat has drawn, or None if there is none to draw."""
        if not self.draw_pile and len(self.discard_pile) > 1:
            self.renew_draw_pile()
        if not self.draw_pile:
            self.log.append(f"There is no card left for seat {seat} to draw (TTF-8).")
            return None
        card = self.draw_pile.pop(0)
        self.hands[seat].append(card)
        self.log.append(f"Seat {seat} draws {card} ({rule}).")
        return card

    def renew_draw_pile(self):
        """TTF-8"""
        top, *others = self.discard_pile
        self.discard_pile = [top]
        self.draw_pile = self.shuffled(others)
        self.log.append(f"The discard pile but for {top} is shuffled into a new draw pile (TTF-8).")

    def shuffled(self, cards):
        self.shuffles += 1
        return list(self.shuffle(cards))

    def discard(self, card):
        """Move a card from the actor's hand onto the discard pile; a colour called before counts no longer."""
        self.hands[self.actor].remove(card)
        self.discard_pile.insert(0, card)
        self.called_color = None

    def lay_in_turn(self, card):
        self.discard(card)
        is_last = not self.hands[self.actor]
        if face_of(card) in CARDS_TO_DRAW:
            self.ask_target(self.actor)  # TTF-11, and TTF-20 for a last card
        elif is_last:
            self.end_round(self.actor)  # TTF-20, TTF-19 for a Double Exchange
        elif is_penalty(card):
            self.ask_target(self.actor)  # TTF-11
        elif card in WILD_CARDS:
            self.ask(self.actor, "color")  # TTF-9
        else:
            self.end_turn()

    def call_color(self, color):
        """TTF-9: what the card asks for beyond a colour is done after it."""
        self.called_color = color
        self.log.append(f"Seat {self.actor} calls {color} (TTF-9).")
        if self.discard_pile[0] == "double_exchange":
            self.ask_target(self.actor)  # TTF-18
        elif self.penalty:
            self.pass_on_penalty()
        else:
            self.end_turn()  # TTF-10

    def ask_target(self, seat):
        """With two players the only other seat is chosen by the game."""
        self.ask(seat, "target")
        if len(self.seats) == 2:
            self.choose_target(self.left_of(seat))

    def choose_target(self, target):
        """What the target is for can be seen from the card on top."""
        top = self.discard_pile[0]
        if is_penalty(top):
            self.aim_penalty(target)
        elif top == "ricochet":
            self.send_on(target, "TTF-14")
        elif top == "double_exchange":
            self.exchange(target)

    def end_turn(self):
        """TTF-4, TTF-17; missed turns are counted off here (TTF-11)."""
        self.turn = self.left_of(self.turn)
        while self.missed_turns[self.turn] > 0:
            self.missed_turns[self.turn] -= 1
            self.log.append(f"Seat {self.turn} misses its turn (TTF-11).")
            self.turn = self.left_of(self.turn)
        self.log.append(f"It is the turn of seat {self.turn}; the colour is {self.current_color()} (TTF-4).")
        self.ask(self.turn, "play")

    # --- penalty cards ---

    def aim_penalty(self, target):
        """TTF-11"""
        origin = self.actor
        card = self.discard_pile[0]
        self.log.append(f"Seat {origin} aims {card} at seat {target} (TTF-11).")
        if not self.hands[origin]:
            self.hit_with_last_card(origin, face_of(card), target)
        else:
            self.penalty = Penalty(face_of(card), origin=origin, target=target, sender=origin)
            self.offer_answer()

    def offer_answer(self):
        """TTF-12, TTF-15"""
        target = self.penalty.target
        if any(card in ANSWERS for card in self.hands[target]):
            self.ask(target, "react")
        else:
            self.log.append(f"Seat {target} has no answer (TTF-12).")
            self.take_effect()

    def react(self, name):
        """TTF-12"""
        if name == "accept":
            self.log.append(f"Seat {self.actor} accepts the penalty (TTF-12).")
            self.take_effect()
        else:
            self.log.append(f"Seat {self.actor} answers with {name} (TTF-12).")
            self.lay_answer(name)

    def lay_answer(self, card):
        self.discard(card)
        if self.hands[self.actor]:
            self.ask(self.actor, "color")  # TTF-9
        elif self.penalty.kind in CARDS_TO_DRAW:
            self.pass_on_penalty()  # TTF-20: no colour is called
        else:
            self.end_round(self.actor)  # TTF-20

    def pass_on_penalty(self):
        """TTF-13, TTF-14: an answer has been laid, and its colour called."""
        if self.discard_pile[0] == "boomerang":
            self.send_on(self.penalty.opponent(), "TTF-13")
        else:
            self.ask_target(self.actor)

    def send_on(self, target, rule):
        """TTF-13, TTF-14: the old target becomes the sender."""
        kind, origin, sender = self.penalty.kind, self.penalty.origin, self.penalty.target
        self.log.append(f"Seat {sender} sends {kind} on to seat {target} ({rule}).")
        if not self.hands[sender]:
            self.hit_with_last_card(sender, kind, target)
        else:
            self.penalty = Penalty(kind, origin, target, sender)
            self.offer_answer()

    def hit_with_last_card(self, winner, kind, target):
        """TTF-20: a Draw card that comes with somebody's last card hits without an answer."""
        self.draw_penalty(kind, target, "TTF-20")
        self.end_round(winner)

    def take_effect(self):
        """TTF-11"""
        kind, target = self.penalty.kind, self.penalty.target
        if kind == "double_trouble":
            self.begin_to_give()
        elif kind == "lose_your_turn":
            self.missed_turns[target] += 1
            self.log.append(f"Seat {target} will miss a turn, {self.missed_turns[target]} in all (TTF-11).")
            self.finish_penalty()
        else:
            self.draw_penalty(kind, target, "TTF-11")
            self.finish_penalty()

    def draw_penalty(self, kind, target, rule):
        for _ in range(CARDS_TO_DRAW[kind]):
            self.draw_card(target, rule)

    def finish_penalty(self):
        self.penalty = None
        self.end_turn()

    def begin_to_give(self):
        """TTF-16"""
        giver = self.penalty.opponent()
        if len(self.hands[giver]) > 2:
            self.to_give = 2
            self.ask(giver, "give")
        else:
            for card in in_order(self.hands[giver]):
                self.hand_over(giver, card)
            self.end_round(giver)

    def give(self, card):
        """TTF-16"""
        self.hand_over(self.actor, card)
        self.to_give -= 1
        if self.to_give == 0:
            self.finish_penalty()

    def hand_over(self, giver, card):
        target = self.penalty.target
        self.hands[giver].remove(card)
        self.hands[target].append(card)
        self.log.append(f"Seat {giver} gives {card} to seat {target} (TTF-16).")

    # --- Double Exchange ---

    def exchange(self, target):
        """TTF-18: the first swap."""
        self.swap_hands(self.actor, target)
        if len(self.seats) == 2:
            self.end_turn()
        else:
            self.ask(target, "exchange")

    def exchange_again(self, name):
        """TTF-18: the second swap."""
        if name == "decline":
            self.log.append(f"Seat {self.actor} declines to swap again (TTF-18).")
        else:
            self.swap_hands(self.actor, self.seat_named(name))
        self.end_turn()

    def swap_hands(self, one, other):
        self.hands[one], self.hands[other] = self.hands[other], self.hands[one]
        self.log.append(
            f"Seat {one} and seat {other} swap their hands: seat {one} has {listed(self.hands[one])}, "
            f"seat {other} has {listed(self.hands[other])} (TTF-18)."
        )

    # --- end and score ---

    def end_round(self, winner):
        """TTF-20, TTF-21"""
        self.log.append(f"Seat {winner} has no cards left and wins round {self.round} (TTF-20).")
        self.penalty = None
        self.round_points = [sum(POINTS[face_of(card)] for card in hand) for hand in self.hands]
        for seat in self.seats:
            self.scores[seat] += self.round_points[seat]
            self.log.append(
                f"Seat {seat} gets {self.round_points[seat]} points for {listed(self.hands[seat])}, "
                f"{self.scores[seat]} in all (TTF-21)."
            )
        if self.reward == "score":
            self.pay_points()
        if self.episode == "round":
            self.end_episode([winner])
        elif max(self.scores) >= self.target_score:
            self.end_episode([seat for seat in self.seats if self.scores[seat] == min(self.scores)])
        else:
            self.round += 1
            self.dealer = self.left_of(self.dealer)
            self.start_round()

    def pay_points(self):
        """TTF-22: points are penalties, so whoever has fewer than the mean is paid."""
        mean = sum(self.round_points) / len(self.seats)
        self.rewards = [(mean - points) / SCALE for points in self.round_points]

    def end_episode(self, winners):
        """TTF-22"""
        self.winners = winners
        self.terminated = True
        self.ask(None, None)
        self.log.append(f"The {self.episode} is over, won by seat {' and seat '.join(map(str, winners))} (TTF-22).")
        losers = [seat for seat in self.seats if seat not in winners]
        if self.reward == "win" and losers:
            self.rewards = [1 / len(winners) if seat in winners else -1 / len(losers) for seat in self.seats]

    # --- the whole position ---

    def snapshot(self):
        return {
            "game": "twice_the_fun",
            "num_players": len(self.seats),
            "episode": self.episode,
            "round": self.round,
            "dealer": self.dealer,
            "decisions": self.decisions,
            "actor": self.actor,
            "phase": self.phase,
            "legal": self.legal(),
            "hands": [dict(Counter(in_order(hand))) for hand in self.hands],
            "draw_pile": list(self.draw_pile),
            "discard_pile": list(self.discard_pile),
            "color": self.current_color(),
            "turn": self.turn,
            "missed_turns": list(self.missed_turns),
            "penalty": dict(vars(self.penalty)) if self.penalty else None,
            "to_give": self.to_give,
            "scores": list(self.scores),
            "round_points": list(self.round_points) if self.round_points else None,
            "winners": self.winners,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "shuffles": self.shuffles,
        }


@st.composite
def decks(draw, num_players):
    """Copies of each card: of a few cards or many, and often so few that the piles run dry."""
    cards = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=20, unique=True))
    smallest = HAND_SIZE * num_players + 1
    size = draw(st.integers(smallest, smallest + 10) | st.integers(smallest, MOST_CARDS))
    return dict.fromkeys(KINDS, 0) | Counter(cards[i % len(cards)] for i in range(size))


def capped(chosen):
    """With some decks the hands only grow, and a match of 50,000 decisions is too long for a test."""
    if "deck" in chosen and "episode" in chosen:
        return {"max_decisions": 1_000, **chosen}
    return chosen


def options(num_players):
    """Options that the rules allow, of which each is left at its default about half of the time."""
    return st.fixed_dictionaries(
        {},
        optional={
            "episode": st.just("match"),
            "reward": st.just("score"),
            "target_score": st.integers(1, 400),
            "max_decisions": st.one_of(st.integers(1, 100), st.integers(1, 2_000)),
            "deck": decks(num_players),
        },
    ).map(capped)
