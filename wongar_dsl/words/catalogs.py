"""The sentences of one language, from PO files."""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from wongar_dsl.cache import Cache
from wongar_dsl.words.arguments import Text
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.template import Template, parse_template

#: A header that promises billions of plural forms would make the parser reserve them; no language has ten.
_PLURALS = re.compile(r"nplurals[\s=]*(\d+)", re.IGNORECASE)
_BETWEEN = re.compile(r'"\s*\n(?:\s*#.*\n)*\s*"')


@dataclass(frozen=True, slots=True)
class Entry:
    """One message: the English sentence, its translations by plural index (mostly one), and whether it is doubtful."""

    english: tuple[str, ...]
    texts: tuple[str, ...]
    fuzzy: bool = False
    line: int = 0

    @property
    def translated(self) -> bool:
        """Whether there is a translation that may be shown."""
        return not self.fuzzy and all(self.texts)


@dataclass(frozen=True)
class Catalog:
    """The entries of one language by message name.  `plural` gives the index of a translation for a number."""

    entries: Mapping[str, Entry]
    plural: Callable[[int], int] = field(default=lambda n: int(n != 1), compare=False)
    _parsed: dict[str, Template] = field(default_factory=dict, compare=False, repr=False)

    def template(self, message: str, n: int | None = None, source: bool = False) -> Template | None:
        """The sentence of `message`, in the form for `n`; None where there is none that may be shown.

        With `source`, an entry without translation gives its English sentence: that is how the English catalog reads.
        """
        entry = self.entries.get(message)
        if entry is None:
            return None
        texts = entry.texts if entry.translated else entry.english if source else ()
        if not texts:
            return None
        index = self.plural(n) if n is not None and len(texts) > 1 else len(texts) - 1
        text = texts[min(index, len(texts) - 1)]
        if text not in self._parsed:
            self._parsed[text] = parse_template(text, message)
        return self._parsed[text]


def read_catalog(text: str, name: str, cache: Cache | None = None) -> Catalog:
    """The catalog that the PO file `text` holds; `name` is told in errors, `cache` keeps what was read before.

    Raises `WordsError` for what is no PO file, for an entry without context, and for a plural rule that is none.
    """
    kept = cache.load("catalog", text) if cache is not None else None
    if kept is not None:
        return Catalog(kept[0], gettext.c2py(kept[1]))
    joined = _BETWEEN.sub("", text)
    if any(len(digits) > 1 for digits in _PLURALS.findall(joined)):
        raise WordsError("words.bad_catalog", {"file": Text(name), "line": 1})
    from babel.messages.pofile import read_po

    try:
        read = read_po(io.StringIO(text), abort_invalid=True)
        plural = gettext.c2py(read.plural_expr)
    # The file may come from a stranger, and the parser answers broken ones with many kinds of exceptions.
    except Exception as error:
        raise WordsError("words.bad_catalog", {"file": Text(name), "line": _line(error)}) from None
    entries: dict[str, Entry] = {}
    for message in read:
        if not message.id:
            continue
        line = message.lineno or 0
        if not message.context:
            raise WordsError("words.no_context", {"file": Text(name), "line": line})
        english = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        entries[message.context] = Entry(
            tuple(english), tuple(text or "" for text in texts), fuzzy=message.fuzzy, line=line
        )
    if cache is not None:
        cache.save((entries, read.plural_expr), "catalog", text)
    return Catalog(entries, plural)


def merge(catalogs: Sequence[Catalog]) -> Catalog:
    """One catalog of several; a later entry takes the place of an earlier one, and the last plural rule holds."""
    entries: dict[str, Entry] = {}
    for catalog in catalogs:
        entries.update(catalog.entries)
    return Catalog(entries, catalogs[-1].plural) if catalogs else Catalog(entries)


def _line(error: Exception) -> int:
    found = getattr(error, "lineno", None)
    return found + 1 if isinstance(found, int) and found >= 0 else 0
