# SPDX-License-Identifier: GPL-3.0-or-later
# title: An exception knows every frame it went through
# route: __traceback__.tb_frame
# policy: refused underscore
# contained: canary writes
# ends: finished raised
try:
    1 / 0
except ZeroDivisionError as error:
    frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
    os = frame.f_builtins["__import__"]("os")
    print(
        os.environ,
        os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
        os.read(os.open("@SECRET@", 0), 99),
    )
