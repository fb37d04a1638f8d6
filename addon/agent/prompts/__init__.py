# SPDX-License-Identifier: GPL-3.0-or-later
"""What models are told, as text files: ``common/`` for all kinds of tasks, a folder a kind."""

from .loading import PromptError, Prompts

__all__ = ["PromptError", "Prompts"]
