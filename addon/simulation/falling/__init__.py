# SPDX-License-Identifier: GPL-3.0-or-later
"""Letting a structure that stands still fall, and asking what if: members, joints, gravity, a push.

A timber frame, a construction of blocks (or, once it has joints, an assembly) becomes rigid bodies
that are joined where the checks found contact; then gravity acts on them. Everything runs in a
scene of its own that goes again; the person's scene is only read. What others call, all of it in
:mod:`.answers` (which needs Blender):

* ``let_it_fall(structure, brief=None, *, seconds=5.0, strengths=None) -> Steps[Fallen]``
* ``what_if(structure, asked, brief=None, *, seconds=5.0, strengths=None) -> Steps[Comparison]``:
  ``asked`` is a sequence of :class:`.asked.WhatIf`; ``Comparison`` has ``baseline`` and ``altered``
  (each a ``Fallen``), ``asked``, ``only_altered`` (members that moved only then), ``says``.
* ``Fallen`` has ``damage`` (:class:`.damage.Damage`: figures, ``says``, ``findings`` with frames),
  ``notes``, ``to_plain()`` and ``motion``; ``trajectory(fallen, scene)`` gives the
  :class:`..probes.Trajectory` that the playback plays.

``structure`` is what ``addon.scene.blocks.structure_of_scene(scene)`` reads, ``brief`` that of the
check. All raise :class:`..steps.SimulationError` with a sentence; ``finish(steps)`` runs them
without a window. :mod:`.asked`, :mod:`.model`, :mod:`.timber`, :mod:`.blocks`, :mod:`.strengths`
and :mod:`.damage` are plain data and need no Blender.
"""
