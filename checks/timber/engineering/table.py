# SPDX-License-Identifier: GPL-3.0-or-later
"""Every constant of the ``engineering`` profile, with unit and source.

Sources: "1.4" and "1.5" are sections of the timber specification; "IRC" is the International
Residential Code; "LoD" the BIM Forum's Level of Development specification; "ours" marks a choice
of this profile that neither code nor specification settles, with the reason.
"""

from __future__ import annotations

from math import cos, radians, sin

from ..brief import PSF

# Slack and reach ---------------------------------------------------------------------------------

#: Added to every geometric limit, m: a bearing of exactly 38 mm reads short in float32 (1.5).
SLACK = 0.001
#: Members this close touch, m (1.5).
CONTACT = 0.005
#: Members this close are fastened, m: covers sheathing between them (1.5).
FASTENED = 0.020
#: Overlap deeper than this is a clash, m (1.5; LoD 350 (ii): fabrication tolerance).
CLASH_DEPTH = 0.003
#: ... if what is left of it after cutting to fit is larger than this, m3 (1.5).
CLASH_VOLUME = 1e-6
#: An end cut to fit may be modelled this far short of the first edge that meets the face, m (1.5).
END_SHORT = 0.020
#: ... or this far beyond the last one, m (1.5).
END_LONG = 0.003
#: A face is met at its end only if the member meets it steeper than 10 degrees (ours: below that
#: the cut is longer than five times the depth, and no carpenter makes it).
END_STEEPEST_GRAZE = sin(radians(10.0))
#: A patch narrower than this carries nothing, m (ours: rounding of float32 at 100 m is 0.01 mm).
PATCH_MIN = 0.001

# Posture -----------------------------------------------------------------------------------------

#: Within 10 degrees of the vertical a member is upright (ours: plumb tolerance plus raked studs).
UPRIGHT = cos(radians(10.0))
#: Within 1 degree of the horizontal it is level (ours: below 1/4 in 12, the flattest roof, R905).
LEVEL = sin(radians(1.0))
#: Two axes are parallel within 5 degrees (ours).
PARALLEL = cos(radians(5.0))
#: A face whose normal is within 60 degrees of the vertical can be stood on (ours).
TOP_FACE = 0.5
#: A box no longer than this may be a block whose axis follows from its role, m
#: (largest lumber depth 286 mm plus tolerance, R602.1 / PS 20).
BLOCK_LENGTH = 0.300

# Load path ---------------------------------------------------------------------------------------

#: Foundation members whose lowest point is within this height rest on the ground, m (as
#: fastened, 1.5).
GROUND = 0.020
#: How far along itself a plate or rim board passes a load on to the next support below, m
#: (ours: one stud or joist bay at the widest spacing, R602.3, 24 in: these are no beams).
PASS_ALONG = 0.610
#: Opposing rafters hold each other if they meet the ridge within this distance, m (1.4).
COUPLE_OFFSET = 0.100
#: Lowest pitch at which couples hold a ridge, rise over run (R802.3).
COUPLE_PITCH = 3.0 / 12.0
#: A tie serves couples this far away along the ridge, m (R802.5.2: ties at most 4 ft apart).
TIE_REACH = 1.220
#: A tie lies in the lower third of the rise (R802.5.2).
TIE_HEIGHT = 1.0 / 3.0
#: ... or up to this far below the feet, m (ours: the floor of an A-frame, a joist and a plate).
TIE_BELOW = 0.600
#: ... runs along the couple within 18 degrees (ours: hips are served by the ties beside them).
TIE_PARALLEL = cos(radians(18.0))
#: ... and its ends come this close to the feet, m in plan (ours: a lapped or seated foot).
TIE_END = 0.300
#: Missing supports this close to each other are one missing member, m (ours: the widest spacing
#: that R602.3 and R502.3 know, 24 in, plus its tolerance).
SAME_PLACE = 0.650

# Bearing, notches --------------------------------------------------------------------------------

#: Bearing of joists, beams, headers and rafter seats on wood, m (R502.6, R802.6: 1 1/2 in).
BEARING = 0.038
#: Notch of a rafter at its seat, share of the depth (R802.7.1).
SEAT_NOTCH = 0.25
#: What must be left above a deeper notch if the tail is short, m (R802.7.1.1: 3 1/2 in).
SEAT_REMAINING = 0.089
#: ... and how short that tail must be, m (R802.7.1.1: 24 in).
SEAT_TAIL = 0.610
#: A brace may be let in by this share of the stud's depth (R602.6).
HOUSING = 0.25

# Spans -------------------------------------------------------------------------------------------

