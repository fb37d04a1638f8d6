# SPDX-License-Identifier: GPL-3.0-or-later
# title: A loop that swallows every exception
# route: except BaseException
# policy: passes
# contained: deadline
# ends: timeout
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
