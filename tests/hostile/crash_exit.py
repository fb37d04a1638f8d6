# SPDX-License-Identifier: GPL-3.0-or-later
# title: The program asks Python to end
# route: sys.exit
# policy: passes
# contained: crash
# ends: finished raised
import sys

sys.exit("done")
