# SPDX-License-Identifier: GPL-3.0-or-later
"""What a model would answer that builds the bundled cabin, for the local model server.

The cabin's own program is cut at its last lines, which call one function a phase; so phases, the
whole and a walls phase that floats are all made of it.
"""

from __future__ import annotations

import json
from pathlib import Path

from model_server_steps import Step, calls, code_reply

TASK = Path(__file__).parents[2] / "tasks" / "timber" / "cabin"
PHASES = ("foundation", "floor", "walls", "roof")
#: Makes the walls stand on nothing.
_LIFTED = "FLOOR += 0.3\nSTUD_TOP += 0.3\nPLATE_TOP += 0.3\n"
#: Takes away everything that stands in the scene, which only a thorough edit does.
CLEAR = (
    "import bpy as _bpy\nfor _item in list(_bpy.context.scene.objects):\n"
    "    _bpy.data.objects.remove(_item)\n"
)


def _program() -> str:
    """The cabin's program up to the calls of its phases."""
    text = (TASK / "build.py").read_text(encoding="utf-8")
    head, found, _ = text.partition(f"\n\n{PHASES[0]}()\n{PHASES[1]}()\n")
    assert found, "the cabin's program no longer ends with a call for each phase"
    return head + "\n\n"


def phase(name: str, floating: bool = False) -> str:
    """The program of one phase, on what stands already."""
    return _program() + (_LIFTED if floating else "") + f"{name}()\n"


def whole(marked: bool = False) -> str:
    """The program of the whole house, with its phases marked if asked."""
    calls = (f"# phase: {name}\n{name}()\n" if marked else f"{name}()\n" for name in PHASES)
    return _program() + "".join(calls)


def plan() -> Step:
    """A sound plan of the cabin."""
    known = json.loads((TASK / "task.json").read_text(encoding="utf-8"))["constraints"]
    types = (["Post", "Beam"], ["RimJoist", "Joist"], ["Stud", "TopPlate"], ["Rafter", "Ridge"])
    steps = [
        {"phase": name, "member_types": members, "depends_on": [i - 1] if i else []}
        for i, (name, members) in enumerate(zip(PHASES, types, strict=True))
    ]
    bounds = {"x": [0, known["footprint_x"]], "y": [0, known["footprint_y"]], "z": [0, 5]}
    whole_plan = {
        "lot_size": {"width": known["lot_width"], "depth": known["lot_depth"]},
        "stories": known["stories"],
        "roof_type": known["roof_type"],
        "complexity": known["complexity"],
        "sections": [{"name": "cabin", "bounds": bounds}],
        "steps": steps,
        "expected_member_counts": {name: 4 for names in types for name in names},
    }
    return Step(f"```json\n{json.dumps(whole_plan)}\n```")


def managed(drip: float = 0.0) -> list[Step]:
    """Phase by phase; the walls float at first. ``drip``: s between the pieces of a reply."""
    codes = [phase("foundation"), phase("floor"), phase("walls", floating=True)]
    codes += [phase("walls"), phase("roof")]
    said = "I go on with the next phase, member by member, from the ground up."
    replies = [code_reply(code, said) for code in codes]
    return [plan(), *(Step(reply.text, drip=drip) for reply in replies)]


def atomic() -> list[Step]:
    """A program that breaks, then one for the whole house."""
    return [plan(), code_reply(phase("foundation") + "1 / 0\n"), code_reply(whole())]


def reactive() -> list[Step]:
    """One program with its phases marked."""
    return [plan(), code_reply(whole(marked=True))]


def editing() -> list[Step]:
    """An edit that breaks the house and is taken back, then one that makes it the cabin."""
    remove = "import bpy\nbpy.data.objects.remove(bpy.context.scene.objects[0])\n"
    return [code_reply(remove), code_reply(CLEAR + whole())]


def tools() -> list[Step]:
    """The whole house by one tool, a look at it by another, and it is handed in."""
    wanted = [("run_code", {"code": whole(), "fresh": True}), ("check", {}), ("submit", {})]
    return [calls(one) for one in wanted]
