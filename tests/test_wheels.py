# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels for the extension: the whole closure and no more, never NumPy, only licences that may be.

pip is the real one; instead of an index it gets a folder of tiny wheels.
"""

import importlib.util
import io
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from plumbline.addon.runs import wheels
from plumbline.addon.runs.extension import build_zip, load_wheels
from plumbline.addon.runs.extension import main as extension_main
from plumbline.addon.runs.wheels import WheelsProblem, add_wheels, check_licence, download, holds

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[1]
needs_pip = pytest.mark.skipif(
    importlib.util.find_spec("pip") is None, reason="this Python has no pip to download with"
)
PINS = "anthropic==1.0\nopenai==1.0\nscipy==1.0\nfirst==1.0\nsecond==1.0\n# a note\n"


def wheel(folder: Path, name: str, tags: str = "py3-none-any", *lines: str) -> Path:
    """A wheel with nothing in it but metadata."""
    lines = lines or ("License-Expression: MIT",)
    path = folder / f"{name}-1.0-{tags}.whl"
    information = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        text = "\n".join(["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *lines])
        archive.writestr(f"{information}/METADATA", f"{text}\n")
        kind = f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tags}\n"
        archive.writestr(f"{information}/WHEEL", kind)
        archive.writestr(f"{information}/RECORD", "")
    return path


def metadata(*lines: str):
    return wheels.Parser().parsestr("\n".join(lines))


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder that pip takes all wheels from, and ``constraints.txt`` beside it."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setattr(wheels, "OWN_PINS", {})
    (tmp_path / "constraints.txt").write_text(PINS)
    mit = "License-Expression: MIT"
    wheel(
        folder, "anthropic", "py3-none-any", mit, "Requires-Dist: first<2",
        'Requires-Dist: elsewhere; extra == "bedrock"',
    )  # fmt: skip
    wheel(
        folder, "openai", "py3-none-any", mit,
        'Requires-Dist: second ; sys_platform == "win32" and python_version >= "3.9"',
    )  # fmt: skip
    scipy = ("License-Expression: BSD-3-Clause", "Requires-Dist: numpy>=1.26")
    wheel(folder, "scipy", "cp313-cp313-manylinux_2_17_x86_64", *scipy)
    wheel(folder, "scipy", "cp313-cp313-win_amd64", *scipy)
    wheel(folder, "numpy", "cp313-cp313-manylinux_2_17_x86_64", "License-Expression: BSD-3-Clause")
    wheel(folder, "first")
    wheel(folder, "second")
    return folder


def names(found) -> list[str]:
    return [path.name.split("-")[0] for path in found]


# --- What is needed -------------------------------------------------------------------------------


@needs_pip
@pytest.mark.parametrize(
    ("platform", "needed"), [("linux-x64", ["first"]), ("windows-x64", ["first", "second"])]
)
def test_everything_that_is_needed_there_and_never_numpy(index, tmp_path, platform, needed):
    into = tmp_path / "into"
    into.mkdir()
    found = download(into, tmp_path / "constraints.txt", platform, "3.13")
    assert sorted(names(found)) == sorted(["anthropic", "openai", "scipy", *needed])


@needs_pip
def test_what_has_no_pin_is_said(index, tmp_path):
    (tmp_path / "constraints.txt").write_text(PINS.replace("first==1.0\n", ""))
    with pytest.raises(WheelsProblem, match="first is needed and has no version"):
        download(tmp_path, tmp_path / "constraints.txt", "linux-x64", "3.13")


@needs_pip
def test_a_platform_without_wheels_is_said(index, tmp_path):
    with pytest.raises(WheelsProblem, match=r"no wheel of scipy==1\.0 for macos-arm64"):
        download(tmp_path, tmp_path / "constraints.txt", "macos-arm64", "3.13")


@needs_pip
def test_without_a_network_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setattr(load_wheels(), "_RETRIES", "1")
    asked = ["--wheels", "linux-x64", "--python", "3.13", "--out", str(tmp_path)]
    assert extension_main(asked) == 1
    said = capsys.readouterr().err.strip()
    assert said == (
        "plumbline: the package index can't be reached; check the network and start again"
    )
    assert not list(tmp_path.iterdir())


def test_all_of_blenders_platforms_are_known():
    """Those that Blender's own command line takes in a manifest."""
    known = {"linux-x64", "windows-x64", "windows-arm64", "macos-arm64", "macos-x64"}
    assert set(wheels.PLATFORMS) == known


