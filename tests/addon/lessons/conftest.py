# SPDX-License-Identifier: GPL-3.0-or-later
from small_frame import registered

__all__ = ["registered"]
