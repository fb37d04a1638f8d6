# SPDX-License-Identifier: GPL-3.0-or-later
# title: A socket without a file
# route: AF_UNIX with a null byte
# policy: refused import
# contained: network
# ends: finished raised timeout
import socket

for name in ("@ABSTRACT@", "/tmp/.X11-unix/X0"):
    try:
        speaker = socket.socket(socket.AF_UNIX)
        speaker.connect(chr(0) + name)
        speaker.sendall(b"stolen")
    except OSError as error:
        print(name, error)
