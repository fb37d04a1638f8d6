# SPDX-License-Identifier: GPL-3.0-or-later
# title: The process becomes another program
# route: os.execv
# policy: refused import
# contained: answer
# ends: crashed timeout raised
import os

os.execv("/bin/sh", ["sh", "-c", "echo '{\"result\": {}}'; sleep 987"])
