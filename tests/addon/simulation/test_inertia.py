# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments of inertia as Bullet takes them, against text-book solids."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.simulation.inertia import inertia_of


@pytest.mark.parametrize(
    ("shape", "extents", "moments"),
    [
        ("SPHERE", (2, 2, 2), (0.4, 0.4, 0.4)),  # 2/5 m r^2
        ("CYLINDER", (2, 2, 6), (3.25, 3.25, 0.5)),  # m (3 r^2 + h^2) / 12, m r^2 / 2
        ("BOX", (1, 2, 3), (13 / 12, 10 / 12, 5 / 12)),
        ("CONVEX_HULL", (1, 2, 3), (13 / 12, 10 / 12, 5 / 12)),
    ],
)
def test_moments_of_solids_of_one_kilogram(shape, extents, moments):
    assert inertia_of(shape, np.array(extents, float), 1.0) == pytest.approx(moments)


def test_what_bullet_adds_up_from_triangles_is_not_guessed():
    assert inertia_of("MESH", np.ones(3), 1.0) is None
