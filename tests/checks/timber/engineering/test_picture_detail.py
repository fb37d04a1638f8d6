# SPDX-License-Identifier: GPL-3.0-or-later
"""What findings tell for pictures, measured with a ruler on frames small enough to draw by hand."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.checks.timber.engineering.bearing import bearing
from plumbline.checks.timber.engineering.cantilever import cantilever
from plumbline.checks.timber.engineering.notching import notching
from plumbline.checks.timber.engineering.opening_header import opening_header
from plumbline.checks.timber.engineering.point_load import point_load
from plumbline.checks.timber.engineering.roof_coverage import roof_coverage
from plumbline.checks.timber.engineering.spacing import spacing
from plumbline.checks.timber.polygons import box_planes, intersect_half_spaces

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import gables
from carpentry import (
    GRID,
    STUD,
    T,
    framed_floor,
    framed_wall,
    hip_roof,
    joints_of,
    moved,
    resized,
    without,
)


def only(outcome):
    """The one finding of an outcome."""
    (finding,) = outcome.findings
    return finding


def length(points) -> float:
    return float(np.linalg.norm(np.subtract(points[1], points[0])))


def area(quad) -> float:
    a, b, c, d = np.asarray(quad, float)
    halves = np.cross(b - a, c - a), np.cross(c - a, d - a)
    return float(sum(np.linalg.norm(half) for half in halves) / 2)


def test_an_overhang_and_the_clear_span_behind_it():
    frame = gables.Frame()
    for k, y in enumerate((0.0, 2.54)):
        frame.box(f"Sill_{k}", (-1, y, 0), (1, y + 0.14, T))
    frame.box("Joist", (0, 0, T), (T, 2.68 + 0.8, T + 0.184))
    detail = only(cantilever(joints_of(frame.structure()))).detail
    assert length((detail["from"], detail["to"])) == pytest.approx(0.8)
    assert sorted(y for _, y, _ in detail["back"]) == pytest.approx([0.14, 2.54])


@pytest.mark.parametrize(("short", "end"), [(0.02, "S"), (0.02, "N")])
def test_contact_of_a_joist_and_what_is_asked_for(short, end):
    """The joist is cut so that ``short`` m are left on the sill; 38 mm go on beyond its end."""
    house = framed_floor(count=3)
    name = "Joist_01"
    row = house.names.index(name)
    inner = {"S": 0.14, "N": 3.0}[end]
    low, high = (inner - short, 3.102) if end == "S" else (T, inner + short)
    house = resized(house, name, y=high - low)
    shift = (low + high) / 2 - house.center[row, 1]
    detail = only(bearing(joints_of(moved(house, name, (0, shift, 0))))).detail
    patch, needed = np.array(detail["patch"]), np.array(detail["needed"])
    assert area(patch) == pytest.approx(short * T, rel=1e-3)
    assert area(needed) == pytest.approx(0.038 * T, rel=1e-3)
    assert patch[:, 2] == pytest.approx(T) and needed[:, 2] == pytest.approx(T), "on the sill's top"
    away = -1 if end == "S" else 1
    asked = sorted([inner, inner + away * 0.038])
    assert [needed[:, 1].min(), needed[:, 1].max()] == pytest.approx(asked, abs=1e-4)


def rafter(notch: float, angle: float = 30.0, first: float = -1.0, width: float = 0.089):
    """A rafter over a plate from y = 0 to ``width``; its lower end lies at ``first`` m in plan."""
    frame = gables.Frame()
    a = np.radians(angle)
    along = np.array([0, np.cos(a), np.sin(a)])
    up = np.array([0, -np.sin(a), np.cos(a)])
    reach = 2.5 - first / np.cos(a)
    start = -notch * up + along * first / np.cos(a)
    frame.oriented(
        "Rafter_1", start + up * 0.092 + along * reach / 2, [along, up, [1, 0, 0]],
        [reach, 0.184, T],
    )  # fmt: skip
    frame.box("TopPlate_1", (-1, 0, -T), (1, width, 0))
    return frame.structure()


@pytest.mark.parametrize("angle", [20.0, 30.0, 45.0])
def test_the_wedge_of_a_seat_is_what_rafter_and_support_share(angle):
    """A plate as wide as the cut is long: the wood taken away is the overlap of two boxes."""
    structure = rafter(0.06, angle, width=0.4)
    finding = only(notching(joints_of(structure)))
    detail, wedge = finding.detail, np.array(finding.detail["cut"])
    assert length((detail["from"], detail["to"])) == pytest.approx(finding.measured, abs=2e-4)
    # A right triangle under the slope: the plumb cut is notch / cos, the level one that / tan.
    plumb = 0.06 / np.cos(np.radians(angle))
    level = plumb / np.tan(np.radians(angle))
    assert np.ptp(wedge, axis=0) == pytest.approx([T, level, plumb], abs=2e-4)
    assert wedge[:, 2].max() == pytest.approx(0, abs=2e-4), "the level cut lies on the plate"


def test_a_seat_that_is_too_short_goes_on_where_the_rafter_ends():
    finding = only(bearing(joints_of(rafter(0.02, first=0.089 - 0.02))))
    detail = finding.detail
    assert 0.005 < finding.measured < 0.03
    assert area(detail["patch"]) == pytest.approx(finding.measured * T, rel=1e-2)
    assert area(detail["needed"]) == pytest.approx(0.038 * T, rel=1e-2)
    y = np.array(detail["needed"])[:, 1]
    assert [y.min(), y.max()] == pytest.approx([0.089 - 0.038, 0.089], abs=1e-3)


def test_what_a_brace_takes_out_of_a_stud():
    frame = gables.Frame()
    frame.box("Stud_1", (0, 0, 0), (T, STUD, 2.4))
    along = np.array([1, 0, 1]) / np.sqrt(2)
    center = np.array([T / 2, 0.04 - 0.0445, 1.2])  # 40 mm of its 89 mm are inside the stud
    frame.oriented("Brace_1", center, [along, [0, 1, 0], np.cross(along, [0, 1, 0])], [2, 0.089, T])
    structure = frame.structure()
    finding = only(notching(joints_of(structure)))
    detail = finding.detail
    assert finding.subject == "Stud_1"
    assert length((detail["from"], detail["to"])) == pytest.approx(finding.measured, abs=2e-4)
    planes = box_planes(structure.center, structure.axes, structure.half)
    volume, faces, _ = intersect_half_spaces(
        planes[0].reshape(1, -1, 3), planes[1].reshape(1, -1), structure.center[:1], np.array([3.0])
    )
    shared = faces.reshape(-1, 3)
    shared = shared[~np.isnan(shared[:, 0])]
    assert volume[0] > 0
    cut = np.array(detail["cut"])
    assert cut.min(axis=0) == pytest.approx(shared.min(axis=0), abs=2e-4)
    assert cut.max(axis=0) == pytest.approx(shared.max(axis=0), abs=2e-4)


def test_the_ticks_of_a_row_of_joists():
    house = without(framed_floor(count=9), "Joist_04")
    finding = only(spacing(joints_of(house)))
    ticks = np.array(finding.detail["ticks"])
    places = [k * GRID + T / 2 for k in range(9) if k != 4]
    assert ticks[:, 0] == pytest.approx(places, abs=1e-4)
    assert np.ptp(ticks[:, 1:], axis=0) == pytest.approx([0, 0], abs=1e-4)
    gap = np.array([finding.detail["from"], finding.detail["to"]])
    assert gap == pytest.approx(ticks[3:5], abs=1e-4)
    assert length(gap) == pytest.approx(finding.measured)


def test_a_long_row_tells_only_what_stands_near_the_gap():
    house = without(framed_floor(count=60), "Joist_30")
    ticks = only(spacing(joints_of(house))).detail["ticks"]
    assert len(ticks) == 18


def test_the_ticks_of_a_wall_lie_on_the_centres_of_its_studs():
    finding = only(spacing(joints_of(without(framed_wall(), "Stud_04"))))
    ticks = np.array(finding.detail["ticks"])
    steps = np.diff(ticks[:, 0])
    assert steps.max() == pytest.approx(2 * GRID) == pytest.approx(finding.measured)
    ends = (finding.detail["from"], finding.detail["to"])
    assert length(ends) == pytest.approx(finding.measured), "measured on centre, drawn on centre"
    assert ticks[:, 1] == pytest.approx(STUD / 2)


def test_cells_lie_between_the_rafters_on_their_upper_faces():
    roof = without(gables.gable(6 / 12), "Rafter_N_04")
    finding = only(roof_coverage(joints_of(roof, spacing=None)))
    cells = np.array(finding.detail["cells"])
    assert cells.shape[1:] == (4, 3)
    left, right = (roof.names.index(f"Rafter_N_{k:02d}") for k in (3, 5))
    x = cells[..., 0]
    assert x.min() == pytest.approx(roof.center[left, 0] + T / 2, abs=1e-4)
    assert x.max() == pytest.approx(roof.center[right, 0] - T / 2, abs=1e-4)
    # In the rafter's own axes every corner lies half a depth above the centre line.
    up = roof.axes[left, 1] * np.sign(roof.axes[left, 1, 2])
    above = (cells.reshape(-1, 3) - roof.center[left]) @ up
    assert above == pytest.approx(roof.half[left, 1], abs=2e-4)
    sum_of_cells = sum(area(cell) for cell in cells)
    run = length((finding.detail["line"][0], finding.detail["line"][1]))
    assert sum_of_cells == pytest.approx(run * (2 * GRID - T), rel=1e-3)


def test_no_cell_of_a_hip_roof_covers_a_rafter():
    roof = without(hip_roof(), "Rafter_S_08")
    for finding in roof_coverage(joints_of(roof)).findings:
        for cell in np.array(finding.detail["cells"]):
            middle = cell.mean(axis=0)
            offset = (middle - roof.center)[:, None, :] @ roof.axes.transpose(0, 2, 1)
            inside = (np.abs(offset[:, 0]) <= roof.half - 1e-6).all(axis=1)
            assert not inside.any()


def test_the_header_that_is_missing_fills_the_opening_on_its_trimmers():
    wall = without(framed_wall((1.5, 2.7, None)), "Header_0|Cripple_0_Over_.")
    finding = next(f for f in opening_header(joints_of(wall)).findings if f.subject_kind == "place")
    box = np.array(finding.detail["missing"])
    low, high = box.min(axis=0), box.max(axis=0)
    assert [low[0], high[0]] == pytest.approx([1.5 - T, 2.7 + T], abs=1e-3), "38 mm on each trimmer"
    assert low[2] == pytest.approx(T + 2.0, abs=1e-3), "it lies on the trimmers"
    assert [low[1], high[1]] == pytest.approx([0, STUD], abs=1e-3)


def test_the_king_stud_that_is_missing_stands_at_the_end_of_the_header():
    wall = without(framed_wall((1.5, 2.7, None)), "KingStud_0L")
    found = [f for f in opening_header(joints_of(wall)).findings if "missing" in f.detail]
    box = np.array(found[0].detail["missing"])
    assert box[:, 0].max() == pytest.approx(1.5 - T, abs=1e-3)
    assert np.ptp(box[:, 0]) == pytest.approx(T, abs=1e-3)
    assert box[:, 2].max() == pytest.approx(T + 2.4, abs=1e-3), "as high as the studs"


def test_a_header_without_bearing_tells_where_it_should_bear():
    wall = without(framed_wall((1.5, 2.7, None)), "TrimmerStud_0L")
    found = [f for f in opening_header(joints_of(wall)).findings if f.subject == "Header_0"]
    detail = found[0].detail
    assert "patch" not in detail, "it bears nowhere on that side"
    needed = np.array(detail["needed"])
    assert sorted({*needed[:, 0].round(4)}) == pytest.approx([1.5 - T, 1.5 - T + 0.038])
    assert needed[:, 2] == pytest.approx(T + 2.0)


def test_posts_out_of_line_and_posts_on_nothing():
    frame = gables.Frame()
    frame.box("Footing", (-0.3, -0.3, -0.2), (0.3, 0.3, 0))
    frame.box("Post_Lower", (-0.07, -0.07, 0), (0.07, 0.07, 2))
    frame.box("Beam", (-2, -0.07, 2), (2, 0.07, 2.2))
    frame.box("Post_Upper", (-0.02, -0.07, 2.2), (0.12, 0.07, 4))
    frame.box("Post_Far", (1.4, -0.07, 2.2), (1.54, 0.07, 4))
    found = {f.related[0]: f for f in point_load(joints_of(frame.structure())).findings}
    far = next(f for f in found.values() if f.subject == "place below Post_Far")
    assert far.detail["from"] == pytest.approx([1.47, 0, 2.0])
    assert far.detail["to"] == pytest.approx([1.47, 0, 0]), "down to the ground"
    aside = next(f for f in point_load(joints_of(frame.structure())).findings if f is not far)
    assert length((aside.detail["from"], aside.detail["to"])) == pytest.approx(aside.measured)
