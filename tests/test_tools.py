# SPDX-License-Identifier: GPL-3.0-or-later
"""The tools of the test run itself: mirrors, wrappers, half-made systems, and honest sums."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import chroots
import environments
import pytest
import run_all
from plumbline.addon.runs.system import SystemProblem
from steps import Command, LeftOut, Runner, Step, failures

pytestmark = pytest.mark.once

# --- Where packages come from ---------------------------------------------------------------------

ONE_LINE = """
# deb http://commented.example/debian trixie main
deb [arch=amd64 signed-by=/usr/share/keyrings/x.gpg] http://mirror.example/debian/ bookworm main
deb http://mirror.example/debian bookworm-updates main
deb http://security.debian.org/debian-security bookworm-security main
deb-src http://source.example/debian bookworm main
deb https://packages.example.com/apt stable main
"""
DEB822 = """Types: deb deb-src
# http://snapshot.debian.org/archive/debian/20250520T000000Z
URIs: http://first.example/debian
 http://second.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://security.debian.org/debian-security
Suites: bookworm-security

Enabled: no
Types: deb
URIs: http://disabled.example/debian

Types: deb-src
URIs: http://source.example/debian
"""


def test_mirrors_in_both_formats(tmp_path):
    (tmp_path / "sources.list").write_text(ONE_LINE)
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list.d" / "debian.sources").write_text(DEB822)
    (tmp_path / "sources.list.d" / "old.list.save").write_text("deb http://old.example/debian x y")
    assert chroots.apt_mirrors(tmp_path) == [
        "http://mirror.example/debian",
        "http://first.example/debian",
        "http://second.example/debian",
    ]


def test_mirrors_that_are_listed_in_a_file(tmp_path):
    """As Debian's cloud images have it."""
    listed = tmp_path / "mirrors.list"
    listed.write_text("https://cdn.example/debian\n")
    (tmp_path / "sources.list.d").mkdir()
    text = f"Types: deb\nURIs: mirror+file://{listed}\nSuites: trixie\nComponents: main\n"
    (tmp_path / "sources.list.d" / "debian.sources").write_text(text)
    assert chroots.apt_mirrors(tmp_path) == ["https://cdn.example/debian"]


def test_no_sources_at_all(tmp_path):
    assert chroots.apt_mirrors(tmp_path) == []


# --- Systems in folders ---------------------------------------------------------------------------


def test_another_recipe_gets_another_folder():
    one = chroots.Chroot("trixie", ("blender", "python3"))
    assert one.folder == chroots.Chroot("trixie", ("python3", "blender")).folder
    assert one.folder != chroots.Chroot("trixie", ("blender",)).folder


def test_who_may_not_make_a_system_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path))
    monkeypatch.setattr(chroots, "is_root", lambda: False)
    with pytest.raises(SystemProblem, match="needs root"):
        chroots.Chroot("trixie", ("blender",)).provide()


def test_what_an_interrupted_run_left_is_removed(tmp_path):
    left_over = tmp_path / "trixie-123.partial"
    (left_over / "usr" / "bin").mkdir(parents=True)
    (left_over / "usr" / "bin" / "x").write_text("x")
    chroots.remove_system(left_over)
    assert not left_over.exists()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can mount something"
)
def test_what_is_mounted_inside_is_not_removed(tmp_path):
    outside, left_over = tmp_path / "outside", tmp_path / "trixie-123.partial"
    (left_over / "home").mkdir(parents=True)
    outside.mkdir()
    (outside / "precious").write_text("x")
    mounted = subprocess.run(["mount", "--bind", str(outside), str(left_over / "home")])
    if mounted.returncode != 0:
        pytest.skip("this container lets nobody mount")
    chroots.remove_system(left_over)
    assert (outside / "precious").exists()
    assert not left_over.exists()


def test_a_wrapper_quotes_and_stays_as_it_is(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "with space"))
    system = chroots.Chroot("trixie", ("blender",))
    script = system.command("/usr/bin/blender", "blender-9.9")
    assert os.access(script, os.X_OK)
    assert subprocess.run(["sh", "-n", str(script)]).returncode == 0
    before = script.stat().st_mtime_ns
    assert system.command("/usr/bin/blender", "blender-9.9").stat().st_mtime_ns == before


# --- Environments ---------------------------------------------------------------------------------


def test_an_entry_overrides_pins_and_keeps_the_rest():
    entry = environments.MATRIX[0]
    names = {line.split("==")[0] for line in environments.constraints_for(entry).splitlines()}
    assert not names & {"bpy", "numpy"}
    assert {"pytest", "scipy", "hypothesis"} <= names


def test_every_supported_bpy_is_in_the_matrix():
    assert [(entry.bpy, entry.python) for entry in environments.MATRIX] == [
        *(("4.2.23", "3.11"), ("4.5.15", "3.11"), ("5.0.1", "3.11"), ("5.2.3", "3.13")),
    ]
    names = [step.name for step in run_all.Plan(run_all.Provisions(), Path("/x")).steps()]
    assert {f"in bpy {entry.bpy}" for entry in environments.MATRIX} <= set(names)


