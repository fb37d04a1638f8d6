# SPDX-License-Identifier: GPL-3.0-or-later
"""How the text of a house's program looks: its helper functions, and calls laid out in lines."""

from __future__ import annotations

import textwrap
from collections import Counter

#: Columns of the text, as those of our own programs.
WIDTH = 100
#: Stands for a space that no line is broken at; no name can hold it.
GLUE = "\0"

HELPERS = '''

def add(name, size, centre, turn=None):
    """One member: a box of `size` about `centre`, its axes the columns of `turn`."""
    hx, hy, hz = (s / 2 for s in size)
    corners = [(x, y, z) for x in (-hx, hx) for y in (-hy, hy) for z in (-hz, hz)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    member = bpy.data.objects.new(name, mesh)
    rotation = turn.to_4x4() if turn else Matrix.Identity(4)
    member.matrix_world = Matrix.Translation(centre) @ rotation
    bpy.context.scene.collection.objects.link(member)


def box(name, x, y, z):
    """One member along the axes, from three (low, high) pairs."""
    spans = (x, y, z)
    add(name, [hi - lo for lo, hi in spans], [(lo + hi) / 2 for lo, hi in spans])


def every(thick, first, spacing, count):
    """(low, high) of members of equal thickness at equal spacing."""
    return [(low, low + thick) for low in steps(first, spacing, count)]


def at(thick, *lows):
    """(low, high) of members of equal thickness wherever they are."""
    return [(low, low + thick) for low in lows]


def steps(first, spacing, count):
    """Places at equal spacing."""
    return [first + i * spacing for i in range(count)]


def rows(*values):
    """What each member of a row gets: lists value by value, single values again and again."""
    count = max(len(value) for value in values if isinstance(value, list))
    return zip(*(value if isinstance(value, list) else [value] * count for value in values))


def numbered(name, number):
    """The name with its number in place of the `#`."""
    digits = name.count("#")
    return name.replace("#" * digits, str(number).zfill(digits))


def boxes(name, x, y, z, first=1):
    """A row of members along the axes; of x, y and z one at least is a list of pairs."""
    for i, (across, along, up) in enumerate(rows(x, y, z), first):
        box(numbered(name, i), across, along, up)
'''
SLOPED = '''

def sloped(name, start, end, width, depth):
    """One member whose centre line runs from `start` to `end`, its width level."""
    length = math.dist(start, end)
    a, b, c = ((high - low) / length for low, high in zip(start, end))
    run = math.hypot(a, b)
    turn = Matrix(((a, -b / run, -a * c / run), (b, a / run, -b * c / run), (c, 0, run)))
    add(name, (length, width, depth), [(low + high) / 2 for low, high in zip(start, end)], turn)


def slopes(name, start, end, width, depth, first=1):
    """A row of sloped members; a coordinate of `start` and `end` may be a list of places."""
    for i, (*low, x, y, z) in enumerate(rows(*start, *end), first):
        sloped(numbered(name, i), low, (x, y, z), width, depth)
'''
TURNED = '''

def turned(name, centre, size, *axes):
    """One member turned in any way: `size` along each of its three `axes`."""
    add(name, size, centre, Matrix(axes).transposed())
'''


def laid_out(calls: list[list[str]]) -> list[str]:
    """The calls as lines; heights that several calls share are named first."""
    heights = Counter(call[4] for call in calls if call[0] in ("box", "boxes"))
    shared = {text for text, count in heights.items() if count > 1 and text.startswith("(")}
    lines: list[str] = []
    current = None
    places: list[str] = []
    for call in calls:
        if call[0] in ("box", "boxes") and call[4] in shared:
            if call[4] != current:
                current = call[4]
                lines.append(f"    z = {current}")
            call = [*call[:4], "z", *call[5:]]
        if call[0] == "slopes":
            call, named = _named(call)
            lines += [] if named == places else named
            places = named or places
        if call[0].startswith("for "):
            lines += _broken(call[0], 4) + call_lines(call[1:], 8)
        else:
            lines += call_lines(call, 4)
    return lines


def _named(call: list[str]) -> tuple[list[str], list[str]]:
    """A row of sloped members whose ends share a list of places: it gets a name first."""
    starts, ends = _split(call[2][1:-1]), _split(call[3][1:-1])
    lines = []
    for k, axis in enumerate("xy"):  # `z` is the name of shared heights
        if starts[k] == ends[k] and len(starts[k]) > 12:
            lines += _broken(f"{axis} = {starts[k]}", 4, closed=False)
            starts[k] = ends[k] = axis
    return [*call[:2], f"({', '.join(starts)})", f"({', '.join(ends)})", *call[4:]], lines


def _split(text: str) -> list[str]:
    """Cut at commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()]


def call_lines(call: list[str], indent: int) -> list[str]:
    """A call in one line, or an argument a line, or wrapped."""
    name, *arguments = call
    pad = " " * indent
    line = f"{pad}{name}({', '.join(arguments)})"
    if len(line) <= WIDTH:
        return [line]
    lines = [f"{pad}{name}("]
    for argument in arguments:
        lines += _broken(f"{argument},", indent + 4)
    return [*lines, f"{pad})"]


def _broken(text: str, indent: int, closed: bool = True) -> list[str]:
    """Text broken at spaces; ``closed``: it stands in brackets, or breaks within its own."""
    pad = " " * indent
    if len(pad + text) <= WIDTH:
        return [pad + text]
    if not closed:
        name, _, value = text.partition(" = ")
        return [f"{pad}{name} = (", *_broken(value, indent + 4), f"{pad})"]
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=pad,
        subsequent_indent=pad + "    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
