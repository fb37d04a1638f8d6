# SPDX-License-Identifier: GPL-3.0-or-later
# title: An exception that can't be shown
# route: __str__ raises
# policy: passes
# contained: flood
# ends: raised finished crashed
class Broken(Exception):
    def __str__(self):
        raise SystemExit(self)

    __repr__ = __str__


raise Broken
