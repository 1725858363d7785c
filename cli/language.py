"""Choice of the user's language, loading of its catalogs, and the cache for both.

The language is chosen before click parses the arguments, since help texts are translated too.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from platformdirs import user_cache_path, user_config_path, user_data_path

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.terminal_text import transliterate
from wongar_dsl.nlg.words import Listing, Text, Translator, WordsError, available, negotiate
from wongar_dsl.nlg.words.languages import ENGLISH, Root
from wongar_dsl.nlg.words.locale import PSEUDO

from .errors import USAGE, UserError
from .terminal.screen import encoding_of


def cache() -> Cache:
    """Return the cache of checked rules, generated code, parsed catalogs and the grammar in the user's cache folder."""
    Cache.of_program = Cache(user_cache_path("wongar", appauthor=False))
    return Cache.of_program


#: Maximum size in bytes of the configuration file; longer files are ignored.
MAX_CONFIG_BYTES = 100_000


def values_of(option: str, arguments: Sequence[str]) -> list[str]:
    """Return the values of an option, which are needed before click parses the arguments."""
    return [
        following if word == option else word.partition("=")[2]
        for word, following in zip_longest(arguments, arguments[1:])
        if word.startswith(f"{option}=") or (word == option and following is not None)
    ]


def requested_language(arguments: Sequence[str]) -> str | None:
    """Return the value of `--lang`."""
    before = arguments[: arguments.index("--") + 1] if "--" in arguments else arguments
    return next(iter(values_of("--lang", before)), None)


def configured_language() -> str | None:
    """Return the language in the configuration file (`lang = "nl"`), or None if it cannot be read."""
    file = user_config_path("wongar", appauthor=False) / "config.toml"
    try:
        if not file.is_file() or file.stat().st_size > MAX_CONFIG_BYTES:
            return None
        import tomllib

        lang = tomllib.loads(file.read_text(encoding="utf-8")).get("lang")
    except (OSError, ValueError, RecursionError):
        return None
    return lang if isinstance(lang, str) else None


def user_folder() -> Path:
    """Return the user's own folder of languages."""
    return user_data_path("wongar", appauthor=False) / "locales"


#: The folders named by `--words`, and the `locales` folders beside rule files among the arguments.
_named: list[Path] = []
_beside: list[Path] = []


def record_language_folders(arguments: Sequence[str]) -> None:
    """Record the folders named by `--words`, and the `locales` folders beside rule files among the arguments."""
    _named.clear()
    _beside.clear()
    _named.extend(map(Path, values_of("--words", arguments)))
    _beside.extend(Path(word).parent / "locales" for word in arguments if word.endswith(".rules"))


def language_folders() -> list[Path]:
    """Return the existing language folders beside the built-in one: the user's own, and those named by `--words`."""
    return _existing((user_folder(), *_named))


def named_folders() -> list[Path]:
    """Return the existing folders named by `--words`."""
    return _existing(_named)


def absent_folder() -> Path | None:
    """Return a folder named by `--words` that does not exist, or None."""
    existing = named_folders()
    return next((folder for folder in _named if folder.resolve() not in existing), None)


def _existing(places: Sequence[Path]) -> list[Path]:
    existing = []
    for folder in places:
        with contextlib.suppress(OSError, ValueError):
            if folder.is_dir():
                existing.append(folder.resolve())
    return list(dict.fromkeys(existing))


def load_translator(language: str, roots: Sequence[Root] = ()) -> Translator:
    """Return the texts of a language, limited to the characters of the terminal.

    Raises `WordsError`.
    """
    return load_unfiltered(language, roots).written_in(encoding_of(sys.stdout))


def load_unfiltered(language: str, roots: Sequence[Root] = ()) -> Translator:
    """Return the texts of a language with all characters, for output to files.

    Raises `WordsError`.
    """
    return Translator.load(language, _all_roots(roots), cache=cache())


def languages(roots: Sequence[Root] = ()) -> Listing:
    """Return the codes of the available languages."""
    return Listing(tuple(Text(code) for code in available(_all_roots(roots))))


def _all_roots(roots: Sequence[Root]) -> list[Root]:
    return list(dict.fromkeys((*language_folders(), *roots)))


def select_language(
    requested: str | None, environ: Mapping[str, str] = os.environ, roots: Sequence[Root] = ()
) -> Translator:
    """Return the texts of the requested language, otherwise that of the environment.

    Raises `UserError` if the requested language is unknown.
    """
    if requested is not None and requested in PSEUDO:
        return load_translator(requested, roots)
    try:
        try:
            return _negotiated(requested, environ, roots)
        except WordsError as error:
            # The language may exist only beside the rules; other contents of that folder are not read yet.
            if error.name != "words.unknown_language" or not _beside:
                raise
            return _negotiated(requested, environ, (*roots, *_existing(_beside)))
    except WordsError as error:
        try:
            words = _negotiated(None, environ, roots)
        except WordsError:
            words = Translator.load(ENGLISH).written_in(encoding_of(sys.stdout))
        raise UserError(words.say(error.name, None, **error.details), USAGE) from None


def _negotiated(requested: str | None, environ: Mapping[str, str], roots: Sequence[Root]) -> Translator:
    """Return the texts of the available language that fits best; raise `WordsError` if the requested one is unknown."""
    return load_translator(negotiate(requested, environ, configured_language(), available(_all_roots(roots))), roots)


def transliterate_streams(own: Mapping[str, str] | None = None) -> None:
    """Make output streams replace characters that their encoding lacks.

    `own` is the transliteration table of the language.
    """

    def replace(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return transliterate(error.object[error.start : error.end], error.encoding, own), error.end

    codecs.register_error("legible", replace)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="legible")


def is_yes(answer: str, words: Translator) -> bool:
    """Return whether an answer means yes in the current language."""
    return answer.strip().casefold() in words.say("cli.yes").casefold().split()
