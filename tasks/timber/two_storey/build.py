# SPDX-License-Identifier: GPL-3.0-or-later
"""Two-storey house: 7.35 x 5.32 m, bearing walls on a girder, ceiling joists lapped, 9:12 roof.

x runs along the ridge, the front is at y = 0, the ground at z = 0; all sizes in metres.
"""

import math
from itertools import pairwise

import bpy
from mathutils import Matrix, Vector

T = 0.038  # thickness of all two-by lumber
STUD = 0.089  # depth of wall studs and width of wall plates
SILL = 0.140  # width of the sill and of the foundation wall
GRID = 0.406  # on-centre spacing of joists, studs and rafters
HEIGHT = 2.350  # length of the studs
WIDTH = 18 * GRID + T  # along x
DEPTH = 13 * GRID + T  # along y
MIDDLE = DEPTH / 2
JOIST = 0.184
PITCH = math.atan2(9, 12)
RAFTER = 0.140  # rafter depth
NOTCH = 0.029  # depth of the birdsmouth, square to the rafter's underside
OVERHANG = 0.400

FOOTING_TOP = 0.140
COURSE = 0.286  # height of one course of the foundation wall
SILL_TOP = FOOTING_TOP + 2 * COURSE + T
FLOOR_1 = SILL_TOP + JOIST  # top of the joists
CEILING_1 = FLOOR_1 + HEIGHT + 3 * T  # top of the plates
FLOOR_2 = CEILING_1 + JOIST
PLATE_TOP = FLOOR_2 + HEIGHT + 3 * T


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


def wall(tag, axis, along, across, floor, openings=(), joints=()):
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
    bottom, top = floor + T, floor + T + HEIGHT
    breaks = [edge for low, high, sill, *_ in openings if sill is None for edge in (low, high)]
    breaks = sorted([start, *breaks, end, *joints, *joints])
    for low, high in zip(breaks[::2], breaks[1::2], strict=True):
        put("BottomPlate", (low, high), (floor, bottom))
    run(f"TopPlate_{tag}", axis, along, across, (top, top + T), joints)

    grid = [i * GRID for i in range(40) if start + T <= i * GRID <= end - 2 * T]
    for left in [start, *grid, end - T]:
        if not any(low - 3 * T < left < high + 2 * T for low, high, *_ in openings):
            put("Stud", (left, left + T), (bottom, top))

    for low, high, sill, head, depth in openings:
        head_z, top_z = floor + head, floor + head + depth
        for king, trimmer in ((low - 2 * T, low - T), (high + T, high)):
            put("KingStud", (king, king + T), (bottom, top))
            put("TrimmerStud", (trimmer, trimmer + T), (bottom, head_z))
        put("Header", (low - T, high + T), (head_z, top_z))
        inside = [left for left in grid if low + T <= left <= high - 2 * T]
        for left in inside:
            put("Cripple", (left, left + T), (top_z, top))
        if sill is not None:
            put("WindowSill", (low, high), (floor + sill - T, floor + sill))
            for left in [low, *inside, high - T]:
                put("Cripple", (left, left + T), (bottom, floor + sill - T))


def foundation():
    """Strip footings, two courses of foundation wall, sills; posts on pads under the girder."""
    out, pad, z = 0.073, 0.286, (0, FOOTING_TOP)
    south, north = (-out, pad - out), (DEPTH + out - pad, DEPTH + out)
    box("Footing_S", (-out, WIDTH + out), south, z)
    box("Footing_N", (-out, WIDTH + out), north, z)
    box("Footing_W", (-out, pad - out), (south[1], north[0]), z)
    box("Footing_E", (WIDTH + out - pad, WIDTH + out), (south[1], north[0]), z)
    low, mid = FOOTING_TOP, FOOTING_TOP + COURSE
    for name, z, joint in (
        ("Foundation_{}_1", (low, mid), []),
        ("Foundation_{}_2", (mid, mid + COURSE), []),
        ("Sill_{}", (SILL_TOP - T, SILL_TOP), [9.5 * GRID]),
    ):
        run(name.format("S"), "x", (0, WIDTH), (0, SILL), z, joint)
        run(name.format("N"), "x", (0, WIDTH), (DEPTH - SILL, DEPTH), z, joint)
        run(name.format("W"), "y", (SILL, DEPTH - SILL), (0, SILL), z)
        run(name.format("E"), "y", (SILL, DEPTH - SILL), (WIDTH - SILL, WIDTH), z)
    for i in range(6):
        x = 0.360 + i * (WIDTH - 0.720) / 5
        around = ((x - 0.143, x + 0.143), (MIDDLE - 0.143, MIDDLE + 0.143))
        box(f"Footing_{i + 1}", *around, (0, FOOTING_TOP))
        around = ((x - 0.070, x + 0.070), (MIDDLE - 0.070, MIDDLE + 0.070))
        box(f"Post_{i + 1}", *around, (FOOTING_TOP, SILL_TOP - 0.235))
    joint = 0.360 + 2 * (WIDTH - 0.720) / 5  # over the third post
    girder = (MIDDLE - 0.070, MIDDLE + 0.070)
    run("Girder", "x", (0.150, WIDTH - 0.150), girder, (SILL_TOP - 0.235, SILL_TOP), [joint])


def floor(storey, top):
    """Joists that butt in the middle, over the girder or a bearing wall; rims close the ends."""
    z = (top - JOIST, top)
    run(f"RimJoist_S{storey}", "x", (0, WIDTH), (0, T), z, [10.5 * GRID])
    run(f"RimJoist_N{storey}", "x", (0, WIDTH), (DEPTH - T, DEPTH), z, [7.5 * GRID])
    run(f"RimJoist_W{storey}", "y", (T, DEPTH - T), (0, T), z)
    run(f"RimJoist_E{storey}", "y", (T, DEPTH - T), (WIDTH - T, WIDTH), z)
    for i in range(1, 18):
        left = (i * GRID, i * GRID + T)
        box(f"Joist_S{storey}_{i:02d}", left, (T, MIDDLE), z)
        box(f"Joist_N{storey}_{i:02d}", left, (MIDDLE, DEPTH - T), z)


