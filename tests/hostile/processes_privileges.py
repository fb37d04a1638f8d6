# SPDX-License-Identifier: GPL-3.0-or-later
# title: It becomes root again
# route: setuid, capset, setns
# policy: refused import
# contained: writes
# ends: finished raised crashed timeout memory
import ctypes
import os

c = ctypes.CDLL(None, use_errno=True)
print(
    os.getresuid(), [line for line in open("/proc/self/status") if "Cap" in line or "NoNew" in line]
)
for call in (c.setuid, c.setgid, c.seteuid):
    print(call(0), os.strerror(ctypes.get_errno()))
for name in ("mnt", "net", "pid", "user"):
    for process in (1, os.getppid()):
        try:
            space = os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY)
            print(name, c.setns(space, 0), os.strerror(ctypes.get_errno()))
        except OSError as error:
            print(name, error)
try:
    open("@OUTSIDE@/stolen.txt", "w")
except OSError as error:
    print(error)
