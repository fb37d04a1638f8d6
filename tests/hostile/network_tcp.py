# SPDX-License-Identifier: GPL-3.0-or-later
# title: A connection to a server on this machine
# route: socket.create_connection
# policy: refused import
# contained: network
# ends: finished raised timeout
import socket

for host in ("127.0.0.1", "localhost", "::1", socket.gethostname()):
    try:
        socket.create_connection((host, int("@PORT@")), timeout=1).sendall(b"stolen")
    except OSError as error:
        print(host, error)
