# SPDX-License-Identifier: GPL-3.0-or-later
"""A rubric from a JSON file: what ``plumbline check --rubric FILE`` judges a simulation by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...checks.reconstruction.brief import ReconstructionBrief
from ...tasks.model import TaskError, read_text
from .. import strict_json
from .judging import InputError


def read_rubric(file: str | Path) -> dict[str, Any]:
    """The rubric in a file, as plain data that was read through once.

    Raises :class:`InputError`: one sentence that names the file and the place in it.
    """
    path = Path(file)
    if not path.exists():
        raise InputError(f"{path}: no such file; check the path")
    try:
        data = strict_json.loads(read_text(path).removeprefix("\ufeff"))
    except TaskError as error:
        raise InputError(str(error)) from None
    except ValueError as error:
        raise InputError(f"{path}: is no JSON ({error}); write the rubric as JSON") from None
    if isinstance(data, dict) and {"id", "kind", "brief"} <= data.keys():
        raise InputError(f"{path}: is a task; name it with --task {path.parent}")
    try:
        ReconstructionBrief.from_mapping(data)
    except ValueError as error:
        remedy = "see docs/checks-reconstruction.md, Rubric"
        raise InputError(f"{path}: {error}; {remedy}") from None
    return dict(data)
