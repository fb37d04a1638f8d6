# SPDX-License-Identifier: GPL-3.0-or-later
"""The validator on the collection of an open scene, where no submission is named."""

import pytest
from plumbline.addon.harness.validator import run_all_tests
from timber_samples import gable_house

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once


def test_a_collection_is_judged_without_a_submission(empty_scene, monkeypatch):
    from plumbline.addon.scene.build import scene_from_structure

    monkeypatch.delenv("PLUMBLINE_PROFILE", raising=False)
    monkeypatch.setattr("sys.argv", ["blender", "--background"])
    collection = scene_from_structure(gable_house(240, stories=1), "BN_01_0003")
    result = run_all_tests(collection)
    assert result["all_passed"] is True and result["task_id"] == "BN_01_0003"
    bpy.data.objects.remove(bpy.data.objects["Stud_0010"])
    result = run_all_tests(collection)
    assert [key for key, passed in result["tests"].items() if not passed] == ["gap_detection"]
