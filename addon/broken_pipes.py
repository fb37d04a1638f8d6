# SPDX-License-Identifier: GPL-3.0-or-later
"""A write to somebody who has gone must be an error, not the end of Blender.

Python ignores the signal that comes with it and raises ``BrokenPipeError``. Blender's Python does
not in every version (not in 4.3): there a worker that died, or a server that hung up, would take
the person's session with it.
"""

from __future__ import annotations

import signal
import threading


def survive() -> None:
    """Ignore that signal as Python itself does, unless somebody has a handler for it.

    For good, since threads may still write when the extension goes. Programs that we start have the
    system's usual behaviour again (``subprocess`` sees to it).
    """
    usual = getattr(signal, "SIGPIPE", None)  # Windows has none
    if usual is None or threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(usual) is signal.SIG_DFL:
        signal.signal(usual, signal.SIG_IGN)
