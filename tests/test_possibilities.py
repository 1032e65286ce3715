"""`resample_hidden` draws every position that a seat cannot tell from the true one, each as often as it should.

Small positions are counted out in full: every way to lay the hidden cards in their places is as likely as any other.
"""

from collections import Counter
from itertools import permutations

import numpy as np

from cardenvs import games
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.kernels import settle_rows
from tests.helpers import go_on, known_cards, over
from tests.tables import Table, over_tables

HIDDEN = 7  # cards: 5,040 ways to lay them
SAMPLES, SAMPLES_A_CASE = 4000, 25  # at least, and of the rarest case on average
POSITIONS = 10
SUSPICIOUS = 4.0  # standard deviations
TELLING = {"twice_the_fun": {"react"}, "twits": {"bank", "pass"}}  # who is asked this has shown that it can do it
DRY = [("uno_all_wild", 2), ("uno_all_wild", 3), ("twice_the_fun", 2), ("twice_the_fun", 3), ("twits", 2)]


def misfit(observed, expected):
    """How many standard deviations χ² lies above its mean, by Wilson and Hilferty's approximation.

    `observed` and `expected` are counts by case.
    """
    share = sum(observed.values()) / sum(expected.values())
    chi_square = sum((observed[case] - share * n) ** 2 / (share * n) for case, n in expected.items())
    degrees = len(expected) - 1
    spread = 2 / (9 * degrees)
    return ((chi_square / degrees) ** (1 / 3) - (1 - spread)) / spread**0.5


