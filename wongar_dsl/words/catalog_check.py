"""Is everything there that the program and its games say?

Every message is said with every term that can come up and with telling numbers, so that whatever a game could show is
seen to have its words before it is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wongar_dsl.words import wording
from wongar_dsl.words.arguments import Listing, Player, Tally, Term, Text, Value
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import Root
from wongar_dsl.words.locale import Locale, load_locale
from wongar_dsl.words.negotiation import ENGLISH, available
from wongar_dsl.words.slots import read_slot_spec
from wongar_dsl.words.template import Slot, Template

#: Numbers that tell: none, one, few, many, and one with a group of thousands (Italian has a form for the million).
COUNTS = (0, 1, 2, 5, 1_000_000)

#: Names that begin with different sounds and end in different letters.
PLAYERS = (Player("Anna"), Player("Bert"), Player("Iris"), Player("Zeno"))

#: The terms that can come up: for each game ("" for all games) each category with its terms.
Vocabulary = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """A message that something says, under its full name (`chess.captured`), with the kinds of its slots.

    A kind is `term:<category>` (`count:<category>` if it brings its own number), `player`, `number`, `tally`,
    `listing` or `text`.
    """

    name: str
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong in `language`: a message name of the catalogs, and its arguments.

    A `grave` one would be seen by a player; the others are only untidy.
    """

    name: str
    language: str
    details: Mapping[str, Value]
    grave: bool = True


_UNTIDY = frozenset({"words.unused_message", "words.unused_term"})


def check(
    specs: Iterable[MessageSpec],
    vocabulary: Vocabulary | None = None,
    roots: Sequence[Root] = (),
    languages: Sequence[str] | None = None,
) -> list[Finding]:
    """What is wrong with the words of `languages` (all that there are), in a fixed order and each thing once.

    `specs` are the messages that are said; unused ones are only found among those whose first part (`chess`, `cli`)
    a spec shares, and so are sentences that are not written as the language writes; without `specs`, all are looked at.
    `vocabulary` holds the terms that must be there; unused terms are only found in its games.
    """
    wanted = {spec.name: spec for spec in specs}
    known = vocabulary or {}
    found: dict[tuple[str, str, str], Finding] = {}
    for language in languages or available(roots):
        for name, details in _findings(language, wanted, known, roots):
            place = getattr(details.get("where"), "text", language)
            # Where in which language: a word alone does not say in whose file it stands.
            inside = place if place.startswith(language) else f"{language}: {place}"
            shown: dict[str, Value] = {**details, "where": Text(inside)}
            key = (language, name, repr(sorted(shown.items(), key=lambda item: item[0])))
            found.setdefault(key, Finding(name, language, shown, name not in _UNTIDY))
    return list(found.values())


def _findings(
    language: str, wanted: Mapping[str, MessageSpec], vocabulary: Vocabulary, roots: Sequence[Root]
) -> Iterator[tuple[str, dict[str, Value]]]:
    try:
        speech = load_locale(language, roots, strict=True)
        english = speech if language == ENGLISH else load_locale(ENGLISH, roots, strict=True)
    except WordsError as error:
        yield error.name, dict(error.details)
        return
    named: set[tuple[str, str]] = set()
    for spec in wanted.values():
        template, problems = _sentence(speech, english, spec)
        yield from problems
        if template is not None:
            yield from _slots(english, spec, template)
            yield from _said(speech, spec, template, vocabulary)
            named |= _named(speech, spec, template)
    yield from _terms(speech, vocabulary, named)
    firsts = {name.partition(".")[0] if "." in name else "" for name in wanted}
    for name, entry in speech.catalog.entries.items():
        first = name.partition(".")[0] if "." in name else ""
        if name not in wanted and first in firsts:
            yield "words.unused_message", {"message": Text(name)}
        if first in firsts or not wanted:
            shown = entry.texts if entry.translated else entry.english if speech is english else ()
            kinds = wanted[name].slots if name in wanted else None
            yield from wording.faults(name, shown, speech.lexicon, kinds)


def _sentence(
    speech: Locale, english: Locale, spec: MessageSpec
) -> tuple[Template | None, list[tuple[str, dict[str, Value]]]]:
    """The sentence in this language, and what is wrong with its entry."""
    message: dict[str, Value] = {"message": Text(spec.name)}
    entry, source = speech.catalog.entries.get(spec.name), english.catalog.entries.get(spec.name)
    if source is None:
        return None, [("words.unknown_message", {"word": Text(spec.name)})]
    if speech is not english:
        if entry is None or not any(entry.texts):
            return None, [("words.untranslated", message)]
        if entry.fuzzy:
            return None, [("words.fuzzy", message)]
        if entry.english != source.english:
            return None, [("words.stale", message)]
        if not entry.translated:
            return None, [("words.untranslated", message)]
    try:
        return speech.catalog.template(spec.name, source=speech is english), []
    except WordsError as error:
        return None, [(error.name, dict(error.details))]


