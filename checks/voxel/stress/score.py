# SPDX-License-Identifier: GPL-3.0-or-later
"""The check ``stress``: greatest von Mises stress, where it is, and its score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from ...result import CheckResult, Finding, Measures
from ..cells import block_name, to_blender
from ..structure import VoxelError, VoxelStructure
from . import fem, sph
from .element import Floats, Ints
from .solver import NotSolved

Method = Literal["fem", "sph"]
METHODS: tuple[Method, ...] = ("fem", "sph")

ID = "stress"

#: A structure that moves farther than this, m, has left the theory of small displacements: one
#: block.
FAR = 1.0

_WHERE = {
    "fem": "largest of the eight corners of each block",
    "sph": "at the middle of each block, as published",
}


class _Field(NamedTuple):
    """Stress of each block, Pa, their greatest displacement, m, what else there is to say."""

    von_mises: Floats
    moved: float
    note: str | None
    degraded: bool
    figures: dict[str, Any]


def score(reference: float, von_mises: Floats) -> float:
    """``reference`` over the greatest stress, from 0 to 1 (Pa both).

    0 where there is no stress, or any is NaN or infinite, or none is above 0 (as published).
    """
    stress = np.asarray(von_mises, dtype=np.float64)
    if not stress.size or not np.isfinite(stress).all() or stress.max() <= 0:
        return 0.0
    return float(np.clip(reference / stress.max(), 0.0, 1.0))


def stress(
    structure: VoxelStructure,
    method: Method = "fem",
    reference: float | None = None,
    reference_name: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> CheckResult:
    """Stress of a structure, against a reference where there is one.

    Parameters
    ----------
    structure
        The blocks that stand.
    method
        ``"fem"``: finite elements, own weight, real materials. ``"sph"``: the published solver.
    reference, reference_name
        Stress that may be reached, Pa, and what it comes from. Without one the stress is shown and
        nothing is judged: the result is ``inconclusive`` and not required.
    progress
        Told how far the solver is; what it raises ends the check.

    Failed: the greatest stress is beyond the reference, or parts hang on nothing, so that there is
    no static stress (``fem``). Not run: SciPy is missing, or there are too many blocks.
    """
    if method not in METHODS:
        raise ValueError(f"stress has no method {method!r}; it has {', '.join(METHODS)}")
    figures: dict[str, Any] = {"solver": method, "evaluated": _WHERE[method], "unit": "Pa"}
    if reference is not None:
        figures |= {"reference": reference, "reference_name": reference_name or "the task"}
    if not len(structure):
        return CheckResult(ID, "vacuous", score=0.0, reason="nothing was built", figures=figures)
    try:
        field = _fem(structure, progress) if method == "fem" else _sph(structure, progress)
    except fem.Unsupported as error:
        return _hanging(structure, error, figures)
    except NotSolved as error:
        return CheckResult(ID, "inconclusive", reason=str(error), figures=figures)
    except ImportError:
        return _not_run("the stress needs SciPy, which is not there (pip install scipy)", figures)
    except VoxelError as error:
        return _not_run(str(error), figures)
    return _judged(structure, field, reference, {**figures, **field.figures})


def _fem(structure: VoxelStructure, progress: Callable[[int, int], None] | None) -> _Field:
    found = fem.solve(structure, progress=progress)
    moved = float(np.linalg.norm(found.displacement, axis=1).max())
    notes = []
    if found.assumed:
        more = f" and {len(found.assumed) - 5} more" if len(found.assumed) > 5 else ""
        names = ", ".join(found.assumed[:5]) + more
        notes.append(f"taken as stone, since their names say nothing: {names}")
    if moved > FAR:
        notes.append(
            f"it moves by {moved:.1f} m, too far for a figure that assumes it hardly moves"
        )
    figures = {
        "weight_N": found.weight,
        "iterations": found.iterations,
        "residual": found.residual,
        "assumed": list(found.assumed),
    }
    return _Field(found.von_mises, moved, "; ".join(notes) or None, moved > FAR, figures)


def _sph(structure: VoxelStructure, progress: Callable[[int, int], None] | None) -> _Field:
    found = sph.solve(structure, progress=progress)
    count = int(found.touched.sum())
    note = None
    if count:
        note = (
            f"{count} of {len(structure)} blocks lie in or beside parts one block thick, where "
            "this solver shows stress that isn't there"
        )
    moved = float(np.linalg.norm(found.displacement, axis=1).max())
    figures = {"flat": found.flat.tolist(), "touched": count}
    return _Field(found.von_mises, moved, note, count > 0, figures)


def _judged(
    structure: VoxelStructure, field: _Field, reference: float | None, figures: dict[str, Any]
) -> CheckResult:
    """The result of a field: its score, the worst block, and a figure for every block."""
    values, names = field.von_mises, tuple(block_name(p) for p in structure.positions)
    value = None if reference is None else score(reference, values)
    if not np.isfinite(values).all() or values.max() <= 0:
        what = "the solver found no stress"
        if not np.isfinite(values).all():
            what = "the solver went out of bounds"
        elif figures["solver"] == "fem":
            what = "all blocks lie in the ground, which holds them, so there is no stress"
        reason = "; ".join(filter(None, [what, field.note]))
        return CheckResult(
            ID, "inconclusive", score=value, degraded=True, reason=reason, figures=figures
        )
    worst = int(values.argmax())
    greatest = float(values[worst])
    figures |= {"greatest": greatest, "at": structure.positions[worst].tolist()}
    figures["displacement_m"] = field.moved
    limit = np.full(len(values), greatest if reference is None else reference)
    rest: dict[str, Any] = {
        "score": value,
        "degraded": field.degraded,
        "figures": figures,
        "measures": (Measures(names, values, limit, "Pa"),),
    }
    if reference is None:
        reason = "; ".join(
            filter(None, ["no reference was given, so nothing is judged", field.note])
        )
        return CheckResult(ID, "inconclusive", reason=reason, required=False, **rest)
    if greatest <= reference:
        return CheckResult(ID, "passed", reason=field.note, **rest)
    finding = _finding(
        structure,
        np.array([worst]),
        f"{names[worst]} has a stress of {told(greatest)}, above the {told(reference)} of "
        f"{figures['reference_name']}; make it thicker there or shorten the span",
        measured=greatest,
        limit=reference,
    )
    return CheckResult(ID, "failed", (finding,), reason=field.note, **rest)


def _hanging(
    structure: VoxelStructure, error: fem.Unsupported, figures: dict[str, Any]
) -> CheckResult:
    """Parts that hang on nothing: no equilibrium, so no stress and no score."""
    finding = _finding(structure, error.rows, str(error))
    return CheckResult(ID, "failed", (finding,), score=0.0, reason=str(error), figures=figures)


def _not_run(reason: str, figures: dict[str, Any]) -> CheckResult:
    return CheckResult(ID, "not_run", reason=reason, figures=figures)


def _finding(
    structure: VoxelStructure,
    rows: Ints,
    message: str,
    measured: float | None = None,
    limit: float | None = None,
) -> Finding:
    """A fault of the blocks of ``rows``, at the first of them."""
    cells = structure.positions[rows]
    x, y, z = to_blender(cells[:1])[0].tolist()
    return Finding(
        ID,
        block_name(cells[0]),
        message,
        measured=measured,
        limit=limit,
        unit=None if measured is None else "Pa",
        margin=None if measured is None or limit is None else limit - measured,
        location=(x, y, z),
        clause="MineCEraft, appendix G",
        detail={"blocks": cells.tolist()},
    )


def told(pascals: float) -> str:
    """A stress for people: ``"8.94 kPa"``, ``"62 MPa"``."""
    for size, unit in ((1e6, "MPa"), (1e3, "kPa")):
        if pascals >= size:
            return f"{pascals / size:.3g} {unit}"
    return f"{pascals:.3g} Pa"