def storey(number, base, front, back, side):
    """Short walls run full depth, long walls between them, upper plates lap over the corners."""
    stud = [i * GRID + T / 2 for i in range(19)]  # middles of the studs on the grid
    inside, north = (STUD, WIDTH - STUD), (DEPTH - STUD, DEPTH)
    bearing = (MIDDLE - STUD / 2, MIDDLE + STUD / 2)
    wall(f"S{number}", "x", inside, (0, STUD), base, front, [stud[6]])
    wall(f"N{number}", "x", inside, north, base, back, [stud[10]])
    wall(f"W{number}", "y", (0, DEPTH), (0, STUD), base, side)
    wall(f"E{number}", "y", (0, DEPTH), (WIDTH - STUD, WIDTH), base, side)
    wall(f"M{number}", "x", inside, bearing, base, [(2.9, 3.7, None, 2.08, 0.184)], [stud[12]])
    z = (base + HEIGHT + 2 * T, base + HEIGHT + 3 * T)
    run(f"TopPlate_S{number}_Upper", "x", (0, WIDTH), (0, STUD), z, [stud[11]])
    run(f"TopPlate_N{number}_Upper", "x", (0, WIDTH), north, z, [stud[7]])
    run(f"TopPlate_M{number}_Upper", "x", inside, bearing, z, [stud[6]])
    run(f"TopPlate_W{number}_Upper", "y", (STUD, DEPTH - STUD), (0, STUD), z)
    run(f"TopPlate_E{number}_Upper", "y", (STUD, DEPTH - STUD), (WIDTH - STUD, WIDTH), z)


SIN, COS, TAN = math.sin(PITCH), math.cos(PITCH), math.tan(PITCH)
RISE = RAFTER / 2 - NOTCH  # rafter's centre line above the plate's outer corner, square to it
RUN = (DEPTH - T) / 2  # from the outer face of the plate to the face of the ridge board
UP = (RUN + RISE * SIN) / COS  # to where the centre line meets the ridge board
DOWN = OVERHANG / COS  # to the tail
RIDGE_TOP = PLATE_TOP + RISE * COS + UP * SIN + RAFTER / (2 * COS)


def rafter(name, left, outer, inward):
    """A common rafter: `outer` is the y of the plate's outer face, `inward` 1 or -1 along y."""

    def point(t):
        y = outer + inward * (t * COS - RISE * SIN)
        return (left + T / 2, y, PLATE_TOP + RISE * COS + t * SIN)

    sloped(name, point(-DOWN), point(UP), T, RAFTER)


def roof():
    """Rafter couples, tied at their feet by ceiling joists that lap over the bearing wall.

    Between the gables the back rafter stands one thickness beside the front one, so that each
    lies against its own ceiling joist and the two joists against each other.
    """
    ridge, ceiling = (MIDDLE - T / 2, MIDDLE + T / 2), (PLATE_TOP, PLATE_TOP + 0.140)
    run("Ridge", "x", (0, WIDTH), ridge, (RIDGE_TOP - 0.184, RIDGE_TOP), [9.5 * GRID])
    for i in range(19):
        left = i * GRID
        rafter(f"Rafter_S_{i + 1:02d}", left, 0, 1)
        if i in (0, 18):
            rafter(f"Rafter_N_{i + 1:02d}", left, DEPTH, -1)
            beside = left + T if i == 0 else left - T
            box(f"CeilingJoist_{i + 1:02d}", (beside, beside + T), (0.020, DEPTH - 0.020), ceiling)
            continue
        rafter(f"Rafter_N_{i + 1:02d}", left + T, DEPTH, -1)
        lap = 0.200
        south, north = (0.020, MIDDLE + lap), (MIDDLE - lap, DEPTH - 0.020)
        box(f"CeilingJoist_S_{i + 1:02d}", (left + T, left + 2 * T), south, ceiling)
        box(f"CeilingJoist_N_{i + 1:02d}", (left, left + T), north, ceiling)

    for tag, left in (("W", 0), ("E", WIDTH - T)):
        for i in range(12):
            y = MIDDLE + (i - 5.5) * GRID
            inset = min(y, DEPTH - y)  # from the nearer plate's outer face
            under = PLATE_TOP + inset * TAN - NOTCH / COS  # underside of the end rafter
            around = (y - STUD / 2, y + STUD / 2)
            box(f"Stud_Gable_{tag}_{i + 1:02d}", (left, left + T), around, (PLATE_TOP, under))


foundation()
floor(1, FLOOR_1)
low, high = (0.9, 2.05, 0.184), (0.8, 2.05, 0.140)  # sill, head and header of a window
entrance = (3.3, 4.2, None, 2.08, 0.235)
storey(
    number=1,
    base=FLOOR_1,
    front=[(0.8, 2.0, *low), entrance, (5.3, 6.5, *low)],
    back=[(1.0, 2.2, *low), (4.9, 6.1, *low)],
    side=[(1.1, 2.1, *low)],
)
floor(2, FLOOR_2)
storey(
    number=2,
    base=FLOOR_2,
    front=[(0.9, 1.9, *high), (3.3, 4.2, *high), (5.4, 6.4, *high)],
    back=[(1.1, 2.1, *high), (5.0, 6.0, *high)],
    side=[],
)
roof()
