# SPDX-License-Identifier: GPL-3.0-or-later
"""How far annotators agree: percent, Cohen's and Fleiss' kappa, precision and recall.

What can't be computed is ``None`` and never a number: kappa where all ratings are of one category,
for instance, since agreement by chance is then complete.

References
----------
Cohen, J. (1960). A coefficient of agreement for nominal scales. *Educational and Psychological
Measurement* 20, 37-46.
Cohen, J. (1968). Weighted kappa. *Psychological Bulletin* 70, 213-220.
Fleiss, J. L., Cohen, J. & Everitt, B. S. (1969). Large sample standard errors of kappa and weighted
kappa. *Psychological Bulletin* 72, 323-327.
Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. *Psychological Bulletin*
76, 378-382.
Landis, J. R. & Koch, G. G. (1977). The measurement of observer agreement for categorical data.
*Biometrics* 33, 159-174.
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. *Journal
of the American Statistical Association* 22, 209-212.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# 97.5 % point of the normal distribution: intervals hold 95 %.
_Z = 1.959963984540054
_RESAMPLES = 1000
_SEED = 20250101
# Below this many items a bootstrap repeats the same few over and over.
_LEAST_ITEMS = 5

_WORDS = ((0.8, "almost perfect"), (0.6, "substantial"), (0.4, "moderate"), (0.2, "fair"))


@dataclass(frozen=True)
class Agreement:
    """How two or more raters agree on the items that they have in common.

    ``items`` were used, ``ratings`` in all. ``observed`` is the share of agreement, ``expected``
    what chance would bring, ``kappa`` their comparison, ``interval`` its 95 % bounds; each ``None``
    where it is not defined.
    """

    items: int
    ratings: int
    observed: float | None = None
    expected: float | None = None
    kappa: float | None = None
    interval: tuple[float, float] | None = None


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """Cohen's kappa (1960) of two raters; one pair of categories an item.

    The interval is kappa ± 1.96 standard errors of Fleiss, Cohen & Everitt (1969, equation for a
    kappa that is not zero), cut to -1 … 1; none where the standard error is zero, as it is when all
    agree.
    """
    categories = sorted({c for pair in pairs for c in pair}, key=str)
    return _of_table(_table(pairs, categories), np.eye(len(categories)))


def weighted(pairs: Sequence[tuple[int, int]], lowest: int = 1, highest: int = 5) -> Agreement:
    """Cohen's weighted kappa (1968) of two raters on a scale, with quadratic weights.

    Being a step apart on a scale of k counts 1 - 1 / (k - 1)^2 of full agreement, and so on;
    ``observed`` is the weighted share. Interval as for :func:`cohen`.
    """
    scale = range(lowest, highest + 1)
    steps = np.subtract.outer(np.array(scale), np.array(scale)) / (highest - lowest)
    return _of_table(_table(pairs, list(scale)), 1.0 - steps**2)


def _table(pairs: Sequence[tuple[Hashable, Hashable]], categories: Sequence[Hashable]) -> NDArray:
    place = {category: i for i, category in enumerate(categories)}
    table = np.zeros((len(categories), len(categories)))
    for first, second in pairs:
        table[place[first], place[second]] += 1
    return table


def _of_table(table: NDArray, weights: NDArray) -> Agreement:
    n = int(table.sum())
    if n == 0:
        return Agreement(0, 0)
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed = float((weights * p).sum())
    expected = float((weights * np.outer(rows, columns)).sum())
    if 1.0 - expected < 1e-12:
        return Agreement(n, 2 * n, observed, expected)
    kappa = (observed - expected) / (1.0 - expected)
    mean = (weights @ columns)[:, None] + (rows @ weights)[None, :]
    spread = (p * (weights - mean * (1.0 - kappa)) ** 2).sum()
    variance = (spread - (kappa - expected * (1.0 - kappa)) ** 2) / (n * (1.0 - expected) ** 2)
    error = math.sqrt(max(0.0, float(variance)))
    interval = None
    if error > 1e-9:
        interval = (max(-1.0, kappa - _Z * error), min(1.0, kappa + _Z * error))
    return Agreement(n, 2 * n, observed, expected, kappa, interval)


def fleiss(items: Sequence[Sequence[Hashable]]) -> Agreement:
    """Fleiss' kappa (1971); a sequence of ratings an item, their order is of no account.

    Items may have different numbers of ratings. Those with fewer than two tell nothing of agreement
    and are left out; agreement is averaged over the items that are used, and what chance brings is
    taken from all of their ratings together. With one number of ratings everywhere this is Fleiss'
    own formula. The interval holds the middle 95 % of 1,000 resamples of the items (percentile
    bootstrap, fixed seed); there is none with fewer than five items.
    """
    used = [ratings for ratings in items if len(ratings) >= 2]
    categories = sorted({c for ratings in used for c in ratings}, key=str)
    if not used:
        return Agreement(0, 0)
    counts = np.array([[list(r).count(c) for c in categories] for r in used], dtype=float)
    observed, expected, kappa = _fleiss(counts)
    return Agreement(
        len(used), int(counts.sum()), observed, expected, kappa, _resampled(counts, kappa)
    )


def _fleiss(counts: NDArray) -> tuple[float, float, float | None]:
    n = counts.sum(axis=1)
    each = ((counts**2).sum(axis=1) - n) / (n * (n - 1.0))
    observed = float(each.mean())
    expected = float(((counts.sum(axis=0) / n.sum()) ** 2).sum())
    kappa = (observed - expected) / (1.0 - expected) if 1.0 - expected > 1e-12 else None
    return observed, expected, kappa


def _resampled(counts: NDArray, kappa: float | None) -> tuple[float, float] | None:
    if kappa is None or len(counts) < _LEAST_ITEMS:
        return None
    random = np.random.default_rng(_SEED)
    drawn = (
        _fleiss(counts[random.integers(0, len(counts), len(counts))])[2] for _ in range(_RESAMPLES)
    )
    known = [value for value in drawn if value is not None]
    low, high = np.percentile(known, (2.5, 97.5))
    return (float(low), float(high)) if high - low > 1e-9 else None


def words_for(kappa: float | None) -> str:
    """What Landis & Koch (1977) call a kappa, an arbitrary but usual scale; empty for ``None``."""
    if kappa is None:
        return ""
    if kappa < 0:
        return "poor"
    return next((word for least, word in _WORDS if kappa > least), "slight")


@dataclass(frozen=True)
class Share:
    """A share of ``count`` in ``total`` with Wilson's 95 % interval (1927); absent for none."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        """0 to 1; ``None`` of nothing."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Lower and upper bound, ``None`` of nothing."""
        if not self.total:
            return None
        n, p, z2 = self.total, self.count / self.total, _Z**2
        middle = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = _Z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def majority(votes: Mapping[str, int]) -> str | None:
    """What more people said than anything else; ``None`` if two or more are level at the top."""
    ranked = sorted(votes.items(), key=lambda vote: -vote[1])
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def mean_and_sd(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Mean and sample standard deviation (n - 1); ``None`` where there are too few for it."""
    if not values:
        return None, None
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
