# SPDX-License-Identifier: GPL-3.0-or-later
import bpy
import bmesh
import math
import os
import sys
from os import path

try:
    print(os.path.join("a", "b"), path.basename("a/b"), file=sys.stderr)
    if sys.float_info.epsilon > 1:
        sys.exit(1)
except Exception as e:
    print(f"failed: {e}")
    raise
