# SPDX-License-Identifier: GPL-3.0-or-later
"""Wheels of the providers' SDKs and of SciPy for one platform and Python, put into the extension.

Called by ``python3 addon/runs/extension.py --wheels linux-x64 --python 3.13``. Versions are those
of ``constraints.txt``. NumPy is never among them: Blender brings its own. Standard library and pip
only, Python >= 3.8, no import from the package.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Sequence

#: What a window needs to talk to models and to judge all that needs SciPy.
WANTED = ("anthropic", "openai", "scipy")
#: Blender's own; a second one beside it breaks both.
NEVER = frozenset({"numpy"})
#: Pins that the extension needs other than a checkout: (name, Python) -> version. Blender 4.2 to
#: 4.4 carry NumPy 1.24, which is too old for a later SciPy.
OWN_PINS = {("scipy", "3.11"): "1.15.3"}

_GLIBC = ("2_28", "2_27", "2_26", "2_24", "2_17", "2_12", "2_5")


class Platform(NamedTuple):
    """Tags of its wheels, best first, and what environment markers say there."""

    tags: Sequence[str]
    markers: Mapping[str, str]


def _posix(system: str, machine: str) -> Dict[str, str]:
    names = {"linux": "Linux", "darwin": "Darwin"}
    return {
        "sys_platform": system,
        "platform_system": names[system],
        "platform_machine": machine,
        "os_name": "posix",
    }


def _windows(machine: str) -> Dict[str, str]:
    return {
        "sys_platform": "win32",
        "platform_system": "Windows",
        "platform_machine": machine,
        "os_name": "nt",
    }


#: Every platform that Blender is made for, by the name that its manifests use. Official builds ask
#: for glibc 2.28 and macOS 12 or less (documentation of Blender, system requirements).
PLATFORMS = {
    "linux-x64": Platform(
        [*("manylinux_%s_x86_64" % glibc for glibc in _GLIBC), "manylinux2014_x86_64"],
        _posix("linux", "x86_64"),
    ),
    "windows-x64": Platform(["win_amd64"], _windows("AMD64")),
    "windows-arm64": Platform(["win_arm64"], _windows("ARM64")),
    "macos-arm64": Platform(["macosx_12_0_arm64"], _posix("darwin", "arm64")),
    "macos-x64": Platform(["macosx_12_0_x86_64"], _posix("darwin", "x86_64")),
}

#: Licences that may be shipped together with GPL-3.0-or-later (the list of the Free Software
#: Foundation), by SPDX identifier.
LICENCES = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"),
        *("MPL-2.0", "PSF-2.0", "Unlicense", "Zlib", "GPL-3.0-or-later", "LGPL-3.0-or-later"),
    }
)
#: What older metadata calls them: a classifier, or the words of the field ``License``.
_CALLED = {
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
_EPOCH = (2020, 1, 1, 0, 0, 0)
_TIMEOUT = 900  # s, for one call of pip
_RETRIES = "2"


class WheelsProblem(Exception):
    """Wheels that can't be had or may not be shipped; one sentence with what to do."""


def add_wheels(extension: Path, out: Path, constraints: Path, platform: str, python: str) -> Path:
    """The extension's zip once more with wheels, in the folder ``out``; returns its path.

    ``platform`` is one of :data:`PLATFORMS`, ``python`` such as ``3.13``. Raises
    :class:`WheelsProblem`.
    """
    with tempfile.TemporaryDirectory(prefix="plumbline-wheels-") as folder:
        wheels = download(Path(folder), constraints, platform, python)
        name = "%s-%s-py%s.zip" % (extension.stem, platform, python.replace(".", ""))
        target = out / name
        partial = target.with_suffix(".partial")
        with zipfile.ZipFile(extension) as plain, zipfile.ZipFile(partial, "w") as new:
            for entry in plain.infolist():
                data = plain.read(entry)
                if entry.filename == "blender_manifest.toml":
                    data = manifest_with(data.decode("utf-8"), platform, wheels).encode("utf-8")
                new.writestr(entry, data)
            for wheel in wheels:
                # Wheels are packed already.
                new.writestr(zipfile.ZipInfo("wheels/" + wheel.name, _EPOCH), wheel.read_bytes())
        partial.replace(target)
    return target


