"""UNO All Wild, written a second time: plain Python made from the rules page alone, to be played beside the engine.

Rule numbers (UAW-1 to UAW-16) are those of the rules page. Cards and actions go by name, a hand is a list of card names
and a pile is a list with its top card first. `Reference.log` tells in English what the last action brought about.
"""

from collections import Counter

from hypothesis import strategies as st

COPIES = {
    "wild": 60,
    "reverse": 8,
    "skip": 8,
    "double_skip": 8,
    "draw_two": 8,
    "draw_four": 4,
    "targeted_draw_two": 8,
    "forced_swap": 8,
}
KINDS = list(COPIES)
ACTION_CARDS = KINDS[1:]
POINTS = {kind: 50 if kind in ACTION_CARDS else 20 for kind in KINDS}
CARDS_TO_DRAW = {"draw_two": 2, "draw_four": 4, "targeted_draw_two": 2}
CARDS_WITH_A_TARGET = ["targeted_draw_two", "forced_swap"]

HAND_SIZE = 7
MOST_CARDS = 160
SCORE_SCALE = 500
MAX_DECISIONS = {"round": 3_000, "match": 60_000}  # UAW-16


def action_names(num_players):
    """The names of all actions, in index order."""
    seats = [f"seat_{relative}" for relative in range(1, num_players)]
    return [*KINDS, "draw", "say_uno", "stay_silent", "catch", "let_go", *seats]


def in_words(cards):
    """The cards of a hand as a person would list them, for the log."""
    counts = Counter(cards)
    return ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])


def number_of(things, name):
    return f"{things} {name}" if things == 1 else f"{things} {name}s"


