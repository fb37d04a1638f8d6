# SPDX-License-Identifier: GPL-3.0-or-later
"""NBT is read by the letter; what is cut off, hostile or none at all is one clear sentence."""

from __future__ import annotations

import contextlib
import gzip
import random
import struct
import zlib

import numpy as np
import pytest
from nbt_writer import Tag, byte_array, long_array, nbt, packed, short
from plumbline.addon.voxel_files import nbt as reader
from plumbline.addon.voxel_files.nbt import NbtError, read_nbt

ALL = {
    "byte": Tag(1, -3),
    "short": short(-300),
    "int": 70000,
    "long": Tag(4, -(2**40)),
    "float": Tag(5, 0.5),
    "double": 0.1,
    "text": "a\0\u00e9\U0001f3e0",
    "bytes": byte_array([0, 127, 128, 255]),
    "ints": Tag(11, [1, -1]),
    "longs": long_array([2]),
    "list": [{"x": 1}, {"y": "z"}],
    "numbers": [1, 2, 3],
    "none": [],
    "texts": ["a", "b"],
    "inner": {"deeper": {"deepest": 1}},
}


def test_every_kind_of_value() -> None:
    name, found = read_nbt(nbt(ALL, "root"))
    assert name == "root"
    for key in ("float", "double", "int", "text", "list", "none", "texts", "inner"):
        value = ALL[key]
        assert found[key] == (value.value if isinstance(value, Tag) else value)
    assert (found["byte"], found["short"], found["long"]) == (-3, -300, -(2**40))
    assert found["bytes"].dtype == np.int8
    assert found["bytes"].tolist() == [0, 127, -128, -1]
    assert (found["ints"].dtype, found["longs"].dtype) == (np.int32, np.int64)
    assert found["ints"].tolist() == [1, -1]
    assert found["numbers"].tolist() == [1, 2, 3]


def test_packed_or_not() -> None:
    plain = nbt({"a": 1})
    for data in (plain, gzip.compress(plain), zlib.compress(plain)):
        assert read_nbt(data) == ("", {"a": 1})


def test_wherever_it_is_cut_off_is_said() -> None:
    plain = nbt(ALL)
    for end in range(len(plain)):
        with pytest.raises(NbtError):
            read_nbt(plain[:end])
    whole = packed(ALL)
    for end in range(0, len(whole), 7):
        with pytest.raises(NbtError):
            read_nbt(whole[:end])


def test_damaged_bytes_are_refused_or_read_but_raise_nothing_else() -> None:
    chance = random.Random(5)
    plain = nbt(ALL)
    for _ in range(600):
        data = bytearray(plain)
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with contextlib.suppress(NbtError):
            read_nbt(bytes(data))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "ends within"),
        (b"hello", "neither NBT nor packed"),
        (gzip.compress(b"\x01\x00\x00\x05"), "doesn't begin with a compound"),
        (nbt({"a": Tag(11, [])})[:-1] + b"\x63", "data ends"),
        (b"\x0a\0\0" + b"\x63\0\0", "no tag of kind 99"),
        (b"\x0a\0\0" + b"\x07\0\0" + struct.pack(">i", -1), "a length is negative"),
        (b"\x0a\0\0" + b"\x07\0\0" + struct.pack(">i", 2**31 - 1), "but the data ends"),
        (b"\x0a\0\0" + b"\x09\0\0\0" + struct.pack(">i", 2**31 - 1), "names no kind"),
        (b"\x0a\0\0" + b"\x09\0\0\x0a" + struct.pack(">i", 2**31 - 1), "but the data ends"),
        (b"\x0a\0\0" + b"\x08\0\0\0\x01\xff", "isn't UTF-8"),
        (b"\x0a\0\0" + b"\x0a\0\0" * 100, "nested deeper than 64"),
        (b"\x0a\0\0" + b"\x09\0\0" + b"\x09\0\0\0\x01" * 100, "nested deeper than 64"),
    ],
)
def test_what_is_no_nbt(data: bytes, told: str) -> None:
    with pytest.raises(NbtError) as caught:
        read_nbt(data)
    assert told in str(caught.value)


def test_what_unpacks_to_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_BYTES", 1 << 16)
    with pytest.raises(NbtError, match="unpacks to more than"):
        read_nbt(gzip.compress(b"\x0a" + bytes(1 << 17)))
    with pytest.raises(NbtError, match="has more than"):
        read_nbt(b"\x0a" + bytes(1 << 17))


def test_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_VALUES", 100)
    with pytest.raises(NbtError, match="more than 100 values"):
        read_nbt(nbt({"a": ["x"] * 101}))
