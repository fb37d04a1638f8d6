# SPDX-License-Identifier: GPL-3.0-or-later
"""How near a structure comes to the one that was asked for: census, match, occupancy, topology.

Metrics stand beside the verdict and never change it. Source: the timber specification, section 6;
the published method, section 3.3 and equation 2.
"""
