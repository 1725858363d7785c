"""Results of the lexicon and catalog check: fault, source position, and suggestion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.nlg.words.arguments import Listing, Text, Value
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.lexicon import Lexicon, scopes
from wongar_dsl.nlg.words.lexicon_reader import RESERVED, SECTIONS
from wongar_dsl.nlg.words.locale import Locale, place_of

#: Subject of a finding: a message name, or the path of an entry in a lexicon file (`games`, `chess`, `king`).
About: TypeAlias = "str | tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A fault in `language`: a message name with its arguments.

    `file` and `line` give its position, if it has one; `about` is the message or word concerned, `suggestion` the
    probable intention.
    """

    name: str
    language: str
    details: Mapping[str, Value]
    file: str = ""
    line: int = 0
    about: str = ""
    suggestion: str | None = None

    @property
    def incomplete(self) -> bool:
        """True if text is only missing, so that English is shown instead."""
        return self.name in _INCOMPLETE

    @property
    def unused(self) -> bool:
        """True if the finding concerns text that seems unused."""
        return self.name in _UNUSED


#: Faults of a word in any sentence, and the lexicon sections from which sentences take words.
_OF_WORDS = frozenset({"words.missing_form", "words.unknown_feature", "words.unknown_pattern", "words.form_twice"})
_SECTIONS = ("terms", "determiners", "prepositions", "adjectives", "numerals", "possessives")
_INCOMPLETE = frozenset(
    {"words.untranslated", "words.no_entry", "words.unknown_message", "words.unknown_term", "words.fuzzy"}
    | {"words.stale"}
)
_UNUSED = frozenset({"words.unused_message", "words.unused_term", "words.unknown_game"})


def term(scope: str | None, name: str) -> About:
    """Return the lexicon path of a term of a game, or of a common one."""
    return ("games", scope, name) if scope else ("terms", name)


def with_place(finding: LintFinding, speech: Locale | None, about: About, meant: str | None) -> LintFinding:
    """Return the finding with its file and line, which are also added to its arguments."""
    file, line = getattr(finding.details.get("file"), "text", ""), finding.details.get("line", 0)
    if not file and speech is not None:
        file, line = place(speech, about)
        entry = speech.catalog.entries.get(about) if isinstance(about, str) else None
        if entry is not None and any(entry.texts) and finding.name not in _INCOMPLETE | _UNUSED:
            line = entry.texts_line
    # The position includes the language, since a word alone does not identify its file.
    stated = getattr(finding.details.get("where"), "text", finding.language)
    inside = stated if stated.startswith(finding.language) or "/" in stated else f"{finding.language}: {stated}"
    if not file and (within := re.match(r"(.+):(\d+): ", inside)):
        file, line, inside = within[1], int(within[2]), finding.language
    return replace(
        finding,
        details={**finding.details, "where": Text(inside)},
        file=file,
        line=line if isinstance(line, int) else 0,
        about=about if isinstance(about, str) else about[-1],
        suggestion=meant,
    )


def place(speech: Locale, about: About) -> tuple[str, int]:
    """Return the file and line of an entry; for a missing lexicon entry, the lexicon file and line 0."""
    if isinstance(about, tuple):
        return place_of(speech.trees, *about) or (speech.trees[-1][0] if speech.trees else "", 0)
    entry = speech.catalog.entries.get(about)
    return speech.catalog.files.get(about, ""), entry.line if entry else 0


def error_subject(error: WordsError, message: str, speech: Locale) -> About:
    """Return the subject of an error in a message: a word of the lexicon, or else the message."""
    if error.name == "words.unknown_term":
        return term(message.partition(".")[0], getattr(error.details.get("word"), "text", ""))
    if error.name in _OF_WORDS:
        game_paths = [("games", scope) for scope in scopes(message.partition(".")[0])]
        for word in (getattr(error.details.get(name), "text", "") for name in ("where", "word")):
            paths: list[tuple[str, ...]] = [
                *((*path, word) for path in (*game_paths, *((name,) for name in _SECTIONS))),
                (word,),
            ]
            existing = next((path for path in paths if word and place_of(speech.trees, *path)), None)
            if existing is not None:
                return existing
    return message


def suggestion(error: WordsError, lexicon: Lexicon | None = None) -> str | None:
    """Suggest a replacement for an unknown word; None if nothing is similar."""
    word = getattr(error.details.get("word"), "text", "")
    listed = error.details.get("known")
    candidates: Iterable[str] = (
        [getattr(item, "text", "") for item in listed.items] if isinstance(listed, Listing) else ()
    )
    if error.name == "words.unknown_section":
        candidates = SECTIONS
    elif lexicon is not None and error.name == "words.unknown_word":
        features = (value for values in lexicon.features.dimensions.values() for value in values)
        terms = (name for _, name in lexicon.nouns())
        candidates = (*lexicon.prepositions, *lexicon.determiners, *lexicon.adjectives, *features, *RESERVED, *terms)
    return did_you_mean(word, candidates) if word else None
