# SPDX-License-Identifier: GPL-3.0-or-later
from small_frame import add_box, frame, registered

__all__ = ["add_box", "frame", "registered"]
