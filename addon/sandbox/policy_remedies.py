# SPDX-License-Identifier: GPL-3.0-or-later
"""What to write instead of what the policy refuses, for what models write most."""

from __future__ import annotations

from collections.abc import Mapping

FILES = "there are no files here, the scene itself is what is kept"
LASTING = "nothing may run on after the program, do now what has to be done"
INSIDE = "that is the inside of Python, work with the values themselves"

#: What to do instead of an import, for those that are written most.
IMPORT_REMEDIES: Mapping[str, str] = {
    **dict.fromkeys(("os", "pathlib", "shutil", "tempfile", "glob", "pickle"), FILES),
    "sys": "neither arguments nor paths are needed: let the program run to its end",
    **dict.fromkeys(
        ("socket", "requests", "urllib", "http", "webbrowser", "ftplib", "aiohttp"),
        "there is no network here: write what you need into the program",
    ),
    **dict.fromkeys(
        ("subprocess", "threading", "multiprocessing", "asyncio", "concurrent", "signal"),
        "a program runs by itself, in one thread: do the work in order",
    ),
    **dict.fromkeys(
        ("importlib", "runpy", "code", "builtins", "inspect", "gc", "ctypes", "dis"), INSIDE
    ),
    **dict.fromkeys(
        ("addon_utils", "bpy_types", "_bpy", "gpu", "blf", "bgl", "gpu_extras", "nodeitems_utils"),
        "only the scene counts: use bpy.data, bpy.context and bpy.ops",
    ),
    "scipy": "it isn't in every Blender: use numpy or mathutils",
    "logging": "use print",
    "argparse": "there are no arguments: write the values into the program",
}

#: What to do instead of an operator, by its name or its subtree.
OPERATOR_REMEDIES: Mapping[str, str] = {
    "wm.read_factory_settings": "leave it out: the scene holds nothing that you weren't told of; "
    "to remove objects write `for o in list(bpy.data.objects): "
    "bpy.data.objects.remove(o, do_unlink=True)`",
    "wm.read_homefile": "leave it out: the scene holds nothing that you weren't told of; to remove "
    "objects write `for o in list(bpy.data.objects): bpy.data.objects.remove(o, do_unlink=True)`",
    "wm.save_as_mainfile": "leave it out: the scene is saved for you",
    "wm.save_mainfile": "leave it out: the scene is saved for you",
    "wm.quit_blender": "leave it out: the program ends at its last line",
    "wm.redraw_timer": "leave it out: nothing is shown while the program runs; "
    "bpy.context.view_layer.update() brings matrices up to date",
    "render": "leave it out: pictures are made for you",
    "ptcache": "leave it out: simulations are run for you",
    "fluid": "leave it out: fluids end the process of several Blenders",
    "object.quick_smoke": "leave it out: fluids end the process of several Blenders",
    "object.quick_liquid": "leave it out: fluids end the process of several Blenders",
    "ed": "leave it out: there is nothing to undo",
    "screen": "leave it out: there is no screen here; use scene.frame_set for time",
    "script": "write the code itself into the program",
    "text": "write the code itself into the program",
    "preferences": "settings belong to the person, leave them alone",
    "extensions": "settings belong to the person, leave them alone",
    "scene": "work in bpy.context.scene",
    **dict.fromkeys(("image", "sound", "clip", "file", "font", "uv"), FILES),
}

#: What to do instead of a part of bpy.data.
DATA_REMEDIES: Mapping[str, str] = {
    "texts": "write the code itself into the program",
    **dict.fromkeys(
        ("libraries", "sounds", "movieclips", "cache_files", "volumes", "masks", "temp_data"),
        FILES,
    ),
    **dict.fromkeys(
        ("window_managers", "workspaces", "screens", "brushes"),
        "the window belongs to the person, leave it alone",
    ),
}

#: What to do instead of a part of bpy that is neither data nor an operator.
BLENDER_REMEDIES: Mapping[str, str] = {
    "bpy.app.handlers": LASTING,
    "bpy.app.timers": LASTING,
    "bpy.app.driver_namespace": LASTING,
    "bpy.app.translations": LASTING,
    "bpy.msgbus": LASTING,
    "bpy.utils.register_class": "leave classes of Blender's out and call what their execute would "
    "do: " + LASTING,
    "bpy.utils.unregister_class": "leave classes of Blender's out: " + LASTING,
    "bpy.context.preferences": "settings belong to the person, leave them alone",
    "bpy.path.abspath": FILES,
}
