# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing that loses nothing: whole lines that are on the disk, files replaced at once, one lock.

Every failure of the disk leaves as a :class:`StorageError` of one sentence.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

_REMEDIES = {
    errno.ENOSPC: ("the disk is full", "free some space"),
    errno.EDQUOT: ("the disk quota is used up", "free some space"),
    errno.EROFS: ("the file system is read-only", "choose another folder"),
    errno.EACCES: ("no right to write here", "choose another folder"),
    errno.EPERM: ("no right to write here", "choose another folder"),
    errno.ENOTDIR: ("a part of the path is a file", "choose another folder"),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter one"),
    errno.EISDIR: ("is a folder", "name a file"),
}


class StorageError(OSError):
    """The disk did not take it. ``str()`` is one sentence that says where, why and what to do."""

    def __str__(self) -> str:
        return str(self.args[-1])  # without the number that an OSError puts in front


def storage_error(path: Path | str, error: OSError, kept: str = "") -> StorageError:
    """The operating system's error as one sentence; ``kept`` says what is safe all the same."""
    why, remedy = _REMEDIES.get(
        error.errno or 0, (error.strerror or str(error), "check the path and its rights")
    )
    return StorageError(error.errno, f"{path}: {why}; {remedy}{kept}")


@contextlib.contextmanager
def explained(path: Path | str, kept: str = "") -> Iterator[None]:
    """Turn any ``OSError`` inside into a :class:`StorageError` about ``path``."""
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        raise storage_error(path, error, kept) from error


# With less than this left, bytes, a failed save is the disk's fault.
_ROOM_NEEDED = 1 << 20


def check_room(folder: Path) -> None:
    """Raise :class:`StorageError` if what failed can have failed for want of room."""
    if shutil.disk_usage(folder).free < _ROOM_NEEDED:
        raise StorageError(
            errno.ENOSPC,
            f"{folder}: the disk is full; free some space; everything judged before is kept",
        )


def make_folder(path: Path) -> None:
    """Make the folder and those above it. Raises :class:`StorageError`."""
    with explained(path):
        path.mkdir(parents=True, exist_ok=True)


def is_own_file(folder: Path, name: str) -> bool:
    """Whether ``name`` is a file that lies in ``folder``, and nothing else that can be opened.

    Folders come from others, too: a pipe would hold up whoever reads it, a device never end, and a
    link would show a file of the reader's own.
    """
    path = os.path.realpath(folder / name)
    return os.path.isfile(path) and Path(path).is_relative_to(os.path.realpath(folder))


def write_whole(path: Path, data: bytes | str, kept: str = "") -> None:
    """Write a file so that readers see the old one or the new one, never a half.

    Raises :class:`StorageError`; what was there before then stays. Folders, devices and pipes are
    refused: they are no files, and a device would be replaced by one.
    """
    data = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    with explained(path, kept):
        if not path.name or os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, "is a folder")
        if os.path.exists(path) and not os.path.isfile(path):
            raise StorageError(errno.EINVAL, f"{path}: is no file; name one that may be replaced")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with explained(path, kept):
            with open(draft, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(draft, path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


class LineFile:
    """A file to which whole lines are appended, each on the disk before the call returns.

    A line that fits only in part (the disk is full) is taken back, so the file always ends with a
    whole line. Opening it completes or cuts what a killed writer left half-written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with explained(path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            self._end_with_whole_line()

    def _end_with_whole_line(self) -> None:
        size = os.fstat(self._descriptor).st_size
        with open(self.path, "rb") as stream:
            stream.seek(max(0, size - 1))
            if size == 0 or stream.read(1) == b"\n":
                return
            stream.seek(0)
            whole = stream.read().rfind(b"\n") + 1
        os.ftruncate(self._descriptor, whole)

    def append(self, line: str) -> None:
        """Append one line and wait until the disk has it. Raises :class:`StorageError`."""
        data = line.encode("utf-8") + b"\n"
        before = os.fstat(self._descriptor).st_size
        with explained(self.path, "; everything judged before is kept"):
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
                os.fsync(self._descriptor)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._descriptor, before)
                raise

    def close(self) -> None:
        """Close the file; appending afterwards is an error."""
        os.close(self._descriptor)


class FolderLock:
    """Keeps a second writer out of a folder; gone with the process, however it ends."""

    def __init__(self, path: Path) -> None:
        with explained(path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(self._descriptor)
        except OSError as error:
            holder = os.read(self._descriptor, 32).decode("ascii", "replace").strip("\0\n ")
            os.close(self._descriptor)
            by = f" (process {holder})" if holder.isdigit() else ""
            raise StorageError(
                error.errno,
                f"{path.parent}: another run is writing here{by}; wait for it or choose another "
                "folder with --out",
            ) from error
        with contextlib.suppress(OSError):  # the number is a courtesy, the lock is what counts
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f"{os.getpid()}\n".encode("ascii"))

    def release(self) -> None:
        """Let others in."""
        os.close(self._descriptor)


def _lock(descriptor: int) -> None:
    """Take the exclusive lock of an open file or raise ``OSError`` at once."""
    try:
        import fcntl
    except ImportError:  # Windows: lock a byte far behind the text so that others can still read
        import msvcrt

        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
