# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be drawn in a view: worked out when something changed, kept for the redraws after."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ..addon import review as reviews
from ..addon.colouring import LOUD, QUIET, Colours, Legend, colours_of
from ..addon.painted import faded
from ..addon.palette import RGB
from ..addon.pictures.drawing import Picture, Shown, Solid, Subjects
from ..addon.pictures.ghosts import ghost_picture
from ..addon.pictures.ghosts import legend as ghost_legend
from ..addon.pictures.kind import pictures_of
from ..addon.pictures.named import involved
from ..addon.pictures.reconstruction.book import Explained, surfaces_at
from ..addon.pictures.reconstruction.strip import Strip
from ..addon.pictures.solids import grown
from ..addon.pictures.voxel.pointed import pointed_picture
from ..addon.preferences import Look, look
from ..addon.session import blind, ghosts, pointing, standing, viewing
from ..addon.session.standing import Mask, Standing
from ..addon.units import length_words
from . import overlay_batches
from .overlay_batches import BoxBatches, PictureBatches

# How much of the ground is in a pale colour, and how opaque the veil over the rest is.
PALE, VEIL = 0.72, 0.80
# How much is kept; meshes of all members are large, and each edit of a moved one makes another.
_MOST_KEPT, _MOST_MESHES = 48, 12
# Lines of a picture that writing keeps clear of; more would cost more than they tell.
_MOST_LINES = 120

Kept = OrderedDict[Hashable, Any]

_kept: Kept = OrderedDict()
_meshes: Kept = OrderedDict()


def keep(key: Hashable, make: Callable[[], Any], among: Kept = _kept) -> Any:
    """What ``make`` gives, kept under ``key``; what was not asked for longest is dropped."""
    if key in among:
        among.move_to_end(key)
        return among[key]
    made = among[key] = make()
    while len(among) > (_MOST_MESHES if among is _meshes else _MOST_KEPT):
        among.popitem(last=False)
    return made


@persistent
def forget(*_: Any) -> None:
    """Let go of everything, also of what is on the graphics card: another file comes, or we go."""
    _kept.clear()
    _meshes.clear()


def kept() -> int:
    """How much is kept."""
    return len(_kept) + len(_meshes)


@dataclass(frozen=True)
class Here:
    """What one view shows of a review at this redraw.

    ``colours`` are those of its members, ``None`` where only the chosen finding is coloured. Blocks
    have colours also then: they hide one another so well that the rest must fade. ``frame`` is the
    one that is shown, ``None`` where nothing moves.
    """

    found: reviews.Review
    look: Look
    state: viewing.PlumblineViewing
    stand: Standing
    visible: Mask
    colours: Colours | None
    frame: int | None = None

    @property
    def subjects(self) -> Subjects:
        """Everything that can be coloured, where it is in the frame that is shown."""
        return self.found.subjects_at(self.frame)

    @property
    def veiled(self) -> bool:
        """Whether everything without a colour is faded here."""
        return self.state.isolate or (self.colours is not None and self.state.ghost)


def here(context: bpy.types.Context) -> Here | None:
    """What is to be drawn in the view of ``context``; ``None`` for nothing."""
    if not context.window_manager.plumbline.show_highlight:
        return None
    if not context.space_data.overlay.show_overlays:
        return None
    found = reviews.of(context.scene)
    if found is None or blind.hidden(context):
        return None
    state = viewing.state_of(context)
    chosen_look = look(context)
    stand = standing.of(found, context.scene)
    colours = None
    chosen_blocks = found.kind == "voxel" and found.chosen is not None
    if len(found.subjects.names) and (
        state.mode != "finding" or _isolated(found, state) or chosen_blocks
    ):
        colours = _colours(found, state, chosen_look)
    frame = context.scene.frame_current if found.in_motion else None
    return Here(found, chosen_look, state, stand, stand.visible(context), colours, frame)


def _isolated(found: reviews.Review, state: viewing.PlumblineViewing) -> bool:
    return state.isolate and found.chosen is not None


def _colours(found: reviews.Review, state: viewing.PlumblineViewing, how: Look) -> Colours:
    isolated = _isolated(found, state)
    active = found.active if isolated or state.mode == "finding" else -1
    check = state.check if state.mode == "margin" else ""
    key = ("colours", found.serial, state.mode, check, how.palette, active, isolated)

    def make() -> Colours:
        every = colours_of(
            found.subjects, found.judgement, state.mode, how.palette, found.chosen, check
        )
        if not isolated:
            return every
        names = set(involved(found.chosen))
        keeps = np.array([name in names for name in found.subjects.names], bool)
        return every.only(keeps, found.chosen.location)

    made: Colours = keep(key, make)
    return made


