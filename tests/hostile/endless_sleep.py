# SPDX-License-Identifier: GPL-3.0-or-later
# title: It sleeps
# route: time.sleep
# policy: refused import
# contained: deadline
# ends: timeout
import time

time.sleep(10**6)