def manifest_with(text: str, platform: str, wheels: Sequence[Path]) -> str:
    """The manifest with its platform and wheels, before its first table."""
    lines = ['    "./wheels/%s",' % wheel.name for wheel in wheels]
    added = ['platforms = ["%s"]' % platform, "wheels = [", *lines, "]", "", ""]
    place = re.search(r"^\[", text, re.MULTILINE)
    at = place.start() if place else len(text)
    return text[:at] + "\n".join(added) + text[at:]


# --- What is needed -------------------------------------------------------------------------------


def download(folder: Path, constraints: Path, platform: str, python: str) -> List[Path]:
    """Download :data:`WANTED` with all that they depend on; the wheels, sorted.

    Raises :class:`WheelsProblem`.
    """
    pins = pins_for(constraints, python)
    markers = {
        **PLATFORMS[platform].markers,
        "python_version": python,
        "python_full_version": python + ".0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }
    found: Dict[str, Path] = {}
    missing = list(WANTED)
    while missing:
        _pip_download(folder, [_pinned(name, pins) for name in missing], platform, python)
        for wheel in sorted(folder.glob("*.whl")):
            found.setdefault(_normal(wheel.name.split("-")[0]), wheel)
        lost = [name for name in missing if name not in found]
        if lost:
            raise WheelsProblem("pip brought no wheel of %s; pin another version" % lost[0])
        needed = {n for name in missing for n in dependencies(found[name], markers)}
        missing = sorted(needed - set(found) - NEVER)
    for wheel in found.values():
        check_licence(wheel)
    return sorted(found.values(), key=lambda wheel: wheel.name.lower())


def pins_for(constraints: Path, python: str) -> Dict[str, str]:
    """Name -> version that ``constraints.txt`` pins for a Python."""
    pins = {}
    for line in constraints.read_text(encoding="utf-8").splitlines():
        pin, _, marker = line.partition("#")[0].partition(";")
        name, _, version = pin.strip().partition("==")
        if version and (not marker or holds(marker, {"python_version": python})):
            pins[_normal(name)] = version.strip()
    pins.update({name: pin for (name, minor), pin in OWN_PINS.items() if minor == python})
    return pins


def _pinned(name: str, pins: Mapping[str, str]) -> str:
    if name not in pins:
        raise WheelsProblem(
            "%s is needed and has no version in constraints.txt; add the one that works" % name
        )
    return "%s==%s" % (name, pins[name])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def dependencies(wheel: Path, markers: Mapping[str, str]) -> List[str]:
    """Names of what a wheel needs where these markers hold, extras left out."""
    needed = []
    for requirement in metadata_of(wheel).get_all("Requires-Dist") or ():
        text, _, marker = requirement.partition(";")
        match = re.match(r"\s*([A-Za-z0-9][\w.-]*)", text)
        if match and (not marker.strip() or holds(marker, markers)):
            needed.append(_normal(match[1]))
    return needed


def metadata_of(wheel: Path) -> Any:
    """The metadata of a wheel, as a message."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if re.match(r"[^/]+\.dist-info/METADATA$", n))
        return Parser().parsestr(archive.read(name).decode("utf-8"))


def holds(marker: str, values: Mapping[str, str]) -> bool:
    """Whether an environment marker (PEP 508) holds. Raises :class:`WheelsProblem` in words."""
    try:
        return bool(_value(ast.parse(marker.strip(), mode="eval").body, values))
    except (SyntaxError, KeyError, ValueError) as error:
        raise WheelsProblem(
            "the condition %r of a dependency can't be read (%s)" % (marker.strip(), error)
        ) from None


def _value(node: ast.AST, values: Mapping[str, str]) -> Any:
    if isinstance(node, ast.BoolOp):
        answers = [_value(part, values) for part in node.values]
        return all(answers) if isinstance(node.op, ast.And) else any(answers)
    if isinstance(node, ast.Compare):
        left, right = _value(node.left, values), _value(node.comparators[0], values)
        versions = any(getattr(n, "id", "") in _VERSIONS for n in (node.left, node.comparators[0]))
        return _compare(node.ops[0], left, right, versions)
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.Constant):
        return node.value
    raise ValueError("unknown syntax")


_VERSIONS = ("python_version", "python_full_version", "implementation_version")


def _compare(operator: ast.cmpop, left: str, right: str, versions: bool) -> bool:
    if isinstance(operator, (ast.In, ast.NotIn)):
        return (left in right) == isinstance(operator, ast.In)
    a, b = (_version(left), _version(right)) if versions else (left, right)
    order = {
        ast.Eq: a == b,
        ast.NotEq: a != b,
        ast.Lt: a < b,  # type: ignore[operator]
        ast.LtE: a <= b,  # type: ignore[operator]
        ast.Gt: a > b,  # type: ignore[operator]
        ast.GtE: a >= b,  # type: ignore[operator]
    }
    return order[type(operator)]


def _version(text: str) -> List[int]:
    numbers = [int(part) for part in re.findall(r"\d+", text)]
    return (numbers + [0, 0, 0])[:3]


# --- Where it comes from --------------------------------------------------------------------------


def _pip_download(folder: Path, requirements: Sequence[str], platform: str, python: str) -> None:
    """Let pip download these wheels, and only these, for that platform."""
    minor = python.replace(".", "")
    command = [sys.executable, "-I", "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--no-input", "--quiet", "--retries", _RETRIES]
    command += ["--dest", str(folder), "--python-version", python, "--implementation", "cp"]
    for tag in PLATFORMS[platform].tags:
        command += ["--platform", tag]
    for abi in ("cp" + minor, "abi3", "none"):
        command += ["--abi", abi]
    try:
        done = subprocess.run(
            [*command, *requirements],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise WheelsProblem(
            "the package index didn't answer within %d s; check the network and start again"
            % _TIMEOUT
        ) from None
    if done.returncode != 0:
        raise WheelsProblem(_explained(done.stdout, requirements, platform, python))


def _explained(said: str, requirements: Iterable[str], platform: str, python: str) -> str:
    """What pip said, as one sentence."""
    if "No module named pip" in said:
        return "%s has no pip; use a Python that has it" % sys.executable
    lost = re.search(r"No matching distribution found for (\S+)", said)
    unreached = re.search(r"(NewConnectionError|NameResolutionError|ProxyError|Timeout)", said)
    if unreached or "Temporary failure in name resolution" in said:
        return "the package index can't be reached; check the network and start again"
    if lost:
        return "there is no wheel of %s for %s and Python %s; pin another version" % (
            lost[1],
            platform,
            python,
        )
    lines = [line for line in said.splitlines() if line.strip()] or ["it said nothing"]
    return "pip failed on %s: %s" % (", ".join(requirements), lines[-1].strip())


# --- Whether it may be shipped --------------------------------------------------------------------


def check_licence(wheel: Path) -> None:
    """Raise :class:`WheelsProblem` unless the wheel's own metadata name a licence of the list."""
    metadata = metadata_of(wheel)
    named = licences_of(metadata)
    if not named:
        raise WheelsProblem(
            "%s doesn't say under which licence it is; find out before it is shipped" % wheel.name
        )
    wrong = sorted(set(named) - LICENCES)
    if wrong:
        raise WheelsProblem(
            "%s is under %s, which isn't on the list of licences that may be shipped; check it and "
            "add it there, or do without" % (wheel.name, ", ".join(wrong))
        )


def licences_of(metadata: Any) -> List[str]:
    """SPDX identifiers that the metadata name, and their own words for what has none."""
    expression = metadata.get("License-Expression")
    if not expression:
        classifiers = [
            line.split(" :: ")[-1]
            for line in metadata.get_all("Classifier") or ()
            if line.startswith("License ::") and line != "License :: OSI Approved"
        ]
        if classifiers:
            return [_CALLED.get(name, name) for name in classifiers]
        words = (metadata.get("License") or "").strip()
        if "\n" in words or not words:
            return []
        if words in _CALLED:
            return [_CALLED[words]]
        expression = words
    parts = re.split(r"\s+(?:AND|OR)\s+|[()]", expression, flags=re.IGNORECASE)
    return [part.strip() for part in parts if part and part.strip()]
