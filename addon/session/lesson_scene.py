# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene of a lesson: built, mended, changed by sliders, and left without a trace.

All that a lesson must know about its building stands in the scene itself, which is ours: so undo,
redo and a saved file take it along. Main thread only.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterable
from functools import partial
from typing import Any

import bpy
import numpy as np

from .. import bundled
from ..lessons import loader
from ..lessons.model import BLOCKS, PA, Lesson, Slider
from ..scene import one_scene
from ..scene.new_scene import build_in_new_scene
from . import lesson_blocks, lesson_motion

#: Custom properties of the scenes of lessons.
LESSON_KEY = "plumbline_lesson"
_MENDED = "plumbline_mended"
_BASE = "plumbline_base"
_APPLIED = "plumbline_applied"
#: Marks the members that came with the building: what a person adds has none.
_OURS = "plumbline_member"

_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def build(lesson: Lesson, window: bpy.types.Window, title: str) -> bpy.types.Scene:
    """The flawed building in a scene of its own called ``title``, which ``window`` then shows.

    Raises ``BuildError`` and leaves nothing behind if a program fails.
    """
    if lesson.of_blocks:
        label = f"lesson {lesson.id}"
        scene = build_in_new_scene(lesson.build_program(), title, label, window)
        scene[LESSON_KEY], scene[_MENDED] = lesson.id, False
        _mark(scene, set())
        return scene
    twin = bundled.find(lesson.task).twin(lesson.twin)
    before = window.scene
    scene = _build_sound(lesson, window, title)
    scene[bundled.VARIANT_KEY], scene[_MENDED] = twin.id, False
    try:
        _run(twin.patch(), f"lesson {lesson.id}", scene, window)
    except Exception:
        window.scene = before
        remove(scene)
        raise
    return scene


def build_mended(lesson: Lesson, window: bpy.types.Window, title: str) -> bpy.types.Scene:
    """As :func:`build`, but as it should be: how lessons of motion are mended."""
    scene = _build_sound(lesson, window, title)
    scene[_MENDED] = True
    return scene


def _build_sound(lesson: Lesson, window: bpy.types.Window, title: str) -> bpy.types.Scene:
    task = bundled.find(lesson.task)
    scene = build_in_new_scene(task.program(), title, f"lesson {lesson.id}", window)
    scene[bundled.TASK_KEY] = task.id
    scene[LESSON_KEY] = lesson.id
    _mark(scene, set())
    return scene


def lesson_of(scene: Any) -> Lesson | None:
    """The lesson that a scene was built for, ``None`` for any other scene."""
    if scene is None or scene.get(LESSON_KEY) is None:
        return None
    return loader.find(str(scene[LESSON_KEY]))


def mended(scene: bpy.types.Scene) -> bool:
    """Whether the fault was mended."""
    return bool(scene.get(_MENDED, False))


def mend(lesson: Lesson, scene: bpy.types.Scene, window: bpy.types.Window) -> None:
    """Apply the lesson's mend, and lay the sliders ready. Raises ``BuildError``."""
    _run(lesson.mend_program(), f"mend of lesson {lesson.id}", scene, window)
    scene[_MENDED] = True
    if lesson.of_blocks:
        scene[_BASE] = lesson_blocks.kept(scene)
    else:
        scene[_BASE] = json.dumps(_shapes(scene, _patterns(lesson)))
    reset(lesson, scene)


def reset(lesson: Lesson, scene: bpy.types.Scene) -> None:
    """Every slider at its default, with the ends and the words that its widget shows."""
    for slider in lesson.sliders:
        key = slider_key(slider)
        scene[key] = slider.default
        scene.id_properties_ui(key).update(
            min=slider.low,
            max=slider.high,
            soft_min=slider.low,
            soft_max=slider.high,
            default=slider.default,
            description=slider.ask,
            precision=0 if slider.unit == BLOCKS else 3,
            step=100.0 if slider.unit == BLOCKS else 1.0,
            subtype="DISTANCE" if slider.unit == "m" else "NONE",
        )
    scene[_APPLIED] = json.dumps(values(lesson, scene))


def slider_key(slider: Slider) -> str:
    """The custom property of a lesson's scene that its slider changes."""
    return f"plumbline_slider_{slider.id}"


def values(lesson: Lesson, scene: bpy.types.Scene) -> dict[str, float]:
    """What the sliders say, by their ids: within their ends, at a stop where they have stops."""
    found = {}
    for slider in lesson.sliders:
        value = scene.get(slider_key(slider), slider.default)
        number = float(value) if isinstance(value, (int, float)) else slider.default
        found[slider.id] = slider.taken(number)
    return found


def behind(lesson: Lesson, scene: bpy.types.Scene) -> bool:
    """Whether the sliders say something else than the building shows."""
    if not mended(scene):
        return False
    return _kept(scene, _APPLIED) != values(lesson, scene)


def apply(lesson: Lesson, scene: bpy.types.Scene, window: bpy.types.Window) -> None:
    """Rebuild what sliders change, as the sliders say. Raises ``BuildError``."""
    said = values(lesson, scene)
    if lesson.of_blocks:
        back = partial(lesson_blocks.put_back, scene, str(scene.get(_BASE, "")))
        one_scene.within(scene, window, f"what if of lesson {lesson.id}", back)
        lesson_blocks.change(lesson, said, scene, window)
        scene[_APPLIED] = json.dumps(said)
        return
    base = _kept(scene, _BASE)
    before = _uids(scene)
    label = f"what if of lesson {lesson.id}"
    restore = partial(_restore, scene, base, _patterns(lesson))
    one_scene.within(scene, window, label, restore)
    for slider in lesson.sliders:
        if slider.brief is None and said[slider.id] != slider.default:
            label = f"what_if_{slider.id} of lesson {lesson.id}"
            names = one_scene.run(lesson.slider_program(slider), label, scene, window)
            value = said[slider.id]
            one_scene.within(scene, window, label, partial(names["change"], value))
    _mark(scene, before)
    scene.view_layers[0].update()
    scene[_APPLIED] = json.dumps(said)


