# SPDX-License-Identifier: GPL-3.0-or-later
# title: A million small files
# route: os.mkdir, open
# policy: refused import
# contained: memory
# ends: memory raised crashed timeout finished
import os

try:
    for number in range(1_000_000):
        os.mkdir(f"f{number}")
except OSError as error:
    print(error)
