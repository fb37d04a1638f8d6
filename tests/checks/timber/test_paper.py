# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper's ten tests: each on a fault made by hand, and all against plain loops."""

from dataclasses import fields, replace

import numpy as np
import plain_paper
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.checks.timber.brief import PSF, TimberBrief
from plumbline.checks.timber.paper import judge_paper
from plumbline.checks.timber.published.table import PAPER
from plumbline.checks.timber.structure import TimberStructure
from timber_samples import gable_house

TESTS = (
    "load_path",
    "span_limits",
    "oc_spacing",
    "lumber_dimensions",
    "deflection",
    "roof_coverage",
    "gap_detection",
    "cantilever",
    "stability_index",
    "dual_end",
)


def frame(**members):
    """A structure from ``name=(low corner, high corner)``, boxes along the axes."""
    low = np.array([m[0] for m in members.values()], float).reshape(-1, 3)
    high = np.array([m[1] for m in members.values()], float).reshape(-1, 3)
    axes = np.tile(np.eye(3), (len(members), 1, 1))
    return TimberStructure.from_boxes(list(members), (low + high) / 2, axes, high - low)


def changed(structure, **rows):
    """The structure with other ``center``, ``half`` or ``names``."""
    return replace(structure, **rows)


def without(structure, *names):
    return structure.subset(np.array([n not in names for n in structure.names]))


def number(structure, name):
    return structure.names.index(name)


def moved(structure, name, by):
    center = structure.center.copy()
    center[number(structure, name)] += by
    return changed(structure, center=center)


def failing(judgement):
    return {c.id for c in judgement.checks if c.status == "failed"}


@pytest.fixture(scope="module")
def house():
    return gable_house(240, stories=1)


# --- The whole ---------------------------------------------------------------------------------


def test_sound_house_passes_all_ten(house):
    judgement = judge_paper(house)
    assert tuple(c.id for c in judgement.checks) == TESTS
    assert judgement.verdict == "passed"
    assert judgement.findings == ()
    assert judgement.check("cantilever").status == "vacuous"
    assert judgement.metrics == {"stability_index": 1.0, "roof_coverage": 1.0}


def test_every_finding_names_member_clause_and_place(house):
    house = moved(house, "Stud_0005", [0, 0, 0.7])
    for finding in judge_paper(house).findings:
        assert finding.subject in house.names or finding.subject_kind == "place"
        assert finding.clause.startswith("DreamHouse T")
        assert finding.location is not None
        assert finding.message.endswith(".")
        if finding.measured is not None and finding.limit is not None:
            assert finding.margin < 0


@pytest.mark.parametrize("field", ["unit", "source"])
def test_every_constant_has_unit_and_source(field):
    for entry in fields(PAPER):
        assert field in entry.metadata, entry.name
        assert field == "unit" or entry.metadata[field]


def test_documentation_lists_every_constant_and_test(root):
    page = (root / "docs" / "checks-paper.md").read_text(encoding="utf-8")
    for name, value, unit, source in PAPER.rows():
        assert f"| `{name}` | {value} | {unit} | {source} |" in page
    for name in TESTS:
        assert f"\n| `{name}` |" in page


def test_names_without_keyword_are_said(house):
    names = list(house.names)
    names[3] = "Gizmo_1"
    names[4] = "My_Stud"
    notes = judge_paper(changed(house, names=tuple(names))).notes
    assert any("'Gizmo_1'" in n and "'My_Stud'" in n for n in notes)


def test_accessories_hold_nothing_and_are_not_judged():
    structure = frame(
        Sill_1=((0, 0, 0), (4, 0.14, 0.038)),
        Sheathing_1=((0, -0.012, 0.0), (4, 0, 3.0)),
        Stud_1=((1, 0, 2.0), (1.038, 0.089, 2.9)),
    )
    judgement = judge_paper(structure)
    assert [f.subject for f in judgement.check("load_path").findings] == ["Stud_1"]
    assert "Sheathing_1" not in {f.subject for f in judgement.findings}
    assert any("accessories" in note for note in judgement.notes)


# --- T1, T9 ------------------------------------------------------------------------------------


