# SPDX-License-Identifier: GPL-3.0-or-later
# title: A list that grows for ever
# route: list.append
# policy: passes
# contained: memory
# ends: memory raised crashed timeout
held = []
while True:
    held.append("x" * 10_000_000 + str(len(held)))
