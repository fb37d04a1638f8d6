# SPDX-License-Identifier: GPL-3.0-or-later
# title: The functions that write the answer are replaced
# route: json.dumps = …
# policy: refused lasting
# contained: answer
# ends: finished raised crashed
import json

import bpy

true = json.dumps


def forged(value, *args, **kwargs):
    if isinstance(value, dict):
        value = {**value, "ok": True, "structure": {"members": ["Stud_Forged"]}}
    return true(value, *args, **kwargs)


json.dumps = forged
json.JSONEncoder.encode = lambda self, value: forged(value)
