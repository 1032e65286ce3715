"""The page on adding a game, followed to the letter in a copy of the house."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "adding_a_game.md"
BLOCKS = re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = re.search(r"```bash\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1].splitlines()
PARTS = ("cardenvs", "agents", "training", "configs", "tests")
TINY = {
    "training.evaluate": ["deals=200", "output=runs/evaluation"],
    "training.train": [
        "total_steps=4000", "num_envs=64", "algorithm.n_steps=16", "algorithm.batch_size=256", "algorithm.layers=[8]",
        "evaluate_deals=20", "progress=false", "output=runs/fifteen",
    ],
    "agents.play": ["seed=1"],
}  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the house with the new game in it."""
    house = tmp_path_factory.mktemp("house")
    for part in PARTS:
        shutil.copytree(ROOT / part, house / part, ignore=shutil.ignore_patterns("__pycache__", "golden"))
    shutil.copy(ROOT / "pyproject.toml", house)
    for title, content in BLOCKS:
        name, _, patched = title.partition(": ")
        path = house / name
        if patched == "VERSIONS":
            text, count = re.subn(r"^VERSIONS = \{.*?\}", content.strip(), path.read_text(), flags=re.MULTILINE)
            assert count == 1
            path.write_text(text)
        elif patched == "ENTRIES":
            head, mark, rest = path.read_text().partition("\n# --- tables, to be parametrised over")
            assert mark
            path.write_text(f"{head}\n{content}\n{mark}{rest}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    return house


def run(house, *command, typed=""):
    environment = os.environ | {"PYTHONPATH": str(house)}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=house, env=environment, input=typed, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_page_has_every_part_of_a_game():
    files = {Path(title).name for title, _ in BLOCKS if "games/fifteen/" in title}
    own = {path.name for path in (ROOT / "cardenvs" / "games" / "twits").iterdir() if path.suffix in (".py", ".md")}
    assert files == own


def test_the_contract_holds_for_the_new_game(house):
    result = run(house, "pytest", "tests/test_contract.py", "-k", "fifteen", "-x", "-p", "no:cacheprovider")
    assert result.returncode == 0, result.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", result.stdout)[1]) > 50


def test_fuzzing_finds_nothing_and_everybody_can_play_it(house):
    result = run(house, "cardenvs.testing", "fuzz", "fifteen", "--decisions", "200000")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("command", [line for line in COMMANDS if not re.search("pytest|fuzz", line)])
def test_the_commands_of_the_page_work(house, command):
    _, _, module, *keys = command.split()
    result = run(house, module, *keys, *TINY[module], typed="1\n" * 100)
    assert result.returncode == 0, result.stdout + result.stderr