def test_pins_are_those_of_that_python():
    for python, scipy in (("3.11", "1.15.3"), ("3.13", "1.18.1")):
        pins = wheels.pins_for(ROOT / "constraints.txt", python)
        assert pins["scipy"] == scipy and re.fullmatch(r"\d+\.\d+\.\d+", pins["anthropic"])


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ('python_version < "3.9"', False),  # as numbers: as text 3.13 would be less
        ('python_version >= "3.11" and sys_platform != "win32"', True),
        ('(sys_platform == "darwin" or os_name == "posix") and extra == ""', True),
        ('"lin" in sys_platform', True),
        ('platform_machine not in "aarch64 arm64"', True),
    ],
)
def test_conditions_of_dependencies(marker, expected):
    values = {
        "python_version": "3.13",
        "sys_platform": "linux",
        "os_name": "posix",
        "platform_machine": "x86_64",
        "extra": "",
    }
    assert holds(marker, values) is expected


@pytest.mark.parametrize("marker", ["python_version <", "unknown == '1'", "__import__('os')"])
def test_what_is_no_condition_is_refused(marker):
    with pytest.raises(WheelsProblem, match="can't be read"):
        holds(marker, {"python_version": "3.13"})


# --- Whether it may be shipped --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["License-Expression: MIT"], ["MIT"]),
        (["License-Expression: Apache-2.0 OR BSD-2-Clause"], ["Apache-2.0", "BSD-2-Clause"]),
        (["License-Expression: (MIT AND PSF-2.0)"], ["MIT", "PSF-2.0"]),
        (["License: MIT License"], ["MIT"]),
        (
            ["License: a long text", "Classifier: License :: OSI Approved :: BSD License"],
            ["BSD-3-Clause"],
        ),
        (["Classifier: License :: Other/Proprietary License"], ["Other/Proprietary License"]),
        (["Classifier: Programming Language :: Python"], []),
    ],
)
def test_licences_in_the_words_of_metadata(lines, expected):
    assert wheels.licences_of(metadata(*lines)) == expected


def test_unknown_licences_are_refused_by_name(tmp_path):
    check_licence(wheel(tmp_path, "good"))
    other = wheel(tmp_path, "other", "py3-none-any", "License-Expression: SSPL-1.0")
    with pytest.raises(WheelsProblem, match=r"other-1\.0.*SSPL-1\.0.*isn't on the list"):
        check_licence(other)
    with pytest.raises(WheelsProblem, match="doesn't say under which licence"):
        check_licence(wheel(tmp_path, "silent", "py3-none-any", "Summary: nothing"))


# --- The zip --------------------------------------------------------------------------------------


@needs_pip
def test_wheels_and_platform_stand_in_the_zips_manifest(index, tmp_path):
    before = (ROOT / "blender_manifest.toml").read_bytes()
    plain = build_zip(tmp_path / "plain")
    constraints = tmp_path / "constraints.txt"
    path = add_wheels(plain, tmp_path, constraints, "linux-x64", "3.13")
    assert path.name == plain.stem + "-linux-x64-py313.zip"
    archive = zipfile.ZipFile(path)
    inside = [name for name in archive.namelist() if name.startswith("wheels/")]
    manifest = tomllib.loads(archive.read("blender_manifest.toml").decode("utf-8"))
    assert manifest["platforms"] == ["linux-x64"]
    assert [name.removeprefix("./") for name in manifest["wheels"]] == inside
    assert len(inside) == 4 and not any("numpy" in name for name in inside)
    own = tomllib.loads(before.decode("utf-8"))
    assert {k: v for k, v in manifest.items() if k not in ("platforms", "wheels")} == own
    assert (ROOT / "blender_manifest.toml").read_bytes() == before
    for name in zipfile.ZipFile(plain).namelist():
        if name != "blender_manifest.toml":
            assert archive.read(name) == zipfile.ZipFile(plain).read(name)
    again = add_wheels(plain, tmp_path / "plain", constraints, "linux-x64", "3.13")
    assert again.read_bytes() == path.read_bytes()
    for name in inside:  # whole wheels, which Blender unpacks itself
        assert zipfile.ZipFile(io.BytesIO(archive.read(name))).testzip() is None


def test_it_starts_by_its_path_and_says_how_it_is_called():
    command = [sys.executable, str(ROOT / "addon/runs/extension.py"), "--wheels", "linux-x64"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "--wheels and --python go together" in done.stderr
