# SPDX-License-Identifier: GPL-3.0-or-later
"""Shed-roof house: 6.13 x 4.50 m, a single roof plane of 2.5:12 from a high front to a low back.

x runs along the front at y = 0, the roof falls towards +y, the ground is at z = 0; all in metres.
"""

import math
from itertools import pairwise

import bpy
from mathutils import Matrix, Vector

T = 0.038  # thickness of all two-by lumber
STUD = 0.140  # depth of wall studs, width of plates, sill and foundation wall
GRID = 0.406  # on-centre spacing of joists, studs and rafters
WIDTH = 15 * GRID + T  # along x
DEPTH = 11 * GRID + T  # along y
JOIST = 0.286
TAN = 2.5 / 12  # slope of the roof
SIN, COS = math.sin(math.atan(TAN)), math.cos(math.atan(TAN))
RAFTER = 0.184  # rafter depth
NOTCH = 0.025  # depth of the birdsmouths, square to the rafter's underside
OVERHANG = 0.400

COURSE = 0.286  # height of the foundation wall
SILL_TOP = COURSE + T
FLOOR = SILL_TOP + JOIST  # top of the joists
LOW = 2.250  # length of the studs in the back and side walls
LOW_TOP = FLOOR + LOW + 3 * T  # top of their plates
HIGH_TOP = LOW_TOP + (DEPTH - STUD) * TAN  # the same notch at the front plate's inner corner
HIGH = HIGH_TOP - FLOOR - 3 * T


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


def run(name, axis, along, across, z, joints=()):
    """Lumber from end to end, in pieces that butt at `joints`."""
    edges = [along[0], *joints, along[1]]
    for i, piece in enumerate(pairwise(edges), 1):
        x, y = (piece, across) if axis == "x" else (across, piece)
        box(f"{name}_{i}" if joints else name, x, y, z)


def wall(tag, axis, along, across, height, openings=(), joints=()):
    """A framed wall without its upper plate, `along` an axis and `across` it from face to face.

    `height` is the length of its studs.
    `openings` are (low, high, sill, head, header depth): low and high along the wall, sill and
    head above the floor; a door has sill None. Plates butt at `joints`, middles of studs.
    """
    count = {}

    def put(role, span, z, thickness=across):
        count[role] = count.get(role, 0) + 1
        x, y = (span, thickness) if axis == "x" else (thickness, span)
        box(f"{role}_{tag}_{count[role]:02d}", x, y, z)

    start, end = along
    bottom, top = FLOOR + T, FLOOR + T + height
    breaks = [edge for low, high, sill, *_ in openings if sill is None for edge in (low, high)]
    breaks = sorted([start, *breaks, end, *joints, *joints])
    for low, high in zip(breaks[::2], breaks[1::2], strict=True):
        put("BottomPlate", (low, high), (FLOOR, bottom))
    run(f"TopPlate_{tag}", axis, along, across, (top, top + T), joints)

    grid = [i * GRID for i in range(40) if start + T <= i * GRID <= end - 2 * T]
    for left in [start, *grid, end - T]:
        if not any(low - 3 * T < left < high + 2 * T for low, high, *_ in openings):
            put("Stud", (left, left + T), (bottom, top))

    for low, high, sill, head, depth in openings:
        head_z, top_z = FLOOR + head, FLOOR + head + depth
        for king, trimmer in ((low - 2 * T, low - T), (high + T, high)):
            put("KingStud", (king, king + T), (bottom, top))
            put("TrimmerStud", (trimmer, trimmer + T), (bottom, head_z))
        for ply in ((across[0], across[0] + T), (across[1] - T, across[1])):
            put("Header", (low - T, high + T), (head_z, top_z), ply)
        inside = [left for left in grid if low + T <= left <= high - 2 * T]
        for left in inside:
            put("Cripple", (left, left + T), (top_z, top))
        if sill is not None:
            put("WindowSill", (low, high), (FLOOR + sill - T, FLOOR + sill))
            for left in [low, *inside, high - T]:
                put("Cripple", (left, left + T), (bottom, FLOOR + sill - T))


