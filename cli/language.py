"""The language that the command speaks: which one, and its words."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from wongar_dsl.text.transliteration import legible
from wongar_dsl.words import Listing, Text, Words, WordsError, available, negotiate
from wongar_dsl.words.files import Root
from wongar_dsl.words.negotiation import ENGLISH
from wongar_dsl.words.pseudolocales import PSEUDO

from .cache import cache
from .errors import Refusal
from .terminal.screen import encoding_of

#: A longer configuration is none of ours.
MOST_CONFIGURED = 100_000


def requested(arguments: Sequence[str]) -> str | None:
    """The language that `--lang` asks for, looked up before anything else is understood."""
    for at, word in enumerate(arguments):
        if word == "--":
            return None
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
        if word == "--lang" and at + 1 < len(arguments):
            return arguments[at + 1]
    return None


def configured() -> str | None:
    """The language in the configuration file (`lang = "nl"`), if there is one that can be read."""
    from platformdirs import user_config_dir

    file = Path(user_config_dir("wongar", appauthor=False)) / "config.toml"
    try:
        if not file.is_file() or file.stat().st_size > MOST_CONFIGURED:
            return None
        import tomllib

        lang = tomllib.loads(file.read_text(encoding="utf-8")).get("lang")
    except (OSError, ValueError, RecursionError):
        return None
    return lang if isinstance(lang, str) else None


def user_folder() -> Path:
    """The user's own folder of languages."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("wongar", appauthor=False)) / "locales"


#: The folders that `--words` names, and those beside the rule files among the arguments.
_named: list[Path] = []
_beside: list[Path] = []


def look_beside(arguments: Sequence[str]) -> None:
    """Look for languages in the folder that `--words` names, and beside the rule files among the arguments."""
    _named.clear()
    _beside.clear()
    for at, word in enumerate(arguments):
        if word.startswith("--words="):
            _named.append(Path(word.removeprefix("--words=")))
        elif word == "--words" and at + 1 < len(arguments):
            _named.append(Path(arguments[at + 1]))
        elif word.endswith(".rules"):
            _beside.append(Path(word).parent / "locales")


def folders() -> list[Path]:
    """The folders with languages besides the shipped ones: the user's own, and those that the arguments name."""
    return _there((user_folder(), *_named))


def named_folders() -> list[Path]:
    """The folders that `--words` names."""
    return _there(_named)


def absent_folder() -> Path | None:
    """The folder that `--words` names, if there is none like it."""
    there = named_folders()
    return next((folder for folder in _named if folder.resolve() not in there), None)


def _there(places: Sequence[Path]) -> list[Path]:
    found = []
    for folder in places:
        with contextlib.suppress(OSError, ValueError):
            if folder.is_dir():
                found.append(folder.resolve())
    return list(dict.fromkeys(found))


def load(language: str, roots: Sequence[Root] = ()) -> Words:
    """The words of a language, written with the characters that can be shown; raises `WordsError`."""
    return whole(language, roots).written_in(encoding_of(sys.stdout))


def whole(language: str, roots: Sequence[Root] = ()) -> Words:
    """The words of a language with all of its letters, for files; raises `WordsError`."""
    return Words.load(language, _all(roots), cache=cache())


def languages(roots: Sequence[Root] = ()) -> Listing:
    """The languages that there are, by their codes."""
    return Listing(tuple(Text(code) for code in available(_all(roots))))


def _all(roots: Sequence[Root]) -> list[Root]:
    return list(dict.fromkeys((*folders(), *roots)))


def speak(wish: str | None, environ: Mapping[str, str] = os.environ, roots: Sequence[Root] = ()) -> Words:
    """The words of the language that is wished for, else of the surroundings; raises `Refusal` for an unknown wish."""
    if wish is not None and wish in PSEUDO:
        return load(wish, roots)
    try:
        try:
            return load(negotiate(wish, environ, configured(), available(_all(roots))), roots)
        except WordsError as error:
            # A language can lie beside the rules alone; what else is there is not read before the rules are.
            if error.name != "words.unknown_language" or not _beside:
                raise
            beside = (*roots, *_there(_beside))
            return load(negotiate(wish, environ, configured(), available(_all(beside))), beside)
    except WordsError as error:
        try:
            words = load(negotiate(None, environ, configured(), available(_all(roots))), roots)
        except WordsError:
            words = Words.load(ENGLISH).written_in(encoding_of(sys.stdout))
        raise Refusal(words.say(error.name, None, **error.details), 2) from None


def careful_streams(own: Mapping[str, str] | None = None) -> None:
    """Whatever the terminal's encoding lacks is written with what it has; `own` is how a language does that."""

    def written(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return legible(error.object[error.start : error.end], error.encoding, own), error.end

    codecs.register_error("legible", written)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="legible")
