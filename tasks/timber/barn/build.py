# SPDX-License-Identifier: GPL-3.0-or-later
"""Barn: 9.80 x 6.13 m, five bents of posts and beams with knee braces, a loft, and a 9:12 roof.

x runs along the ridge, the bents stand across it, the ground is at z = 0; all sizes in metres.
"""

import math

import bpy
from mathutils import Matrix, Vector

T = 0.038  # thickness of all two-by lumber
POST = 0.140  # posts and beams are six by six and six by something
BRACE = 0.089
GRID = 0.406  # on-centre spacing of the loft joists
BAY = 0.610  # on-centre spacing of the rafters
WIDTH = 16 * BAY + T  # along x
DEPTH = 15 * GRID + T  # along y
MIDDLE = DEPTH / 2
BENTS = [POST / 2 + i * (WIDTH - POST) / 4 for i in range(5)]  # middles of the posts along x
TAN = 9 / 12  # pitch
SIN, COS = math.sin(math.atan(TAN)), math.cos(math.atan(TAN))
RAFTER = 0.184  # rafter depth
NOTCH = 0.040  # depth of the birdsmouth, square to the rafter's underside
OVERHANG = 0.400
RIDGE = 0.089  # width of the ridge beam

FOOTING_TOP = 0.140
LOFT_BEAM = (2.500, 2.786)
LOFT = LOFT_BEAM[1] + 0.184  # top of the loft joists
EAVE_BEAM = (4.200, 4.435)


def add(name, size, centre, rotation=None):
    """One member: a box of `size` about `centre`, optionally turned by a 3 x 3 rotation."""
    hx, hy, hz = (s / 2 for s in size)
    corners = [(x, y, z) for x in (-hx, hx) for y in (-hy, hy) for z in (-hz, hz)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    member = bpy.data.objects.new(name, mesh)
    turn = rotation.to_4x4() if rotation else Matrix.Identity(4)
    member.matrix_world = Matrix.Translation(centre) @ turn
    bpy.context.scene.collection.objects.link(member)


def box(name, x, y, z):
    """One member along the axes, from three (low, high) pairs."""
    spans = (x, y, z)
    add(name, [hi - lo for lo, hi in spans], [(lo + hi) / 2 for lo, hi in spans])


def sloped(name, start, end, width, depth):
    """One member whose centre line runs from `start` to `end`, its width level."""
    start, end = Vector(start), Vector(end)
    along = (end - start).normalized()
    side = Vector((0, 0, 1)).cross(along).normalized()
    turn = Matrix((along, side, along.cross(side))).transposed()
    add(name, ((end - start).length, width, depth), (start + end) / 2, turn)


def centre_line(inset):
    """Height of the rafters' centre line, `inset` from the outer face of the eave beam."""
    return EAVE_BEAM[1] + (RAFTER / 2 - NOTCH) / COS + inset * TAN


RIDGE_FACE = MIDDLE - RIDGE / 2
RIDGE_TOP = centre_line(RIDGE_FACE) + RAFTER / 2 / COS
RIDGE_BOTTOM = RIDGE_TOP - 0.286
ROWS = (("S", POST / 2), ("M", MIDDLE), ("N", DEPTH - POST / 2))


def around(x, y, size=POST):
    """Plan extents of a square of `size` about a point."""
    return (x - size / 2, x + size / 2), (y - size / 2, y + size / 2)


def bents():
    """Posts on footings, beams across them for the loft, and posts again up to eaves and ridge."""
    for i, x in enumerate(BENTS, 1):
        for row, y in ROWS:
            top = RIDGE_BOTTOM if row == "M" else EAVE_BEAM[0]
            box(f"Footing_{row}_{i}", *around(x, y, 0.286), (0, FOOTING_TOP))
            box(f"Post_{row}_{i}", *around(x, y), (FOOTING_TOP, LOFT_BEAM[0]))
            box(f"Post_{row}_{i}_Upper", *around(x, y), (LOFT_BEAM[1], top))
        across = (x - POST / 2, x + POST / 2)
        box(f"Beam_S_{i}", across, (0, MIDDLE), LOFT_BEAM)  # the two butt over the middle post
        box(f"Beam_N_{i}", across, (MIDDLE, DEPTH), LOFT_BEAM)


def loft():
    """Joists from bent to bent, where they butt, and rim joists between the posts at both ends."""
    z = (LOFT_BEAM[1], LOFT)
    lows = [POST, *(i * GRID for i in range(1, 15)), DEPTH - POST - T]
    stops = [T, *BENTS[1:4], WIDTH - T]
    for bay in range(4):
        for i, low in enumerate(lows, 1):
            box(f"Joist_{bay + 1}_{i:02d}", (stops[bay], stops[bay + 1]), (low, low + T), z)
    for tag, x in (("W", (0, T)), ("E", (WIDTH - T, WIDTH))):
        box(f"RimJoist_{tag}_S", x, (POST, MIDDLE - POST / 2), z)
        box(f"RimJoist_{tag}_N", x, (MIDDLE + POST / 2, DEPTH - POST), z)


def roof():
    """Eave and ridge beams on the posts, rafter couples between them, some collar ties."""
    for i, x in enumerate(((0, WIDTH / 2), (WIDTH / 2, WIDTH)), 1):
        box(f"Beam_Eave_S_{i}", x, (0, POST), EAVE_BEAM)
        box(f"Beam_Eave_N_{i}", x, (DEPTH - POST, DEPTH), EAVE_BEAM)
        across = (RIDGE_FACE, RIDGE_FACE + RIDGE)
        box(f"Ridge_{i}", x, across, (RIDGE_BOTTOM, RIDGE_TOP))
    for i in range(17):
        x = i * BAY + T / 2
        start, end = ((u, centre_line(u)) for u in (-OVERHANG, RIDGE_FACE))
        sloped(f"Rafter_S_{i + 1:02d}", (x, *start), (x, *end), T, RAFTER)
        start, end = ((DEPTH - y, z) for y, z in (start, end))
        sloped(f"Rafter_N_{i + 1:02d}", (x, *start), (x, *end), T, RAFTER)

    tie = (RIDGE_TOP - 0.740, RIDGE_TOP - 0.600)
    reach = (RIDGE_TOP - tie[1]) / TAN + RIDGE / 2  # where its top meets the rafters' top edges
    for i in range(2, 16, 4):
        left = i * BAY + T
        box(f"CollarTie_{i // 4 + 1}", (left, left + T), (MIDDLE - reach, MIDDLE + reach), tie)


def brace(name, post, way, leg, under):
    """A knee brace at 45 degrees from the face of a post to the underside of a beam.

    `post` is the middle of the post in plan, `way` a unit step in plan away from it.
    """
    face = Vector((*post, under - leg)) + POST / 2 * Vector((*way, 0))
    sloped(name, face, face + leg * Vector((*way, 1)), BRACE, BRACE)


def braces():
    """Knee braces across in every bent, and along under the eave beams and the ridge."""
    for i, x in enumerate(BENTS, 1):
        for row, y in ROWS:
            for tag, step in (("S", -1), ("N", 1)):
                if 0 < y + step < DEPTH:
                    brace(f"Brace_{row}_{i}_{tag}", (x, y), (0, step), 0.800, LOFT_BEAM[0])
            for tag, step in (("W", -1), ("E", 1)):
                if 0 < x + step < WIDTH:
                    under = RIDGE_BOTTOM if row == "M" else EAVE_BEAM[0]
                    brace(f"Brace_{row}_{i}_{tag}", (x, y), (step, 0), 0.600, under)


bents()
loft()
roof()
braces()
