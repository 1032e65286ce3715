"""What the README says is so."""

import re
from pathlib import Path

import pytest

from cardenvs import games
from docs import tables

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def test_there_is_a_loop_for_every_interface():
    assert len(BLOCKS) == 6


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_code_runs_as_pasted(number):
    exec(compile(BLOCKS[number], f"README block {number}", "exec"), {})


@pytest.mark.parametrize("page", tables.PAGES, ids=lambda page: page.stem)
def test_tables_match_the_code(page):
    text = page.read_text()
    assert tables.insert(text) == text


@pytest.mark.parametrize("name", games.VERSIONS)
def test_every_game_has_a_page_with_all_its_tables(name):
    found = tables.MARKED.findall((ROOT / "docs" / "games" / f"{name}.md").read_text())
    own = {"options"} if games.get(name).switches else set()
    assert {kind for game, kind in found if game == name} == {"facts", "observation", "actions"} | own


@pytest.mark.parametrize("name", games.VERSIONS)
def test_sections_are_where_the_table_says(name):
    from cardenvs.core.sections import rows, size, starts

    sections = games.get(name).sections
    memory = [section.memory for section in sections]
    assert memory == sorted(memory)  # what compact leaves out stands last
    for players in range(2, games.get(name).players[1] + 1):
        table = rows(sections, players)
        assert [first for first, *_ in table] == list(starts(sections, players)[players, :-1])
        assert sum(length for _, length, *_ in table) == size(sections, players, "full")
