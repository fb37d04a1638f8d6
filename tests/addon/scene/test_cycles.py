# SPDX-License-Identifier: GPL-3.0-or-later
"""Views of a house in Cycles and with its skin: framed alike, repeatable, saying what made them.

Pictures are small: what is told of them holds at any size.
"""

import bpy
import gables
import numpy as np
import pytest
from framed_houses import framed
from plumbline.addon.scene.cameras import VIEWS
from plumbline.addon.scene.house_objects import write_house
from plumbline.addon.scene.house_views import (
    PictureError,
    made_with,
    picture_name,
    render_views,
    renderer,
)
from plumbline.addon.scene.members import structure_from_scene
from plumbline.addon.scene.pixels import read_png
from plumbline.addon.scene.png_text import texts_of, with_texts
from plumbline.addon.scene.skin_objects import SKIN_PROPERTY, write_skin
from plumbline.addon.scene.views import render_views as compared_views
from plumbline.checks.timber import judge
from plumbline.tasks.houses.skin import skin

pytestmark = [pytest.mark.usefixtures("empty_scene"), pytest.mark.once]

SMALL = (64, 64)
KINDS = ("scenes", "objects", "meshes", "cameras", "lights", "materials", "collections", "images")


@pytest.fixture(scope="module")
def house():
    return framed(gables.gable(0.5), "Gable")


def mask(png):
    return read_png(png)[..., 3] > 127


def test_five_views_with_alpha_that_say_what_made_them(house):
    before = {kind: len(getattr(bpy.data, kind)) for kind in KINDS}
    views = render_views(house, "cycles", size=SMALL)
    assert list(views) == list(VIEWS)
    for png in views.values():
        pixels = read_png(png)
        assert pixels.shape == (64, 64, 4) and pixels[0, 0, 3] == 0 and pixels[..., 3].max() == 255
        assert texts_of(png) == made_with("cycles")
    assert {kind: len(getattr(bpy.data, kind)) for kind in KINDS} == before


def test_one_process_draws_one_house_after_another_as_a_fresh_one_does(house):
    other = house.structure.subset(slice(0, 40))
    with renderer("cycles", SMALL, ["front_right"]) as draw:
        first, second, third = draw(house), draw(other), draw(house)
    assert first == third != second
    assert render_views(house, "cycles", size=SMALL, names=["front_right"]) == first  # the bytes


def test_both_engines_frame_a_house_alike(house):
    drawn = [render_views(house, e, size=SMALL, names=["front"]) for e in ("cycles", "workbench")]
    ends = []
    for views in drawn:
        rows, columns = np.nonzero(read_png(views["front"])[..., 3])
        ends.append([rows.min(), rows.max(), columns.min(), columns.max()])
    np.testing.assert_allclose(ends[0], ends[1], atol=1)  # pixels


def test_views_of_the_framing_in_workbench_are_those_that_are_compared(house):
    points = house.structure.corners.reshape(-1, 3)
    ours = render_views(house, size=SMALL, names=["left"])["left"]
    theirs = compared_views(house.structure, points, ["left"], SMALL)["left"]
    np.testing.assert_array_equal(read_png(ours), read_png(theirs))
    assert texts_of(ours)["plumbline:look"].startswith("S/")


@pytest.mark.parametrize("engine", ["workbench", "cycles"])
def test_a_skin_closes_what_is_open_between_the_studs(house, engine):
    names = ["front"]
    frame = mask(render_views(house, engine, size=SMALL, names=names)["front"])
    views = render_views(house, engine, True, SMALL, names)
    closed = mask(views["front"])
    rows = np.flatnonzero(closed.any(axis=1))
    middle = closed[rows[0] + 2 : rows[-1] - 2, 24:40]
    assert middle.all() and not frame[rows[0] + 2 : rows[-1] - 2, 24:40].all()
    assert texts_of(views["front"])["plumbline:subject"] == "skin"


def test_a_skin_in_the_scene_is_drawn_but_not_judged(house):
    write_house(house)
    surfaces = skin(house.structure)
    collection = write_skin(surfaces)
    assert [obj[SKIN_PROPERTY] for obj in collection.objects] == [s.kind for s in surfaces]
    for obj, surface in zip(collection.objects, surfaces, strict=True):
        assert len(obj.data.polygons) == len(surface.faces)
        assert [slot.name for slot in obj.data.materials] == [f"Skin {surface.kind}"]
        normals = np.array([polygon.normal for polygon in obj.data.polygons])
        assert (np.abs(np.linalg.norm(normals, axis=1) - 1.0) < 1e-4).all()
    assert judge(structure_from_scene(), house.brief).verdict == "passed"


def test_what_is_asked_wrongly_is_refused(house):
    with pytest.raises(PictureError, match="no engine 'eevee'; there are workbench, cycles"):
        render_views(house, "eevee")
    with pytest.raises(PictureError, match="no view 'top'"):
        render_views(house, names=["top"])
    with pytest.raises(PictureError, match="no members"):
        render_views(house.structure.subset([]), "cycles", size=SMALL)
    with pytest.raises(PictureError, match="whole numbers"):
        render_views(house, "cycles", size=(0, 4))


def test_names_of_files_are_the_published_ones():
    assert picture_name("RN_0003", "front", skin=True) == "RN_0003_skin_front.png"
    assert picture_name("RN_0003", "front") == "front.png"


def test_texts_of_a_picture(house):
    png = render_views(house, size=(8, 8), names=["left"])["left"]
    more = with_texts(png, {"Comment": "ok"})
    assert texts_of(more)["Comment"] == "ok" and len(texts_of(more)) == len(texts_of(png)) + 1
    np.testing.assert_array_equal(read_png(more), read_png(png))
    with pytest.raises(ValueError, match="no PNG"):
        with_texts(b"GIF89a", {})
    with pytest.raises(ValueError, match="ends before"):
        texts_of(png[:-20])
    with pytest.raises(ValueError, match="1 to 79"):
        with_texts(png, {"": "x"})
