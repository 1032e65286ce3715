"""Fuzzing: the invariants that are compiled in, and that a fault is found and told of."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cardenvs import games
from cardenvs.core.errors import OptionError
from cardenvs.core.game import resolve_options
from cardenvs.core.invariants import (
    ASKED,
    CAP,
    CARDS,
    ENDED,
    FAULTS,
    LEGAL,
    MEMORY,
    NO_SUCH_ACTOR,
    OBSERVATION,
    OWN,
    PAY,
    POLICY,
    QUESTION,
    SIZES,
    SOUND,
    TELLING,
)
from cardenvs.core.jit import COMPILED, kernel
from cardenvs.engine.dispatch import fault_of, settle
from cardenvs.testing import fuzz
from cardenvs.testing.fuzz import FuzzError, draw_options, fuzz_table, game_at, table
from tests.helpers import go_on
from tests.tables import busy, every_game

ROOT = Path(__file__).resolve().parents[1]
DECISIONS_A_GAME = 2_500_000 if COMPILED else 1_000
TABLES_A_GAME = 50
SEED = 1  # 0 is the command's
ROW = 5


def tables_of(name, seed):
    """Tables of one game, without end."""
    number = next(n for n in range(len(games.VERSIONS)) if game_at(n) == name)
    while True:
        yield table(number, seed)
        number += len(games.VERSIONS)


@every_game
def test_random_play_breaks_no_invariant(name):
    share = DECISIONS_A_GAME // TABLES_A_GAME
    taken = [fuzz_table(at, share) for at, _ in zip(tables_of(name, SEED), range(TABLES_A_GAME), strict=False)]
    assert sum(taken) == DECISIONS_A_GAME


# --- every invariant can be broken ------------------------------------------------------------------------------------


@kernel
def first_fault(states, counts):
    """The first fault of any of these records, and its row; SOUND and −1 if there is none."""
    for b in range(states.shape[0]):
        settle(states[b])
        fault = fault_of(states[b], counts)
        if fault != SOUND:
            return fault, b
    return SOUND, -1


def faults(game):
    return first_fault(game._states, np.zeros(len(game.game.kinds), np.int64))


def playing(name):
    """Eight games of which that in ROW goes on."""
    game = busy(name).batch(8)
    go_on(game, np.random.default_rng(0), 12)
    while game.actor[ROW] < 0:
        go_on(game, np.random.default_rng(0), 1)
    assert faults(game) == (SOUND, -1)
    return game


def add(field, *place, value=1):
    def change(s):
        s[field][place] += value

    return change


def put(**fields):
    def change(s):
        for field, value in fields.items():
            s[field] = value

    return change


HANDS = [name for name in games.VERSIONS if "hands" in games.get(name).state.names]
BROKEN = [
    *((name, put(actor=100), NO_SUCH_ACTOR) for name in games.VERSIONS),
    *((name, put(phase=100), NO_SUCH_ACTOR) for name in games.VERSIONS),
    *((name, put(actor=-1), ASKED) for name in games.VERSIONS),
    *((name, put(terminated=True, winners=1), ASKED) for name in games.VERSIONS),
    *((name, put(winners=1), ENDED) for name in games.VERSIONS),
    *((name, put(decisions=2**30), CAP) for name in games.VERSIONS),
    *((name, put(pays=True, rewards=1), PAY) for name in games.VERSIONS),
    *((name, put(actor=-1, phase=-1, terminated=True), ENDED) for name in games.VERSIONS),
    *((name, add("hands", 0, 0), CARDS) for name in HANDS),
    *((name, add("discards", 0), CARDS) for name in HANDS),
    *((name, add("deck", 0), CARDS) for name in HANDS),
    *((name, add("sizes", 0), SIZES) for name in HANDS),
    *((name, put(draw_size=-1), SIZES) for name in HANDS),
    *((name, add("known", 1, 0, value=100), MEMORY) for name in HANDS),
    *((name, add("known_sizes", 0, 1), MEMORY) for name in HANDS),
    *((name, add("known_sizes", 0, 0), MEMORY) for name in HANDS),
    ("uno_all_wild", put(direction=0), OWN),
    ("twice_the_fun", add("missed", 0, value=-100), OWN),
    ("twice_the_fun", put(to_give=3), OWN),
    ("twits", add("sets", 0), OWN),
    ("wild_twists", put(taken=1), OWN),
    ("wild_twists", add("score_sizes", 0), SIZES),
    ("wild_twists", put(decks=0), CARDS),
    ("wild_twists", put(decks=100), SIZES),
]


@pytest.mark.parametrize(("name", "change", "fault"), BROKEN)
def test_what_must_hold_is_checked(name, change, fault):
    game = playing(name)
    change(game._states[ROW])
    assert faults(game) == (fault, ROW)


@every_game
def test_a_question_that_does_not_fit_is_found(name):
    game = playing(name)
    s = game._states[ROW]
    s["actor"] = (s["actor"] + 1) % game.num_players
    assert faults(game) == (QUESTION, ROW)


# What the kernel itself looks at, with one of its verbs replaced, as plain Python.
PLANTS = {
    LEGAL: "checked.legal = lambda s, mask: mask.fill(True) if s.actor == -1 else verbs['legal'](s, mask)",
    POLICY: "checked.choose_action = lambda s, v, mask, noise, policy: -1",
    OBSERVATION: "checked.encode = lambda v, full, out: out.fill(np.nan)",
    TELLING: "checked.encode = lambda v, full, out: out.fill(count() / 1e6)",
}
PLANTED = """
import itertools, json, sys
import numpy as np
from cardenvs.engine import checked
from cardenvs.testing.fuzz import table
verbs, counter = dict(vars(checked)), itertools.count()
def count():
    return next(counter)
