# SPDX-License-Identifier: GPL-3.0-or-later
# title: NumPy reads any file as numbers
# route: numpy.fromfile
# policy: refused import
# contained: canary writes
# ends: finished raised
from numpy import fromfile

print(bytes(fromfile("@SECRET@", dtype="uint8")))