def test_the_released_harness_is_left_out_where_its_packages_cannot_be_had(runner):
    def fail():
        raise SystemProblem("the package index does not answer")

    outcome = runner.run(run_all._left_out_without(Step("harness", fail)))
    assert outcome[:3] == (0, 0, 1)
    assert outcome.output == "SKIPPED harness: the package index does not answer"


def test_every_marker_is_run_by_exactly_one_kind_of_step():
    """No test is left out, whichever of the markers it has."""
    alone = ["real_blender and not (window or benchmark)", "window and not benchmark", "benchmark"]
    alone += ["logs", "harness"]
    marks = ("blender", "real_blender", "window", "benchmark", "logs", "harness")
    # The last two stand by themselves: such tests run in environments of their own.
    for number in [*range(17), 32]:
        has = {mark: bool(number & 1 << bit) for bit, mark in enumerate(marks)}
        chosen = [eval(text, {}, dict(has)) for text in [run_all.PURE, run_all.IN_BLENDER, *alone]]
        assert sum(chosen) == 1, has


# --- Steps and their sums -------------------------------------------------------------------------


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path, tmp_path)


def _python(code: str) -> Command:
    return Command([sys.executable, "-c", code])


def test_a_step_is_counted_by_its_exit_code(runner):
    assert runner.run(Step("good", lambda: _python("")))[:3] == (1, 0, 0)
    failed = runner.run(Step("bad", lambda: _python("print('why'); raise SystemExit(3)")))
    assert failed[:3] == (0, 1, 0)
    assert "why" in failed.output


TESTS = """
import pytest
def test_good(): pass
def test_bad(): assert False
def test_broken(nothing): pass
@pytest.mark.skip(reason="a good reason")
def test_skipped(): pass
"""


def test_a_run_of_pytest_is_counted_test_by_test(runner, tmp_path):
    (tmp_path / "test_x.py").write_text(TESTS)
    junit = tmp_path / "x.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "--rootdir=.", "-c", os.devnull]
    command += [f"--junitxml={junit}", "-p", "no:cacheprovider", "test_x.py"]
    outcome = runner.run(Step("x", lambda: Command(command), junit))
    assert outcome[:3] == (1, 2, 1), outcome.output
    assert "a good reason" in run_all.reasons_for_skips(outcome.output)[0]
    bad, broken = failures(Step("x", lambda: Command(()), junit), outcome)
    assert bad.startswith("FAILED x: ") and "::test_bad: " in bad and "assert False" in bad
    assert "::test_broken: " in broken and "fixture 'nothing' not found" in broken


@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 11)", "raise SystemExit(1)"])
def test_a_crash_never_counts_as_a_pass(runner, tmp_path, end):
    step = Step("crash", lambda: _python(f"import os; {end}"), tmp_path / "never.xml")
    assert runner.run(step)[:3] == (0, 1, 0)


def test_a_crash_after_the_last_test_counts(runner, tmp_path):
    junit = tmp_path / "x.xml"
    text = '<testsuites><testsuite tests="3" failures="0" errors="0" skipped="1"/></testsuites>'
    code = f"open({str(junit)!r}, 'w').write({text!r}); import os; os._exit(139)"
    assert runner.run(Step("x", lambda: _python(code), junit))[:3] == (2, 1, 1)


def test_a_step_that_hangs_is_killed_with_its_children(runner, tmp_path):
    alive = tmp_path / "alive"
    child = f"import time, pathlib; time.sleep(3); pathlib.Path({str(alive)!r}).touch()"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    outcome = runner.run(Step("hang", lambda: _python(code), deadline=1.0))
    assert outcome[:3] == (0, 1, 0)
    assert "killed" in outcome.output
    time.sleep(3)
    assert not alive.exists()


def test_what_cannot_be_had_is_skipped_or_failed_with_the_reason(runner):
    def left_out():
        raise LeftOut("no root here")

    def missing():
        raise SystemProblem("no Python 3.13 anywhere")

    skipped = runner.run(Step("window", left_out))
    assert skipped[:3] == (0, 0, 1)
    assert run_all.reasons_for_skips(skipped.output) == ["SKIPPED window: no root here"]
    failed = runner.run(Step("matrix", missing))
    assert failed[:3] == (0, 1, 0)
    assert "3.13" in failed.output


def test_the_sum_is_the_sum(runner, capsys):
    steps = [
        Step("a", lambda: _python("")),
        Step("b", lambda: _python("raise SystemExit('it is broken')")),
        Step("c", lambda: _python("")),
    ]
    total = run_all.run_steps(steps, runner, 2)
    assert str(total) == "2 passed, 1 failed, 0 skipped"
    said = capsys.readouterr().out
    assert "=== b: 0 passed, 1 failed" in said
    assert said.splitlines()[-1] == "FAILED b: it is broken"


def test_an_interrupted_run_leaves_nothing_running(tmp_path):
    pid_file = tmp_path / "pid"
    program = f"""
import pathlib, sys
sys.path.insert(0, {str(Path(run_all.__file__).parent)!r})
import run_all
from steps import Command, Runner, Step
here = pathlib.Path({str(tmp_path)!r})
step = Step("x", lambda: Command(["sh", "-c", "echo $$ > {pid_file}; sleep 60"]))
run_all.run_steps([step], Runner(here, here), 1)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) != 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
