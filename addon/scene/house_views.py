# SPDX-License-Identifier: GPL-3.0-or-later
"""The five canonical views of a house, framed or skinned, in Workbench or in Cycles.

Workbench pictures of the framing are those that the metric S compares
(:data:`.similarity.LOOK`); all others are for models and people to look at. Every picture names its
engine and look in itself (:func:`made_with`), since pictures of two engines do not compare.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Protocol

import bpy
import numpy as np

from ...checks.timber.roles import resolve
from ...checks.timber.structure import TimberStructure
from ...tasks.houses.house import House
from ...tasks.houses.skin import Surface, skin
from . import views
from .cameras import VIEWS, Camera, camera_for
from .cycles_studio import SAMPLES, CyclesStudio, cycles_studio
from .fitting import BOX_FACES, Floats
from .pixels import png_bytes
from .png_text import with_texts
from .similarity import LOOK
from .skin_objects import COLOURS
from .studio import PictureError, paint, point_camera, shaded, shoot, studio
from .views import SHADES, SIZE, WOOD

__all__ = ["SIZE", "VIEWS", "PictureError", "made_with", "render_views", "renderer"]

#: Version of the pictures that are no part of S: counted up when they change.
PICTURE = 1
ENGINES = ("workbench", "cycles")

Faces = Sequence[Sequence[int]]


class Renderer(Protocol):
    """Draws one house after another in a scene that is set up once."""

    def __call__(
        self, subject: House | TimberStructure, skin: bool = False
    ) -> dict[str, bytes]: ...


def render_views(
    subject: House | TimberStructure,
    engine: str = "workbench",
    skin: bool = False,
    size: Sequence[int] = SIZE,
    names: Sequence[str] = tuple(VIEWS),
) -> dict[str, bytes]:
    """PNG with alpha of each named view of a house, or of any structure.

    ``skin`` shows closed walls and roofs instead of the framing; the cameras stay those of the
    framing. ``engine`` is ``workbench`` or ``cycles``. The same house gives the same bytes with the
    same engine in the same Blender. Raises :class:`PictureError` for an unknown engine or view, for
    a size that no picture can have, and for a structure without members.
    """
    with renderer(engine, size, names) as draw:
        return draw(subject, skin)


@contextlib.contextmanager
def renderer(
    engine: str = "workbench", size: Sequence[int] = SIZE, names: Sequence[str] = tuple(VIEWS)
) -> Iterator[Renderer]:
    """Draws any number of houses like :func:`render_views`; faster, as the scene is kept.

    ``with renderer("cycles") as draw: pictures = draw(house)``.
    """
    unknown = [name for name in names if name not in VIEWS]
    if unknown:
        raise PictureError(f"no view {unknown[0]!r}; there are {', '.join(VIEWS)}")
    if engine not in ENGINES:
        raise PictureError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    with contextlib.ExitStack() as kept:
        stage = kept.enter_context(cycles_studio(size)) if engine == "cycles" else None

        def draw(subject: House | TimberStructure, skin: bool = False) -> dict[str, bytes]:
            structure = subject.structure if isinstance(subject, House) else subject
            if not len(structure):
                raise PictureError("there are no members to draw")
            if stage is not None:
                pictures = _in_cycles(stage, structure, skin, size, names)
            else:
                pictures = _in_workbench(structure, skin, size, names)
            texts = made_with(engine, skin)
            return {name: with_texts(png, texts) for name, png in pictures.items()}

        yield draw


def made_with(engine: str, skin: bool = False) -> dict[str, str]:
    """What a picture says of itself, as PNG texts: for records of whoever keeps pictures.

    ``plumbline:engine``, ``plumbline:subject`` (``frame`` or ``skin``), ``plumbline:look`` (``S/n``
    for pictures that S compares, ``picture/n`` for others), ``Software``.
    """
    compared = engine == "workbench" and not skin
    more = {"plumbline:samples": str(SAMPLES)} if engine == "cycles" else {}
    return {
        "Software": f"Plumbline, Blender {bpy.app.version_string}",
        "plumbline:engine": engine,
        "plumbline:subject": "skin" if skin else "frame",
        "plumbline:look": f"S/{LOOK}" if compared else f"picture/{PICTURE}",
        **more,
    }


def picture_name(task: str, view: str, skin: bool = False) -> str:
    """File name of a view as the published folders have it: ``ID_skin_VIEW.png``, ``VIEW.png``."""
    return f"{task}_skin_{view}.png" if skin else f"{view}.png"


def _cameras(
    structure: TimberStructure, size: Sequence[int], names: Sequence[str]
) -> list[tuple[str, Camera]]:
    points = structure.corners.reshape(-1, 3)
    return [(name, camera_for(name, points, (size[0], size[1]))) for name in names]


def _in_cycles(
    stage: CyclesStudio,
    structure: TimberStructure,
    skinned: bool,
    size: Sequence[int],
    names: Sequence[str],
) -> dict[str, bytes]:
    if skinned:
        stage.show(*_joined(skin(structure)))
    else:
        first = 8 * np.arange(len(structure))[:, None, None]
        faces = (first + np.array(BOX_FACES)).reshape(-1, 4).tolist()
        stone = resolve(structure).mask("Foundation", "Footing", "Pier")
        colours = np.where(stone[:, None], COLOURS["foundation"][0], WOOD)
        stage.show(structure.corners.reshape(-1, 3), faces, np.repeat(colours, 6, axis=0))
    return {
        name: png_bytes(stage.shoot(camera)) for name, camera in _cameras(structure, size, names)
    }


def _in_workbench(
    structure: TimberStructure, skinned: bool, size: Sequence[int], names: Sequence[str]
) -> dict[str, bytes]:
    if not skinned:
        return views.render_views(structure, structure.corners.reshape(-1, 3), names, size)
    vertices, faces, colours = _joined(skin(structure))
    normals = np.array([_normal(vertices[list(face)]) for face in faces])
    corners = [len(face) for face in faces]
    with studio((size[0], size[1])) as scene:
        mesh = bpy.data.meshes.new("plumbline_skin")
        mesh.from_pydata(vertices.tolist(), [], faces)
        scene.collection.objects.link(bpy.data.objects.new("plumbline_skin", mesh))
        pictures = {}
        for name, camera in _cameras(structure, size, names):
            paint(mesh, np.repeat(shaded(normals, colours, SHADES, camera), corners, axis=0))
            point_camera(scene, camera)
            pictures[name] = png_bytes(shoot(scene))
    return pictures


def _joined(surfaces: Sequence[Surface]) -> tuple[Floats, Faces, Floats]:
    """All surfaces as one: vertices (n, 3), faces, and a colour (sRGB) a face."""
    vertices, faces, colours = [np.zeros((0, 3))], [], [np.zeros((0, 3))]
    first = 0
    for surface in surfaces:
        vertices.append(surface.vertices)
        faces += [[first + i for i in face] for face in surface.faces]
        colours.append(np.tile(COLOURS[surface.kind][0], (len(surface.faces), 1)))
        first += len(surface.vertices)
    return np.concatenate(vertices), faces, np.concatenate(colours)


def _normal(points: Floats) -> Floats:
    """Unit normal of a plane face (n, 3), convex or not."""
    here = points - points[0]
    area = np.cross(here, np.roll(here, -1, axis=0)).sum(axis=0)
    return area / max(float(np.linalg.norm(area)), 1e-12)
