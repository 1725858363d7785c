"""Message catalogs: the sentences of one language, read from PO files."""

from __future__ import annotations

import gettext
import io
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wongar_dsl.base.storage.cache import Cache, memoised
from wongar_dsl.base.terminal_text import escape_text
from wongar_dsl.nlg.words.arguments import WordsError
from wongar_dsl.nlg.words.clause import Template, parse_template

#: The number of plural forms in a header. No language has ten; for billions the parser would reserve memory.
_PLURALS = re.compile(r"nplurals[\s=]*(\d+)", re.IGNORECASE)
_STRING_JOIN = re.compile(r'"\s*\n(?:\s*#.*\n)*\s*"')
_CONTEXT = re.compile(r'^msgctxt +"(.*)"', re.MULTILINE)
#: A quotation mark in the middle of a line: the parser would drop the rest of the line.
_STRAY = re.compile(r'^(?:msg\w+(?:\[\d+\])? *)?"(?:[^"\\\n]|\\.)*"[ \t]*[^\s]', re.MULTILINE)
#: A comment that names the declarations of the rules that a sentence describes.
_ARTICLES = re.compile(r"\s*articles:(.*)")

_HEADER = "Plural-Forms"
#: Content of a file: entries, plural rule, number of plural forms, duplicate entries.
_Content = tuple[dict[str, "CatalogEntry"], str, int, list[tuple[str, int]]]
#: Numbers to test a plural rule with: all rules of all languages depend on the last two or three digits.
_TEST_NUMBERS = (*range(202), 1000, 1001, 1002, 1011, 100_000, 1_000_000, 1_000_001)


class CatalogEntry(NamedTuple):
    """A message: its English sentence, its translations by plural index (usually one), and a fuzzy mark.

    `line` is the first line of the entry in its file, `texts_line` that of its translations. `articles` are the
    declarations of the rules that it describes, as named in a comment above it.
    """

    english: tuple[str, ...]
    texts: tuple[str, ...]
    fuzzy: bool = False
    line: int = 0
    texts_line: int = 0
    articles: tuple[str, ...] = ()

    @property
    def translated(self) -> bool:
        """Return whether the entry has a complete translation that is not fuzzy."""
        return not self.fuzzy and all(self.texts)


@dataclass(frozen=True)
class Catalog:
    """The entries of one language by message name.

    `plural` maps a number to one of `forms` indices. `stated` is true if the file itself declares the plural rule, and
    `source` if the English sentences are its own, so that an entry needs no translation.
    """

    entries: Mapping[str, CatalogEntry]
    plural: Callable[[int], int] = field(default=lambda n: int(n != 1), compare=False)
    forms: int = 2
    stated: bool = True
    source: bool = False
    #: File of each entry; and duplicates within a file or folder, with the file and line of the second one.
    files: Mapping[str, str] = field(default_factory=dict, compare=False)
    twice: tuple[tuple[str, str, int], ...] = ()
    _parsed: dict[str, Template] = field(default_factory=dict, compare=False, repr=False)

    def texts(self, message: str) -> tuple[str, ...]:
        """Return the texts of `message` that may be displayed, one for each plural form; empty if unfinished."""
        entry = self.entries.get(message)
        if entry is None:
            return ()
        return entry.texts if entry.translated else entry.english if self.source and not entry.fuzzy else ()

    def template(self, message: str, n: int | None = None) -> Template | None:
        """Return the sentence of `message` in the form for `n`, or None if it has no displayable one."""
        texts = self.texts(message)
        if not texts:
            return None
        index = self.plural(n) if n is not None and len(texts) > 1 else len(texts) - 1
        text = texts[min(index, len(texts) - 1)]
        if text not in self._parsed:
            self._parsed[text] = parse_template(text, message)
        return self._parsed[text]


def read_catalog(text: str, name: str, cache: Cache | None = None) -> Catalog:
    """Parse the PO file `text`; `name` appears in errors, `cache` stores parsed files.

    Raises `WordsError` for an invalid PO file, an entry without context, an invalid plural rule, and characters that
    could control a terminal.
    """
    return _catalog(text, name, _content(text, name, cache))


def read_catalogs(files: Sequence[tuple[str, str]], cache: Cache | None = None) -> list[Catalog]:
    """Parse several (name, text) files that belong together, like `read_catalog`.

    They share one cache entry, because opening many small entries is slower than reading a large one.
    """
    texts = [text for _, text in files]
    contents = memoised(lambda: [_content(text, name, cache) for name, text in files], cache, "catalogs", *texts)
    return [_catalog(text, name, content) for (name, text), content in zip(files, contents, strict=True)]


