"""The sentences of one language, from PO files."""

from __future__ import annotations

import gettext
import io
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wongar_dsl.cache import Cache, remembered
from wongar_dsl.text.escapes import printable
from wongar_dsl.words.arguments import Text
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.template import Template, parse_template

#: A header that promises billions of plural forms would make the parser reserve them; no language has ten.
_PLURALS = re.compile(r"nplurals[\s=]*(\d+)", re.IGNORECASE)
_BETWEEN = re.compile(r'"\s*\n(?:\s*#.*\n)*\s*"')
_CONTEXT = re.compile(r'^msgctxt +"(.*)"', re.MULTILINE)
#: A quotation mark in the middle of a line, which the parser would drop with all that follows.
_STRAY = re.compile(r'^(?:msg\w+(?:\[\d+\])? *)?"(?:[^"\\\n]|\\.)*"[ \t]*[^\s]', re.MULTILINE)
#: A comment that says which articles of the rules a sentence speaks of.
_ARTICLES = re.compile(r"\s*articles:(.*)")

_HEADER = "Plural-Forms"
#: What a file holds: its entries, its plural rule and how many forms that has, and the entries that it has twice.
_Content = tuple[dict[str, "Entry"], str, int, list[tuple[str, int]]]
#: Numbers that a plural rule is tried with: all rules of all languages look at the last two or three digits.
_TRIED = (*range(202), 1000, 1001, 1002, 1011, 100_000, 1_000_000, 1_000_001)


class Entry(NamedTuple):
    """One message: the English sentence, its translations by plural index (mostly one), and whether it is doubtful.

    `line` is where it begins in its file, `texts_line` where its translations do.  `articles` are those of the rules
    that it speaks of, as a comment above it names them.
    """

    english: tuple[str, ...]
    texts: tuple[str, ...]
    fuzzy: bool = False
    line: int = 0
    texts_line: int = 0
    articles: tuple[str, ...] = ()

    @property
    def translated(self) -> bool:
        """Whether there is a translation that may be shown."""
        return not self.fuzzy and all(self.texts)

    def shown(self, source: bool) -> tuple[str, ...]:
        """The texts that may be shown, none where nobody has finished them; with `source`, the English ones count."""
        return self.texts if self.translated else self.english if source and not self.fuzzy else ()


@dataclass(frozen=True)
class Catalog:
    """The entries of one language by message name.

    `plural` gives the index of a translation for a number, one of `forms`; `stated`: its file says so itself.
    """

    entries: Mapping[str, Entry]
    plural: Callable[[int], int] = field(default=lambda n: int(n != 1), compare=False)
    forms: int = 2
    stated: bool = True
    #: The file of each entry, and the entries that a file or folder has twice, with the file and line of the second.
    files: Mapping[str, str] = field(default_factory=dict, compare=False)
    twice: tuple[tuple[str, str, int], ...] = ()
    _parsed: dict[str, Template] = field(default_factory=dict, compare=False, repr=False)

    def template(self, message: str, n: int | None = None, source: bool = False) -> Template | None:
        """The sentence of `message`, in the form for `n`; None where there is none that may be shown.

        With `source`, an entry without translation gives its English sentence: that is how the English catalog reads.
        """
        entry = self.entries.get(message)
        texts = entry.shown(source) if entry is not None else ()
        if not texts:
            return None
        index = self.plural(n) if n is not None and len(texts) > 1 else len(texts) - 1
        text = texts[min(index, len(texts) - 1)]
        if text not in self._parsed:
            self._parsed[text] = parse_template(text, message)
        return self._parsed[text]

    def shows(self, message: str, source: bool = False) -> bool:
        """Whether there is a sentence of `message` that may be shown, and whose slots can be understood."""
        try:
            return self.template(message, source=source) is not None
        except WordsError:
            return False


def read_catalog(text: str, name: str, cache: Cache | None = None) -> Catalog:
    """The catalog that the PO file `text` holds; `name` is told in errors, `cache` keeps what was read before.

    Raises `WordsError` for what is no PO file, for an entry without context, for a plural rule that is none, and for
    characters that would steer a terminal.
    """
    return _catalog(text, name, _content(text, name, cache))


def read_catalogs(files: Sequence[tuple[str, str]], cache: Cache | None = None) -> list[Catalog]:
    """As `read_catalog`, for files that belong together, each its name and its text.

    They are kept together too: it takes longer to open many small things than to read a large one.
    """
    texts = [text for _, text in files]
    contents = remembered(lambda: [_content(text, name, cache) for name, text in files], cache, "catalogs", *texts)
    return [_catalog(text, name, content) for (name, text), content in zip(files, contents, strict=True)]