class Reference:
    """One episode. The game runs by itself from one decision to the next; `act` takes the decision of `actor`."""

    ACTIONS = staticmethod(action_names)

    def __init__(self, num_players, options, dealer, shuffle):
        self.num_players = num_players
        self.seats = range(num_players)
        self.episode = options.get("episode", "round")
        self.reward = options.get("reward", "win")
        self.start_card = options.get("start_card", "active")
        self.uno_calls = options.get("uno_calls", "auto")
        self.deck = options.get("deck", COPIES)
        self.target_score = options.get("target_score", 500)
        self.max_decisions = options.get("max_decisions", MAX_DECISIONS[self.episode])
        self.shuffle = shuffle

        self.round = 0
        self.dealer = dealer
        self.decisions = 0
        self.shuffles = 0
        self.scores = [0 for _ in self.seats]
        self.round_points = None
        self.winners = None
        self.terminated = False
        self.truncated = False
        self.rewards = [0.0 for _ in self.seats]
        self.log = []
        self.begin_round()

    # The player's side

    def legal(self):
        """The names of the legal actions, in index order."""
        if self.phase == "play":
            cards = [kind for kind in KINDS if kind in self.hands[self.actor]]
            return [*cards, "draw"] if self.may_draw() else cards
        if self.phase == "target":
            return [f"seat_{relative}" for relative in range(1, self.num_players)]
        if self.phase == "declare":
            return ["say_uno", "stay_silent"]
        if self.phase == "catch":
            return ["catch", "let_go"]
        return []

    def act(self, name):
        """Take a legal action, and let happen all that follows by itself."""
        if name not in self.legal():
            raise ValueError(f"{name} is not legal, only {self.legal()}")
        self.log = []
        self.rewards = [0.0 for _ in self.seats]
        self.decisions += 1
        if name in KINDS:
            self.play(name)
        elif name == "draw":
            self.draw_and_play()
        elif name == "say_uno":
            self.say_uno()
        elif name == "stay_silent":
            self.stay_silent()
        elif name == "catch":
            self.catch()
        elif name == "let_go":
            self.let_go()
        else:
            relative = int(name.removeprefix("seat_"))
            self.hit((self.actor + relative) % self.num_players)
        self.cut_off_at_the_cap()

    def snapshot(self):
        """The whole position, hidden cards included."""
        return {
            "game": "uno_all_wild",
            "num_players": self.num_players,
            "episode": self.episode,
            "round": self.round,
            "dealer": self.dealer,
            "decisions": self.decisions,
            "actor": self.actor,
            "phase": self.phase,
            "legal": self.legal(),
            "hands": [{kind: hand.count(kind) for kind in KINDS if kind in hand} for hand in self.hands],
            "draw_pile": list(self.draw_pile),
            "discard_pile": list(self.discard_pile),
            "direction": self.direction,
            "turn": self.turn,
            "to_declare": list(self.to_declare),
            "silent": self.silent,
            "scores": list(self.scores),
            "round_points": None if self.round_points is None else list(self.round_points),
            "winners": None if self.winners is None else list(self.winners),
            "terminated": self.terminated,
            "truncated": self.truncated,
            "shuffles": self.shuffles,
        }

    # Setup

    def begin_round(self):
        """UAW-1: shuffle, deal and turn up the first discard."""
        self.direction = 1
        self.turn = self.dealer
        self.to_declare = []
        self.silent = None
        self.discard_pile = []
        self.hands = [[] for _ in self.seats]
        self.log.append(f"Seat {self.dealer} shuffles all cards and deals {HAND_SIZE} to each seat (UAW-1).")
        self.draw_pile = self.shuffled([kind for kind in KINDS for _ in range(self.deck[kind])])
        for _ in range(HAND_SIZE):
            for place in range(1, self.num_players + 1):
                self.hands[self.seat_after(self.dealer, place)].append(self.draw_pile.pop(0))
        for seat in self.seats:
            self.log.append(f"Seat {seat} is dealt {in_words(self.hands[seat])} (UAW-1).")
        self.discard_pile.append(self.draw_pile.pop(0))
        self.log.append(f"The first discard is {self.discard_pile[0]} (UAW-1).")
        self.start_with_the_first_discard()

    def start_with_the_first_discard(self):
        """UAW-2 and UAW-3: the first discard happens as if the dealer had just played it, or is ignored."""
        card = self.discard_pile[0]
        if card not in ACTION_CARDS:
            self.give_turn_to(self.seat_after(self.dealer, 1), "UAW-3")
        elif self.start_card == "ignored":
            self.log.append(f"The {card} is ignored (UAW-2).")
            self.give_turn_to(self.seat_after(self.dealer, 1), "UAW-3")
        else:
            self.log.append(f"The {card} happens as if seat {self.dealer} had just played it (UAW-2).")
            self.apply_effect()

    # A turn. `turn` is the player, and the card that was played lies on top of the discard pile until the turn passes.

    def play(self, card):
        """UAW-4: a card of the hand is played."""
        self.hands[self.turn].remove(card)
        self.discard_pile.insert(0, card)
        self.log.append(f"Seat {self.turn} plays {card} and has {len(self.hands[self.turn])} left (UAW-4).")
        if not self.hands[self.turn]:
            self.apply_effect_of_a_last_card()
        else:
            self.apply_effect()

    def may_draw(self):
        """UAW-5: no action card in the hand, one card in the next seat's hand, and a card to draw."""
        hand = self.hands[self.turn]
        next_hand = self.hands[self.seat_after(self.turn, 1)]
        return not any(card in ACTION_CARDS for card in hand) and len(next_hand) == 1 and self.can_draw_a_card()

    def draw_and_play(self):
        """UAW-5: the drawn card is played at once."""
        card = self.take_from_draw_pile()
        self.discard_pile.insert(0, card)
        self.log.append(f"Seat {self.turn} draws {card} and plays it at once (UAW-5).")
        self.apply_effect()

    def apply_effect(self):
        """UAW-4: the effect of the card on top of the discard pile, for the seat whose turn it is."""
        card = self.discard_pile[0]
        if card in CARDS_WITH_A_TARGET:
            self.choose_target()
            return
        if card == "reverse":
            self.turn_direction()
        elif card in CARDS_TO_DRAW:
            self.draw(self.seat_after(self.turn, 1), CARDS_TO_DRAW[card], "UAW-4")
        self.call_uno([self.turn])

    def turn_direction(self):
        """UAW-4: the effect of `reverse`."""
        self.direction = -self.direction
        way = "clockwise" if self.direction == 1 else "counter-clockwise"
        self.log.append(f"Play now goes {way} (UAW-4).")

    def choose_target(self):
        """UAW-4: ask the player for an opponent, if there is more than one."""
        if self.num_players == 2:
            self.hit(self.seat_after(self.turn, 1))
        else:
            self.ask(self.turn, "target")

    def hit(self, target):
        """UAW-4: the effect of a card that is aimed, once its target is known."""
        card = self.discard_pile[0]
        self.log.append(f"Seat {self.turn} aims {card} at seat {target} (UAW-4).")
        if card == "forced_swap":
            self.swap_hands(self.turn, target)
            self.call_uno([self.turn, target])
            return
        self.draw(target, CARDS_TO_DRAW[card], "UAW-4")
        if not self.hands[self.turn]:
            self.end_round()
        else:
            self.call_uno([self.turn])

    def swap_hands(self, player, target):
        """UAW-4: the effect of `forced_swap`."""
        self.hands[player], self.hands[target] = self.hands[target], self.hands[player]
        cards = number_of(len(self.hands[player]), "card")
        self.log.append(f"Seat {player} gets {cards} for the {len(self.hands[target])} of seat {target} (UAW-4).")

    def pass_turn(self):
        """UAW-6, UAW-7 and UAW-12: the card that was played says how many seats are passed over."""
        card = self.discard_pile[0]
        if card == "reverse" and self.num_players == 2:
            passed_over, rule = 1, "UAW-7"
        elif card in ("skip", "draw_two", "draw_four"):
            passed_over, rule = 1, "UAW-6"
        elif card == "double_skip":
            passed_over, rule = 2, "UAW-6"
        else:
            passed_over, rule = 0, "UAW-6"
        for place in range(1, passed_over + 1):
            self.log.append(f"Seat {self.seat_after(self.turn, place)} loses its turn ({rule}).")
        self.give_turn_to(self.seat_after(self.turn, passed_over + 1), rule)

    def give_turn_to(self, seat, rule):
        self.turn = seat
        self.log.append(f"It is the turn of seat {seat} ({rule}).")
        self.ask(seat, "play")

    # Drawing

    def draw(self, seat, count, rule):
        """A seat draws cards, or as many of them as there are."""
        cards = []
        while len(cards) < count and self.can_draw_a_card():
            cards.append(self.take_from_draw_pile())
        self.hands[seat].extend(cards)
        if cards:
            self.log.append(f"Seat {seat} draws {number_of(len(cards), 'card')}: {', '.join(cards)} ({rule}).")
        if len(cards) < count:
            self.log.append("There is nothing left to draw (UAW-8).")

    def can_draw_a_card(self):
        """UAW-8: the top discard always stays where it is."""
        return len(self.draw_pile) >= 1 or len(self.discard_pile) >= 2

    def take_from_draw_pile(self):
        """UAW-8: an empty draw pile is made anew when a card is needed, not before."""
        if not self.draw_pile:
            top, *others = self.discard_pile
            self.log.append(f"The discards under the top one, {len(others)} in all, become the draw pile (UAW-8).")
            self.discard_pile = [top]
            self.draw_pile = self.shuffled(others)
        return self.draw_pile.pop(0)

    def shuffled(self, cards):
        self.shuffles += 1
        return list(self.shuffle(cards))

    # Saying UNO

    def call_uno(self, seats):
        """UAW-9 and UAW-10: the effect is done; those of the seats that now hold exactly one card have to say it.

        Nobody has so few cards when the first discard happens, so that one needs no exception here.
        """
        with_one_card = [seat for seat in seats if len(self.hands[seat]) == 1]
        if self.uno_calls == "declare":
            self.to_declare = with_one_card
        else:
            for seat in with_one_card:
                self.log.append(f"Seat {seat} says UNO (UAW-9).")
        self.settle_next_declaration()

    def settle_next_declaration(self):
        """UAW-10 and UAW-12: each is settled before the next is asked, then the turn passes."""
        self.silent = None
        if self.to_declare:
            self.log.append(f"Seat {self.to_declare[0]} holds one card and has to say UNO (UAW-10).")
            self.ask(self.to_declare[0], "declare")
        else:
            self.pass_turn()

    def say_uno(self):
        """UAW-11"""
        self.log.append(f"Seat {self.actor} says UNO (UAW-11).")
        self.to_declare.pop(0)
        self.settle_next_declaration()

    def stay_silent(self):
        """UAW-11: the others are asked clockwise, whatever the direction of play."""
        self.silent = self.actor
        self.log.append(f"Seat {self.silent} stays silent (UAW-11).")
        self.ask((self.silent + 1) % self.num_players, "catch")

    def catch(self):
        """UAW-11: the first catch costs the silent seat two cards and stops the asking."""
        self.log.append(f"Seat {self.actor} catches seat {self.silent} (UAW-11).")
        self.draw(self.silent, 2, "UAW-11")
        self.to_declare.pop(0)
        self.settle_next_declaration()

    def let_go(self):
        """UAW-11: the next seat is asked, until all the others have been."""
        self.log.append(f"Seat {self.actor} lets seat {self.silent} go (UAW-11).")
        next_to_ask = (self.actor + 1) % self.num_players
        if next_to_ask != self.silent:
            self.ask(next_to_ask, "catch")
        else:
            self.to_declare.pop(0)
            self.settle_next_declaration()

    # End and score

    def apply_effect_of_a_last_card(self):
        """UAW-13: of a last card's effect only draws happen, before the round ends."""
        card = self.discard_pile[0]
        if card in CARDS_TO_DRAW:
            self.log.append(f"The draws of a last {card} still happen (UAW-13).")
        elif card in ACTION_CARDS:
            self.log.append(f"The effect of a last {card} does not happen (UAW-13).")
        if card == "targeted_draw_two":
            self.choose_target()
            return
        if card in CARDS_TO_DRAW:
            self.draw(self.seat_after(self.turn, 1), CARDS_TO_DRAW[card], "UAW-4")
        self.end_round()

    def end_round(self):
        """UAW-13 to UAW-15: the player has no cards left and wins the round, perhaps the episode with it."""
        winner = self.turn
        self.log.append(f"Seat {winner} has played its last card and wins the round (UAW-13).")
        self.score_round(winner)
        if self.reward == "score":
            self.pay_score()
        if self.episode == "round":
            self.end_episode(winner)
        elif self.scores[winner] >= self.target_score:
            self.log.append(f"Seat {winner} wins the match with {self.scores[winner]} points (UAW-15).")
            self.end_episode(winner)
        else:
            self.log.append(f"The match goes on: nobody has {self.target_score} points yet (UAW-15).")
            self.round += 1
            self.dealer = (self.dealer + 1) % self.num_players
            self.begin_round()

    def score_round(self, winner):
        """UAW-14: the winner gets the points of the cards in the other hands."""
        self.round_points = [0 for _ in self.seats]
        for seat in self.seats:
            if seat != winner:
                points = sum(POINTS[card] for card in self.hands[seat])
                self.log.append(f"Seat {seat} is left with {in_words(self.hands[seat])}: {points} points (UAW-14).")
                self.round_points[winner] += points
        self.scores[winner] += self.round_points[winner]
        self.log.append(f"Seat {winner} gets {self.round_points[winner]} points (UAW-14).")

    def pay_score(self):
        """The `score` reward; UAW-15 has its scale."""
        mean = sum(self.round_points) / self.num_players
        self.rewards = [(points - mean) / SCORE_SCALE for points in self.round_points]

    def end_episode(self, winner):
        self.winners = [winner]
        self.terminated = True
        self.ask(None, None)
        if self.reward == "win":
            self.rewards = [1.0 if seat == winner else -1.0 / (self.num_players - 1) for seat in self.seats]

    def cut_off_at_the_cap(self):
        """UAW-16: an episode that the last allowed decision did not end is cut off."""
        if self.decisions >= self.max_decisions and not self.terminated:
            self.log.append(f"The episode is cut off after {number_of(self.decisions, 'decision')} (UAW-16).")
            self.truncated = True
            self.to_declare = []
            self.silent = None
            self.ask(None, None)

    # Small things

    def seat_after(self, seat, places):
        """The seat so many places further in the direction of play."""
        return (seat + self.direction * places) % self.num_players

    def ask(self, seat, phase):
        self.actor = seat
        self.phase = phase


