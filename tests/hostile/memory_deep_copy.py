# SPDX-License-Identifier: GPL-3.0-or-later
# title: A text that doubles thirty-six times
# route: str * 2
# policy: passes
# contained: memory
# ends: memory raised crashed timeout
text = "beam"
for _ in range(36):
    text += text
print(len(text))
