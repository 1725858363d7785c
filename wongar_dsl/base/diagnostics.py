"""Diagnostics for rule files, as values without text.

A `Diagnostic` has a code (`R0201`), labelled spans and arguments.  The catalogs hold its message in every language
under the code (`R0201`, `R0201.hint`, `R0201.explain`), the name of the label (`label.declared`) and the name of the
hint (`hint.form`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl.base.diagnostic_codes import CODES, Severity
from wongar_dsl.base.span import Span

#: Roles of secondary spans.  The catalogs hold their texts as `label.<name>`.
LabelName = Literal["declared", "first", "other", "used", "here", "asked", "never", "statement", "scope"]


@dataclass(frozen=True, slots=True)
class Label:
    """Secondary span of a diagnostic and its role."""

    span: Span
    name: LabelName


@dataclass(frozen=True, slots=True)
class Hint:
    """Situation-specific hint that replaces the general hint of the code.

    The catalogs hold its text as `hint.<name>`.
    """

    name: str
    arguments: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PasteSnippet:
    """Text to be inserted into a file, with gaps to fill in.

    It is appended to the file, or placed under the key `below`.  Without `text` the entry exists and only needs to be
    filled in.  `fuzzy` marks an existing entry that takes effect once its fuzzy mark is removed.
    """

    file: str
    text: str
    below: str = ""
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Diagnostic: code, span, message arguments, secondary spans, and help.

    `suggestion` is the name that was probably meant.  `hint` replaces the general hint of the code.  `pastes` are texts
    that solve the problem once their gaps are filled in.
    """

    code: str
    span: Span | None
    arguments: Mapping[str, str | int | tuple[str, ...]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    suggestion: str | None = None
    hint: Hint | None = None
    pastes: tuple[PasteSnippet, ...] = ()

    @property
    def severity(self) -> Severity:
        """Severity that `CODES` assigns to this code."""
        return CODES[self.code]


class RulesError(Exception):
    """Raised for rules that cannot be played.  `diagnostics` holds all diagnostics."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code} at {d.span}" for d in self.diagnostics))
