# SPDX-License-Identifier: GPL-3.0-or-later
# title: A child that says yes
# route: subprocess yes
# policy: refused import
# contained: flood
# ends: timeout raised
import subprocess

subprocess.run(["yes", "Stud_01"], check=False)
