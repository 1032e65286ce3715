"""The games to be read beside the rule sheets (`docs/playthroughs`)."""

import pytest

from cardenvs import games
from tests.playthroughs import FOLDER, page, playthrough
from tests.test_reference import replay

MOST_LINES = 200


@pytest.mark.parametrize("name", games.VERSIONS)
def test_playthrough_is_what_the_engine_plays(name):
    header, steps = playthrough(name)
    replay(header, steps, tell=print)
    written = (FOLDER / f"{name}.md").read_text()
    assert written == page(name, header, steps), "run: python -m tests.playthroughs"
    assert written.count("\n") <= MOST_LINES
    assert steps[-1][2]["terminated"]
