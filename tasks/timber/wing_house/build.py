# SPDX-License-Identifier: GPL-3.0-or-later
"""House with a wing: 8.16 x 4.50 m, a front wing of 4.50 x 3.25 m, and two valleys of 8:12.

The main ridge runs along x, the wing's along y; the main front is at y = 0, the wing's at
y = -WING, the ground at z = 0; all sizes in metres.
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
WIDTH = 20 * GRID + T  # main house, along x
DEPTH = 11 * GRID + T  # main house, along y; also the width of the wing
WING = 8 * GRID  # how far the wing stands out
WEST, EAST = 7 * GRID, 7 * GRID + DEPTH  # outer faces of the wing's side walls
MIDDLE, CENTRE = DEPTH / 2, (WEST + EAST) / 2  # y of the main ridge, x of the wing's
JOIST = 0.286
TAN = 8 / 12  # pitch of all planes
SIN, COS = math.sin(math.atan(TAN)), math.cos(math.atan(TAN))
RAFTER = 0.140  # depth of common and jack rafters
VALLEY = 0.184  # depth of valley rafters
RIDGE = 0.286  # depth of the ridge boards
NOTCH = 0.022  # depth of the common birdsmouth, square to the rafter's underside
OVERHANG = 0.300

COURSE = 0.286  # height of the foundation wall
SILL_TOP = COURSE + T
FLOOR = SILL_TOP + JOIST  # top of the joists
PLATE_TOP = FLOOR + HEIGHT + 3 * T


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

    grid = [i * GRID for i in range(-20, 30) if start + T <= i * GRID <= end - 2 * T]
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
    """Foundation walls on the ground, sills on them, and a footing under the ridge's post."""
    for name, z in (("Foundation", (0, COURSE)), ("Sill", (COURSE, SILL_TOP))):
        joint = [10.5 * GRID] if name == "Sill" else []
        run(f"{name}_S", "x", (0, WIDTH), (0, SILL), z, joint)
        run(f"{name}_N", "x", (0, WIDTH), (DEPTH - SILL, DEPTH), z, joint)
        run(f"{name}_W", "y", (SILL, DEPTH - SILL), (0, SILL), z)
        run(f"{name}_E", "y", (SILL, DEPTH - SILL), (WIDTH - SILL, WIDTH), z)
        run(f"{name}_Wing_S", "x", (WEST, EAST), (-WING, SILL - WING), z)
        run(f"{name}_Wing_W", "y", (SILL - WING, 0), (WEST, WEST + SILL), z)
        run(f"{name}_Wing_E", "y", (SILL - WING, 0), (EAST - SILL, EAST), z)
    around = ((CENTRE - 0.143, CENTRE + 0.143), (MIDDLE - 0.143, MIDDLE + 0.143))
    box("Footing", *around, (0, 0.140))


def floor():
    """Joists from wall to wall, front to back in the house and across in the wing; rim joists."""
    z = (SILL_TOP, FLOOR)
    run("RimJoist_S", "x", (0, WIDTH), (0, T), z, [11.5 * GRID])
    run("RimJoist_N", "x", (0, WIDTH), (DEPTH - T, DEPTH), z, [8.5 * GRID])
    run("RimJoist_W", "y", (T, DEPTH - T), (0, T), z)
    run("RimJoist_E", "y", (T, DEPTH - T), (WIDTH - T, WIDTH), z)
    run("RimJoist_Wing_S", "x", (WEST, EAST), (-WING, T - WING), z)
    run("RimJoist_Wing_W", "y", (T - WING, 0), (WEST, WEST + T), z)
    run("RimJoist_Wing_E", "y", (T - WING, 0), (EAST - T, EAST), z)
    for i in range(1, 20):
        box(f"Joist_{i:02d}", (i * GRID, i * GRID + T), (T, DEPTH - T), z)
    for i in range(1, 8):
        y = i * GRID - WING
        box(f"Joist_Wing_{i}", (WEST + T, EAST - T), (y, y + T), z)


def walls():
    """Walls of house and wing; every upper plate laps over a corner or over a joint below it."""
    stud = [i * GRID + T / 2 for i in range(21)]  # middles of the studs on the grid
    inside, north = (STUD, WIDTH - STUD), (DEPTH - STUD, DEPTH)
    window, passage = (0.9, 2.0, 0.184), (4.3, 5.8, None, 2.08, 0.235)
    front, back = [(1.0, 2.2, *window), passage], [(1.0, 2.2, *window), (5.0, 6.2, *window)]
    wall("S", "x", inside, (0, STUD), FLOOR, front, [stud[7]])
    wall("N", "x", inside, north, FLOOR, back, [stud[10]])
    wall("W", "y", (0, DEPTH), (0, STUD), FLOOR, [(1.7, 2.7, *window)])
    wall("E", "y", (0, DEPTH), (WIDTH - STUD, WIDTH), FLOOR)
    wing = (STUD - WING, 0)
    entrance = (-1.9, -1.0, None, 2.08, 0.184)
    wall("Wing_S", "x", (WEST, EAST), (-WING, STUD - WING), FLOOR, [(4.3, 5.9, *window)])
    wall("Wing_W", "y", wing, (WEST, WEST + STUD), FLOOR, [entrance])
    wall("Wing_E", "y", wing, (EAST - STUD, EAST), FLOOR, [(-2.1, -1.1, *window)])
    z = (PLATE_TOP - T, PLATE_TOP)
    run("TopPlate_S_Upper", "x", (0, WIDTH), (0, STUD), z, [stud[15]])
    run("TopPlate_N_Upper", "x", (0, WIDTH), north, z, [stud[7]])
    run("TopPlate_W_Upper", "y", (STUD, DEPTH - STUD), (0, STUD), z)
    run("TopPlate_E_Upper", "y", (STUD, DEPTH - STUD), (WIDTH - STUD, WIDTH), z)
    run("TopPlate_Wing_S_Upper", "x", (WEST + STUD, EAST - STUD), (-WING, STUD - WING), z)
    run("TopPlate_Wing_W_Upper", "y", (-WING, 0), (WEST, WEST + STUD), z)
    run("TopPlate_Wing_E_Upper", "y", (-WING, 0), (EAST - STUD, EAST), z)


