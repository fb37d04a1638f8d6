# SPDX-License-Identifier: GPL-3.0-or-later
"""The published particle scheme once more, particle by particle, for comparison and as baseline."""

import numpy as np

YOUNG, POISSON = 1e9, 0.4
LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - POISSON))
MU = YOUNG / (2 * (1 + POISSON))
SUPPORT, VISCOSITY, HOURGLASS, MASS, STEP = 2.0, 1e7, 1e8, 15000.0, 1e-4
EYE = np.eye(3)


def _neighbours(rest):
    """For each particle: (row, R, W, gradW) of every other one within the support."""
    scale = 15 / (np.pi * SUPPORT**6)
    found = []
    for i, here in enumerate(rest):
        mine = []
        for j, there in enumerate(rest):
            r = there - here
            d = np.sqrt(r @ r)
            if i != j and d < SUPPORT:
                mine.append(
                    (j, r, scale * (SUPPORT - d) ** 3, r * (-3 * scale * (SUPPORT - d) ** 2 / d))
                )
        found.append(mine)
    return found


def _correction(mine):
    a = sum((np.outer(r, g) for _, r, _, g in mine), np.zeros((3, 3)))
    return np.linalg.pinv(a, rcond=1e-12) if np.linalg.matrix_rank(a) < 3 else np.linalg.inv(a)


def _stress(f, before):
    volume = np.linalg.det(f)
    strain = 0.5 * (f.T @ f - EYE)
    p = f @ (LAMBDA * np.trace(strain) * EYE + 2 * MU * strain)
    if abs(volume) >= 1e-12:
        inverse = np.linalg.inv(f)
        rate = (f - before) / STEP @ inverse
        rate = 0.5 * (rate + rate.T)
        rate = rate - np.trace(rate) / 3 * EYE
        p = p + 2 * volume * VISCOSITY * rate @ inverse.T
    return p, volume


def _force(i, x, mine, f, pull):
    total = np.zeros(3)
    for j, rest, w, slope in mine:
        r = x[j] - x[i]
        d = np.sqrt(r @ r)
        total += (pull[i] + pull[j]) @ slope
        miss = ((f[i] @ rest - r) @ r + (r - f[j] @ rest) @ -r) / d
        total += -0.5 * HOURGLASS * w * miss / (d * np.sqrt(rest @ rest) ** 3) * r
    return total


def von_mises(structure, steps):
    """Von Mises stress of every block after ``steps`` steps, Pa."""
    rest = structure.positions.astype(float)
    n, x = len(rest), rest.copy()
    near = _neighbours(rest)
    correction = [_correction(mine) for mine in near]
    held = rest[:, 1] == rest[:, 1].min()
    v, last = np.zeros((n, 3)), np.zeros((n, 3))
    before = [EYE] * n
    for step in range(steps):
        f = []
        for i in range(n):
            star = np.zeros((3, 3))
            for j, _, _, slope in near[i]:
                star += np.outer(x[j] - x[i], slope)
            f.append(star @ correction[i])
        p, volume = zip(*(_stress(f[i], before[i]) for i in range(n)), strict=True)
        pull = [p[i] @ correction[i] for i in range(n)]
        a = np.zeros((n, 3))
        for i in range(n):
            if not held[i]:
                a[i] = _force(i, x, near[i], f, pull) / MASS
                a[i, 1] -= 900 * min(1, step / 400) / MASS
        for i in range(n):
            x[i] += STEP * v[i] + 0.5 * STEP**2 * a[i]
            v[i] += 0.5 * STEP * (last[i] + a[i])
        last, before = a, f
    result = np.zeros(n)
    for i in range(n):
        if abs(volume[i]) >= 1e-12:
            s = p[i] @ f[i].T / volume[i]
            s = s - np.trace(s) / 3 * EYE
            result[i] = np.sqrt(1.5 * np.sum(s * s))
    return result