def halved(observed):
    """The same, with every other case found half as often."""
    return Counter({case: n // 2 if i % 2 else n for i, (case, n) in enumerate(sorted(observed.items()))})


def draw(game, seat, samples):
    """Records of that many possibilities of a single game."""
    possible = game[np.zeros(samples, int)].resample_hidden(seat)
    settle_rows(possible._states)
    return possible._states


# --- games with hands and a draw pile ---------------------------------------------------------------------------------


def case_of(hands, pile):
    """What tells one position from another: counts by seat and kind, and the kinds in the order of the pile."""
    return np.asarray(hands, np.int8).tobytes() + np.asarray(pile, np.int8).tobytes()


def case_of_record(s):
    return case_of(s["hands"][: s["num_players"]], s["cards"][: s["draw_size"]])


def is_asked_so(game, hands):
    """Whether the actor can have been asked what it is, with these hands (TTF-12, TWT-3, TWT-5)."""
    hand, kinds = hands[game.actor[0]], game.game.kinds
    match game.game.name, game.game.phases[game.phase[0]]:
        case "twice_the_fun", "react":
            return hand[kinds.index("boomerang")] + hand[kinds.index("ricochet")] > 0
        case "twits", "bank":
            return hand.max() >= 3
        case "twits", "pass":
            return hand.sum() > hand[kinds.index("upside_down")]
    return True


def count_cases(game, seat):
    """In how many ways each case that `seat` cannot rule out comes about."""
    s = game._states[0]
    known = known_cards(game._states)[0, seat]
    known[seat] = s["hands"][seat]
    hidden = np.repeat(np.arange(known.shape[1]), (s["hands"][: len(known)] - known).sum(axis=0)).tolist()
    hidden += s["cards"][: s["draw_size"]].tolist()
    places = [owner for owner, n in enumerate(s["sizes"][: len(known)] - known.sum(axis=1)) for _ in range(n)]
    cases = Counter()
    for order in permutations(hidden):
        hands = known.copy()
        for owner, card in zip(places, order, strict=False):
            hands[owner, card] += 1
        if is_asked_so(game, hands):
            cases[case_of(hands, order[len(places) :])] += 1
    return cases


def small_positions(table):
    """Positions by sort: whether the seat knows a hidden card, what is asked, and whether the seat is asked itself."""
    game, rng, found = table.batch(256, seed=5), np.random.default_rng(5), {}
    seats = np.arange(table.num_players)
    while len(found) < POSITIONS and not over(game).all():
        go_on(game, rng, 1, deal_again=False)
        s = game._states
        others = s["sizes"].sum(axis=1, keepdims=True) - s["sizes"][:, seats]
        known = s["known_sizes"][:, seats].sum(axis=2)
        hidden = others - known + s["draw_size"][:, None]
        small = (hidden == HIDDEN) & (s["draw_size"] > 1)[:, None] & ~over(game)[:, None]
        for row, seat in np.argwhere(small):
            sort = bool(known[row, seat]), game.game.phases[game.phase[row]], bool(game.actor[row] == seat)
            if sort not in found:
                found[sort] = game[int(row)], int(seat)
    return found


def assert_drawn_fairly(game, seat, case_of_record, expected, where):
    """What is drawn for a seat fits what is expected; if some were drawn half as often, it would not."""
    assert case_of_record(game._states[0]) in expected
    samples = max(SAMPLES, SAMPLES_A_CASE * sum(expected.values()) // min(expected.values()))
    observed = Counter(map(case_of_record, draw(game, seat, samples)))
    assert observed.keys() == expected.keys(), where
    assert misfit(observed, expected) < SUSPICIOUS < misfit(halved(observed), expected), where


@over_tables([Table(*table, "dry") for table in DRY])
def test_every_possibility_is_drawn_as_often_as_it_should_be(table):
    positions = small_positions(table)
    for sort, (game, seat) in positions.items():
        settle_rows(game._states)
        assert_drawn_fairly(game, seat, case_of_record, count_cases(game, seat), sort)
    assert any(knows for knows, _, _ in positions)
    assert {phase for _, phase, asked in positions if not asked} >= TELLING.get(table.name, {"play"})


# --- Wild Twists war --------------------------------------------------------------------------------------------------


def hidden_cards(position):
    """The cards in hidden places: play decks, next card first, what lies face down, the first flip of two (WTW-2)."""
    up = position["face_up"]
    in_piles = [card for pile in ("decks", "face_down") for cards in position[pile] for card in cards]
    return (*in_piles, *up[0][len(up[1]) :])


def hidden_in_record(s):
    kinds = games.get("wild_twists").kinds
    decks = [s["decks"][seat, : s["deck_sizes"][seat]][::-1] for seat in (0, 1)]
    down = [s["face_down"][seat, : s["down_sizes"][seat]] for seat in (0, 1)]
    flip = s["face_up"][0, s["up_sizes"][1] : s["up_sizes"][0]]
    return tuple(kinds[k] for k in np.concatenate([*decks, *down, flip]))


def count_layouts(cards, origins):
    """Every way to lay hidden cards: those of one origin change places."""
    return Counter(
        order
        for order in permutations(cards)
        if all(origins.get(card) == origins.get(there) for card, there in zip(cards, order, strict=True))
    )


def follow(game):
    """A game to its end, as (position, origins) at every decision.

    A card that has been won is known to be where its winner's last shuffle has put it (WTW-5, WTW-7), so that is its
    origin; one that was never won has none, and may be with either.
    """
    position, origins = game.snapshot(), {}
    while not position["terminated"]:
        yield position, origins
        before = position
        game.step([0])
        position = game.snapshot()
        for seat in (0, 1):
            shuffled = set(before["score_piles"][seat]) - set(position["score_piles"][seat])
            origins |= dict.fromkeys(shuffled, (seat, position["shuffles"]))


def small_layouts():
    """Positions by sort: how many cards there are of each origin, and whether some lie on the table."""
    found = {}
    for seed in range(40):
        game = BatchGame("wild_twists", seed=seed)
        for position, origins in follow(game):
            cards = hidden_cards(position)
            if not 3 <= len(cards) <= 6:
                continue
            groups = sorted(Counter(origins.get(card) for card in cards).values())
            sort = *groups, None in map(origins.get, cards), bool(position["face_up"][0])
            if groups[-1] > 2 and sort not in found:
                found[sort] = game[0], dict(origins)
    return found


def test_every_layout_is_drawn_as_often_as_it_should_be():
    positions = small_layouts()
    for sort, (game, origins) in positions.items():
        assert_drawn_fairly(game, 0, hidden_in_record, count_layouts(hidden_in_record(game._states[0]), origins), sort)
    assert len(positions) > 5
