"""Diagnostics for the lexicons and catalogs beside rule files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.engine import Game
from wongar_dsl.engine.rule_cases.file import file_source, line_span
from wongar_dsl.nlg.translation import MessageInventory
from wongar_dsl.nlg.words.arguments import Listing
from wongar_dsl.nlg.words.babel_locale import language_from_name
from wongar_dsl.nlg.words.catalog_check import LintFinding, check
from wongar_dsl.nlg.words.languages import ENGLISH, Root, languages_in
from wongar_dsl.nlg.words.languages import MAX_FILE_BYTES as MAX_WORDS_BYTES

#: Likely misspellings of the folder name `locales`.
_NEARLY = frozenset({"locale", "local", "language", "languages", "lang", "words", "translations", "i18n", "po"})
FOLDER = "locales"

Argument = str | int | tuple[str, ...]


def faults_of(games: Sequence[Game], folder: Path, complete: bool = True) -> Iterator[Diagnostic]:
    """Yield the faults of the text in `folder`, the `locales` beside the rules of `games`.

    Without `complete`, some of those rules could not be read, so unused text is not reported.
    """
    yield from _folders(folder)
    sources: dict[str, Source] = {}
    languages = languages_in(folder)
    for finding in language_faults(games, folder, languages, [folder], complete) if languages else ():
        if finding.file not in sources:
            sources[finding.file] = file_source(Path(finding.file), "", MAX_WORDS_BYTES)
        yield words_fault(finding, line_span(sources[finding.file], finding.line))


def language_faults(
    games: Sequence[Game], folder: Path, languages: Iterable[str], roots: Sequence[Root], complete: bool = False
) -> Iterator[LintFinding]:
    """Yield faults, but not missing text, of languages in `folder`; `roots` are all folders that are read.

    Unused text is a fault if the games are `complete`.
    """
    sayings = MessageInventory.collect(games, scoped=True)
    specs = [replace(spec, needed=False) for spec in sayings.specs.values()]
    for language in languages:
        below = str(folder / language)
        words = (sayings.vocabulary, roots, [language], True, sayings.usable, below, sayings.articles)
        for finding in check(specs, *words):
            if not finding.incomplete and finding.file.startswith(str(folder)) and (complete or not finding.unused):
                yield finding


def words_fault(finding: LintFinding, span: Span | None = None) -> Diagnostic:
    """Convert a finding to a diagnostic at a source position."""
    arguments: dict[str, Argument] = {"finding": finding.name}
    for name, value in finding.details.items():
        if isinstance(value, Listing):
            arguments[name] = tuple(str(getattr(item, "text", item)) for item in value.items)
            continue
        text = str(getattr(value, "text", value))
        arguments[name] = value if isinstance(value, int) else relative_path(text) if name == "file" else text
    return Diagnostic("R0503", span, arguments, suggestion=finding.suggestion)


def _folders(folder: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics for misnamed folders: beside `locales`, or languages inside of it."""
    with suppress(OSError):
        for beside in sorted(folder.parent.iterdir()):
            if beside.name.lower() in _NEARLY | {FOLDER} and beside.name != FOLDER and languages_in(beside, False):
                yield Diagnostic("R0504", _at(beside), {"name": beside.name}, suggestion=FOLDER)
    with suppress(OSError):
        for inside in sorted(folder.iterdir()):
            if inside.is_dir() and not inside.name.startswith((".", "__")) and inside.name not in languages_in(folder):
                language = language_from_name(inside.name, ENGLISH)
                if language != inside.name:  # A folder without content can still have a correct name.
                    yield Diagnostic("R0504", _at(inside), {"name": inside.name}, suggestion=language)


def _at(folder: Path) -> Span:
    return Span(Source(relative_path(str(folder)), ""), 1, 1, 1, 1)
