# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves an object: its solver, keyframes, strips, drivers, parents, constraints, modifiers.

Everything is read from Blender's own description of the scene. Scripts, frame handlers and the
Python in drivers are told, never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import bpy

from ...checks.reconstruction.bodies import Driver
from .animation_of import curves, drivers, is_python, strip_curves, varies

# What a curve must be of to move an object, its bones or its points.
_MOVES = re.compile(
    r"(delta_)?(location|rotation_\w+|scale)$|pose\.bones\[|(vertices|points|splines)\b"
)
_MODIFIER = re.compile(r"""modifiers\[["'](.+?)["']\]""")
#: Modifiers that move a surface with time, or play one back, without anything else.
_BY_TIME = {
    "WAVE": "makes waves",
    "OCEAN": "makes waves",
    "MESH_CACHE": "plays stored vertices back",
    "MESH_SEQUENCE_CACHE": "plays a stored surface back",
    "BUILD": "builds the surface up",
    "EXPLODE": "takes the surface apart",
    "DYNAMIC_PAINT": "paints the surface",
}
#: Modifiers of solvers: what they do is no prescribed motion.
_SOLVERS = {"CLOTH": "cloth", "SOFT_BODY": "soft body", "FLUID": "liquid"}
_PHYSICS = frozenset({*_SOLVERS, "COLLISION", "PARTICLE_SYSTEM", "SURFACE"})
#: Nodes whose result depends on the scene's time.
_TIME_NODES = frozenset(
    {
        *("GeometryNodeInputSceneTime", "GeometryNodeSimulationInput"),
        *("GeometryNodeSimulationOutput", "GeometryNodeImportVDB"),
    }
)
# Lists of handlers that run while a scene plays.
_PLAYING = (
    *("frame_change_pre", "frame_change_post", "depsgraph_update_pre", "depsgraph_update_post"),
    *("animation_playback_pre", "animation_playback_post"),
)
_PACKAGE = Path(__file__).resolve().parents[2]


def drivers_of(obj: bpy.types.Object) -> tuple[Driver, ...]:
    """What moves ``obj`` in its scene's frames, each with where it was found.

    Curves count where their value changes; a parent or what a modifier follows counts where it is
    moved itself; constraints count where they are on (those of rigid bodies are no constraints of
    this kind). What the solver moves has the driver ``solver``.
    """
    return _drivers_of(obj, frozenset())


def _drivers_of(obj: bpy.types.Object, met: frozenset[int]) -> tuple[Driver, ...]:
    if obj.session_uid in met:
        return ()
    met |= {obj.session_uid}
    found = [
        *_solvers(obj),
        *_animated(obj),
        *_keyed_shapes(obj),
        *_parents(obj, met),
        *_constraints(obj),
        *_modifiers(obj, met),
    ]
    return tuple(dict.fromkeys(found))


def handlers_of() -> tuple[str, ...]:
    """Frame handlers and texts that register themselves: what would run while the scene plays.

    What add-ons and Blender itself have registered belongs to the program, not to the scene.
    """
    found = [
        f"{getattr(handler, '__name__', type(handler).__name__)} ({name})"
        for name in _PLAYING
        for handler in getattr(bpy.app.handlers, name)
        if not _of_program(handler)
    ]
    found += [f"{text.name} (registered text)" for text in bpy.data.texts if text.use_module]
    return tuple(found)


def _of_program(handler: object) -> bool:
    """Whether a handler is of Blender, an add-on or this extension."""
    call = handler if hasattr(handler, "__code__") else getattr(handler, "__func__", None)
    if call is None and callable(handler):
        call = getattr(type(handler), "__call__")  # noqa: B004, B009 - an object that is called
    code = getattr(call, "__code__", None)
    if code is None:  # not written in Python
        return True
    file = Path(code.co_filename)
    homes = [_PACKAGE, *map(Path, bpy.utils.script_paths())]
    return any(home in file.parents and "tests" not in file.parts for home in homes)


def _scene(obj: bpy.types.Object) -> bpy.types.Scene:
    scenes = obj.users_scene
    return scenes[0] if scenes else bpy.context.scene


def _solvers(obj: bpy.types.Object) -> Iterator[Driver]:
    body, world = obj.rigid_body, _scene(obj).rigidbody_world
    if body is not None and world is not None and body.type == "ACTIVE":
        keyed = any("rigid_body.kinematic" in c.data_path for c in _all_curves(obj))
        piece = (
            obj.parent is not None
            and obj.parent.rigid_body is not None
            and obj.parent.rigid_body.collision_shape == "COMPOUND"
        )
        if (not body.kinematic or keyed) and not piece:
            yield Driver("solver", "rigid body")
    for modifier in obj.modifiers:
        domain = modifier.type != "FLUID" or modifier.fluid_type == "DOMAIN"
        if modifier.type in _SOLVERS and modifier.show_viewport and domain:
            yield Driver("solver", _SOLVERS[modifier.type])


