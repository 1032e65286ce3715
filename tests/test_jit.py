"""Compiled code: where it is kept, and that it is never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cardenvs.core import jit
from cardenvs.core.jit import _Files

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


PLAY_OUT = """
import sys; from cardenvs import BatchGame
games = BatchGame(sys.argv[2], 50, num_players=2, seed=0)
games.play_out(["random"] * 2)
print(games.decisions.sum())
"""


def start(name, cache):
    command = [sys.executable, "-c", PLAY_OUT, "", name]
    environment = os.environ | {"CARDENVS_CACHE_DIR": str(cache)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )


def test_processes_that_compile_at_once_keep_their_code_apart(tmp_path):
    names = ["wild_twists", "twits", "wild_twists"]
    (first, said), (second, _), (again, _) = [each.communicate() for each in [start(name, tmp_path) for name in names]]
    assert "compiling" in said and first == again
    for name, decisions in (("wild_twists", first), ("twits", second)):
        later, said = start(name, tmp_path).communicate()
        assert (later, said) == (decisions, "")


def test_interleaved_writers_do_not_take_one_anothers_place(tmp_path):
    one, other = (_Files(str(tmp_path), "kernel", "stamp") for _ in range(2))
    assert one.load("key 1") is None and other.load("key 2") is None
    with pytest.MonkeyPatch.context() as patch:
        # the other process saves while this one is about to write
        dump = one._dump
        patch.setattr(one, "_dump", lambda data: (other.save("key 2", "code 2"), dump(data))[1])
        one.save("key 1", "code 1")
    for reader in (one, other):
        assert (reader.load("key 1"), reader.load("key 2")) == ("code 1", "code 2")


def test_code_of_another_source_is_not_found(tmp_path):
    old, new = (_Files(str(tmp_path), "kernel", stamp) for stamp in ("old", "new"))
    old.save("key", "code")
    assert (old.load("key"), new.load("key")) == ("code", None)


def test_damaged_code_is_compiled_again(tmp_path):
    first, said = start("wild_twists", tmp_path).communicate()
    assert "compiling" in said
    half, flipped, *_ = tmp_path.glob("compiled-*/*.nbc")
    half.write_bytes(half.read_bytes()[:1000])
    code = bytearray(flipped.read_bytes())
    code[len(code) // 2] ^= 1
    flipped.write_bytes(code)
    again, said = start("wild_twists", tmp_path).communicate()
    assert again == first and "compiling" in said and "Traceback" not in said


def test_full_disk_is_said_and_done_without(tmp_path):
    """Files of more than 50 kB cannot be written, as on a disk that is full."""
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
    command = [sys.executable, "-c", limit + PLAY_OUT, "", "wild_twists"]
    environment = os.environ | {"CARDENVS_CACHE_DIR": str(tmp_path)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, check=True)
    assert int(result.stdout) > 0
    assert "compiled code cannot be kept" in result.stderr and "Traceback" not in result.stderr
    assert not list(tmp_path.glob("compiled-*/*.nbc*"))


def test_code_that_somebody_else_has_left_is_not_run(tmp_path, monkeypatch):
    monkeypatch.setattr(jit.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("CARDENVS_CACHE_DIR", str(tmp_path / "file" / "cache"))
    (tmp_path / "file").write_text("not a folder")
    (own := jit._own_temporary_folder()).mkdir(mode=0o700)
    assert jit.cache_folder.__wrapped__().parent == own
    own.chmod(0o777)
    assert jit.cache_folder.__wrapped__() is None
    own.chmod(0o700)
    somebody = own.stat().st_uid + 1
    monkeypatch.setattr(jit.os, "getuid", lambda: somebody)
    own.rename(jit._own_temporary_folder())
    assert jit.cache_folder.__wrapped__() is None


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
