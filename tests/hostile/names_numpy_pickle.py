# SPDX-License-Identifier: GPL-3.0-or-later
# title: An array file may hold a pickle that runs code
# route: numpy.load(allow_pickle=True)
# policy: refused import
# contained: canary writes
# ends: finished raised
import io

import numpy as np

payload = b"cos\nsystem\n(S'cat @SECRET@; echo written > @OUTSIDE@/stolen.txt'\ntR."
head = (
    b"\x93NUMPY\x01\x00v\x00"
    + b"{'descr': '|O', 'fortran_order': False, 'shape': (), }".ljust(117)
    + b"\n"
)
print(np.load(io.BytesIO(head + payload), allow_pickle=True))
