"""Which names and messages of a game have no words in some language, and what could be written for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.engine import Game
from wongar_dsl.narration.messages import Message, messages_of, terms_of, ways_of
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.words import Words, WordsError, available
from wongar_dsl.words.files import Root
from wongar_dsl.words.locale import load_locale
from wongar_dsl.words.negotiation import ENGLISH, languages_in
from wongar_dsl.words.skeletons import add_messages, add_terms, message_skeleton, term_skeleton

TERMS, SENTENCES = "lexicon.yaml", "messages.po"


@dataclass(frozen=True, slots=True)
class Lack:
    """A name without a term, or a message without a sentence: which languages lack it, and where it would stand."""

    diagnostic: Diagnostic
    name: str
    scope: str
    languages: tuple[str, ...]
    message: Message | None = None

    @property
    def file(self) -> str:
        """The file of a language that it belongs into."""
        return SENTENCES if self.message else TERMS


def served(roots: Sequence[Root]) -> tuple[str, ...]:
    """The languages in which a game has to have its words: those of its own folders, else those of the program."""
    own = {language for root in roots for language in languages_in(root)}
    return tuple(sorted(own)) or available()


def uncovered(game: Game, roots: Sequence[Root] = ()) -> tuple[Diagnostic, ...]:
    """A warning for each name that has no term, and for each message that has no sentence, with the languages.

    `roots` are the folders of words beside the rules.  Rules that have no words in any language are left alone: they
    are played with the names as they stand.
    """
    return tuple(lack.diagnostic for lack in lacking(game, roots))


def lacking(game: Game, roots: Sequence[Root] = (), even_if_wordless: bool = False) -> tuple[Lack, ...]:
    """What the warnings are about; with `even_if_wordless`, of rules that have no words at all too."""
    languages: list[Words] = []
    for code in served(roots):
        try:
            languages.append(Words.load(code, roots))
        except WordsError:
            continue  # The check of the words tells what is wrong with them.
    scope = game.name
    messages = [message for message in messages_of(game) if message.needed]
    told = [message.name for message in messages]
    base = game.model.name
    if not even_if_wordless and not any(
        words.has_term(base, scope) or any(words.has(name, scope) for name in told) for words in languages
    ):
        return ()
    found = []
    shown = {kind for message in messages for kind in message.spec(scope).slots.values()}
    ways = ways_of(game.model) if "term:direction" in shown else ()
    place = game.model.merged.head.name.span
    for name, span in {**dict.fromkeys(ways, place), **terms_of(game.model)}.items():
        lacks = tuple(words.language for words in languages if not words.has_term(name, scope))
        if lacks:
            found.append(Lack(Diagnostic("R0501", span, _arguments(name, lacks, TERMS)), name, scope, lacks))
    for message in messages:
        name = message.name
        lacks = tuple(words.language for words in languages if not _can_say(words, message, scope))
        if lacks:
            key = f"{scope}.{name}"
            arguments = _arguments(key, lacks, SENTENCES)
            found.append(Lack(Diagnostic("R0502", message.span, arguments), key, scope, lacks, message))
    return tuple(found)


def _can_say(words: Words, message: Message, scope: str) -> bool:
    if words.has(message.name, scope):
        return True
    # An option without arguments can be called by its name alone.
    first, _, option = message.name.rpartition(".")
    return first.count(".") == 1 and set(message.slots) <= {"player"} and words.has_term(option, scope)


def _arguments(name: str, languages: tuple[str, ...], file: str) -> Mapping[str, str | tuple[str, ...]]:
    return {"name": name, "languages": languages, "path": f"locales/{languages[0]}/{file}"}


def skeletons(lack: Lack, roots: Sequence[Root]) -> Iterator[tuple[str, str]]:
    """What to paste into which file of each language that lacks it: (language, text)."""
    english = load_locale(ENGLISH, roots).catalog.entries.get(lack.name)
    for language in lack.languages:
        if lack.message is None:
            yield language, term_skeleton(lack.name, load_locale(language, roots).lexicon)
        else:
            sentence = english.english if english else ()
            yield language, message_skeleton(lack.name, sentence, lack.message.slots, language)


def write_words(lacks: Sequence[Lack], folder: Path, roots: Sequence[Root]) -> dict[Path, int]:
    """Write the skeletons into the files of `folder`, and tell how many came into each.

    Raises `WordsError` for a file that is not written as it would have to be, OSError for one that cannot be written.
    """
    written: dict[Path, int] = {}
    terms: dict[tuple[str, str], dict[str, str]] = {}
    sentences: dict[str, list[str]] = {}
    for lack in lacks:
        for language, text in skeletons(lack, roots):
            if lack.message is None:
                terms.setdefault((language, lack.scope), {})[lack.name] = text
            else:
                sentences.setdefault(language, []).append(text)
    for (language, scope), entries in terms.items():
        add_terms(folder / language / TERMS, scope, entries)
        written[folder / language / TERMS] = len(entries)
    for language, new in sentences.items():
        add_messages(folder / language / SENTENCES, language, new)
        written[folder / language / SENTENCES] = len(new)
    return written