def layers(now: Here, ground: RGB) -> tuple[list[BoxBatches], list[BoxBatches]]:
    """The coloured members of a view on the graphics card: the pale ones, and those to be seen."""
    colours = now.colours
    if colours is None:
        return [], []
    pale_ground = ground if now.veiled else None
    quiet_there = bool((now.visible & (colours.weight == QUIET)).any())
    through = now.state.xray and (quiet_there or not now.veiled)
    made = []
    for weight in (QUIET, LOUD):
        rows = now.visible & (colours.weight == weight)
        # Members that stand where they stood keep their place on the graphics card while others
        # are being moved about.
        for part, change in (
            (rows & ~now.stand.moved, -1),
            (rows & now.stand.moved, now.stand.changes),
        ):
            pale = pale_ground if weight == QUIET else None
            made.append(_boxes(now, part, change, pale, through and weight == LOUD))
    quiet, quiet_moved, loud, loud_moved = made
    return (
        [each for each in (quiet, quiet_moved) if each is not None],
        [each for each in (loud, loud_moved) if each is not None],
    )


def _boxes(
    now: Here, rows: Mask, change: int, ground: RGB | None, through: bool
) -> BoxBatches | None:
    if not rows.any():
        return None
    colours = now.colours
    key = (
        "boxes", now.found.serial, id(colours), rows.tobytes(), change, ground, through, now.frame,
    )  # fmt: skip

    def make() -> tuple[Colours, BoxBatches]:
        rgb = colours.rgb[rows]
        if ground is not None:
            rgb = faded(rgb, ground, PALE)
        if now.frame is not None:
            solids = _surfaces(now, rows, change >= 0)
            # The colours are kept with it, so that their id is not given to others meanwhile.
            return colours, overlay_batches.of_surfaces(solids, rgb, now.found.unit, through)
        corners = _corners(now)[rows]
        if change >= 0:
            motion = now.stand.motion[rows]
            corners = np.einsum("kij,knj->kni", motion[:, :3, :3], corners) + motion[:, None, :3, 3]
            # One that was mirrored is turned inside out again.
            mirrored = np.linalg.det(motion[:, :3, :3]) < 0
            corners[mirrored] = corners[mirrored][:, (4, 5, 6, 7, 0, 1, 2, 3)]
        return colours, overlay_batches.of_boxes(corners, rgb, now.found.unit, through)

    batches: BoxBatches = keep(key, make, _meshes)[1]
    return batches


def _surfaces(now: Here, rows: Mask, moved: bool) -> list[Solid]:
    """The surfaces of bodies where they are in the frame that is shown; those that an edit put
    elsewhere are there."""
    made = surfaces_at(now.found.structure, now.frame or 0, np.flatnonzero(rows).tolist())
    if not moved:
        return made
    motion = now.stand.motion[rows]
    return [
        Solid(solid.points @ m[:3, :3].T + m[:3, 3], solid.triangles, solid.edges)
        for solid, m in zip(made, motion, strict=True)
    ]


def _corners(now: Here) -> Any:
    key = ("corners", now.found.serial, now.frame)
    return keep(key, lambda: grown(now.subjects.corners))


def picture(now: Here, context: bpy.types.Context) -> Picture | None:
    """The picture of the chosen finding as this view shows it."""
    finding = now.found.chosen
    if finding is None:
        return None
    seen = now.visible if context.space_data.local_view is not None else now.stand.here
    row = now.stand.index.get(finding.subject)
    if finding.subject_kind == "member" and row is not None and not seen[row]:
        return None
    key = (
        "picture", now.found.serial, now.found.active, now.stand.changes, now.look.units,
        seen.tobytes() if not seen.all() else b"", now.frame,
    )  # fmt: skip

    def make() -> Picture | None:
        shown = now.subjects if seen.all() else _restricted(now.subjects, seen)
        moves = now.stand.moves_of(involved(finding))
        return picture_of(now.found, moves, shown, now.look.units, now.frame)

    made: Picture | None = keep(key, make)
    return made


def _restricted(subjects: Subjects, seen: Mask) -> Subjects:
    rows = np.flatnonzero(seen)
    return Subjects(
        tuple(subjects.names[row] for row in rows),
        subjects.corners[rows],
        tuple(subjects.roles[row] for row in rows),
    )


