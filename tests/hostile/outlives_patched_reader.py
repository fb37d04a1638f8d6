# SPDX-License-Identifier: GPL-3.0-or-later
# title: The functions that read the scene are replaced
# route: sys.modules
# policy: refused import
# contained: answer
# ends: finished raised crashed timeout
import sys

for name, module in list(sys.modules.items()):
    if "plumbline" not in name and "scene" not in name:
        continue
    for function in ("structure_from_scene", "structure_to_plain", "_structure", "save_blend"):
        if hasattr(module, function):
            setattr(module, function, lambda *a, **k: {"members": ["Stud_Forged"], "notes": []})
import builtins

builtins.isinstance = lambda *_: True
builtins.len = lambda *_: 0
