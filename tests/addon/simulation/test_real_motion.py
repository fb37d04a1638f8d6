# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound scenes as Blender's solver really moves them, judged with the default thresholds."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")

import bullet_scenes as bullet  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.steps import finish  # noqa: E402
from plumbline.checks.reconstruction import judge  # noqa: E402


def judged(scene):
    with copied(scene, "Trial") as stage:
        made = finish(record(stage))
    return made, judge(made)


#: Beside "numerical_stability", "prescribed_motion" and "rigidity", what must have been judged.
SOUND = {
    "free_fall": ("gravity",),
    "bouncing_ball": ("restitution", "contact", "energy", "interpenetration"),
    "stack": ("support", "interpenetration", "contact", "energy"),
    "dominoes": ("contact", "energy", "interpenetration"),
    "pendulum": ("energy",),
    "hinged_door": ("contact", "energy"),
    "rolling_ball": ("energy", "support", "contact"),
    "tumbling_crates": ("contact", "energy", "interpenetration", "support"),
    "lift": ("contact", "energy"),
    "sliding_box": ("friction", "support", "contact", "energy"),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_scenes_raise_no_alarm(empty_scene, name):
    made, judgement = judged(bullet.SOUND[name]())
    found = [f.message for check in judgement.checks for f in check.findings]
    assert not found, "\n".join(found)
    passed = {check.id for check in judgement.checks if check.status == "passed"}
    assert {"numerical_stability", "prescribed_motion", "rigidity", *SOUND[name]} <= passed
    assert len(made) == bpy.context.scene.frame_end


def test_a_pile_of_grains_comes_to_rest_soundly(empty_scene):
    scene = bullet.pile(40)
    scene.frame_end = 70
    _, judgement = judged(scene)
    found = [f.message for check in judgement.checks for f in check.findings]
    assert not found, "\n".join(found)


def test_a_cradle_as_people_build_it_gains_energy(empty_scene):
    """No false alarm: the last bob swings out farther than the first was drawn aside."""
    made, judgement = judged(bullet.cradle())
    assert [c.id for c in judgement.checks if c.status == "failed"] == ["energy"]
    height = made.position[..., 2]
    gained = height[:, made.index("bob 4")].max() - height[0, made.index("bob 4")]
    given = height[0, made.index("bob 0")] - height[0, made.index("bob 4")]
    assert gained > 1.2 * given
