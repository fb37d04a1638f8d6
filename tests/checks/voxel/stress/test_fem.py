# SPDX-License-Identifier: GPL-3.0-or-later
"""The finite elements against closed forms, equilibrium and each other."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the finite elements need SciPy")
from plumbline.checks.voxel import VoxelStructure
from plumbline.checks.voxel.stress import fem
from plumbline.checks.voxel.stress.element import CORNERS, Element, elasticity, von_mises
from plumbline.checks.voxel.stress.materials import GRAVITY, MATERIALS, material_of
from plumbline.checks.voxel.stress.mesh import Mesh, floating

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
from voxel_layouts import arch, box, box_cells, roof, structure
from voxel_statics import PLAIN, SWELLING, largest, weigh_down


def end_held(places):
    """All displacements of the face at the low end of x."""
    return np.repeat(places[:, :1] == places[:, 0].min(), 3, axis=1)


def sag(length, depth, material, fixed):
    """Timoshenko's beam under its own weight (per m2 of section and m): tip, or middle, m."""
    w = material.density * 10.0 * depth
    bending, shear = material.young * depth**3 / 12, material.young / (2 + 2 * material.poisson)
    shear *= depth * 5 / 6
    if fixed:
        return w * length**4 / (8 * bending) + w * length**2 / (2 * shear)
    return 5 * w * length**4 / (384 * bending) + w * length**2 / (8 * shear)


# --- the element


@pytest.mark.parametrize("modes", [True, False])
def test_six_rigid_motions_cost_nothing_and_all_else_does(modes):
    values = np.linalg.eigvalsh(Element.of(1.0, 0.3, modes).stiffness)
    assert np.abs(values[:6]).max() < 1e-12 and values[6] > 0.01


@pytest.mark.parametrize("kind", range(6))
def test_every_constant_strain_is_met_exactly(kind):
    strain = np.zeros((3, 3))
    a, b = [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)][kind]
    strain[a, b] += 0.5
    strain[b, a] += 0.5
    moved = (CORNERS @ strain).ravel()
    stress = Element.of(7.0, 0.3).stress @ moved
    assert stress == pytest.approx(np.tile(elasticity(7.0, 0.3)[:, kind], (8, 1)), abs=1e-12)


def test_patch_of_cubes_passes_a_linear_field_on():
    """Displacements of the rim from a linear field: the node inside follows it."""
    mesh = Mesh.of(box(2, 2, 2))
    from plumbline.checks.voxel.stress.solver import assemble

    matrix = assemble(mesh.cubes, 27, Element.of(1.0, 0.3).stiffness[None], np.zeros(8, int))
    field = mesh.places @ np.array([[0.1, 0.2, 0.0], [0.05, -0.3, 0.1], [0.0, 0.4, 0.2]])
    inside = np.flatnonzero((mesh.lattice == 1).all(axis=1))[0]
    assert (matrix @ field.ravel()).reshape(-1, 3)[inside] == pytest.approx(0, abs=1e-12)


# --- closed forms


@pytest.mark.parametrize("material", [PLAIN, SWELLING])
@pytest.mark.parametrize("depth", [1, 2])
def test_cantilever_sags_as_beam_theory_says(material, depth):
    layout = box(12, depth, 1)
    moved = weigh_down(layout, end_held, material)[1]
    assert -moved[:, 1].min() == pytest.approx(sag(12, depth, material, fixed=True), rel=0.02)


def test_plain_brick_would_sag_two_thirds():
    moved = weigh_down(box(12, 1, 1), end_held, modes=False)[1]
    assert -moved[:, 1].min() / sag(12, 1, PLAIN, fixed=True) == pytest.approx(2 / 3, abs=0.02)


def test_cantilever_stress_is_that_of_the_moment_in_the_middle_of_the_block():
    stress = weigh_down(box(12, 1, 1), end_held)[2]
    moment = 2000 * 10 * 11.5**2 / 2
    assert np.abs(stress[..., 0]).max() == pytest.approx(6 * moment, rel=0.01)
    assert largest(stress) == pytest.approx(6 * moment, rel=0.02)


@pytest.mark.parametrize("depth", [1, 3])
def test_simply_supported_beam_sags_as_beam_theory_says(depth):
    def held(places):
        """The neutral axis at one end, and but its height at the other; nothing moves sideways."""
        low, high = places[:, 0].min(), places[:, 0].max()
        fixed = np.zeros(places.shape, dtype=bool)
        fixed[:, 1] = (places[:, 0] == low) | (places[:, 0] == high)
        fixed[(places[:, 0] == low) & (places[:, 1] == places[:, 1].min()), 0] = True
        fixed[:, 2] = places[:, 2] == places[:, 2].min()
        return fixed

    mesh, moved, stress = weigh_down(box(16, depth, 1), held)
    middle = moved[mesh.lattice[:, 0] == 15, 1].mean()
    assert -middle == pytest.approx(sag(16, depth, PLAIN, fixed=False), rel=0.03)
    w = 2000 * 10 * depth
    assert np.abs(stress[..., 0]).max() == pytest.approx(6 * w * 16**2 / 8 / depth**2, rel=0.03)


@pytest.mark.parametrize("solver", ["direct", "cg"])
def test_column_shortens_and_presses_as_it_should(solver):
    result = fem.solve(box(2, 20, 2), solver, material=lambda name: PLAIN)
    weight = PLAIN.density * GRAVITY
    assert result.displacement[:, 1].min() == pytest.approx(-weight * 20**2 / 2 / PLAIN.young)
    # A block shows the stress of its mid-height: half its own weight is missing at its foot.
    assert result.von_mises.max() == pytest.approx(weight * 19.5, rel=1e-6)
    assert result.worst in np.flatnonzero(result.mesh.lattice[result.mesh.cubes[:, 0], 1] == -1)