def _content(text: str, name: str, cache: Cache | None) -> _Content:
    return remembered(lambda: _read(text, name), cache, "catalog", text)


def _catalog(text: str, name: str, content: _Content) -> Catalog:
    entries, expression, forms, twice = content
    places = tuple((message, name, line) for message, line in twice)
    plural = _safe(gettext.c2py(expression), forms)
    return Catalog(entries, plural, forms, _HEADER in text, dict.fromkeys(entries, name), places)


def _read(text: str, name: str) -> _Content:
    joined = _BETWEEN.sub("", text)
    if any(len(digits) > 1 for digits in _PLURALS.findall(joined)):
        raise _bad("words.bad_plural", name, _line_of(_HEADER, text))
    stray = _STRAY.search(text)
    if stray is not None:
        raise _bad("words.stray_quote", name, text[: stray.end()].count("\n") + 1)
    from babel.messages.pofile import read_po

    try:
        read = read_po(io.StringIO(text), abort_invalid=True)
        expression, forms = read.plural_expr, read.num_plurals
    # The file may come from a stranger, and the parser answers broken ones with many kinds of exceptions.
    except Exception as error:
        raise _bad("words.bad_catalog", name, _line(error)) from None
    if not _is_plural_rule(expression, forms):
        raise _bad("words.bad_plural", name, _line_of(_HEADER, text))
    entries: dict[str, Entry] = {}
    translations = [number for number, written in enumerate(text.split("\n"), 1) if written.startswith("msgstr")]
    for message in read:
        if not message.id:
            continue
        line = message.lineno or 0
        at = bisect(translations, line)
        below = translations[at] if at < len(translations) else line
        if not message.context:
            raise _bad("words.no_context", name, line)
        english = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        shown = tuple(text or "" for text in texts)
        if any(printable(part) != part for part in (message.context, *english, *shown)):
            raise _bad("words.control", name, line)
        articles = _articles(message.user_comments)
        entries[message.context] = Entry(tuple(english), shown, message.fuzzy, line, below, articles)
    return entries, expression, forms, _repeated(text)


def _articles(comments: Iterable[str]) -> tuple[str, ...]:
    """The articles that comments name: `articles: play, rule.draw`."""
    named = (found[1] for line in comments if (found := _ARTICLES.match(line)))
    return tuple(name for line in named for name in re.split(r"[\s,]+", line) if name)


def _repeated(text: str) -> list[tuple[str, int]]:
    """The message names that stand in the file a second time, with their lines."""
    seen: set[str] = set()
    found: list[tuple[str, int]] = []
    for context in _CONTEXT.finditer(text):
        if context[1] in seen:
            found.append((context[1], text[: context.start()].count("\n") + 1))
        seen.add(context[1])
    return found


def _is_plural_rule(expression: str, forms: int) -> bool:
    """Whether an expression gives one of so many forms for every number that tells rules apart."""
    try:
        rule = gettext.c2py(expression)
        return all(0 <= rule(n) < forms for n in _TRIED)
    # Division by zero, recursion without end, numbers without end: whatever a stranger writes there.
    except Exception:
        return False


def _safe(rule: Callable[[int], int], forms: int) -> Callable[[int], int]:
    def plural(n: int) -> int:
        try:
            return min(max(rule(n), 0), forms - 1)
        except (ArithmeticError, ValueError):
            return forms - 1

    return plural


def merge(catalogs: Sequence[Catalog]) -> Catalog:
    """One catalog of several: a later entry takes the place of an earlier one, as the last stated plural rule does."""
    if not catalogs:
        return Catalog({})
    entries: dict[str, Entry] = {}
    files: dict[str, str] = {}
    twice: list[tuple[str, str, int]] = []
    for catalog in catalogs:
        folders = {entry: files[entry] for entry in catalog.entries if entry in files}
        twice += catalog.twice
        for entry, before in folders.items():
            # In another folder it is meant to take the place; in the same one it is a mistake.
            if before.rpartition("/")[0] == catalog.files[entry].rpartition("/")[0]:
                twice.append((entry, catalog.files[entry], catalog.entries[entry].line))
        entries.update(catalog.entries)
        files.update(catalog.files)
    ruling = next((catalog for catalog in reversed(catalogs) if catalog.stated), catalogs[-1])
    return Catalog(entries, ruling.plural, ruling.forms, ruling.stated, files, tuple(twice))


def _line_of(word: str, text: str) -> int:
    return text[: max(text.find(word), 0)].count("\n") + 1


def _bad(message: str, name: str, line: int) -> WordsError:
    return WordsError(message, {"file": Text(name), "line": line})


def _line(error: Exception) -> int:
    found = getattr(error, "lineno", None)
    return found + 1 if isinstance(found, int) and found >= 0 else 0
