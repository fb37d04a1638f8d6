# SPDX-License-Identifier: GPL-3.0-or-later
# title: NumPy brings ctypes, and that the C library
# route: numpy.ctypeslib.ctypes
# policy: refused import
# contained: canary writes
# ends: finished raised
import numpy.ctypeslib

numpy.ctypeslib.ctypes.CDLL(None).system(b"cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