def test_floating_part_has_its_lowest_member_as_root():
    structure = frame(
        Sill_1=((0, 0, 0), (4, 0.14, 0.038)),
        Post_2=((1, 0, 1.0), (1.089, 0.089, 2.0)),
        Beam_3=((0, 0, 2.0), (4, 0.089, 2.235)),
        Joist_4=((3, 0, 2.235), (3.038, 3, 2.47)),
    )
    findings = judge_paper(structure).check("load_path").findings
    assert [f.subject for f in findings] == ["Post_2", "Beam_3", "Joist_4"]
    root = findings[0]
    assert root.is_root
    assert root.related == ("Beam_3", "Joist_4")
    assert root.measured == pytest.approx(1.0)
    assert "Sill_1" in root.message
    assert "0.96 m away" in root.message
    assert {f.follows for f in findings[1:]} == {root.key}


def test_structure_that_hovers_as_a_whole(house):
    center = house.center + [0, 0, 0.5]
    judgement = judge_paper(changed(house, center=center))
    first = judgement.check("load_path").findings[0]
    assert "set the foundation on the ground" in first.message
    assert judgement.check("stability_index").score == 0.0
    assert judge_paper(changed(house, center=center), TimberBrief(ground=0.5)).verdict == "passed"


def test_stability_index_is_the_share_of_connected_members(house):
    judgement = judge_paper(moved(house, "Blocking_0001", [0, 0, 9.0]))
    check = judgement.check("stability_index")
    assert check.score == pytest.approx(239 / 240)
    assert check.findings[0].related == ("Blocking_0001",)


def test_eps_is_fifty_millimetres():
    def gap(height):
        return frame(
            Sill_1=((0, 0, 0), (4, 0.14, 0.14)),
            Stud_1=((1, 0, 0.14 + height), (1.038, 0.089, 2.4)),
        )

    assert judge_paper(gap(0.050)).check("load_path").status == "passed"
    assert judge_paper(gap(0.051)).check("load_path").status == "failed"


# --- T2 ----------------------------------------------------------------------------------------


def joists(count=4, spacing=0.406, length=3.5, width=0.038, depth=0.235, start=0.0, **more):
    """Joists along y on a sill, named Joist_0, Joist_1, ..."""
    members = {"Sill_1": ((0, 0, 0), (9, 0.14, 0.038))}
    for k in range(count):
        x = start + k * spacing
        members[f"Joist_{k}"] = ((x, 0, 0.038), (x + width, length, 0.038 + depth))
    return frame(**members, **more)


def test_span_limit_is_that_of_the_table_and_three_percent():
    # 2x10 at 406 mm: 4.692 m, and 3 %.
    assert judge_paper(joists(length=4.83)).check("span_limits").status == "passed"
    findings = judge_paper(joists(length=4.84)).check("span_limits").findings
    assert [f.subject for f in findings] == [f"Joist_{k}" for k in range(4)]
    assert findings[0].measured == pytest.approx(4.84)
    assert findings[0].limit == pytest.approx(1.03 * 4.6923, abs=1e-3)
    assert "use 2x12" in findings[0].message


def test_span_limit_uses_the_spacing_of_the_group():
    assert judge_paper(joists(spacing=0.305, length=5.3)).check("span_limits").status == "passed"
    assert judge_paper(joists(spacing=0.406, length=5.3)).check("span_limits").status == "failed"


def test_a_lone_joist_counts_as_406():
    assert judge_paper(joists(1, length=4.83)).check("span_limits").status == "passed"
    assert judge_paper(joists(1, length=4.84)).check("span_limits").status == "failed"


def test_the_brief_sets_wood_and_load():
    long = joists(length=4.9)
    assert judge_paper(long, TimberBrief(species="DF-L", grade="SS")).check(
        "span_limits"
    ).status == ("passed")
    heavy = TimberBrief(floor_live=80 * PSF)
    assert judge_paper(joists(length=4.5), heavy).check("span_limits").status == "failed"


def test_wood_that_no_table_knows_is_not_run():
    check = judge_paper(joists(), TimberBrief(species="balsa")).check("span_limits")
    assert check.status == "not_run"
    assert "balsa" in check.reason


def sloped(name, x, start, end, section=(0.038, 0.184)):
    """A member in the plane of constant ``x`` from (y, z) to (y, z)."""
    (y0, z0), (y1, z1) = start, end
    along = np.array([0, y1 - y0, z1 - z0], float)
    length = np.linalg.norm(along)
    along /= length
    axes = np.array([along, np.cross([1.0, 0, 0], along), [1.0, 0, 0]])
    return name, (x, (y0 + y1) / 2, (z0 + z1) / 2), axes, (length, section[1], section[0])


