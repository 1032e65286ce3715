"""What the site has beside the pages in this folder: the games' rules, the changelog, and pages of the replays."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from cardenvs import games, replay

ROOT = Path(__file__).resolve().parents[1]
REPLAYS = ROOT / "docs" / "replays"
RULES = re.compile(r"(?:\.\./)+cardenvs/games/(\w+)/RULES\.md")
SETTLED = re.compile(r"\*\*\[(settled[^\]]*)\]\*\*")


def on_files(files: Files, config: Any) -> Files:
    """Add pages whose text stands elsewhere."""
    for name in games.VERSIONS:
        text = (ROOT / "cardenvs" / "games" / name / "RULES.md").read_text(encoding="utf-8")
        files.append(File.generated(config, f"rules/{name}.md", content=mark_settled(text)))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changelog.md", content=changes))
    for path in sorted(REPLAYS.glob("*.jsonl.gz")):
        page = replay.to_html(replay.load(path))
        files.append(File.generated(config, f"replays/{path.name.removesuffix('.jsonl.gz')}.html", content=page))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to rules lead to their pages on the site."""
    up = "../" * page.file.src_uri.count("/")
    return RULES.sub(rf"{up}rules/\1.md", markdown)


def mark_settled(text: str) -> str:
    """What we settled, where the printed sheet is silent, stands out."""
    return SETTLED.sub(r'<mark class="settled">\1</mark>', text)
