# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn for each kind of timber fault, against figures worked out by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.addon.pictures.drawing import Shown
from plumbline.addon.pictures.timber.book import MAKERS, PICTURES
from plumbline.checks.result import Finding
from plumbline.checks.timber import TimberBrief, judge
from plumbline.checks.timber.engineering.profile import check_ids

sys.path.insert(0, str(Path(__file__).parents[2] / "helpers"))
import gables
import timber_samples
from carpentry import GRID, T, framed_floor, framed_wall, hip_roof, moved, resized, without


def shown_of(structure, check, moves=None, profile="engineering", which=0, **brief):
    """A finding of a check, ready for its picture."""
    given = TimberBrief(**brief)
    judgement = judge(structure, given, profile)
    findings = judgement.check(check).findings
    explained = PICTURES.explain(structure, given, judgement)
    subjects = PICTURES.subjects(structure)
    return Shown(structure, judgement, given, explained, findings[which], subjects, moves or {})


def picture_of(*arguments, **values):
    shown = shown_of(*arguments, **values)
    own = MAKERS[shown.finding.check](shown)
    assert own is not None, f"{shown.finding.check} has no picture of its own"
    return shown.finding, PICTURES.picture(shown)


def length(pair) -> float:
    return float(np.linalg.norm(np.subtract(pair[1], pair[0])))


def strong(picture, tone):
    """Lengths of the two-point lines of a tone that carry the message."""
    return [length(p.points) for p in picture.lines if p.tone == tone and len(p.points) == 2]


def texts(picture):
    return [words.text for words in picture.words]


def solid(picture, tone, outline=None):
    (found,) = [f.solid for f in picture.faces if f.tone == tone and f.outline == (outline or tone)]
    return found


def area(surface) -> float:
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def spanned(span=6.0):
    return framed_floor(count=3, span=span)


def test_every_check_of_the_profile_has_a_maker():
    assert set(check_ids()) <= set(MAKERS)


def test_a_span_is_green_as_far_as_allowed_and_red_beyond():
    finding, picture = picture_of(spanned(), "clear_span")
    assert finding.measured == pytest.approx(6.0 - 0.14)
    assert sum(strong(picture, "allowed")) == pytest.approx(finding.limit, abs=1e-3)
    excess = finding.measured - finding.limit
    assert sum(strong(picture, "fault")) == pytest.approx(excess, abs=1e-3)
    assert texts(picture) == [f"{finding.measured:.2f} m, allowed {finding.limit:.2f} m"]
    below = [p.points[:, 2] for p in picture.lines if p.tone in ("allowed", "fault")]
    assert np.concatenate(below).max() < T + 0.235 / 2, "beside the member, not inside"


def shed_rafter():
    """One rafter that rises 2 m over 6 m in plan, notched 30 mm over a plate at each end."""
    frame = gables.Frame()
    along = np.array([0, 6, 2]) / np.hypot(6, 2)
    up = np.cross([1, 0, 0], along)
    edge = np.array([0, 0, 2.4]) - 0.03 * up
    start = edge - 0.3 * along
    frame.oriented(
        "Rafter_1", start + 0.07 * up + along * 3.5, [along, up, [1, 0, 0]], [7.0, 0.14, T]
    )
    frame.box("TopPlate_1", (-1, 0, 2.4 - T), (1, 0.089, 2.4))
    frame.box("TopPlate_2", (-1, 6, 4.4 - T), (1, 6.089, 4.4))
    return frame.structure()


def test_the_span_of_a_rafter_is_drawn_level_as_it_is_measured():
    finding, picture = picture_of(shed_rafter(), "clear_span")
    slope = length((finding.detail["from"], finding.detail["to"]))
    assert slope == pytest.approx(finding.measured * np.hypot(6, 2) / 6, abs=1e-3)
    whole = sum(strong(picture, "allowed")) + sum(strong(picture, "fault"))
    assert whole == pytest.approx(finding.measured, abs=1e-3)
    drawn = np.concatenate([p.points for p in picture.lines if p.tone in ("allowed", "fault")])
    assert np.ptp(drawn[:, 2]) == pytest.approx(0, abs=1e-6)


def overhanging(out=0.8):
    frame = gables.Frame()
    for k, y in enumerate((0.0, 2.54)):
        frame.box(f"Sill_{k}", (-1, y, 0), (1, y + 0.14, T))
    frame.box("Joist", (0, 0, T), (T, 2.68 + out, T + 0.184))
    return frame.structure()


