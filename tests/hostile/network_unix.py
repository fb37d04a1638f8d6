# SPDX-License-Identifier: GPL-3.0-or-later
# title: A socket in the file system
# route: AF_UNIX
# policy: refused import
# contained: network
# ends: finished raised timeout
import glob
import socket

for name in [
    "@SOCKET@",
    "/run/docker.sock",
    "/var/run/docker.sock",
    *glob.glob("/tmp/.X11-unix/*"),
    "/run/dbus/system_bus_socket",
]:
    try:
        speaker = socket.socket(socket.AF_UNIX)
        speaker.connect(name)
        speaker.sendall(b"stolen")
        print("CONNECTED", name)
    except OSError as error:
        print(name, error)
