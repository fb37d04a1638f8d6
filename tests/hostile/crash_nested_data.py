# SPDX-License-Identifier: GPL-3.0-or-later
# title: Data nested deeper than the stack
# route: json.dumps, repr
# policy: passes
# contained: crash
# ends: crashed finished raised timeout memory
import json

value = []
for _ in range(1_000_000):
    value = [value]
try:
    print(len(repr(value)))
except RecursionError:
    print("too deep")
print(len(json.dumps(value)))
