# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures that MineCEraft published (arXiv 2608.28884), to stand beside those of a run. Facts only.

Percentages are given as there, with one decimal; what the paper does not give is not here. Changes
against a first arm (the rows "Δ") are left out, since they follow from the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

SOURCE = "MineCEraft (arXiv 2608.28884)"

#: Problems of the whole benchmark, and of those that have a check of the kind (Table 4).
PROBLEMS = 723
DENOMINATORS: Mapping[str, int] = {
    "overall": 723,
    "accurate": 699,
    "material": 455,
    "shape": 563,
    "size": 369,
    "physical_plausibility": 723,
    "dependency": 156,
}
#: Problems with a graded check (Table 5).
GRADED: Mapping[str, int] = {"efficiency": 112, "structural_stability": 21}

#: The seven kinds of checks in the order of every table.
KINDS = (
    "material",
    "shape",
    "size",
    "physical_plausibility",
    "structural_stability",
    "efficiency",
    "dependency",
)


class Spread(NamedTuple):
    """Mean over draws, and half of the range between them, both in per cent."""

    mean: float
    half_range: float


class Graded(NamedTuple):
    """Mean of all, how many problems were accurate, and the mean of those; per cent."""

    all: float
    accurate: int
    accurate_only: float | None


def _kinds(*values: float) -> dict[str, float]:
    return dict(zip(KINDS, values, strict=True))


def _spreads(*values: float) -> dict[str, Spread]:
    pairs = zip(values[::2], values[1::2], strict=True)
    return dict(zip(KINDS, (Spread(*pair) for pair in pairs), strict=True))


_FOUR = ("llama-4-17b-16e", "claude-4-5-sonnet", "gpt-5-mini", "gemini-3-pro")
HUMAN = "human (Lite)"

#: Table 2, instruction level, per cent. People built the small run only.
TABLE_2: Mapping[str, Mapping[str, float]] = {
    _FOUR[0]: _kinds(27.0, 22.2, 3.2, 77.8, 25.0, 47.1, 7.4),
    _FOUR[1]: _kinds(84.5, 55.8, 68.1, 85.0, 57.1, 56.2, 96.3),
    _FOUR[2]: _kinds(92.7, 53.4, 77.0, 68.3, 50.7, 55.6, 68.6),
    _FOUR[3]: _kinds(70.4, 50.3, 52.8, 92.0, 42.7, 59.7, 78.2),
    HUMAN: _kinds(97.8, 99.2, 91.7, 98.3, 93.9, 95.6, 90.0),
}

#: Tables 3 and 4, problems solved of :data:`DENOMINATORS`. Table 3 is the entry ``overall``.
TABLE_4: Mapping[str, Mapping[str, int]] = {
    model: dict(zip(DENOMINATORS, counts, strict=True))
    for model, counts in {
        _FOUR[0]: (3, 11, 129, 11, 7, 372, 8),
        _FOUR[1]: (192, 197, 314, 115, 145, 385, 104),
        _FOUR[2]: (286, 317, 410, 213, 284, 490, 153),
        _FOUR[3]: (277, 266, 296, 178, 195, 663, 122),
    }.items()
}

#: Table 5, graded figures at problem level.
TABLE_5: Mapping[str, Mapping[str, Graded]] = {
    _FOUR[0]: {
        "efficiency": Graded(47.1, 0, None),
        "structural_stability": Graded(25.0, 0, None),
    },
    _FOUR[1]: {
        "efficiency": Graded(56.2, 94, 54.9),
        "structural_stability": Graded(57.1, 5, 54.1),
    },
    _FOUR[2]: {
        "efficiency": Graded(55.6, 110, 55.1),
        "structural_stability": Graded(50.7, 7, 59.7),
    },
    _FOUR[3]: {
        "efficiency": Graded(59.7, 100, 54.8),
        "structural_stability": Graded(42.7, 10, 80.7),
    },
}

