# SPDX-License-Identifier: GPL-3.0-or-later
"""A hash over all that decides how a scene simulates: to prove that looking changed nothing."""

from __future__ import annotations

import hashlib

import bpy

from ..scene.state import scene_hash
from .fresh import caches_of


def state_hash(scene: bpy.types.Scene) -> str:
    """Hash, 32 hex digits, of a scene with its physics, animation and present frame.

    All that :func:`..scene.state.scene_hash` walks, which holds the rigid-body world, its
    constraints, modifiers with their caches' settings, fields, keyframes and drivers, and beside
    it what Blender calls derived but a person made: which caches are baked.
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(scene_hash(scene).encode())
    digest.update(repr((scene.frame_current, scene.frame_subframe)).encode())
    for label, cache in caches_of(scene):
        told = (label, cache.is_baked, cache.frame_start, cache.frame_end)
        digest.update(repr(told).encode())
    return digest.hexdigest()
