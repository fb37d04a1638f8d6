# SPDX-License-Identifier: GPL-3.0-or-later
"""A skin hides the framing whatever the style, is open where the framing is, and has true roofs."""

from __future__ import annotations

import gables
import numpy as np
import pytest
from plumbline.checks.timber.roles import resolve
from plumbline.checks.timber.structure import TimberStructure
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.houses.parameters import STYLES
from plumbline.tasks.houses.roof_planes import inside, roof_fields, signed_area
from plumbline.tasks.houses.skin import KINDS, skin
from plumbline.tasks.houses.skin_openings import openings
from plumbline.tasks.houses.storeys import storeys

pytestmark = pytest.mark.once


def polygons(surfaces, *kinds):
    """All faces of some kinds, each (n, 3)."""
    return [
        surface.vertices[list(face)]
        for surface in surfaces
        if surface.kind in kinds or not kinds
        for face in surface.faces
    ]


def seen(surfaces, points):
    """Which ``points`` (n, 3) are seen from far away along x, y or from above, (5, n)."""
    faces = polygons(surfaces)
    found = []
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1)):
        others = [k for k in range(3) if k != axis]
        hidden = np.zeros(len(points), bool)
        for face in faces:
            here = face - face[0]
            normal = np.cross(here, np.roll(here, -1, axis=0)).sum(axis=0)
            if abs(normal[axis]) < 1e-9 * np.abs(normal).max():
                continue
            at = face[0, axis] - (points - face[0])[:, others] @ normal[others] / normal[axis]
            before = sign * (at - points[:, axis]) > 0
            hidden |= before & inside(points[:, others], face[:, others])
        found.append(~hidden)
    return np.array(found)


def framing(structure, surfaces):
    """Members that a skin must hide: all but those that it shows, and accessories."""
    roles = resolve(structure)
    shown = {tuple(np.round(p.mean(axis=0), 4)) for p in _boxes(surfaces)}
    own = np.array([tuple(np.round(c, 4)) in shown for c in structure.center])
    return ~own & ~roles.in_category("accessory")


def _boxes(surfaces):
    faces = polygons(surfaces, "foundation", "frame")
    return [np.concatenate(faces[i : i + 6]) for i in range(0, len(faces), 6)]


def generated(style, seed):
    try:
        return generate(style, seed).structure
    except ValueError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("style", STYLES)
def test_the_framing_is_hidden(style):
    structure = generated(style, 1)
    surfaces = skin(structure)
    assert [s.kind for s in surfaces] == [kind for kind in KINDS if polygons(surfaces, kind)]
    hidden = framing(structure, surfaces)
    # Fly rafters and plates that carry them stand under the roof, beyond the walls.
    roofs = resolve(structure).in_category("roof")
    within = np.any(
        [s.encloses(structure.center[:, :2]) for s in storeys(structure, resolve(structure))],
        axis=0,
    )
    places = structure.center + (0.003, 0.004, 0.0)  # on no border between two faces
    some = np.flatnonzero(hidden & (within | roofs))[::3]
    leaks = seen(surfaces, places[some])
    names = np.array(structure.names)[some]
    for row in leaks[:4]:
        assert names[row & within[some]].tolist() == []
    assert names[leaks[4] & roofs[some]].tolist() == []


def test_openings_are_what_the_framing_shows():
    """Between the trimmers, over the sill, under the header: of each header one opening."""
    structure = gables.gable(0.5)
    assert openings(structure, resolve(structure)) == ()
    structure = generated("Colonial", 1)
    roles = resolve(structure)
    found = openings(structure, roles)
    low, high = structure.aabb
    for opening in found:
        head = roles.mask("Header") & (np.abs(low[:, 2] - opening.top) < 1e-6)
        assert (head & (low[:, opening.axis] < opening.left)).any()
        sills = np.flatnonzero(roles.mask("WindowSill"))
        matching = [i for i in sills if abs(low[i, opening.axis] - opening.left) < 2e-3]
        assert opening.kind == "door" or any(
            high[i, 2] == pytest.approx(opening.bottom) for i in matching
        )
    panes = polygons(skin(structure), "pane", "door")
    outer = [p for p in panes if np.ptp(p, axis=0).min() < 1e-9]
    assert len(outer) == len(panes) >= 8


