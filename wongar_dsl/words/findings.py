"""What a check of words found: what is wrong, where it stands, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.words.arguments import Listing, Text, Value
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.lexicon import Lexicon, scopes
from wongar_dsl.words.lexicon_reader import RESERVED, SECTIONS
from wongar_dsl.words.locale import Locale, place_of

#: What something is about: a message by its name, or the path of an entry in a words file (`games`, `chess`, `king`).
About: TypeAlias = "str | tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong in `language`: a message name of the catalogs, and its arguments.

    `file` and `line` say where it stands, as far as it stands anywhere, `about` which message it is about, `suggestion`
    what was probably meant.
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
        """Whether it is something that is only not there yet; until then, English is shown."""
        return self.name in _INCOMPLETE

    @property
    def unused(self) -> bool:
        """Whether it is about words that nothing seems to say."""
        return self.name in _UNUSED


#: What is wrong with a word wherever it is said, and the sections of a words file that a sentence takes words from.
_OF_WORDS = frozenset({"words.missing_form", "words.unknown_feature", "words.unknown_pattern", "words.form_twice"})
_SECTIONS = ("terms", "determiners", "prepositions", "adjectives", "numerals", "possessives")
_INCOMPLETE = frozenset(
    {"words.untranslated", "words.no_entry", "words.unknown_message", "words.unknown_term", "words.fuzzy"}
    | {"words.stale"}
)
_UNUSED = frozenset({"words.unused_message", "words.unused_term", "words.unknown_game"})


def term(scope: str | None, name: str) -> About:
    """A term of a game, or a common one."""
    return ("games", scope, name) if scope else ("terms", name)


def placed(finding: Finding, speech: Locale | None, about: About, meant: str | None) -> Finding:
    """The finding with the file and line that it is about, told in its words too."""
    file, line = getattr(finding.details.get("file"), "text", ""), finding.details.get("line", 0)
    if not file and speech is not None:
        file, line = place(speech, about)
        entry = speech.catalog.entries.get(about) if isinstance(about, str) else None
        if entry is not None and any(entry.texts) and finding.name not in _INCOMPLETE | _UNUSED:
            line = entry.texts_line
    # Where in which language: a word alone does not say in whose file it stands.
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
    """The file and line where something stands; the words file without a line for what is not there."""
    if isinstance(about, tuple):
        return place_of(speech.trees, *about) or (speech.trees[-1][0] if speech.trees else "", 0)
    entry = speech.catalog.entries.get(about)
    return speech.catalog.files.get(about, ""), entry.line if entry else 0


def about(error: WordsError, message: str, speech: Locale) -> About:
    """What an error is about that a message met: the word of the words file, or else the message itself."""
    if error.name == "words.unknown_term":
        return term(message.partition(".")[0], getattr(error.details.get("word"), "text", ""))
    if error.name in _OF_WORDS:
        own = [("games", scope) for scope in scopes(message.partition(".")[0])]
        for word in (getattr(error.details.get(name), "text", "") for name in ("where", "word")):
            paths: list[tuple[str, ...]] = [
                *((*path, word) for path in (*own, *((name,) for name in _SECTIONS))),
                (word,),
            ]
            known = next((path for path in paths if word and place_of(speech.trees, *path)), None)
            if known is not None:
                return known
    return message


def meant(error: WordsError, lexicon: Lexicon | None = None) -> str | None:
    """What somebody meant by a word that means nothing."""
    word = getattr(error.details.get("word"), "text", "")
    listed = error.details.get("known")
    known: Iterable[str] = [getattr(item, "text", "") for item in listed.items] if isinstance(listed, Listing) else ()
    if error.name == "words.unknown_section":
        known = SECTIONS
    elif lexicon is not None and error.name == "words.unknown_word":
        features = (value for values in lexicon.features.dimensions.values() for value in values)
        terms = (name for _, name in lexicon.nouns())
        known = (*lexicon.prepositions, *lexicon.determiners, *lexicon.adjectives, *features, *RESERVED, *terms)
    return did_you_mean(word, known) if word else None
