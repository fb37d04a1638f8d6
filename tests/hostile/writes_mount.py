# SPDX-License-Identifier: GPL-3.0-or-later
# title: It mounts the disk or rebinds folders
# route: mount, unshare
# policy: refused import
# contained: writes
# ends: finished raised
import ctypes
import os

c = ctypes.CDLL(None, use_errno=True)
for flags in (0x10000000 | 0x20000, 0x20000):
    print("unshare", c.unshare(flags), os.strerror(ctypes.get_errno()))
for source, target, kind in (
    (b"tmpfs", b"/usr", b"tmpfs"),
    (b"/", b"/tmp", None),
    (b"proc", b"/proc", b"proc"),
):
    print("mount", c.mount(source, target, kind, 4096, None), os.strerror(ctypes.get_errno()))
for name in os.listdir("/dev"):
    if name.startswith(("sd", "vd", "nvme", "loop", "mem", "kmsg", "dm")):
        print(open(f"/dev/{name}", "rb").read(512))
print("remount", c.mount(None, b"/", None, 32, None), os.strerror(ctypes.get_errno()))
try:
    open("/usr/plumbline-hostile-mark", "w")
except OSError as error:
    print(error)
