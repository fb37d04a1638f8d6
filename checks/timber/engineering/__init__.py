# SPDX-License-Identifier: GPL-3.0-or-later
"""The default profile: sound houses pass, each fault is named once, at its root.

How a box stands for a cut member, what carries what, and the fourteen checks that read it.
"""
