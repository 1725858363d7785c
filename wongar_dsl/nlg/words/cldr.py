"""CLDR data of a language, read with Babel.

The data that nearly every sentence needs is cached, because Babel loads all data of a language to look up any of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wongar_dsl.base.storage.cache import Cache, memoised

if TYPE_CHECKING:
    from babel import Locale

#: Plural and ordinal categories are cached for numbers below this.
_MAX_CACHED = 200
#: The minus sign; CLDR has a hyphen instead in many languages.
MINUS = "−"


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
        return self._facts.plurals[n] if 0 <= n < _MAX_CACHED else self._locale.plural_form(n)

    def ordinal(self, n: int) -> str:
        """Return the ordinal plural category of `n`: *two* for *2nd*."""
        return self._facts.ordinals[n] if 0 <= n < _MAX_CACHED else self._locale.ordinal_form(n)

    def decimal(self, n: float, pattern: str | None = None) -> str:
        """Format a number in the digits and groups of the language."""
        from babel.numbers import format_decimal

        return format_decimal(n, format=pattern, locale=self._locale).replace("-", MINUS)

    def percent(self, share: float, digits: str) -> str:
        """Format a fraction of 1 as a percentage in the language's style, with the number pattern `digits`."""
        from babel.numbers import format_percent

        pattern = str(self._locale.percent_formats[None].pattern)
        shown = format_percent(share, format=re.sub(r"#.*0", f"#,##{digits}", pattern), locale=self._locale)
        return shown.replace("-", MINUS)

    def moment(self, seconds: float) -> str:
        """Format a Unix time in seconds as a short local date and time."""
        from babel.dates import LOCALTZ, format_datetime

        return format_datetime(seconds, "short", tzinfo=LOCALTZ, locale=self._locale)

    @cached_property
    def _locale(self) -> Locale:
        from babel import Locale

        return Locale.parse(self._facts.code)


def _facts(code: str, otherwise: str) -> _CldrFacts:
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(otherwise)
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
