# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground truth of generated tasks: the parameters of the house and a fingerprint of its geometry.

The same parameters give the same bytes, so that a house needs not be stored to be known. Whether it
is still the same house, made by a later Plumbline say, the fingerprint tells.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...checks.timber.structure import StructureError, TimberStructure
from ..houses.parameters import HouseParameters, ParameterError

if TYPE_CHECKING:
    from ..houses.house import House

#: Places count to the micrometre, as the generator rounds them.
_DECIMALS = 6
#: Every place and length of a house is below, m.
_FARTHEST = 1e4
#: How far axes may be from unit vectors that are square to each other.
_SKEW = 1e-6
#: Larger truths are nobody's house: 1,548 members take 0.3 MB.
_MOST_BYTES = 64 << 20


class RecipeError(ValueError):
    """A truth that can't be had; the message is half a sentence that says why."""


@dataclass(frozen=True)
class Recipe:
    """``parameters`` as :meth:`HouseParameters.to_mapping` has them, and what must come of them.

    ``sha256`` is :func:`fingerprint` of the house.
    """

    parameters: Mapping[str, Any]
    sha256: str

    @classmethod
    def from_mapping(cls, data: Any) -> Recipe:
        """From JSON, ``{"parameters": {...}, "sha256": "..."}``. Raises :class:`RecipeError`."""
        if not isinstance(data, Mapping) or set(data) != {"parameters", "sha256"}:
            raise RecipeError('is no object with "parameters" and "sha256"')
        parameters, sha256 = data["parameters"], data["sha256"]
        if not isinstance(parameters, Mapping) or not isinstance(sha256, str):
            raise RecipeError("has parameters that are no object, or a sha256 that is no text")
        try:
            HouseParameters.from_mapping(parameters)
        except ParameterError as error:
            raise RecipeError(f"has parameters of no house ({error})") from None
        return cls(dict(parameters), sha256)

    def to_mapping(self) -> dict[str, Any]:
        """Plain values, as :meth:`from_mapping` takes them."""
        return {"parameters": dict(self.parameters), "sha256": self.sha256}

    def house(self) -> House:
        """The house, built anew. Raises :class:`RecipeError` if it comes out as another one."""
        house = _built(json.dumps(self.parameters, sort_keys=True))
        if fingerprint(house.structure) != self.sha256:
            raise RecipeError(
                "its parameters make another house in this version of Plumbline than they did when "
                "it was stored"
            )
        return house


@lru_cache(maxsize=8)
def _built(parameters: str) -> House:
    from ..houses.generate import build

    try:
        return build(HouseParameters.from_mapping(json.loads(parameters)))
    except (ParameterError, StructureError, ArithmeticError, TypeError) as error:
        raise RecipeError(f"its parameters make no house ({error})") from None


def recipe_of(house: House) -> Recipe:
    """What a house is made from and known by."""
    return Recipe(house.parameters.to_mapping(), fingerprint(house.structure))


def fingerprint(structure: TimberStructure) -> str:
    """SHA-256 over the names, then centres, axes and half extents rounded to 1e-6 m."""
    digest = hashlib.sha256("\n".join(structure.names).encode("utf-8", "surrogatepass"))
    for array in (structure.center, structure.axes, structure.half):
        digest.update((np.round(array, _DECIMALS) + 0.0).astype("<f8").tobytes())
    return digest.hexdigest()


def pack_members(structure: TimberStructure) -> bytes:
    """The members as zlib-compressed JSON: ``names``, ``center``, ``axes``, ``half`` (m)."""
    data = {
        "names": list(structure.names),
        "center": structure.center.tolist(),
        "axes": structure.axes.tolist(),
        "half": structure.half.tolist(),
    }
    return zlib.compress(json.dumps(data, separators=(",", ":")).encode("utf-8"), 6)


def unpack_members(packed: bytes) -> TimberStructure:
    """What :func:`pack_members` was given. Raises :class:`RecipeError` for anything else."""
    try:
        text = zlib.decompressobj().decompress(packed, _MOST_BYTES)
        data = json.loads(text)
        names = data["names"]
        center, axes, half = (np.array(data[key], float) for key in ("center", "axes", "half"))
        structure = TimberStructure(tuple(names), (None,) * len(names), center, axes, half)
    except (zlib.error, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise RecipeError(f"its members can't be read ({error})") from None
    fault = _fault_of(names, structure)
    if fault is not None:
        raise RecipeError(f"its members are none ({fault})")
    return structure


def _fault_of(names: Any, structure: TimberStructure) -> str | None:
    """Why stored members are no boxes of a house, each with a name of its own."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return "their names are no texts"
    if len(set(names)) < len(names):
        return "a name is there twice"
    axes, half = structure.axes, structure.half
    if (np.abs(structure.center) > _FARTHEST).any() or (np.abs(half) > _FARTHEST).any():
        return "one is larger or further away than any house"
    if (half <= 0.0).any() or (np.diff(half, axis=1) > 1e-5).any():
        return "their half extents are not above zero, the longest first"
    if (np.abs(axes @ axes.transpose(0, 2, 1) - np.eye(3)) > _SKEW).any():
        return "their axes are no unit vectors that are square to each other"
    return None