def brief(lesson: Lesson, scene: bpy.types.Scene) -> dict[str, Any]:
    """The task's brief with the loads that the sliders say; of blocks, the lesson's own checks."""
    if lesson.of_blocks:
        return lesson_blocks.overrides(lesson)
    said = values(lesson, scene) if mended(scene) else {}
    loads = {
        slider.brief: said[slider.id] * PA[slider.unit]
        for slider in lesson.sliders
        if slider.brief is not None and slider.id in said
    }
    return {**bundled.find(lesson.task).brief, **loads}


def own_checks(scene: bpy.types.Scene) -> dict[str, Any]:
    """The fields of the brief that a lesson of blocks sets; none for any other scene."""
    lesson = lesson_of(scene)
    return lesson_blocks.overrides(lesson) if lesson is not None and lesson.of_blocks else {}


def has_guests(scene: bpy.types.Scene) -> bool:
    """Whether somebody added objects of their own to a lesson's scene."""
    return any(obj.get(_OURS) is None for obj in scene.objects)


def remove(scene: bpy.types.Scene) -> None:
    """Take a lesson's scene away with all that came with it; it isn't shown any more."""
    blocks = [obj for obj in scene.objects if obj.get(_OURS) is not None and obj.users_scene]
    ours = [obj for obj in blocks if all(s == scene for s in obj.users_scene)]
    inner = list(scene.collection.children_recursive)
    worlds = lesson_motion.end_world(scene)
    surroundings = scene.world
    left = lesson_blocks.leftovers(scene)
    bpy.data.scenes.remove(scene)
    lesson_motion.take_away(ours)
    lesson_blocks.sweep(left)
    bpy.data.batch_remove([*worlds, *(c for c in inner if c.users == 0)])
    if surroundings is not None and surroundings.users == 0:
        bpy.data.worlds.remove(surroundings)


def _run(program: str, label: str, scene: bpy.types.Scene, window: bpy.types.Window) -> None:
    before = _uids(scene)
    meshes = [obj.data.name for obj in scene.objects if obj.type == "MESH"]
    one_scene.run(program, label, scene, window)
    _mark(scene, before)
    found = [bpy.data.meshes.get(name) for name in meshes]  # of members that it took away
    bpy.data.batch_remove([mesh for mesh in found if mesh is not None and mesh.users == 0])


def _uids(scene: bpy.types.Scene) -> set[int]:
    return {obj.session_uid for obj in scene.objects}


def _mark(scene: bpy.types.Scene, before: set[int]) -> None:
    """What came since ``before`` is ours, with a mesh of its own."""
    for obj in scene.objects:
        if obj.session_uid not in before:
            obj[_OURS] = True
            if obj.data is not None and obj.data.users > 1:
                obj.data = obj.data.copy()


def _kept(scene: bpy.types.Scene, key: str) -> dict[str, Any]:
    """What we wrote into the scene; nothing if somebody wrote something else there."""
    try:
        found = json.loads(str(scene.get(key, "{}")))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _patterns(lesson: Lesson) -> set[str]:
    return {pattern for slider in lesson.sliders for pattern in slider.members}


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(one_scene.plain(name), pattern) for pattern in patterns)


def _shapes(scene: bpy.types.Scene, patterns: Iterable[str]) -> dict[str, Any]:
    """Where the members that sliders change stand, and their corners."""
    found = {}
    for obj in scene.objects:
        if obj.type == "MESH" and _matches(obj.name, patterns):
            corners = np.empty(3 * len(obj.data.vertices))
            obj.data.vertices.foreach_get("co", corners)
            matrix = [list(row) for row in obj.matrix_world]
            found[obj.name] = {"matrix": matrix, "corners": corners.tolist()}
    return found


def _restore(scene: bpy.types.Scene, base: dict[str, Any], patterns: Iterable[str]) -> None:
    """Put those members back as they stood after the mend: what is gone, what was added."""
    from mathutils import Matrix

    for obj in list(scene.objects):
        if obj.name not in base and obj.get(_OURS) is not None and _matches(obj.name, patterns):
            _take_away(obj)
    for name, shape in base.items():
        obj = scene.objects.get(name)
        if obj is not None and obj.type != "MESH":  # somebody made a curve of it, say
            _take_away(obj)
            obj = None
        if obj is None:
            obj = bpy.data.objects.new(name, _box(name, shape["corners"]))
            scene.collection.objects.link(obj)
        elif len(obj.data.vertices) * 3 == len(shape["corners"]):
            obj.data.vertices.foreach_set("co", shape["corners"])
            obj.data.update()
        else:
            obj.data = _box(name, shape["corners"])
        obj.matrix_world = Matrix(shape["matrix"])


def _take_away(obj: bpy.types.Object) -> None:
    data = obj.data
    bpy.data.objects.remove(obj)
    if data is not None and data.users == 0:
        bpy.data.batch_remove([data])


def _box(name: str, corners: list[float]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.reshape(corners, (-1, 3)).tolist(), [], _FACES)
    return mesh
