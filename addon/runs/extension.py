# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension's zip, from an allow-list: ``python3 addon/runs/extension.py [--out FOLDER]``.

What isn't named here doesn't get in, whatever lies in the checkout. The same files give the same
bytes. Standard library only, Python >= 3.8, no import from the package: it runs by its path.
"""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
from pathlib import Path
from typing import Sequence

ROOT = Path(__file__).resolve().parents[2]
FILES = ("__init__.py", "blender_manifest.toml", "LICENSE")
FOLDERS = ("addon", "checks", "operators", "panels", "tasks")
SUFFIXES = (".py", ".json", ".css", ".js", ".html", ".txt")
# For checkouts only: set-up before anything is installed, and this file.
CHECKOUT_ONLY = ("addon/runs/extension.py", "addon/runs/interpreters.py", "addon/runs/setup.py")
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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the Blender extension.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder (dist)")
    print(build_zip(parser.parse_args(arguments).out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
