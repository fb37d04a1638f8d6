# SPDX-License-Identifier: GPL-3.0-or-later
"""The metric S on pictures small enough to reckon by hand."""

import math

import numpy as np
import pytest
from plumbline.addon.scene.cameras import VIEWS
from plumbline.addon.scene.pixels import png_bytes
from plumbline.addon.scene.similarity import Similarity, metrics, similarity, view_similarity

GREY = 0.6  # differs from white by 0.4: a squared error of 0.16


def picture(columns, grey=GREY, alpha=1.0, size=10):
    """Columns of one grey on nothing."""
    pixels = np.zeros((size, size, 4), np.float32)
    pixels[:, columns] = (grey, grey, grey, alpha)
    return pixels


def as_bytes(pixels):
    return np.rint(pixels * 255).astype(np.uint8)


def compared(one, other):
    return view_similarity(as_bytes(one), as_bytes(other))


def test_the_same_is_one():
    assert compared(picture([2, 3]), picture([2, 3])) == 1.0


def test_a_part_that_only_one_shows():
    """21 columns in the union, one of them white in the other: 1 - 10 * 0.16 / 21."""
    one = picture(range(21), size=30)
    assert compared(one, picture(range(20), size=30)) == pytest.approx(1 - 1.6 / 21, abs=1e-6)


def test_another_colour():
    """Everything differs by 0.2: 1 - 10 * 0.04."""
    assert compared(picture([1], 0.6), picture([1], 0.4)) == pytest.approx(1 - 0.4, abs=1e-6)
    assert compared(picture([1], 0.8), picture([1], 0.6)) == pytest.approx(1 - 0.4, abs=1e-6)


def test_it_is_composited_on_white():
    """Black with alpha 0.2 is a grey of 0.8; it differs from 0.6 by 0.2, and m is 1 there."""
    faint = compared(picture([4], 0.0, 0.2), picture([4], 0.6))
    assert faint == pytest.approx(1 - 10 * 0.2**2, abs=1e-6)


def test_soft_edges_weigh_by_their_alpha():
    """A solid column that agrees and one of alpha 0.4 that only one shows, 0.16 from white."""
    one, other = picture([4]), picture([4])
    one[:, 5] = (GREY, GREY, GREY, 0.4)
    assert compared(one, other) == pytest.approx(1 - 10 * 0.4 * 0.16**2 / 1.4, abs=1e-6)


def test_colours_count_by_their_mean():
    """One channel of three differs, by 0.3."""
    one, other = picture([4]), picture([4])
    other[:, 4, 0] = GREY - 0.3
    # 0.3 is 77 steps of 255 once both are rounded (153 and 76).
    assert compared(one, other) == pytest.approx(1 - 10 * (77 / 255) ** 2 / 3, abs=1e-6)


def test_nothing_alike_is_nought_not_less():
    assert compared(picture([1], 0.0), picture([8], 0.0)) == 0.0


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_further_off_is_less_alike_and_both_ways_the_same(shift):
    one = picture(range(10, 30), size=60)
    near = picture(range(10 + shift, 30 + shift), size=60)
    far = picture(range(11 + shift, 31 + shift), size=60)
    assert compared(one, near) > compared(one, far)
    assert compared(one, near) == compared(near, one)


def test_what_lies_under_alpha_nought_is_not_seen():
    one, other = picture([4]), picture([4])
    other[:, 7, :3] = 0.9  # fully transparent
    assert compared(one, other) == 1.0


def test_what_cannot_be_compared_is_said():
    with pytest.raises(ValueError, match="differ in size"):
        compared(picture([1]), picture([1], size=12))
    with pytest.raises(ValueError, match="neither picture"):
        compared(picture([]), picture([]))
    whole = {name: png_bytes(picture([2, 3])) for name in VIEWS}
    with pytest.raises(ValueError, match="candidate has no view 'left'"):
        similarity(whole, {n: data for n, data in whole.items() if n != "left"})
    with pytest.raises(ValueError, match=r"view 'back'.*no PNG"):
        similarity(whole, {**whole, "back": b"GIF89a"})


def test_s_is_the_mean_over_five_views():
    target = {name: png_bytes(picture([2, 3])) for name in VIEWS}
    candidate = {**target, "front": png_bytes(picture([6], 0.0))}
    found = similarity(target, candidate)
    assert found.views == {**dict.fromkeys(VIEWS, 1.0), "front": 0.0}
    assert found.value == pytest.approx(0.8)


def test_an_opaque_picture_is_stored_without_alpha_and_still_read():
    full = np.full((6, 7, 4), 1.0, np.float32)
    full[..., :3] = 0.5
    pictures = {name: png_bytes(full) for name in VIEWS}
    assert similarity(pictures, pictures).value == 1.0


def metric(value, rendered=True, passed=True):
    found = None if value is None else Similarity(dict.fromkeys(VIEWS, value))
    return metrics(found, rendered, passed)


def test_joint_passes_need_both():
    assert metric(0.45)["joint"] == {"0.3": True, "0.4": True, "0.6": False}
    assert metric(0.60)["joint"]["0.6"] is True
    assert metric(0.95, passed=False)["joint"] == {"0.3": False, "0.4": False, "0.6": False}
    assert metric(0.95)["S"] == pytest.approx(0.95)


def test_what_is_unknown_stays_unknown():
    assert metric(None)["joint"] == {"0.3": None, "0.4": None, "0.6": None}
    assert metric(0.9, passed=None)["joint"]["0.6"] is None
    assert metric(None, passed=False)["joint"]["0.6"] is False
    assert metric(None)["S"] is None


def test_what_shows_nothing_has_no_s_and_no_joint_pass():
    nothing = metric(None, rendered=False)
    assert nothing["rendered"] is False
    assert nothing["S"] is None
    assert set(nothing["joint"].values()) == {False}


def test_similarity_of_noise_is_what_the_formula_says():
    """Against the formula written out plainly, pixel by pixel."""
    rng = np.random.default_rng(7)
    one, other = (rng.integers(0, 256, (8, 9, 4), dtype=np.uint8) for _ in range(2))
    one[..., :3] = 255 - one[..., :3] // 3  # near white, or the result would be cut off at nought
    other[..., :3] = 255 - other[..., :3] // 3
    top = bottom = 0.0
    for a, b in zip(one.reshape(-1, 4) / 255, other.reshape(-1, 4) / 255, strict=True):
        m = max(a[3], b[3])
        whites = [[c * p[3] + 1 - p[3] for c in p[:3]] for p in (a, b)]
        top += m * math.fsum((x - y) ** 2 for x, y in zip(*whites, strict=True)) / 3
        bottom += m
    assert 0.05 < 1 - 10 * top / bottom < 0.95
    assert view_similarity(one, other) == pytest.approx(1 - 10 * top / bottom, abs=1e-5)
