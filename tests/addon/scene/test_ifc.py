# SPDX-License-Identifier: GPL-3.0-or-later
"""IFC: extrusions as boxes wherever they stand, in whatever unit; roles stated, never guessed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from plumbline.addon.scene.ifc import IfcError, structure_from_ifc

SAMPLE = Path(__file__).parents[4] / "shared/data/timber/multi-family-house.ifc"


class Model:
    """A small IFC4 file, made with ifcopenshell."""

    def __init__(self, unit="METRE", prefix=None):
        ifcopenshell = pytest.importorskip("ifcopenshell")
        self.file = file = ifcopenshell.file(schema="IFC4")
        if unit == "FOOT":
            metre = file.create_entity("IfcSIUnit", None, "LENGTHUNIT", None, "METRE")
            factor = file.create_entity(
                "IfcMeasureWithUnit", file.create_entity("IfcLengthMeasure", 0.3048), metre
            )
            exponents = file.create_entity("IfcDimensionalExponents", 1, 0, 0, 0, 0, 0, 0)
            length = file.create_entity(
                "IfcConversionBasedUnit", exponents, "LENGTHUNIT", "FOOT", factor
            )
        else:
            length = file.create_entity("IfcSIUnit", None, "LENGTHUNIT", prefix, unit)
        units = file.create_entity("IfcUnitAssignment", [length])
        self.context = file.create_entity(
            "IfcGeometricRepresentationContext", None, "Model", 3, 1e-5, self.axes((0, 0, 0))
        )
        file.create_entity(
            "IfcProject",
            ifcopenshell.guid.new(),
            Name="P",
            RepresentationContexts=[self.context],
            UnitsInContext=units,
        )
        self.guid = ifcopenshell.guid.new

    def point(self, values):
        return self.file.create_entity("IfcCartesianPoint", [float(v) for v in values])

    def direction(self, values):
        return self.file.create_entity("IfcDirection", [float(v) for v in values])

    def axes(self, origin, z=(0, 0, 1), x=(1, 0, 0)):
        return self.file.create_entity(
            "IfcAxis2Placement3D", self.point(origin), self.direction(z), self.direction(x)
        )

    def place(self, axes, parent=None):
        return self.file.create_entity("IfcLocalPlacement", parent, axes)

    def rectangle(self, x, y):
        flat = self.file.create_entity("IfcAxis2Placement2D", self.point((0, 0)))
        return self.file.create_entity("IfcRectangleProfileDef", "AREA", None, flat, x, y)

    def extrusion(self, profile, depth, axes=None, direction=(0, 0, 1)):
        return self.file.create_entity(
            "IfcExtrudedAreaSolid",
            profile,
            axes or self.axes((0, 0, 0)),
            self.direction(direction),
            depth,
        )

    def element(self, kind, name, items, placement=None, shape="SweptSolid", **more):
        body = self.file.create_entity("IfcShapeRepresentation", self.context, "Body", shape, items)
        whole = self.file.create_entity("IfcProductDefinitionShape", None, None, [body])
        return self.file.create_entity(
            kind,
            self.guid(),
            Name=name,
            ObjectPlacement=placement or self.place(self.axes((0, 0, 0))),
            Representation=whole if items else None,
            **more,
        )

    def read(self, tmp_path):
        path = tmp_path / "house.ifc"
        self.file.write(str(path))
        return structure_from_ifc(path)


@pytest.mark.parametrize(
    ("unit", "prefix", "metres"),
    [("METRE", None, 1.0), ("METRE", "MILLI", 1e-3), ("FOOT", None, 0.3048)],
)
def test_units_and_nested_placements(tmp_path, unit, prefix, metres):
    model = Model(unit, prefix)
    storey = model.place(model.axes((0, 0, 3 / metres), x=(0, 1, 0)))
    where = model.place(model.axes((2 / metres, 0, 0), z=(1, 0, 0), x=(0, 0, 1)), storey)
    solid = model.extrusion(model.rectangle(0.286 / metres, 0.038 / metres), 4 / metres)
    model.element("IfcBeam", "Joist_01", [solid], where, PredefinedType="JOIST")
    structure = model.read(tmp_path)
    assert 2 * structure.half[0] == pytest.approx([4, 0.286, 0.038])
    assert np.abs(structure.axes[0]) == pytest.approx(
        np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), abs=1e-9
    )
    assert structure.center[0] == pytest.approx([0, 4, 3])
    assert structure.explicit_roles == ("Joist",)
    assert structure.source["unit_scale"] == pytest.approx(metres)


def test_same_as_the_librarys_own_geometry(tmp_path):
    """All elements of the sample, against the corners that the geometry kernel computes."""
    ifcopenshell = pytest.importorskip("ifcopenshell")
    geom = pytest.importorskip("ifcopenshell.geom")
    if not SAMPLE.is_file():
        pytest.skip("the sample file isn't here")
    structure = structure_from_ifc(SAMPLE)
    settings = geom.settings()
    settings.set("use-world-coords", True)
    model = ifcopenshell.open(str(SAMPLE))
    for i, name in enumerate(structure.names):
        (element,) = [e for e in model.by_type("IfcElement") if e.Name == name]
        vertices = np.array(geom.create_shape(settings, element).geometry.verts).reshape(-1, 3)
        along = np.abs((vertices - structure.center[i]) @ structure.axes[i].T)
        assert along.max(axis=0) == pytest.approx(structure.half[i], abs=1e-4)


def test_the_sample_has_no_timber_roles_and_that_is_said():
    pytest.importorskip("ifcopenshell")
    if not SAMPLE.is_file():
        pytest.skip("the sample file isn't here")
    structure = structure_from_ifc(SAMPLE)
    assert len(structure) == 32
    assert set(structure.explicit_roles) == {""}
    assert structure.skipped == {"not a member": 68}
    assert any("rather than with guessed ones" in note for note in structure.notes)


def test_mapped_cut_and_composed_bodies(tmp_path):
    model = Model()
    file = model.file
    solid = model.extrusion(model.rectangle(0.14, 0.038), 3.0)
    source = file.create_entity(
        "IfcRepresentationMap",
        model.axes((0, 0, 0)),
        file.create_entity("IfcShapeRepresentation", model.context, "Body", "SweptSolid", [solid]),
    )
    operator = file.create_entity(
        "IfcCartesianTransformationOperator3D", None, None, model.point((1, 2, 0)), 2.0, None
    )
    mapped = file.create_entity("IfcMappedItem", source, operator)
    model.element("IfcColumn", "Post_01", [mapped], shape="MappedRepresentation")
    plane = file.create_entity("IfcPlane", model.axes((0, 0, 2.9)))
    half_space = file.create_entity("IfcHalfSpaceSolid", plane, True)
    cut = file.create_entity("IfcBooleanClippingResult", "DIFFERENCE", solid, half_space)
    model.element("IfcMember", "Rafter_01", [cut], shape="Clipping", PredefinedType="RAFTER")
    other = model.extrusion(model.rectangle(0.14, 0.038), 3.0, model.axes((0, 0.038, 0)))
    model.element("IfcBeam", "Header_01", [solid, other])
    structure = model.read(tmp_path)
    assert structure.names == ("Post_01", "Rafter_01", "Header_01")
    assert 2 * structure.half == pytest.approx(
        np.array([[6, 0.28, 0.076], [3, 0.14, 0.038], [3, 0.14, 0.076]])
    )
    assert structure.center[0] == pytest.approx([1, 2, 3])
    assert structure.notes == ()


def test_odd_profiles_are_boxed_and_said(tmp_path):
    model = Model()
    points = [(0, 0), (0.2, 0), (0.2, 0.04), (0.04, 0.04), (0.04, 0.3), (0, 0.3), (0, 0)]
    curve = model.file.create_entity("IfcPolyline", [model.point(p) for p in points])
    profile = model.file.create_entity("IfcArbitraryClosedProfileDef", "AREA", None, curve)
    model.element("IfcBeam", "Ledger_01", [model.extrusion(profile, 5.0)])
    round_ = model.file.create_entity("IfcCircleProfileDef", "AREA", None, None, 0.1)
    model.element("IfcColumn", "Post_01", [model.extrusion(round_, 2.4)])
    structure = model.read(tmp_path)
    assert 2 * structure.half[0] == pytest.approx([5, 0.3, 0.2])
    assert structure.half[1, 0] == pytest.approx(1.2)
    assert structure.source["fill"]["Ledger_01"] == pytest.approx(0.0184 / 0.06, rel=1e-3)
    assert "2 members are no plain box" in structure.notes[0]


def test_without_an_extrusion_is_counted_and_said(tmp_path):
    model = Model()
    solid = model.extrusion(model.rectangle(0.089, 0.038), 2.4)
    model.element("IfcMember", "Stud_01", [solid])
    model.element("IfcMember", "Stud_02", [])
    model.element("IfcMember", "thing", [])
    model.element("IfcWall", "Wall", [solid])
    structure = model.read(tmp_path)
    assert structure.names == ("Stud_01",)
    assert structure.skipped == {"no extrusion": 2, "not a member": 1}
    assert [f.subject for f in structure.findings] == ["Stud_02"]


def test_timber_by_its_material(tmp_path):
    model = Model()
    solid = model.extrusion(model.rectangle(0.3, 0.1), 4.0)
    beam = model.element("IfcBeam", "Beam_01", [solid])
    assert model.read(tmp_path).explicit_roles == ("",)
    wood = model.file.create_entity("IfcMaterial", "Glulam GL24h")
    model.file.create_entity(
        "IfcRelAssociatesMaterial", model.guid(), RelatedObjects=[beam], RelatingMaterial=wood
    )
    structure = model.read(tmp_path)
    assert structure.explicit_roles == (None,)
    assert structure.notes == ()


def test_equal_and_missing_names(tmp_path):
    model = Model()
    solid = model.extrusion(model.rectangle(0.089, 0.038), 2.4)
    for name in ("Stud", "Stud", None):
        element = model.element("IfcMember", name, [solid])
    names = model.read(tmp_path).names
    assert names == ("Stud", "Stud#2", f"IfcMember {element.GlobalId}")


def test_files_that_are_none(tmp_path):
    pytest.importorskip("ifcopenshell")
    path = tmp_path / "a.ifc"
    with pytest.raises(IfcError, match="doesn't exist"):
        structure_from_ifc(path)
    with pytest.raises(IfcError, match="is a folder"):
        structure_from_ifc(tmp_path)
    path.write_text("solid stl")
    with pytest.raises(IfcError, match="no IFC file"):
        structure_from_ifc(path)
    path.write_text("ISO-10303-21;\nHEADER;\nDATA;\n#1=IFCWALL(")
    with pytest.raises(IfcError, match="is cut off"):
        structure_from_ifc(path)
    path.write_text("ISO-10303-21;\nnonsense\nEND-ISO-10303-21;\n")
    with pytest.raises(IfcError, match=r"a\.ifc can't be read as IFC"):
        structure_from_ifc(path)


def test_without_the_library_the_way_to_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ifcopenshell", None)
    with pytest.raises(IfcError, match="-m pip install ifcopenshell"):
        structure_from_ifc(tmp_path / "a.ifc")
