"""The language that the command speaks: which one, and its words."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from wongar_dsl.text.transliteration import legible
from wongar_dsl.words import Words, WordsError, available, negotiate
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


def load(language: str, roots: Sequence[Path] = ()) -> Words:
    """The words of a language, written with the characters that can be shown; raises `WordsError`."""
    return Words.load(language, roots, cache=cache()).written_in(encoding_of(sys.stdout))


def speak(wish: str | None, environ: Mapping[str, str] = os.environ, roots: Sequence[Path] = ()) -> Words:
    """The words of the language that is wished for, else of the surroundings; raises `Refusal` for an unknown wish."""
    if wish is not None and wish in PSEUDO:
        return load(wish, roots)
    known = available(roots)
    try:
        return load(negotiate(wish, environ, configured(), known), roots)
    except WordsError as error:
        try:
            words = load(negotiate(None, environ, configured(), known), roots)
        except WordsError:
            words = load("en")
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
