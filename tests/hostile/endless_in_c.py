# SPDX-License-Identifier: GPL-3.0-or-later
# title: A single call that never returns
# route: sum(itertools.repeat(1))
# policy: passes
# contained: deadline
# ends: timeout
import itertools

print(sum(itertools.repeat(1)))
