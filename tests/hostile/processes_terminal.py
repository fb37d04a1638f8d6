# SPDX-License-Identifier: GPL-3.0-or-later
# title: It types into the person's terminal
# route: ioctl TIOCSTI
# policy: refused import
# contained: writes
# ends: finished raised crashed timeout memory
import fcntl
import os
import termios

for name in ("/dev/tty", "/dev/pts/0", "/dev/console"):
    try:
        terminal = os.open(name, os.O_RDWR | os.O_NOCTTY)
        for letter in b"touch @OUTSIDE@/stolen.txt\n":
            fcntl.ioctl(terminal, termios.TIOCSTI, bytes([letter]))
        print("TYPED", name)
    except OSError as error:
        print(name, error)
