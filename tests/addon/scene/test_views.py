# SPDX-License-Identifier: GPL-3.0-or-later
"""Canonical views: published framing, alpha, the same for the same, and S of real pictures."""

import bpy
import numpy as np
import pytest
from gables import gable
from plumbline.addon.scene.cameras import VIEWS
from plumbline.addon.scene.pixels import read_png
from plumbline.addon.scene.similarity import similarity
from plumbline.addon.scene.studio import PictureError
from plumbline.addon.scene.views import render_views
from plumbline.checks.timber.structure import TimberStructure

pytestmark = pytest.mark.usefixtures("empty_scene")


def box(center=(0, 0, 0), size=(4.0, 2.0, 1.0)):
    return TimberStructure.from_boxes(["Beam"], [center], [np.eye(3)], [size])


def points(structure):
    return structure.corners.reshape(-1, 3)


def seen(png):
    """Rows and columns that a picture covers, as shares of its size."""
    alpha = read_png(png)[..., 3] > 127
    rows, columns = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    return [(r[0] / len(alpha), (r[-1] + 1) / len(alpha)) for r in (rows, columns)]


def test_five_square_views_with_alpha_by_the_table():
    """The longest extent of the target, 4 m, takes 1/1.1 of the picture's width."""
    views = render_views(box(), points(box()), size=(220, 220))
    assert list(views) == list(VIEWS)
    for name, width in {"front": 4, "back": 4, "left": 2, "right": 2}.items():
        picture = read_png(views[name])
        assert picture.shape == (220, 220, 4)
        assert picture[0, 0, 3] == 0 and picture[110, 110, 3] == 255
        (top, bottom), (left, right) = seen(views[name])
        assert right - left == pytest.approx(width / 4.4, abs=0.01)
        assert bottom - top == pytest.approx(1 / 4.4, abs=0.01)


def test_the_candidate_is_framed_on_the_target():
    target = points(box())
    views = render_views(box((1.1, 0, 0)), target, ["front", "back"], (220, 220))
    assert seen(views["front"])[1] == pytest.approx((0.5 - 0.9 / 4.4, 1.0), abs=0.01)
    assert seen(views["back"])[1] == pytest.approx((0.0, 0.5 + 0.9 / 4.4), abs=0.01)  # mirrored


def test_nothing_of_the_candidate_is_cut_off_before_or_behind():
    target = points(box())
    for y in (-200.0, 200.0):
        views = render_views(box((0, y, 0)), target, ["front", "back"], (64, 64))
        assert all(read_png(png)[32, 32, 3] == 255 for png in views.values())


@pytest.mark.parametrize("engine", ["workbench", "cycles"])
def test_an_empty_picture_is_not_alike_at_all(engine):
    house = gable(0.5)
    target = render_views(house, points(house), size=(128, 128), engine=engine)
    again = render_views(house, points(house), size=(128, 128), engine=engine)
    assert again == target  # byte by byte
    gone = render_views(house.subset([]), points(house), size=(128, 128), engine=engine)
    assert similarity(target, gone).views == dict.fromkeys(VIEWS, 0.0)


def test_a_missing_member_and_another_place_are_told():
    house = gable(0.5)
    target = render_views(house, points(house), size=(256, 256))
    rafters = [not name.startswith("Rafter") for name in house.names]
    bare = render_views(house.subset(np.array(rafters)), points(house), size=(256, 256))
    without = similarity(target, bare).value
    near = similarity(target, render_views(_moved(house, 0.03), points(house), size=(256, 256)))
    far = similarity(target, render_views(_moved(house, 0.10), points(house), size=(256, 256)))
    assert 0.3 < without < 0.99
    assert 1.0 > near.value > far.value > 0.0


def test_what_was_there_stays():
    before = {kind: len(getattr(bpy.data, kind)) for kind in ("scenes", "objects", "meshes")}
    render_views(box(), points(box()), ["left"], (32, 32))
    assert {kind: len(getattr(bpy.data, kind)) for kind in before} == before


def test_what_is_asked_wrongly_is_refused():
    with pytest.raises(PictureError, match="no view 'top'"):
        render_views(box(), points(box()), ["top"])
    with pytest.raises(PictureError, match="frame"):
        render_views(box(), np.zeros((0, 3)))
    with pytest.raises(PictureError, match="whole numbers"):
        render_views(box(), points(box()), size=(0, 10))


def _moved(structure, x):
    return TimberStructure.from_boxes(
        structure.names,
        structure.center + (x, 0, 0),
        structure.axes,
        2 * structure.half,
    )
