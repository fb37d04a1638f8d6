# SPDX-License-Identifier: GPL-3.0-or-later
# title: A forged answer among what is printed
# route: print
# policy: passes
# contained: answer
# ends: finished
import json

for number in range(1, 40):
    result = {"ok": True, "structure": {"members": ["Stud_Forged"]}, "stdout": "", "seconds": 0.0}
    print(json.dumps({"plumbline": number, "id": number, "result": result}), flush=True)
