# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the camera stands for each named view (timber specification, section 6). No ``bpy``.

Square pictures follow the published table to the letter; other formats keep its directions and are
framed so that all that is shown just fits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .fitting import Floats

#: Lens and sensor width of the perspective view, mm (35 mm film).
LENS, SENSOR = 50.0, 36.0
#: Half of the angle that the larger side of a perspective picture sees, rad.
HALF_ANGLE = math.atan(0.5 * SENSOR / LENS)
#: Air round the target, as a factor.
AIR = 1.1
#: Azimuth -45 deg (between -Y and +X), elevation 25 deg.
_AZIMUTH, _ELEVATION = math.radians(-45.0), math.radians(25.0)

#: Direction from the target to the camera, and whether it has a perspective.
VIEWS: dict[str, tuple[tuple[float, float, float], bool]] = {
    "front": ((0.0, -1.0, 0.0), False),
    "back": ((0.0, 1.0, 0.0), False),
    "left": ((-1.0, 0.0, 0.0), False),
    "right": ((1.0, 0.0, 0.0), False),
    "front_right": (
        (
            math.cos(_ELEVATION) * math.cos(_AZIMUTH),
            math.cos(_ELEVATION) * math.sin(_AZIMUTH),
            math.sin(_ELEVATION),
        ),
        True,
    ),
}


@dataclass(frozen=True)
class Camera:
    """Where a picture of ``size`` pixels is taken from.

    ``position`` (3,); ``rotation`` (3, 3) with the camera's axes as columns (it looks along its -z,
    up is its y); ``ortho_scale``: width of the larger side, m, or ``None`` for a perspective;
    ``shift`` (2,): how far the picture is moved off the axis, in widths of its larger side;
    ``near`` and ``far``: depths that must be seen, m.
    """

    position: Floats
    rotation: Floats
    ortho_scale: float | None
    shift: Floats
    near: float
    far: float
    size: tuple[int, int]

    def project(self, points: Floats) -> Floats:
        """Where world ``points`` (n, 3) fall in the picture, (n, 2), 0..1 from its lower left."""
        local = (np.asarray(points, float) - self.position) @ self.rotation
        if self.ortho_scale is None:
            plane = local[:, :2] / (-local[:, 2:] * 2.0 * math.tan(HALF_ANGLE))
        else:
            plane = local[:, :2] / self.ortho_scale
        width, height = self.size
        return 0.5 + (plane - self.shift) * max(width, height) / np.array([width, height])


def camera_for(view: str, points: Floats, size: tuple[int, int]) -> Camera:
    """Camera that shows ``points`` (n, 3), m, such as all corners, in a picture of ``size`` pixels.

    Raises ``KeyError`` for an unknown view.
    """
    direction, perspective = VIEWS[view]
    low, high = points.min(axis=0), points.max(axis=0)
    aim, extent = 0.5 * (low + high), np.maximum(high - low, 1e-3)
    rotation = _looking_along(-np.array(direction))
    local = (points - aim) @ rotation  # in the camera's axes, from the aim
    fill = np.array(size) / max(size) / AIR  # what may be filled of the larger side's width
    shift, scale = np.zeros(2), None
    square = size[0] == size[1]
    if perspective and square:
        distance = AIR * 0.5 * float(np.linalg.norm(extent)) / math.sin(HALF_ANGLE)
    elif perspective:
        distance, shift = _close_up(local, fill)
    else:
        scale = float(extent.max()) * AIR
        if not square:
            spread = np.ptp(local[:, :2], axis=0)
            scale = max(float((spread / fill).max()), 1e-3)
        distance = float(np.linalg.norm(extent)) + 1.0
    depth = float(np.abs(local[:, 2]).max())
    return Camera(
        aim + distance * np.array(direction),
        rotation,
        scale,
        shift,
        max(0.01, 0.5 * (distance - depth)),
        distance + 2.0 * depth + 1.0,
        size,
    )


def _looking_along(forward: Floats) -> Floats:
    """Rotation whose columns are right, up and back, with +Z up in the picture."""
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(right, forward), -forward], axis=1)


def _close_up(local: Floats, fill: Floats) -> tuple[float, Floats]:
    """Distance from the aim at which ``local`` points just fill the picture, and its shift."""
    width = 2.0 * math.tan(HALF_ANGLE)

    def seen(distance: float) -> tuple[Floats, Floats]:
        plane = local[:, :2] / ((distance - local[:, 2:]) * width)
        return plane.min(axis=0), plane.max(axis=0)

    near = float(local[:, 2].max()) + 1e-3
    far = near + 10.0 * float(np.linalg.norm(np.ptp(local, axis=0)) + 1.0) / float(fill.min())
    for _ in range(60):
        middle = 0.5 * (near + far)
        low, high = seen(middle)
        near, far = (near, middle) if (high - low <= fill).all() else (middle, far)
    low, high = seen(far)
    return far, 0.5 * (low + high)
