# SPDX-License-Identifier: GPL-3.0-or-later
# title: A pickle runs code
# route: pickle.loads
# policy: refused import
# contained: canary writes
# ends: finished raised
import pickle

pickle.loads(b"cos\nsystem\n(S'cat @SECRET@; echo written > @OUTSIDE@/stolen.txt'\ntR.")
