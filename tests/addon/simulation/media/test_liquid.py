# SPDX-License-Identifier: GPL-3.0-or-later
"""Liquids are measured where this Blender simulates them, and refused elsewhere before a step."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

bpy = pytest.importorskip("bpy")

import liquid_scene  # noqa: E402
import numpy as np  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.media.liquid_solver import liquids_work  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.steps import finish  # noqa: E402
from plumbline.checks.reconstruction import ReconstructionBrief  # noqa: E402
from plumbline.checks.reconstruction.probes import PROBES  # noqa: E402

# A fluid domain that is evaluated where liquids don't work ends the process, if only at its exit.
_REFUSED = """
import json, os, sys
sys.path[:0] = [ROOT + "/tests", ROOT + "/tests/helpers"]
import conftest, bpy, liquid_scene
from plumbline.addon.simulation.copying import copied
from plumbline.addon.simulation.media.liquid_solver import domains_of, liquids_work
from plumbline.addon.simulation.steps import SimulationError
bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
scene = bpy.context.scene
hidden = bpy.data.collections.new("hidden")
scene.collection.children.link(hidden)
hidden.hide_viewport = True
apart = bpy.data.collections.new("apart")
liquid_scene.build(scene, 8, hidden)
found = [[obj.name for obj in domains_of(scene)]]
liquid_scene.build(scene, 8, apart)
for obj in list(hidden.objects):
    bpy.data.objects.remove(obj)
found.append([obj.name for obj in domains_of(scene)])
instance = bpy.data.objects.new("instance", None)
instance.instance_type, instance.instance_collection = "COLLECTION", apart
scene.collection.objects.link(instance)
found.append([obj.name for obj in domains_of(scene)])
bpy.data.objects.remove(instance)
found.append([obj.name for obj in domains_of(scene)])
background = bpy.data.scenes.new("background")
background.collection.children.link(apart)
scene.background_set = background
found.append([obj.name for obj in domains_of(scene)])
domain = bpy.data.objects["domain.001"]
domain.modifiers[0].show_viewport = False
found.append([obj.name for obj in domains_of(scene)])
domain.modifiers[0].keyframe_insert("show_viewport", frame=3)
found.append([obj.name for obj in domains_of(scene)])
try:
    with copied(scene, "trial"):
        words = "copied"
except SimulationError as error:
    words = str(error)
print("FOUND", json.dumps([found, words, scene.frame_current, liquids_work()]), flush=True)
os._exit(0)
"""


@pytest.mark.once
def test_a_domain_is_found_wherever_it_is_and_refused_where_it_would_end_the_process(root):
    program = f"ROOT = {str(root)!r}\n{_REFUSED}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    told = [line for line in done.stdout.splitlines() if line.startswith("FOUND")]
    assert told, done.stderr
    found, words, frame, works = json.loads(told[0].removeprefix("FOUND"))
    shown = ["domain.001"]
    assert found == [["domain"], [], shown, [], shown, [], shown]
    assert not works and frame == 1
    assert "domain.001 is a fluid domain" in words and "official build" in words


def test_water_in_a_bowl_is_measured():
    if not bpy.app.binary_path:
        pytest.skip("the bpy module can't simulate liquids: a fluid domain ends its process")
    if not liquids_work():
        pytest.skip(f"this Blender ({bpy.app.version_string}) can't simulate liquids")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    domain = liquid_scene.build(scene)
    folder = domain.modifiers[0].domain_settings.cache_directory
    with copied(scene, "trial") as stage:
        made = finish(record(stage))
    assert domain.modifiers[0].domain_settings.cache_directory == folder
    (water,) = made.liquids
    assert made.bodies[made.index("domain")].medium == "liquid" and water.container == "bowl"
    # The solver fills whole cells, of 125 mm here.
    assert water.volume[0] == pytest.approx(0.54 * 0.54 * 0.3, rel=0.3)
    assert (water.added == water.volume[0]).all()
    assert (water.leaked == 0).all() and (water.inside < 0.02).all()
    assert np.isfinite(water.level).all() and water.level[-1] < water.level[0] - 0.1
    brief = ReconstructionBrief()
    assert PROBES["liquid"](made, brief, brief.limits).status == "passed"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
