# SPDX-License-Identifier: GPL-3.0-or-later
# title: The process ends without a word
# route: os._exit(9)
# policy: refused import
# contained: crash
# ends: crashed
import os

os._exit(9)
