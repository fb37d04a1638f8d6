# SPDX-License-Identifier: GPL-3.0-or-later
from small_frame import add_box, registered

__all__ = ["add_box", "registered"]
