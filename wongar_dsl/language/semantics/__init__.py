"""The checked model of a game: its declarations, and the type and meaning of each name and expression."""

from __future__ import annotations

from wongar_dsl.language.semantics.model import *  # noqa: F403
