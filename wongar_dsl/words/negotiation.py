"""Which language to speak, and where its files lie."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.words.arguments import Listing, Text
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import Root

#: The language of last resort, and of the sentences' sources.
ENGLISH = "en"

#: A folder's name: nothing that could lead out of its parent.
_CODE = re.compile(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,3}")


def shipped() -> Root:
    """The folder of the languages that come with the program.

    Installed, it is the package `wongar_dsl.locales`; in a source tree that nobody installed, `locales` beside it.
    """
    try:
        return importlib.resources.files("wongar_dsl.locales")
    except ModuleNotFoundError:
        return Path(__file__).parents[2] / "locales"


def is_code(name: str) -> bool:
    """Whether `name` can be the name of a language's folder."""
    return _CODE.fullmatch(name) is not None


def available(roots: Sequence[Root] = ()) -> tuple[str, ...]:
    """The languages that have a folder, English among them; `roots` are further places to look in."""
    found = {ENGLISH}
    for root in (shipped(), *roots):
        try:
            for folder in root.iterdir():
                if is_code(folder.name) and folder.is_dir() and any(has_words(file.name) for file in folder.iterdir()):
                    found.add(folder.name)
        except OSError:
            continue
    return tuple(sorted(found))


def languages_in(folder: Root, known: bool = True) -> tuple[str, ...]:
    """The languages of a folder: those that CLDR knows, and those that bring a grammar of their own.

    Without `known`, every folder that holds words.
    """
    found = []
    with suppress(OSError):
        for inside in folder.iterdir():
            words = inside.is_dir() and is_code(inside.name) and any(has_words(file.name) for file in inside.iterdir())
            if words and (not known or _is_language(inside.name) or _has_grammar(inside)):
                found.append(inside.name)
    return tuple(sorted(found))


def _is_language(code: str) -> bool:
    # What CLDR knows is asked of folders of words alone that came from elsewhere.
    from babel.core import Locale as CldrLocale
    from babel.core import UnknownLocaleError

    try:
        CldrLocale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return False
    return True


def _has_grammar(folder: Root) -> bool:
    """Whether somebody describes a language there that nobody has heard of."""
    try:
        with folder.joinpath("lexicon.yaml").open(encoding="utf-8") as file:
            return any(line.startswith("features:") for line in file)
    except (OSError, ValueError):
        return False


def language_meant(name: str) -> str | None:
    """The code of the language that somebody calls `name`: *Deutsch*, *german*; None if there is none like it."""
    from babel.core import Locale as CldrLocale
    from babel.localedata import locale_identifiers

    wanted = name.casefold()
    codes = [code for code in locale_identifiers() if "_" not in code]
    english = CldrLocale.parse(ENGLISH).languages
    for code in codes:
        own = CldrLocale.parse(code).get_language_name(code) or ""
        if wanted in {own.casefold(), str(english.get(code, "")).casefold(), code.casefold()}:
            return code
    return did_you_mean(name.lower(), codes) if len(name) <= 3 else None


def has_words(name: str) -> bool:
    """Whether a file of this name in the folder of a language is read: its lexicon, or sentences."""
    return name == "lexicon.yaml" or name.endswith(".po")


def negotiate(
    requested: str | None, environ: Mapping[str, str], configured: str | None, available: Iterable[str]
) -> str:
    """The language to speak.

    The first that exists of `requested` (`--lang`), WONGAR_LANG, `configured`, LANGUAGE, LC_ALL, LC_MESSAGES, LANG;
    else English.  Raises `WordsError("words.unknown_language")` only for `requested`, which somebody typed.
    """
    known = tuple(available)
    if requested is not None:
        found = _match(requested, known)
        if found is None:
            shown = Listing(tuple(Text(code) for code in sorted(known)))
            raise WordsError("words.unknown_language", {"language": Text(requested), "available": shown})
        return found
    for wish in _wishes(environ, configured):
        found = _match(wish, known)
        if found is not None:
            return found
    return ENGLISH


def _wishes(environ: Mapping[str, str], configured: str | None) -> Iterator[str]:
    yield environ.get("WONGAR_LANG", "")
    yield configured or ""
    yield from environ.get("LANGUAGE", "").split(":")
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable, "")
        # The locale of programmers is a wish too: for no translation.
        yield ENGLISH if value.partition(".")[0] in {"C", "POSIX"} else value


def _match(wish: str, known: Sequence[str]) -> str | None:
    """The known language for `de_AT.UTF-8@euro`: de_AT if there is one, else de."""
    plain = re.split(r"[.@]", wish.strip())[0].replace("-", "_").lower()
    by_name = {code.replace("-", "_").lower(): code for code in known}
    while plain:
        if plain in by_name:
            return by_name[plain]
        plain = plain.rpartition("_")[0]
    return None
