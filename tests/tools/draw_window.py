#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the window for the docs: ``.venv/bin/python tests/tools/draw_window.py [GROUP ...]``.

A real Blender on a virtual display (``tests/tools/provision_blender.py`` makes one) with the
extension from its zip does what a person would; its panels and views are cut out of photographs
and reduced to 96 colours. They go to ``docs/images``. Groups: highlights, colours,
motion, ghosts, panels, physics, lessons, runs, agent, settings; all of them without a name.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from draw_houses import ROOT, package

sys.path.insert(0, str(ROOT / "tests" / "helpers"))
from virtual_display import VirtualDisplay
from windowed_blender import WindowedBlender

OUT = ROOT / "docs" / "images"
COLOURS = 96
#: No picture is wider, and none of a view alone, pixels.
WIDE, VIEW_WIDE = 1100, 720
#: Pixels of what a highlight is cut to, around the middle of the view that is free.
VIEW = (840, 560)
#: So much of the display must differ for a row of pixels to belong to a panel.
_DIFFERENT = 12

# Panels are open, and only those that are asked for are there.
_WORDS = """
def all_panels():
    return [c for c in part("panels").CLASSES
            if issubclass(c, bpy.types.Panel) and c.bl_space_type == "VIEW_3D"]
shown = {c.__name__ for c in all_panels()}
def shown_alone(own):
    def poll(cls, context):
        return cls.__name__ in shown and (own is None or own(context))
    return classmethod(poll)
for c in reversed(all_panels()):
    bpy.utils.unregister_class(c)
for c in all_panels():
    c.bl_options = set(getattr(c, "bl_options", ())) - {"DEFAULT_CLOSED"}
    c.poll = shown_alone(getattr(c, "poll", None))
    bpy.utils.register_class(c)
def only(*names):
    shown.clear()
    shown.update(names)
    redraw(2)
def look():
    return bpy.context.window_manager.plumbline_view
def build(task, twin):
    state().task = task
    state().load_as = "flawed" if twin else "sound"
    if twin:
        state().variant = twin
    with inside():
        bpy.ops.plumbline.build_task("EXEC_DEFAULT", True)
        bpy.ops.view3d.view_all()
    with inside():
        bpy.ops.plumbline.check_scene()
    redraw(2)
def show(check):
    row = next(i for i, f in enumerate(review().table.findings) if f.check == check)
    with inside():
        bpy.ops.plumbline.show_finding(row=row)
    redraw(2)
"""

HIGHLIGHTS = (
    ("loadpath", "timber/cabin", "rafter_without_bearing", "load_path"),
    ("span", "timber/shed_roof", "over_spanned_joist", "clear_span"),
    ("clash", "timber/gable_house", "clashing_plates", "clash"),
    ("spacing", "timber/gable_house", "missing_stud", "spacing"),
    ("coverage", "timber/shed_roof", "missing_rafter", "roof_coverage"),
    ("cantilever", "timber/barn", "joist_cantilever", "cantilever"),
    ("bearing", "timber/two_storey", "short_bearing", "bearing"),
    ("header", "timber/gable_house", "missing_header", "opening_header"),
    ("notch", "timber/two_storey", "notch_too_deep", "notching"),
)

MOTION = (
    ("inside", "eggs_on_table", "sunken_eggs", "interpenetration"),
    ("energy", "newtons_cradle", "springy_balls", "energy"),
    ("altered", "draughtsman_and_knight", "knight_without_contact", "counterfactual.K4"),
    ("proxy", "ball_on_rollers", "oversized_proxy", "support"),
)


