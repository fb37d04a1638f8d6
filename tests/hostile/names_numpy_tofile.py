# SPDX-License-Identifier: GPL-3.0-or-later
# title: An array writes itself to any path
# route: ndarray.tofile
# policy: refused file
# contained: canary writes
# ends: finished raised
import numpy as np

np.arange(9).tofile("@OUTSIDE@/stolen.txt")
