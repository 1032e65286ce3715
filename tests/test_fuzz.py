"""Fuzzing: the invariants that are compiled in, and that a fault is found and told of."""

import numpy as np
import pytest

from cardenvs import games
from cardenvs.core.invariants import CARDS, ENDED, FAULTS, MEMORY, NO_SUCH_ACTOR, QUESTION, REWARDS, SIZES
from cardenvs.core.invariants import DECISIONS as CAP
from cardenvs.core.jit import COMPILED
from cardenvs.engine.checked import first_fault
from cardenvs.testing import fuzz
from cardenvs.testing.fuzz import FuzzError, draw_options, fuzz_table, table
from tests.helpers import go_on
from tests.tables import busy, every_game

DECISIONS = 10_000_000 if COMPILED else 40_000
TABLES = 50


@pytest.mark.parametrize("share", range(4))
def test_random_play_breaks_no_invariant(share):
    taken = [fuzz_table(table(4 * n + share), DECISIONS // 4 // TABLES) for n in range(TABLES)]
    assert sum(taken) == DECISIONS // 4


def faults(game):
    return first_fault(game._states, np.zeros(len(game.game.kinds), np.int64))


@pytest.fixture
def game(request):
    game = busy(request.param).batch(8)
    go_on(game, np.random.default_rng(0), 12)
    assert faults(game) == (0, -1)
    return game


every_kind = pytest.mark.parametrize("game", games.VERSIONS, indirect=True)
every_kind_with_hands = pytest.mark.parametrize(
    "game", [name for name in games.VERSIONS if "hands" in games.get(name).state.names], indirect=True
)


def spoil(field, index, change):
    def spoil(states):
        states[field][(5, *index)] += change

    return spoil


COMMON = {
    "actor": (spoil("actor", (), 100), NO_SUCH_ACTOR),
    "phase": (spoil("phase", (), 100), NO_SUCH_ACTOR),
    "winners": (spoil("winners", (), 1), ENDED),
    "decisions": (spoil("decisions", (), 2**30), CAP),
}


@every_kind
@pytest.mark.parametrize("name", COMMON)
def test_what_all_games_must_keep_is_checked(game, name):
    change, fault = COMMON[name]
    change(game._states)
    assert faults(game) == (fault, 5)


@every_kind
def test_a_reward_from_nowhere_is_found(game):
    game._states["pays"][5] = True
    game._states["rewards"][5, 0] = 1
    game._states["rewards"][5, 1:] = 0
    assert faults(game) == (REWARDS, 5)


@every_kind_with_hands
def test_cards_from_nowhere_are_found(game):
    s = game._states
    k = int(s["hands"][5, 0].argmax())
    s["hands"][5, 0, k] += 1
    s["sizes"][5, 0] += 1
    assert faults(game) == (CARDS, 5)
    s["hands"][5, 1, int(s["hands"][5, 1].argmax())] -= 1
    assert faults(game)[0] in (CARDS, SIZES)


@every_kind_with_hands
def test_what_is_known_of_cards_that_are_not_there_is_found(game):
    known, sizes = game._states["known"], game._states["known_sizes"]
    known[5, 0, 1, 0] += 100
    sizes[5, 0, 1] += 100
    assert faults(game) == (MEMORY, 5)


@every_kind
def test_a_question_that_does_not_fit_is_found(game):
    s = game._states
    s["actor"][5] = (s["actor"][5] + 1) % game.num_players
    assert faults(game) == (QUESTION, 5)


def test_cards_of_a_war_that_lie_twice_are_found():
    game = busy("wild_twists").batch(8)
    game._states["decks"][5, 0, 0] = game._states["decks"][5, 1, 0]
    assert faults(game) == (CARDS, 5)
    game._states["score_sizes"][5, 0] += 1
    assert faults(game) == (SIZES, 5)


def test_a_fault_is_told_with_what_leads_to_it(monkeypatch, capsys):
    at = table(3, seed=1)
    monkeypatch.setattr(fuzz, "play", lambda *_: (CARDS, 17, -1))
    with pytest.raises(FuzzError, match=r"table\(3, 1\)\.play\(17\)"):
        fuzz_table(at, 20)
    assert fuzz.main(["--decisions", "1", "--first", "3", "--seed", "1"]) == 1
    assert FAULTS[CARDS] in capsys.readouterr().out


def test_a_table_can_be_come_to_again():
    one, other = (table(8, seed=2).play(700) for _ in range(2))
    assert one[:3] == other[:3] and one[3].tobytes() == other[3].tobytes()
    assert table(8, seed=3).play(700)[3].tobytes() != one[3].tobytes()


def test_runs_go_on_from_a_table_on_any_number_of_threads(capsys, monkeypatch):
    monkeypatch.setattr(fuzz, "DECISIONS_A_TABLE", 500)
    whole = list(fuzz.fuzz(5000, ["twits"], threads=2))
    assert [number % 4 for number, _ in whole] == [2] * 10 and whole[-1][1] == 5000
    rest = list(fuzz.fuzz(2500, ["twits"], first=whole[5][0]))
    assert [number for number, _ in rest] == [number for number, _ in whole[5:]]
    assert fuzz.main(["twits", "--decisions", "1e3", "--threads", "1"]) == 0
    assert "1,000 decisions" in capsys.readouterr().out


@every_game
def test_options_are_drawn_that_the_game_allows(name):
    drawn = [draw_options(games.get(name), np.random.default_rng(n)) for n in range(100)]
    assert (
        len({str(options) for options in drawn}) > 10
        and len({options["num_players"] for options in drawn}) == len(range(*games.get(name).players)) + 1
    )
