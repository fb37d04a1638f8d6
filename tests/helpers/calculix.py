# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh of blocks solved by CalculiX (ccx, G. Dhondt, GPL) under its own weight."""

import subprocess
from typing import NamedTuple

import numpy as np
from plumbline.checks.voxel.stress.element import CORNERS
from plumbline.checks.voxel.stress.materials import GRAVITY, MATERIALS, material_of

# CalculiX's order of the corners of a brick: the lower face round, then the upper one.
ROUND = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
ORDER = [CORNERS.tolist().index(list(corner)) for corner in ROUND]
#: Ends of the twelve edges, in the order of the nodes 9 to 20.
EDGES = [
    (0, 1),
    (1, 2),
    (2, 3),
    (3, 0),
    (4, 5),
    (5, 6),
    (6, 7),
    (7, 4),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
]


class Solved(NamedTuple):
    """Displacement of the mesh's nodes (m, 3), m; stress (n, points, 6), Pa, as xx .. xy."""

    displacement: np.ndarray
    stress: np.ndarray


def run(structure, mesh, element, folder):
    """Solve with elements ``"C3D8I"`` or ``"C3D20"``."""
    places, cubes, held = _nodes(mesh, element)
    (folder / "blocks.inp").write_text(_deck(structure, element, places, cubes, held))
    done = subprocess.run(
        ["ccx", "blocks"], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    text = (folder / "blocks.dat").read_text()
    displacement, stress = text.split(" stresses ")
    rows = _figures(displacement)
    moved = np.zeros((len(places), 3))
    moved[rows[:, 0].astype(int) - 1] = rows[:, 1:]
    table = _figures(stress)  # element, point, xx yy zz xy xz yz
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    values = table[:, 2:].reshape(len(structure), -1, 6)
    return Solved(moved[: len(mesh.lattice)], values[:, :, [0, 1, 2, 5, 4, 3]])


def _nodes(mesh, element):
    """Places of all nodes, nodes of each element, and which are held."""
    cubes = mesh.cubes[:, ORDER]
    if element != "C3D20":
        return mesh.places, cubes, mesh.held
    ends = np.sort(cubes[:, EDGES], axis=2)
    unique, number = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    middle = mesh.places[unique].mean(axis=1)
    cubes = np.hstack([cubes, len(mesh.places) + number.reshape(len(cubes), 12)])
    return np.vstack([mesh.places, middle]), cubes, np.r_[mesh.held, mesh.held[unique].all(axis=1)]


def _deck(structure, element, places, cubes, held):
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{i + 1}, {x!r}, {y!r}, {z!r}" for i, (x, y, z) in enumerate(places.tolist())]
    for code in range(len(structure.palette)):
        lines.append(f"*ELEMENT, TYPE={element}, ELSET=M{code}")
        for row in np.flatnonzero(structure.material_codes == code):
            numbers = [str(v) for v in (row + 1, *(cubes[row] + 1))]
            lines += [", ".join(numbers[:11]) + ("," if len(numbers) > 11 else "")]
            lines += [", ".join(numbers[11:])] if len(numbers) > 11 else []
    lines += ["*NSET, NSET=HELD", *(str(i + 1) for i in np.flatnonzero(held))]
    for code, name in enumerate(structure.palette):
        made = material_of(name) or MATERIALS["stone"]
        lines += [f"*MATERIAL, NAME=MAT{code}", "*ELASTIC", f"{made.young!r}, {made.poisson!r}"]
        lines += ["*DENSITY", f"{made.density!r}"]
        lines += [f"*SOLID SECTION, ELSET=M{code}, MATERIAL=MAT{code}"]
    lines += ["*ELSET, ELSET=EVERY", *(f"M{code}" for code in range(len(structure.palette)))]
    lines += ["*BOUNDARY", "HELD, 1, 3", "*STEP", "*STATIC", "*DLOAD"]
    lines += [f"EVERY, GRAV, {GRAVITY!r}, 0., -1., 0."]
    lines += ["*NODE PRINT, NSET=ALL", "U", "*EL PRINT, ELSET=EVERY", "S", "*END STEP", ""]
    return "\n".join(lines)


def _figures(text):
    """The rows of figures of one table as they come."""
    rows = [line.split() for line in text.splitlines()]
    numeric = [r for r in rows if len(r) > 3 and r[0].lstrip("-").isdigit()]
    return np.array([[float(v) for v in r] for r in numeric])
