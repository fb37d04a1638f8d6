# SPDX-License-Identifier: GPL-3.0-or-later
# title: An exception with ten thousand causes
# route: raise from
# policy: passes
# contained: flood
# ends: raised
error = None
for number in range(10_000):
    try:
        raise ValueError(number) from error
    except ValueError as caught:
        error = caught
raise error
