"""Wild Twists war once more: plain Python from the rules page (WTW-1 to WTW-11), to hold the compiled game against.

A game is written here as people play it: `play`, `play_battle` and `flip_both` run from top to bottom, and stop with
`yield` wherever a seat is asked to flip.
"""

from hypothesis import strategies as st

SUITS = ["heart", "diamond", "spade", "club"]
COLOURS = {"heart": "red", "diamond": "red", "spade": "black", "club": "black"}
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"]  # from low to high
WILDS = ["wild_red", "wild_black", "wild_heart", "wild_diamond", "wild_spade", "wild_club"]
CARDS = [f"{suit}_{rank}" for suit in SUITS for rank in RANKS] + WILDS


def action_names(num_players):
    """The names of the actions in index order."""
    return ["flip"]


def in_order(cards):
    return sorted(cards, key=CARDS.index)


class Reference:
    ACTIONS = staticmethod(action_names)

    def __init__(self, num_players, options, dealer, shuffle):
        self.max_decisions = options.get("max_decisions", 20_000)
        self.dealer = dealer
        self.shuffle = shuffle

        self.shuffles = 0
        self.decisions = 0
        self.winners = None
        self.terminated = False
        self.truncated = False
        self.rewards = [0.0, 0.0]
        self.log = []

        self.game = self.play()
        self.actor, self.phase = next(self.game)

    # What the outside uses

    def legal(self):
        return [] if self.actor is None else ["flip"]

    def act(self, name):
        if name not in self.legal():
            raise ValueError(f"{name} is not legal: {self.legal()}")
        self.rewards = [0.0, 0.0]
        self.log = []
        self.decisions += 1
        try:
            self.actor, self.phase = next(self.game)
        except StopIteration:
            self.terminated = True
            self.ask_nobody()
        if self.decisions == self.max_decisions and not self.terminated:
            self.cut_off()

    def snapshot(self):
        return {
            "game": "wild_twists",
            "num_players": 2,
            "episode": "round",
            "round": 0,
            "dealer": self.dealer,
            "decisions": self.decisions,
            "actor": self.actor,
            "phase": self.phase,
            "legal": self.legal(),
            "scores": [0, 0],
            "round_points": None,
            "winners": self.winners,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "shuffles": self.shuffles,
            "decks": [list(deck) for deck in self.decks],
            "score_piles": [in_order(pile) for pile in self.score_piles],
            "face_up": [list(cards) for cards in self.face_up],
            "face_down": [list(cards) for cards in self.face_down],
        }

    # The game

    def play(self):
        """Battles follow each other until the game has an end (WTW-9, WTW-10)."""
        self.deal()
        while self.winners is None:
            yield from self.play_battle()

    def play_battle(self):
        """WTW-2: both flip one card, and go to war for as long as the two face-up cards are a tie (WTW-6)."""
        yield from self.flip_both("battle")
        while self.victor() is None:
            self.log.append(f"{self.face_up[0][-1]} against {self.face_up[1][-1]} is a war ({self.compared_by()}).")
            if not self.cards_left(0) or not self.cards_left(1):
                self.end_in_war()
                return
            yield from self.flip_both("war")
        self.take_cards(self.victor())

    def flip_both(self, phase):
        """WTW-2: seat 0 is asked first, whoever dealt, and each flip is made at its own step."""
        for seat in (0, 1):
            yield seat, phase
            if phase == "war":
                self.lay_for_war(seat)
            else:
                self.turn_up(seat, "WTW-2")

    # The rules

    def deal(self):
        """WTW-1: all cards, one at a time from the dealer's left. The card dealt first is flipped first."""
        cards = self.shuffle(list(CARDS))
        self.shuffles += 1
        self.log.append(f"Seat {self.dealer} shuffles 58 cards and deals 29 to each seat (WTW-1).")
        first = 1 - self.dealer
        self.decks = [[], []]
        self.decks[first] = cards[0::2]
        self.decks[self.dealer] = cards[1::2]
        self.score_piles = [[], []]
        self.clear_table()
        for seat in (0, 1):
            self.log.append(f"Seat {seat} has the play deck {', '.join(self.decks[seat])} (WTW-1).")

    def turn_up(self, seat, rule):
        """The flip of a battle (WTW-2), or the end of what is laid in a war (WTW-6, WTW-8)."""
        card = self.next_card(seat)
        self.face_up[seat].append(card)
        self.log.append(f"Seat {seat} turns up {card} ({rule}).")

    def lay_for_war(self, seat):
        """WTW-6: three cards face down and a fourth face up; WTW-8: with fewer left, all but the last face down."""
        face_down = min(3, self.cards_left(seat) - 1)
        rule = "WTW-6" if face_down == 3 else "WTW-8"
        for _ in range(face_down):
            card = self.next_card(seat)
            self.face_down[seat].append(card)
            self.log.append(f"Seat {seat} lays {card} face down ({rule}).")
        self.turn_up(seat, rule)

    def next_card(self, seat):
        """WTW-7: a seat that needs a card and has no play deck left shuffles its score pile into a new one."""
        if not self.decks[seat]:
            pile = in_order(self.score_piles[seat])
            self.decks[seat] = self.shuffle(pile)
            self.score_piles[seat] = []
            self.shuffles += 1
            self.log.append(f"Seat {seat} shuffles its {len(pile)} won cards into a new play deck (WTW-7).")
        return self.decks[seat].pop(0)

    def cards_left(self, seat):
        return len(self.decks[seat]) + len(self.score_piles[seat])

    def victor(self):
        """The seat whose face-up card wins by WTW-3 and WTW-4, or None when they are a war."""
        first, second = self.face_up[0][-1], self.face_up[1][-1]
        if first in WILDS and second in WILDS:
            return None
        if first in WILDS:
            return 0 if self.matches(first, second) else 1
        if second in WILDS:
            return 1 if self.matches(second, first) else 0
        if self.rank(first) == self.rank(second):
            return None
        return 0 if self.rank(first) > self.rank(second) else 1

    def compared_by(self):
        return "WTW-4" if self.face_up[0][-1] in WILDS or self.face_up[1][-1] in WILDS else "WTW-3"

    def matches(self, wild, card):
        """WTW-4: a wild card matches the suit that it names, or the two suits of the colour that it names."""
        suit = card.split("_")[0]
        return wild in (f"wild_{suit}", f"wild_{COLOURS[suit]}")

    def rank(self, card):
        """WTW-3: by rank alone, the ace high."""
        return RANKS.index(card.split("_")[1])

    def take_cards(self, victor):
        """WTW-5: the winner of the battle takes all its cards; WTW-10: who then has none left has lost the game."""
        won = [card for seat in (0, 1) for card in self.face_down[seat] + self.face_up[seat]]
        shown = f"{self.face_up[victor][-1]} against {self.face_up[1 - victor][-1]}"
        self.log.append(f"Seat {victor} wins with {shown} ({self.compared_by()}) and takes {', '.join(won)} (WTW-5).")
        self.score_piles[victor] += won
        self.clear_table()
        if not self.cards_left(1 - victor):
            self.log.append(f"Seat {1 - victor} has no card left (WTW-10).")
            self.end([victor])

    def clear_table(self):
        self.face_up = [[], []]
        self.face_down = [[], []]

    def end_in_war(self):
        """WTW-9: the seat that still has a card for the war wins the game; nobody takes the cards on the table."""
        able = [seat for seat in (0, 1) if self.cards_left(seat)]
        for seat in (0, 1):
            if seat not in able:
                self.log.append(f"Seat {seat} has no card left for the war (WTW-9).")
        self.end(able or [0, 1])

    def end(self, winners):
        """WTW-11: +1 and −1, or nothing for a drawn game."""
        self.winners = winners
        if winners == [0, 1]:
            self.log.append("The game is drawn (WTW-9, WTW-11).")
            return
        self.rewards = [1.0 if seat in winners else -1.0 for seat in (0, 1)]
        self.log.append(f"Seat {winners[0]} wins the game (WTW-11).")

    def cut_off(self):
        """WTW-11: a game that has taken too many flips is broken off."""
        self.truncated = True
        self.ask_nobody()
        self.log.append(f"The game is cut off after {self.decisions} flips (WTW-11).")

    def ask_nobody(self):
        self.actor, self.phase = None, None


def options(num_players):
    return st.fixed_dictionaries(
        {},
        optional={
            "episode": st.just("round"),
            "reward": st.sampled_from(["win", "score"]),
            "max_decisions": st.integers(1, 40) | st.integers(1, 2_000),
        },
    )
