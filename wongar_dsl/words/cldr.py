"""What CLDR knows of a language, by way of Babel.

What nearly every sentence asks for is kept: to find it out, Babel reads all that it has on a language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wongar_dsl.cache import Cache, remembered

if TYPE_CHECKING:
    from babel import Locale

#: The forms of these numbers are kept.
_KEPT = 200


class _Facts(NamedTuple):
    """What is kept: the language that it was found under, how lists are joined by their style, and the categories of
    plurals and of ordinals of the first numbers."""

    code: str
    lists: Mapping[str, Mapping[str, str]]
    plurals: tuple[str, ...]
    ordinals: tuple[str, ...]


class Cldr:
    """A language in CLDR; of one that it does not have, the lists and numbers are those of `otherwise`."""

    def __init__(self, code: str, otherwise: str, cache: Cache | None = None) -> None:
        self._facts = remembered(lambda: _facts(code, otherwise), cache, "cldr", code, otherwise, _edition())

    @property
    def lists(self) -> Mapping[str, Mapping[str, str]]:
        """The patterns of lists by their style."""
        return self._facts.lists

    def plural(self, n: int) -> str:
        """The category of a number where so many are counted: *one*, *other*."""
        return self._facts.plurals[n] if 0 <= n < _KEPT else self._locale.plural_form(n)

    def ordinal(self, n: int) -> str:
        """The category of a number where it counts through: of *2nd*, say, *two*."""
        return self._facts.ordinals[n] if 0 <= n < _KEPT else self._locale.ordinal_form(n)

    def decimal(self, n: float, pattern: str | None = None) -> str:
        """A number in the digits and groups of the language."""
        from babel.numbers import format_decimal

        return format_decimal(n, format=pattern, locale=self._locale)

    def percent(self, share: float, digits: str) -> str:
        """A share of one in percent, as the language writes that, with digits as a pattern has them."""
        from babel.numbers import format_percent

        pattern = str(self._locale.percent_formats[None].pattern)
        return format_percent(share, format=re.sub(r"#.*0", f"#,##{digits}", pattern), locale=self._locale)

    def moment(self, seconds: float) -> str:
        """The day and the time of day so many seconds after 1970 began, in short."""
        from babel.dates import LOCALTZ, format_datetime

        return format_datetime(seconds, "short", tzinfo=LOCALTZ, locale=self._locale)

    @cached_property
    def _locale(self) -> Locale:
        from babel import Locale

        return Locale.parse(self._facts.code)


def _facts(code: str, otherwise: str) -> _Facts:
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(otherwise)
    lists = {
        style: {part: str(pattern) for part, pattern in patterns.items()}
        for style, patterns in locale.list_patterns.items()
    }
    plurals, ordinals = (tuple(map(form, range(_KEPT))) for form in (locale.plural_form, locale.ordinal_form))
    return _Facts(str(locale), lists, plurals, ordinals)


def _edition() -> str:
    """What tells the Babel that is installed from others, without importing it."""
    found = find_spec("babel")
    if found is None or found.origin is None:
        return ""
    status = Path(found.origin).stat()
    return f"{found.origin} {status.st_size} {status.st_mtime_ns}"
