# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether everything in a picture can be drawn."""

from __future__ import annotations

import numpy as np
from plumbline.addon.pictures.drawing import Picture


def check_whole(picture: Picture) -> None:
    """Fail where a figure is not finite, an index points nowhere, or a text is empty."""
    for face in picture.faces:
        count = len(face.solid.points)
        assert np.isfinite(face.solid.points).all()
        assert face.solid.triangles.max(initial=-1) < count
        assert face.solid.edges.max(initial=-1) < count
    for line in picture.lines:
        assert line.points.shape[1:] == (3,) and len(line.points) % 2 == 0
        assert np.isfinite(line.points).all()
    for flow in picture.flows:
        assert flow.arrows.shape[1:] == (2, 3) and np.isfinite(flow.arrows).all()
    for words in picture.words:
        assert words.text and np.isfinite(words.at).all()
    assert picture.anchor is None or np.isfinite(picture.anchor).all()
