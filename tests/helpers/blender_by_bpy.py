# SPDX-License-Identifier: GPL-3.0-or-later
"""The program ``blender`` made of the ``bpy`` module, for programs that start one.

Does what Blender's own main does with a file to open, ``--python`` and ``--python-expr`` in their
order: a script that raises is printed and the program goes on, one that calls ``sys.exit`` ends it.
What is behind ``--`` belongs to the scripts. The module has no window and, in the empty user folder
of these tests, factory settings: ``--background`` and ``--factory-startup`` change nothing.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path


def write_command(folder: Path) -> Path:
    """An executable ``blender`` in ``folder`` that runs this file with this Python."""
    command = folder / "blender"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "$@"\n')
    command.chmod(0o755)
    return command


def _run(source: str, file: str) -> None:
    try:
        exec(compile(source, file, "exec"), {"__name__": "__main__", "__file__": file})
    except SystemExit:
        raise
    except BaseException:
        traceback.print_exc()


def main() -> None:
    import bpy

    words = iter(sys.argv[1:])
    for word in words:
        if word == "--":
            break
        if word == "--python":
            path = next(words)
            _run(Path(path).read_text(encoding="utf-8"), path)
        elif word == "--python-expr":
            _run(next(words), "<expression>")
        elif word not in ("--background", "--factory-startup"):
            bpy.ops.wm.open_mainfile(filepath=word)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # Blender's own end, without Python tearing bpy down


if __name__ == "__main__":
    main()
