"""The rules' own words, by number."""

import re
from functools import cache
from importlib import resources

RULE = re.compile(r"^- \*\*([A-Z]{3}-\d+)\*\* (.*?)(?=\n\n|\n- |\Z)", re.MULTILINE | re.DOTALL)


@cache
def rules_of(game: str) -> dict[str, str]:
    """Of a game: what each numbered rule says, as plain text in one line."""
    page = resources.files(f"cardenvs.games.{game}").joinpath("RULES.md").read_text(encoding="utf-8")
    return {number: _plain(text) for number, text in RULE.findall(page)}


def _plain(text: str) -> str:
    return " ".join(re.sub(r"\*\*|`|(?<!\w)\*|\*(?!\w)", "", text).split())
