# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of .blend files: old and new layout, compressed or not, cut off, or none at all."""

import gzip
import struct

import pytest
from plumbline.addon.scene.blendfile import BlendFileError, inspect


def old_file(version=b"405", order="<", pointer=8, blocks=3):
    """A file as written until 4.5: header of 12 bytes, block headers with 32-bit lengths."""
    head = (
        b"BLENDER" + (b"-" if pointer == 8 else b"_") + (b"v" if order == "<" else b"V") + version
    )
    layout = struct.Struct(order + ("4siQii" if pointer == 8 else "4siIii"))
    body = b"".join(layout.pack(b"DATA", 40, 1, 0, 1) + bytes(40) for _ in range(blocks))
    return head + body + layout.pack(b"ENDB", 0, 0, 0, 0)


def new_file(version=b"0500", blocks=3):
    """A file as written since 5.0: header of 17 bytes, block headers with 64-bit lengths."""
    layout = struct.Struct("<4siQqq")
    body = b"".join(layout.pack(b"DATA", 0, 1, 40, 1) + bytes(40) for _ in range(blocks))
    return b"BLENDER17-01v" + version + body + layout.pack(b"ENDB", 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("content", "version"),
    [
        (old_file(), (4, 5)),
        (old_file(b"279", ">", 4), (2, 79)),
        (old_file(b"302", ">"), (3, 2)),
        (new_file(), (5, 0)),
        (new_file(b"0512"), (5, 12)),
    ],
)
def test_whole_files(tmp_path, content, version):
    path = tmp_path / "a.blend"
    path.write_bytes(content)
    seen = inspect(path)
    assert (seen.version, seen.compressed) == (version, False)


@pytest.mark.parametrize("content", [old_file(), new_file(), old_file(b"279", ">", 4)])
def test_a_file_cut_anywhere_is_found_out(tmp_path, content):
    path = tmp_path / "a.blend"
    for length in range(17, len(content) - 20, 7):
        path.write_bytes(content[:length])
        with pytest.raises(BlendFileError, match="cut off"):
            inspect(path)


def test_negative_lengths_do_not_run_in_circles(tmp_path):
    path = tmp_path / "a.blend"
    path.write_bytes(old_file(blocks=0)[:12] + struct.pack("<4siQii", b"DATA", -24, 1, 0, 1) * 3)
    with pytest.raises(BlendFileError, match="damaged at byte 12"):
        inspect(path)


def test_compressed(tmp_path):
    path = tmp_path / "a.blend"
    path.write_bytes(gzip.compress(old_file()))
    assert inspect(path).compressed
    path.write_bytes(b"\x28\xb5\x2f\xfd\x60\x19\x05\r\x07\x00$\x0bBLENDER17-01v0500REND")
    assert inspect(path).version == (5, 0)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "is empty"), (b"solid ascii", "no .blend"), (b"BLENDER", "no .blend")],
)
def test_no_blend_file(tmp_path, content, words):
    path = tmp_path / "a.blend"
    path.write_bytes(content)
    with pytest.raises(BlendFileError, match=words):
        inspect(path)


def test_not_there_or_a_folder(tmp_path):
    with pytest.raises(BlendFileError, match="doesn't exist"):
        inspect(tmp_path / "none.blend")
    with pytest.raises(BlendFileError, match="is a folder"):
        inspect(tmp_path)


def test_without_rights(open_folder, somebody_else):
    path = open_folder / "a.blend"
    path.write_bytes(new_file())
    path.chmod(0)
    with somebody_else(), pytest.raises(BlendFileError, match="may not be read"):
        inspect(path)
