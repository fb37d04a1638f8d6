# SPDX-License-Identifier: GPL-3.0-or-later
# title: A signal to itself
# route: os.kill(os.getpid(), SIGSEGV)
# policy: refused import
# contained: crash
# ends: crashed
import os
import signal

os.kill(os.getpid(), signal.SIGSEGV)
