# SPDX-License-Identifier: GPL-3.0-or-later
# title: Raw packets and the machine's interfaces
# route: AF_PACKET, AF_NETLINK, AF_VSOCK
# policy: refused import
# contained: network
# ends: finished raised timeout
import socket

print(socket.if_nameindex())
for family, kind in (
    (17, socket.SOCK_RAW),
    (socket.AF_INET, socket.SOCK_RAW),
    (40, socket.SOCK_STREAM),
):
    try:
        speaker = socket.socket(family, kind, 1 if family == socket.AF_INET else 0)
        print("OPENED", family)
        if family == 40:
            speaker.settimeout(0.5)
            speaker.connect((2, 22))
            print("CONNECTED")
    except (OSError, ValueError) as error:
        print(family, error)
