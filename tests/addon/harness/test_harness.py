# SPDX-License-Identifier: GPL-3.0-or-later
"""Our validator in the released harness itself: its server, its client, its Blender scripts.

Runs in an environment of its own (``tests/tools/environments.py``), with the package from PyPI and
the bpy that it recommends.
"""

import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from blender_by_bpy import write_command
from logged_run import PNG
from plumbline.addon.harness.install import InstallError, install, remove
from plumbline.addon.harness.validator import __file__ as VALIDATOR
from plumbline.addon.scene.submission import submission_from_structure
from plumbline.checks.timber.release import KEYS
from timber_samples import gable_house

pytestmark = pytest.mark.harness

TASK = "BN_01_0003"
#: Of the released server: four sills, as its own stub draws them, score 5 of 10.
STUB_FAILS = {"completeness", "load_path", "roof_coverage", "gap_detection", "stability_score"}
#: A stud in the middle of a wall that is taken away, and those that stand beside it.
GONE, NEIGHBOURS = "Stud_0010", {"Stud_0009", "Stud_0011"}
START = 20.0  # until the server must answer, s


@pytest.fixture(scope="module")
def blender(tmp_path_factory):
    """The Blender that the harness starts: a real one by its variable, else the bpy module."""
    named = os.environ.get("PLUMBLINE_HARNESS_BLENDER")
    return Path(named) if named else write_command(tmp_path_factory.mktemp("blender"))


@pytest.fixture(scope="module")
def client(blender):
    """The harness's own client."""
    from examples import quickstart

    quickstart.BLENDER_PATH = str(blender)
    return quickstart


@pytest.fixture(scope="module")
def environment(tmp_path_factory, blender):
    """What the harness is told, in this process as well: our validator, a task, a Blender."""
    tasks = tmp_path_factory.mktemp("tasks")
    (tasks / TASK).mkdir()
    (tasks / TASK / f"{TASK}_skin_front.png").write_bytes(PNG)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DREAMHOUSE_TASKS_DIR", str(tasks))
        patch.setenv("DREAMHOUSE_VALIDATOR", VALIDATOR)
        patch.setenv("BLENDER_PATH", str(blender))
        yield


@pytest.fixture(scope="module")
def server(environment):
    """The address of the harness's server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "server.app:app", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + START
        while time.monotonic() < end and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        else:
            pytest.fail(f"the harness's server did not start (exit {process.poll()})")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture(scope="module")
def house():
    return submission_from_structure(gable_house(240, stories=1))["members"]


@pytest.fixture(scope="module")
def results(client, server, house, tmp_path_factory):
    """Results by name, as the harness's client gets them; two Blenders work at a time."""

    def judged(members):
        session = client.create_session(server, TASK)
        return client.submit_and_poll(server, session, members)

    def stub():
        """From its own code through its Blender and its export."""
        blend = tmp_path_factory.mktemp("stub") / "structure.blend"
        code = client.stub_agent("", [], []).replace("COLLECTION_NAME", TASK)
        assert client.run_blender(code, blend, TASK)["success"]
        return judged(client.export_geometry(blend, TASK)["members"])

    flawed = [member for member in house if member["name"] != GONE]
    with ThreadPoolExecutor(max_workers=2) as pool:
        work = {
            "stub": pool.submit(stub),
            "sound": pool.submit(judged, house),
            "flawed": pool.submit(judged, flawed),
        }
        return {name: future.result() for name, future in work.items()}


def reasons(result):
    return result["stability_details"]["plumbline"]


def failed(result):
    return {key for key, passed in result["tests"].items() if not passed}


# --- Verdicts ------------------------------------------------------------------------------------


def test_a_sound_house_passes(client, results):
    result = results["sound"]
    assert result["all_passed"] is True and result["pass_rate"] == 1.0
    assert tuple(result["tests"]) == KEYS
    assert result["task_id"] == TASK
    assert result["stability_details"]["grounded_members"] == 240
    assert result["dual_end_details"]["studs_checked"] == 88
    assert reasons(result)["verdict"] == "passed" and not reasons(result)["findings"]
    assert client.format_feedback(result).startswith("[SUCCESS]")


def test_its_own_stub_scores_as_published(client, results):
    """Members with their origin at the world's, which its own reader would collapse there."""
    result = results["stub"]
    assert failed(result) == STUB_FAILS
    assert result["pass_rate"] == 0.5 and result["all_passed"] is False
    assert "Passed: 5/10" in client.format_feedback(result)
    assert any("Its corners were used" in note for note in reasons(result)["notes"])


def test_a_fault_is_named(results):
    result = results["flawed"]
    assert failed(result) == {"gap_detection"} and result["all_passed"] is False
    (finding,) = reasons(result)["findings"]
    assert finding["test"] == "gap_detection"
    assert set(finding["related"]) == NEIGHBOURS and "Stud_0009" in finding["subject"]
    assert finding["measured"] == pytest.approx(0.812) and finding["limit"] == 0.615
    assert "put another stud between them" in finding["message"]


def test_installed_for_its_command_line(environment, house, monkeypatch):
    """Where ``dreamhouse run`` looks, and in ``engineering``, which sees one member in another."""
    from server.validator_runner import DEFAULT_VALIDATOR, run_validation

    monkeypatch.delenv("DREAMHOUSE_VALIDATOR")
    monkeypatch.setenv("PLUMBLINE_PROFILE", "engineering")
    plate = next(m for m in house if m["name"].startswith("TopPlate"))
    DEFAULT_VALIDATOR.parent.mkdir(exist_ok=True)
    DEFAULT_VALIDATOR.write_bytes(b"theirs")
    assert install() == DEFAULT_VALIDATOR
    try:
        result = run_validation({"members": [*house, _raised(plate, 0.019)]}, TASK)
    finally:
        remove()
    assert DEFAULT_VALIDATOR.read_bytes() == b"theirs"
    DEFAULT_VALIDATOR.unlink()
    assert reasons(result)["profile"] == "engineering" and reasons(result)["verdict"] == "failed"
    assert result["all_passed"] is False and "gap_detection" in failed(result)
    clash = next(f for f in reasons(result)["findings"] if f["check"] == "clash")
    assert "TopPlate_9999" in (clash["subject"], *clash["related"])
    with pytest.raises(InstallError, match="nothing was changed"):
        remove()


def _raised(member, up):
    """A member of a submission under another name, all its fields moved alike."""
    member = {**json.loads(json.dumps(member)), "name": "TopPlate_9999"}
    member["location"][2] += up
    member["matrix_world"][2][3] += up
    for corner in member["bbox_world_corners"]:
        corner[2] += up
    return member


# --- Nothing passes by accident ------------------------------------------------------------------


def test_code_that_raises_leaves_nothing_to_submit(client, tmp_path):
    blend = tmp_path / "structure.blend"
    done = client.run_blender("import bpy\nraise ValueError('no such beam')\n", blend, TASK)
    assert not done["success"] and not blend.exists()


def test_our_own_fault_is_no_verdict(environment, house, monkeypatch):
    """Its server makes a failed job of a result with an ``error``; its client gets no results."""
    from server.validator_runner import run_validation

    monkeypatch.setenv("PLUMBLINE_PROFILE", "lenient")
    result = run_validation({"members": house[:3]}, TASK)
    assert "tests" not in result and "all_passed" not in result
    assert result["error"] == (
        "PlumblineError: Plumbline judged nothing, so nothing passed: PLUMBLINE_PROFILE is "
        "'lenient'; set it to one of engineering, paper, release"
    )
