"""What is wrong with a rule file, as values.

A `Diagnostic` has a code (`R0201`), labelled spans and arguments, and no wording: the catalogs hold that, in every
language, under the code (`R0201`, `R0201.hint`, `R0201.explain`), the
label's name (`label.declared`) and the hint's (`hint.form`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl.text.codes import CODES, Severity
from wongar_dsl.text.span import Span

#: What can stand at a second place: told as `label.<name>`.
LabelName = Literal["declared", "first", "other", "used", "here", "asked", "never", "statement"]


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a diagnostic points at, and what stands there."""

    span: Span
    name: LabelName


@dataclass(frozen=True, slots=True)
class Hint:
    """What helps in this situation, instead of the general hint of the code: `name` is told as `hint.<name>`."""

    name: str
    arguments: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Paste:
    """Text that is missing in a file, with gaps to fill in: to be put at its end, or under the key `below`.

    Without text, it is there already and only to be filled in, in that line of the file; what is `fuzzy` counts once it
    is no longer marked so.
    """

    file: str
    text: str
    below: str = ""
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: its code, the place, the arguments of its wording, further places, and what helps on.

    `suggestion` is what was probably meant, `hint` what to do in this situation; without either the code's own
    hint is told.  `pastes` are what would mend it, once somebody has filled it in.
    """

    code: str
    span: Span | None
    arguments: Mapping[str, str | int | tuple[str, ...]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    suggestion: str | None = None
    hint: Hint | None = None
    pastes: tuple[Paste, ...] = ()

    @property
    def severity(self) -> Severity:
        """The severity that `CODES` gives this code."""
        return CODES[self.code]


class RulesError(Exception):
    """Rules that cannot be played.  `diagnostics` holds everything that was found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code} at {d.span}" for d in self.diagnostics))
