# SPDX-License-Identifier: GPL-3.0-or-later
"""How much two structures look alike: the metric S over canonical views. NumPy only, no ``bpy``.

After the timber specification, section 6: of each view max(0, 1 - 10 sum(m e) / sum(m)), where m
is the union of both alpha masks and e the mean over RGB of the squared difference of the colours in
0..1, both composited on white; S is the mean over the views. With soft edges the union of two masks
is the larger of the two alphas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cameras import VIEWS
from .pixels import Bytes, read_png

Packed = NDArray[np.uint32]
Floats = NDArray[np.floating[Any]]

#: Version of the look that S is measured on (:mod:`.views`): S under two of them do not compare.
LOOK = 1
#: A mean squared error of a tenth is no similarity at all.
STEEPNESS = 10.0
#: Values of S from which a sound structure counts as a joint pass, as published; the last is the
#: headline.
THRESHOLDS = (0.3, 0.4, 0.6)


@dataclass(frozen=True)
class Similarity:
    """Similarity of each view, 0..1."""

    views: Mapping[str, float]

    @property
    def value(self) -> float:
        """S: the mean over the views."""
        return sum(self.views.values()) / len(self.views)


def similarity(target: Mapping[str, bytes], candidate: Mapping[str, bytes]) -> Similarity:
    """S of two sets of canonical views, as PNG.

    Raises ``ValueError`` if a view is missing, no PNG of ours, of another size than its
    counterpart, or empty in both.
    """
    values = {}
    for name in VIEWS:
        if name not in target or name not in candidate:
            whose = "target" if name not in target else "candidate"
            raise ValueError(f"the {whose} has no view {name!r}")
        try:
            values[name] = view_similarity(_pixels(target[name]), _pixels(candidate[name]))
        except ValueError as error:
            raise ValueError(f"view {name!r}: {error}") from None
    return Similarity(values)


@lru_cache(maxsize=4 * len(VIEWS))
def _pixels(data: bytes) -> Bytes:
    """Pixels of a PNG; those of a target are asked for again with every candidate."""
    pixels = read_png(data)
    pixels.flags.writeable = False
    return pixels


def view_similarity(one: Bytes, other: Bytes) -> float:
    """Similarity of two pictures (height, width, 4), 0..255, colour not multiplied by alpha.

    Raises ``ValueError`` for different sizes and where neither shows anything.
    """
    if one.shape != other.shape:
        sizes = " and ".join(f"{p.shape[1]} x {p.shape[0]}" for p in (one, other))
        raise ValueError(f"the pictures differ in size ({sizes})")
    mask = np.maximum(one[..., 3], other[..., 3])
    total = int(mask.sum(dtype=np.int64))
    if not total:
        raise ValueError("neither picture shows anything")
    ours, theirs = _packed(one), _packed(other)
    differs = ours != theirs
    apart = _on_white(ours[differs]) - _on_white(theirs[differs])
    error = np.einsum("ij,ij->i", apart, apart) / 3.0
    loss = float(mask[differs].astype(np.float64) @ error)
    return max(0.0, 1.0 - STEEPNESS * loss / total)


def _packed(pixels: Bytes) -> Packed:
    """Each pixel as one number: compared much faster than four of them."""
    return np.ascontiguousarray(pixels).view(np.uint32)[..., 0]


def _on_white(packed: Packed) -> Floats:
    """Colours (n, 3), 0..1, of packed pixels laid over white."""
    values = packed.view(np.uint8).reshape(-1, 4) * np.float32(1.0 / 255.0)
    return 1.0 + values[:, 3:] * (values[:, :3] - 1.0)


def metrics(found: Similarity | None, rendered: bool | None, passed: bool | None) -> dict[str, Any]:
    """What a record tells of S.

    ``found`` is ``None`` where S is unknown; ``rendered`` says whether anything could be drawn of
    what was built, ``None`` where drawing itself failed; ``passed`` is the structural verdict,
    ``None`` where it isn't judged. Nothing built looks like nothing: no S, and no joint pass. Where
    S is unknown joint passes are too, unless the structure failed.
    """
    value = found.value if found else None
    joint: dict[str, bool | None] = {}
    for threshold in THRESHOLDS:
        if passed is False or rendered is False:
            joint[f"{threshold:g}"] = False
        elif passed is None or value is None:
            joint[f"{threshold:g}"] = None
        else:
            joint[f"{threshold:g}"] = value >= threshold
    views = dict(found.views) if found else None
    return {"rendered": rendered, "S": value, "S_views": views, "joint": joint}
