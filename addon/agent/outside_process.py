# SPDX-License-Identifier: GPL-3.0-or-later
"""A command of the person's own: started without a shell, with a log, ended with all it started."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

#: What is kept of the output of a command, bytes from its beginning.
LOG_KEPT = 8 << 20
#: Variables whose values never stand in a log, and how long a value must be to tell.
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
_TELLING = 8
#: How long a killed command may take to be gone, s.
_END = 5.0


class CommandError(OSError):
    """A command that can't be started; one sentence with the remedy."""


class Command:
    """A running command; its output goes into ``log``. Use as a context manager.

    It gets a process group of its own, so that ending it ends what it started too. Raises
    :class:`CommandError`.
    """

    def __init__(
        self, argv: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path
    ) -> None:
        self._secrets = _secrets(environment)
        with contextlib.ExitStack() as stack:
            self._log = stack.enter_context(open(log, "wb"))
            try:
                self._process = subprocess.Popen(
                    list(argv),
                    cwd=folder,
                    env=dict(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    start_new_session=os.name == "posix",
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise CommandError(
                    f"{argv[0]} can't be started ({reason}); check the command after cli:"
                ) from None
            stack.pop_all()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        room = LOG_KEPT
        assert self._process.stdout is not None
        while piece := self._process.stdout.readline(1 << 16):
            for secret in self._secrets:  # a log is looked at and passed on
                piece = piece.replace(secret, b"[key]")
            with contextlib.suppress(OSError, ValueError):  # a full disk must not block it
                self._log.write(piece[: max(0, room)])
                self._log.flush()
            room -= len(piece)

    @property
    def code(self) -> int | None:
        """Its exit code, negative for a signal; ``None`` while it runs."""
        return self._process.poll()

    def end(self) -> None:
        """Kill it with everything it started, whatever of that still runs."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        elif self._process.poll() is None:
            subprocess.run(
                ["taskkill", "/F", "/T", "/PID", str(self._process.pid)],
                capture_output=True,
                check=False,
            )
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END)
        self._thread.join(_END)
        if not self._thread.is_alive():
            assert self._process.stdout is not None
            self._process.stdout.close()
        self._log.close()

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _secrets(environment: Mapping[str, str]) -> list[bytes]:
    """Values of the environment that are keys by the names of their variables, longest first."""
    found = {
        value.encode("utf-8", "surrogateescape")
        for name, value in environment.items()
        if _SECRET.search(name) and len(value) >= _TELLING
    }
    return sorted(found, key=len, reverse=True)
