"""Means with intervals."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        return {"mean": self.mean, "low": self.low, "high": self.high}


def clustered_mean(values: Any, confidence: float = 0.95) -> Estimate:
    """Mean of float (clusters, members), with a normal interval over clusters, which are independent.

    Games of one deal share their luck: they count as one observation, so that the interval neither ignores what they
    have in common nor misses what that saves.
    """
    clusters = np.asarray(values, float).mean(axis=1)
    mean = float(clusters.mean())
    error = float(clusters.std(ddof=1)) / len(clusters) ** 0.5
    reach = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    return Estimate(mean, mean - reach, mean + reach)
