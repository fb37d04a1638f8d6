# SPDX-License-Identifier: GPL-3.0-or-later
"""One-room cabin on posts: 4.91 x 3.69 m, 8:12 gable roof, everything at 16 inches on centre.

x runs along the ridge, the front is at y = 0, the ground at z = 0; all sizes in metres.
"""

import math

import bpy
from mathutils import Matrix, Vector

T = 0.038  # thickness of all two-by lumber
STUD = 0.089  # depth of wall studs and width of wall plates
GRID = 0.406  # on-centre spacing of joists, studs and rafters
WIDTH = 12 * GRID + T  # along x
DEPTH = 9 * GRID + T  # along y
PITCH = math.atan2(8, 12)
RAFTER = 0.140  # rafter depth
NOTCH = 0.030  # depth of the birdsmouth, normal to the rafter's underside
OVERHANG = 0.350

FOOTING_TOP = 0.140
BEAM_TOP = 0.735
FLOOR = BEAM_TOP + 0.235  # top of the joists
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


def wall(tag, axis, along, across, openings=()):
    """A framed wall without its upper plate, `along` an axis and `across` it from face to face.

    `openings` are (low, high, sill, head, header depth): low and high along the wall, sill and
    head above the floor; a door has sill None.
    """
    count = {}

    def put(role, span, z):
        count[role] = count.get(role, 0) + 1
        x, y = (span, across) if axis == "x" else (across, span)
        box(f"{role}_{tag}_{count[role]:02d}", x, y, z)

    start, end = along
    bottom = FLOOR + T
    doors = [edge for low, high, sill, *_ in openings if sill is None for edge in (low, high)]
    edges = [start, *doors, end]
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        put("BottomPlate", (low, high), (FLOOR, bottom))
    put("TopPlate", along, (STUD_TOP, STUD_TOP + T))

    grid = [i * GRID for i in range(40) if start + T <= i * GRID <= end - 2 * T]
    for left in [start, *grid, end - T]:
        if not any(low - 3 * T < left < high + 2 * T for low, high, *_ in openings):
            put("Stud", (left, left + T), (bottom, STUD_TOP))

    for low, high, sill, head, depth in openings:
        head_z, top_z = FLOOR + head, FLOOR + head + depth
        for king, trimmer in ((low - 2 * T, low - T), (high + T, high)):
            put("KingStud", (king, king + T), (bottom, STUD_TOP))
            put("TrimmerStud", (trimmer, trimmer + T), (bottom, head_z))
        put("Header", (low - T, high + T), (head_z, top_z))
        inside = [left for left in grid if low + T <= left <= high - 2 * T]
        for left in inside:
            put("Cripple", (left, left + T), (top_z, STUD_TOP))
        if sill is not None:
            put("WindowSill", (low, high), (FLOOR + sill - T, FLOOR + sill))
            for left in [low, *inside, high - T]:
                put("Cripple", (left, left + T), (bottom, FLOOR + sill - T))


def foundation():
    """Two beams on posts, each post on its own footing."""
    for tag, y in (("S", 0.0), ("N", DEPTH - STUD)):
        middle = y + STUD / 2
        for i in range(4):
            x = 0.070 + i * (WIDTH - 0.140) / 3
            around = ((x - 0.143, x + 0.143), (middle - 0.143, middle + 0.143))
            box(f"Footing_{tag}_{i + 1}", *around, (0, FOOTING_TOP))
            around = ((x - 0.070, x + 0.070), (middle - 0.070, middle + 0.070))
            box(f"Post_{tag}_{i + 1}", *around, (FOOTING_TOP, BEAM_TOP - 0.235))
        box(f"Beam_{tag}", (0, WIDTH), (y, y + STUD), (BEAM_TOP - 0.235, BEAM_TOP))


def floor():
    """Joists on the two beams, closed by rim joists; the end joists are doubled under the walls."""
    z = (BEAM_TOP, FLOOR)
    inner = (T, DEPTH - T)
    box("RimJoist_S", (0, WIDTH), (0, T), z)
    box("RimJoist_N", (0, WIDTH), (DEPTH - T, DEPTH), z)
    box("RimJoist_W", (0, T), inner, z)
    box("RimJoist_E", (WIDTH - T, WIDTH), inner, z)
    lefts = [T, *(i * GRID for i in range(1, 12)), WIDTH - 2 * T]
    for i, left in enumerate(lefts, 1):
        box(f"Joist_{i:02d}", (left, left + T), inner, z)


def walls():
    """Short walls run full depth, long walls between them, upper plates lap over the corners."""
    door = (2.006, 2.916, None, 2.080, 0.140)
    windows = [(low, low + 0.800, 0.900, 2.000, 0.140) for low in (0.700, 3.500)]
    inside, north = (STUD, WIDTH - STUD), (DEPTH - STUD, DEPTH)
    wall("S", "x", inside, (0, STUD), [windows[0], door, windows[1]])
    wall("N", "x", inside, north, [(1.900, 3.100, 0.900, 2.000, 0.184)])
    wall("W", "y", (0, DEPTH), (0, STUD), [(1.346, 2.346, 0.900, 2.000, 0.140)])
    wall("E", "y", (0, DEPTH), (WIDTH - STUD, WIDTH))
    z = (STUD_TOP + T, PLATE_TOP)
    box("TopPlate_S_Upper", (0, WIDTH), (0, STUD), z)
    box("TopPlate_N_Upper", (0, WIDTH), (DEPTH - STUD, DEPTH), z)
    box("TopPlate_W_Upper", (0, STUD), (STUD, DEPTH - STUD), z)
    box("TopPlate_E_Upper", (WIDTH - STUD, WIDTH), (STUD, DEPTH - STUD), z)


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
    middle = DEPTH / 2
    box("Ridge", (0, WIDTH), (middle - T / 2, middle + T / 2), (RIDGE_TOP - 0.184, RIDGE_TOP))
    for i in range(13):
        left = i * GRID
        rafter(f"Rafter_S_{i + 1:02d}", left, 0, 1)
        rafter(f"Rafter_N_{i + 1:02d}", left, DEPTH, -1)
        beside = left + T if i < 12 else left - T
        ceiling = (PLATE_TOP, PLATE_TOP + 0.140)
        box(f"CeilingJoist_{i + 1:02d}", (beside, beside + T), (0.020, DEPTH - 0.020), ceiling)

    tie_top = RIDGE_TOP - 0.450
    reach = (RIDGE_TOP - tie_top) / TAN + T / 2  # where its top meets the rafters' top edges
    for i in (2, 4, 6, 8, 10):
        left = i * GRID - T
        z = (tie_top - 0.089, tie_top)
        box(f"CollarTie_{i // 2}", (left, left + T), (middle - reach, middle + reach), z)

    for tag, left in (("W", 0), ("E", WIDTH - T)):
        for i in range(8):
            y = middle + (i - 3.5) * GRID
            inset = min(y, DEPTH - y)  # from the nearer plate's outer face
            under = PLATE_TOP + inset * TAN - NOTCH / COS  # underside of the end rafter
            around = (y - STUD / 2, y + STUD / 2)
            box(f"Stud_Gable_{tag}_{i + 1}", (left, left + T), around, (PLATE_TOP, under))


foundation()
floor()
walls()
roof()
