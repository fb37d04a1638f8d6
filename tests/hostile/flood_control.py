# SPDX-License-Identifier: GPL-3.0-or-later
# title: Letters that rule a terminal, and halves of letters
# route: print
# policy: passes
# contained: flood
# ends: finished raised
print("\x1b]0;evil\x07\x1b[2J\x1b[?1049h\x00\x9b31m \ud800 \u202e \r\n" * 10)
