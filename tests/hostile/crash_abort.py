# SPDX-License-Identifier: GPL-3.0-or-later
# title: The process aborts itself
# route: os.abort
# policy: refused import
# contained: crash
# ends: crashed
import os

os.abort()
