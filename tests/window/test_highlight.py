# SPDX-License-Identifier: GPL-3.0-or-later
"""What the overlay paints into a real window, pixel by pixel: colours, fading, legends, labels."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from window_hands import build_and_check, photograph

pytestmark = [pytest.mark.window, pytest.mark.real_blender]

POSTS = ("Post_Fault", "Post_Follows", "Post_Part", "Post_Sound", "Post_Behind")
SEEN = POSTS[:4]  # the last one stands behind another

# Colours within this on the display, of 255; a pixel is changed beyond that.
NEAR, CHANGED = 8, 8


@pytest.fixture
def posts(blender):
    """The posts of ``posts.py``, judged, seen from the front; colours off the rest at first."""
    blender.run(Path(__file__).with_name("posts.py").read_text(encoding="utf-8"))
    blender.run("stand()\nv = bpy.context.window_manager.plumbline_view\nv.ghost = False")
    blender.run("v.xray = False; view().spaces.active.overlay.show_floor = False; redraw(2)")
    yield blender
    blender.run("forget_choices()")


def painted_front(rgb):
    """What a colour looks like on the side of a box that faces the front, 0 to 255."""
    from plumbline.addon.painted import painted
    from plumbline.checks.timber.structure import CORNER_SIGNS

    mesh = painted(np.float32(CORNER_SIGNS)[None], np.float32(rgb)[None])
    return mesh.colours[8, :3] * 255  # the third face is the front one


def at(pixels, rectangle, x=0.5, y=0.5):
    """The colour at a share of a rectangle."""
    left, top, right, bottom = rectangle
    return pixels[round(top + y * (bottom - top)), round(left + x * (right - left))].astype(float)


def beside(pixels, rectangle):
    """The colour just to the right of a rectangle: the ground of the view."""
    _, top, right, bottom = rectangle
    return at(pixels, [right + 10, top, right + 12, bottom])


def near(colour, wanted, within=NEAR):
    return np.abs(np.asarray(colour) - np.asarray(wanted)).max() <= within


def plain_and_shown(posts):
    """The display without and with the overlay."""
    posts.run("state().show_highlight = False; redraw(2)")
    plain = posts.display.pixels()
    posts.run("state().show_highlight = True; redraw(2)")
    return plain, posts.display.pixels()


def changed_outside(posts, plain, shown, rectangles):
    """How many pixels of the view differ outside some rectangles (left, top, right, bottom)."""
    different = np.abs(shown.astype(int) - plain.astype(int)).max(axis=2) > CHANGED
    for left, top, right, bottom in rectangles:
        rows = slice(max(int(top) - 4, 0), int(bottom) + 5)
        different[rows, max(int(left) - 4, 0) : int(right) + 5] = False
    left, top, right, bottom = (round(v) for v in posts.run("result = rectangle('WINDOW')"))
    right = min(right, round(posts.run("result = rectangle('UI')")[0]) - 1)
    return int(different[top:bottom, left:right].sum())


def legend_place(posts):
    """Where the legend is, generously: the lower left of the view beside the tools."""
    left, _, _, bottom = posts.run("result = rectangle('WINDOW')")
    return [left, bottom - 330, left + 420, bottom]


def expected(posts, mode):
    """The colour of each visible post in a mode, sRGB; None where it has none."""
    from plumbline.addon.colouring import SEVERAL
    from plumbline.addon.palette import STANDARD, categories, heat

    assert SEVERAL
    follows = (np.array(STANDARD.fault) + STANDARD.related) / 2
    check = categories(4)
    heats = heat([2.0, np.nan, 0.5, 0.0])
    return {
        "verdict": (STANDARD.fault, follows, STANDARD.related, STANDARD.sound),
        "check": (check[0], check[3], None, None),
        "role": (categories(1)[0],) * 4,
        "margin": (heats[0], heats[1], heats[2], heats[3]),
    }[mode]


def test_each_mode_colours_the_members_and_nothing_else(posts):
    places = posts.run("result = rectangles()")
    ring = posts.run("result = on_screen((-0.5, 0.0, 2.3))")
    around = [ring[0] - 24, ring[1] - 24, ring[0] + 24, ring[1] + 24]
    for mode in ("verdict", "check", "role", "margin"):
        posts.run(f"v.mode = {mode!r}")
        plain, shown = plain_and_shown(posts)
        photograph(posts, f"colours-{mode}")
        for name, rgb in zip(SEEN, expected(posts, mode), strict=True):
            found = at(shown, places[name])
            wanted = at(plain, places[name]) if rgb is None else painted_front(rgb)
            assert near(found, wanted), (mode, name, found, wanted)
        allowed = [places[name] for name in POSTS] + [legend_place(posts), around]
        assert changed_outside(posts, plain, shown, allowed) == 0, mode
        legend = changed_outside(posts, plain, shown, [places[name] for name in POSTS] + [around])
        assert legend > 5_000, f"{mode}: a legend fills its plate"
        ringed = at(shown, around)  # red in the verdict, the check's colour by check
        assert near(ringed, at(plain, around)) == (mode in ("role", "margin"))
        posts.run("v.legend = False")
        _, bare = plain_and_shown(posts)
        assert changed_outside(posts, plain, bare, allowed[:-2] + [around]) == 0
        posts.run("v.legend = True")


def test_the_rest_fades_and_what_is_at_fault_is_seen_through_it(posts):
    places = posts.run("result = rectangles()")
    posts.run("v.mode = 'check'")
    plain, shown = plain_and_shown(posts)
    rock, part = at(plain, places["Rock"]), at(plain, places["Post_Part"])
    assert near(at(shown, places["Rock"]), rock) and near(at(shown, places["Post_Part"]), part)
    hidden = at(shown, places["Post_Sound"])
    assert near(hidden, at(plain, places["Post_Sound"])), "a fault behind a post is hidden by it"
    posts.run("v.ghost = True; v.xray = True")
    _, faded = plain_and_shown(posts)
    photograph(posts, "colours-faded")
    ground = beside(plain, places["Rock"])
    for name, before in (("Rock", rock), ("Post_Part", part)):
        after = at(faded, places[name])
        assert np.abs(after - ground).max() < 0.45 * np.abs(before - ground).max(), name
    from plumbline.addon.palette import categories

    assert near(at(faded, places["Post_Sound"]), painted_front(categories(4)[1])), "seen through"
    assert near(at(faded, places["Post_Fault"]), painted_front(categories(4)[0]))
    # The pale one before it still lets a fault shine through, weaker.
    posts.run("v.mode = 'verdict'")
    _, verdict = plain_and_shown(posts)
    photograph(posts, "colours-through")
    shining = at(verdict, places["Post_Sound"])
    assert shining[0] > shining[1] + 50 and not near(shining, at(verdict, places["Post_Fault"]))
    posts.run("v.xray = False")
    _, solid = plain_and_shown(posts)
    assert at(solid, places["Post_Sound"])[1] > at(solid, places["Post_Sound"])[0], "pale green"


def test_colours_follow_moves_names_deletion_undo_and_other_files(posts, tmp_path):
    places = posts.run("result = rectangles()")
    fault = painted_front(expected(posts, "verdict")[0])
    posts.run(
        "v.mode = 'verdict'; redraw()\n"
        "with inside(): bpy.ops.ed.undo_push(message='as checked')\n"
        "moving = window().scene.objects['Post_Fault']\n"
        "moving.location.z += 2.2; redraw(2)"
    )

    def moved_up(rectangle):
        left, top, right, bottom = rectangle
        step = (bottom - top) * 1.1
        return [left, top - step, right, bottom - step]

    above = moved_up(places["Post_Fault"])
    pixels = posts.display.pixels()
    assert near(at(pixels, above), fault) and not near(at(pixels, places["Post_Fault"]), fault)
    posts.run("window().scene.objects['Post_Fault'].name = 'Anything'; redraw(2)")
    assert near(at(posts.display.pixels(), above), fault), "another name is no other member"
    posts.run("with inside(): bpy.ops.ed.undo_push(message='moved and renamed')")
    posts.run("bpy.data.objects.remove(window().scene.objects['Anything']); redraw(2)")
    pixels = posts.display.pixels()
    assert not near(at(pixels, above), fault) and not near(at(pixels, places["Post_Fault"]), fault)
    posts.run("with inside(): bpy.ops.ed.undo_push(message='deleted')")
    posts.run("with inside(): bpy.ops.ed.undo()\nredraw(2)")
    assert near(at(posts.display.pixels(), above), fault), "undo brings it back"
    posts.run("with inside(): bpy.ops.ed.undo()\nredraw(2)")
    assert near(at(posts.display.pixels(), places["Post_Fault"]), fault), "and where it stood"
    posts.run("with inside(): bpy.ops.ed.redo()\nredraw(2)")
    assert near(at(posts.display.pixels(), above), fault)
    file = str(tmp_path / "posts.blend")
    posts.run(f"bpy.ops.wm.save_as_mainfile(filepath={file!r})")
    posts.run(f"bpy.ops.wm.open_mainfile(filepath={file!r})")
    posts.run("open_tab(); look_from_the_front()")
    assert not near(at(posts.display.pixels(), above), fault), "another file is another scene"
    assert posts.run("result = part('panels.overlay_shown').kept()") <= 1


@pytest.mark.only_in("5.2")
def test_hidden_members_local_views_and_other_switches(posts):
    places = posts.run("result = rectangles()")
    wanted = dict(zip(SEEN, map(painted_front, expected(posts, "verdict")), strict=True))
    posts.run("v.mode = 'verdict'; redraw(2)")

    def coloured():
        pixels = posts.display.pixels()
        return [name for name in SEEN if near(at(pixels, places[name]), wanted[name])]

    assert coloured() == list(SEEN)
    for hide, show in (
        (
            "window().scene.objects['Post_Part'].hide_set(True)",
            "window().scene.objects['Post_Part'].hide_set(False)",
        ),
        (
            "window().scene.objects['Post_Part'].hide_viewport = True",
            "window().scene.objects['Post_Part'].hide_viewport = False",
        ),
    ):
        posts.run(f"{hide}; redraw(2)")
        assert coloured() == ["Post_Fault", "Post_Follows", "Post_Sound"]
        posts.run(f"{show}; redraw(2)")
        assert coloured() == list(SEEN)
    posts.run("view().spaces.active.show_object_viewport_mesh = False; redraw(2)")
    assert coloured() == []
    posts.run("view().spaces.active.show_object_viewport_mesh = True; redraw(2)")
    posts.run("view().spaces.active.overlay.show_overlays = False; redraw(2)")
    assert coloured() == []
    posts.run("view().spaces.active.overlay.show_overlays = True; redraw(2)")
    posts.run(
        "layer = window().view_layer\n"
        "layer.objects['Post_Fault'].select_set(True, view_layer=layer)\n"
        "with inside(): bpy.ops.view3d.localview(frame_selected=False)\nredraw(2)"
    )
    assert coloured() == ["Post_Fault"]
    posts.run("with inside(): bpy.ops.view3d.localview(frame_selected=False)\nredraw(2)")
    assert coloured() == list(SEEN)
    posts.run("bpy.context.window_manager.plumbline_annotating.blind = True; redraw(2)")
    assert coloured() == [], "nothing is told before the annotator has judged"
    posts.run("bpy.context.window_manager.plumbline_annotating.blind = False; redraw(2)")
    assert coloured() == list(SEEN)


@pytest.mark.only_in("5.2")
def test_two_views_each_show_what_they_show(posts):
    posts.run(
        "with bpy.context.temp_override(window=window(), area=view(), region=region('WINDOW')):\n"
        "    bpy.ops.screen.area_split(direction='VERTICAL', factor=0.5)\n"
        "v.mode = 'verdict'; redraw(2)\n"
        "both = sorted((a for a in window().screen.areas if a.type == 'VIEW_3D'), "
        "key=lambda a: a.x)\n"
        "for area in both:\n"
        "    area.spaces.active.show_region_ui = False\n"
        "    look_from_the_front(space=area.spaces.active)\n"
        "layer = window().view_layer\n"
        "layer.objects['Post_Part'].select_set(True, view_layer=layer)\n"
        "with bpy.context.temp_override(window=window(), area=both[0], "
        "region=next(r for r in both[0].regions if r.type == 'WINDOW')):\n"
        "    bpy.ops.view3d.localview(frame_selected=False)\n"
        "redraw(2)"
    )
    photograph(posts, "two-views")
    where = posts.run(
        "from bpy_extras.view3d_utils import location_3d_to_region_2d as project\n"
        "result = []\n"
        "for area in both:\n"
        "    r = next(r for r in area.regions if r.type == 'WINDOW')\n"
        "    ps = [project(r, area.spaces.active.region_3d, (x, 0, 0.4)) for x in (-2, -1, 0, 1)]\n"
        "    result.append([[r.x + p[0], window().height - (r.y + p[1])] for p in ps])"
    )
    pixels = posts.display.pixels()
    wanted = list(map(painted_front, expected(posts, "verdict")))
    seen = [
        [near(pixels[round(y), round(x)], wanted[i]) for i, (x, y) in enumerate(places)]
        for places in where
    ]
    assert seen == [[False, False, True, False], [True] * 4]


@pytest.mark.only_in("5.2")
def test_scenes_in_other_units(posts):
    posts.run("stand(0.01); v.mode = 'verdict'; v.ghost = False; v.xray = False; redraw(2)")
    places = posts.run("result = rectangles(0.01)")
    pixels = posts.display.pixels()
    for name, rgb in zip(SEEN, expected(posts, "verdict"), strict=True):
        assert near(at(pixels, places[name]), painted_front(rgb)), name
    photograph(posts, "units")


def test_the_label_of_the_chosen_finding_hides_nothing_of_it(posts):
    places = posts.run("result = rectangles()")
    posts.run("review().active = 0; v.mode = 'finding'; redraw(2)")
    plain, shown = plain_and_shown(posts)
    photograph(posts, "label")
    with_label = changed_outside(posts, plain, shown, [places["Post_Fault"], places["Post_Part"]])
    assert with_label > 3_000, "a label is there, outside of what it is about"
    for share in np.linspace(0.06, 0.94, 12):
        colour = at(shown, places["Post_Fault"], y=share, x=0.25)
        assert colour[0] > colour[1:].max() + 40, (share, colour)
    posts.run("with inside(): bpy.ops.plumbline.isolate_finding()\nredraw(2)")
    isolated = posts.display.pixels()
    photograph(posts, "isolated")
    ground = beside(plain, places["Rock"])
    for name in ("Rock", "Post_Sound", "Post_Follows"):
        before = np.abs(at(plain, places[name]) - ground).max()
        assert np.abs(at(isolated, places[name]) - ground).max() < 0.45 * before, name
    assert at(isolated, places["Post_Fault"])[0] > 150


def test_arrows_move_while_they_are_seen_and_leave_no_timer(posts):
    posts.run(
        "drawing, kind = part('addon.pictures.drawing'), part('addon.pictures.kind')\n"
        "flow = drawing.Flow(np.array([[(-1.5, -1.0, 2.0), (-1.5, -1.0, 0.0)]]))\n"
        "word = drawing.Words('4.2 kN', (0.5, -1.0, 2.2))\n"
        "book = type(kind.pictures_of('timber'))\n"
        "plain_path = book.path\n"
        "book.path = lambda self, explained, subjects, name, length: "
        "drawing.Picture(flows=(flow,), words=(word,))\n"
        "moving = part('panels.overlay_flow').moving\n"
        "window().view_layer.objects.active = window().scene.objects['Post_Part']\n"
        "redraw(2)"
    )
    try:
        assert not posts.run("result = moving()")
        posts.run("v.load_path = True; redraw(2)")
        assert posts.run("result = moving()")
        top, bottom = posts.run("result = [on_screen((-1.5, 0, z)) for z in (2.0, 0.0)]")
        column = np.s_[round(top[1]) : round(bottom[1]), round(top[0]) - 12 : round(top[0]) + 13]
        first = posts.display.pixels()[column].copy()
        photograph(posts, "flow")
        deadline = time.monotonic() + 10
        while (posts.display.pixels()[column] == first).all():
            assert time.monotonic() < deadline, "nothing moved"
            time.sleep(0.1)
        blue = first.astype(int)
        assert ((blue[..., 2] - blue[..., 0]) > 60).sum() > 100, "the arrow is there"
        posts.run("v.load_path = False; redraw()")
        posts.wait_until("not moving()")
    finally:
        posts.run("book.path = plain_path; v.load_path = False")


def test_taking_the_extension_out_leaves_no_colour_handler_or_timer(posts):
    places = posts.run("result = rectangles()")
    posts.run("v.mode = 'verdict'; redraw(2)")
    coloured = posts.display.pixels()
    posts.run(
        "overlay, shown, flow, standing = (part(n) for n in ('panels.overlay', "
        "'panels.overlay_shown', 'panels.overlay_flow', 'addon.session.standing'))\n"
        "flow._keep_moving()\n"
        "bpy.ops.preferences.addon_disable(module=PACKAGE)\nredraw(2)"
    )
    try:
        bare = posts.display.pixels()
        assert not near(at(bare, places["Post_Fault"]), at(coloured, places["Post_Fault"]))
        left = posts.run(
            "ours = [f for each in standing._handler_lists() for f in each "
            "if 'plumbline' in getattr(f, '__module__', '')]\n"
            "result = [overlay.attached(), flow.moving(), shown.kept(), "
            "len(standing._standings), len(ours), "
            "hasattr(bpy.types.WindowManager, 'plumbline_view')]"
        )
        assert left == [0, False, 0, 0, 0, False]
    finally:
        posts.run("bpy.ops.preferences.addon_enable(module=PACKAGE)\nopen_tab()")


# Along the edges of the ghosts, on the display; and how blue it is there, beyond red.
_EDGES = """
import numpy as np
found = part("addon.session.ghosts").of(review()).findings
box = np.array(found[0].detail["missing"])
result = [on_screen((1 - t) * a + t * b) for t in np.linspace(0.1, 0.9, 9) for a, b in
          ((box[k], box[k + 4]) for k in range(4))]