def _slots(english: Locale, spec: MessageSpec, template: Template) -> Iterator[tuple[str, dict[str, Value]]]:
    for name in sorted(template.names - set(spec.slots)):
        yield "words.unknown_slot", {"message": Text(spec.name), "word": Text(name)}
    try:
        source = english.catalog.template(spec.name, source=True)
    except WordsError:
        return
    for name in sorted((source.names if source else frozenset()) & set(spec.slots) - template.names):
        yield "words.missing_slot", {"message": Text(spec.name), "word": Text(name)}


def _said(
    speech: Locale, spec: MessageSpec, template: Template, vocabulary: Vocabulary
) -> Iterator[tuple[str, dict[str, Value]]]:
    """Says the message in all ways that differ: each slot through all its values, with each number."""
    if not template.names <= set(spec.slots):
        return
    game = spec.name.partition(".")[0]
    choices = {name: _values(kind, game, vocabulary) for name, kind in spec.slots.items()}
    for name, values in choices.items():
        if not values:
            yield "words.no_values", {"message": Text(spec.name), "word": Text(name), "kind": Text(spec.slots[name])}
            return
    numbers = [name for name, kind in spec.slots.items() if kind == "number"]
    for count in COUNTS:
        # Every plural form of the sentence, if it has several.
        said = speech.catalog.template(spec.name, count, source=speech.lexicon.code == ENGLISH) or template
        plain = {name: values[0] for name, values in choices.items()} | dict.fromkeys(numbers, count)
        for name in spec.slots:
            for value in choices[name]:
                shown = count if name in numbers else _counted(value, spec.slots[name], count)
                try:
                    speech.realiser.sentence(said, {**plain, name: shown}, game)
                except WordsError as error:
                    # A missing term is told once, by its own name; a form, with the message that wants it.
                    yield error.name, dict(error.details)


def _values(kind: str, game: str, vocabulary: Vocabulary) -> tuple[Value, ...]:
    sort, _, category = kind.partition(":")
    if sort in {"term", "count"}:
        names = vocabulary.get(game, {}).get(category) or vocabulary.get("", {}).get(category) or ()
        return tuple(Term(name, game, 1 if sort == "count" else None) for name in names)
    others: dict[str, tuple[Value, ...]] = {
        "player": PLAYERS,
        "number": COUNTS,
        "tally": (Tally(tuple((player, 2) for player in PLAYERS)),),
        "listing": (Listing(PLAYERS[:1]), Listing(PLAYERS)),
        "text": (Text("xyz"),),
    }
    return others.get(sort, ())


def _counted(value: Value, kind: str, count: int) -> Value:
    return Term(value.name, value.game, count) if isinstance(value, Term) and kind.startswith("count:") else value


def _named(speech: Locale, spec: MessageSpec, template: Template) -> set[tuple[str, str]]:
    """The terms that a sentence names itself: `{n:point}`."""
    named = set()
    for part in template.parts:
        if isinstance(part, Slot):
            try:
                noun = read_slot_spec(part.spec, speech.lexicon).noun
            except WordsError:
                continue
            if noun is not None:
                named |= {(spec.name.partition(".")[0], noun), ("", noun)}
    return named


def _terms(
    speech: Locale, vocabulary: Vocabulary, named: set[tuple[str, str]]
) -> Iterator[tuple[str, dict[str, Value]]]:
    needed = {(game, name) for game, words in vocabulary.items() for names in words.values() for name in names}
    for game, name in sorted(needed):
        if not speech.lexicon.has(name, game or None):
            yield "words.unknown_term", {"word": Text(name)}
    for scope, name in speech.lexicon.nouns():
        try:
            noun = speech.lexicon.noun(name, scope)
        except WordsError as error:
            yield error.name, dict(error.details)
            continue
        for _, form in noun.forms.entries if noun else ():
            for fault, details in wording.text_faults(form, speech.lexicon):
                yield fault, {"message": Text(name), **details}
        for form in speech.lexicon.unstated(noun) if noun else ():
            yield "words.unstated_form", {"word": Text(name), "form": Text(form)}
        if (scope or "") in vocabulary and (scope or "", name) not in needed | named:
            yield "words.unused_term", {"word": Text(name)}
