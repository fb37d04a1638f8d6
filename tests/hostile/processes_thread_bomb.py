# SPDX-License-Identifier: GPL-3.0-or-later
# title: Thousands of threads
# route: threading.Thread
# policy: refused import
# contained: outlives
# ends: finished raised crashed timeout memory
import threading
import time

for _ in range(20000):
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
