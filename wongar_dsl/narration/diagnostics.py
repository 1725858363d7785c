"""Diagnostics as people and machines read them: text with the source lines, JSON, and workflow commands.

Rule files come from anywhere, so nothing of them reaches a terminal as it is: control characters, and characters that
change the direction of writing, are shown as escapes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from unicodedata import category

from wongar_dsl.model.builtins import SORTS
from wongar_dsl.narration.advice import advice_of
from wongar_dsl.text.codes import Severity
from wongar_dsl.text.diagnostics import Diagnostic, Paste
from wongar_dsl.text.escapes import visible
from wongar_dsl.text.span import Source, Span
from wongar_dsl.text.width import folded
from wongar_dsl.text.width import width as cells_of
from wongar_dsl.words.arguments import Listing, Text, Value

#: Tabs are shown as spaces up to the next multiple of this.
TAB = 4

#: No line of a message is cut shorter than this.
NARROWEST = 20

#: A longer list of what could have stood somewhere helps nobody.
MOST_LISTED = 8

#: What the parser expects that is no word of the language, and is therefore said in the reader's language.
_SYNTAX = frozenset({"name", "number", "text", "end of line", "indented block", "value"})

_ARGUMENTS = frozenset(
    {
        "path",
        "size",
        "limit",
        "line",
        "name",
        "names",
        "things",
        "base",
        "found",
        "expected",
        "character",
        "column",
        "article",
        "value",
        "low",
        "high",
    }
    | {"left", "right", "table", "row", "deck", "area", "other", "choice", "option", "what", "statement"}
    | {"languages", "rule", "one", "words", "sides"}
)
#: What is said of a code in general, where its own sentence has nothing but an argument.
_IN_GENERAL = {"R0503": "report.wrong_words", "R0701": "report.wrong_cases", "R0702": "report.wrong_lesson"}
#: What can stand in a file of cases, as `cases.word.…` says it.
CASE_WORDS = frozenset({"text", "list", "mapping", "number", "move", "event", "pile", "name"})
#: The arguments that are said in words, by code, and what the messages with these words begin with.
_SAID_IN_WORDS = {
    "R0101": (_SYNTAX, "plain"),
    "R0107": (_SYNTAX, "plain"),
    "R0203": (SORTS | _SYNTAX, "plain"),
    "R0701": (CASE_WORDS, "cases.word"),
    "R0702": (CASE_WORDS, "cases.word"),
}
#: Codes that list words of the language, which stand in quotation marks.
_QUOTED = frozenset({"R0101", "R0107", "R0203"})


class Say(Protocol):
    """What says a message of the catalogs: `Words.say`."""

    def __call__(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """The sentence of `message`, with `args` in its slots."""


def message(diagnostic: Diagnostic, say: Say) -> str:
    """The sentence that tells what is wrong."""
    finding = diagnostic.arguments.get("finding")
    if isinstance(finding, str):
        # What is wrong with words has wordings of its own, which the check of the words shares.
        return say(diagnostic.code, None, what=Text(say(finding, None, **_arguments(diagnostic, say))))
    return say(diagnostic.code, None, **_arguments(diagnostic, say))


def general(code: str, say: Say) -> str:
    """The sentence of a code, without anything in particular."""
    return say(_IN_GENERAL.get(code, code), None, **{name: Text("…") for name in _ARGUMENTS})


def advice(diagnostic: Diagnostic, say: Say) -> str:
    """The sentence that helps on: what was probably meant, or else the hint for this situation, or that of the code."""
    if diagnostic.suggestion is not None:
        return say("report.suggestion", name=Text(visible(diagnostic.suggestion)))
    if diagnostic.hint is not None:
        filled = {name: _filled(given) for name, given in diagnostic.hint.arguments.items()}
        return say("report.hint", text=Text(say(f"hint.{diagnostic.hint.name}", None, **filled)))
    finding = diagnostic.arguments.get("finding")
    if isinstance(finding, str) and finding.startswith("words."):
        return say("report.hint", text=Text(say(advice_of(finding), None, **_arguments(diagnostic, say))))
    return say("report.hint", text=Text(say(f"{diagnostic.code}.hint", None, **_arguments(diagnostic, say))))


def pasted(paste: Paste, say: Say) -> str:
    """The sentence that tells where a text is to be put; the text itself goes below it."""
    path = Text(visible(paste.file))
    if not paste.text:
        return say("report.fill_in_fuzzy" if paste.fuzzy else "report.fill_in", path=path)
    return (
        say("report.paste_below", path=path, key=Text(visible(paste.below)))
        if paste.below
        else say("report.paste", path=path)
    )


def tally(diagnostics: Sequence[Diagnostic], say: Say) -> str:
    """How many errors and warnings there are; empty where there is neither."""
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    counted = [say(name, n=n) for name, n in (("report.errors", errors), ("report.warnings", warnings)) if n]
    if len(counted) < 2:
        return "".join(counted)
    return say("report.both", errors=Text(counted[0]), warnings=Text(counted[1]))


def _filled(given: str | tuple[str, ...], text: Callable[[str], Text] = lambda word: Text(visible(word))) -> Value:
    """What fills a slot: a text, or several as a list, which stays open where it would be too long."""
    if isinstance(given, str):
        return text(given)
    return Listing(tuple(map(text, given[:MOST_LISTED])), more=len(given) > MOST_LISTED)


def _arguments(diagnostic: Diagnostic, say: Say) -> dict[str, Value]:
    in_words, where = _SAID_IN_WORDS.get(diagnostic.code, (frozenset(), ""))

    def text(name: str, word: str) -> Text:
        plain = name in ("found", "expected") and word in in_words and (diagnostic.code, name) != ("R0101", "found")
        sort, _, named = word.partition(" ")
        if diagnostic.code == "R0010" and name == "things" and named and sort in SORTS:
            return Text(say("plain.named", sort=Text(say(f"plain.{sort}")), name=Text(visible(named))))
        if plain:
            return Text(say(f"{where}.{word.replace(' ', '_')}"))
        quoted = diagnostic.code in _QUOTED and name == "expected"
        return Text(say("plain.word", word=Text(visible(word))) if quoted else visible(word))

    def value(name: str, given: str | int | tuple[str, ...]) -> Value:
        if isinstance(given, int):
            return given
        if name == "names" and isinstance(given, tuple):  # A ring of things that lead to each other.
            return Text(visible(" → ".join(given)))
        return _filled(given, lambda word: text(name, word))

    return {name: value(name, given) for name, given in diagnostic.arguments.items()}


# ---- machines -------------------------------------------------------------------------------------------------------


def render_json(diagnostics: Iterable[Diagnostic], say: Say) -> str:
    """One JSON document: every diagnostic with its wording and places, and the counts."""
    found = tuple(diagnostics)
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in found)
    listed = [
        {
            "code": diagnostic.code,
            "severity": diagnostic.severity.value,
            "message": message(diagnostic, say),
            "advice": advice(diagnostic, say),
            "suggestion": diagnostic.suggestion,
            "place": _place(diagnostic.span),
            "labels": [
                {"name": label.name, "text": say(f"label.{label.name}"), "place": _place(label.span)}
                for label in diagnostic.labels
            ],
            "pastes": [{"file": p.file, "below": p.below, "text": p.text} for p in diagnostic.pastes],
            "arguments": dict(diagnostic.arguments),
        }
        for diagnostic in found
    ]
    return json.dumps({"diagnostics": listed, "errors": errors, "warnings": len(found) - errors}, indent=2)


def _place(span: Span | None) -> dict[str, str | int] | None:
    if span is None:
        return None
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def render_github(diagnostics: Iterable[Diagnostic], say: Say) -> str:
    """One workflow command (`::error file=…`) for each diagnostic, on a line of its own."""
    lines = []
    for diagnostic in diagnostics:
        properties = {"title": diagnostic.code}
        if (span := diagnostic.span) is not None:
            place = {"file": visible(span.source.name), "line": str(span.line), "col": str(span.column)}
            properties = place | properties
        told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
        text = "\n".join([message(diagnostic, say), advice(diagnostic, say), *_pasted(diagnostic, say)])
        lines.append(f"::{diagnostic.severity.value} {told}::{_data(text)}")
    return "\n".join(lines)


def _pasted(diagnostic: Diagnostic, say: Say) -> list[str]:
    return [line for paste in diagnostic.pastes for line in (pasted(paste, say), *paste.text.splitlines())]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---- people ---------------------------------------------------------------------------------------------------------

_COLOURS = {"error": "1;31", "warning": "1;33", "frame": "34", "label": "1;34", "strong": "1"}


@dataclass(frozen=True, slots=True)
class _Mark:
    """Something to underline in one line: columns from 1, the end column is the one after the last."""

    line: int
    column: int
    end: int
    sign: str
    text: str = ""


def render_text(
    diagnostics: Iterable[Diagnostic], say: Say, width: int = 100, colour: bool = False, total: bool = True
) -> str:
    """Return every diagnostic with its source lines and carets, for a terminal `width` cells wide.

    The last line says how many there are, unless `total` is false.
    """
    found = tuple(diagnostics)
    paper = _Paper(say, width, colour)
    blocks = ["\n".join(paper.block(diagnostic)) for diagnostic in found]
    counted = tally(found, say) if total else ""
    return "\n\n".join([*blocks, counted] if counted else blocks)


@dataclass(frozen=True, slots=True)
class _Paper:
    say: Say
    width: int
    colour: bool

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour and text else text

    def block(self, diagnostic: Diagnostic) -> list[str]:
        """One diagnostic, line by line."""
        severity = diagnostic.severity.value
        title = self.say("engine.label", None, label=Text(f"{self.say(f'report.{severity}')} {diagnostic.code}"))
        first, *more = folded(f"{title} {message(diagnostic, self.say)}", max(self.width, NARROWEST), "  ")
        lines = [self.paint(title, severity) + self.paint(first.removeprefix(title), "strong")]
        lines += [self.paint(line, "strong") for line in more]
        places = self._places(diagnostic)
        margin = max((len(str(mark.line)) for _, _, marks in places for mark in marks), default=0)
        for number, (source, start, marks) in enumerate(places):
            arrow = "-->" if number == 0 else ":::"
            if not source.text and diagnostic.code < "R01":
                # Nothing of the file could be read, there is nothing to show.
                lines.append(" " * margin + self.paint(arrow, "frame") + f" {visible(source.name)}")
                continue
            lines.append(" " * margin + self.paint(arrow, "frame") + f" {visible(str(start))}")
            lines.append(self._framed("", "", margin))
            lines += self._excerpt(source, marks, margin, severity)
        if places and (places[0][0].text or diagnostic.code >= "R01"):
            lines.append(self._framed("", "", margin))
        told, *more = folded(advice(diagnostic, self.say), max(self.width - margin - 3, NARROWEST), "  ")
        indent = " " * (margin + 1)
        lines.append(f"{indent}{self.paint('=', 'frame')} {told}")
        lines += [f"{indent}  {line}" for line in more]
        for paste in diagnostic.pastes:
            # The text stands at the edge, as it will in the file.
            told, *more = folded(pasted(paste, self.say), max(self.width - margin - 3, NARROWEST), "  ")
            lines += [f"{indent}{self.paint('=', 'frame')} {told}", *(f"{indent}  {line}" for line in more)]
            lines += [visible(line) for line in paste.text.splitlines()]
        return lines

    def _places(self, diagnostic: Diagnostic) -> list[tuple[Source, Span, list[_Mark]]]:
        """What is to be underlined, by source; the source of the diagnostic itself comes first."""
        wanted = [(diagnostic.span, "^", "")] if diagnostic.span is not None else []
        wanted += [(label.span, "-", self.say(f"label.{label.name}")) for label in diagnostic.labels]
        places: list[tuple[Source, Span, list[_Mark]]] = []
        for span, sign, text in wanted:
            marks = next((known for source, _, known in places if source is span.source), None)
            if marks is None:
                marks = []
                places.append((span.source, span, marks))
            marks += _marks(span, sign, text)
        return places

    def _excerpt(self, source: Source, marks: Sequence[_Mark], margin: int, severity: str) -> list[str]:
        lines: list[str] = []
        shown_before, line_before = "", 0
        for mark in sorted(marks, key=lambda mark: (mark.line, mark.column)):
            room = max(self.width - margin - 3, 20)
            shown, start, length = _clip(source.line(mark.line), mark.column, mark.end, room)
            if line_before and mark.line > line_before + 1:
                lines.append(self.paint("...", "frame"))
            if (mark.line, shown) != (line_before, shown_before):
                lines.append(self._framed(str(mark.line), shown, margin))
            style = severity if mark.sign == "^" else "label"
            under = f"{mark.sign * length} {mark.text}".rstrip()
            lines.append(self._framed("", " " * start + self.paint(under, style), margin))
            shown_before, line_before = shown, mark.line
        return lines

    def _framed(self, number: str, text: str, margin: int) -> str:
        return f"{self.paint(number.rjust(margin) + ' |', 'frame')} {text}".rstrip()


def _marks(span: Span, sign: str, text: str) -> list[_Mark]:
    """The marks of a span: one, or for a span of several lines those of its first and its last line."""
    last, end = span.end_line, span.end_column
    while last > span.line and not span.source.line(last)[: end - 1].strip():
        last -= 1
        end = len(span.source.line(last)) + 1
    if last <= span.line:
        return [_Mark(span.line, span.column, max(end, span.column + 1), sign, text)]
    first_end = len(span.source.line(span.line).rstrip()) + 1
    line = span.source.line(last)
    indent = len(line) - len(line.lstrip())
    return [
        _Mark(span.line, span.column, max(first_end, span.column + 1), sign),
        _Mark(last, indent + 1, max(end, indent + 2), sign, text),
    ]


def _clip(line: str, column: int, end: int, room: int) -> tuple[str, int, int]:
    """The part of `line` around `column` that fits into `room` cells.

    Returns it with the cell at which the underline starts, and the cells that it takes (one at least).
    """
    column, end = max(column, 1), max(end, column)
    # Of an endless line, only what could be shown is looked at.
    first, last = max(0, column - 1 - room), column - 1 + 2 * room
    pieces: list[str] = []
    starts = [0]
    for letter in line[first:last]:
        # A space of another sort is told by its code; as an escape it would look like a part of the name beside it.
        spaces = TAB - starts[-1] % TAB if letter == "\t" else int(category(letter) == "Zs")
        piece = " " * spaces or visible(letter)
        pieces.append(piece)
        starts.append(starts[-1] + cells_of(piece))
    total = starts[-1]
    at, to = (starts[min(place - 1 - first, len(pieces))] for place in (column, end))
    if 0 < column - 1 - first < len(pieces) and starts[column - first] == at:
        at -= 1  # A mark that joins with the letter before it.
    left = 0 if not first and (total <= room or at < room * 2 // 3) else max(0, at - room // 3)
    before, after = bool(first or left), len(line) > last or total - left > room
    right = left + room - before - after
    kept = [i for i in range(len(pieces)) if starts[i] >= left and starts[i + 1] <= right]
    origin = starts[kept[0]] if kept else left
    shown = ("…" if before else "") + "".join(pieces[i] for i in kept) + ("…" if after else "")
    return shown.rstrip(), at - origin + before, max(min(to, right) - at, 1)