def test_an_overhang_with_the_span_behind_it():
    finding, picture = picture_of(overhanging(), "cantilever")
    assert finding.limit == pytest.approx(2.4 / 4)
    assert strong(picture, "allowed") == pytest.approx([0.6], abs=1e-3)
    assert strong(picture, "fault") == pytest.approx([0.2], abs=1e-3)
    assert pytest.approx(2.4) in strong(picture, "plain")
    assert texts(picture) == ["800 mm, allowed 600 mm", "2.40 m behind the support"]


def test_a_gap_in_a_row_of_studs():
    finding, picture = picture_of(without(framed_wall(), "Stud_04"), "spacing", spacing=0.406)
    assert strong(picture, "allowed")[0] == pytest.approx(finding.limit, abs=1e-3)
    assert strong(picture, "fault") == pytest.approx([2 * GRID - finding.limit], abs=1e-3)
    (missing,) = [p for p in picture.lines if p.dashed]
    assert missing.points[:, 0] == pytest.approx(4 * GRID + T / 2, abs=2e-3)
    assert np.ptp(missing.points[:, 2]) == pytest.approx(2.4, abs=1e-3), "as tall as the stud"
    marks = [p.points for p in picture.lines if p.tone == "plain" and len(p.points) > 6]
    middles = marks[0].reshape(-1, 2, 3).mean(axis=1)[:, 0] if len(marks) == 1 else None
    rows = [m.reshape(-1, 2, 3) for m in marks]
    upright = [r for r in rows if np.ptp(r[:, :, 0], axis=1).max() < 1e-6]
    assert middles is None or len(middles)
    assert upright and upright[0].mean(axis=1)[:, 0] == pytest.approx(
        np.array(finding.detail["ticks"])[:, 0]
    )


def test_the_hole_in_a_roof():
    finding, picture = picture_of(without(gables.gable(6 / 12), "Rafter_N_04"), "roof_coverage")
    hole = solid(picture, "fault")
    line = finding.detail["line"]
    assert area(hole) == pytest.approx(length(line) * (2 * GRID - T), rel=1e-3)
    assert texts(picture)[0].endswith("covered, 98% needed")


def test_where_a_joist_bears_and_where_it_should():
    floor = framed_floor(count=3)
    floor = resized(floor, "Joist_01", y=3.0 + 0.02 - T)
    row = floor.names.index("Joist_01")
    floor = moved(floor, "Joist_01", (0, (T + 3.02) / 2 - floor.center[row, 1], 0))
    _, picture = picture_of(floor, "bearing")
    assert area(solid(picture, "allowed")) == pytest.approx(0.038 * T, rel=1e-3)
    patches = [f.solid for f in picture.faces if f.tone == "fault" and f.behind > 0.5]
    assert area(patches[0]) == pytest.approx(0.02 * T, rel=1e-3)
    assert texts(picture) == ["20 mm, needed 38 mm"]


def test_the_wood_that_a_notch_takes_away():
    roof = gables.gable(6 / 12)
    roof = moved(roof, "Rafter_N_04", (0, 0, -0.08))
    finding, picture = picture_of(roof, "notching")
    assert strong(picture, "allowed") == pytest.approx([finding.limit], abs=1e-3)
    assert strong(picture, "fault") == pytest.approx([finding.measured - finding.limit], abs=1e-3)
    cut = solid(picture, "fault", "plain")
    assert np.ptp(cut.points[:, 0]) == pytest.approx(T, abs=1e-3)


def test_what_two_members_share_with_its_volume():
    frame = gables.Frame()
    frame.box("Beam_1", (0, 0, 0), (2, 0.1, 0.2))
    frame.box("Beam_2", (1, 0.05, 0.1), (1.1, 3, 0.3))
    finding, picture = picture_of(frame.structure(), "clash")
    shared = solid(picture, "fault", "plain")
    assert np.ptp(shared.points, axis=0) == pytest.approx([0.1, 0.05, 0.1])
    assert texts(picture) == ["500 cm³ shared"]
    assert finding.detail["volume"] == pytest.approx(5e-4)


@pytest.mark.parametrize(
    ("volume", "units", "text"),
    [
        (5e-4, "metric", "500 cm³ shared"),
        (2.5e-3, "metric", "2.5 litres shared"),
        (0.0254**3 * 12, "imperial", "12.0 cu in shared"),
    ],
)
def test_volumes_in_words(volume, units, text):
    from plumbline.addon.pictures.timber.clash import volume_words

    assert volume_words(volume, units) == text


def test_the_ghost_of_a_missing_header():
    wall = without(framed_wall((1.5, 2.7, None)), "Header_0|Cripple_0_Over_.")
    finding, picture = picture_of(wall, "opening_header")
    ghost = solid(picture, "allowed")
    assert np.ptp(ghost.points[:, 0]) == pytest.approx(1.2 + 2 * T, abs=1e-3)
    assert texts(picture) == [f"no header over {finding.measured:.2f} m"]


