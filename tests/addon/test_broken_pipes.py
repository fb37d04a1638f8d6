# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever writes to somebody who has gone gets an error and goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from plumbline.addon import broken_pipes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


@pytest.fixture
def usual():
    """As Blender 4.3 starts: nobody has done anything about the signal."""
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGPIPE, before)


def test_a_broken_pipe_is_an_error(usual):
    broken_pipes.survive()
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(BrokenPipeError):
        os.write(write, b"to nobody")
    os.close(write)


def test_somebody_elses_handler_stays(usual):
    heard = []
    signal.signal(signal.SIGPIPE, lambda *_: heard.append(1))
    mine = signal.getsignal(signal.SIGPIPE)
    broken_pipes.survive()
    assert signal.getsignal(signal.SIGPIPE) is mine


def test_programs_that_are_started_end_as_usual(usual):
    broken_pipes.survive()
    done = subprocess.run(["sh", "-c", "yes | head -n 1"], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("y\n", "")
