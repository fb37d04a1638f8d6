# SPDX-License-Identifier: GPL-3.0-or-later
# title: A program in the background goes on
# route: subprocess.Popen(start_new_session=True)
# policy: refused import
# contained: outlives
# ends: finished raised
import subprocess

for words in (["sleep", "987654"], ["sh", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done"]):
    subprocess.Popen(words, start_new_session=True)
