# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of an extension Blender holds. Its text is also sent to Blenders with a window."""

import gc
import sys
import types

import bpy
import bpy.utils.previews

_BASES = ("Operator", "Panel", "Menu", "UIList", "PropertyGroup", "AddonPreferences", "Header")
_WITH_FIELDS = ("WindowManager", "Scene", "Object", "Collection", "Text")


def trace(package):
    """Numbers of everything that registering leaves in Blender, by name.

    ``package`` is the extension's name among Python's modules.
    """
    modules = [
        module
        for name, module in list(sys.modules.items())
        if module is not None and (name == package or name.startswith(package + "."))
    ]
    overlay = sys.modules.get(f"{package}.panels.overlay")
    blocks = sys.modules.get(f"{package}.panels.overlay_blocks")
    return {
        "overlay": overlay.attached() if overlay is not None else 0,
        "overlay of blocks": blocks.attached() if blocks is not None else 0,
        "operators": len(dir(bpy.ops.plumbline)),
        "timers": _timers(modules),
        "keys": _keys(),
        "menu entries": len(bpy.types.VIEW3D_MT_view._dyn_ui_initialize()),
        "import entries": len(bpy.types.TOPBAR_MT_file_import._dyn_ui_initialize()),
        "previews": sum(
            isinstance(thing, bpy.utils.previews.ImagePreviewCollection) and len(thing) > 0
            for thing in gc.get_objects()
        ),
        **{f"handlers {name}": len(found) for name, found in _handler_lists()},
        **{
            f"fields {name}": len(getattr(bpy.types, name).bl_rna.properties)
            for name in _WITH_FIELDS
        },
        **{f"classes {name}": _registered(getattr(bpy.types, name)) for name in _BASES},
    }


def _handler_lists():
    lists = bpy.app.handlers
    return [(name, found) for name in dir(lists) if isinstance(found := getattr(lists, name), list)]


def _timers(modules):
    functions = {
        thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, types.FunctionType)
    }
    return sum(bpy.app.timers.is_registered(function) for function in functions)


def _keys():
    config = bpy.context.window_manager.keyconfigs.addon
    if config is None:
        return 0
    items = [item.idname for keymap in config.keymaps for item in keymap.keymap_items]
    return sum(name.startswith("plumbline.") for name in items)


def _registered(base):
    return sum(getattr(cls, "is_registered", True) for cls in base.__subclasses__())
