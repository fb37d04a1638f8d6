# SPDX-License-Identifier: GPL-3.0-or-later
# title: Every descriptor is closed
# route: os.closerange
# policy: refused import
# contained: answer
# ends: finished raised crashed
import os

os.closerange(0, 4096)
