# SPDX-License-Identifier: GPL-3.0-or-later
# title: A function is called at every line from now on
# route: sys.settrace, sys.addaudithook
# policy: refused import
# contained: outlives
# ends: finished raised timeout
import sys
import threading


def trace(frame, event, arg):
    frame.f_globals["forged"] = True
    return trace


sys.settrace(trace)
sys.setprofile(trace)
threading.settrace(trace)
sys.addaudithook(lambda event, args: None)
sys.excepthook = lambda *_: None
sys.unraisablehook = lambda *_: None