def test_both_parts_of_a_split_level_have_their_windows():
    """Its floors lie half a storey apart, so that heights alone don't tell a window's storey."""
    structure = generated("Split-Level", 2)
    roles = resolve(structure)
    outer = sum(low < 0.3 for low in structure.aabb[0][roles.mask("WindowSill"), 1])
    front = [p for p in polygons(skin(structure), "pane") if np.abs(p[:, 1] - 0.06).max() < 1e-6]
    assert len(front) == outer >= 2


def test_a_pane_is_as_large_as_its_opening_and_the_wall_is_cut_there():
    low = np.array([[0, 0, 0], [0, 0, 2.4], [0.0, 0, 0.038], [3.962, 0, 0.038], [1.0, 0, 0.038],
                    [2.962, 0, 0.038], [0.962, 0, 2.0], [1.038, 0, 0.9]])  # fmt: skip
    high = np.array([[4, 0.089, 0.038], [4, 0.089, 2.438], [0.038, 0.089, 2.4],
                     [4.0, 0.089, 2.4], [1.038, 0.089, 2.0], [3.0, 0.089, 2.0],
                     [3.038, 0.089, 2.2], [2.962, 0.089, 0.938]])  # fmt: skip
    names = ["BottomPlate_S_01", "TopPlate_S_01", "Stud_01", "Stud_02", "TrimmerStud_01",
             "TrimmerStud_02", "Header_01", "WindowSill_01"]  # fmt: skip
    other = np.array([[0, 3, 0], [0, 0.089, 0], [3.911, 0.089, 0]])
    far = np.array([[4, 3.089, 0.038], [0.089, 3, 0.038], [4, 3, 0.038]])
    low, high = np.concatenate([low, other]), np.concatenate([high, far])
    names += ["BottomPlate_N_01", "BottomPlate_W_01", "BottomPlate_E_01"]
    structure = TimberStructure.from_boxes(
        names, (low + high) / 2, np.broadcast_to(np.eye(3), (len(low), 3, 3)), high - low
    )
    surfaces = skin(structure)
    (pane,) = polygons(surfaces, "pane")
    np.testing.assert_allclose(pane.min(axis=0), [1.038, 0.06, 0.938])
    np.testing.assert_allclose(pane.max(axis=0), [2.962, 0.06, 2.0])
    front = [p for p in polygons(surfaces, "wall") if np.abs(p[:, 1]).max() < 1e-9]
    area = sum(abs(signed_area(p[:, [0, 2]])) for p in front)
    assert area == pytest.approx(4.0 * 2.438 - 1.924 * 1.062)


@pytest.mark.parametrize("pitch", [0.25, 0.5, 1.0])
def test_roofs_meet_at_the_ridge(pitch):
    structure = gables.gable(pitch)  # it has no walls under its gables
    fields = roof_fields(structure, resolve(structure))
    assert len(fields) == 2
    corners = [field.corners for field in fields]
    ridge = [points[points[:, 2] > points[:, 2].max() - 1e-6] for points in corners]
    for line in ridge:
        np.testing.assert_allclose(line[:, 1], gables.WIDTH / 2, atol=1e-9)
    for field in fields:
        assert field.plane.slope == pytest.approx(pitch)


def test_gables_are_closed_up_to_the_ridge():
    structure = generated("Colonial", 1)
    fields = roof_fields(structure, resolve(structure))
    walls = np.concatenate(polygons(skin(structure), "wall"))
    top = max(field.corners[:, 2].max() for field in fields)
    assert walls[:, 2].max() == pytest.approx(top - 0.14)


