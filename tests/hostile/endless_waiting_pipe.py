# SPDX-License-Identifier: GPL-3.0-or-later
# title: It reads what nobody writes
# route: os.read
# policy: refused import
# contained: deadline
# ends: timeout
import os

ours, theirs = os.pipe()
os.read(ours, 1)
