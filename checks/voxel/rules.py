# SPDX-License-Identifier: GPL-3.0-or-later
"""The two profiles of the voxel checks: what the graders go by where a task gives no value.

``paper`` is the text of MineCEraft (arXiv 2608.28884, section 4 and appendix C), ``code`` the
authors' public graders. Sources: "algorithm 1" to "algorithm 13" and sections are the paper's,
"graders" the public ones; "ours" marks a choice that neither makes. Heights are the task's y.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

Bottom = Literal["belly", "soffit"]

BOTTOMS: tuple[Bottom, ...] = ("belly", "soffit")

#: What the stress of an arch is set against: the value in the task, or the paper's flat bridge.
Reference = Literal["task", "flat_bridge"]

ARCH_REFERENCES: tuple[Reference, ...] = ("task", "flat_bridge")


def constant(value: Any, unit: str, source: str) -> Any:
    """A field of :class:`Rules` with its unit and source."""
    return field(default=value, metadata={"unit": unit, "source": source})


@dataclass(frozen=True)
class Rules:
    """The constants of one profile; the defaults are those of the paper.

    ``bottom`` is ``"belly"``, the bottom surface bulges down, or ``"soffit"``, it bulges up over
    the columns between the supports, as that of an arch does. Neither is *the* official rule: an
    ordinary arch fails the belly that the graders have, yet people were scored 99.2 % on shape with
    such tasks among them (table 2), so the rule that scored them can't have been that one.

    ``start`` is where a level way begins for which the task names no start: at the mean of the
    blocks, rounded (``"centroid"``), or in the middle of the box round them (``"box"``). Exits,
    for which the paper has no algorithm, begin in the middle of the box in both profiles.
    """

    name: str
    ground: int = constant(0, "y", "algorithm 11: blocks at this height and below are ground")
    room_level: int = constant(1, "y", "algorithm 5: y = 1; graders: y = 2")
    region_level: int = constant(2, "y", "graders: corners and walls; section 4.1: a height")
    region_share: float = constant(0.5, "", "graders; algorithm 3: tau")
    lone_cluster_spans: bool = constant(False, "", "algorithm 6: n < 2 is False; graders: True")
    bottom: Literal["belly", "soffit"] = constant(
        "soffit", "", "ours; algorithm 4 and graders: belly"
    )
    every_door: bool = constant(True, "", "ours; graders: the first placed of each column")
    door_sides: int = constant(2, "sides", "graders: most sides of a door that may be taken")
    start: Literal["centroid", "box"] = constant("centroid", "", "algorithm 7; graders: box")
    outdoors: int = constant(-1, "y", "algorithm 7: highest floor level with the outside")
    exit_box: tuple[int, int, int] = constant((2, 1, 2), "blocks", "graders: width, depth, height")
    arch_reference: Literal["task", "flat_bridge"] = constant(
        "task", "", "task lists; figure 3 has a flat bridge of 7.8 kPa instead, on request"
    )
    headroom: int = constant(2, "blocks", "algorithm 8 and graders: free cells above a step")

    def with_bottom(self, bottom: Bottom | None) -> Rules:
        """The same rules with the bottom surface judged the other way, where a task asks."""
        return self if bottom is None else replace(self, bottom=bottom)

    def with_arch_reference(self, reference: Reference | None) -> Rules:
        """The same rules with arches set against something else, where a task asks."""
        return self if reference is None else replace(self, arch_reference=reference)


PAPER = Rules("paper")
CODE = replace(
    PAPER,
    name="code",
    room_level=2,
    lone_cluster_spans=True,
    bottom="belly",
    every_door=False,
    start="box",
)

PROFILES: dict[str, Rules] = {rules.name: rules for rules in (PAPER, CODE)}
DEFAULT = "paper"


def rows() -> Iterator[tuple[str, Any, Any, str, str]]:
    """Name, value in ``paper``, value in ``code``, unit and source of every constant."""
    for entry in fields(Rules):
        if entry.metadata:
            values = (getattr(rules, entry.name) for rules in (PAPER, CODE))
            yield (entry.name, *values, entry.metadata["unit"], entry.metadata["source"])