def test_the_outline_of_a_header_that_stands_on_edge():
    frame = gables.Frame()
    frame.box("Header_1", (0, 0, 2), (2, 0.184, 2.089))
    _, picture = picture_of(frame.structure(), "orientation")
    (outline,) = [p.points for p in picture.lines if p.tone == "allowed"]
    assert np.ptp(outline, axis=0) == pytest.approx([2, 0.089, 0.184])
    assert outline.mean(axis=0) == pytest.approx([1, 0.092, 2.0445])


def test_the_outline_of_the_nearest_size():
    frame = gables.Frame()
    frame.box("Joist_1", (0, 0, 1), (3, 0.038, 1.2))
    finding, picture = picture_of(frame.structure(), "section")
    (outline,) = [p.points for p in picture.lines if p.tone == "allowed"]
    assert np.ptp(outline, axis=0) == pytest.approx([3, *finding.detail["size"]], abs=1e-3)
    assert texts(picture) == ["38 mm × 200 mm, nearest 38 mm × 184 mm"]


def test_rings_round_open_ends():
    wall = framed_wall()
    row = wall.names.index("Stud_04")
    wall = moved(resized(wall, "Stud_04", z=2.3), "Stud_04", (0, 0, -0.05))
    finding, picture = picture_of(wall, "dual_end_connection")
    (rings,) = [p.points for p in picture.lines if p.tone == "fault"]
    assert rings.mean(axis=0) == pytest.approx([*wall.center[row, :2], T + 2.3], abs=1e-3)
    assert texts(picture) == ["open end"] and finding.subject == "Stud_04"


def test_a_post_out_of_line_is_measured_at_its_foot():
    frame = gables.Frame()
    frame.box("Footing", (-0.3, -0.3, -0.2), (0.3, 0.3, 0))
    frame.box("Post_Lower", (-0.07, -0.07, 0), (0.07, 0.07, 2))
    frame.box("Beam", (-2, -0.07, 2), (2, 0.07, 2.2))
    frame.box("Post_Upper", (0.0, -0.07, 2.2), (0.14, 0.07, 4))
    finding, picture = picture_of(frame.structure(), "point_load")
    assert finding.measured == pytest.approx(0.07)
    assert texts(picture) == ["70 mm out of line"]


# Loads -------------------------------------------------------------------------------------------


def test_the_load_of_a_floating_post_ends_in_the_air():
    frame = gables.Frame()
    frame.box("Footing", (-0.3, -0.3, -0.1), (0.3, 0.3, 0.1))
    frame.box("Post", (-0.05, -0.05, 0.15), (0.05, 0.05, 2.4))
    frame.box("Beam", (-1, -0.05, 2.4), (1, 0.05, 2.6))
    finding, picture = picture_of(frame.structure(), "load_path")
    assert finding.subject == "Post" and finding.measured == pytest.approx(0.05)
    (flow,) = picture.flows
    assert flow.tone == "fault"
    assert flow.arrows[0] == pytest.approx(np.array([[0, 0, 1.275], [0, 0, 0.15]]))
    gap = [p.points for p in picture.lines if len(p.points) == 2]
    assert gap[0] == pytest.approx(np.array([[0, 0, 0.15], [0, 0, 0.1]]))
    assert texts(picture) == ["50 mm gap"]


def test_a_missing_sill_is_a_dashed_line_under_the_joists():
    floor = without(framed_floor(count=5), "Sill_N")
    finding, picture = picture_of(floor, "load_path")
    assert finding.subject_kind == "place"
    (missing,) = [p.points for p in picture.lines if p.tone == "allowed"]
    assert np.ptp(missing[:, 0]) >= 3 * GRID and missing[:, 2] == pytest.approx(T)
    assert texts(picture) == ["nothing below for 38 mm"]
    assert {flow.tone for flow in picture.flows} == {"fault", "flow"}
    (sound,) = [f.arrows for f in picture.flows if f.tone == "flow"]
    assert sound[:, 1, 2].min() == pytest.approx(0.0), "the other end still stands"


def test_feet_without_ties():
    house = without(gables.gable(1.0), r"CeilingJoist_.*")
    _, picture = picture_of(house, "load_path")
    (ties,) = [p.points for p in picture.lines if p.tone == "allowed" and p.dashed]
    pairs = ties.reshape(-1, 2, 3)
    assert np.ptp(pairs[:, :, 1], axis=1) == pytest.approx(
        np.full(len(pairs), np.ptp(pairs[0, :, 1]))
    )
    assert np.ptp(pairs[:, :, 2], axis=1) == pytest.approx(np.zeros(len(pairs)), abs=1e-3)
    assert texts(picture) == ["no ties between the feet"]


