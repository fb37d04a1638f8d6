# SPDX-License-Identifier: GPL-3.0-or-later
"""Who frames what is above the plates of a volume, by name: one file a roof.

A framer is called with the volume's own frame, the volume and its lumber, and adds ridge, rafters,
ceiling joists or ties, and gable studs.
"""

from __future__ import annotations

from collections.abc import Callable

from ..frame import Frame
from ..volume import Lumber, Volume
from .gable import gable
from .hip import hip_roof
from .valley import junction, wing

Framer = Callable[[Frame, Volume, Lumber], None]


def no_roof(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """Nothing: another volume's roof goes on over this one, or the style frames it itself."""


#: Name -> framer, as :attr:`.volume.Volume.roof` names it.
ROOFS: dict[str, Framer] = {
    "none": no_roof,
    "gable": gable,
    "hip": hip_roof,
    "junction": junction,
    "wing": wing,
}
