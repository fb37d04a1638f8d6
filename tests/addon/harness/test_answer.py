# SPDX-License-Identifier: GPL-3.0-or-later
"""What the harness is answered, without the harness: keys, reasons, and nothing that fails open."""

import json
import subprocess
import sys

import numpy as np
import pytest
from plumbline.addon.harness import validator
from plumbline.addon.harness.answer import answer
from plumbline.addon.harness.wording import CHECKS, MOST_FINDINGS, MOST_RELATED
from plumbline.addon.runs.judging import check_ids
from plumbline.addon.scene.submission import submission_from_structure
from plumbline.checks.timber.profiles import PROFILES
from plumbline.checks.timber.release import KEYS
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

#: What the harness's driver hands on; all else it drops.
HANDED_ON = {*KEYS, "all_passed", "stability_details", "dual_end_details"}


@pytest.fixture(scope="module")
def house():
    return gable_house(240, stories=1)


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """``ask(data, profile)`` is the answer to a submission (or to the text of its file)."""

    def one(data, profile="release"):
        monkeypatch.setenv("PLUMBLINE_PROFILE", profile)
        path = tmp_path / "submission.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        words = ["blender", "--background", "--", "--submission", str(path), "--task-id", "BN_01"]
        result = answer(None, words)
        assert json.loads(json.dumps(result, allow_nan=False)) == result
        assert set(result) >= HANDED_ON
        assert {key: result[key] for key in KEYS} == result["tests"]
        return result

    return one


def reasons(result):
    return result["stability_details"]["plumbline"]


def failed(result):
    return {key for key, passed in result["tests"].items() if not passed}


@pytest.mark.parametrize("profile", PROFILES)
def test_every_check_decides_a_key(profile):
    """A new check that nobody gave a key would go under ``completeness``, which is no place."""
    assert set(CHECKS[profile]) <= set(KEYS)
    claimed = {check for checks in CHECKS[profile].values() for check in checks}
    assert set(check_ids(profile)) == claimed - {"reading"}


def test_the_page_lists_the_checks_of_every_key(root):
    page = (root / "docs" / "harness.md").read_text(encoding="utf-8")
    for key in KEYS:
        cells = [f"`{key}`"]
        for profile in ("paper", "engineering"):
            checks = CHECKS[profile].get(key)
            cells.append(", ".join(f"`{c}`" for c in checks) if checks else "as `release`")
        assert f"| {' | '.join(cells)} |" in page


