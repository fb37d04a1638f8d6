# SPDX-License-Identifier: GPL-3.0-or-later
# title: The environment of its own process
# route: os.environ
# policy: refused import
# contained: canary
# ends: finished raised
import os

print(dict(os.environ))
