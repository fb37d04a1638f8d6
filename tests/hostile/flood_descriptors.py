# SPDX-License-Identifier: GPL-3.0-or-later
# title: Straight to the descriptors
# route: os.write(1), os.write(2)
# policy: refused import
# contained: flood
# ends: timeout memory crashed raised
import os

part = b"x" * (1 << 20)
while True:
    os.write(1, part)
    os.write(2, part + b"\n")
