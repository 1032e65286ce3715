"""The Twits Card Game once more: plain Python from the rules page (TWT-1 to TWT-11), to hold the compiled game against.

A game is written here as people play it: `play`, `play_round` and the methods for the parts of a turn run from top to
bottom, and stop with `yield` wherever a seat is asked something. What `yield` gives back is the action that was chosen.
"""

from collections import Counter

from hypothesis import strategies as st

VALUES = {
    "plus_10": 10,
    "plus_5": 5,
    "minus_1": -1,
    "minus_2": -2,
    "minus_3": -3,
    "minus_4": -4,
    "minus_5": -5,
    "minus_6": -6,
    "minus_7": -7,
    "upside_down": 0,
}
KINDS = list(VALUES)
SCALE = 100  # of the score reward


def action_names(num_players):
    """The names of the actions in index order; they are the same for any number of players."""
    return [*KINDS, "decline"]


def in_words(cards):
    """The cards of a hand for the log, as in "2 plus_5, 1 minus_3"."""
    return ", ".join(f"{cards.count(kind)} {kind}" for kind in KINDS if kind in cards) or "no cards"


class Reference:
    ACTIONS = staticmethod(action_names)

    def __init__(self, num_players, options, dealer, shuffle):
        self.num_players = num_players
        self.seats = range(num_players)
        self.episode = options.get("episode", "round")
        self.reward = options.get("reward", "win")
        self.target_score = options.get("target_score", 100)
        self.deck = options.get("deck", dict.fromkeys(KINDS, 6))
        default_cap = 40_000 if self.episode == "match" else 2_000
        self.max_decisions = options.get("max_decisions", default_cap)
        self.shuffle = shuffle

        self.round = 0
        self.dealer = dealer
        self.shuffles = 0
        self.decisions = 0
        self.scores = [0] * num_players
        self.round_points = None
        self.winners = None
        self.terminated = False
        self.truncated = False
        self.rewards = [0.0] * num_players
        self.log = []

        self.game = self.play()
        self.actor, self.phase, self.choices = next(self.game)

    # What the outside uses

    def legal(self):
        return [name for name in action_names(self.num_players) if name in self.choices]

    def act(self, name):
        if name not in self.choices:
            raise ValueError(f"{name} is not legal: {self.choices}")
        self.rewards = [0.0] * self.num_players
        self.log = []
        self.decisions += 1
        try:
            self.actor, self.phase, self.choices = self.game.send(name)
        except StopIteration:
            self.terminated = True
            self.ask_nobody()
        if self.decisions == self.max_decisions and not self.terminated:
            self.cut_off()

    def snapshot(self):
        return {
            "game": "twits",
            "num_players": self.num_players,
            "episode": self.episode,
            "round": self.round,
            "dealer": self.dealer,
            "decisions": self.decisions,
            "actor": self.actor,
            "phase": self.phase,
            "legal": self.legal(),
            "hands": [dict(Counter(hand)) for hand in self.hands],
            "draw_pile": list(self.draw_pile),
            "scores": list(self.scores),
            "round_points": self.round_points,
            "winners": self.winners,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "shuffles": self.shuffles,
            "banked": [list(sets) for sets in self.banked],
            "turn": self.turn,
            "last_turn": self.last_turn,
        }

    # The episode

    def play(self):
        """One round, or rounds until somebody reaches the target (TWT-10)."""
        yield from self.play_round()
        self.score_round()
        while self.episode == "match" and max(self.scores) < self.target_score:
            self.round += 1
            self.dealer = self.left_of(self.dealer)
            yield from self.play_round()
            self.score_round()
        self.find_winners()

    def play_round(self):
        """Turns go round (TWT-1) until a third set (TWT-4) or the last turn (TWT-6) ends the round."""
        self.deal()
        self.turn = self.left_of(self.dealer)
        while True:
            self.draw()
            yield from self.bank()
            if len(self.banked[self.turn]) == 3:
                self.log.append(f"Seat {self.turn} has its third set, and the round ends at once (TWT-4).")
                return
            yield from self.pass_on()
            self.turn = self.left_of(self.turn)
            if not self.draw_pile:
                yield from self.play_last_turn()
                return

    def left_of(self, seat):
        return (seat + 1) % self.num_players

    # The rules of a round

    def deal(self):
        """TWT-1: all cards are shuffled, and each seat gets five, one at a time from the dealer's left."""
        all_cards = [kind for kind in KINDS for _ in range(self.deck[kind])]
        self.draw_pile = self.shuffle(all_cards)
        self.shuffles += 1
        self.log.append(f"Round {self.round}: seat {self.dealer} shuffles {len(all_cards)} cards and deals (TWT-1).")

        self.hands = [[] for _ in self.seats]
        self.banked = [[] for _ in self.seats]
        self.last_turn = False
        seat = self.left_of(self.dealer)
        for _ in range(5 * self.num_players):
            self.hands[seat].append(self.draw_pile.pop(0))
            seat = self.left_of(seat)
        for seat in self.seats:
            self.log.append(f"Seat {seat} is dealt {in_words(self.hands[seat])} (TWT-1).")

    def draw(self):
        """TWT-2: a turn begins with the top card of the draw pile."""
        card = self.draw_pile.pop(0)
        self.hands[self.turn].append(card)
        self.log.append(f"Seat {self.turn} draws {card}, which leaves {len(self.draw_pile)} in the draw pile (TWT-2).")

    def bank(self):
        """TWT-3: a seat that has three of a kind may lay them down; one that has not isn't asked."""
        hand = self.hands[self.turn]
        sets = [kind for kind in KINDS if hand.count(kind) >= 3]
        if not sets:
            return
        kind = yield self.turn, "bank", [*sets, "decline"]
        if kind == "decline":
            self.log.append(f"Seat {self.turn} declines to bank a set (TWT-3).")
            return
        for _ in range(3):
            hand.remove(kind)
        self.banked[self.turn].append(kind)
        self.log.append(f"Seat {self.turn} banks three {kind} (TWT-3).")

    def pass_on(self):
        """TWT-5: one card, but never an upside-down one, goes to the left."""
        hand = self.hands[self.turn]
        passable = [kind for kind in KINDS if kind in hand and kind != "upside_down"]
        if not passable:
            self.log.append(f"Seat {self.turn} has no card that can be passed on (TWT-5).")
            return
        card = yield self.turn, "pass", passable
        receiver = self.left_of(self.turn)
        hand.remove(card)
        self.hands[receiver].append(card)
        self.log.append(f"Seat {self.turn} passes {card} to seat {receiver} (TWT-5).")

    def play_last_turn(self):
        """TWT-6: with the draw pile gone, the next seat may still bank a set, and nothing more."""
        self.last_turn = True
        self.log.append(f"The draw pile is empty: seat {self.turn} has the last turn, without drawing (TWT-6).")
        yield from self.bank()
        self.log.append("The last turn is over, and the round ends (TWT-6).")

    # The score

    def score_round(self):
        """TWT-9: banked plus hand, but never less than 0."""
        self.round_points = []
        for seat in self.seats:
            banked, hand = self.banked_points(seat), self.hand_points(seat)
            points = max(0, banked + hand)
            self.round_points.append(points)
            self.scores[seat] += points
            self.log.append(
                f"Seat {seat} has banked {banked} (TWT-7), and its hand of {in_words(self.hands[seat])} "
                f"counts {hand} (TWT-8): {points} points, {self.scores[seat]} in all (TWT-9)."
            )
        if self.reward == "score":
            mean = sum(self.round_points) / self.num_players
            self.rewards = [(points - mean) / SCALE for points in self.round_points]

    def banked_points(self, seat):
        """TWT-7: a set scores the value of one of its cards as a positive number."""
        return sum(abs(VALUES[kind]) for kind in self.banked[seat])

    def hand_points(self, seat):
        """TWT-8: the values in the hand, turned round by an odd number of upside-down cards."""
        hand = self.hands[seat]
        total = sum(VALUES[card] for card in hand)
        return -total if hand.count("upside_down") % 2 == 1 else total

    def find_winners(self):
        """TWT-10: the highest total wins, and equal ones share. After a single round the totals are its points."""
        best = max(self.scores)
        self.winners = [seat for seat in self.seats if self.scores[seat] == best]
        self.log.append(f"Won with {best} points by: {', '.join(f'seat {seat}' for seat in self.winners)} (TWT-10).")
        losers = self.num_players - len(self.winners)
        if self.reward == "win" and losers:
            self.rewards = [1 / len(self.winners) if seat in self.winners else -1 / losers for seat in self.seats]

    def cut_off(self):
        """TWT-11: an episode that has taken too many decisions is broken off."""
        self.truncated = True
        self.ask_nobody()
        self.log.append(f"The episode is cut off after {self.decisions} decisions (TWT-11).")

    def ask_nobody(self):
        self.actor, self.phase, self.choices = None, None, []


@st.composite
def decks(draw, num_players):
    """Decks of a few kinds or all; often one-sided, and dry because only just enough for the deal and one draw."""
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, unique=True))
    copies = dict.fromkeys(KINDS, 0)
    for kind in kinds:
        copies[kind] = draw(st.integers(0, 120 // len(kinds)))
    missing = 5 * num_players + 1 - sum(copies.values())
    copies[kinds[0]] += max(0, missing)
    return copies


@st.composite
def options(draw, num_players):
    chosen = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "episode": st.sampled_from(["round", "match"]),
                "reward": st.sampled_from(["win", "score"]),
                "deck": decks(num_players),
                "target_score": st.integers(1, 20) | st.integers(1, 200),
                "max_decisions": st.integers(1, 40) | st.integers(1, 1_000),
            },
        )
    )
    if "deck" in chosen and chosen.get("episode") == "match":
        # With some decks nobody ever scores, and a match would go on to its default cap of 40,000.
        chosen.setdefault("max_decisions", 1_000)
    return chosen
