# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaps, overlaps and patches of boxes, against linear programming and against figures by hand."""

import numpy as np
import pytest
from plumbline.checks.timber import TimberStructure
from plumbline.checks.timber.engineering.contact import find_pairs
from plumbline.checks.timber.engineering.frame import Frame
from plumbline.checks.timber.polygons import box_planes

linprog = pytest.importorskip("scipy.optimize").linprog


def pairs_of(boxes, axes=None):
    """Pairs of named boxes given as {name: (low, high)}."""
    low = np.array([b[0] for b in boxes.values()], float)
    high = np.array([b[1] for b in boxes.values()], float)
    axes = np.stack([np.eye(3)] * len(boxes)) if axes is None else axes
    structure = TimberStructure.from_boxes(list(boxes), (low + high) / 2, axes, high - low)
    return find_pairs(Frame.of(structure))


@pytest.mark.parametrize("seed", range(80))
def test_overlap_and_gap_agree_with_linear_programming(seed):
    rng = np.random.default_rng(seed)
    axes, _ = np.linalg.qr(rng.normal(size=(2, 3, 3)))
    size = rng.uniform(0.1, 0.8, size=(2, 3))
    center = np.array([[0.0, 0, 0], rng.normal(scale=0.45, size=3)])
    structure = TimberStructure.from_boxes(["a", "b"], center, axes, size)
    pairs = find_pairs(Frame.of(structure))
    normals, offsets = box_planes(structure.center, structure.axes, structure.half)
    # How far both boxes must grow on all faces to share a point: negative if they overlap.
    grow = linprog(
        [0, 0, 0, 1],
        A_ub=np.column_stack([normals.reshape(12, 3), -np.ones(12)]),
        b_ub=offsets.reshape(12),
        bounds=[(None, None)] * 4,
    ).x[3]
    if len(pairs) == 0:
        assert grow > 0
    elif abs(grow) > 1e-6:
        assert (pairs.gap[0] <= 0) == (grow <= 0)


def test_a_joist_on_a_sill_touches_over_their_common_patch():
    pairs = pairs_of({
        "Sill_1": ((0, 0, 0), (3, 0.14, 0.038)),
        "Joist_1": ((1, 0.05, 0.038), (1.038, 2.4, 0.273)),
    })  # fmt: skip
    assert pairs.gap == pytest.approx([0.0], abs=1e-12)
    assert pairs.patch.tolist() == [True]
    assert pairs.normal[0] == pytest.approx([0, 0, 1])
    assert np.ptp(pairs.span_j[0]) == pytest.approx(0.09)
    assert np.ptp(pairs.span_i[0]) == pytest.approx(0.038)
    assert pairs.spot[0] == pytest.approx([1.019, 0.095, 0.038])


def test_the_depth_of_an_overlap_is_the_smallest_way_out():
    pairs = pairs_of({
        "TopPlate_1": ((0, 0, 0), (3, 0.089, 0.038)),
        "Stud_1": ((1, 0, -2.3), (1.038, 0.089, 0.012)),
    })  # fmt: skip
    assert pairs.gap == pytest.approx([-0.012])


def test_members_a_hand_apart_are_no_pair():
    assert len(pairs_of({
        "Stud_1": ((0, 0, 0), (0.038, 0.089, 2.4)),
        "Stud_2": ((0.138, 0, 0), (0.176, 0.089, 2.4)),
    })) == 0  # fmt: skip


def test_boards_that_meet_at_an_edge_only_have_no_patch():
    pairs = pairs_of({
        "Plate_1": ((0, 0, 0), (1, 0.089, 0.038)),
        "Plate_2": ((0, 0.089, 0.038), (1, 0.178, 0.076)),
    })  # fmt: skip
    assert not pairs.patch.any()


def test_a_turned_house_has_the_same_gaps():
    boxes = {
        "Sill_1": ((0, 0, 0), (3, 0.14, 0.038)),
        "Joist_1": ((1, 0.05, 0.038), (1.038, 2.4, 0.273)),
    }
    straight = pairs_of(boxes)
    turn = np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1.0]])
    low = np.array([b[0] for b in boxes.values()], float)
    high = np.array([b[1] for b in boxes.values()], float)
    structure = TimberStructure.from_boxes(
        list(boxes), (low + high) / 2 @ turn.T, np.stack([turn.T] * 2), high - low
    )
    turned = find_pairs(Frame.of(structure))
    assert turned.gap == pytest.approx(straight.gap, abs=1e-12)
    assert np.ptp(turned.span_j[0]) == pytest.approx(np.ptp(straight.span_j[0]))
    assert turned.spot[0] == pytest.approx(turn @ straight.spot[0])
