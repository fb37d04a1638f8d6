# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures: what fails is coloured, also behind other members; what is asked wrongly is refused."""

import bpy
import numpy as np
import pytest
from plumbline.addon.scene.picture import PictureError, render
from plumbline.checks.timber.structure import CORNER_SIGNS, TimberStructure

pytestmark = pytest.mark.usefixtures("empty_scene")

RED = (0.86, 0.10, 0.08)


def wall():
    """A board in front of a stud, seen from the front."""
    return TimberStructure.from_boxes(
        ["Board", "Stud"],
        [(0, -1, 0), (0, 1, 0)],
        [np.eye(3)] * 2,
        [(2, 0.1, 1), (0.5, 0.1, 2)],
    )


def pixels(path):
    image = bpy.data.images.load(str(path))
    image.alpha_mode = "CHANNEL_PACKED"
    width, height = image.size
    values = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values.reshape(height, width, 4)[::-1]


def is_red(pixel):
    return pixel[0] > 0.6 and pixel[0] - max(pixel[1], pixel[2]) > 0.25


@pytest.mark.parametrize("engine", ["workbench", "cycles"])
def test_a_failing_member_shines_through(tmp_path, engine):
    out = render(wall(), tmp_path / "a.png", "front", (120, 120), {"Stud": RED}, engine=engine)
    picture = pixels(out)
    assert picture.shape == (120, 120, 4)
    assert is_red(picture[20, 60])  # above the board
    assert is_red(picture[60, 60])  # behind it
    assert picture[60, 60, 1] > picture[20, 60, 1]  # but weaker there
    assert not is_red(picture[60, 20])  # the board itself
    assert picture[2, 2] == pytest.approx((1, 1, 1, 1))


def test_transparent_background(tmp_path):
    picture = pixels(render(wall(), tmp_path / "a.png", "front", (64, 64), background=None))
    assert picture[1, 1, 3] == 0
    assert picture[32, 32, 3] == 1


def test_solids_are_red_and_small_ones_get_a_ring(tmp_path):
    for half, ring in ((0.4, False), (0.01, True)):
        solid = ((0, -1, 0) + CORNER_SIGNS * half).tolist()
        picture = pixels(render(wall(), tmp_path / "a.png", "front", (400, 400), solids=[solid]))
        assert is_red(picture[200, 200])
        distance = np.hypot(*(np.mgrid[:400, :400] + 0.5 - 200))
        on_ring = picture[np.abs(distance - 18) < 0.7]
        assert is_red(on_ring.mean(axis=0)) == (ring or half > 0.3)
        assert is_red(picture[200, 200 + 10]) == (half > 0.3)


def test_left_and_right_are_not_swapped(tmp_path):
    structure = TimberStructure.from_boxes(
        ["A", "B"], [(-2, 0, 0), (2, 0, 0)], [np.eye(3)] * 2, [(1, 1, 1)] * 2
    )
    for view, side in (("front", 0), ("back", 1)):
        picture = pixels(render(structure, tmp_path / "a.png", view, (80, 80), {"A": RED}))
        halves = [picture[40, :40], picture[40, 40:]]
        assert any(map(is_red, halves[side]))
        assert not any(map(is_red, halves[1 - side]))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"view": "top"}, "front, back, left, right, front_right"),
        ({"size": (0, 10)}, "whole numbers"),
        ({"size": (10,)}, "whole numbers"),
        ({"size": (10_000, 10)}, "whole numbers"),
        ({"engine": "eevee"}, "workbench, cycles"),
        ({"solids": [[[0, 0]]]}, "three finite coordinates"),
        ({"solids": [[[0, 0, float("nan")]]]}, "three finite coordinates"),
    ],
)
def test_what_cannot_be_drawn(tmp_path, changes, words):
    scenes = len(bpy.data.scenes)
    with pytest.raises(PictureError, match=words):
        render(wall(), tmp_path / "a.png", **{"size": (32, 32), **changes})
    assert len(bpy.data.scenes) == scenes
    assert len(bpy.data.objects) == 0


def test_no_members(tmp_path):
    empty = TimberStructure.from_boxes([], [], [], [])
    with pytest.raises(PictureError, match="no members"):
        render(empty, tmp_path / "a.png")
