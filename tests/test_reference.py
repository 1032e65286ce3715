"""The compiled rules in lockstep with a second writing of them (`tests/reference`), on random games of all options.

Each is played by the second writing first, which is told by chance what every shuffle gives and which action is taken;
then the engine is given these shuffles and actions, and has to say the same after each.
"""

import importlib
import os
import random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from cardenvs import games
from tests.test_golden import BatchDriver, compare_step

LONGEST = 2000  # decisions of one random game
GAMES = int(os.environ.get("LOCKSTEP_GAMES", "150"))


def reference(name):
    """The module of a game's second writing."""
    return importlib.import_module(f"tests.reference.{name}")


class Shuffles:
    """Shuffles by a seed, and keeps the orders that came out."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.orders = []

    def __call__(self, cards):
        order = sorted(cards)
        self.chance.shuffle(order)
        self.orders.append(order)
        return list(order)


@st.composite
def scenarios(draw, name):
    """A number of players, options, a dealer, a seed for the shuffles, and what to choose at each decision."""
    fewest, most = games.get(name).players
    num_players = draw(st.integers(fewest, most))
    options = draw(reference(name).options(num_players))
    dealer = draw(st.integers(0, num_players - 1))
    choices = draw(st.lists(st.integers(0, 99), min_size=1, max_size=LONGEST) | st.integers().map(endless))
    return num_players, options, dealer, draw(st.integers(0, 2**32)), choices


def endless(seed):
    """Choices for a whole long game, which need not shrink."""
    chance = random.Random(seed)
    return [chance.randrange(100) for _ in range(LONGEST)]


def play(name, num_players, options, dealer, seed, choices):
    """A game of the second writing: its header as golden games have it, and its steps.

    Each step is (action name, rewards, snapshot, log); the first is the deal, and has no name.
    """
    shuffles = Shuffles(seed)
    game = reference(name).Reference(num_players, options, dealer, shuffles)
    steps = [(None, game.rewards, game.snapshot(), game.log)]
    for choice in choices:
        legal = game.legal()
        if not legal:
            break
        action = legal[choice % len(legal)]
        game.act(action)
        steps.append((action, game.rewards, game.snapshot(), game.log))
    header = {"game": name, "num_players": num_players, "options": options}
    return header | {"reset": {"dealer": dealer, "shuffles": shuffles.orders}}, steps


def replay(header, steps, tell):
    """The same game by the engine, compared at every step; `tell` gets what happens, line by line."""
    episode = BatchDriver(header)
    assert reference(header["game"]).Reference.ACTIONS(header["num_players"]) == list(episode.game.action_names)
    for number, (action, rewards, position, log) in enumerate(steps):
        for line in (f"{number}: {action or 'the deal'}", *log):
            tell(line)
        paid = episode.step(episode.game.action_index(action)) if action else rewards
        compare_step(episode, rewards, paid, position, f"after decision {number}, {action}")


@pytest.mark.parametrize("name", games.VERSIONS)
@given(data=st.data())
@settings(max_examples=GAMES, deadline=None, derandomize=True)
def test_engine_and_second_writing_play_alike(name, data):
    replay(*play(name, *data.draw(scenarios(name))), tell=note)
