"""What people are shown and told: by the right rules, held against the second writing of them, and nothing hidden."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from cardenvs import BatchGame, games
from cardenvs.core.portrayal import HIDDEN, plain
from cardenvs.games.rulebook import rules_of
from cardenvs.render.journal import Journal, Step, tell_step
from cardenvs.render.look import COLORS, ICONS
from cardenvs.render.views import view_of
from tests.tables import every_game
from tests.test_reference import play

RULE = re.compile(r"\(([A-Z]{3}-\d+)\)")
DREW = re.compile(r"^Seat (\d+) draws (?:\d+ cards?: )?([\w, ]+?)(?: \(|,? and)")
VARIANTS = {
    "uno_all_wild": [{}, {"uno_calls": "declare"}, {"episode": "match"}, {"start_card": "ignored"}],
    "twice_the_fun": [{}, {"episode": "match"}],
    "twits": [{}, {"episode": "match"}],
    "wild_twists": [{}],
}
# What we say beyond the second writing's log: who is asked to answer or to give, and who begins after a first discard.
SAID_AS_WELL = {"TTF-12", "TTF-16", "UAW-3"}
# Rules that no line is about: what a turn is, what a called or fitting card is, what is shown in numbers elsewhere.
NEVER_SAID = {
    "uno_all_wild": {"UAW-8", "UAW-9", "UAW-10", "UAW-12", "UAW-16"},
    "twice_the_fun": {"TTF-4", "TTF-6", "TTF-8", "TTF-10", "TTF-15", "TTF-17", "TTF-19", "TTF-23"},
    "twits": {"TWT-7", "TWT-8", "TWT-11"},
    "wild_twists": {"WTW-11"},
}


def played_games(name, count):
    """Steps of random games of the second writing, with its log of each."""
    fewest, most = games.get(name).players
    for seed in range(count):
        chance = random.Random(seed)
        num_players, options = chance.randint(fewest, min(most, 5)), chance.choice(VARIANTS[name])
        choices = [chance.randrange(100) for _ in range(1200)]
        _, steps = play(name, num_players, options, chance.randrange(num_players), seed, choices)
        before = None
        for action, _, after, log in steps:
            yield Step(before, action, after), log
            before = after


@every_game
def test_what_happened_is_told_by_the_rules_of_the_second_writing(name):
    told, book = set(), rules_of(name)
    for step, log in played_games(name, 40):
        mine = {rule for _, rule in tell_step(games.get(name), step, None)}
        assert mine - SAID_AS_WELL <= set(RULE.findall(" ".join(log))), (step.before, step.action, log)
        told |= mine
    assert told <= set(book)
    assert set(book) - told <= NEVER_SAID[name]


def drawn_by_log(log):
    cards = Counter()
    for line in log:
        if found := DREW.match(line):
            seat, names = found.groups()
            for name in names.split(", which")[0].split(", "):
                count, _, kind = name.rpartition(" ")
                cards[seat, plain(kind)] += int(count or 1)
    return cards


def drawn_by_us(events):
    cards = Counter()
    for text, _ in events:
        if found := re.match(r"seat (\d+) draws (.*?)(, and cannot| and lays| and plays|$)", text):
            seat, names, _ = found.groups()
            for name in re.split(r", | and ", names):
                count, _, kind = name.rpartition(" × ")
                cards[seat, kind] += int(count or 1)
    return cards


@pytest.mark.parametrize("name", ["uno_all_wild", "twice_the_fun", "twits"])
def test_the_cards_that_are_drawn_are_told_as_in_the_second_writing(name):
    """But for steps that end a round of a match: what came before the new deal is told without its cards."""
    compared = 0
    for step, log in played_games(name, 25):
        if step.before is None or step.before["round"] != step.after["round"]:
            continue
        told = drawn_by_us(tell_step(games.get(name), step, None))
        told.pop(next((key for key in told if key[1] in ("nothing", "would draw")), None), None)
        assert told == drawn_by_log(log), (step.action, log)
        compared += bool(told)
    assert compared > 100


def random_steps(name, num_players, seed, **options):
    """Every step of a random game of the engine."""
    game, chance = BatchGame(name, seed=seed, num_players=num_players, **options), random.Random(seed)
    journal = Journal(game)
    yield journal.steps[-1]
    while journal.position["legal"]:
        game.step([game.action_index(chance.choice(journal.position["legal"]))])
        yield journal.steps[-1]


def cards_of_others(position, seat):
    """The names of kinds that others hold and `seat` does not, and that lie open nowhere."""
    held = {kind for owner, hand in enumerate(position["hands"]) if owner != seat for kind in hand}
    seen = set(position["hands"][seat]) | set(position.get("discard_pile", []))
    for sets in position.get("banked", []):
        seen |= set(sets)
    return held - seen


@pytest.mark.parametrize("name", ["uno_all_wild", "twice_the_fun", "twits"])
def test_a_seat_is_shown_no_card_of_another_hand(name):
    checked = 0
    for step in random_steps(name, 3, 5):
        for seat in range(3):
            view = view_of(games.get(name), step.after, seat)
            assert set(view["seats"][(seat + 1) % 3]["hand"]) <= {HIDDEN}
            assert view["seats"][seat]["hand"] == step.after["hands"][seat]
            names = {text for part in (view["seats"], view["middle"]) for text in re.findall(r"'(\w+)'", str(part))}
            hidden = cards_of_others(step.after, seat)
            assert not names & hidden
            checked += bool(hidden)
            assert len(view["legal"]) == (len(step.after["legal"]) if step.after["actor"] == seat else 0)
    assert checked > 20


def test_a_card_that_is_passed_on_is_told_to_two_seats_alone():
    passes = [step for step in random_steps("twits", 4, 0) if step.before and step.before["phase"] == "pass"]
    assert len(passes) > 10
    for step in passes:
        giver, card = step.before["actor"], plain(step.action)
        for seat in range(4):
            line = tell_step(games.get("twits"), step, seat)[0].text
            assert (f"passes {card} to" in line) == (seat in (giver, (giver + 1) % 4))
            assert seat in (giver, (giver + 1) % 4) or "passes a card to" in line


def test_a_card_that_is_given_is_told_to_two_seats_alone():
    gifts = [
        step
        for seed in range(40)
        for step in random_steps("twice_the_fun", 4, seed)
        if step.before and step.before["phase"] == "give"
    ]
    assert len(gifts) > 5
    for step in gifts:
        two = {step.before["actor"], step.before["penalty"]["target"]}
        for seat in range(4):
            line = tell_step(games.get("twice_the_fun"), step, seat)[0].text
            assert (f"gives {plain(step.action)} to" in line) == (seat in two)


def test_draws_are_told_by_name_to_the_seat_that_draws_alone():
    step = next(
        step
        for seed in range(40)
        for step in random_steps("twice_the_fun", 3, seed)
        if step.action == "draw" and len(step.after["discard_pile"]) == len(step.before["discard_pile"])
    )
    lines = [tell_step(games.get("twice_the_fun"), step, seat)[0].text for seat in range(3)]
    own = lines.pop(step.before["actor"])
    assert all("draws a card, and cannot lay it" in line for line in lines)
    assert "draws a card" not in own


def test_the_first_of_two_flips_is_shown_to_nobody():
    for step in random_steps("wild_twists", 2, 1):
        if step.after["actor"] == 1:
            for seat in range(2):
                laid = view_of(games.get("wild_twists"), step.after, seat)["seats"][0]["laid"]
                assert laid[-1] == [HIDDEN]
            return
    pytest.fail("seat 1 was never asked")


@every_game
def test_every_card_has_a_face_that_can_be_drawn(name):
    game = games.get(name)
    assert list(game.portrayal.faces) == list(game.kinds)
    for face in game.portrayal.faces.values():
        assert face.color in COLORS
        assert face.icon in ICONS or (not face.icon and face.corner)


@every_game
def test_every_rule_of_the_page_can_be_looked_up(name):
    page = Path(games.__path__[0], name, "RULES.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^- \*\*([A-Z]{3}-\d+)\*\*", page, re.MULTILINE)
    assert list(rules_of(name)) == numbers
    assert all("*" not in text and "\n" not in text and len(text) > 20 for text in rules_of(name).values())