def together(structure, *members):
    names, center, axes, size = zip(*members, strict=True)
    return TimberStructure.from_boxes(
        [*structure.names, *names],
        np.concatenate([structure.center, center]),
        np.concatenate([structure.axes, axes]),
        np.concatenate([2 * structure.half, size]),
    )


def rafters(*under):
    """Three rafters 8 m long at 30 degrees over a plate, and purlins at heights under them."""
    plate = {"Sill_1": ((0, 0, 0), (2, 0.14, 0.038)), "Plate_1": ((0, 0, 2.4), (2, 0.089, 2.438))}
    for k, drop in enumerate(under):
        # Middle of the rafter: y = 3.464, z = 2.5 + 2; its underside is 0.106 lower.
        top = 4.5 - 0.092 / np.cos(np.pi / 6) - drop
        plate[f"Purlin_{k}"] = ((-0.1, 3.42, top - 0.14), (2, 3.51, top))
    base = frame(**plate)
    end = (8 * np.cos(np.pi / 6), 2.5 + 4.0)
    return together(base, *(sloped(f"Rafter_{k}", k * 0.6, (0, 2.5), end) for k in range(3)))


def test_rafter_span_without_and_with_purlin():
    assert len(judge_paper(rafters()).check("span_limits").findings) == 3
    assert judge_paper(rafters(0.0)).check("span_limits").status == "passed"
    assert judge_paper(rafters(0.04)).check("span_limits").status == "passed"


def test_a_purlin_far_below_or_beside_halves_nothing():
    assert judge_paper(rafters(0.30)).check("span_limits").status == "failed"
    # Laid along the rafters' direction it crosses none.
    structure = rafters(0.0)
    axes, k = structure.axes.copy(), number(structure, "Purlin_0")
    axes[k] = axes[k][:, [1, 0, 2]] * [1, -1, 1]
    assert judge_paper(changed(structure, axes=axes)).check("span_limits").status == "failed"


def test_half_a_span_can_still_be_too_long():
    structure = rafters(0.0)
    half = structure.half.copy()
    half[[n.startswith("Rafter") for n in structure.names], 0] *= 1.5
    finding = judge_paper(changed(structure, half=half)).check("span_limits").findings[0]
    assert "half its length" in finding.message
    assert finding.measured == pytest.approx(6.0)


def test_snow_shortens_rafters():
    structure = rafters(0.0)
    assert judge_paper(structure, TimberBrief(ground_snow=70 * PSF)).check("span_limits").findings


# --- T3 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spacing", "fine"),
    [(0.30, False), (0.357, True), (0.406, True), (0.455, True), (0.50, False), (0.57, True),
     (0.66, True), (0.70, False), (2.0, False)],
)  # fmt: skip
def test_spacing_is_406_or_610(spacing, fine):
    check = judge_paper(joists(spacing=spacing)).check("oc_spacing")
    assert (check.status == "passed") == fine
    if not fine:
        assert check.findings[0].measured == pytest.approx(spacing)
        assert check.findings[0].related == ("Joist_1", "Joist_2", "Joist_3")


def test_two_joists_are_no_group():
    check = judge_paper(joists(2, spacing=0.5)).check("oc_spacing")
    assert check.status == "vacuous"
    assert check.required


def test_runs_in_line_are_rows_of_their_own():
    """Joists that butt over a beam must not read as 0 and 406 mm apart by turns."""
    second = {
        f"Joist_b{k}": ((k * 0.406, 3.5, 0.038), (k * 0.406 + 0.038, 7.0, 0.273)) for k in range(4)
    }
    check = judge_paper(joists(**second)).check("oc_spacing")
    assert check.status == "passed"
    assert check.figures["rows"] == 2


def test_doubled_joists_are_one_place():
    doubled = {"Joist_d": ((0.406 + 0.038, 0, 0.038), (0.406 + 0.076, 3.5, 0.273))}
    check = judge_paper(joists(**doubled)).check("oc_spacing")
    assert check.status == "passed"
    assert check.figures["medians"] == pytest.approx([0.406])


def test_direction_of_drawing_does_not_matter():
    structure = joists(6)
    axes = structure.axes.copy()
    axes[2::2, :2] *= -1
    check = judge_paper(changed(structure, axes=axes)).check("oc_spacing")
    assert check.figures == {"rows": 1, "medians": pytest.approx([0.406])}


@pytest.mark.parametrize("turn", [0.3, np.pi / 4, 2.0])
def test_rows_in_any_direction(turn):
    structure = joists(6, spacing=0.5)
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    turned = changed(structure, center=structure.center @ rotation, axes=structure.axes @ rotation)
    check = judge_paper(turned).check("oc_spacing")
    assert check.findings[0].measured == pytest.approx(0.5)