told = {}
for fault, plant in json.loads(sys.argv[1]).items():
    exec(plant)
    told[fault] = [table(n, 5).play(3000)[0] for n in range(4)]
    vars(checked).update(verbs)
print(json.dumps(told))
"""


def test_what_policies_and_observers_do_is_checked():
    result = subprocess.run(
        [sys.executable, "-c", PLANTED, json.dumps(PLANTS)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(result.stdout) == {str(fault): [fault] * 4 for fault in PLANTS}


def test_every_fault_is_planted():
    assert {fault for *_, fault in BROKEN} | {QUESTION} | set(PLANTS) == set(range(1, len(FAULTS)))


# --- how it is told ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [-1, 0, 1000])
def test_a_fault_is_told_with_what_leads_to_it(monkeypatch, capsys, action):
    monkeypatch.setattr(fuzz, "play", lambda *_: (CARDS, 17, action))
    with pytest.raises(FuzzError, match=r"table\(3, 1\)\.play\(18\)"):
        fuzz_table(table(3, seed=1), 20)
    assert fuzz.main(["--decisions", "1", "--first", "3", "--seed", "1"]) == 1
    assert FAULTS[CARDS] in capsys.readouterr().out


def test_a_table_can_be_come_to_again():
    one, other = (table(8, seed=2).play(100) for _ in range(2))
    assert one[:3] == other[:3] and one[3].tobytes() == other[3].tobytes()
    assert table(8, seed=3).play(100)[3].tobytes() != one[3].tobytes()


def test_runs_go_on_from_a_table_on_any_number_of_threads(capsys, monkeypatch):
    monkeypatch.setattr(fuzz, "DECISIONS_A_TABLE", 500)
    whole = list(fuzz.fuzz(5000, ["twits"], threads=2))
    assert {game_at(number) for number, _ in whole} == {"twits"} and len(whole) == 10 and whole[-1][1] == 5000
    rest = list(fuzz.fuzz(2500, ["twits"], first=whole[5][0]))
    assert [number for number, _ in rest] == [number for number, _ in whole[5:]]
    assert fuzz.main(["twits", "--decisions", "1e3", "--threads", "1"]) == 0
    assert "1,000 decisions" in capsys.readouterr().out


def test_a_game_that_there_is_not_is_named(capsys):
    with pytest.raises(OptionError, match="Did you mean 'twits'"):
        next(fuzz.fuzz(1, ["twit"]))
    assert fuzz.main(["twit"]) == 1
    assert "twit" in capsys.readouterr().out


@every_game
def test_options_are_drawn_that_the_game_allows(name):
    game = games.get(name)
    drawn = [draw_options(game, np.random.default_rng(n)) for n in range(100)]
    assert {resolve_options(game, options).num_players for options in drawn} == set(
        range(game.players[0], game.players[1] + 1)
    )
    assert len({str(options) for options in drawn}) > 10
