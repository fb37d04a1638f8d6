# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline check`` of scenes in motion: run in the worker, by a rubric, a task or neither."""

from __future__ import annotations

import json

import pytest

bpy = pytest.importorskip("bpy")

from plumbline.addon.runs import cli  # noqa: E402
from plumbline.addon.sandbox.client import BlenderWorker, WorkerError  # noqa: E402

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def sunken(tmp_path_factory):
    """A box that is 0.1 m inside of a slab, both still, and a ball that falls past them."""
    file = tmp_path_factory.mktemp("scene") / "sunken.blend"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.frame_end = 12
    bpy.ops.rigidbody.world_add()
    for name, size, place, kind in (
        ("Slab", (2, 2, 0.2), (0, 0, -0.1), "PASSIVE"),
        ("Box", (0.4, 0.4, 0.4), (0, 0, 0.1), "PASSIVE"),
        ("Ball", (0.2, 0.2, 0.2), (2, 0, 3), "ACTIVE"),
    ):
        bpy.ops.mesh.primitive_cube_add(size=1, location=place)
        obj = bpy.context.object
        obj.name, obj.scale = name, size
        bpy.ops.rigidbody.object_add(type=kind)
        obj["plumbline_role"] = name.lower()
    bpy.ops.wm.save_as_mainfile(filepath=str(file), copy=True)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return file


def records(capsys, *arguments):
    code = cli.main(["check", *map(str, arguments), "--json"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_rubric_says_what_is_judged(sunken, tmp_path, capsys):
    rubric = tmp_path / "rubric.json"
    criteria = [{"id": "A", "probes": ["interpenetration"]}, {"id": "B", "probes": ["gravity"]}]
    rubric.write_text(json.dumps({"criteria": criteria}), encoding="utf-8")
    code, [record] = records(capsys, sunken, "--rubric", rubric)
    found = {check["id"]: check for check in record["checks"]}
    assert code == 1 and (record["kind"], record["verdict"]) == ("reconstruction", "failed")
    assert {name: check["status"] for name, check in found.items()} == {
        "interpenetration": "failed",
        "gravity": "passed",
    }
    [finding] = found["interpenetration"]["findings"]
    assert {finding["subject"], *finding["related"]} == {"Box", "Slab"}
    assert finding["measured"] == pytest.approx(0.1, abs=1e-3)
    assert record["metrics"]["validity"] is not None and record["metrics"]["bodies"] == 3


def test_a_scene_with_physics_is_run_without_being_told_so(sunken, capsys):
    _, [record] = records(capsys, sunken)
    assert record["kind"] == "reconstruction" and len(record["checks"]) == 15
    assert any("--kind timber" in note for note in record["notes"])
    _, [record] = records(capsys, sunken, "--kind", "timber")
    assert record["kind"] == "timber"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rubric", "none.json"), "no such file"),
        (("--rubric", "none.json", "--kind", "timber"), "leave --kind out"),
        (("--rubric", "none.json", "--task", "reconstruction/crate_on_table"), "leave one of them"),
    ],
)
def test_what_does_not_go_together_is_told_before_anything_is_run(sunken, options, said, capsys):
    assert cli.main(["check", str(sunken), *options]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told and "\n" not in told


def test_a_blender_that_ends_leaves_the_checks_of_a_simulation_not_run(sunken, monkeypatch, capsys):
    def end(*_, **__):
        raise WorkerError("crash", "reading failed: it ended itself", "read")

    monkeypatch.setattr(BlenderWorker, "request", end)
    code, [record] = records(capsys, sunken, "--kind", "reconstruction")
    assert (code, record["kind"], record["verdict"]) == (3, "reconstruction", "not_judged")
    assert {check["status"] for check in record["checks"]} == {"not_run"}
    assert len(record["checks"]) == 15


def test_a_scene_in_which_nothing_moves_is_told(tmp_path, capsys):
    file = tmp_path / "still.blend"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.wm.save_as_mainfile(filepath=str(file), copy=True)
    assert cli.main(["check", str(file), "--kind", "reconstruction"]) == 2
    told = capsys.readouterr().err.strip()
    assert str(file) in told and "\n" not in told