def _content(text: str, name: str, cache: Cache | None) -> _Content:
    return memoised(lambda: _read(text, name), cache, "catalog", text)


def _catalog(text: str, name: str, content: _Content) -> Catalog:
    entries, expression, forms, twice = content
    places = tuple((message, name, line) for message, line in twice)
    plural = _safe(gettext.c2py(expression), forms)
    return Catalog(entries, plural, forms, _HEADER in text, False, dict.fromkeys(entries, name), places)


def _read(text: str, name: str) -> _Content:
    joined = _STRING_JOIN.sub("", text)
    if any(len(digits) > 1 for digits in _PLURALS.findall(joined)):
        raise WordsError("words.bad_plural", file=name, line=_line_of(_HEADER, text))
    stray = _STRAY.search(text)
    if stray is not None:
        raise WordsError("words.stray_quote", file=name, line=text[: stray.end()].count("\n") + 1)
    from babel.messages.pofile import read_po

    try:
        read = read_po(io.StringIO(text), abort_invalid=True)
        expression, forms = read.plural_expr, read.num_plurals
    # Files may be untrusted, and the parser raises many kinds of exceptions for invalid ones.
    except Exception as error:
        raise WordsError("words.bad_catalog", file=name, line=_line(error)) from None
    if not _is_plural_rule(expression, forms):
        raise WordsError("words.bad_plural", file=name, line=_line_of(_HEADER, text))
    entries: dict[str, CatalogEntry] = {}
    translations = [number for number, written in enumerate(text.split("\n"), 1) if written.startswith("msgstr")]
    for message in read:
        if not message.id:
            continue
        line = message.lineno or 0
        index = bisect(translations, line)
        below = translations[index] if index < len(translations) else line
        if not message.context:
            raise WordsError("words.no_context", file=name, line=line)
        english = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        shown = tuple(text or "" for text in texts)
        if any(escape_text(part) != part for part in (message.context, *english, *shown)):
            raise WordsError("words.control", file=name, line=line)
        articles = _articles(message.user_comments)
        entries[message.context] = CatalogEntry(tuple(english), shown, message.fuzzy, line, below, articles)
    return entries, expression, forms, _repeated(text)


def _articles(comments: Iterable[str]) -> tuple[str, ...]:
    """Return the declarations named in comments: `articles: play, rule.draw`."""
    named = (match[1] for line in comments if (match := _ARTICLES.match(line)))
    return tuple(name for line in named for name in re.split(r"[\s,]+", line) if name)


def _repeated(text: str) -> list[tuple[str, int]]:
    """Return the message names that occur a second time in the file, with their line numbers."""
    first: dict[str, int] = {}
    places = [(context[1], context.start()) for context in _CONTEXT.finditer(text)]
    return [(name, text[:at].count("\n") + 1) for name, at in places if first.setdefault(name, at) != at]


def _is_plural_rule(expression: str, forms: int) -> bool:
    """Return whether an expression yields an index below `forms` for all test numbers."""
    try:
        rule = gettext.c2py(expression)
        return all(0 <= rule(n) < forms for n in _TEST_NUMBERS)
    # An untrusted expression can divide by zero, recurse without end or overflow.
    except Exception:
        return False


def _safe(rule: Callable[[int], int], forms: int) -> Callable[[int], int]:
    def plural(n: int) -> int:
        try:
            return min(max(rule(n), 0), forms - 1)
        except (ArithmeticError, ValueError):
            return forms - 1

    return plural


def merge(catalogs: Sequence[Catalog], source: bool = False) -> Catalog:
    """Merge catalogs: later entries replace earlier ones, and the last stated plural rule applies."""
    entries: dict[str, CatalogEntry] = {}
    files: dict[str, str] = {}
    twice: list[tuple[str, str, int]] = []
    for catalog in catalogs:
        folders = {entry: files[entry] for entry in catalog.entries if entry in files}
        twice += catalog.twice
        for entry, before in folders.items():
            # An entry in another folder is an intended override; one in the same folder is a mistake.
            if before.rpartition("/")[0] == catalog.files[entry].rpartition("/")[0]:
                twice.append((entry, catalog.files[entry], catalog.entries[entry].line))
        entries.update(catalog.entries)
        files.update(catalog.files)
    ruling = max(reversed(catalogs), key=lambda catalog: catalog.stated, default=Catalog({}))
    return Catalog(entries, ruling.plural, ruling.forms, ruling.stated, source, files, tuple(twice))


def _line_of(word: str, text: str) -> int:
    return text[: max(text.find(word), 0)].count("\n") + 1


def _line(error: Exception) -> int:
    lineno = getattr(error, "lineno", None)
    return lineno + 1 if isinstance(lineno, int) and lineno >= 0 else 0
