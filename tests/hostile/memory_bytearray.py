# SPDX-License-Identifier: GPL-3.0-or-later
# title: Fifty gigabytes at once
# route: bytearray
# policy: passes
# contained: memory
# ends: memory raised crashed timeout
held = bytearray(50 * 10**9)
held[::4096] = bytes(len(held[::4096]))