"""


def blue(posts, places):
    """The share of places that are bluer than red by a third of the scale."""
    pixels = posts.display.pixels().astype(int)
    hues = [pixels[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3] for x, y in places]
    return np.mean([(hue[..., 2] - hue[..., 0]).max() > 85 for hue in hues])


@pytest.mark.only_in("5.2")
def test_a_ghost_stands_where_a_member_is_missing_and_none_for_the_blind(blender):
    build_and_check(blender, "timber/AF-0002", "sound")
    blender.run(
        "bpy.data.objects.remove(window().scene.objects['Rafter_S_04'])\n"
        "with inside():\n    bpy.ops.plumbline.check_scene()"
    )
    blender.wait_until("review() is not None", 60)
    blender.run(
        "v = bpy.context.window_manager.plumbline_view; v.mode = 'finding'\n"
        "review().active = -1; v.target = True; redraw(2)"
    )
    blender.wait_until("part('addon.session.ghosts').of(review()) is not None", 60)
    known = "part('addon.session.ghosts').of(review())"
    assert blender.run(f"result = {known}.by_role") == {"missing": {"Rafter": 1}}
    places = blender.run(_EDGES)
    blender.run("redraw(2)")
    photograph(blender, "ghosts")
    assert blue(blender, places) > 0.8
    blind = "bpy.context.window_manager.plumbline_annotating.blind"
    try:
        blender.run(f"{blind} = True; redraw(2)")
        assert blue(blender, places) < 0.1
        blender.run(f"{blind} = False; v.target = False; redraw(2)")
        assert blue(blender, places) < 0.1
    finally:
        blender.run(f"{blind} = False; v.target = False")