#: Table 6, efficiency of foundations by cue, per cent.
TABLE_6: Mapping[str, Mapping[str, float]] = {
    "llama-4-scout": {"none": 54.8, "step_by_step": 52.4, "order_aware": 52.4},
    "claude-4-5-sonnet": {"none": 58.3, "step_by_step": 58.3, "order_aware": 79.2},
    "gpt-5-mini": {"none": 58.3, "step_by_step": 58.3, "order_aware": 79.2},
    "gemini-3-pro": {"none": 58.3, "step_by_step": 58.3, "order_aware": 100.0},
}

#: The kinds of checks of Table 7, and the one model in it.
KINDS_7 = ("material", "shape", "physical_plausibility", "structural_stability", "dependency")
MODEL_7 = "claude-4-5-sonnet"

#: Table 7, slabs on columns by dimension and value of the wording, per cent.
TABLE_7: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "term": {
        "trade": dict(zip(KINDS_7, (66.7, 66.7, 100.0, 66.7, 66.7), strict=True)),
        "plain": dict(zip(KINDS_7, (50.0, 66.7, 100.0, 16.7, 100.0), strict=True)),
    },
    "verb": {
        "build": dict(zip(KINDS_7, (50.0, 50.0, 100.0, 25.0, 75.0), strict=True)),
        "construct": dict(zip(KINDS_7, (100.0, 100.0, 100.0, 50.0, 100.0), strict=True)),
        "create": dict(zip(KINDS_7, (25.0, 50.0, 100.0, 50.0, 75.0), strict=True)),
    },
}

#: Table 8, small run without the sentence on brevity, per cent; with it: :data:`TABLE_11`.
TABLE_8_WITHOUT: Mapping[str, Mapping[str, float]] = {
    "llama-4-scout-17b-16e": _kinds(33.3, 29.5, 16.7, 83.3, 0.0, 84.2, 20.0),
    "claude-4-5-sonnet": _kinds(90.5, 47.5, 91.7, 66.7, 91.9, 53.1, 100.0),
    "gpt-5-mini": _kinds(95.2, 45.9, 75.0, 60.0, 72.4, 53.1, 100.0),
    "gemini-3-pro": _kinds(81.0, 65.6, 50.0, 80.0, 79.4, 53.1, 100.0),
}
#: The same with it, as Table 8 has it.
TABLE_8_WITH: Mapping[str, Mapping[str, float]] = {
    "llama-4-scout-17b-16e": _kinds(20.6, 23.8, 24.6, 85.7, 16.7, 37.8, 0.0),
    "claude-4-5-sonnet": _kinds(84.1, 60.5, 83.3, 83.3, 55.6, 54.9, 60.0),
    "gpt-5-mini": _kinds(87.1, 52.5, 83.3, 59.2, 67.1, 54.9, 62.2),
    "gemini-3-pro": _kinds(71.4, 47.5, 38.0, 97.8, 49.4, 69.8, 60.0),
}

#: Table 9, small run, per cent, without a spread.
TABLE_9: Mapping[str, Mapping[str, float]] = {
    "GPT-4": _kinds(42.9, 50.8, 50.0, 70.0, 0.0, 53.1, 40.0),
    "GPT-4o": _kinds(85.7, 55.9, 61.1, 84.4, 67.8, 62.0, 60.0),
}

