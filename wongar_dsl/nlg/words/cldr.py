"""CLDR data of a language, read with Babel, and lists in its patterns.

The data that nearly every sentence needs is cached, because Babel loads all data of a language to look up any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wongar_dsl.base.storage.cache import Cache, memoised
from wongar_dsl.nlg.words.arguments import Listing, Sentence, Value
from wongar_dsl.nlg.words.clause import Template
from wongar_dsl.nlg.words.lexicon import Lexicon

if TYPE_CHECKING:
    from wongar_dsl.nlg.words.babel_locale import BabelLocale

#: Plural and ordinal categories are cached for numbers below this.
_MAX_CACHED = 200


class _CldrFacts(NamedTuple):
    """The cached data: resolved language code, list patterns, cardinal and ordinal categories of small numbers."""

    code: str
    lists: Mapping[str, Mapping[str, str]]
    plurals: tuple[str, ...]
    ordinals: tuple[str, ...]


class Cldr:
    """A language in CLDR; for one unknown to CLDR, lists and numbers are those of the language `otherwise`."""

    def __init__(self, code: str, otherwise: str, cache: Cache | None = None) -> None:
        self._facts = memoised(lambda: _facts(code, otherwise), cache, "cldr", code, otherwise, _edition())

    @property
    def lists(self) -> Mapping[str, Mapping[str, str]]:
        """The list patterns by style."""
        return self._facts.lists

    def plural(self, n: int) -> str:
        """Return the cardinal plural category of `n`: *one*, *other*."""
        return self._facts.plurals[n] if 0 <= n < _MAX_CACHED else self.full.data.plural_form(n)

    def ordinal(self, n: int) -> str:
        """Return the ordinal plural category of `n`: *two* for *2nd*."""
        return self._facts.ordinals[n] if 0 <= n < _MAX_CACHED else self.full.data.ordinal_form(n)

    @cached_property
    def full(self) -> BabelLocale:
        """All data of the language."""
        locale = load_babel(self._facts.code)
        assert locale is not None
        return locale


def load_babel(code: str) -> BabelLocale | None:
    """Return the data of a language, or None if CLDR does not know it."""
    from wongar_dsl.nlg.words.babel_locale import babel_locale  # Slow to import.

    return babel_locale(code)


def _facts(code: str, otherwise: str) -> _CldrFacts:
    babel = load_babel(code) or load_babel(otherwise)
    assert babel is not None
    locale = babel.data
    lists = {
        style: {part: str(pattern) for part, pattern in patterns.items()}
        for style, patterns in locale.list_patterns.items()
    }
    plurals, ordinals = (tuple(map(form, range(_MAX_CACHED))) for form in (locale.plural_form, locale.ordinal_form))
    return _CldrFacts(str(locale), lists, plurals, ordinals)


def _edition() -> str:
    """Return a cache key for the installed Babel, without importing it."""
    spec = find_spec("babel")
    if spec is None or spec.origin is None:
        return ""
    status = Path(spec.origin).stat()
    return f"{spec.origin} {status.st_size} {status.st_mtime_ns}"


def join_list(items: Sequence[str], patterns: Mapping[str, str], lexicon: Lexicon, comma: bool = False) -> str:
    """Join the items; the conjunction has its form before the last item (*Anna ed Eva*).

    With `comma`, a comma precedes the conjunction.
    """
    if len(items) == 1:
        return items[0]
    written = patterns
    if comma:
        written = {name: _with_comma(pattern, patterns["middle"]) for name, pattern in patterns.items()}
    if len(items) == 2 and "2" in written:
        return _phonetic_conjunction(written["2"], items[1], lexicon).format(*items)
    text = written["start"].format(items[0], items[1]) if len(items) > 2 else items[0]
    for item in items[2:-1]:
        text = written["middle"].format(text, item)
    return _phonetic_conjunction(written["end"], items[-1], lexicon).format(text, items[-1])


def chain(entries: Sequence[str], patterns: Mapping[str, str]) -> str:
    """Join the entries without a conjunction."""
    # The pattern is CLDR's own, so it is safe to format; the entries are only inserted.
    return reduce(patterns["middle"].format, entries)


def has_list(value: Value) -> bool:
    """Return whether a clause contains a list of several things."""
    values = value.values.values() if isinstance(value, Sentence) else ()
    return any(isinstance(inner, Listing) and len(inner.items) > 1 for inner in values)


def list_text(
    listing: Listing,
    texts: Sequence[str],
    patterns: Mapping[str, str],
    lexicon: Lexicon,
    template: Callable[[str], Template],
) -> str:
    """Join the rendered `texts` of a list; `template` returns the sentence of a message."""
    if listing.more:
        return chain([*texts, "…"], patterns)
    shares = _shares(listing.items, template)
    wholes = []
    for share in shares:
        nested = lexicon.clauses.serial and any(map(has_list, listing.items[share][:-1]))
        wholes.append(join_list(texts[share], patterns, lexicon, nested))
    # A comma keeps the last clause apart from a list before or in it: *Ben gains 3 and 4, and Cleo 5*.
    listed = any(len(listing.items[share]) > 1 or any(map(has_list, listing.items[share])) for share in shares[-2:])
    return join_list(wholes, patterns, lexicon, lexicon.clauses.serial or listed)


def _shares(items: Sequence[Value], template: Callable[[str], Template]) -> list[slice]:
    """Group the items by subject, if the first verb serves several subjects and one of them has a list.

    *Ben gains 3 and 4, and Cleo 5*: in one list, an *and* before *Cleo* would attach her clause to Ben's list. A list
    that needs no grouping is one share.
    """
    starts = [
        index for index, item in enumerate(items) if not index or not (isinstance(item, Sentence) and item.joined)
    ]
    if len(starts) == len(items) and not any(map(has_list, items)):
        return [slice(None)]
    verbs = [
        isinstance(part := items[index], Sentence) and template(part.message).clause is not None for index in starts
    ]
    if len(starts) < 2 or verbs != [True, *[False] * (len(starts) - 1)]:
        return [slice(None)]
    return [slice(start, end) for start, end in pairwise([*starts, len(items)])]


def _phonetic_conjunction(pattern: str, after: str, lexicon: Lexicon) -> str:
    """Return a pattern with the form that its conjunction has before the word `after`: *e*, or *ed* before *Eva*."""
    heard = lexicon.initial_sounds(after)
    words = pattern.split(" ")
    forms = [lexicon.conjunctions.get(word) for word in words]
    return " ".join((form.pick(heard) if form else None) or word for form, word in zip(forms, words, strict=True))


def _with_comma(pattern: str, middle: str) -> str:
    """Return a pattern with a comma before its conjunction: *{0}, and {1}*."""
    comma = middle.removeprefix("{0}").removesuffix("{1}").rstrip()
    return pattern if pattern.startswith(f"{{0}}{comma}") else pattern.replace("{0}", f"{{0}}{comma}")
