# SPDX-License-Identifier: GPL-3.0-or-later
"""Static cases that the ground alone can't give: any displacement may be held, any load applied."""

import numpy as np
from plumbline.checks.voxel.stress.element import Element, von_mises
from plumbline.checks.voxel.stress.materials import Material
from plumbline.checks.voxel.stress.mesh import Mesh
from plumbline.checks.voxel.stress.solver import assemble

#: Round figures, so that closed forms are easy to follow.
PLAIN = Material("plain", 2000.0, 30e9, 0.0, "test")
SWELLING = PLAIN._replace(poisson=0.2)


def weigh_down(structure, held, material=PLAIN, gravity=(0.0, -10.0, 0.0), modes=True):
    """Mesh, displacement (m, 3), m, and corner stress (n, 8, 6), Pa, under the own weight.

    ``held`` tells from the places (m, 3) which displacements are held, (m, 3).
    """
    from scipy.sparse.linalg import spsolve

    mesh = Mesh.of(structure)
    element = Element.of(material.young, material.poisson, modes)
    count = len(mesh.lattice)
    codes = np.zeros(len(structure), dtype=int)
    matrix = assemble(mesh.cubes, count, element.stiffness[None], codes).tocsr()
    share = np.bincount(mesh.cubes.ravel(), minlength=count) / 8 * material.density
    load = (share[:, None] * np.array(gravity)).ravel()
    free = np.flatnonzero(~held(mesh.places).ravel())
    moved = np.zeros(3 * count)
    moved[free] = spsolve(matrix[free][:, free].tocsc(), load[free])
    moved = moved.reshape(-1, 3)
    stress = moved[mesh.cubes].reshape(-1, 24) @ element.stress.reshape(48, 24).T
    return mesh, moved, stress.reshape(-1, 8, 6)


def largest(stress):
    return von_mises(stress).max()