def picture_of(
    found: reviews.Review,
    moves: dict[str, np.ndarray],
    subjects: Subjects | None = None,
    units: str = "metric",
    frame: int | None = None,
) -> Picture | None:
    """The picture of the chosen finding; ``None`` if none is chosen or its kind has no pictures.

    ``subjects`` are those that are still there, by default all; ``frame`` is the one that is shown.
    """
    pictures = pictures_of(found.kind)
    if found.chosen is None or pictures is None:
        return None
    return pictures.picture(
        Shown(
            found.structure,
            found.judgement,
            found.brief,
            found.explained,
            found.chosen,
            found.subjects if subjects is None else subjects,
            moves,
            length_words(units),
            units,
            frame,
        )
    )


def path(now: Here, context: bpy.types.Context) -> Picture | None:
    """The load path of the active member, if that is asked for and still true."""
    if not now.state.load_path or now.found.stale:
        return None
    name = active_member(now.stand, context)
    pictures = pictures_of(now.found.kind)
    if name is None or pictures is None:
        return None
    found, units = now.found, now.look.units
    made: Picture | None = keep(
        ("path", found.serial, name, units),
        lambda: pictures.path(found.explained, found.subjects, name, length_words(units)),
    )
    return made


def strip_of(now: Here) -> Strip | None:
    """The energy over all frames, if the chosen finding is about it or the person wants it."""
    if not now.found.in_motion or not isinstance(now.found.explained, Explained):
        return None
    finding = now.found.chosen
    about = finding is not None and finding.check == "energy"
    return now.found.explained.strip if about or now.state.energy else None


def pointed(now: Here, context: bpy.types.Context) -> Picture | None:
    """The block that the person has pointed at."""
    found = pointing.of(context.scene) if now.found.kind == "voxel" else None
    if found is None:
        return None
    key = ("pointed", found.cell, found.caption)
    made: Picture = keep(key, lambda: pointed_picture(found.cell, found.caption))
    return made


def compared(now: Here, context: bpy.types.Context) -> ghosts.Compared | None:
    """What is known against the target, if that is asked for and may be seen; else it is begun."""
    if not now.state.target or ghosts.withheld(context) or ghosts.task_of(now.found) is None:
        return None
    known = ghosts.of(now.found)
    if known is None:
        ghosts.soon()
    return known


def target(now: Here, context: bpy.types.Context) -> Picture | None:
    """The ghosts of what differs from the target."""
    known = compared(now, context)
    if known is None or not known.findings:
        return None
    # Of members that were moved since, or are not in sight, only their places are drawn.
    seen = now.visible & ~now.stand.moved
    key = ("target", now.found.serial, seen.tobytes() if not seen.all() else b"")

    def make() -> Picture:
        subjects = now.found.subjects
        return ghost_picture(
            known.findings, subjects if seen.all() else _restricted(subjects, seen)
        )

    made: Picture = keep(key, make)
    return made


def target_legend(now: Here, context: bpy.types.Context) -> Legend | None:
    """What the ghosts mean; a sentence while they are made, and where nothing differs."""
    if not now.state.target or ghosts.withheld(context) or ghosts.task_of(now.found) is None:
        return None
    known = ghosts.of(now.found)
    if known is None:
        note = "is being compared"
    else:
        note = "" if known.findings else "can't be told" if known.why else "nothing differs"
    made: Legend = keep(
        ("target legend", now.found.serial, note, now.look.palette),
        lambda: ghost_legend(known.findings if known else (), now.look.palette, note),
    )
    return made


def active_member(stand: Standing, context: bpy.types.Context) -> str | None:
    """The member that the active object shows."""
    active = context.view_layer.objects.active
    return stand.member_of(active.session_uid) if active is not None else None


def batches_of(made: Picture, unit: float) -> PictureBatches:
    """A kept picture on the graphics card."""
    batches: PictureBatches = keep(
        ("batches", id(made), unit), lambda: (made, overlay_batches.of_picture(made, unit))
    )[1]
    return batches


def outline_points(made: Picture, tone: str) -> Any:
    """Points (n, 3) m all along the outlines of what is in a tone: what writing must not hide."""

    def make() -> tuple[Picture, Any]:
        lines = [
            part.solid.points[part.solid.edges]
            for part in made.faces
            if part.tone == tone and len(part.solid.edges)
        ]
        lines += [line.points.reshape(-1, 2, 3) for line in made.lines if line.tone == tone]
        if not lines:
            return made, np.zeros((0, 3))
        pairs = np.concatenate(lines)[:_MOST_LINES]
        shares = np.linspace(0.0, 1.0, 9)[None, :, None]
        along = pairs[:, :1] + shares * (pairs[:, 1:] - pairs[:, :1])
        return made, along.reshape(-1, 3)

    return keep(("outline", id(made), tone), make)[1]
