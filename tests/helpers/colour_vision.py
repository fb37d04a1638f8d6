# SPDX-License-Identifier: GPL-3.0-or-later
"""How far colours are apart, for all eyes."""

from __future__ import annotations

import numpy as np

# Linear RGB as a person without one kind of cone sees it: G. M. Machado, M. M. Oliveira and
# L. A. F. Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE
# TVCG 15(6), 2009, matrices for severity 1.0.
EYES = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}

# sRGB to CIE XYZ and the white D65 (IEC 61966-2-1).
_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(colours, eyes: str = "usual"):
    """CIE L*a*b* (n, 3) of sRGB colours (n, 3), as those eyes see them."""
    srgb = np.asarray(colours, dtype=float)
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ EYES[eyes].T, 0.0, 1.0)
    xyz = seen @ _XYZ.T / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def lightness(colours):
    """CIE L* (n,)."""
    return lab(colours)[..., 0]


def differences(colours, eyes: str = "usual"):
    """CIE 1976 difference of every two of them."""
    places = lab(colours, eyes)
    one, other = np.triu_indices(len(places), 1)
    return np.linalg.norm(places[one] - places[other], axis=-1)
