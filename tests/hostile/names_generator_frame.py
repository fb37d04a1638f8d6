# SPDX-License-Identifier: GPL-3.0-or-later
# title: A generator knows the frame that called it
# route: gi_frame.f_builtins
# policy: refused inside
# contained: canary writes
# ends: finished raised
def steps():
    yield 1


os = steps().gi_frame.f_builtins["__import__"]("os")
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
