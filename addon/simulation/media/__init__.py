# SPDX-License-Identifier: GPL-3.0-or-later
"""All that is not a rigid pose: cloth, soft bodies, particles, liquids, read frame by frame."""
