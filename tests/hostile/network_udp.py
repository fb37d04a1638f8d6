# SPDX-License-Identifier: GPL-3.0-or-later
# title: A datagram, as names are looked up by
# route: socket.SOCK_DGRAM, getaddrinfo
# policy: refused import
# contained: network
# ends: finished raised timeout
import socket

sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.sendto(b"stolen", ("127.0.0.1", int("@UDP@")))
print(socket.getaddrinfo("plumbline.example", 80))
