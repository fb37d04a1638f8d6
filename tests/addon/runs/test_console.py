# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard streams that are closed, full or gone end in a sentence, never in a traceback."""

import io
import os
import subprocess
import sys

import pytest
from plumbline.addon.runs.console import Console
from plumbline.addon.runs.storage import StorageError, storage_error

pytestmark = pytest.mark.once

FULL = "/dev/full"
needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason="no /dev/full here")


@pytest.fixture
def streams():
    return io.StringIO(), io.StringIO()


@needs_full
def test_a_full_disk_behind_standard_output_is_said_once(streams):
    _, err = streams
    with open(FULL, "w") as out:
        terminal = Console(out, err, {})
        terminal.line("one")
        terminal.line("two")
    assert terminal.failed
    assert err.getvalue() == "plumbline: standard output: the disk is full; free some space\n"


def test_streams_that_are_not_there_take_everything():
    terminal = Console(None, None, {})
    terminal.line("one")
    terminal.warn("two")
    assert not terminal.failed


def test_what_is_warned_of_moves_no_cursor(streams):
    terminal = Console(*streams, {})
    terminal.warn("no\n\x1b[2Jsuch file")
    assert streams[1].getvalue() == "plumbline: no\\n\\x1b[2Jsuch file\n"


def test_a_storage_error_is_its_sentence(tmp_path):
    error = storage_error(tmp_path, OSError(28, "No space left on device"))
    assert str(error) == f"{tmp_path}: the disk is full; free some space"
    assert error.errno == 28 and isinstance(error, StorageError)


@needs_full
@pytest.mark.parametrize(
    ("redirection", "code", "said"),
    [
        (">/dev/full", 2, "the disk is full"),
        (">&-", 0, ""),
        (">&- 2>&-", 0, ""),
        ("<&-", 0, ""),
    ],
)
@pytest.mark.parametrize("machine", ["", "--json"])
def test_the_command_with_its_streams_taken_away(root, redirection, code, said, machine):
    line = f'"{sys.executable}" "{root / "run_suite.py"}" tasks list {machine} {redirection}'
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert said in done.stderr