def test_levels_are_rows_of_their_own():
    upper = {f"Joist_u{k}": ((k * 0.61, 0, 2.7), (k * 0.61 + 0.038, 3.5, 2.935)) for k in range(4)}
    check = judge_paper(joists(**upper)).check("oc_spacing")
    assert check.status == "passed"
    assert sorted(check.figures["medians"]) == pytest.approx([0.406, 0.61])


# --- T4, T5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "depth", "fine"),
    [
        (0.038, 0.089, True),
        (0.048, 0.255, True),
        (0.050, 0.235, False),
        (0.038, 0.066, False),
        (0.089, 0.089, True),
        (0.140, 0.286, True),
        (0.019, 0.140, False),
        (0.2, 0.3, False),
    ],
)
def test_lumber_dimensions(width, depth, fine):
    structure = frame(Beam_1=((0, 0, 0), (4, width, depth)))
    check = judge_paper(structure).check("lumber_dimensions")
    assert (check.status == "passed") == fine


def test_odd_section_says_what_to_use():
    structure = frame(Beam_1=((0, 0, 0), (4, 0.06, 0.2)))
    finding = judge_paper(structure).check("lumber_dimensions").findings[0]
    assert (finding.measured, finding.limit) == (pytest.approx(0.06), pytest.approx(0.038))
    assert "60 x 200 mm" in finding.message
    assert "use 38 x 184 mm" in finding.message


def test_concrete_is_no_lumber():
    structure = frame(
        Foundation_1=((0, 0, -1), (4, 0.3, 0)),
        Pier_1=((0, 2, -1), (0.3, 2.3, 0)),
        Beam_1=((0, 0, 0), (4, 0.089, 0.235)),
    )
    check = judge_paper(structure).check("lumber_dimensions")
    assert (check.status, check.figures["members"]) == ("passed", 1)


@pytest.mark.parametrize(
    ("width", "depth", "longest"),
    [
        (0.038, 0.089, 1.48),
        (0.038, 0.140, 2.33),
        (0.038, 0.184, 3.06),
        (0.038, 0.235, 3.91),
        (0.038, 0.286, 4.76),
        (0.089, 0.184, 4.07),
        (0.089, 0.235, 5.19),
        (0.089, 0.286, 6.32),
    ],
)
def test_longest_spans_under_the_deflection_limit(width, depth, longest):
    short = joists(width=width, depth=depth, length=longest - 0.006)
    long = joists(width=width, depth=depth, length=longest + 0.006)
    assert judge_paper(short).check("deflection").status == "passed"
    finding = judge_paper(long).check("deflection").findings[0]
    assert finding.measured > finding.limit
    assert finding.limit == pytest.approx(1.08 * (longest + 0.006) / 360)


def test_deflection_of_rafters_is_a_switch():
    structure = rafters(0.0)
    assert judge_paper(structure).check("deflection").status == "vacuous"
    switched = judge_paper(structure, constants=replace(PAPER, deflect_rafters=True))
    assert len(switched.check("deflection").findings) == 3


# --- T6, T7 ------------------------------------------------------------------------------------


def flat_roof(*spans, size=(4.0, 3.0)):
    """Sills round a footprint and level rafters along y at the given x."""
    members = {"Sill_1": ((0, 0, 0), (*size, 0.038))}
    for k, x in enumerate(spans):
        members[f"Rafter_{k}"] = ((x - 0.019, 0, 2.4), (x + 0.019, size[1], 2.584))
    return frame(**members)


def test_a_rafter_meets_the_cells_that_its_widened_plan_touches():
    # 4 x 3 cells. Alone in the middle of a column it meets that; nearer than 0.319 m to a border
    # it meets the next column too.
    assert judge_paper(flat_roof(0.5)).metrics["roof_coverage"] == pytest.approx(3 / 12)
    assert judge_paper(flat_roof(0.7)).metrics["roof_coverage"] == pytest.approx(6 / 12)
    assert judge_paper(flat_roof(0.68)).metrics["roof_coverage"] == pytest.approx(3 / 12)


