"""Pictures of results."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import EngFormatter, PercentFormatter

if TYPE_CHECKING:
    from training.duplicate import Result

COLOURS = ("#3b6fb6", "#e0803a", "#4a9c6d", "#a05fa8")


def plot_results(results: Sequence["Result"], path: Path) -> None:
    """Win rate against each table of opponents, with its interval, and the fair share."""
    figure, axes = plt.subplots(figsize=(6.4, 1.4 + 0.55 * len(results)), layout="constrained")
    for row, result in enumerate(results):
        rate = result.win_rate
        axes.errorbar(
            rate.mean, row, xerr=[[rate.mean - rate.low], [rate.high - rate.mean]], fmt="o", capsize=4, color=COLOURS[0]
        )
    axes.axvline(results[0].fair_share, color="0.4", linestyle="--", label="fair share")
    axes.set_yticks(range(len(results)), [" + ".join(dict.fromkeys(result.opponents)) for result in results])
    axes.set_ylim(-0.6, len(results) - 0.4)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("win rate, 95% interval")
    axes.set_title(f"{results[0].agent} against", loc="left")
    axes.legend(frameon=False)
    _save(figure, axes, path)


def plot_learning_curve(curve: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Win rate against each scripted opponent over learner steps, with intervals."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    steps = [point["steps"] for point in curve]
    for colour, opponent in zip(COLOURS, curve[0]["win_rate"], strict=False):
        rates = [point["win_rate"][opponent] for point in curve]
        axes.plot(steps, [rate["mean"] for rate in rates], color=colour, marker="o", markersize=3, label=opponent)
        axes.fill_between(
            steps, [r["low"] for r in rates], [r["high"] for r in rates], color=colour, alpha=0.2, linewidth=0
        )
    axes.axhline(curve[0]["fair_share"], color="0.4", linestyle="--", label="fair share")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlabel("learner steps")
    axes.set_ylabel("win rate, 95% interval")
    axes.set_title("Learning curve", loc="left")
    axes.legend(frameon=False)
    _save(figure, axes, path)


def plot_seeds(trained: Sequence[Mapping[str, Any]], title: str, path: Path) -> None:
    """Win rate against the strongest scripted opponent over learner steps, by training seed."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for colour, run in zip(cycle(COLOURS), trained, strict=False):
        opponent = list(run["curve"][0]["win_rate"])[-1]
        rates = [point["win_rate"][opponent] for point in run["curve"]]
        reach = [[r["mean"] - r["low"] for r in rates], [r["high"] - r["mean"] for r in rates]]
        steps, means = [point["steps"] for point in run["curve"]], [rate["mean"] for rate in rates]
        label = f"seed {run['seed']}"
        axes.errorbar(steps, means, yerr=reach, color=colour, marker="o", markersize=4, capsize=3, label=label)
    axes.axhline(trained[0]["curve"][0]["fair_share"], color="0.4", linestyle="--", label="fair share")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlabel("learner steps")
    axes.set_ylabel(f"win rate against {opponent}, 95% interval")
    axes.set_title(title, loc="left")
    axes.legend(frameon=False)
    _save(figure, axes, path)


def plot_strength(points: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Win rate against each opponent over the budget of a search, with intervals."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for colour, opponent in zip(cycle(COLOURS), dict.fromkeys(point["opponent"] for point in points), strict=False):
        curve = [point for point in points if point["opponent"] == opponent]
        rates = [point["win_rate"] for point in curve]
        reach = [[r["mean"] - r["low"] for r in rates], [r["high"] - r["mean"] for r in rates]]
        budgets, means = [point["budget"] for point in curve], [rate["mean"] for rate in rates]
        axes.errorbar(budgets, means, yerr=reach, color=colour, marker="o", markersize=4, capsize=3, label=opponent)
    axes.axhline(points[0]["fair_share"], color="0.4", linestyle="--", label="fair share")
    axes.set_xscale("log")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlabel(points[0]["search"].replace("%d", "…"))
    axes.set_ylabel("win rate, 95% interval")
    axes.set_title("By budget, against", loc="left")
    axes.legend(frameon=False)
    _save(figure, axes, path)


def plot_matrix(names: Sequence[str], rates: Any, fair_share: float, path: Path) -> None:
    """A heat-map of win rates, by agent and by those that it played; colours part at the fair share."""
    size = 3.2 + 0.9 * len(names)
    figure, axes = plt.subplots(figsize=(size + 0.6, size), layout="constrained")
    reach = max(abs(rate - fair_share) for row in rates for rate in row if rate == rate)
    axes.imshow(rates, cmap="PuOr_r", vmin=fair_share - reach, vmax=fair_share + reach)
    for i, row in enumerate(rates):
        for j, rate in enumerate(row):
            if rate == rate:
                far = abs(rate - fair_share) > 0.6 * reach
                axes.text(j, i, f"{rate:.1%}", ha="center", va="center", color="white" if far else "black")
    labels = [name.replace(":", ":\n").replace(",", ",\n") for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), labels)
    axes.set_xlabel("against a table of")
    axes.set_title(f"Win rate; a fair share is {fair_share:.1%}", loc="left")
    _save(figure, axes, path)


def plot_calibration(curves: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """How often the observer won, by what each estimate had said, with intervals."""
    figure, axes = plt.subplots(figsize=(5.4, 5.0), layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.4", linestyle="--", label="perfect")
    for colour, (name, curve) in zip(COLOURS, curves.items(), strict=False):
        said, won = [point["said"] for point in curve], [point["won"]["mean"] for point in curve]
        reach = [
            [point["won"]["mean"] - point["won"]["low"] for point in curve],
            [point["won"]["high"] - point["won"]["mean"] for point in curve],
        ]
        axes.errorbar(said, won, yerr=reach, color=colour, marker="o", markersize=4, capsize=3, label=name)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel("estimated chance to win, mean of a bin")
    axes.set_ylabel("games won, 95% interval")
    axes.set_title("Calibration", loc="left")
    axes.legend(frameon=False)
    _save(figure, axes, path)


def _save(figure: Any, axes: Any, path: Path) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)
    plt.close(figure)
