"""Output of diagnostics: text with source excerpts, JSON, and GitHub workflow commands.

Rule files are untrusted, so control characters and characters that change the writing direction are escaped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from unicodedata import category

from wongar_dsl.base.diagnostics import Diagnostic, PasteSnippet, Severity
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.terminal_text import escape_line, fold
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.language.semantics.builtins import SORTS
from wongar_dsl.nlg.words.arguments import Listing, Text, Value

#: Tabs are shown as spaces up to the next multiple of this.
TAB = 4

#: Minimum width for wrapping a message, in terminal cells.
NARROWEST = 20

#: Maximum number of alternatives to list.
MAX_LISTED = 8

#: Syntax categories that the parser can expect; they are translated, unlike keywords.
_SYNTAX = frozenset({"name", "number", "text", "end of line", "indented block", "value"})

#: The arguments that any diagnostic has.
_ARGUMENTS = frozenset({
    "path", "size", "limit", "line", "name", "names", "things", "base", "found", "expected", "character", "column",
    "article", "value", "low", "high", "left", "right", "table", "row", "deck", "area", "other", "choice", "option",
    "what", "statement", "languages", "rule", "one", "words", "sides",
})  # fmt: skip
#: Description of codes whose own sentence consists of an argument only.
_IN_GENERAL = {"R0503": "report.wrong_words", "R0701": "report.wrong_cases", "R0702": "report.wrong_lesson"}
#: Elements of a case file, with the translations `cases.word.…`.
CASE_WORDS = frozenset({"text", "list", "mapping", "number", "move", "event", "pile", "name"})
#: Values of arguments that are translated, by code, and the prefix of their messages.
_TRANSLATED = {
    "R0101": (_SYNTAX, "plain"),
    "R0107": (_SYNTAX, "plain"),
    "R0203": (SORTS | _SYNTAX, "plain"),
    "R0701": (CASE_WORDS, "cases.word"),
    "R0702": (CASE_WORDS, "cases.word"),
}
#: Codes that list keywords, which are put in quotation marks.
_QUOTED = frozenset({"R0101", "R0107", "R0203"})


class MessageFormatter(Protocol):
    """Function that renders a message of the catalogs: `Translator.say`."""

    def __call__(self, message: str, /, game: str | None = None, **args: Value) -> str:
        """Render `message` with `args` in its slots."""


def message(diagnostic: Diagnostic, say: MessageFormatter) -> str:
    """Return the sentence that describes a diagnostic."""
    finding = diagnostic.arguments.get("finding")
    if isinstance(finding, str):
        # Faults in lexicons and catalogs have messages of their own, shared with the check of the catalogs.
        return say(diagnostic.code, None, what=Text(say(finding, None, **_arguments(diagnostic, say))))
    return say(diagnostic.code, None, **_arguments(diagnostic, say))


def general(code: str, say: MessageFormatter) -> str:
    """Return the sentence of a code with placeholders for all arguments."""
    return say(_IN_GENERAL.get(code, code), None, **{name: Text("…") for name in _ARGUMENTS})


def advice(diagnostic: Diagnostic, say: MessageFormatter) -> str:
    """Return the advice: the suggested name, or the specific hint, or the general hint of the code."""
    if diagnostic.suggestion is not None:
        return say("report.suggestion", name=Text(escape_line(diagnostic.suggestion)))
    if diagnostic.hint is not None:
        filled = {name: _filled(given) for name, given in diagnostic.hint.arguments.items()}
        return say("report.hint", text=Text(say(f"hint.{diagnostic.hint.name}", None, **filled)))
    finding = diagnostic.arguments.get("finding")
    about_words = isinstance(finding, str) and finding.startswith("words.")
    hint = ADVICE.get(str(finding), "words.do.wording") if about_words else f"{diagnostic.code}.hint"
    return say("report.hint", text=Text(say(hint, None, **_arguments(diagnostic, say))))


def paste_instruction(paste: PasteSnippet, say: MessageFormatter) -> str:
    """Return the sentence that says where to insert a text; the text itself follows below it."""
    path = Text(escape_line(paste.file))
    if not paste.text:
        return say("report.fill_in_fuzzy" if paste.fuzzy else "report.fill_in", path=path)
    return (
        say("report.paste_below", path=path, key=Text(escape_line(paste.below)))
        if paste.below
        else say("report.paste", path=path)
    )


def tally(diagnostics: Sequence[Diagnostic], say: MessageFormatter) -> str:
    """Return the number of errors and warnings as text, empty if there are none."""
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    counted = [say(name, n=n) for name, n in (("report.errors", errors), ("report.warnings", warnings)) if n]
    if len(counted) < 2:
        return "".join(counted)
    return say("report.both", errors=Text(counted[0]), warnings=Text(counted[1]))


def _filled(given: str | tuple[str, ...], text: Callable[[str], Text] = lambda word: Text(escape_line(word))) -> Value:
    """Convert an argument: a text, or several as a list, which is cut if too long."""
    if isinstance(given, str):
        return text(given)
    return Listing(tuple(map(text, given[:MAX_LISTED])), more=len(given) > MAX_LISTED)


def _arguments(diagnostic: Diagnostic, say: MessageFormatter) -> dict[str, Value]:
    in_words, where = _TRANSLATED.get(diagnostic.code, (frozenset(), ""))

    def text(name: str, word: str) -> Text:
        plain = name in ("found", "expected") and word in in_words and (diagnostic.code, name) != ("R0101", "found")
        sort, _, named = word.partition(" ")
        if diagnostic.code == "R0202" and named:
            return Text(say("plain.side", number=Text(named)))
        if diagnostic.code == "R0010" and name == "things" and named and sort in SORTS:
            return Text(say("plain.named", sort=Text(say(f"plain.{sort}")), name=Text(escape_line(named))))
        if plain:
            return Text(say(f"{where}.{word.replace(' ', '_')}"))
        quoted = diagnostic.code in _QUOTED and name == "expected"
        return Text(say("plain.word", word=Text(escape_line(word))) if quoted else escape_line(word))

    def value(name: str, given: str | int | tuple[str, ...]) -> Value:
        if isinstance(given, int):
            return given
        if name == "names" and isinstance(given, tuple):  # A cycle of names that refer to each other.
            return Text(escape_line(" → ".join(given)))
        return _filled(given, lambda word: text(name, word))

    return {name: value(name, given) for name, given in diagnostic.arguments.items()}


# ---- JSON and GitHub ------------------------------------------------------------------------------------------------


def render_json(diagnostics: Iterable[Diagnostic], say: MessageFormatter) -> str:
    """Return a JSON document with every diagnostic, its text and positions, and the totals."""
    items = tuple(diagnostics)
    errors = sum(diagnostic.severity is Severity.ERROR for diagnostic in items)
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
        for diagnostic in items
    ]
    return json.dumps({"diagnostics": listed, "errors": errors, "warnings": len(items) - errors}, indent=2)


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


def render_github(diagnostics: Iterable[Diagnostic], say: MessageFormatter) -> str:
    """Return one workflow command (`::error file=…`) per diagnostic, each on its own line."""
    lines = []
    for diagnostic in diagnostics:
        properties = {"title": diagnostic.code}
        if (span := diagnostic.span) is not None:
            place = {"file": escape_line(span.source.name), "line": str(span.line), "col": str(span.column)}
            properties = place | properties
        escaped = {
            name: _escape_data(value).replace(":", "%3A").replace(",", "%2C") for name, value in properties.items()
        }
        parameters = ",".join(f"{name}={value}" for name, value in escaped.items())
        pasted = (line for p in diagnostic.pastes for line in (paste_instruction(p, say), *p.text.splitlines()))
        text = "\n".join([message(diagnostic, say), advice(diagnostic, say), *pasted])
        lines.append(f"::{diagnostic.severity.value} {parameters}::{_escape_data(text)}")
    return "\n".join(lines)


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# ---- text for a terminal --------------------------------------------------------------------------------------------

_COLOURS = {"error": "1;31", "warning": "1;33", "frame": "34", "label": "1;34", "strong": "1"}


@dataclass(frozen=True, slots=True)
class _Underline:
    """An underlined range in a line: columns count from 1, `end` is exclusive."""

    line: int
    column: int
    end: int
    sign: str
    text: str = ""


def render_text(
    diagnostics: Iterable[Diagnostic], say: MessageFormatter, width: int = 100, colour: bool = False, total: bool = True
) -> str:
    """Return every diagnostic with its source lines and carets, for a terminal `width` cells wide.

    The last line says how many there are, unless `total` is false.
    """
    items = tuple(diagnostics)
    writer = _DiagnosticText(say, width, colour)
    blocks = ["\n".join(writer.block(diagnostic)) for diagnostic in items]
    counted = tally(items, say) if total else ""
    return "\n\n".join([*blocks, counted] if counted else blocks)


@dataclass(frozen=True, slots=True)
class _DiagnosticText:
    say: MessageFormatter
    width: int
    colour: bool

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour and text else text

    def block(self, diagnostic: Diagnostic) -> list[str]:
        """Return the lines of one diagnostic."""
        severity = diagnostic.severity.value
        title = self.say("engine.label", None, label=Text(f"{self.say(f'report.{severity}')} {diagnostic.code}"))
        first, *more = fold(f"{title} {message(diagnostic, self.say)}", max(self.width, NARROWEST), "  ")
        lines = [self.paint(title, severity) + self.paint(first.removeprefix(title), "strong")]
        lines += [self.paint(line, "strong") for line in more]
        places = self._places(diagnostic)
        margin = max((len(str(mark.line)) for _, _, marks in places for mark in marks), default=0)
        for number, (source, start, marks) in enumerate(places):
            arrow = "-->" if number == 0 else ":::"
            if not source.text and diagnostic.code < "R01":
                # The file could not be read, so there is no excerpt.
                lines.append(" " * margin + self.paint(arrow, "frame") + f" {escape_line(source.name)}")
                continue
            lines.append(" " * margin + self.paint(arrow, "frame") + f" {escape_line(str(start))}")
            lines.append(self._framed("", "", margin))
            lines += self._excerpt(source, marks, margin, severity)
        if places and (places[0][0].text or diagnostic.code >= "R01"):
            lines.append(self._framed("", "", margin))
        head, *more = fold(advice(diagnostic, self.say), max(self.width - margin - 3, NARROWEST), "  ")
        indent = " " * (margin + 1)
        lines.append(f"{indent}{self.paint('=', 'frame')} {head}")
        lines += [f"{indent}  {line}" for line in more]
        for paste in diagnostic.pastes:
            # The text is not indented, so that it can be copied into the file.
            head, *more = fold(paste_instruction(paste, self.say), max(self.width - margin - 3, NARROWEST), "  ")
            lines += [f"{indent}{self.paint('=', 'frame')} {head}", *(f"{indent}  {line}" for line in more)]
            lines += [escape_line(line) for line in paste.text.splitlines()]
        return lines

    def _places(self, diagnostic: Diagnostic) -> list[tuple[Source, Span, list[_Underline]]]:
        """Return the ranges to underline, by source; the diagnostic's own source comes first."""
        requests = [(diagnostic.span, "^", "")] if diagnostic.span is not None else []
        requests += [(label.span, "-", self.say(f"label.{label.name}")) for label in diagnostic.labels]
        places: list[tuple[Source, Span, list[_Underline]]] = []
        for span, sign, text in requests:
            marks = next((existing for source, _, existing in places if source == span.source), None)
            if marks is None:
                marks = []
                places.append((span.source, span, marks))
            marks += _marks(span, sign, text)
        return places

    def _excerpt(self, source: Source, marks: Sequence[_Underline], margin: int, severity: str) -> list[str]:
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


