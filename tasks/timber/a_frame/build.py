# SPDX-License-Identifier: GPL-3.0-or-later
"""A-frame: 6.13 x 4.10 m on piers and beams, rafters at 60 degrees from the floor to the ridge.

x runs along the ridge, the gables stand at x = 0 and x = WIDTH, the ground at z = 0; in metres.
"""

import math

import bpy
from mathutils import Matrix, Vector

T = 0.038  # thickness of all two-by lumber
STUD = 0.089  # depth of the studs in the gables
GRID = 0.406  # on-centre spacing of joists, studs and rafters
WIDTH = 15 * GRID + T  # along x
DEPTH = 10 * GRID + T  # along y
MIDDLE = DEPTH / 2
SIN, COS, TAN = (f(math.radians(60)) for f in (math.sin, math.cos, math.tan))
RAFTER = 0.140  # rafter depth
SOLE = 0.235  # width of the plates under the rafters
FOOT = 0.100  # where the rafters' centre line meets the top of that plate, from its outer face

PIER_TOP = 0.540
BEAM_TOP = PIER_TOP + 0.235
FLOOR = BEAM_TOP + 0.184  # top of the joists
SOLE_TOP = FLOOR + T
RIDGE_FACE = MIDDLE - T / 2
PEAK = SOLE_TOP + (RIDGE_FACE - FOOT) * TAN  # where the centre lines meet the ridge board
RIDGE_TOP = PEAK + RAFTER / 2 / COS
RIDGE_BOTTOM = RIDGE_TOP - 0.286


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


def foundation():
    """Three beams, each on five piers with a footing of its own."""
    for tag, y in (("S", STUD / 2), ("M", MIDDLE), ("N", DEPTH - STUD / 2)):
        for i in range(5):
            x = 0.070 + i * (WIDTH - 0.140) / 4
            around = ((x - 0.143, x + 0.143), (y - 0.143, y + 0.143))
            box(f"Footing_{tag}_{i + 1}", *around, (0, 0.140))
            around = ((x - 0.070, x + 0.070), (y - 0.070, y + 0.070))
            box(f"Pier_{tag}_{i + 1}", *around, (0.140, PIER_TOP))
        across, z = (y - STUD / 2, y + STUD / 2), (PIER_TOP, BEAM_TOP)
        box(f"Beam_{tag}_1", (0, WIDTH / 2), across, z)  # they butt over the middle pier
        box(f"Beam_{tag}_2", (WIDTH / 2, WIDTH), across, z)


def floor():
    """Joists that butt over the middle beam and tie the feet of the rafters together."""
    z = (BEAM_TOP, FLOOR)
    box("RimJoist_S", (0, WIDTH), (0, T), z)
    box("RimJoist_N", (0, WIDTH), (DEPTH - T, DEPTH), z)
    box("RimJoist_W", (0, T), (T, DEPTH - T), z)
    box("RimJoist_E", (WIDTH - T, WIDTH), (T, DEPTH - T), z)
    lefts = [T, *(i * GRID for i in range(1, 15)), WIDTH - 2 * T]
    for i, left in enumerate(lefts, 1):
        box(f"Joist_S_{i:02d}", (left, left + T), (T, MIDDLE), z)
        box(f"Joist_N_{i:02d}", (left, left + T), (MIDDLE, DEPTH - T), z)


def underside(y):
    """Height of the rafters' underside, or of the ridge board's in the very middle."""
    inset = min(y, DEPTH - y)
    return min(SOLE_TOP + (inset - FOOT) * TAN - RAFTER / 2 / COS, RIDGE_BOTTOM)


def gable(tag, left, low, high, sill, head):
    """End wall with one opening; its studs run up to the doubled end rafters and the ridge."""
    across, bottom = (left, left + STUD), SOLE_TOP
    count = {}

    def stand(role, y, z, top=None):
        count[role] = count.get(role, 0) + 1
        end = underside(y + T / 2) if top is None else top
        box(f"{role}_{tag}_{count[role]:02d}", across, (y, y + T), (z, end))

    plates = [(SOLE, DEPTH - SOLE)] if sill else [(SOLE, low), (high, DEPTH - SOLE)]
    for i, y in enumerate(plates, 1):
        box(f"BottomPlate_{tag}_{i}", across, y, (FLOOR, bottom))
    head_z = FLOOR + head
    box(f"Header_{tag}", across, (low - T, high + T), (head_z, head_z + 0.140))
    for king, trimmer in ((low - 2 * T, low - T), (high + T, high)):
        stand("KingStud", king, bottom)
        stand("TrimmerStud", trimmer, bottom, head_z)
    for i in range(1, 10):
        y = i * GRID
        if low + T <= y <= high - 2 * T:
            stand("Cripple", y, head_z + 0.140)
            if sill:
                stand("Cripple", y, bottom, FLOOR + sill - T)
        elif not low - 3 * T < y < high + 2 * T:
            stand("Stud", y, bottom)
    if sill:
        box(f"WindowSill_{tag}", across, (low, high), (FLOOR + sill - T, FLOOR + sill))
        for y in (low, high - T):
            stand("Cripple", y, bottom, FLOOR + sill - T)


def roof():
    """Rafter couples on wide sole plates; the end couples are doubled to cap the gable studs."""
    z = (FLOOR, SOLE_TOP)
    box("BottomPlate_S", (0, WIDTH), (0, SOLE), z)
    box("BottomPlate_N", (0, WIDTH), (DEPTH - SOLE, DEPTH), z)
    box("Ridge", (0, WIDTH), (RIDGE_FACE, RIDGE_FACE + T), (RIDGE_BOTTOM, RIDGE_TOP))
    lefts = [0, T, *(i * GRID for i in range(1, 15)), WIDTH - 2 * T, WIDTH - T]
    for i, left in enumerate(lefts, 1):
        x = left + T / 2
        foot, top = (x, FOOT, SOLE_TOP), (x, RIDGE_FACE, PEAK)
        sloped(f"Rafter_S_{i:02d}", foot, top, T, RAFTER)
        foot, top = (x, DEPTH - FOOT, SOLE_TOP), (x, DEPTH - RIDGE_FACE, PEAK)
        sloped(f"Rafter_N_{i:02d}", foot, top, T, RAFTER)

    tie = (FLOOR + 2.150, FLOOR + 2.290)
    reach = (RIDGE_TOP - tie[1]) / TAN + T / 2  # where its top meets the rafters' top edges
    for i in range(1, 15):
        left = i * GRID + T
        box(f"CollarTie_{i:02d}", (left, left + T), (MIDDLE - reach, MIDDLE + reach), tie)


foundation()
floor()
roof()
gable("W", 0, MIDDLE - 0.430, MIDDLE + 0.430, None, 2.080)
gable("E", WIDTH - STUD, MIDDLE - 0.600, MIDDLE + 0.600, 0.900, 2.000)
