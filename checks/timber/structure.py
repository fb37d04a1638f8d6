# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain-data picture of a timber scene that the checks read: members as oriented boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Signs of the eight corners in box coordinates, in the order of Blender's ``Object.bound_box``.
CORNER_SIGNS: Floats = np.array(
    [
        [-1, -1, -1],
        [-1, -1, 1],
        [-1, 1, 1],
        [-1, 1, -1],
        [1, -1, -1],
        [1, -1, 1],
        [1, 1, 1],
        [1, 1, -1],
    ],
    dtype=np.float64,
)

# An axis is longer than the next only beyond this ratio: float noise must not turn a square post.
_LENGTH_TIE = 1e-6


class StructureError(ValueError):
    """A structure that can't be built from what was given; the message names member and remedy."""


@dataclass(frozen=True)
class TimberStructure:
    """``n`` members as oriented boxes.

    Attributes
    ----------
    names
        Member names, ``n``, unique as given by the source (Blender's ``.001`` is kept here).
    explicit_roles
        The custom property ``plumbline_role`` of each member, ``None`` where there is none.
    center
        Box centres, (n, 3), m.
    axes
        Unit axes as rows, (n, 3, 3), right-handed: ``axes[i, 0]`` along the largest extent (the
        length), ``axes[i, 1]`` along the middle one (depth), ``axes[i, 2]`` along the smallest.
        Checks that know the role may reorder them (a block shorter than it is deep).
    half
        Half extents along those axes, (n, 3), m, in descending order.
    notes
        Sentences about the reading: skipped objects, odd shapes, disagreeing fields.
    skipped
        Counts of what was not read, e.g. ``{"hidden": 3, "not a mesh": 2}``.
    findings
        Faults of the *source* found while reading (see :class:`plumbline.checks.result.Finding`).
    source
        Free data on where it came from (file, fps, unit scale); shown, never judged.
    """

    names: tuple[str, ...]
    explicit_roles: tuple[str | None, ...]
    center: Floats
    axes: Floats
    half: Floats
    notes: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    findings: tuple[Any, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        n = len(self.names)
        shapes = {"center": (n, 3), "axes": (n, 3, 3), "half": (n, 3)}
        for name, shape in shapes.items():
            array = np.asarray(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise StructureError(f"{name} has shape {array.shape}, not {shape}")
            bad = ~np.isfinite(array).all(axis=tuple(range(1, array.ndim)))
            if bad.any():
                first = self.names[int(np.flatnonzero(bad)[0])]
                raise StructureError(f"member {first!r}: {name} is not finite")
            array = array.copy()
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if len(self.explicit_roles) != n:
            raise StructureError("explicit_roles must name one role (or None) a member")

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def from_boxes(
        cls,
        names: Sequence[str],
        center: Any,
        axes: Any,
        size: Any,
        explicit_roles: Sequence[str | None] | None = None,
        **extra: Any,
    ) -> TimberStructure:
        """Members from boxes whose axes are in any order.

        ``center`` (n, 3) m, ``axes`` (n, 3, 3) unit rows, ``size`` (n, 3) extents along them, m.
        The axes are sorted by extent (ties keep their order) and made right-handed.
        """
        n = len(names)
        center = np.asarray(center, dtype=np.float64).reshape(n, 3)
        axes = np.asarray(axes, dtype=np.float64).reshape(n, 3, 3)
        half = np.asarray(size, dtype=np.float64).reshape(n, 3) / 2.0
        scale = np.maximum(half.max(axis=1, keepdims=True, initial=0.0), 1e-300)
        with np.errstate(invalid="ignore"):
            order = np.argsort(-np.round(half / scale / _LENGTH_TIE), axis=1, kind="stable")
        half = np.take_along_axis(half, order, axis=1)
        axes = np.take_along_axis(axes, order[:, :, None], axis=1)
        with np.errstate(invalid="ignore"):
            left_handed = np.linalg.det(axes) < 0 if n else np.zeros(0, bool)
        axes = np.where(left_handed[:, None, None] * np.array([0, 0, 1])[:, None], -axes, axes)
        roles = tuple(explicit_roles) if explicit_roles is not None else (None,) * n
        return cls(tuple(names), roles, center, axes, half, **extra)

    @cached_property
    def corners(self) -> Floats:
        """Box corners, (n, 8, 3), m, in the order of :data:`CORNER_SIGNS` over :attr:`axes`."""
        local = CORNER_SIGNS[None] * self.half[:, None, :]
        return self.center[:, None, :] + local @ self.axes

    @cached_property
    def aabb(self) -> tuple[Floats, Floats]:
        """Lowest and highest corner of the axis-aligned box round each member, two (n, 3), m."""
        reach = np.einsum("nij,ni->nj", np.abs(self.axes), self.half)
        return self.center - reach, self.center + reach

    def subset(self, keep: Any) -> TimberStructure:
        """The same structure with only the members of ``keep`` (boolean mask or indices)."""
        index = np.arange(len(self))[keep]
        return TimberStructure(
            tuple(self.names[i] for i in index),
            tuple(self.explicit_roles[i] for i in index),
            self.center[index],
            self.axes[index],
            self.half[index],
            self.notes,
            self.skipped,
            self.findings,
            self.source,
        )
