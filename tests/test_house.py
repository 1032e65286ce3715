"""How the house is built: imports point down, and the wheel holds what it should."""

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cardenvs import baselines, games

ROOT = Path(__file__).resolve().parents[1]
FLOORS = {
    "cardenvs.core": 0,
    "cardenvs.games": 1,
    "cardenvs.engine": 2,
    "cardenvs.baselines": 3,
    "cardenvs.render": 3,
    "cardenvs.envs": 4,
    "cardenvs.replay": 4,
    "cardenvs.adapters": 5,
    "cardenvs.testing": 5,
    "agents.play": 7,  # a command
    "agents": 6,
    "training": 7,
    "benchmarks": 7,
}
HEAVY = (
    "gymnasium",
    "pettingzoo",
    "stable_baselines3",
    "sb3_contrib",
    "torch",
    "torchrl",
    "tensordict",
    "pyspiel",
    "open_spiel",
)


def floor_of(module):
    return next(
        (floor for prefix, floor in FLOORS.items() if module == prefix or module.startswith(prefix + ".")), None
    )


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def sources():
    for folder in ("cardenvs", "agents", "training", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if floor_of(module) is not None:
                yield module, path


def test_imports_point_down():
    upward = [
        (module, imported)
        for module, path in sources()
        for imported in imports_of(path)
        if (floor_of(imported) or 0) > floor_of(module)
    ]
    assert not upward
    assert len(list(sources())) > 30


def test_games_do_not_import_each_other():
    for module, path in sources():
        game = module.removeprefix("cardenvs.games.").split(".")[0]
        if module.startswith("cardenvs.games.") and game in games.VERSIONS:
            for imported in imports_of(path):
                assert not imported.startswith("cardenvs.games.") or imported.startswith(f"cardenvs.games.{game}.")


def test_libraries_for_learning_appear_in_no_rules():
    for module, path in sources():
        if floor_of(module) <= 2:
            assert not [imported for imported in imports_of(path) if imported.split(".")[0] in HEAVY]


def test_importing_the_package_imports_no_compiler():
    code = "import sys, cardenvs; assert 'numba' not in sys.modules; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_no_game_is_named_above_the_games():
    for module, path in sources():
        if module.startswith(("cardenvs.envs", "cardenvs.engine", "cardenvs.core", "cardenvs.adapters")):
            code = ast.parse(path.read_text())
            names = [
                node.value for node in ast.walk(code) if isinstance(node, ast.Constant) and isinstance(node.value, str)
            ]
            assert not [name for name in names if name in games.VERSIONS], module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_cardenvs_alone(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"cardenvs"}
    assert "cardenvs/py.typed" in names
    assert {f"cardenvs/games/{name}/RULES.md" for name in games.VERSIONS} <= set(names)
    networks = {f"cardenvs/baselines/{path.name}" for path in baselines.FOLDER.glob("*.npz")}
    assert networks <= set(names) and len(networks) >= 6
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_wheel_works_outside_the_repository(wheel, tmp_path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import cardenvs, gymnasium\n"
        "assert cardenvs.__file__.startswith(sys.argv[1]), cardenvs.__file__\n"
        "for name in cardenvs.games.VERSIONS:\n"
        "    gymnasium.make(cardenvs.games.env_id(name)).reset(seed=0)"
    )
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    subprocess.run([sys.executable, "-c", code, str(target)], check=True, cwd=tmp_path)
