# SPDX-License-Identifier: GPL-3.0-or-later
"""Structures survive the way through JSON bit for bit, and damaged ones are refused in words."""

import json

import numpy as np
import pytest
from plumbline.addon.scene.plain import structure_from_plain, structure_to_plain
from plumbline.checks.result import Finding
from plumbline.checks.timber.structure import StructureError, TimberStructure


def _structure() -> TimberStructure:
    rng = np.random.default_rng(1)
    axes = np.linalg.qr(rng.normal(size=(4, 3, 3)))[0]
    return TimberStructure.from_boxes(
        ["Sill_01", "Stud\n02", "Stütze 🏠", "Rafter.001"],
        rng.normal(size=(4, 3)),
        axes,
        rng.uniform(0.03, 4, size=(4, 3)),
        [None, "Stud", None, None],
        notes=("one note",),
        skipped={"hidden": 2},
        findings=(Finding("reading", "Stud_9", "Stud_9 is flat.", location=(1.0, 2.0, 3.0)),),
        source={"kind": "scene", "fill": {"Rafter.001": 0.5}},
    )


def test_round_trip_is_exact():
    before = _structure()
    after = structure_from_plain(json.loads(json.dumps(structure_to_plain(before))))
    assert after.names == before.names
    assert after.explicit_roles == before.explicit_roles
    for field in ("center", "axes", "half"):
        assert (getattr(after, field) == getattr(before, field)).all()
    for field in ("notes", "skipped", "findings", "source"):
        assert getattr(after, field) == getattr(before, field)


def test_nothing_at_all_survives_too():
    empty = TimberStructure.from_boxes([], [], [], [])
    assert len(structure_from_plain(json.loads(json.dumps(structure_to_plain(empty))))) == 0


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda d: d.pop("half"), "'half'"),
        (lambda d: d.update(schema="x/2"), "schema"),
        (lambda d: d.update(center=[[1, 2]]), "wrong kind"),
        (lambda d: d.update(names=None), "wrong kind"),
        (lambda d: d["center"][1].__setitem__(0, float("nan")), "not finite"),
    ],
)
def test_damage_is_named(damage, word):
    data = structure_to_plain(_structure())
    damage(data)
    with pytest.raises(StructureError, match=word):
        structure_from_plain(data)