def test_coverage_and_gap_have_limits_of_their_own():
    three = judge_paper(flat_roof(0.5, 1.5, 2.5))
    assert three.check("roof_coverage").status == "passed"
    finding = three.check("gap_detection").findings[0]
    assert finding.is_root
    assert finding.measured == pytest.approx(0.25)
    assert finding.location[:2] == pytest.approx((3.5, 1.5))
    two = judge_paper(flat_roof(0.5, 3.5))
    first, second = two.check("roof_coverage").findings, two.check("gap_detection").findings
    assert first[0].measured == pytest.approx(0.5)
    assert second[0].follows == first[0].key


def test_every_hole_is_named():
    holes = judge_paper(flat_roof(1.5, size=(3.0, 3.0))).check("roof_coverage").findings
    assert sorted(f.location[0] for f in holes) == pytest.approx([0.5, 2.5])


def test_sloped_diagonal_rafter_does_not_cover_its_bounding_box():
    base = frame(Sill_1=((0, 0, 0), (10, 10, 0.038)))
    along = np.array([1.0, 1.0, 0.5]) / 1.5
    aside = np.array([-1.0, 1.0, 0.0]) / np.sqrt(2)
    axes = np.array([along, np.cross(aside, along), aside])
    hip = ("HipRafter_1", (5, 5, 5), axes, (15.0, 0.184, 0.038))
    share = judge_paper(together(base, hip)).metrics["roof_coverage"]
    assert 0.28 <= share <= 0.30


def test_no_rafter_is_nothing_to_check_but_required():
    judgement = judge_paper(frame(Sill_1=((0, 0, 0), (4, 3, 0.038))))
    assert judgement.check("roof_coverage").status == "vacuous"
    assert judgement.verdict == "failed"


def test_footprint_of_kilometres_is_not_run():
    structure = flat_roof(0.5, size=(2000.0, 2000.0))
    check = judge_paper(structure).check("roof_coverage")
    assert check.status == "not_run"
    assert "units" in check.reason


# --- T8 ----------------------------------------------------------------------------------------


def elevated(*posts, length=6.0, aside=0.0, top=2.0):
    members = {"Sill_0": ((0, 0, 0), (length, 0.14, 0.038))}
    for k, x in enumerate(posts):
        members[f"Post_{k}"] = ((x, aside, 0.038), (x + 0.089, aside + 0.089, top))
    members["Sill_1"] = ((0, 0, 2.0), (length, 0.14, 2.038))
    return frame(**members)


@pytest.mark.parametrize(
    ("posts", "fine"),
    [
        ((0.0, 3.0, 5.9), True),
        ((0.0, 3.08), True),
        ((0.0, 3.10), False),
        ((0.0,), False),
        ((), False),
    ],
)
def test_elevated_sill_needs_supports(posts, fine):
    check = judge_paper(elevated(*posts)).check("cantilever")
    assert (check.status == "passed") == fine
    if not fine:
        assert [f.subject for f in check.findings] == ["Sill_1"]


def test_widest_gap_and_where_it_is():
    finding = judge_paper(elevated(0.0, 5.0)).check("cantilever").findings[0]
    assert finding.measured == pytest.approx(4.911)
    assert finding.location[0] == pytest.approx((0.089 + 5.0) / 2)
    assert finding.related == ("Post_0", "Post_1")


def test_supports_within_a_metre_and_a_half_aside():
    near, far = elevated(0.0, 2.9, 5.9, aside=1.63), elevated(0.0, 2.9, 5.9, aside=1.65)
    assert judge_paper(near).check("cantilever").status == "passed"
    assert judge_paper(far).check("cantilever").status == "failed"


def test_posts_that_end_short_support_nothing():
    assert judge_paper(elevated(0.0, 2.9, 5.9, top=1.9)).check("cantilever").status == "failed"


def test_low_sills_are_not_judged(house):
    check = judge_paper(house).check("cantilever")
    assert check.status == "vacuous"
    assert not check.required


# --- T10 ---------------------------------------------------------------------------------------


def test_stud_cut_short_is_a_hinge_and_raised_a_floating_column(house):
    half, center = house.half.copy(), house.center.copy()
    k = number(house, "Stud_0004")
    half[k, 0] -= 0.1
    center[k, 2] -= 0.1
    finding = judge_paper(changed(house, half=half, center=center)).check("dual_end").findings[0]
    assert finding.subject == "Stud_0004"
    assert finding.detail == {"loose": ["high"]}
    assert "hinge" in finding.message
    center[k, 2] += 0.2
    finding = judge_paper(changed(house, half=half, center=center)).check("dual_end").findings[0]
    assert finding.detail == {"loose": ["low"]}
    assert "floating column" in finding.message


