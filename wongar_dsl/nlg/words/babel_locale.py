"""Data of Babel about one language. Only sentences with facts that are not cached need this module (see `cldr`)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from babel import Locale, UnknownLocaleError
from babel.dates import LOCALTZ, format_datetime
from babel.localedata import locale_identifiers
from babel.numbers import format_decimal, format_percent

from wongar_dsl.base.did_you_mean import did_you_mean

#: The minus sign; CLDR has a hyphen instead in many languages.
MINUS = "−"


@dataclass(frozen=True, slots=True)
class BabelLocale:
    """The data of one language, and the formats of numbers and times in it."""

    data: Locale

    def decimal(self, n: float, pattern: str | None = None) -> str:
        """Format a number in the digits and groups of the language."""
        return format_decimal(n, format=pattern, locale=self.data).replace("-", MINUS)

    def percent(self, share: float, digits: str) -> str:
        """Format a fraction of 1 as a percentage in the language's style, with the number pattern `digits`."""
        pattern = re.sub(r"#.*0", f"#,##{digits}", str(self.data.percent_formats[None].pattern))
        return format_percent(share, format=pattern, locale=self.data).replace("-", MINUS)

    def moment(self, seconds: float) -> str:
        """Format a Unix time in seconds as a short local date and time."""
        return format_datetime(seconds, "short", tzinfo=LOCALTZ, locale=self.data)


def babel_locale(code: str) -> BabelLocale | None:
    """Return the data of a language, or None if CLDR does not know it."""
    try:
        return BabelLocale(Locale.parse(code.replace("-", "_")))
    except (UnknownLocaleError, ValueError):
        return None


def language_from_name(name: str, english: str) -> str | None:
    """Return the code of the language called `name` (*Deutsch*, *german*), or None; `english` is that of English."""
    codes = [code for code in locale_identifiers() if "_" not in code]
    in_english = Locale.parse(english).languages
    for code in codes:
        names = (Locale.parse(code).get_language_name(code) or "", str(in_english.get(code, "")), code)
        if name.casefold() in map(str.casefold, names):
            return code
    return did_you_mean(name.lower(), codes) if len(name) <= 3 else None
