# SPDX-License-Identifier: GPL-3.0-or-later
"""Hip-roof house: 8.16 x 5.32 m on strip footings, four hips of 6:12, a ridge on two posts.

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
WIDTH = 20 * GRID + T  # along x
DEPTH = 13 * GRID + T  # along y
MIDDLE = DEPTH / 2
JOIST = 0.184
TAN = 6 / 12  # pitch of all four planes
SIN, COS = math.sin(math.atan(TAN)), math.cos(math.atan(TAN))
RAFTER = 0.140  # depth of common and jack rafters
HIP = 0.184  # depth of hip rafters
NOTCH = 0.020  # depth of the common birdsmouth, square to the rafter's underside
OVERHANG = 0.400

FOOTING_TOP = 0.140
COURSE = 0.286  # height of one course of the foundation wall
SILL_TOP = FOOTING_TOP + 2 * COURSE + T
FLOOR = SILL_TOP + JOIST  # top of the joists
PLATE_TOP = FLOOR + HEIGHT + 3 * T

RIDGE_END = MIDDLE - 0.080  # the ridge runs a little past the hips, which land on its sides
RIDGE_POSTS = (MIDDLE, WIDTH - MIDDLE)


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
        ("Sill_{}", (SILL_TOP - T, SILL_TOP), [10.5 * GRID]),
    ):
        run(name.format("S"), "x", (0, WIDTH), (0, SILL), z, joint)
        run(name.format("N"), "x", (0, WIDTH), (DEPTH - SILL, DEPTH), z, joint)
        run(name.format("W"), "y", (SILL, DEPTH - SILL), (0, SILL), z)
        run(name.format("E"), "y", (SILL, DEPTH - SILL), (WIDTH - SILL, WIDTH), z)
    first, last = RIDGE_POSTS
    between = (0.360 + first) / 2
    posts = (0.360, between, first, WIDTH / 2, last, WIDTH - between, WIDTH - 0.360)
    for i, x in enumerate(posts, 1):
        around = ((x - 0.143, x + 0.143), (MIDDLE - 0.143, MIDDLE + 0.143))
        box(f"Footing_{i}", *around, (0, FOOTING_TOP))
        around = ((x - 0.070, x + 0.070), (MIDDLE - 0.070, MIDDLE + 0.070))
        box(f"Post_{i}", *around, (FOOTING_TOP, SILL_TOP - 0.235))
    across, z = (MIDDLE - STUD / 2, MIDDLE + STUD / 2), (SILL_TOP - 0.235, SILL_TOP)
    run("Girder", "x", (0.150, WIDTH - 0.150), across, z, [WIDTH / 2])


def floor():
    """Joists that butt over the girder, rim joists, and blocks under the posts in the wall."""
    z = (SILL_TOP, FLOOR)
    run("RimJoist_S", "x", (0, WIDTH), (0, T), z, [11.5 * GRID])
    run("RimJoist_N", "x", (0, WIDTH), (DEPTH - T, DEPTH), z, [8.5 * GRID])
    run("RimJoist_W", "y", (T, DEPTH - T), (0, T), z)
    run("RimJoist_E", "y", (T, DEPTH - T), (WIDTH - T, WIDTH), z)
    for i in range(1, 20):
        left = (i * GRID, i * GRID + T)
        box(f"Joist_S_{i:02d}", left, (T, MIDDLE), z)
        box(f"Joist_N_{i:02d}", left, (MIDDLE, DEPTH - T), z)
    for i, bay in enumerate((6, 13), 1):
        between = (bay * GRID + T, (bay + 1) * GRID)
        box(f"Blocking_{i}", between, (MIDDLE - T / 2, MIDDLE + T / 2), z)


def walls():
    """Short walls run full depth, long walls between them, upper plates lap over the corners."""
    stud = [i * GRID + T / 2 for i in range(21)]  # middles of the studs on the grid
    inside, north = (STUD, WIDTH - STUD), (DEPTH - STUD, DEPTH)
    bearing = (MIDDLE - STUD / 2, MIDDLE + STUD / 2)
    window, door = (0.9, 2.0, 0.184), (3.75, 4.66, None, 2.08, 0.184)
    front = [(1.0, 2.2, *window), door, (5.9, 7.1, *window)]
    back = [(0.9, 1.9, *window), (3.6, 4.6, *window), (6.0, 7.2, *window)]
    wall("S", "x", inside, (0, STUD), FLOOR, front, [stud[8]])
    wall("N", "x", inside, north, FLOOR, back, [stud[13]])
    wall("W", "y", (0, DEPTH), (0, STUD), FLOOR, [(1.9, 2.9, *window)])
    wall("E", "y", (0, DEPTH), (WIDTH - STUD, WIDTH), FLOOR, [(2.4, 3.4, *window)])
    wall("M", "x", inside, bearing, FLOOR, [(4.2, 5.0, None, 2.08, 0.184)], [stud[8]])
    z = (PLATE_TOP - T, PLATE_TOP)
    run("TopPlate_S_Upper", "x", (0, WIDTH), (0, STUD), z, [stud[12]])
    run("TopPlate_N_Upper", "x", (0, WIDTH), north, z, [stud[8]])
    run("TopPlate_M_Upper", "x", inside, bearing, z, [stud[15]])
    run("TopPlate_W_Upper", "y", (STUD, DEPTH - STUD), (0, STUD), z)
    run("TopPlate_E_Upper", "y", (STUD, DEPTH - STUD), (WIDTH - STUD, WIDTH), z)
    for i, x in enumerate(RIDGE_POSTS, 1):
        around = ((x - STUD / 2, x + STUD / 2), bearing)
        box(f"Post_M_{i}", *around, (FLOOR + T, FLOOR + T + HEIGHT))
        box(f"RidgePost_{i}", *around, (PLATE_TOP, RIDGE_TOP - 0.235))


def centre_line(inset):
    """Height of the common rafters' centre line, `inset` from the outer face of the plate."""
    return PLATE_TOP + (RAFTER / 2 - NOTCH) / COS + inset * TAN


