# SPDX-License-Identifier: GPL-3.0-or-later
"""A house by classes; {0.__class__} in a docstring is only words."""

from __future__ import annotations
import bpy, json, random, time, itertools, functools
from collections import defaultdict, namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import Iterable, Optional

Beam = namedtuple("Beam", "name load")


class Role(Enum):
    STUD = "Stud"


@dataclass
class Member:
    name: str
    size: tuple[float, float, float]
    load: float = 0.0
    tags: list[str] = field(default_factory=list)

    def __post_init__(self):
        self._volume = self.size[0] * self.size[1] * self.size[2]

    @property
    def volume(self) -> float:
        return self._volume


class House(dict):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._count = defaultdict(int)
        self.__hidden = 1

    def save(self, member):
        self._count[member.name] += 1
        return self._count, self.__hidden


house = House()
start = time.time()
for name, (i, j) in zip("abc", itertools.product(range(2), repeat=2)):
    m = Member(name, (1, 2, 3), load=1.9)
    house.save(m)
    print(type(m).__name__, m.__class__.__name__, m.load, m.volume, Beam("b", 2).load)
total = functools.reduce(lambda a, b: a + b, [1, 2])
print(json.dumps({"seconds": time.time() - start, "total": total}))
_, direction = 1, None
for dir in ("x", "y"):
    print(dir, isinstance(house, dict), hasattr(house, "keys"))


def main():
    try:
        with bpy.context.temp_override(scene=bpy.context.scene):
            bpy.ops.object.select_all(action="DESELECT")
    except RuntimeError as error:
        print(f"failed: {error!r:>20}")


if __name__ == "__main__":
    main()
