# SPDX-License-Identifier: GPL-3.0-or-later
# title: A program that speaks HTTP
# route: subprocess
# policy: refused import
# contained: network
# ends: finished raised timeout
import subprocess

for words in (
    ["curl", "-m", "1", "http://127.0.0.1:@PORT@/"],
    ["wget", "-T", "1", "-O", "-", "http://127.0.0.1:@PORT@/"],
    ["bash", "-c", "echo stolen > /dev/tcp/127.0.0.1/@PORT@"],
):
    try:
        print(subprocess.run(words, capture_output=True, timeout=3))
    except (OSError, subprocess.SubprocessError) as error:
        print(words[0], error)