class Window:
    """One Blender, and what is cut out of it."""

    def __init__(self, blender: WindowedBlender) -> None:
        self.blender = blender
        self.run = blender.run

    def fresh(self) -> None:
        """A new file with our tab open: a file that was just read has no tabs until it is shown."""
        self.run("bpy.ops.wm.read_homefile(use_factory_startup=True)")
        self.run(
            "look().mode, look().load_path, look().isolate = 'finding', False, False\nopen_tab()"
        )

    def build(self, task: str, twin: str | None, fresh: bool = True) -> None:
        """A building, sound or with a fault, checked."""
        if fresh:
            self.fresh()
        self.run(f"build({task!r}, {twin!r})")
        self.blender.wait_until("review() is not None", timeout=60)
        self.run("redraw(2)")

    def rectangle(self, kind: str) -> list[int]:
        """Left, top, right, bottom of a region."""
        return [round(v) for v in self.run(f"result = rectangle({kind!r})")]

    def settle(self, seconds: float = 2.0) -> None:
        """No tooltip, and everything drawn as Blender draws it by itself."""
        display = self.blender.display
        display.move(display.width / 2, display.height - 4)
        self.run("for area in window().screen.areas: area.tag_redraw()")
        time.sleep(seconds)

    def save(
        self,
        name: str,
        box: tuple[int, int, int, int] | None = None,
        prefix: str = "window-",
        wide: int = WIDE,
    ) -> None:
        """What is on the display now, or a part of it: left, top, right, bottom."""
        target = OUT / f"{prefix}{name}.png"
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder, "whole.png")
            self.blender.display.photograph(whole)
            cut = []
            if box is not None:
                left, top, right, bottom = box
                cut = ["-crop", f"{right - left}x{bottom - top}+{left}+{top}", "+repage"]
            command = ["convert", str(whole), *cut, "-resize", f"{wide}x>"]
            command += ["-strip", "+dither", "-colors", str(COLOURS)]
            subprocess.run([*command, f"png8:{target}"], check=True, timeout=60)
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB", flush=True)

    def view(
        self, name: str, size: tuple[int, int] = VIEW, high: bool = True, wide: int = VIEW_WIDE
    ) -> None:
        """The middle of the view that the sidebar leaves free, or all of it with ``high``."""
        self.settle()
        left, top, _, bottom = self.rectangle("WINDOW")
        right = self.rectangle("UI")[0]
        if not high:
            self.save(name, (left, top, right, bottom), wide=wide)
            return
        middle = ((left + right) // 2, (top + bottom) // 2)
        width, height = min(size[0], right - left), min(size[1], bottom - top)
        x, y = middle[0] - width // 2, middle[1] - height // 2
        self.save(name, (x, y, x + width, y + height), wide=wide)

    def panel(self, name: str, *panels: str) -> None:
        """Panels alone in the sidebar, cut where they end."""
        names = ", ".join(repr(f"PLUMBLINE_PT_{panel}") for panel in panels)
        self.run(f"only({names})")
        self.settle()
        left, top, right, bottom = self.rectangle("UI")
        with_them = self.blender.display.pixels()[top:bottom, left:right].astype(int)
        self.run("only()")
        self.settle(0.5)
        without = self.blender.display.pixels()[top:bottom, left:right].astype(int)
        differs = (np.abs(with_them - without).max(axis=2) > _DIFFERENT).sum(axis=1) > 20
        end = int(np.flatnonzero(differs)[-1]) + 8 if differs.any() else bottom - top
        self.run(f"only({names})")
        self.settle()
        self.save(name, (left, top, right, min(top + end, bottom)))


def highlights(window: Window) -> None:
    """A picture of each kind of fault."""
    window.fresh()
    window.run("only('PLUMBLINE_PT_findings')")
    for name, task, twin, check in HIGHLIGHTS:
        window.build(task, twin)
        window.run(f"show({check!r})")
        window.view(f"highlight-{name}")
    window.build("timber/gable_house", None)
    window.run(
        "obj = window().scene.objects['Rafter_S_05']\n"
        "obj.select_set(True); window().view_layer.objects.active = obj\n"
        "look().load_path = True\nredraw(2)"
    )
    window.view("loadpath")


def colours(window: Window) -> None:
    """The whole structure in each of the four modes."""
    window.fresh()
    window.run("only('PLUMBLINE_PT_findings')")
    for mode, task, twin in (
        ("verdict", "timber/gable_house", "missing_sill"),
        ("check", "timber/gable_house", "missing_sill"),
        ("role", "timber/gable_house", None),
        ("margin", "timber/shed_roof", "over_spanned_joist"),
    ):
        window.build(task, twin)
        window.run(f"look().mode = {mode!r}; redraw(2)")
        window.view(f"colours-{mode}", high=False)


# A house that somebody has built nearly as it was asked for.
_NEARLY = """
objects = window().scene.objects
for name in ("Rafter_S_05", "Rafter_S_06", "Stud_S_03", "Stud_E_05"):
    bpy.data.objects.remove(objects[name])
objects["Rafter_S_14"].location.y -= 0.45
objects["Rafter_S_14"].location.z += 0.25
objects["Joist_S_10"].scale.z *= 0.6
beside = objects["Stud_S_06"].copy()
beside.name = "Stud_S_99"
beside.location.y -= 1.2
window().scene.collection.objects.link(beside)
for obj in window().view_layer.objects: obj.select_set(False)
with inside():
    bpy.ops.plumbline.check_scene()
look().target = True
overlay = view().spaces.active.overlay
overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False
redraw(2)
"""


def motion(window: Window) -> None:
    """Faults of simulated scenes, each in its frame, with the energy over all frames."""
    window.fresh()
    window.run("only('PLUMBLINE_PT_findings')")
    for name, task, twin, check in MOTION:
        window.build(f"reconstruction/{task}", twin)
        window.run(f"show({check!r})")
        window.view(f"motion-{name}", high=False)


def ghosts(window: Window) -> None:
    """What a house lacks against the one that was asked for."""
    window.fresh()
    window.run("only('PLUMBLINE_PT_findings', 'PLUMBLINE_PT_colours')")
    window.build("timber/gable_house", None)
    window.run(_NEARLY)
    known = "part('addon.session.ghosts').of(review())"
    window.blender.wait_until(f"review() is not None and {known} is not None", timeout=120)
    window.view("ghosts", high=False, wide=640)
    window.run("look().target = False")


def panels(window: Window) -> None:
    """The panels of somebody who looks for a fault."""
    window.build("timber/gable_house", "missing_stud")
    window.run("show('spacing')")
    window.run("only('PLUMBLINE_PT_task', 'PLUMBLINE_PT_checks', 'PLUMBLINE_PT_findings')")
    window.settle()
    left, top, _, bottom = window.rectangle("WINDOW")
    window.save("whole", (left, top, window.rectangle("UI")[2], bottom))
    place = window.run(
        "area = next(a for a in window().screen.areas if a.type == 'PROPERTIES')\n"
        "area.spaces.active.context = 'SCENE'\n"
        "result = [area.x, window().height - area.y - area.height, area.x + area.width, "
        "window().height - area.y]"
    )
    window.settle()
    window.save("summary", tuple(place))
    window.panel("task", "task", "task_brief")
    window.panel("human", "task", "human")
    window.panel("checks", "checks", "each_check")
    window.panel("findings", "findings")
    window.run(
        "part('addon.session.sitting').holder_of(bpy.context).annotator = 'Anna'\n"
        "bpy.context.window_manager.plumbline_annotating.step = False\n"
        "with inside():\n"
        "    bpy.ops.plumbline.judge_structure(opinion='faulty')\n"
        "    bpy.ops.plumbline.rate_structure(rating=2)\n"
        "    bpy.ops.plumbline.judge_finding(judgment='agree')\n"
    )
    window.panel("annotate", "annotate")
    window.run("review().active = -1")  # its parent, the list, is short then
    window.panel("colours", "findings", "colours")


# A ball that keys push into a tower of bricks.
_TOWER = """
for obj in list(bpy.data.objects):
    bpy.data.objects.remove(obj)
def brick(name, at, size, kind="ACTIVE"):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at)
    obj = bpy.context.object
    obj.name, obj.scale = name, size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.rigidbody.object_add(type=kind)
    obj.rigid_body.collision_shape = "BOX"
with inside():
    brick("Table", (0, 0, -0.25), (6, 4, 0.5), "PASSIVE")
    for k in range(6):
        brick(f"Brick_{k + 1}", (0, 0, 0.25 + 0.5 * k), (1, 0.6, 0.5))
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(-2.2, 0, 0.3))
    ball = bpy.context.object
    ball.name = "Ball"
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    ball.rigid_body.collision_shape, ball.rigid_body.mass = "SPHERE", 8
    for frame, x, held in ((1, -2.2, True), (7, -1.5, True), (8, -1.4, False)):
        ball.location.x, ball.rigid_body.kinematic = x, held
        ball.keyframe_insert("location", frame=frame)
        ball.rigid_body.keyframe_insert("kinematic", frame=frame)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.view3d.view_all()
window().scene.frame_end = 60
window().scene.frame_set(1)
"""

_IDLE = "part('addon.session.stepping').at_work(window().scene) is None"
_PLAYED = "part('addon.session.playback').now() is not None"


def physics(window: Window) -> None:
    """The probes with what they found, and a house beside itself without the plates of one wall."""
    window.fresh()
    window.run("only('PLUMBLINE_PT_physics', 'PLUMBLINE_PT_what_if')")
    window.run(_TOWER)
    window.run("with inside(): bpy.ops.plumbline.run_probes()")
    window.blender.wait_until(f"review() is not None and {_IDLE}", timeout=180)
    window.run(  # as somebody who has played it: else bodies stand where they began
        "for frame in range(1, 30): window().scene.frame_set(frame)\n"
        "with inside(): bpy.ops.plumbline.show_moment(check='interpenetration')\nredraw(2)"
    )
    window.settle()
    left, top, _, bottom = window.rectangle("WINDOW")
    window.save("physics", (left, top, window.rectangle("UI")[2], bottom))
    window.build("timber/shed_roof", None)
    window.run(
        "asked = part('addon.session.interventions_here').state(bpy.context)\n"
        "asked.first.falls, asked.seconds = 'remove', 1.5\n"
        "for obj in window().view_layer.objects: obj.select_set('TopPlate_S' in obj.name)\n"
        "with inside():\n"
        "    bpy.ops.plumbline.use_selected(slot=0)\n"
        "    bpy.ops.plumbline.compare_runs()"
    )
    window.blender.wait_until(_PLAYED, timeout=300)
    window.run("part('addon.session.playback').go_to(window().scene, 30)\nredraw(2)")
    window.settle(4.0)
    window.save("physics-what-if", (left, top, window.rectangle("UI")[2], bottom))
    window.run("with inside(): bpy.ops.plumbline.stop_motion()")


def lessons(window: Window) -> None:
    """A lesson at the rule that is broken."""
    window.fresh()
    window.run("only('PLUMBLINE_PT_learn')")
    window.panel("learn-list", "learn")
    window.run("with inside(): bpy.ops.plumbline.open_lesson(lesson='missing_stud')\nredraw(2)")
    for step in ("show", "rule"):
        window.run(f"with inside(): bpy.ops.plumbline.lesson_step(step={step!r})\nredraw(2)")
        window.settle()
    left, top, _, bottom = window.rectangle("WINDOW")
    window.save("learn", (left, top, window.rectangle("UI")[2], bottom))
    window.run("with inside(): bpy.ops.plumbline.leave_lesson()")
    window.fresh()
    window.run("with inside(): bpy.ops.plumbline.open_lesson(lesson='joist_cantilever')\nredraw(2)")
    window.run(
        "with inside(): bpy.ops.plumbline.mend_lesson()\n"
        "learn = bpy.context.window_manager.plumbline_learn\nlearn.caption = True\n"
        "with inside(): bpy.ops.plumbline.lesson_step(step='what_if')\nredraw(2)"
    )
    window.run(
        "what_if = part('addon.session.what_if')\n"
        "slider = part('addon.session.learning').open_now(bpy.context).sliders[0]\n"
        "with inside(): what_if.set_slider(bpy.context, slider, slider.high)\nredraw(2)"
    )
    window.settle(4.0)
    window.save("learn-what-if", (left, top, window.rectangle("UI")[2], bottom), prefix="")
    window.run("learn.caption = False")


def runs(window: Window) -> None:
    """A stored run, and two of its attempts."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "cabins")
        command = [sys.executable, str(ROOT / "run_suite.py"), "run", "--tasks", "timber/cabin"]
        subprocess.run(
            [*command, "--agent", "scripted-flawed", "--out", str(out)],
            stdout=subprocess.DEVNULL,
            timeout=300,
        )
        window.fresh()
        window.run("only('PLUMBLINE_PT_runs')")
        window.run(f"with inside(): bpy.ops.plumbline.open_run(directory={str(out)!r})")
        window.blender.wait_until("part('addon.session.open_run').now() is not None")
        window.run("part('addon.session.open_run').now().choose(1); redraw(2)")
        window.run("with inside(): bpy.ops.plumbline.open_attempt()\nredraw(2)")
        window.blender.wait_until("review() is not None", timeout=90)
        window.panel("runs", "runs", "run_pictures")
        compare(window)


def compare(window: Window) -> None:
    """What the panel says of two attempts of the open run; each is in a window of its own."""
    window.run("only('PLUMBLINE_PT_runs', 'PLUMBLINE_PT_compare')")
    for side, row in (("A", 0), ("B", 2)):
        window.run(
            f"part('addon.session.open_run').now().choose({row})\n"
            f"with inside(): bpy.ops.plumbline.use_side(side={side!r})"
        )
    window.run("with inside(): bpy.ops.plumbline.compare_attempts()")
    window.blender.wait_until(
        "part('addon.session.open_run').now().compared is not None", timeout=120
    )
    window.run(  # it covers the first, where no window manager puts them beside each other
        "for w in list(bpy.context.window_manager.windows)[1:]:\n"
        "    with bpy.context.temp_override(window=w): bpy.ops.wm.window_close()\n"
    )
    window.panel("compare", "runs", "compare")


def agent(window: Window) -> None:
    """The panel before an episode, and after one with the known-good program."""
    window.fresh()
    window.run("state().task = 'timber/cabin'; redraw()")
    window.panel("agent-panel", "agent", "agent_limits")
    window.run(
        "model = part('addon.session.choices').model_of(bpy.context)\n"
        "model.provider = 'scripted'\n"
        "only('PLUMBLINE_PT_agent', 'PLUMBLINE_PT_tries', 'PLUMBLINE_PT_talk')\n"
        "with inside(): bpy.ops.plumbline.start_agent()"
    )
    window.blender.wait_until("part('addon.session.current').now().job.over", timeout=180)
    window.settle()
    left, top, _, bottom = window.rectangle("WINDOW")
    window.save("agent", (left, top, window.rectangle("UI")[2], bottom))
    window.run("model.provider = 'anthropic'")


def settings(window: Window) -> None:
    """The page of the preferences, and the workspace."""
    window.fresh()
    window.run(
        "area = view()\narea.type = 'PREFERENCES'\n"
        "bpy.context.preferences.active_section = 'ADDONS'\n"
        "bpy.context.window_manager.addon_search = 'Plumbline'\n"
        "with bpy.context.temp_override(window=window(), area=area):\n"
        "    bpy.ops.preferences.addon_show(module=PACKAGE)"
    )
    box = window.run(
        "result = [area.x, window().height - area.y - area.height, area.x + area.width, "
        "window().height - area.y]"
    )
    scroll = (
        "whole = next(r for r in area.regions if r.type == 'WINDOW')\n"
        "with bpy.context.temp_override(window=window(), area=area, region=whole):\n"
        "    for _ in range({}): bpy.ops.view2d.scroll_down()"
    )
    for name, down in (("preferences", 6), ("preferences-look", 60)):
        window.settle()
        window.run(scroll.format(down))
        window.settle()
        window.save(name, tuple(box))
    window.run("area.type = 'VIEW_3D'")
    window.fresh()
    window.run("with bpy.context.temp_override(window=window()): bpy.ops.plumbline.add_workspace()")
    window.blender.wait_until("window().workspace.name == 'Plumbline'")
    window.blender.wait_until("region('UI').active_panel_category == 'Plumbline'")
    window.run("only('PLUMBLINE_PT_task', 'PLUMBLINE_PT_checks', 'PLUMBLINE_PT_findings')")
    window.build("timber/gable_house", "missing_stud", fresh=False)
    window.run("show('spacing')")
    window.settle()
    window.save("workspace")


GROUPS = {
    group.__name__: group
    for group in (
        *(highlights, colours, motion, ghosts, panels, physics, lessons, runs, agent),
        settings,
    )
}


def main(arguments: list[str] | None = None) -> int:
    """Draw the groups that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--blender", default="5.2", help="version: 5.2, or 4.3")
    options = parser.parse_args(arguments)
    if unknown := set(options.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    package()
    from plumbline.addon.runs.extension import build_zip
    from plumbline.addon.runs.system import cache_folder

    failed = 0
    with tempfile.TemporaryDirectory() as folder, VirtualDisplay() as display:
        binary = cache_folder() / "bin" / f"blender-{options.blender}"
        blender = WindowedBlender(binary, Path(folder, "home"), display)
        try:
            blender.install(build_zip(Path(folder, "zip")), "8")
            blender.start()
            blender.run(_WORDS)
            for name in options.groups or GROUPS:
                try:
                    GROUPS[name](Window(blender))
                except (AssertionError, RuntimeError, TimeoutError) as error:
                    failed += 1
                    print(f"{name}: {error}", file=sys.stderr, flush=True)
        finally:
            blender.kill()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