@pytest.mark.parametrize("profile", PROFILES)
def test_a_sound_house_passes_every_key(ask, house, profile):
    result = ask(submission_from_structure(house), profile)
    assert result["all_passed"] is True and result["pass_rate"] == 1.0
    assert reasons(result)["verdict"] == "passed" and not reasons(result)["findings"]
    stability = {k: v for k, v in result["stability_details"].items() if k != "plumbline"}
    assert stability == {"score": 1.0, "total_members": 240, "grounded_members": 240}
    assert result["dual_end_details"] == {
        "rafters_checked": 32,
        "rafters_failed": 0,
        "studs_checked": 88,
        "studs_failed": 0,
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_what_floats_fails_with_its_name(ask, house, profile):
    """A whole house that hangs in the air, and the roof alone."""
    lifted = submission_from_structure(
        TimberStructure.from_boxes(
            house.names, house.center + [0.0, 0.0, 3.0], house.axes, 2 * house.half
        )
    )
    result = ask(lifted, profile)
    assert failed(result) >= {"load_path", "stability_score"} and result["all_passed"] is False
    assert result["stability_details"]["grounded_members"] == 0
    said = reasons(result)
    assert len(said["findings"]) + said["more_findings"] >= 240
    first = next(f for f in said["findings"] if f["test"] == "load_path")
    assert any(name in first["subject"] for name in house.names), "a member, or the place below it"
    assert first["follows"] is None and first["message"]


def test_keys_that_the_paper_has_not_are_judged_as_released(ask, house):
    keep = [not name.startswith(("Joist", "Rim", "Blocking")) for name in house.names]
    result = ask(submission_from_structure(house.subset(np.array(keep))), "paper")
    assert "completeness" in failed(result)
    assert reasons(result)["checks"]["completeness"]["status"] == "failed"
    assert any(f["test"] == f["check"] == "completeness" for f in reasons(result)["findings"])


def test_long_answers_are_cut_and_say_so(ask):
    n = 2 * MOST_FINDINGS
    center = np.column_stack([np.arange(n) * 0.08, np.zeros(n), np.full(n, 9.0)])
    studs = TimberStructure.from_boxes(
        [f"Stud_{k}" for k in range(n)],
        center,
        np.broadcast_to(np.eye(3), (n, 3, 3)),
        np.broadcast_to([0.038, 0.089, 2.0], (n, 3)),
    )
    result = ask(submission_from_structure(studs))
    said = reasons(result)
    assert len(said["findings"]) == MOST_FINDINGS and said["more_findings"] > 0
    assert len(said["findings"]) + said["more_findings"] > n
    assert max(len(f["related"]) for f in said["findings"]) == MOST_RELATED
    assert any(f["more_related"] == n - 1 - MOST_RELATED for f in said["findings"])


# --- Nothing passes by accident ------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_a_member_without_a_thickness_fails(ask, house, profile):
    """Left out in silence, the rest would pass."""
    data = submission_from_structure(house)
    flat = data["members"][100]
    flat["bbox_world_corners"] = [flat["location"]] * 8
    result = ask(data, profile)
    assert "completeness" in failed(result) and result["all_passed"] is False
    (found,) = (f for f in reasons(result)["findings"] if f["check"] == "reading")
    assert found["subject"] == flat["name"] and found["test"] == "completeness"
    assert "is flat, with no volume" in found["message"]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"members": {}}, "members"),
        ({"beams": []}, 'lacks the field "members"'),
        ("[1, 2", "is cut off"),
        ("", "is cut off"),
    ],
)
def test_what_can_not_be_read_fails_every_key(ask, data, sentence, profile):
    result = ask(data, profile)
    assert failed(result) == set(KEYS)
    assert result["all_passed"] is False and result["pass_rate"] == 0.0
    (finding,) = reasons(result)["findings"]
    assert sentence in finding["message"] and reasons(result)["verdict"] == "failed"


@pytest.mark.parametrize("profile", PROFILES)
def test_no_member_at_all_fails(ask, profile):
    assert ask({"members": []}, profile)["all_passed"] is False


def test_an_unknown_profile_judges_nothing(ask):
    with pytest.raises(ValueError, match="set it to one of engineering, paper, release"):
        ask({"members": []}, "lenient")


def _as_the_harness_loads_it(before, path):
    """Load the file by its path under the harness's name, in a process that knows no package."""
    program = f"""
import importlib.util, sys
{before}
spec = importlib.util.spec_from_file_location("dreamhouse_validator", {validator.__file__!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.argv = ["blender", "--", "--submission", {str(path)!r}, "--task-id", "BN_01"]
print(module.run_all_tests(None)["all_passed"])
"""
    command = [sys.executable, "-I", "-c", program]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_file_needs_no_installed_package(tmp_path, house):
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(submission_from_structure(house)))
    done = _as_the_harness_loads_it("sys.modules['bpy'] = None", path)
    assert done.stdout == "True\n", done.stderr


def test_a_blender_without_numpy_judges_nothing(tmp_path):
    done = _as_the_harness_loads_it("sys.modules['numpy'] = None", tmp_path / "none.json")
    assert done.returncode == 1 and not done.stdout
    last = done.stderr.splitlines()[-1]
    assert "PlumblineError: Plumbline judged nothing, so nothing passed: " in last
    assert "numpy" in last


def test_a_blender_that_is_too_old_says_so(tmp_path):
    done = _as_the_harness_loads_it("sys.version_info = (3, 10, 13)", tmp_path / "none.json")
    assert done.returncode == 1 and not done.stdout
    sentence = "this Blender has Python 3.10; set BLENDER_PATH to a 4.2 or newer"
    assert done.stderr.splitlines()[-1].endswith(f"so nothing passed: {sentence}")
