"""What is wrong with the words that lie beside rule files, as diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from wongar_dsl.engine import Game
from wongar_dsl.narration.translation import Sayings
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.files import path_from_here
from wongar_dsl.text.span import Source, Span
from wongar_dsl.words import WordsError
from wongar_dsl.words.arguments import Listing
from wongar_dsl.words.catalog_check import check
from wongar_dsl.words.files import Root, read_text
from wongar_dsl.words.findings import Finding
from wongar_dsl.words.locale import load_locale
from wongar_dsl.words.negotiation import ENGLISH, language_meant, languages_in

#: Names of folders that are nearly the one where words are looked for.
_NEARLY = frozenset({"locale", "local", "language", "languages", "lang", "words", "translations", "i18n", "po"})
FOLDER = "locales"

Argument = str | int | tuple[str, ...]


def faults_of(games: Sequence[Game], folder: Path, complete: bool = True) -> Iterator[Diagnostic]:
    """What is wrong with the words in `folder`, the `locales` beside the rules of `games`.

    Without `complete`, some rules beside them could not be read, and what nothing seems to use is not told.
    """
    yield from _folders(folder)
    sources: dict[str, Source] = {}
    for finding in wrong_in(games, folder, languages_in(folder), [folder]):
        if complete or not finding.unused:
            if finding.file not in sources:
                sources[finding.file] = _source(finding.file)
            yield diagnostic(finding, line_span(sources[finding.file], finding.line))


def wrong_in(games: Sequence[Game], folder: Path, languages: Iterable[str], roots: Sequence[Root]) -> Iterator[Finding]:
    """What is wrong, and not only missing, with languages in `folder`; `roots` are all folders that are read."""
    said = Sayings.of(games, scoped=True)
    specs = [replace(spec, needed=False) for spec in said.specs.values()]
    usable = {**said.usable, "": said.usable[""] | frozenset(load_locale(ENGLISH, ()).lexicon.terms)}
    for language in languages:
        below = str(folder / language)
        for finding in check(specs, said.vocabulary, roots, [language], True, usable, below, said.articles):
            if not finding.incomplete and finding.file.startswith(str(folder)):
                yield finding


def diagnostic(finding: Finding, span: Span | None = None) -> Diagnostic:
    """A finding as a diagnostic, about a place in a file."""
    arguments: dict[str, Argument] = {"finding": finding.name}
    for name, value in finding.details.items():
        if isinstance(value, Listing):
            arguments[name] = tuple(str(getattr(item, "text", item)) for item in value.items)
            continue
        text = str(getattr(value, "text", value))
        arguments[name] = value if isinstance(value, int) else path_from_here(text) if name == "file" else text
    return Diagnostic("R0503", span, arguments, suggestion=finding.suggestion)


def _source(file: str) -> Source:
    """A file of words, without its text where that cannot be read."""
    text = ""
    with suppress(WordsError):
        text = read_text(Path(file))
    return Source(path_from_here(file), text)


def line_span(source: Source, line: int) -> Span:
    """A line of a file without its indentation."""
    line = max(line, 1)
    shown = source.line(line)
    start = len(shown) - len(shown.lstrip()) + 1
    return Span(source, line, start, line, max(len(shown) + 1, start + 1))


def _folders(folder: Path) -> Iterator[Diagnostic]:
    """Folders where words would be looked for, if they were called otherwise."""
    with suppress(OSError):
        for beside in sorted(folder.parent.iterdir()):
            if beside.name.lower() in _NEARLY | {FOLDER} and beside.name != FOLDER and languages_in(beside, False):
                yield Diagnostic("R0504", _at(beside), {"name": beside.name}, suggestion=FOLDER)
    with suppress(OSError):
        for inside in sorted(folder.iterdir()):
            if inside.is_dir() and not inside.name.startswith((".", "__")) and inside.name not in languages_in(folder):
                meant = language_meant(inside.name)
                if meant != inside.name:  # One without words yet has its right name all the same.
                    yield Diagnostic("R0504", _at(inside), {"name": inside.name}, suggestion=meant)


def _at(folder: Path) -> Span:
    return Span(Source(path_from_here(str(folder)), ""), 1, 1, 1, 1)
