"""The recipes of the docs run with the libraries that they are for."""

import importlib.util
import json
import sys

import numpy as np
import pytest

from docs.recipes.__main__ import FOLDER, RECIPES, RESULTS, run

HERE = RESULTS.parent
TINY = ("--steps", "12_000", "--rounds", "1_500")


def can_run(recipe):
    return not RECIPES[recipe] or (FOLDER / recipe / "bin" / "python").exists()


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_learns_with_its_masks(recipe):
    if not can_run(recipe):
        pytest.skip(f"{recipe} needs an environment of its own: python -m docs.recipes {recipe}")
    told = run(recipe, *TINY)
    assert told["training"]["decisions"] >= 10_000 and told["training"]["illegal"] == 0
    assert told["random"]["decisions"] >= 10_000 and told["random"]["illegal"] == 0
    assert told["random"]["rounds"] >= 1_500 and told["steps/s"] > 0


def test_every_script_is_a_recipe_and_has_a_result():
    others = {"__main__", "measure", "behaviour_cloning", "openspiel"}  # the last two have tests and pages of their own
    scripts = {path.stem for path in HERE.glob("*.py")} - others
    results = json.loads(RESULTS.read_text())
    assert scripts == set(RECIPES) == set(results)
    for result in results.values():
        assert result["random"]["wins"] - result["random"]["half"] > 1 / result["players"]


@pytest.fixture
def measure(monkeypatch):
    spec = importlib.util.spec_from_file_location("measure", HERE / "measure.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "measure", module)
    spec.loader.exec_module(module)
    return module


def test_a_random_policy_wins_its_share_of_rounds(measure):
    rng = np.random.default_rng(0)
    result = measure.play_random(lambda _, masks: (rng.random(masks.shape) * masks).argmax(axis=1), "twits", 2, 4096)
    assert abs(result["wins"] - 0.5) < 2 * result["half"] < 0.04 and result["illegal"] == 0


def test_illegal_actions_are_counted(measure):
    result = measure.play_random(lambda _, masks: (~masks).argmax(axis=1), "twits", 2, 64)
    assert result["illegal"] == result["decisions"] == 64 and result["wins"] == 0