def _marks(span: Span, sign: str, text: str) -> list[_Underline]:
    """Return the marks of a span: one, or for several lines one in the first and one in the last."""
    last, end = span.end_line, span.end_column
    while last > span.line and not span.source.line(last)[: end - 1].strip():
        last -= 1
        end = len(span.source.line(last)) + 1
    if last <= span.line:
        return [_Underline(span.line, span.column, max(end, span.column + 1), sign, text)]
    first_end = len(span.source.line(span.line).rstrip()) + 1
    line = span.source.line(last)
    indent = len(line) - len(line.lstrip())
    return [
        _Underline(span.line, span.column, max(first_end, span.column + 1), sign),
        _Underline(last, indent + 1, max(end, indent + 2), sign, text),
    ]


def _clip(line: str, column: int, end: int, room: int) -> tuple[str, int, int]:
    """Return the part of `line` around `column` that fits into `room` cells.

    The other results are the first cell of the underline and its width in cells, at least 1.
    """
    column, end = max(column, 1), max(end, column)
    # Of a very long line, only the part that could be shown is measured.
    first, last = max(0, column - 1 - room), column - 1 + 2 * room
    pieces: list[str] = []
    starts = [0]
    for letter in line[first:last]:
        # A space other than U+0020 is shown as a blank: an escape would look like a part of the adjacent name.
        spaces = TAB - starts[-1] % TAB if letter == "\t" else int(category(letter) == "Zs")
        piece = " " * spaces or escape_line(letter)
        pieces.append(piece)
        starts.append(starts[-1] + cells_of(piece))
    total = starts[-1]
    begin, to = (starts[min(place - 1 - first, len(pieces))] for place in (column, end))
    if 0 < column - 1 - first < len(pieces) and starts[column - first] == begin:
        begin -= 1  # A combining mark is shown with the letter before it.
    low = 0 if not first and (total <= room or begin < room * 2 // 3) else max(0, begin - room // 3)
    before, after = bool(first or low), len(line) > last or total - low > room
    high = low + room - before - after
    visible_pieces = [i for i in range(len(pieces)) if starts[i] >= low and starts[i + 1] <= high]
    origin = starts[visible_pieces[0]] if visible_pieces else low
    shown = ("…" if before else "") + "".join(pieces[i] for i in visible_pieces) + ("…" if after else "")
    return shown.rstrip(), begin - origin + before, max(min(to, high) - begin, 1)


#: Advice message by the name of a finding.
ADVICE: Mapping[str, str] = {
    **dict.fromkeys(("words.untranslated", "words.unknown_message"), "words.do.translate"),
    "words.no_entry": "words.do.entry", "words.fuzzy": "words.do.fuzzy", "words.stale": "words.do.stale",
    **dict.fromkeys(("words.unknown_slot", "words.missing_slot", "words.bad_slot"), "words.do.slot"),
    **dict.fromkeys(("words.bad_mark", "words.no_verb"), "words.do.mark"),
    **dict.fromkeys(("words.unknown_word", "words.word_twice"), "words.do.word"),
    **dict.fromkeys(("words.wrong_case", "words.case_missing"), "words.do.case"),
    "words.no_case": "words.do.slot_case", "words.unknown_term": "words.do.term",
    **dict.fromkeys(("words.no_articles", "words.unknown_article"), "words.do.articles"),
    "words.no_partner": "words.do.partner", "words.unknown_number": "words.do.number",
    "words.unknown_component": "words.do.component",
    **dict.fromkeys(("words.missing_form", "words.unstated_form"), "words.do.form"),
    **dict.fromkeys(("words.unused_message", "words.unused_term", "words.unknown_game"), "words.do.unused"),
    "words.no_gender": "words.do.gender",
    **dict.fromkeys(("words.unknown_feature", "words.unknown_pattern", "words.unknown_section"), "words.do.known"),
    "words.bad_shape": "words.do.shape", "words.quotation": "words.do.marks", "words.spacing": "words.do.spacing",
    **dict.fromkeys(("words.no_conjunction", "words.bare_number"), "words.do.slot_words"),
    "words.missing_plural": "words.do.plural", "words.bad_plural": "words.do.header",
    **dict.fromkeys(("words.entry_twice", "words.key_twice", "words.form_twice"), "words.do.twice"),
    "words.control": "words.do.control", "words.stray_quote": "words.do.quote", "words.not_utf8": "words.do.encoding",
    **dict.fromkeys(("words.tab", "words.bad_yaml"), "words.do.yaml"),
    **dict.fromkeys(("words.bad_catalog", "words.no_context"), "words.do.catalog"),
    "words.unknown_language": "words.do.language",
}  # fmt: skip