#: Loads of ceilings below attics without storage, Pa (IRC table R802.5.1(1): 10 and 5 psf).
CEILING_LIVE = 10 * PSF
CEILING_DEAD = 5 * PSF
#: A bay this many times as wide as the median of its row has a member missing (ours).
GAPING = 1.5
#: Spacing of a joist or rafter without neighbours, m (1.2: 16 in).
ALONE = 0.406
#: What is held to be above a beam or header may lie this far beside it in plan, m (ours: half of a
#: wall of 2x8, so that both plies of a header carry what stands on the wall).
BESIDE_BEAM = 0.100
#: Headers side by side this far apart, centre to centre, are plies of one, m (ours: two 2x on
#: the two faces of a 2x8 wall).
HEADER_PLIES = 0.150
#: Share of the full floor and roof live loads where both act (ASCE 7, 2.4.1).
COMBINED = 0.75

# Spacing, coverage, openings ---------------------------------------------------------------------

#: Widest on-centre spacing where the task names none, m (R502.3, R602.3, R802.4: 24 in).
SPACING = 0.610
#: Tolerance on it, m (1.4).
SPACING_TOLERANCE = 0.020
#: Members whose centre lines are this close are plies of one, m (ours: two 38 mm plies and a gap
#: of 1/2 in).
PLY_SPACING = 0.060
#: A bay counts from this length on, m (ours: the end of a rafter cut beside another is shorter).
BAY_STRETCH = 0.100
#: Members up to this width are measured on centre, wider ones from 44.5 mm inside their face, m
#: (ours: 3 1/2 in, a stud laid flat; what is nailed to a wide post is nailed near its edge).
WIDEST_CENTRED = 0.089
#: Members of one row have directions whose components differ by less, 1 (ours: 1 degree).
ROW_TURN = 0.02
#: ... heights of their centres that differ by less, m (ours: 2x8 beside 2x12 on one sill).
ROW_HEIGHT = 0.060
#: ... or, in a roof plane, offsets square to it that differ by less, m (ours: 2x6 beside 2x8).
PLANE_OFFSET = 0.060
#: Level members continue each other if their axes are this close in plan, m (ours: a ply).
SAME_LINE = 0.060
#: A header closes an opening if each of its ends is this close to the members that it hangs
#: between, m (ours: doubled trimmers, 2 x 38 mm).
TRIM_OFF = 0.080
#: Edges of floors farther apart than this are those of two wings, m (ours: more than three bays).
COURT = 2.000
#: Strips between rafters at most this far apart count as covered, m (1.4).
COVER_SPACING = 0.610
#: The last rafter of a gable may stand this far inside the ends of plate and ridge, m (ours: the
#: width of a 2x6 wall).
GABLE_INSET = 0.150
#: Share of each roof plane that must be covered (1.4).
COVER_SHARE = 0.98
#: Stud bays with more clear width than this need a header, m (1.4: 24 in bay plus tolerance).
OPENING = 0.640
#: A header closes a gap if its underside is this close to the top of it, m (ours: one ply).
HEADER_OFF = 0.050
#: ... and it covers this share of the gap's width (ours: a header that misses one trimmer still
#: shows that an opening was meant).
HEADER_COVERS = 0.6
#: ... and lies this close to the middle of the wall, m (ours: half of a 2x12 wall).
WALL_HALF = 0.150
#: Uprights are continuous if their centre lines are within this distance in plan, m (1.4).
POINT_LOAD_OFFSET = 0.025
#: Longest cantilever of joists, plates, ridges and rafter tails, m (R502.3.3, 24 in).
OVERHANG = 0.610
#: Supported places closer to each other are one bearing, m (ours: a lap over a wall plate).
SAME_BEARING = 0.050
#: Joists: the back span must be this many times the overhang (R502.3.3).
BACKSPAN = 4.0

# Sections ----------------------------------------------------------------------------------------

#: Cross dimensions match a lumber size within this, m (LoD 350 (i)).
SECTION_TOLERANCE = 0.003
#: Finished thickness of one ply, m (PS 20: 1 1/2 in).
PLY = 0.038
#: Finished widths of boards and dimension lumber, m (PS 20, softwood lumber, dry).
LUMBER = (0.038, 0.064, 0.089, 0.140, 0.184, 0.235, 0.286)

# Heaps -------------------------------------------------------------------------------------------

#: A structure with more near pairs than both of these is a heap that is not judged (ours: sound
#: houses have about eight pairs a member; so many take seconds).
MOST_PAIRS = 200_000
MOST_PAIRS_A_MEMBER = 40

# Findings ----------------------------------------------------------------------------------------

#: A finding of another check at the same member follows from a root this close, m (ours: a bay
#: and a storey's half: beyond it is another place).
SAME_FAULT = 1.0
#: Something is missing where a wrong member lies if it is this close to its centre line, m (ours:
#: the deepest common lumber, PS 20, 235 mm, and its slack).
AT_MEMBER = 0.250
