# SPDX-License-Identifier: GPL-3.0-or-later
"""Registering leaves everything in place, unregistering nothing behind."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def trace() -> dict[str, int]:
    """How much of anybody's is registered with Blender right now."""
    from plumbline.panels import overlay

    handlers = bpy.app.handlers
    lists = [n for n in dir(handlers) if isinstance(getattr(handlers, n), list)]
    return {
        "overlay": overlay.attached(),
        "window manager": len(bpy.types.WindowManager.bl_rna.properties),
        "operators": len(dir(bpy.ops.plumbline)),
        **{n: len(getattr(handlers, n)) for n in lists},
        **{
            base.__name__: len(base.__subclasses__())
            - sum(not getattr(c, "is_registered", True) for c in base.__subclasses__())
            for base in (
                bpy.types.Operator,
                bpy.types.Panel,
                bpy.types.Menu,
                bpy.types.UIList,
                bpy.types.PropertyGroup,
                bpy.types.AddonPreferences,
            )
        },
    }


def test_twenty_times_in_and_out_leave_what_was_there(empty_scene):
    from plumbline.addon import registration

    before = trace()
    inside = None
    for _ in range(20):
        registration.register()
        inside = inside or trace()
        assert trace() == inside
        registration.unregister()
        assert trace() == before
    assert inside != before
    assert inside["load_post"] == before["load_post"] + 1


def test_handlers_survive_the_loading_of_a_file(empty_scene):
    from plumbline.addon import registration

    registration.register()
    try:
        inside = trace()
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        assert trace() == inside
    finally:
        registration.unregister()


def test_what_fails_half_way_is_taken_back_and_said(empty_scene, monkeypatch):
    from plumbline.addon import properties, registration

    before = trace()

    def fail():
        raise RuntimeError("no room for properties")

    monkeypatch.setattr(properties, "attach", fail)
    with pytest.raises(RuntimeError, match="no room for properties"):
        registration.register()
    assert trace() == before


def test_every_class_explains_itself_to_people(empty_scene):
    from plumbline.addon import registration

    registration.register()
    try:
        for cls in registration.classes():
            if issubclass(cls, bpy.types.Operator):
                name = cls.bl_idname.partition(".")[2]
                description = getattr(bpy.ops.plumbline, name).get_rna_type().description
                assert description and not description.endswith("."), cls
            elif issubclass(cls, (bpy.types.Panel, bpy.types.Menu)):
                assert cls.bl_description and not cls.bl_description.endswith("."), cls
            for name, prop in cls.bl_rna.properties.items():
                ours = name in getattr(cls, "__annotations__", {})
                if ours and prop.type != "COLLECTION":
                    assert prop.description, (cls, name)
    finally:
        registration.unregister()
