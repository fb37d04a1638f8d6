# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's zip, from an allow-list: ``python3 addon/runs/extension.py [--out FOLDER]``.

What isn't named here doesn't get in, whatever lies in the checkout. The same files give the same
bytes. ``--wheels PLATFORM --python VERSION`` adds the providers' SDKs and SciPy (:mod:`.wheels`).
Standard library only, Python >= 3.8, no import from the package: it runs by its path.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Sequence

ROOT = Path(__file__).resolve().parents[2]
FILES = ("__init__.py", "blender_manifest.toml", "LICENSE")
FOLDERS = ("addon", "checks", "operators", "panels", "tasks")
SUFFIXES = (".py", ".json", ".css", ".js", ".html", ".txt")
# For checkouts only: set-up before anything is installed, and this file.
CHECKOUT_ONLY = (
    "addon/runs/extension.py",
    "addon/runs/interpreters.py",
    "addon/runs/setup.py",
    "addon/runs/wheels.py",
)
_EPOCH = (2020, 1, 1, 0, 0, 0)


def contents(root: Path = ROOT) -> list[str]:
    """Paths of the zip's files, relative to ``root``, sorted."""
    found = list(FILES)
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root).as_posix()
            hidden = any(part.startswith((".", "__pycache__")) for part in Path(name).parts)
            if path.is_file() and path.suffix in SUFFIXES and not hidden:
                found.append(name)
    return sorted(set(found) - set(CHECKOUT_ONLY))


def version(root: Path = ROOT) -> str:
    """The version that the manifest states."""
    text = (root / "blender_manifest.toml").read_text(encoding="utf-8")
    match = re.search(r'^version = "([^"]+)"$', text, re.MULTILINE)
    if match is None:
        raise ValueError(f"{root / 'blender_manifest.toml'} states no version")
    return match[1]


def build_zip(out: Path, root: Path = ROOT) -> Path:
    """Write ``plumbline-VERSION.zip`` into the folder ``out``; returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"plumbline-{version(root)}.zip"
    partial = target.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in contents(root):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, (root / name).read_bytes())
    partial.replace(target)
    return target


def load_wheels() -> Any:
    """The module beside this file, which runs by its path and can't be imported by a name."""
    name = "plumbline_wheels"
    if name in sys.modules:
        return sys.modules[name]
    path = Path(__file__).with_name("wheels.py")
    spec = importlib.util.spec_from_file_location(name, str(path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def build_with_wheels(out: Path, platform: str, python: str, root: Path = ROOT) -> Path:
    """Write ``plumbline-VERSION-PLATFORM-pyXY.zip`` into the folder ``out``; returns its path.

    Raises ``WheelsProblem`` of :mod:`.wheels` in one sentence.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="plumbline-extension-") as folder:
        plain = build_zip(Path(folder), root)
        made = load_wheels().add_wheels(plain, out, root / "constraints.txt", platform, python)
    return Path(made)


def _python(text: str) -> str:
    if not re.fullmatch(r"3\.\d+", text):
        raise argparse.ArgumentTypeError("%s is no version such as 3.13" % text)
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    wheels = load_wheels()
    parser = argparse.ArgumentParser(description="Build the Blender extension.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder (dist)")
    parser.add_argument(
        "--wheels", choices=sorted(wheels.PLATFORMS), help="with SDKs and SciPy for this platform"
    )
    parser.add_argument("--python", type=_python, help="that Blender's: 3.11 up to 5.0, then 3.13")
    options = parser.parse_args(arguments)
    if (options.wheels is None) != (options.python is None):
        parser.error("--wheels and --python go together")
    if options.wheels is None:
        print(build_zip(options.out))
        return 0
    try:
        path = build_with_wheels(options.out, options.wheels, options.python)
    except wheels.WheelsProblem as problem:
        print("plumbline: %s" % problem, file=sys.stderr)
        return 1
    names = [n for n in zipfile.ZipFile(path).namelist() if n.startswith("wheels/")]
    print(path)
    print("%.1f MB with %d wheels" % (path.stat().st_size / 1e6, len(names)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