def foundation():
    """A foundation wall on the ground, and sills on it."""
    for name, z in (("Foundation", (0, COURSE)), ("Sill", (COURSE, SILL_TOP))):
        joint = [7.5 * GRID] if name == "Sill" else []
        run(f"{name}_S", "x", (0, WIDTH), (0, STUD), z, joint)
        run(f"{name}_N", "x", (0, WIDTH), (DEPTH - STUD, DEPTH), z, joint)
        run(f"{name}_W", "y", (STUD, DEPTH - STUD), (0, STUD), z)
        run(f"{name}_E", "y", (STUD, DEPTH - STUD), (WIDTH - STUD, WIDTH), z)


def floor():
    """Joists from front to back, closed by rim joists, blocked in the middle in two rows."""
    z, middle = (SILL_TOP, FLOOR), DEPTH / 2
    run("RimJoist_S", "x", (0, WIDTH), (0, T), z, [8.5 * GRID])
    run("RimJoist_N", "x", (0, WIDTH), (DEPTH - T, DEPTH), z, [6.5 * GRID])
    run("RimJoist_W", "y", (T, DEPTH - T), (0, T), z)
    run("RimJoist_E", "y", (T, DEPTH - T), (WIDTH - T, WIDTH), z)
    for i in range(1, 15):
        left = i * GRID
        box(f"Joist_{i:02d}", (left, left + T), (T, DEPTH - T), z)
    for i in range(15):  # staggered, so that each can be nailed through the joists
        y = middle + (T if i % 2 else -2 * T)
        box(f"Blocking_{i + 1:02d}", (i * GRID + T, (i + 1) * GRID), (y, y + T), z)


def walls():
    """High and low walls run full width, side walls between them; all upper plates butt."""
    stud = [i * GRID + T / 2 for i in range(16)]  # middles of the studs on the grid
    north, side = (DEPTH - STUD, DEPTH), (STUD, DEPTH - STUD)
    glass, door = (0.6, 2.4, 0.235), (3.3, 4.2, None, 2.08, 0.184)
    front = [(0.9, 2.5, *glass), door, (4.6, 5.6, 0.9, 2.08, 0.184)]
    wall("S", "x", (0, WIDTH), (0, STUD), HIGH, front, [stud[7]])
    wall("N", "x", (0, WIDTH), north, LOW, [(2.2, 3.0, 1.2, 1.9, 0.140)], [stud[9]])
    wall("W", "y", side, (0, STUD), LOW, [(1.5, 2.7, 0.9, 2.0, 0.184)])
    wall("E", "y", side, (WIDTH - STUD, WIDTH), LOW)
    run("TopPlate_S_Upper", "x", (0, WIDTH), (0, STUD), (HIGH_TOP - T, HIGH_TOP), [stud[11]])
    z = (LOW_TOP - T, LOW_TOP)
    run("TopPlate_N_Upper", "x", (0, WIDTH), north, z, [stud[4]])
    run("TopPlate_W_Upper", "y", side, (0, STUD), z)
    run("TopPlate_E_Upper", "y", side, (WIDTH - STUD, WIDTH), z)


def underside(y):
    """Height of the rafters' underside."""
    return LOW_TOP - NOTCH / COS + (DEPTH - y) * TAN


def roof():
    """Rafters from the high wall to the low one, and studs that fill the side walls up to them."""
    ends = (-OVERHANG, DEPTH + OVERHANG)
    for i in range(16):
        x = i * GRID + T / 2
        start, end = ((x, y, underside(y) + RAFTER / 2 / COS) for y in ends)
        sloped(f"Rafter_{i + 1:02d}", start, end, T, RAFTER)
    for tag, left in (("W", 0), ("E", WIDTH - T)):
        for i in range(1, 9):
            y = (i * GRID, i * GRID + 0.089)
            box(f"Stud_Rake_{tag}_{i}", (left, left + T), y, (LOW_TOP, underside(sum(y) / 2)))


foundation()
floor()
walls()
roof()