def test_a_consequence_is_followed_down_to_its_root():
    floor = without(framed_floor(count=5), "Sill_N")
    judgement = judge(floor)
    explained, subjects = PICTURES.explain(floor, None, judgement), PICTURES.subjects(floor)
    for finding in judgement.check("load_path").findings:
        picture = PICTURES.picture(Shown(floor, judgement, None, explained, finding, subjects))
        assert picture.flows, finding.subject


def test_the_path_of_any_member_begins_in_it_and_ends_at_the_ground():
    house = timber_samples.gable_house(300)
    judgement = judge(house)
    explained, subjects = PICTURES.explain(house, None, judgement), PICTURES.subjects(house)
    rafter = house.names.index("Rafter_0008")
    picture = PICTURES.path(explained, subjects, "Rafter_0008")
    (flow,) = picture.flows
    assert flow.arrows[0, 0] == pytest.approx(house.center[rafter])
    assert flow.arrows[:, 1, 2].min() == pytest.approx(0.0)
    # Joined end to end: whoever does not begin in the rafter begins where another ends.
    ends = {tuple(np.round(end, 3)) for end in flow.arrows[:, 1]}
    for start in flow.arrows[1:, 0]:
        assert tuple(np.round(start, 3)) in ends or start == pytest.approx(house.center[rafter])
    assert {face.tone for face in picture.faces} == {"flow", "sound"}
    assert PICTURES.path(explained, subjects, "nobody") is None
    assert PICTURES.path(None, subjects, "Rafter_0008") is None


def test_the_path_of_a_member_that_does_not_stand_ends_with_a_cross():
    floor = without(framed_floor(count=5), "Sill_N")
    judgement = judge(floor)
    explained, subjects = PICTURES.explain(floor, None, judgement), PICTURES.subjects(floor)
    picture = PICTURES.path(explained, subjects, "Joist_02", lambda metres: f"<{metres:.3f}>")
    assert texts(picture) == ["nothing below for <0.038>"]
    assert any(line.tone == "fault" for line in picture.lines)


@pytest.mark.parametrize("profile", ["paper", "release"])
def test_other_profiles_know_the_way_of_loads_too(profile):
    house = gables.gable(6 / 12)
    judgement = judge(house, None, profile)
    explained = PICTURES.explain(house, None, judgement)
    assert judgement.workings is None
    assert PICTURES.path(explained, PICTURES.subjects(house), "Rafter_N_04").flows


def test_the_published_span_has_the_dimension_line_too():
    finding, picture = picture_of(spanned(9.0), "span_limits", profile="paper")
    assert sum(strong(picture, "fault")) == pytest.approx(
        finding.measured - finding.limit, abs=0.01
    )


@pytest.mark.parametrize(
    ("structure", "check"),
    [
        (spanned(), "clear_span"),
        (overhanging(), "cantilever"),
        (without(framed_floor(count=5), "Sill_N"), "load_path"),
        (without(hip_roof(), "Rafter_S_08"), "roof_coverage"),
    ],
    ids=["span", "overhang", "load", "cover"],
)
def test_what_was_measured_goes_once_somebody_was_moved(structure, check):
    finding = shown_of(structure, check).finding
    name = finding.subject if finding.subject_kind == "member" else finding.related[0]
    shift = np.eye(4)
    shift[:3, 3] = (5, 0, 0)
    picture = PICTURES.picture(shown_of(structure, check, {name: shift}))
    assert not picture.lines and not picture.flows and not picture.words
    assert picture.faces, "the members stay to be seen"


def test_a_finding_that_was_stored_has_the_same_picture():
    import json

    from plumbline.addon.ranking import plain_finding
    from plumbline.addon.runs.records import clean

    for structure, check in ((spanned(), "clear_span"), (overhanging(), "cantilever")):
        shown = shown_of(structure, check)
        stored = json.loads(json.dumps(clean(plain_finding(shown.finding))))
        stored["related"], stored["location"] = tuple(stored["related"]), stored["location"]
        known = {key: stored[key] for key in Finding.__dataclass_fields__ if key in stored}
        again = Shown(structure, shown.judgement, None, None, Finding(**known), shown.subjects, {})
        one, other = PICTURES.picture(shown), PICTURES.picture(again)
        assert texts(one) == texts(other)
        for a, b in zip(one.lines, other.lines, strict=True):
            assert a.points == pytest.approx(b.points) and a.tone == b.tone
