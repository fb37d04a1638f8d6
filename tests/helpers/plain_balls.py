# SPDX-License-Identifier: GPL-3.0-or-later
"""Balls without friction that fall, collide and pile up in a box: a solver of our own, by impulses.

Steps are semi-implicit Euler with sequential impulses, as in the solvers that are judged; nothing
is shared with the checks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

G = 9.81


def simulate(
    places: Any,
    velocities: Any,
    radius: float,
    masses: Any,
    restitution: float,
    walls: float,
    frames: int,
    fps: float = 30.0,
    substeps: int = 10,
    lifted: float = 0.0,
) -> Any:
    """Places of balls, (f, n, 3), on a floor z = 0 between walls at x, y = ±``walls``.

    ``lifted`` is a speed, m/s, that every contact adds on top of what restitution gives: a fault.
    """
    x, v = np.array(places, float), np.array(velocities, float)
    inverse = 1 / np.asarray(masses, float)
    h = 1 / (fps * substeps)
    told = [x.copy()]
    for _ in range(frames - 1):
        for _ in range(substeps):
            v[:, 2] -= G * h
            contacts = _contacts(x, v, radius, walls, restitution, lifted)
            for _ in range(6):
                for i, j, normal, target, total in contacts:
                    closing = (v[i] - (v[j] if j >= 0 else 0)) @ normal
                    weight = inverse[i] + (inverse[j] if j >= 0 else 0)
                    push = max(0.0, total[0] + (target - closing) / weight) - total[0]
                    total[0] += push
                    v[i] += push * inverse[i] * normal
                    if j >= 0:
                        v[j] -= push * inverse[j] * normal
            x += v * h
        told.append(x.copy())
    return np.array(told)


def _contacts(
    x: Any, v: Any, radius: float, walls: float, restitution: float, lifted: float
) -> Any:
    found = []
    planes = [((0, 0, 1), 0.0), ((1, 0, 0), -walls), ((-1, 0, 0), -walls)]
    planes += [((0, 1, 0), -walls), ((0, -1, 0), -walls)]
    for normal, offset in planes:
        n = np.array(normal, float)
        reached = np.flatnonzero(x @ n - offset <= radius)
        found += [(int(i), -1, n, v[i] @ n) for i in reached]
    first, second = np.triu_indices(len(x), 1)
    apart = x[first] - x[second]
    length = np.linalg.norm(apart, axis=1)
    for k in np.flatnonzero(length <= 2 * radius):
        i, j = int(first[k]), int(second[k])
        n = apart[k] / length[k]
        found.append((i, j, n, (v[i] - v[j]) @ n))
    made = []
    for i, j, n, speed in found:
        bounce = -restitution * speed + lifted if speed < -0.2 else 0.0
        made.append((i, j, n, bounce, [0.0]))
    return made
