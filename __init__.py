# SPDX-License-Identifier: GPL-3.0-or-later
"""Plumbline: finds out whether what a language model built would really stand, fit and work.

As a Blender extension this module only offers ``register`` and ``unregister``; as a library it
offers :func:`judge`, resolved on first use, so that loading the extension imports nothing else.
"""

__all__ = ["judge", "register", "unregister"]


def register() -> None:
    """Register every class, property and handler of the extension with Blender."""
    from .addon import registration

    registration.register()


def unregister() -> None:
    """Undo :func:`register` completely: no class, property or handler stays behind."""
    from .addon import registration

    registration.unregister()


def __getattr__(name: str):  # type: ignore[no-untyped-def]  # Any: what it gives is callable
    if name == "judge":
        from .addon.runs.judging import judge

        return judge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
