# SPDX-License-Identifier: GPL-3.0-or-later
# title: Fifty gigabytes of numbers
# route: numpy.ones
# policy: passes
# contained: memory
# ends: memory raised crashed timeout
import numpy as np

held = [np.ones(10**9) for _ in range(7)]
print(sum(part.sum() for part in held))
