# SPDX-License-Identifier: GPL-3.0-or-later
"""The check ``stress``: greatest von Mises stress, where it is, and its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ...result import CheckResult, Finding, Measures
from ..cells import block_name, to_blender
from ..structure import Bools, VoxelError, VoxelStructure
from . import fem, sph
from .element import Floats, Ints
from .mesh import Mesh
from .solver import NotSolved

Method = Literal["fem", "sph"]
METHODS: tuple[Method, ...] = ("fem", "sph")

ID = "stress"

#: A structure that moves farther than this, m, has left the theory of small displacements: one
#: block.
FAR = 1.0

#: What keeps a solver from an answer; :func:`refused` says it.
REFUSALS = (VoxelError, NotSolved, ImportError)

# Where the paper has the solver; the finite elements are ours, and so are their limits.
_CLAUSES = {"sph": "MineCEraft, appendix G"}
_WHERE = {
    "fem": "largest of the eight corners of each block",
    "sph": "at the middle of each block, as published",
}


@dataclass(frozen=True)
class Field:
    """What a solver found for each of ``n`` blocks, and what else there is to say.

    Attributes
    ----------
    method
        Which solver it was.
    von_mises
        (n,), Pa; not finite where the solver went out of bounds.
    corners
        Displacement of the eight corners of each block, (n, 8, 3), m, in the axes of the task and
        the order of :data:`.element.CORNERS`.
    moved
        The greatest displacement, m, as the solver has it.
    artefact
        Blocks in or beside parts one block thick, (n,): where ``sph`` shows stress that isn't.
    note, degraded, figures
        As in the check's result.
    """

    method: Method
    von_mises: Floats
    corners: Floats
    moved: float
    artefact: Bools
    note: str | None
    degraded: bool
    figures: Mapping[str, Any]


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
    figures = _named(method, reference, reference_name)
    if not len(structure):
        return CheckResult(ID, "vacuous", score=0.0, reason="nothing was built", figures=figures)
    try:
        field = field_of(structure, method, progress)
    except REFUSALS as error:
        return refused(structure, error, figures)
    return judged(structure, field, reference, reference_name)


def field_of(
    structure: VoxelStructure,
    method: Method = "fem",
    progress: Callable[[int, int], None] | None = None,
) -> Field:
    """The stress of a structure with at least one block; raises one of :data:`REFUSALS`."""
    if method not in METHODS:
        raise ValueError(f"stress has no method {method!r}; it has {', '.join(METHODS)}")
    return _fem(structure, progress) if method == "fem" else _sph(structure, progress)


def refused(
    structure: VoxelStructure, error: Exception, figures: Mapping[str, Any] | None = None
) -> CheckResult:
    """The result where :func:`field_of` raised one of :data:`REFUSALS`."""
    told = dict(figures or {})
    if isinstance(error, fem.Unsupported):
        return _hanging(structure, error, told)
    if isinstance(error, NotSolved):
        return CheckResult(ID, "inconclusive", reason=str(error), figures=told)
    reason = str(error)
    if isinstance(error, ImportError):
        reason = (
            f"the stress of {len(structure)} blocks needs SciPy, which is not there "
            "(pip install scipy)"
        )
    return CheckResult(ID, "not_run", reason=reason, figures=told)


def _named(method: str, reference: float | None, name: str) -> dict[str, Any]:
    figures: dict[str, Any] = {"solver": method, "evaluated": _WHERE.get(method), "unit": "Pa"}
    if reference is not None:
        figures |= {"reference": reference, "reference_name": name or "the task"}
    return figures


def _fem(structure: VoxelStructure, progress: Callable[[int, int], None] | None) -> Field:
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
    corners = found.displacement[found.mesh.cubes]
    none = np.zeros(len(structure), dtype=bool)
    note = "; ".join(notes) or None
    return Field("fem", found.von_mises, corners, moved, none, note, moved > FAR, figures)


def _sph(structure: VoxelStructure, progress: Callable[[int, int], None] | None) -> Field:
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
    corners = _at_corners(structure, found.displacement)
    return Field("sph", found.von_mises, corners, moved, found.touched, note, count > 0, figures)


def _at_corners(structure: VoxelStructure, moved: Floats) -> Floats:
    """What blocks move by, (n, 3), as the mean of those that share each corner, (n, 8, 3)."""
    cubes = Mesh.of(structure).cubes
    nodes, owner = cubes.ravel(), np.repeat(np.arange(len(cubes)), 8)
    shared = np.bincount(nodes)
    mean = [np.bincount(nodes, moved[owner, axis]) / shared for axis in range(3)]
    return np.stack(mean, axis=-1)[cubes]


def judged(
    structure: VoxelStructure, field: Field, reference: float | None, reference_name: str = ""
) -> CheckResult:
    """The result of a field: its score, the worst block, and a figure for every block."""
    figures = {**_named(field.method, reference, reference_name), **field.figures}
    values, names = field.von_mises, tuple(block_name(p) for p in structure.positions)
    value = None if reference is None else score(reference, values)
    if not np.isfinite(values).all() or values.max() <= 0:
        reason = "; ".join(filter(None, [_why_none(field), field.note]))
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
        most = f"{names[worst]} has the greatest stress, {told(greatest)}"
        unjudged = "no reference was given, so nothing is judged"
        reason = "; ".join(filter(None, [most, unjudged, field.note]))
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
        clause=_CLAUSES.get(field.method),
    )
    return CheckResult(ID, "failed", (finding,), reason=field.note, **rest)


def _why_none(field: Field) -> str:
    """Why there is no stress that could be judged."""
    if not np.isfinite(field.von_mises).all():
        return "the solver went out of bounds"
    if field.method == "fem":
        return "all blocks lie in the ground, which holds them, so there is no stress"
    return "the solver found no stress"


def _hanging(
    structure: VoxelStructure, error: fem.Unsupported, figures: dict[str, Any]
) -> CheckResult:
    """Parts that hang on nothing: no equilibrium, so no stress and no score."""
    finding = _finding(structure, error.rows, str(error))
    return CheckResult(ID, "failed", (finding,), score=0.0, reason=str(error), figures=figures)


def _finding(
    structure: VoxelStructure,
    rows: Ints,
    message: str,
    measured: float | None = None,
    limit: float | None = None,
    clause: str | None = None,
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
        clause=clause,
        detail={"blocks": cells.tolist()},
    )


def told(pascals: float) -> str:
    """A stress for people: ``"8.94 kPa"``, ``"62 MPa"``."""
    for size, unit in ((1e6, "MPa"), (1e3, "kPa")):
        if pascals >= size:
            return f"{pascals / size:.3g} {unit}"
    return f"{pascals:.3g} Pa"
