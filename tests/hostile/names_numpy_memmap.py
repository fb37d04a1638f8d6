# SPDX-License-Identifier: GPL-3.0-or-later
# title: NumPy maps files into memory, to read and to write
# route: numpy.memmap
# policy: refused import
# contained: canary writes
# ends: finished raised
import numpy as np

print(bytes(np.memmap("@SECRET@", mode="r")))
np.memmap("@OUTSIDE@/kept.txt", mode="r+")[:] = 0
