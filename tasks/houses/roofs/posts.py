# SPDX-License-Identifier: GPL-3.0-or-later
"""Posts under ridges: on the bearing wall or an outer wall, and in it down to the floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..frame import Frame
from ..levels import T
from ..volume import Lumber, Volume, Wall
from .gable import ridge_face

#: Side of the posts, m (4x4).
POST = 0.089
#: A stud this near to a post's place, m, is the post (25 mm off is still in line, R301.1).
NEAR = 0.024


def ridge_posts(
    frame: Frame, volume: Volume, lumber: Lumber, places: Sequence[float], wall: Wall = "M"
) -> None:
    """Posts at ``places`` along x, m, from the height of the ridge down through a wall.

    Where a stud of the wall stands right there it takes the post's place. The girder's own posts
    and the blocking in the floors are the volume's (:attr:`Volume.posts`).
    """
    if not places:
        return
    x, half = np.array(places), POST / 2
    centre = {"M": volume.middle, "S": half, "N": volume.depth - half}[wall]
    y = (centre - half, centre + half)
    top = lumber.slope(volume).top(ridge_face(volume)) - lumber.ridge
    frame.box("RidgePost", wall, (x - half, x + half), y, (volume.levels.eaves, top))
    studs = np.round((x - T / 2) / volume.grid) * volume.grid + T / 2
    x = x[np.abs(studs - x) > NEAR]
    for storey in range(1, volume.storeys + 1):
        z = (volume.levels.stud_bottom(storey), volume.levels.stud_top(storey))
        frame.box("Post", f"{wall}{storey}", (x - half, x + half), y, z)
