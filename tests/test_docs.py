"""The documentation: it builds without a warning, its code runs, its commands have the keys that they name."""

import os
import re
import shlex
import subprocess
import sys
import types
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir

from cardenvs import uno_all_wild_v0
from docs import pictures, session

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLLOWED = {"adding_a_game.md"}  # by a test of its own: test_walkthrough
PYTHON = [
    pytest.param(code, id=f"{page.stem}-{number}")
    for page in PAGES[1:]
    if page.name not in FOLLOWED
    for number, (language, code) in enumerate(FENCE.findall(page.read_text(encoding="utf-8")))
    if language == "python"
]


def commands():
    """Every `python -m` of README and docs, as lists of words."""
    for page in PAGES:
        for language, code in FENCE.findall(page.read_text(encoding="utf-8")):
            for line in code.replace("\\\n", " ").splitlines():
                if language in ("", "bash") and line.startswith(("python -m", "$ python -m")):
                    yield page.name, shlex.split(line.removeprefix("$ "), comments=True)[2:]


COMMANDS = list(commands())


@pytest.fixture
def my_package(monkeypatch):
    """What pages call `my_package`: something of the reader's own."""
    package = types.ModuleType("my_package")
    package.MyEnv = partial(uno_all_wild_v0.env)
    monkeypatch.setitem(sys.modules, "my_package", package)


@pytest.mark.parametrize("code", PYTHON)
def test_code_of_the_docs_runs_as_pasted(code, tmp_path, monkeypatch, my_package):
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "a page of the docs", "exec"), {"__name__": "page"})


def test_there_is_code_on_the_pages():
    assert len(PYTHON) > 12 and len(COMMANDS) > 50


@pytest.mark.parametrize(
    ("page", "words"), COMMANDS, ids=[f"{page}-{' '.join(words)}"[:70] for page, words in COMMANDS]
)
def test_commands_name_modules_and_keys_that_there_are(page, words):
    module, *keys = words
    if "fifteen" in " ".join(words) or not module.startswith(
        ("training.", "agents.", "benchmarks.", "docs.", "cardenvs.")
    ):
        assert page in ("adding_a_game.md", "README.md", "conformance.md")
        return
    assert find_spec(module), module
    config = ROOT / "configs" / f"{module.rpartition('.')[2]}.yaml"
    if config.is_file():
        with initialize_config_dir(str(ROOT / "configs"), version_base=None):
            compose(config.stem, overrides=[key for key in keys if not key.startswith("-")])


def test_the_site_builds_without_a_warning(tmp_path):
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
    site = tmp_path / "site"
    assert "⚑" in (site / "style.css").read_text() and 'class="settled"' in (site / "rules" / "twits.html").read_text()
    for page in ("replays/twits.html", "reference/environments.html", "changelog.html", "images/twits.mp4"):
        assert (site / page).stat().st_size > 5000
    outside = re.compile(r"<(?:script|link|img|iframe|video)[^>]*(?:src|href)=\W?https?://[^>]*>")
    found = {tag for page in site.rglob("*.html") for tag in outside.findall(page.read_text(encoding="utf-8"))}
    assert not {tag for tag in found if "canonical" not in tag}


def test_the_round_at_the_terminal_is_as_it_is_played(tmp_path):
    text = session.PAGE.read_text(encoding="utf-8")
    assert session.page(text, session.record(tmp_path)) == text


def test_every_picture_of_the_docs_is_of_a_game(tmp_path):
    for name, shown in pictures.PICTURES.items():
        assert (pictures.IMAGES / f"table_{name}.png").is_file()
        assert pictures.picture(shown).std() > 20
    linked = set()
    for page in PAGES:
        linked |= set(re.findall(r"images/([\w.]+)\)", page.read_text(encoding="utf-8")))
    assert linked == {path.name for path in pictures.IMAGES.iterdir()}


def test_the_version_to_cite_is_that_of_the_package():
    project = (ROOT / "pyproject.toml").read_text()
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    version = re.search(r'^version = "(.*)"', project, re.MULTILINE)[1]
    assert str(cited["version"]) == version
    assert f"version = {{{version}}}" in (ROOT / "docs" / "citing.md").read_text()
