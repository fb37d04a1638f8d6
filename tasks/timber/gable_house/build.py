# SPDX-License-Identifier: GPL-3.0-or-later
"""Gable house: 8.16 x 6.13 m on strip footings, 2x6 walls, a bearing wall on a girder, 6:12 roof.

x runs along the ridge, the front is at y = 0, the ground at z = 0; all sizes in metres.
"""

import math
from itertools import pairwise

import bpy
from mathutils import Matrix, Vector

T = 0.038  # thickness of all two-by lumber
STUD = 0.140  # depth of outer wall studs and width of their plates
GRID = 0.406  # on-centre spacing of joists, studs and rafters
WIDTH = 20 * GRID + T  # along x
DEPTH = 15 * GRID + T  # along y
MIDDLE = DEPTH / 2
PITCH = math.atan2(6, 12)
RAFTER = 0.184  # rafter depth
NOTCH = 0.033  # depth of the birdsmouth, square to the rafter's underside
OVERHANG = 0.400

FOOTING_TOP = 0.140
COURSE = 0.286  # height of one course of the foundation wall
SILL_TOP = FOOTING_TOP + 2 * COURSE + T
FLOOR = SILL_TOP + 0.184  # top of the joists
STUD_TOP = FLOOR + T + 2.350
PLATE_TOP = STUD_TOP + 2 * T


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


def wall(tag, axis, along, across, openings=(), joints=()):
    """A framed wall without its upper plate, `along` an axis and `across` it from face to face.

    `openings` are (low, high, sill, head, header depth): low and high along the wall, sill and
    head above the floor; a door has sill None. Plates butt at `joints`, middles of studs.
    """
    count = {}

    def put(role, span, z, thickness=across):
        count[role] = count.get(role, 0) + 1
        x, y = (span, thickness) if axis == "x" else (thickness, span)
        box(f"{role}_{tag}_{count[role]:02d}", x, y, z)

    start, end = along
    bottom = FLOOR + T
    breaks = [edge for low, high, sill, *_ in openings if sill is None for edge in (low, high)]
    breaks = sorted([start, *breaks, end, *joints, *joints])
    for low, high in zip(breaks[::2], breaks[1::2], strict=True):
        put("BottomPlate", (low, high), (FLOOR, bottom))
    run(f"TopPlate_{tag}", axis, along, across, (STUD_TOP, STUD_TOP + T), joints)

    grid = [i * GRID for i in range(40) if start + T <= i * GRID <= end - 2 * T]
    for left in [start, *grid, end - T]:
        if not any(low - 3 * T < left < high + 2 * T for low, high, *_ in openings):
            put("Stud", (left, left + T), (bottom, STUD_TOP))

    for low, high, sill, head, depth in openings:
        head_z, top_z = FLOOR + head, FLOOR + head + depth
        for king, trimmer in ((low - 2 * T, low - T), (high + T, high)):
            put("KingStud", (king, king + T), (bottom, STUD_TOP))
            put("TrimmerStud", (trimmer, trimmer + T), (bottom, head_z))
        for ply in ((across[0], across[0] + T), (across[1] - T, across[1])):
            put("Header", (low - T, high + T), (head_z, top_z), ply)
        inside = [left for left in grid if low + T <= left <= high - 2 * T]
        for left in inside:
            put("Cripple", (left, left + T), (top_z, STUD_TOP))
        if sill is not None:
            put("WindowSill", (low, high), (FLOOR + sill - T, FLOOR + sill))
            for left in [low, *inside, high - T]:
                put("Cripple", (left, left + T), (bottom, FLOOR + sill - T))


def foundation():
    """Strip footings, two courses of foundation wall, sills; posts on pads under the girder."""
    out, across = 0.073, 0.286
    low, high = (-out, across - out), (-out + DEPTH - across + 2 * out, DEPTH + out)
    box("Footing_S", (-out, WIDTH + out), low, (0, FOOTING_TOP))
    box("Footing_N", (-out, WIDTH + out), high, (0, FOOTING_TOP))
    box("Footing_W", low, (low[1], high[0]), (0, FOOTING_TOP))
    box("Footing_E", (WIDTH + out - across, WIDTH + out), (low[1], high[0]), (0, FOOTING_TOP))
    levels = [
        ("Foundation", 1, FOOTING_TOP, COURSE),
        ("Foundation", 2, FOOTING_TOP + COURSE, COURSE),
    ]
    for role, level, z, height in [*levels, ("Sill", 0, SILL_TOP - T, T)]:
        course = f"_{level}" if level else ""
        span, between = (z, z + height), (STUD, DEPTH - STUD)
        joints = [10 * GRID + T / 2] if role == "Sill" else []
        run(f"{role}_S{course}", "x", (0, WIDTH), (0, STUD), span, joints)
        run(f"{role}_N{course}", "x", (0, WIDTH), (DEPTH - STUD, DEPTH), span, joints)
        run(f"{role}_W{course}", "y", between, (0, STUD), span)
        run(f"{role}_E{course}", "y", between, (WIDTH - STUD, WIDTH), span)
    for i in range(5):
        x = 0.360 + i * (WIDTH - 0.720) / 4
        pad = (MIDDLE - 0.143, MIDDLE + 0.143)
        box(f"Footing_{i + 1}", (x - 0.143, x + 0.143), pad, (0, FOOTING_TOP))
        around = ((x - 0.070, x + 0.070), (MIDDLE - 0.070, MIDDLE + 0.070))
        box(f"Post_{i + 1}", *around, (FOOTING_TOP, SILL_TOP - 0.235))


