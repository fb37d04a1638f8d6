# SPDX-License-Identifier: GPL-3.0-or-later
# title: An exception with a message of a hundred megabytes
# route: raise
# policy: passes
# contained: flood
# ends: raised memory
raise ValueError("x" * 100_000_000)
