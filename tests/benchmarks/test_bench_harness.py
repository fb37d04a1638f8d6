# SPDX-License-Identifier: GPL-3.0-or-later
"""What one submission costs: in the released harness, in it with our validator, and with us alone.

The harness starts a Blender for each. Its own validator is closed, so one that looks at nothing
stands for it: what is measured is the least that it can take. Figures are processor time, of this
process and of the Blenders that it started: other programs on the machine shall not decide.
"""

import importlib.util
import resource
import subprocess
import sys

import pytest
from blender_by_bpy import write_command
from environments import HARNESS, provide
from plumbline import judge
from plumbline.addon.harness.validator import __file__ as VALIDATOR
from plumbline.addon.runs.system import SystemProblem
from plumbline.addon.scene.submission import submission_from_structure
from timber_samples import gable_house


def processor_time():
    """Processor time of this process and of those that it started and that have ended, s."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


pytestmark = pytest.mark.benchmark(timer=processor_time)

LARGEST_PUBLISHED = 1548  # members of the largest structure of the data set
NOTHING = "def run_all_tests(collection):\n    return {'all_passed': False}\n"
WHERE = "import server.validator_runner as runner; print(runner.__file__)"


@pytest.fixture(scope="module")
def harness(tmp_path_factory):
    """The harness's own function that judges a submission, with the Blender of its environment."""
    try:
        python = provide(HARNESS)
    except SystemProblem as problem:
        pytest.skip(f"no environment with the released harness: {problem}")
    folder = tmp_path_factory.mktemp("harness")
    (folder / "nothing.py").write_text(NOTHING)
    path = subprocess.run([*python, "-I", "-c", WHERE], capture_output=True, text=True, check=True)
    spec = importlib.util.spec_from_file_location("released_runner", path.stdout.strip())
    runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runner)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", python[0])
        patch.setenv("BLENDER_PATH", str(write_command(folder)))
        yield runner, {"nothing": str(folder / "nothing.py"), "plumbline": VALIDATOR}


@pytest.fixture(scope="module")
def submission():
    return submission_from_structure(gable_house(LARGEST_PUBLISHED))


@pytest.mark.parametrize("name", ["nothing", "plumbline"])
def test_a_submission_in_the_harness(benchmark, harness, submission, monkeypatch, name):
    runner, validators = harness
    monkeypatch.setenv("DREAMHOUSE_VALIDATOR", validators[name])
    result = benchmark.pedantic(runner.run_validation, (submission, "BN_01_0003"), rounds=1)
    assert result["all_passed"] is (name == "plumbline")


def test_a_submission_without_it(benchmark, submission):
    result = benchmark(judge, submission, profile="release")
    assert result.verdict == "passed"