def floor():
    """Joists from the sills to the girder, where they butt; rim joists close the ends."""
    across, inside = (MIDDLE - 0.0445, MIDDLE + 0.0445), (0.150, WIDTH - 0.150)
    run("Girder", "x", inside, across, (SILL_TOP - 0.235, SILL_TOP), [WIDTH / 2])
    z = (SILL_TOP, FLOOR)
    box("RimJoist_S_1", (0, 11.5 * GRID), (0, T), z)
    box("RimJoist_S_2", (11.5 * GRID, WIDTH), (0, T), z)
    box("RimJoist_N_1", (0, 8.5 * GRID), (DEPTH - T, DEPTH), z)
    box("RimJoist_N_2", (8.5 * GRID, WIDTH), (DEPTH - T, DEPTH), z)
    box("RimJoist_W", (0, T), (T, DEPTH - T), z)
    box("RimJoist_E", (WIDTH - T, WIDTH), (T, DEPTH - T), z)
    for i in range(1, 20):
        left = i * GRID
        box(f"Joist_S_{i:02d}", (left, left + T), (T, MIDDLE), z)
        box(f"Joist_N_{i:02d}", (left, left + T), (MIDDLE, DEPTH - T), z)


def walls():
    """Short walls run full depth, long walls between them, upper plates lap over the corners."""
    inside = (STUD, WIDTH - STUD)
    stud = [i * GRID + T / 2 for i in range(21)]  # middles of the studs on the grid
    front = [
        (1.0, 2.2, 0.9, 2.0, 0.184),
        (3.75, 4.66, None, 2.08, 0.184),
        (5.6, 7.0, 0.9, 2.0, 0.184),
    ]
    back = [(0.9, 1.9, 1.1, 2.0, 0.184), (3.6, 4.6, 0.9, 2.0, 0.184), (6.0, 7.2, 0.9, 2.0, 0.184)]
    wall("S", "x", inside, (0, STUD), front, [stud[8]])
    wall("N", "x", inside, (DEPTH - STUD, DEPTH), back, [stud[13]])
    wall("W", "y", (0, DEPTH), (0, STUD), [(1.2, 2.2, 0.9, 2.0, 0.140)])
    wall("E", "y", (0, DEPTH), (WIDTH - STUD, WIDTH), [(3.7, 4.7, 0.9, 2.0, 0.140)])
    bearing = (MIDDLE - 0.0445, MIDDLE + 0.0445)
    wall("M", "x", inside, bearing, [(2.5, 3.3, None, 2.08, 0.235)], [stud[13]])
    z = (STUD_TOP + T, PLATE_TOP)
    run("TopPlate_S_Upper", "x", (0, WIDTH), (0, STUD), z, [stud[12]])
    run("TopPlate_N_Upper", "x", (0, WIDTH), (DEPTH - STUD, DEPTH), z, [stud[8]])
    run("TopPlate_M_Upper", "x", inside, bearing, z, [stud[10]])
    run("TopPlate_W_Upper", "y", (STUD, DEPTH - STUD), (0, STUD), z)
    run("TopPlate_E_Upper", "y", (STUD, DEPTH - STUD), (WIDTH - STUD, WIDTH), z)


SIN, COS, TAN = math.sin(PITCH), math.cos(PITCH), math.tan(PITCH)
RISE = RAFTER / 2 - NOTCH  # rafter's centre line above the plate's outer corner, square to it
RUN = (DEPTH - T) / 2  # from the outer face of the plate to the face of the ridge board
UP = (RUN + (RISE + RAFTER / 2) * SIN) / COS  # to where the top edge meets the ridge board
DOWN = OVERHANG / COS  # to the tail
RIDGE_TOP = PLATE_TOP + (RISE + RAFTER / 2) * COS + UP * SIN


def rafter(name, left, outer, inward):
    """A common rafter: `outer` is the y of the plate's outer face, `inward` 1 or -1 along y."""

    def point(t):
        y = outer + inward * (t * COS - RISE * SIN)
        return (left + T / 2, y, PLATE_TOP + RISE * COS + t * SIN)

    sloped(name, point(-DOWN), point(UP), T, RAFTER)


def roof():
    """Rafter couples tied by ceiling joists at their feet and by collar ties under the ridge."""
    ridge = (MIDDLE - T / 2, MIDDLE + T / 2)
    run("Ridge", "x", (0, WIDTH), ridge, (RIDGE_TOP - 0.235, RIDGE_TOP), [11.5 * GRID])
    for i in range(21):
        left = i * GRID
        rafter(f"Rafter_S_{i + 1:02d}", left, 0, 1)
        rafter(f"Rafter_N_{i + 1:02d}", left, DEPTH, -1)
        beside = left + T if i < 20 else left - T
        ceiling = (PLATE_TOP, PLATE_TOP + 0.140)
        box(f"CeilingJoist_{i + 1:02d}", (beside, beside + T), (0, DEPTH), ceiling)

    tie_top = RIDGE_TOP - 0.450
    reach = (RIDGE_TOP - tie_top) / TAN + T / 2  # where its top meets the rafters' top edges
    for i in range(2, 20, 3):
        left = i * GRID - T
        z = (tie_top - 0.089, tie_top)
        box(f"CollarTie_{i // 3 + 1}", (left, left + T), (MIDDLE - reach, MIDDLE + reach), z)

    for tag, left in (("W", 0), ("E", WIDTH - T)):
        for i in range(14):
            y = MIDDLE + (i - 6.5) * GRID
            inset = min(y, DEPTH - y)  # from the nearer plate's outer face
            under = PLATE_TOP + inset * TAN - NOTCH / COS  # underside of the end rafter
            around = (y - 0.0445, y + 0.0445)
            box(f"Stud_Gable_{tag}_{i + 1:02d}", (left, left + T), around, (PLATE_TOP, under))


foundation()
floor()
walls()
roof()