def centre_line(inset):
    """Height of the common rafters' centre line, `inset` from the outer face of the plate."""
    return PLATE_TOP + (RAFTER / 2 - NOTCH) / COS + inset * TAN


RIDGE_FACE = MIDDLE - T / 2  # inset of the ridge boards' faces, in house and wing alike
RIDGE_TOP = centre_line(RIDGE_FACE) + RAFTER / 2 / COS


def rafter(name, side, along, foot, top):
    """A rafter in one of the four planes, between two insets from the plate's outer face."""
    ends = []
    for inset in (foot, top):
        x, y = {
            "S": (along, inset),
            "N": (along, DEPTH - inset),
            "Wing_W": (WEST + inset, along),
            "Wing_E": (EAST - inset, along),
        }[side]
        ends.append((x, y, centre_line(inset)))
    sloped(name, *ends, T, RAFTER)


def slopes():
    """Commons from the eaves, valley jacks from the valleys, all to the ridge boards."""
    beside_valley = T / 2 * math.sqrt(2)  # in plan, from a valley's centre line to its face
    for i in range(21):
        x = i * GRID + T / 2
        rafter(f"Rafter_N_{i + 1:02d}", "N", x, -OVERHANG, RIDGE_FACE)
        inset = min(x - WEST, EAST - x)  # from the nearer side of the wing, in its plane
        if inset < 0:
            rafter(f"Rafter_S_{i + 1:02d}", "S", x, -OVERHANG, RIDGE_FACE)
        else:
            rafter(f"ValleyJack_S_{i + 1:02d}", "S", x, inset + beside_valley, RIDGE_FACE)
    for i in range(14):
        y = i * GRID + T / 2 - WING
        for side in ("Wing_W", "Wing_E"):
            if y < 0:
                rafter(f"Rafter_{side}_{i + 1:02d}", side, y, -OVERHANG, RIDGE_FACE)
            else:
                rafter(f"ValleyJack_{side}_{i + 1:02d}", side, y, y + beside_valley, RIDGE_FACE)
    drop = RAFTER / 2 / COS - VALLEY / 2 / math.cos(math.atan(TAN / math.sqrt(2)))
    for tag, corner, way in (("W", WEST, 1), ("E", EAST, -1)):
        start, end = ((corner + way * u, u, centre_line(u) + drop) for u in (-OVERHANG, RIDGE_FACE))
        sloped(f"ValleyRafter_{tag}", start, end, T, VALLEY)


def gable(tag, axis, across, middle):
    """Studs between the plates of a gable wall and its end rafters, one of them under the ridge."""
    for i in range(9):
        offset = (i - 4) * GRID
        under = PLATE_TOP - NOTCH / COS + (MIDDLE - abs(offset)) * TAN
        if offset == 0:
            under = RIDGE_TOP - RIDGE
        along = (middle + offset - STUD / 2, middle + offset + STUD / 2)
        x, y = (along, across) if axis == "x" else (across, along)
        box(f"Stud_Gable_{tag}_{i + 1:02d}", x, y, (PLATE_TOP, under))


def roof():
    """Ridge boards, a post under the place where they meet, planes, ceiling joists, gables."""
    main, wing = (RIDGE_FACE, RIDGE_FACE + T), (CENTRE - T / 2, CENTRE + T / 2)
    run("Ridge", "x", (0, WIDTH), main, (RIDGE_TOP - RIDGE, RIDGE_TOP), [5.5 * GRID])
    run("Ridge_Wing", "y", (-WING, RIDGE_FACE), wing, (RIDGE_TOP - RIDGE, RIDGE_TOP))
    around = ((CENTRE - 0.070, CENTRE + 0.070), (MIDDLE - 0.070, MIDDLE + 0.070))
    box("RidgePost", *around, (0.140, RIDGE_TOP - RIDGE))
    slopes()
    z = (PLATE_TOP, PLATE_TOP + 0.140)
    west, east = [(i, T) for i in range(7)], [(i, T) for i in (17, 18, 19)]
    middle = [(i, -T) for i in range(7, 18)]  # on the other side, clear of the valley's foot
    for i, (k, side) in enumerate([*west, *middle, *east, (20, -T)], 1):
        beside = k * GRID + side
        box(f"CeilingJoist_{i:02d}", (beside, beside + T), (0.040, DEPTH - 0.040), z)
    for i in range(8):
        beside = i * GRID + T - WING
        box(f"CeilingJoist_Wing_{i + 1}", (WEST + 0.020, EAST - 0.020), (beside, beside + T), z)
    gable("W", "y", (0, T), MIDDLE)
    gable("E", "y", (WIDTH - T, WIDTH), MIDDLE)
    gable("S", "x", (-WING, T - WING), CENTRE)


foundation()
floor()
walls()
roof()
