# SPDX-License-Identifier: GPL-3.0-or-later
# title: A public name of json leads to the built-in functions
# route: json.codecs.builtins
# policy: refused import
# contained: canary writes
# ends: finished raised
import json

print(json.codecs.builtins.open("@SECRET@").read())
json.codecs.builtins.open("@OUTSIDE@/stolen.txt", "w").write("written")
