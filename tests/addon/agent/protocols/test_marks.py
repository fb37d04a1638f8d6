# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the phases of a program begin and end."""

import pytest
from plumbline.addon.agent.protocols.marks import MarksError, parts

pytestmark = pytest.mark.ends

PHASES = ("foundation", "floor", "walls", "roof")
WHOLE = """\
import bpy
T = 0.038

# phase: foundation
sills(T)

#phase: Floor
joists()
    # phases are marked like this
# phase: roof
rafters()
# phase: walls
studs()
"""


def faults(code):
    with pytest.raises(MarksError) as error:
        parts(code, PHASES)
    return str(error.value)


def test_each_part_is_the_program_up_to_the_end_of_its_phase():
    found = parts(WHOLE, PHASES)
    assert [part.phase for part in found] == ["foundation", "floor", "roof", "walls"]
    assert found[-1].code == WHOLE
    assert found[0].code.endswith("sills(T)\n\n") and "joists" not in found[0].code
    for part in found:
        assert WHOLE.startswith(part.code)


def test_every_fault_is_named():
    told = faults("# phase: foundation\na()\n# phase: cellar\nb()\n# phase: foundation\nc()\n")
    assert "'cellar' is not known" in told
    assert "'foundation' is marked 2 times" in told
    for phase in ("floor", "walls", "roof"):
        assert f"'{phase}' has no mark `# phase: {phase}`" in told


@pytest.mark.parametrize(
    "inside",
    [
        "def build():\n    a()\n    # phase: roof\n    b()\n",
        "def build():\n    a()\n# phase: roof\n    b()\n",
        'text = """\n# phase: roof\n"""\n',
        "call(\n# phase: roof\n)\n",
    ],
)
def test_a_mark_within_a_statement_is_no_place_to_cut(inside):
    code = "# phase: foundation\na()\n# phase: floor\nb()\n# phase: walls\nc()\n" + inside
    assert "'roof' in line" in faults(code) and "within a statement" in faults(code)


def test_what_is_no_python_is_cut_all_the_same():
    """Its syntax error is told by whoever runs it, with its line."""
    found = parts(WHOLE + "def (\n", PHASES)
    assert found[-1].code.endswith("def (\n")