def test_rafter_that_stops_short_of_the_ridge(house):
    along = house.axes[number(house, "Rafter_0003"), 0]
    down = -np.sign(along[2]) * along
    judgement = judge_paper(moved(house, "Rafter_0003", 0.3 * down))
    assert [f.subject for f in judgement.check("dual_end").findings] == ["Rafter_0003"]


def test_no_ridge_no_upper_end(house):
    ridge = [n for n in house.names if n.startswith("Ridge")]
    names = {f.subject for f in judge_paper(without(house, *ridge)).check("dual_end").findings}
    # Opposite rafters end 38 mm apart, within the reach: the paper's test can't see the ridge.
    assert names == set()


# --- Verdict rules -----------------------------------------------------------------------------


def test_house_without_floor_fails_unless_the_task_says_so(house):
    bare = without(
        house, *[n for n in house.names if n.startswith(("Joist", "RimJoist", "Blocking"))]
    )
    drop = np.where([n.startswith("Sill") for n in bare.names], 0.0, 0.235)
    bare = changed(bare, center=bare.center - drop[:, None] * [0, 0, 1])
    judgement = judge_paper(bare)
    assert judgement.verdict == "failed"
    assert failing(judgement) == set()
    brief = TimberBrief(optional=("oc_spacing", "deflection"))
    assert judge_paper(bare, brief).verdict == "passed"
    brief = TimberBrief(not_applicable={"oc_spacing": "slab", "deflection": "slab"})
    judgement = judge_paper(bare, brief)
    assert judgement.verdict == "passed"
    assert judgement.check("deflection").reason == "slab"


def test_task_can_require_a_test(house):
    assert judge_paper(house, TimberBrief(required=("cantilever",))).verdict == "failed"


# --- Against plain loops -----------------------------------------------------------------------


def plain_form(judgement):
    """A judgement in the form of :mod:`plain_paper`."""
    form = {}
    for check in judgement.checks:
        if check.status == "vacuous":
            form[check.id] = None
        elif check.id in ("roof_coverage", "gap_detection"):
            form[check.id] = {check.score} if check.findings else set()
        else:
            form[check.id] = {f.subject for f in check.findings}
    return form


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_same_findings_as_plain_loops(seed):
    """Houses with members moved, stretched, renamed and taken away."""
    rng = np.random.default_rng(seed)
    house = gable_house(int(rng.integers(140, 220)), stories=1)
    n = len(house)
    center, half, names = house.center.copy(), house.half.copy(), list(house.names)
    some = rng.integers(0, n, rng.integers(0, 12))
    center[some] += rng.normal(0, rng.choice([0.01, 0.2, 1.5]), (len(some), 3))
    some = rng.integers(0, n, rng.integers(0, 6))
    half[some] = -np.sort(-half[some] * rng.uniform(0.7, 1.4, (len(some), 3)), axis=1)
    for k in rng.integers(0, n, 3):
        names[k] = f"{rng.choice(['Sill', 'Purlin', 'Foo', 'Pier', 'HipRafter'])}_x{k}"
    if rng.random() < 0.3:
        names = [f"Purlin_{n}" if n.startswith(("Ridge", "Blocking")) else n for n in names]
    if rng.random() < 0.2:
        center[:, 2] += 1.2
    broken = changed(house, names=tuple(names), center=center, half=half)
    broken = broken.subset(rng.random(n) >= rng.choice([0.0, 0.05, 0.3]))
    assert plain_form(judge_paper(broken)) == plain_paper.judge(broken)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), room=st.sampled_from([0.5, 4.0, 30.0]))
def test_same_findings_in_a_heap_of_timber(seed, room):
    """Members of all roles at random places in random directions."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    roles = ["Sill", "Joist", "Rafter", "Stud", "Purlin", "Post", "Pier", "Ridge", "Odd"]
    names = [f"{rng.choice(roles)}_{k}" for k in range(n)]
    turn = rng.normal(size=(n, 3, 3)) * rng.choice([0.0, 1.0], (n, 1, 1)) + 3 * np.eye(3)
    axes = np.linalg.qr(turn)[0]
    size = rng.choice([0.038, 0.089, 0.14, 0.184, 0.235], (n, 3))
    size[:, 0] = rng.uniform(0.3, 5.0, n)
    center = rng.uniform(0, room, (n, 3))
    heap = TimberStructure.from_boxes(names, center, axes, size)
    assert plain_form(judge_paper(heap)) == plain_paper.judge(heap)
