# SPDX-License-Identifier: GPL-3.0-or-later
# title: It waits for itself
# route: threading.Lock
# policy: refused import
# contained: deadline
# ends: timeout
import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
