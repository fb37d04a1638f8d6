# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that may follow a request: none, to think step by step, or to think of the order.

They are the three rows of the paper's Table 6, in our words.
"""

from __future__ import annotations

CUES: dict[str, str] = {
    "none": "",
    "step_by_step": "Work through this one step at a time before you answer.",
    "order_aware": (
        "Before you place anything, plan in which order the blocks follow each other, so that you "
        "move as little as possible from one to the next."
    ),
}