#: Table 11, small run, mean and half range over three draws, per cent.
TABLE_11: Mapping[str, Mapping[str, Spread]] = {
    model: _spreads(*values)
    for model, values in {
        "Qwen3-32B": (
            *(34.9, 2.4, 45.2, 4.1, 41.7, 16.7, 70.0, 3.3, 18.3, 13.4, 54.2, 1.4, 20.0, 20.0),
        ),
        "llama-4-scout-17b-16e-Instruct": (
            *(20.6, 7.2, 23.8, 7.1, 24.6, 12.0, 85.7, 3.2, 16.7, 25.0, 37.8, 17.8, 0.0, 0.0),
        ),
        "llama-3.3-70b-Instruct": (
            *(66.7, 7.2, 54.2, 5.9, 77.8, 12.5, 85.6, 5.0, 63.5, 23.4, 54.1, 1.3, 60.0, 0.0),
        ),
        "claude-haiku-4-5-20251001": (
            *(79.4, 4.8, 59.6, 10.7, 75.0, 8.3, 85.6, 5.0, 65.7, 6.6, 54.2, 1.4, 60.0, 0.0),
        ),
        "claude-opus-4-5-20251101": (
            *(95.2, 0.0, 64.0, 5.0, 88.9, 4.2, 80.0, 10.0, 67.6, 17.4, 54.2, 1.4, 73.3, 10.0),
        ),
        "claude-sonnet-4-5-20250929": (
            *(84.1, 2.4, 60.5, 3.6, 83.3, 16.7, 83.3, 0.0, 55.6, 17.4, 54.9, 1.2, 60.0, 0.0),
        ),
        "claude-sonnet-4-6": (
            *(90.5, 4.8, 62.3, 4.1, 77.8, 12.5, 66.7, 5.0, 66.6, 16.7, 54.2, 1.4, 86.7, 10.0),
        ),
        "gpt-5-mini": (
            *(87.1, 7.1, 52.5, 4.1, 83.3, 8.4, 59.2, 13.4, 67.1, 22.3, 54.9, 1.2, 62.2, 20.0),
        ),
        "gpt-5-nano": (
            *(71.4, 11.9, 44.2, 7.5, 41.7, 8.4, 57.5, 37.0, 17.7, 11.3, 47.5, 11.5, 53.3, 20.0),
        ),
        "gpt-4o": (
            *(85.7, 0.0, 55.9, 7.4, 61.1, 20.8, 84.4, 1.7, 67.8, 27.5, 62.0, 13.1, 60.0, 0.0),
        ),
        "o3": (*(92.0, 4.8, 54.8, 7.4, 77.8, 4.2, 73.3, 3.4, 55.4, 18.9, 54.2, 1.4, 60.0, 0.0),),
        "gemini-2.5-flash": (
            *(76.2, 19.1, 39.8, 4.1, 36.1, 4.2, 77.8, 5.0, 39.5, 25.8, 49.1, 6.5, 46.7, 20.0),
        ),
        "gemini-2.5-pro": (
            *(79.4, 14.3, 48.5, 4.4, 77.8, 8.3, 61.1, 23.4, 52.7, 16.5, 54.2, 1.4, 40.0, 20.0),
        ),
        "gemini-3-flash-preview": (
            *(69.8, 21.5, 48.8, 19.7, 80.6, 12.5, 64.4, 38.3, 77.8, 2.5, 54.2, 1.4, 80.0, 0.0),
        ),
        "gemini-3-pro-preview": (
            *(71.4, 4.8, 47.5, 4.0, 38.0, 19.5, 97.8, 3.4, 49.4, 17.9, 69.8, 12.9, 60.0, 20.0),
        ),
    }.items()
}

#: Table 10, small run beside the whole: model -> its name in :data:`TABLE_11` and in
#: :data:`TABLE_2`, from which the figures are the same.
TABLE_10_MODELS: Mapping[str, tuple[str, str]] = {
    "llama-4-scout-17b-16e": ("llama-4-scout-17b-16e-Instruct", _FOUR[0]),
    "claude-4-5-sonnet": ("claude-sonnet-4-5-20250929", _FOUR[1]),
    "gpt-5-mini": ("gpt-5-mini", _FOUR[2]),
    "gemini-3-pro": ("gemini-3-pro-preview", _FOUR[3]),
}
#: Table 10, people on the small run: the half range is that between participants.
TABLE_10_HUMAN: Mapping[str, Spread] = _spreads(
    *(97.8, 2.1, 99.2, 0.8, 91.7, 0.0, 98.3, 1.7, 93.9, 6.1, 95.6, 2.9, 90.0, 10.0)
)