def test_flat_parabolic_arch_thrusts_as_the_clamped_arch_of_the_books():
    """H = w L^2 / (8 f), of which the shortening of the axis takes a little."""
    half, rise = 20, 10
    cells = [
        (x, round(rise * (1 - (x / half) ** 2)) + y, 0)
        for x in range(-half, half + 1)
        for y in range(2)
    ]
    result = fem.solve(structure(cells), material=lambda name: PLAIN)
    left = result.mesh.lattice[:, 0] < 0
    thrust = result.reaction[left, 0].sum()
    assert thrust == pytest.approx(-result.reaction[~left, 0].sum())
    w = 2 * PLAIN.density * GRAVITY
    assert thrust == pytest.approx(w * (2 * half) ** 2 / (8 * rise), rel=0.05)


# --- equilibrium and symmetry


@pytest.mark.parametrize("layout", [arch(), roof(2, True), roof(1, False)])
def test_ground_bears_the_weight_and_no_more(layout):
    result = fem.solve(layout)
    assert result.reaction.sum(axis=0) == pytest.approx([0, result.weight, 0], abs=1e-3)
    assert result.weight == pytest.approx(len(layout) * 2700 * GRAVITY)
    arm = np.cross(result.mesh.places, result.reaction).sum(axis=0)
    pull = np.zeros((len(layout), 3))
    pull[:, 1] = -result.weight / len(layout)
    assert arm + np.cross(layout.positions, pull).sum(axis=0) == pytest.approx(0, abs=1)


def test_symmetric_arch_is_stressed_symmetrically():
    layout = arch()
    stress = fem.solve(layout).von_mises
    mirrored = layout.rows_at([8, 0, 0] + layout.positions * [-1, 1, 1])
    assert stress == pytest.approx(stress[mirrored], rel=1e-6)


def test_both_solvers_say_the_same():
    layout = VoxelStructure(
        roof(2, True).positions,
        tuple(("white_concrete", "iron_block", "oak_planks")[i % 3] for i in range(240)),
    )
    direct, cg = fem.solve(layout, "direct"), fem.solve(layout, "cg")
    assert cg.iterations > 0 and direct.iterations == 0
    assert cg.von_mises == pytest.approx(direct.von_mises, rel=1e-4)


def test_von_mises_of_plain_states():
    assert von_mises(np.array([5.0, 0, 0, 0, 0, 0])) == pytest.approx(5)
    assert von_mises(np.array([5.0, 5, 5, 0, 0, 0])) == pytest.approx(0)
    assert von_mises(np.array([0, 0, 0, 0, 0, 2.0])) == pytest.approx(2 * np.sqrt(3))


# --- what is joined and what is held


def test_blocks_that_share_an_edge_alone_are_not_joined():
    diagonal = structure([(0, 0, 0), (1, 1, 0)])
    assert len(Mesh.of(diagonal).lattice) == 16
    assert floating(diagonal).tolist() == [1]
    assert len(Mesh.of(structure([(0, 0, 0), (1, 0, 0), (1, 1, 0)])).lattice) == 16


def test_two_posts_that_touch_along_an_edge_bend_each_by_itself():
    posts = structure(box_cells(1, 6, 1) + box_cells(1, 6, 1, (1, 0, 1)))
    alone = fem.solve(box(1, 6, 1))
    assert fem.solve(posts).von_mises == pytest.approx(np.tile(alone.von_mises, 2))


def test_floating_parts_are_refused_by_name():
    layout = structure([(0, 0, 0), (4, 1, 0), (5, 1, 0)])
    with pytest.raises(
        fem.Unsupported, match=r"block \(4, 1, 0\), block \(5, 1, 0\) hang"
    ) as error:
        fem.solve(layout)
    assert error.value.rows.tolist() == [1, 2]


def test_piles_in_the_ground_are_held_all_round():
    result = fem.solve(structure([(0, -2, 0), (0, -1, 0), (0, 0, 0)]))
    assert (result.von_mises[:2] == 0).all() and result.von_mises[2] > 0


def test_nothing_and_too_much_are_refused():
    with pytest.raises(ValueError, match="no block"):
        fem.solve(VoxelStructure.empty())
    with pytest.raises(ValueError, match="more than can be solved"):
        fem.solve(box(300, 1, 300))


# --- materials


@pytest.mark.parametrize(
    ("block", "material"),
    [
        ("stone", "stone"),
        ("oak_planks", "hardwood"),
        ("white_concrete", "concrete"),
        ("white_concrete_powder", "soil"),
        ("iron_block", "steel"),
        ("iron_ore", "stone"),
        ("cut_sandstone", "sandstone"),
        ("red_sand", "soil"),
        ("bricks", "masonry"),
        ("stone_bricks", "stone"),
        ("spruce_log", "softwood"),
        ("Glass", "glass"),
    ],
)
def test_blocks_are_made_of_what_their_names_say(block, material):
    assert material_of(block) == MATERIALS[material]


def test_materials_are_possible_and_have_a_source():
    for material in MATERIALS.values():
        assert 0 <= material.poisson < 0.5 and material.young > 0 and material.density > 0
        assert len(material.source) > 10


def test_unknown_material_counts_as_stone_and_is_told():
    result = fem.solve(structure([(0, 0, 0)], "red_wool"))
    assert result.assumed == ("red_wool",)
    assert result.weight == pytest.approx(2700 * GRAVITY)