RIDGE_TOP = centre_line(MIDDLE - T / 2) + RAFTER / 2 / COS


def rafter(name, side, along, top):
    """A common or jack rafter, from its tail to where its centre line is `top` from the plate."""
    ends = []
    for inset in (-OVERHANG, top):
        x, y = {
            "S": (along, inset),
            "N": (along, DEPTH - inset),
            "W": (inset, along),
            "E": (WIDTH - inset, along),
        }[side]
        ends.append((x, y, centre_line(inset)))
    sloped(name, *ends, T, RAFTER)


def slopes():
    """Commons reach the ridge, jacks the side of their hip; king commons meet the ridge's ends."""
    beside_hip = T / 2 * math.sqrt(2)  # in plan, from a hip's centre line to its face, squarely
    for side, length in (("S", WIDTH), ("N", WIDTH), ("W", DEPTH), ("E", DEPTH)):
        number = {"Rafter": 0, "HipJack": 0}
        for i in range(1, round((length - T) / GRID)):
            along = i * GRID + T / 2
            corner = min(along, length - along)
            role, top = ("HipJack", corner - beside_hip) if corner < MIDDLE else ("Rafter", 0)
            number[role] += 1
            name = f"{role}_{side}_{number[role]:02d}"
            rafter(name, side, along, top or MIDDLE - T / 2)
    rafter("Rafter_W_Middle", "W", MIDDLE, RIDGE_END)
    rafter("Rafter_E_Middle", "E", MIDDLE, RIDGE_END)

    slope = math.atan(TAN / math.sqrt(2))
    drop = RAFTER / 2 / COS - HIP / 2 / math.cos(slope) - T / 2 / math.sqrt(2) * TAN
    for tag, south, west in (("SW", 1, 1), ("SE", 1, 0), ("NW", 0, 1), ("NE", 0, 0)):
        start, end = (
            (u if west else WIDTH - u, u if south else DEPTH - u, centre_line(u) + drop)
            for u in (-OVERHANG, MIDDLE - T / 2)
        )
        sloped(f"HipRafter_{tag}", start, end, T, HIP)


def fascia():
    """Boards that close the tails of the rafters all round, their top below the roof's surface."""
    low, high = -OVERHANG - T, -OVERHANG
    top = centre_line(-OVERHANG) + RAFTER / 2 / COS - 0.010
    x, y, z = (low, WIDTH - low), (high, DEPTH - high), (top - RAFTER, top)
    box("Fascia_S", x, (low, high), z)
    box("Fascia_N", x, (DEPTH - high, DEPTH - low), z)
    box("Fascia_W", (low, high), y, z)
    box("Fascia_E", (WIDTH - high, WIDTH - low), y, z)


def roof():
    """Ridge on its posts, hips, commons and jacks, ceiling joists over the bearing wall."""
    across = (MIDDLE - T / 2, MIDDLE + T / 2)
    box("Ridge", (RIDGE_END, WIDTH - RIDGE_END), across, (RIDGE_TOP - 0.235, RIDGE_TOP))
    slopes()
    fascia()
    for i in range(1, 20):
        beside = i * GRID + (T if i < 10 else -T)
        z = (PLATE_TOP, PLATE_TOP + 0.140)
        box(f"CeilingJoist_{i:02d}", (beside, beside + T), (0.020, DEPTH - 0.020), z)


foundation()
floor()
walls()
roof()