@st.composite
def decks(draw, num_players):
    """Copies of each kind: of few kinds or many, from a deck that the deal uses up to the largest one allowed."""
    smallest = HAND_SIZE * num_players + 1
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, unique=True))
    size = draw(st.integers(smallest, smallest + 10) | st.integers(smallest, MOST_CARDS))
    # The deck's cards in a row, cut into one piece a kind.
    cuts = draw(st.lists(st.integers(0, size), min_size=len(kinds) - 1, max_size=len(kinds) - 1))
    edges = [0, *sorted(cuts), size]
    pieces = {kind: edges[i + 1] - edges[i] for i, kind in enumerate(kinds)}
    return {kind: pieces.get(kind, 0) for kind in KINDS}


def capped(chosen):
    """With some decks the hands only grow, and a match of 60,000 decisions is too long for a test."""
    if "deck" in chosen and "episode" in chosen:
        return {"max_decisions": 1_000, **chosen}
    return chosen


def options(num_players):
    """Valid options; each is left at its default about half of the time, and failures shrink to the defaults."""
    return st.fixed_dictionaries(
        {},
        optional={
            "episode": st.just("match"),
            "reward": st.just("score"),
            "start_card": st.just("ignored"),
            "uno_calls": st.just("declare"),
            "target_score": st.integers(1, 2_000),
            "max_decisions": st.integers(1, 30) | st.integers(1, 1_000),
            "deck": decks(num_players),
        },
    ).map(capped)
