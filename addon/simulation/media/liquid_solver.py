# SPDX-License-Identifier: GPL-3.0-or-later
"""Where liquids can be simulated, found out before any frame is stepped.

Blender's solver of liquids, Mantaflow, ends the whole process in builds that lack parts of it: in
the ``bpy`` module (seen in 4.2 to 5.3) and in some distributions' (Debian's 4.3). Nothing of the
build tells which, so that a process of its own tries a small domain.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile

import bpy

from ..steps import SimulationError

# Seconds that a trial may take; it needs about three.
_PATIENCE = 120
# Fills a small domain and steps it. The folder for its cache is the last argument.
_TRIAL = """
import bpy, sys
bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
scene = bpy.context.scene
def cube(name, size, kind):
    mesh = bpy.data.meshes.new(name)
    s = size / 2
    points = [(x, y, z) for x in (-s, s) for y in (-s, s) for z in (-s, s)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(points, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(obj)
    modifier = obj.modifiers.new(name, "FLUID")
    modifier.fluid_type = kind
    return obj, modifier
domain, modifier = cube("domain", 2, "DOMAIN")
settings = modifier.domain_settings
settings.domain_type, settings.resolution_max, settings.cache_type = "LIQUID", 12, "REPLAY"
settings.cache_directory = sys.argv[-1]
_, flow = cube("water", 0.8, "FLOW")
flow.flow_settings.flow_type, flow.flow_settings.flow_behavior = "LIQUID", "GEOMETRY"
for frame in (1, 2, 3):
    scene.frame_set(frame)
evaluated = domain.evaluated_get(bpy.context.view_layer.depsgraph)
count = sum(len(system.particles) for system in evaluated.particle_systems)
if not count:
    raise SystemExit(3)
"""


@functools.cache
def liquids_work() -> bool:
    """Whether this Blender simulates liquids; tried once a process, in one of its own."""
    with tempfile.TemporaryDirectory(prefix="plumbline-liquid-") as folder:
        script = f"{folder}/trial.py"
        with open(script, "w", encoding="utf-8") as file:
            file.write(_TRIAL)
        program = bpy.app.binary_path
        command = [sys.executable, script, folder]
        if program:
            options = ["-b", "--factory-startup", "--python-exit-code", "3", "--python", script]
            command = [program, *options, "--", folder]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0


def domains_of(scene: bpy.types.Scene) -> tuple[bpy.types.Object, ...]:
    """Every fluid domain that Blender may evaluate with ``scene``, whatever leads to it.

    Hidden, linked and instanced ones, those of a background scene, those that only nodes, another
    object or the rigid-body world speak of.
    """
    every = [obj for obj in bpy.data.objects if domain_modifier(obj) is not None]
    if not every:
        return ()
    reached = _reached(scene)
    return tuple(obj for obj in every if obj.session_uid in reached)


def domain_modifier(obj: bpy.types.Object) -> bpy.types.Modifier | None:
    """The modifier that makes an object a fluid domain, if any.

    One that is switched off is none, unless animation could switch it on.
    """
    for modifier in obj.modifiers:
        domain = modifier.type == "FLUID" and modifier.fluid_type == "DOMAIN"
        if domain and (modifier.show_viewport or obj.animation_data is not None):
            return modifier
    return None


def _reached(scene: bpy.types.Scene) -> set[int]:
    """``session_uid`` of all data that a scene leads to."""
    leads: dict[int, list[int]] = {}
    for block, users in bpy.data.user_map().items():
        for user in users:
            leads.setdefault(user.session_uid, []).append(block.session_uid)
    waiting, met = [scene.session_uid], {scene.session_uid}
    while waiting:
        found = set(leads.get(waiting.pop(), ())) - met
        met |= found
        waiting.extend(found)
    return met


def _of_scene(scene: bpy.types.Scene) -> set[int]:
    """``session_uid`` of a scene's objects and of those of the collections that are instanced."""
    waiting, met = list(scene.objects), set()
    while waiting:
        obj = waiting.pop()
        if obj.session_uid in met:
            continue
        met.add(obj.session_uid)
        if obj.instance_collection is not None:
            waiting.extend(obj.instance_collection.all_objects)
    return met


def refuse_liquids(scene: bpy.types.Scene) -> None:
    """Raise :class:`.steps.SimulationError` if the scene has a fluid domain that can't be run here.

    To be called before a frame of it, or of a copy, is evaluated.
    """
    domains = domains_of(scene)
    if not domains:
        return
    name = domains[0].name
    if not bpy.app.background:
        raise SimulationError(
            f"{name} is a fluid domain, and fluids are not simulated in the window: save the file "
            f"and run `plumbline check FILE` with this Blender"
        )
    if not liquids_work():
        raise SimulationError(
            f"{name} is a fluid domain, and this Blender ({bpy.app.version_string}) can't simulate "
            f"fluids: use an official build of Blender"
        )
    own = _of_scene(scene)
    for obj in domains:
        if obj.session_uid not in own:
            raise SimulationError(
                f"{obj.name} is a fluid domain that isn't among the objects of {scene.name}, but "
                f"evaluated with them, and a copy would share it: put it into the scene, or take "
                f"away what refers to it"
            )
