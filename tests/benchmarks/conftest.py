# SPDX-License-Identifier: GPL-3.0-or-later
"""What benchmarks share, and their short form: ``PLUMBLINE_BENCHMARKS=short``.

It asserts and prints the same from two rounds in the place of many: for the run of all tests, which
shows no figures and shall not take minutes for them.
"""

from __future__ import annotations

import os

import pytest
from small_frame import add_box, frame, registered

__all__ = ["add_box", "frame", "registered"]

FEW_ROUNDS = 2


@pytest.fixture(scope="session")
def rounds():
    """How often something is to be measured: ``rounds(many)``."""
    short = os.environ.get("PLUMBLINE_BENCHMARKS") == "short"
    return lambda many: min(many, FEW_ROUNDS) if short else many


@pytest.fixture
def benchmark(benchmark, rounds, monkeypatch):
    """pytest-benchmark's own, with its rounds cut where the short form is asked for."""
    whole = benchmark.pedantic

    def pedantic(target, *arguments, **named):
        named["rounds"] = rounds(named.get("rounds", 1))
        named["warmup_rounds"] = rounds(named.get("warmup_rounds", 0))
        return whole(target, *arguments, **named)

    monkeypatch.setattr(benchmark, "pedantic", pedantic)
    return benchmark