def test_a_hip_roof_covers_its_eaves_rectangle_exactly():
    """Four planes over 8 x 6 m of common and jack rafters: no gap, no overlap."""
    structure = hip(8.0, 6.0, 0.5)
    fields = roof_fields(structure, resolve(structure))
    areas = [signed_area(field.outline) for field in fields]
    assert sorted(areas) == pytest.approx([9.0, 9.0, 15.0, 15.0], rel=1e-3)
    x, y = np.meshgrid(np.linspace(0.05, 7.95, 60), np.linspace(0.06, 5.94, 50))
    points = np.column_stack([x.ravel(), y.ravel()])
    covered = np.sum([field.covers(points) for field in fields], axis=0)
    assert (covered == 1).mean() > 0.995 and covered.max() <= 2


def hip(length, depth, slope, spacing=0.4, width=0.038, high=0.14):
    """Rafters of a hip roof whose top edges run from the eaves to 15 mm before the hips."""
    names, centers, axes, sizes = [], [], [], []
    cos = 1 / np.hypot(1, slope)
    sides = {
        "S": ((0, 0), (1, 0), (0, 1), length),
        "N": ((length, depth), (-1, 0), (0, -1), length),
        "E": ((length, 0), (0, 1), (-1, 0), depth),
        "W": ((0, depth), (0, -1), (1, 0), depth),
    }
    for tag, (corner, along, up, run) in sides.items():
        along, up = np.array(along), np.array(up)
        for i, t in enumerate(np.arange(spacing, run - 0.1, spacing)):
            top = min(t, run - t, depth / 2) - 0.015
            start = np.array([*(corner + t * along), 0.0])
            end = np.array([*(corner + t * along + top * up), top * slope])
            axis = (end - start) / np.linalg.norm(end - start)
            side = np.array([*along, 0.0])
            normal = np.cross(axis, side) * np.sign(np.cross(axis, side)[2])
            names.append(f"Rafter_{tag}_{i:02d}")
            centers.append((start + end) / 2 - normal * high / 2)
            axes.append([axis, side, np.cross(axis, side)])
            sizes.append([top / cos, width, high])
    return TimberStructure.from_boxes(names, centers, axes, sizes)


def test_a_court_that_is_closed_all_round_stays_open():
    def ring(a, b):
        return [((a, a), (b, a + 0.1)), ((a, b - 0.1), (b, b)), ((a, a + 0.1), (a + 0.1, b - 0.1)),
                ((b - 0.1, a + 0.1), (b, b - 0.1))]  # fmt: skip

    plates, lines = [*ring(0, 10), *ring(3, 7)], (0.5, 1.5, 2.5, 7.5, 8.5, 9.5)
    low = [(*a, 0.0) for a, _ in plates] + [(0.1, y, -0.2) for y in lines]
    high = [(*b, 0.1) for _, b in plates] + [(9.9, y + 0.04, 0) for y in lines]
    low += [(x, 3.1, -0.2) for x in lines]
    high += [(x + 0.04, 6.9, 0) for x in lines]
    names = [f"BottomPlate_{i}" for i in range(8)] + [f"Joist_{i}" for i in range(12)]
    low, high = np.array(low, float), np.array(high, float)
    structure = TimberStructure.from_boxes(
        names, (low + high) / 2, np.broadcast_to(np.eye(3), (20, 3, 3)), high - low
    )
    (storey,) = storeys(structure, resolve(structure))
    points = np.array([[5.0, 5.0], [1.5, 5.0], [5.0, 1.5], [-1.0, 5.0], [3.05, 5.0]])
    assert storey.encloses(points).tolist() == [False, True, True, False, True]
    assert len(list(storey.sides())) == 8
    for side in storey.sides():
        middle = 0.5 * (side.start + side.end)
        assert not storey.encloses((middle + 0.02 * side.outward)[None])[0]
        assert storey.encloses((middle - 0.02 * side.outward)[None])[0]


def test_nothing_to_cover():
    lone = TimberStructure.from_boxes(["Beam_1"], [(0, 0, 1)], [np.eye(3)], [(2.0, 0.1, 0.2)])
    assert {s.kind for s in skin(lone)} <= set(KINDS)
    assert skin(lone.subset([])) == ()
