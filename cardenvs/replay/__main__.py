"""`python -m cardenvs.replay FILE [--html PAGE] [--verify]`: make a page of a replay, or play it again to check it."""

from pathlib import Path

from cardenvs.core.arguments import Arguments, run_main
from cardenvs.replay import load, to_html, verify


def main() -> None:
    parser = Arguments("cardenvs.replay", "Watch or check a replay.")
    parser.add_argument("file", type=Path, help="a replay: JSON lines, compressed if its name ends in .gz")
    parser.add_argument("--html", type=Path, metavar="PAGE", help="write a page that needs nothing else to be watched")
    parser.add_argument("--verify", action="store_true", help="play it again, and compare all that it says")
    asked = parser.parse_args()
    if not (asked.html or asked.verify):
        parser.error("what is to be done? Give --html PAGE, --verify or both.")
    replay = load(asked.file)
    if asked.verify:
        verify(replay)
        print(f"{asked.file}: {len(replay.decisions)} decisions, all as they are played here.")
    if asked.html:
        asked.html.parent.mkdir(parents=True, exist_ok=True)
        asked.html.write_text(to_html(replay), encoding="utf-8")
        print(f"Written to {asked.html}")


if __name__ == "__main__":
    run_main(main)
