# SPDX-License-Identifier: GPL-3.0-or-later
# title: It reads from address 0
# route: ctypes.string_at(0)
# policy: refused import
# contained: crash
# ends: crashed
import ctypes

ctypes.string_at(0)
