"""Language negotiation: chooses the language of the reader, and finds the folders of languages."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.nlg.words.arguments import Listing, Text
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.files import Root

#: The fallback language, and the language of the source sentences.
ENGLISH = "en"

#: Name of a language folder; it cannot lead out of its parent.
_CODE = re.compile(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,3}")


def builtin_folder() -> Root:
    """Return the folder of the shipped languages.

    In an installation that is the package `wongar_dsl.locales`, in a source tree the folder `locales`.
    """
    try:
        return importlib.resources.files("wongar_dsl.locales")
    except ModuleNotFoundError:
        return Path(__file__).parents[3] / "locales"


def is_code(name: str) -> bool:
    """Return whether `name` is a valid name of a language folder."""
    return _CODE.fullmatch(name) is not None


def available(roots: Sequence[Root] = ()) -> tuple[str, ...]:
    """Return the languages that have a folder, always including English; `roots` are searched as well."""
    codes = {ENGLISH}
    for root in (builtin_folder(), *roots):
        try:
            for folder in root.iterdir():
                if (
                    is_code(folder.name)
                    and folder.is_dir()
                    and any(is_language_file(file.name) for file in folder.iterdir())
                ):
                    codes.add(folder.name)
        except OSError:
            continue
    return tuple(sorted(codes))


def languages_in(folder: Root, known: bool = True) -> tuple[str, ...]:
    """Return the languages in a folder: those known to CLDR, and those with a grammar of their own.

    Without `known`, every folder with lexicon or catalog files counts.
    """
    codes = []
    with suppress(OSError):
        for inside in folder.iterdir():
            words = (
                inside.is_dir()
                and is_code(inside.name)
                and any(is_language_file(file.name) for file in inside.iterdir())
            )
            if words and (not known or _is_language(inside.name) or _has_grammar(inside)):
                codes.append(inside.name)
    return tuple(sorted(codes))


def _is_language(code: str) -> bool:
    # CLDR is only consulted for folders outside the program, so Babel is imported late.
    from babel.core import Locale as CldrLocale
    from babel.core import UnknownLocaleError

    try:
        CldrLocale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return False
    return True


def _has_grammar(folder: Root) -> bool:
    """Return whether a folder defines a grammar, as for a language unknown to CLDR."""
    try:
        with folder.joinpath("lexicon.yaml").open(encoding="utf-8") as file:
            return any(line.startswith("features:") for line in file)
    except (OSError, ValueError):
        return False


def language_from_name(name: str) -> str | None:
    """Return the code of the language called `name` (*Deutsch*, *german*), or None."""
    from babel.core import Locale as CldrLocale
    from babel.localedata import locale_identifiers

    folded_name = name.casefold()
    codes = [code for code in locale_identifiers() if "_" not in code]
    english = CldrLocale.parse(ENGLISH).languages
    for code in codes:
        own_name = CldrLocale.parse(code).get_language_name(code) or ""
        if folded_name in {own_name.casefold(), str(english.get(code, "")).casefold(), code.casefold()}:
            return code
    return did_you_mean(name.lower(), codes) if len(name) <= 3 else None


def is_language_file(name: str) -> bool:
    """Return whether a file of this name in a language folder is read: a lexicon or a catalog."""
    return name == "lexicon.yaml" or name.endswith(".po")


def negotiate(
    requested: str | None, environ: Mapping[str, str], configured: str | None, available: Iterable[str]
) -> str:
    """Choose the language to use.

    It is the first available one of `requested` (`--lang`), WONGAR_LANG, `configured`, LANGUAGE, LC_ALL, LC_MESSAGES
    and LANG, else English. Raises `WordsError("words.unknown_language")` only for `requested`, which the user typed.
    """
    codes = tuple(available)
    if requested is not None:
        match = _match(requested, codes)
        if match is None:
            shown = Listing(tuple(Text(code) for code in sorted(codes)))
            raise WordsError("words.unknown_language", {"language": Text(requested), "available": shown})
        return match
    for wish in _wishes(environ, configured):
        match = _match(wish, codes)
        if match is not None:
            return match
    return ENGLISH


def _wishes(environ: Mapping[str, str], configured: str | None) -> Iterator[str]:
    yield environ.get("WONGAR_LANG", "")
    yield configured or ""
    yield from environ.get("LANGUAGE", "").split(":")
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable, "")
        # The C locale is an explicit request for no translation.
        yield ENGLISH if value.partition(".")[0] in {"C", "POSIX"} else value


def _match(wish: str, known: Sequence[str]) -> str | None:
    """Return the known language for `de_AT.UTF-8@euro`: de_AT if available, else de."""
    plain = re.split(r"[.@]", wish.strip())[0].replace("-", "_").lower()
    by_name = {code.replace("-", "_").lower(): code for code in known}
    while plain:
        if plain in by_name:
            return by_name[plain]
        plain = plain.rpartition("_")[0]
    return None