def _all_curves(block: bpy.types.ID) -> list[bpy.types.FCurve]:
    return [*curves(block), *(curve for _, curve in strip_curves(block)), *drivers(block)]


def _animated(obj: bpy.types.Object) -> Iterator[Driver]:
    """Curves, strips and drivers of the object and of its data."""
    scene = _scene(obj)
    first, last = scene.frame_start, scene.frame_end
    for block in (obj, obj.data):
        if block is None or not hasattr(block, "animation_data"):
            continue
        for curve in curves(block):
            if (kind := _kind_of(obj, curve.data_path)) and varies(curve, first, last):
                yield Driver("keyframes" if kind == "motion" else kind, curve.data_path)
        for strip, curve in strip_curves(block):
            a, b = (int(end) for end in curve.range())
            if _kind_of(obj, curve.data_path) and varies(curve, a, max(a, b)):
                yield Driver("nla", f"{strip}: {curve.data_path}")
        for curve in drivers(block):
            if kind := _kind_of(obj, curve.data_path):
                yield Driver("driver" if kind == "motion" else kind, _told(curve))


def _told(curve: bpy.types.FCurve) -> str:
    """A driver in words; its Python is shown, not run."""
    words = curve.driver.expression if curve.driver.type == "SCRIPTED" else curve.driver.type
    python = ", Python that was not evaluated" if is_python(curve) else ""
    return f"{curve.data_path}: {words[:80]}{python}"


def _kind_of(obj: bpy.types.Object, path: str) -> str | None:
    """What a curve of ``path`` does to an object: ``motion``, a kind of driver, or nothing."""
    if _MOVES.match(path):
        return "motion"
    named = _MODIFIER.match(path)
    modifier = obj.modifiers.get(named[1]) if named else None
    if modifier is None or modifier.type in _PHYSICS or not modifier.show_viewport:
        return None
    return "geometry_nodes" if modifier.type == "NODES" else "modifier"


def _keyed_shapes(obj: bpy.types.Object) -> Iterator[Driver]:
    """Shape keys whose values change."""
    keys = getattr(obj.data, "shape_keys", None)
    if keys is None:
        return
    scene = _scene(obj)
    for curve in curves(keys):
        if varies(curve, scene.frame_start, scene.frame_end):
            yield Driver("shape_keys", curve.data_path)
    for strip, curve in strip_curves(keys):
        yield Driver("shape_keys", f"{strip}: {curve.data_path}")
    for curve in drivers(keys):
        yield Driver("shape_keys", _told(curve))


def _parents(obj: bpy.types.Object, met: frozenset[int]) -> Iterator[Driver]:
    """The parent, where something moves it."""
    if obj.parent is not None and (by := _drivers_of(obj.parent, met)):
        yield Driver("parent", f"{obj.parent.name}, moved by {by[0].kind}")


def _constraints(obj: bpy.types.Object) -> Iterator[Driver]:
    for one in obj.constraints:
        if not one.mute and one.influence > 0:
            yield Driver("constraint", f"{one.name} ({one.type})")


def _modifiers(obj: bpy.types.Object, met: frozenset[int]) -> Iterator[Driver]:
    """Modifiers that move the surface with time, or with objects that something moves."""
    for modifier in obj.modifiers:
        if not modifier.show_viewport or modifier.type in _PHYSICS:
            continue
        if modifier.type in _BY_TIME:
            yield Driver("modifier", f"{modifier.name} {_BY_TIME[modifier.type]}")
        elif modifier.type == "NODES":
            yield from _nodes(modifier)
        else:
            for target in _targets(modifier):
                if by := _drivers_of(target, met):
                    yield Driver(
                        "modifier",
                        f"{modifier.name} follows {target.name}, moved by {by[0].kind}",
                    )


def _targets(modifier: bpy.types.Modifier) -> list[bpy.types.Object]:
    """Objects that a modifier names."""
    names = [
        prop.identifier
        for prop in modifier.bl_rna.properties
        if prop.type == "POINTER" and prop.fixed_type.identifier == "Object"
    ]
    return [one for name in names if (one := getattr(modifier, name)) is not None]


def _nodes(modifier: bpy.types.Modifier) -> Iterator[Driver]:
    """Geometry nodes whose result depends on time or on animation of the tree."""
    waiting, met = [modifier.node_group], set()
    while waiting:
        tree = waiting.pop()
        if tree is None or tree.session_uid in met:
            continue
        met.add(tree.session_uid)
        if _all_curves(tree):
            yield Driver("geometry_nodes", f"{modifier.name}: {tree.name} is animated")
        for node in tree.nodes:
            if node.bl_idname in _TIME_NODES and not node.mute:
                yield Driver("geometry_nodes", f"{modifier.name}: {node.name} in {tree.name}")
            waiting.append(getattr(node, "node_tree", None))
