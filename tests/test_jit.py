"""Compiled code: where it is kept, and that it is never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCORE = """
import sys; sys.path.insert(0, sys.argv[1])
import cardenvs
from cardenvs import BatchGame
from cardenvs.engine.seating import scripted_table
assert cardenvs.__file__.startswith(sys.argv[1])
seating = lambda game, _: scripted_table(game, ["random"] * 2)
games = BatchGame("uno_all_wild", 50, num_players=2, seed=0, seating=seating)
print(int(games.scores.sum()))
"""


def run(code, package, **environment):
    result = subprocess.run(
        [sys.executable, "-c", code, str(package)],
        env=os.environ | {"PYTHONPATH": ""} | environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=package,
    )
    return result.stdout.strip(), result.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "cardenvs", folder / "cardenvs", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_an_edit_to_any_rules_file_is_never_answered_by_old_code(package, tmp_path):
    first, said = run(SCORE, package, CARDENVS_CACHE_DIR=str(tmp_path))
    assert "compiling" in said
    again, said = run(SCORE, package, CARDENVS_CACHE_DIR=str(tmp_path))
    assert again == first and "compiling" not in said
    layout = package / "cardenvs/games/uno_all_wild/layout.py"  # not the file of any kernel
    layout.write_text(
        layout.read_text()
        .replace("[20, 50, 50, 50", "[40, 100, 100, 100")
        .replace("50, 50, 50, 50]", "100, 100, 100, 100]")
    )
    edited, said = run(SCORE, package, CARDENVS_CACHE_DIR=str(tmp_path))
    assert "compiling" in said and int(edited) == 2 * int(first)


def test_a_cache_that_cannot_be_written_is_said_and_done_without(tmp_path):
    code = "import sys; from cardenvs.core.jit import cache_folder; print(cache_folder())"
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    chosen, said = run(code, ROOT, CARDENVS_CACHE_DIR=str(blocked / "cache"))
    assert "cannot write compiled code" in said and str(blocked) in said
    assert chosen != "None" and not chosen.startswith(str(blocked))


def test_only_old_compiled_code_is_forgotten(tmp_path):
    code = "import sys; from cardenvs.core.jit import cache_folder; print(cache_folder())"
    old = [tmp_path / f"compiled-{n:016x}" for n in range(6)]
    others = [tmp_path / "thesis", tmp_path / "compiled-by-hand"]
    for age, folder in enumerate([*old, *others]):
        folder.mkdir()
        os.utime(folder, (1000 + age, 1000 + age))
    kept, _ = run(code, ROOT, CARDENVS_CACHE_DIR=str(tmp_path))
    assert {str(path) for path in tmp_path.iterdir()} == {kept, *map(str, [*old[3:], *others])}


def test_numba_of_others_is_left_alone():
    code = (
        "import sys, numba; before = {k: v for k, v in vars(numba.config).items() if k.isupper()}\n"
        "from numba.core.caching import CacheImpl; locators = list(CacheImpl._locator_classes)\n"
        "from cardenvs import BatchGame, games; list(map(BatchGame, games.VERSIONS))\n"
        "assert before == {k: v for k, v in vars(numba.config).items() if k.isupper()}\n"
        "assert locators == CacheImpl._locator_classes"
    )
    run(code, ROOT)
