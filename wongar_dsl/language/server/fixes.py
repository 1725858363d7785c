"""Quick fixes: generated from the data of a diagnostic, tested, and offered only if they help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language.server.symbols import Snapshot, TextPosition, lines_of, part, read_snapshot
from wongar_dsl.nlg.translation import FOLDER, prepare_stubs
from wongar_dsl.nlg.words import Text, Translator, WordsError
from wongar_dsl.nlg.words.languages import read_text

#: Maximum number of fixes that are tested for one mistake.
MAX_FIXES_TRIED = 6
#: Expectations of the parser that are not literal text.
_NO_TEXT = frozenset({"name", "number", "text", "end of line", "indented block", "value"})


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of a span, in one line or several."""

    span: Span
    new: str


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file with its edits; `text` is its content before them, `new` tells whether it has to be created."""

    path: Path
    text: str
    edits: tuple[Edit, ...]
    new: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """A quick fix: edits of the file itself, and of other `files`.

    `preferred`: it is the only possible fix.
    """

    title: str
    edits: tuple[Edit, ...]
    diagnostic: Diagnostic
    preferred: bool = False
    files: tuple[ChangedFile, ...] = ()


def fixes(snapshot: Snapshot, place: Span, texts: Mapping[Path, str], words: Translator) -> tuple[Fix, ...]:
    """Return the quick fixes for the mistakes in a file at a span."""
    own_file = snapshot.file
    if own_file is None:
        return ()
    results: list[Fix] = []
    for diagnostic in snapshot.loaded.diagnostics:
        span = diagnostic.span
        if span is None or span.source.name != own_file.source.name or not _overlap(span, place):
            continue
        helping: dict[str, Fix] = {}
        for fix in islice(_possible(diagnostic, span, snapshot, words), MAX_FIXES_TRIED):
            if fix.title not in helping and _helps(fix, snapshot, texts):
                helping[fix.title] = fix
        results += helping.values()
    return (*results, *_missing_texts_added(snapshot, place, words))


def _missing_texts_added(snapshot: Snapshot, place: Span, words: Translator) -> Iterator[Fix]:
    """Yield a fix that adds entries for all missing texts, at a name or message without a text."""
    missing = snapshot.missing_texts if snapshot.missing_texts_ready else ()
    text = next(
        (text for text in missing if (span := text.diagnostic.span) and _overlap(span, place)),
        None,
    )
    rules = snapshot.loaded.rules
    folder = rules.folders[0] if text is not None and rules is not None and rules.folders else None
    if text is None or not isinstance(folder, Path):
        return
    with suppress(WordsError):  # an unreadable catalog or lexicon is left unchanged
        files = prepare_stubs(snapshot.missing_texts, folder.resolve() / FOLDER)
        if files:
            entry_count = sum(file.entries for file in files.values())
            changed = tuple(minimal_change(path, file.text) for path, file in sorted(files.items()))
            yield Fix(words.say("editor.fix.words", n=entry_count), (), text.diagnostic, files=changed)


def minimal_change(path: Path, text: str) -> ChangedFile:
    """Return a file with the single edit that turns its content into `text`; the edit covers whole lines."""
    exists = path.exists()
    old = read_text(path) if exists else ""
    before, after = old.split("\n"), text.split("\n")
    most = min(len(before), len(after)) - 1
    first = next((n for n in range(most) if before[n] != after[n]), most)
    last = next((n for n in range(most - first) if before[-1 - n] != after[-1 - n]), most - first)
    end = len(before) - last
    span = Span(Source(str(path), old), first + 1, 1, end, len(before[end - 1]) + 1)
    return ChangedFile(path, old, (Edit(span, "\n".join(after[first : len(after) - last])),), not exists)


def _overlap(one: Span, other: Span) -> bool:
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line, one.end_column,
    )  # fmt: skip


def _possible(diagnostic: Diagnostic, span: Span, snapshot: Snapshot, words: Translator) -> Iterator[Fix]:
    """Yield candidates for a fix, the likeliest first."""
    source, lines = span.source, snapshot.lines
    line = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
    wrong_word = _wrong_word(diagnostic, span, line)

    def replaced(new: str, old: Span = wrong_word, preferred: bool = False) -> Fix:
        title = words.say("editor.fix.replace", new=Text(new))
        return Fix(title, (Edit(old, new), *_same_mistakes(diagnostic, old, new, lines)), diagnostic, preferred)

    if diagnostic.suggestion is not None:
        yield replaced(diagnostic.suggestion, preferred=True)
        earlier = line[: span.column - 1].rstrip()
        start = len(earlier) - len(earlier.split()[-1]) if earlier.split() else 0
        yield replaced(diagnostic.suggestion, part(source, span.line, start + 1, wrong_word.end_column - start - 1))
    hint = diagnostic.hint
    arguments = hint.arguments if hint is not None else {}
    if hint is not None and hint.name == "remove_too":
        new = str(arguments["article"])
        end = Span(source, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
        gap = "\n" if not lines[-1] else "\n\n"
        yield Fix(words.say("editor.fix.append", new=Text(new)), (Edit(end, f"{gap}{new}\n"),), diagnostic, True)
    elif hint is not None and hint.name == "leave_out":
        yield _left_out(diagnostic, str(arguments["word"]), span, line, words)
    elif hint is not None and hint.name == "another_name":
        yield from _renamed(diagnostic, str(arguments["example"]), snapshot, words)
    for value in (arguments.get("values", ()), arguments.get("low", ())):
        for new in value if isinstance(value, tuple) else value.split(", "):
            yield replaced(new)
    expected = diagnostic.arguments.get("expected")
    if (
        diagnostic.code == "R0107"
        and isinstance(expected, tuple)
        and len(expected) == 1
        and expected[0] not in _NO_TEXT
    ):
        new = f" {expected[0]}" if expected[0].isalnum() else expected[0]
        insertion = part(source, span.line, span.column, 0)
        yield Fix(words.say("editor.fix.insert", new=Text(expected[0])), (Edit(insertion, new),), diagnostic, True)
    if diagnostic.code in ("R0106", "R0111"):
        old = part(source, span.line, span.column, max(span.end_column - span.column, 1))
        characters = line[old.column - 1 : old.end_column - 1]
        new = characters.expandtabs(4) if diagnostic.code == "R0106" else " "
        yield Fix(words.say("editor.fix.spaces"), (Edit(old, new),), diagnostic, True)


def _wrong_word(diagnostic: Diagnostic, span: Span, line: str) -> Span:
    """Return the span of the wrong word within the span of a diagnostic."""
    for name in ("name", "found", "character", "option"):
        word = diagnostic.arguments.get(name)
        if isinstance(word, str) and word and line[span.column - 1 :].startswith(word):
            return part(span.source, span.line, span.column, len(word))
    end = span.end_column if span.end_line == span.line else len(line) + 1
    return part(span.source, span.line, span.column, min(end, len(line) + 1) - span.column)


def _same_mistakes(diagnostic: Diagnostic, first: Span, new: str, lines: Sequence[str]) -> Iterator[Edit]:
    """Yield edits for the same mistake at the other places of a diagnostic."""
    old = _text_at(first, lines)
    for label in diagnostic.labels:
        span = part(first.source, label.span.line, label.span.column, len(old))
        if label.name == "used" and label.span.source.name == first.source.name and _text_at(span, lines) == old:
            yield Edit(span, new)


def _text_at(span: Span, lines: Sequence[str]) -> str:
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""


def _left_out(diagnostic: Diagnostic, word: str, span: Span, line: str, words: Translator) -> Fix:
    start = span.column
    # The space before it is removed too.
    while start > 1 and line[start - 2] == " " and line[: start - 2].strip():
        start -= 1
    old = part(span.source, span.line, start, span.column - start + len(word))
    return Fix(words.say("editor.fix.delete", old=Text(word)), (Edit(old, ""),), diagnostic, True)


def _renamed(diagnostic: Diagnostic, new: str, snapshot: Snapshot, words: Translator) -> Iterator[Fix]:
    """Yield a fix that replaces an invalid name everywhere in the file."""
    assert diagnostic.span is not None
    name = snapshot.at(TextPosition(diagnostic.span.line, diagnostic.span.column))
    if name is not None:
        edits = [Edit(occurrence.span, new) for occurrence in snapshot.names if occurrence.symbol == name.symbol]
        yield Fix(words.say("editor.fix.replace", new=Text(new)), tuple(edits), diagnostic)


def _helps(fix: Fix, snapshot: Snapshot, texts: Mapping[Path, str]) -> bool:
    """Return whether a fix removes the mistake without causing another of its kind or of an earlier phase.

    When a line becomes parsable, errors of a later phase may appear.
    """
    text = apply_edits(snapshot.file.source.text if snapshot.file is not None else "", fix.edits)
    after = read_snapshot(snapshot.path, {**texts, snapshot.path: text}).loaded.diagnostics
    before, fixed = snapshot.loaded.diagnostics, fix.diagnostic

    def same(found: Sequence[Diagnostic]) -> int:
        return sum((d.code, dict(d.arguments)) == (fixed.code, dict(fixed.arguments)) for d in found)

    def errors(found: Sequence[Diagnostic]) -> int:
        return sum(d.severity is Severity.ERROR and d.code[:3] <= fixed.code[:3] for d in found)

    is_error = fixed.severity is Severity.ERROR
    return same(after) < same(before) and errors(after) <= errors(before) - is_error


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with some spans replaced."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = lines_of(text)

    def offset(line: int, column: int) -> int:
        line = min(max(line, 1), len(lines))
        return starts[line - 1] + min(column - 1, len(lines[line - 1]))

    for edit in sorted(edits, key=lambda edit: (edit.span.line, edit.span.column), reverse=True):
        span = edit.span
        text = text[: offset(span.line, span.column)] + edit.new + text[offset(span.end_line, span.end_column) :]
    return text
