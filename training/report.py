"""One page of a run: `python -m training.report runs/demo` writes `report.html` with learning curve and results."""

import base64
import html
import json
from pathlib import Path
from typing import Any

from cardenvs.core.arguments import Arguments, run_main

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .35rem .9rem; border-bottom: 1px solid #ddd; text-align: left }
td.n { font-variant-numeric: tabular-nums }
img { max-width: 100% }
.better { color: #2b7a3d }
.worse { color: #b03030 }
"""


def write_report(run: Path) -> Path:
    """Write `report.html` into a run's folder, with its pictures inside.

    Raises
    ------
    ValueError
        If the run has not been trained or evaluated yet.
    """
    for needed in (
        "config.yaml",
        "versions.json",
        "learning_curve.json",
        "learning_curve.png",
        "evaluation.json",
        "evaluation.png",
    ):
        if not (run / needed).is_file():
            raise ValueError(f"{run} has no {needed}: run training.train and training.evaluate output={run} first.")
    results = json.loads((run / "evaluation.json").read_text())
    steps = json.loads((run / "learning_curve.json").read_text())[-1]["steps"]
    versions = json.loads((run / "versions.json").read_text())
    table, fair = len(results[0]["opponents"]) + 1, results[0]["fair_share"]
    lines = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(run.name)}</title>',
        f"<style>{STYLE}</style><h1>{html.escape(run.name)}</h1>",
        f"<p>A network trained for {steps:,} learner steps at a table of {table}, then evaluated on",
        f"{results[0]['deals']:,} deals that it has never seen, each played with it in every seat.",
        f"A fair share of wins is {fair:.1%}; intervals are 95%, clustered by deal.</p>",
        "<table><tr><th>opponents<th>win rate<th>payoff<th>points above the mean<th>verdict</tr>",
        *map(_row, results),
        f"</table>{_picture(run / 'evaluation.png')}",
        f"<h2>Learning curve</h2>{_picture(run / 'learning_curve.png')}",
        f"<h2>How it was made</h2><pre>{html.escape((run / 'config.yaml').read_text())}</pre>",
        f"<p>{html.escape(', '.join(f'{name} {version}' for name, version in versions.items()))}</p></html>",
    ]
    path = run / "report.html"
    path.write_text("\n".join(lines) + "\n")
    return path


def _row(result: dict[str, Any]) -> str:
    rate, fair = result["win_rate"], result["fair_share"]
    verdict = "better" if rate["low"] > fair else "worse" if rate["high"] < fair else "not told apart"
    cells = [_interval(rate, "{:.1%}"), _interval(result["payoff"], "{:+.3f}"), _interval(result["points"], "{:+.1f}")]
    numbers = "".join(f'<td class="n">{cell}' for cell in cells)
    return (
        f'<tr><td>{html.escape(", ".join(result["opponents"]))}{numbers}<td class="{verdict.split()[0]}">{verdict}</tr>'
    )


def _interval(estimate: dict[str, float], form: str) -> str:
    mean, low, high = (form.format(estimate[key]) for key in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


def _picture(path: Path) -> str:
    return f'<img alt="{path.stem}" src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}">'


def main() -> None:
    parser = Arguments("training.report", __doc__)
    parser.add_argument("run", type=Path, help="a run's folder")
    print(f"Report: {write_report(parser.parse_args().run)}")


if __name__ == "__main__":
    run_main(main)
