"""Completeness check of lexicons and catalogs.

Every message is rendered with every possible term and with representative numbers, so that missing text is found before
a game is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

from wongar_dsl.base.did_you_mean import DidYouMean, did_you_mean
from wongar_dsl.base.span import Span
from wongar_dsl.nlg.words import style_lint
from wongar_dsl.nlg.words.arguments import Listing, PlayerName, Term, Text, Value, ValueList, WordsError
from wongar_dsl.nlg.words.clause import Order, Slot, Template
from wongar_dsl.nlg.words.languages import ENGLISH, Root, available
from wongar_dsl.nlg.words.lexicon import Lexicon, scopes
from wongar_dsl.nlg.words.lexicon_reader import RESERVED, SECTIONS
from wongar_dsl.nlg.words.locale import (
    ALWAYS,
    AUTHORED,
    INTRODUCTION,
    QUESTION,
    SUMMARY,
    Locale,
    load_locale,
    partner_of,
    place_of,
    scope_of,
)
from wongar_dsl.nlg.words.slots import read_slot_spec

#: Representative numbers: none, one, few, many, and one with a thousands group (Italian has a form for the million).
COUNTS = (0, 1, 2, 5, 1_000_000)

#: Prefix of the messages of another library (click), which fills their slots itself.
FOREIGN = "click."

#: Names that begin with different sounds and end in different letters.
PLAYERS = (PlayerName("Anna"), PlayerName("Bert"), PlayerName("Iris"), PlayerName("Zeno"))

#: Terms that every language defines, for the engine's own sentences about the components of a game.
THINGS = ("card", "token", "box")

#: Common terms for components, each with the sort of declaration that a game with such a component has.
COMPONENTS = {"card": "cards", "board": "board"}

#: The possible terms: for each game ("" for all games), the terms of each category.
Vocabulary = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """A declared message under its full name (`chess.captured`), with the kinds of its slots.

    A kind is `term:<category>` (`count:<category>` if it brings its own number), `named` (the term that the slot is
    called by), `player`, `number`, `truth`, `tally`, `listing` or `text`. A message that is not `needed` may be missing
    everywhere. `offered` are slots that its statement can fill although the author did not write them, and `span` is
    where the rules use it.
    """

    name: str
    slots: Mapping[str, str] = field(default_factory=dict)
    needed: bool = True
    offered: Mapping[str, str] = field(default_factory=dict)
    span: Span | None = None

    @property
    def all_slots(self) -> Mapping[str, str]:
        """The slots that the rules fill, then the optional ones (`offered`) that a sentence can also use."""
        return {**self.slots, **self.offered}


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

#: A fault, its subject, and the probable intention.
_Found = tuple[WordsError, About, str | None]


def check(
    specs: Iterable[MessageSpec],
    vocabulary: Vocabulary | None = None,
    roots: Sequence[Root] = (),
    languages: Sequence[str] | None = None,
    own: bool = False,
    usable: Mapping[str, frozenset[str]] | None = None,
    folder: str = "",
    articles: Mapping[str, Mapping[str, frozenset[int]]] | None = None,
) -> list[LintFinding]:
    """Return the faults in the words of `languages` (default: all), in a fixed order and without duplicates.

    `specs` are the messages in use. Unused messages and style faults are only reported for first name parts (`chess`,
    `cli`) that occur in a spec; without `specs`, for all messages. `vocabulary` holds the required terms; unused terms
    are only reported in its games, and those in `usable` are allowed. With `own`, the program's own messages, which
    have no spec, are compared as well. With `folder`, only files below it are checked, but completely. `articles` are
    the declarations of each game that its texts may name, with the numbers that each of them gives.
    """
    by_name = {spec.name: spec for spec in specs}
    findings: dict[tuple[str, str, str], LintFinding] = {}
    for language in languages or available(roots):
        try:
            speech = load_locale(language, roots, strict=True)
            english = speech if language == ENGLISH else load_locale(ENGLISH, roots, strict=True)
        except WordsError as error:
            finding = with_place(error, language, None, "", suggestion(error))
            findings[language, finding.name, ""] = finding
            continue
        if own:
            by_name |= {spec.name: spec for spec in own_messages(by_name)}
        checked = _LanguageCheck(speech, english, by_name, vocabulary or {}, usable or {}, folder)
        about_articles = (checked.wrong_articles(articles or {}), checked.wrong_statements(articles or {}))
        for fault, subject, near in chain(checked.findings(), *about_articles):
            finding = with_place(fault, language, speech, subject, near)
            key = (language, finding.name, repr(sorted(finding.details.items(), key=lambda item: item[0])))
            findings.setdefault(key, finding)
    # A word that lacks a required form is reported once, not again for each sentence that needs it.
    reported = {(f.file, f.line) for f in findings.values() if f.name in {"words.unstated_form", "words.no_gender"}}
    return [f for f in findings.values() if f.name != "words.missing_form" or (f.file, f.line) not in reported]


def own_messages(known: Mapping[str, object]) -> Iterator[MessageSpec]:
    """Yield specs for the shipped messages that are not declared, with slots guessed from their English sentences."""
    english = load_locale(ENGLISH, ())
    for name in english.catalog.entries:
        if name not in known and not name.startswith(FOREIGN):
            with suppress(WordsError):
                template = english.catalog.template(name)
                names = sorted(template.names) if template else ()
                yield MessageSpec(name, {slot: style_lint.OWN_SLOTS.get(slot, "text") for slot in names})


@dataclass(frozen=True, slots=True)
class _LanguageCheck:
    """Check of one language; the other fields are those of `check`."""

    speech: Locale
    english: Locale
    wanted: Mapping[str, MessageSpec]
    vocabulary: Vocabulary
    usable: Mapping[str, frozenset[str]]
    folder: str
    nearest: DidYouMean = field(default_factory=DidYouMean)

    def findings(self) -> Iterator[_Found]:
        """Yield the faults of messages and terms."""
        catalog, folder, wanted = self.speech.catalog, self.folder, self.wanted
        named: set[tuple[str, str]] = set()
        filled: set[str] = set()
        entries = [name for name in catalog.entries if catalog.files[name].startswith(folder)]
        for message, file, line in catalog.twice:
            if file.startswith(folder):
                yield WordsError("words.entry_twice", message=message, file=file, line=line), message, None
        present = {*entries} if folder else {*entries, *self.english.catalog.entries}
        for spec in wanted.values():
            if spec.name not in present and (folder or not spec.needed):
                continue
            template, fault = _sentence(self.speech, self.english, spec)
            if fault is not None:
                yield fault, spec.name, None
            if template is not None:
                yield from self._slots(spec, template)
                for error in _said(self.speech, spec, template, self.vocabulary):
                    subject = error_subject(error, spec.name, self.speech)
                    yield error, subject, suggestion(error, self.speech.lexicon)
                named |= _named(self.speech, spec, template)
            filled |= {*spec.slots.values(), *(k for n, k in spec.offered.items() if template and n in template.names)}
        # Terms that only undisplayed slots could hold are not required.
        unsaid = {kind.partition(":")[2] for spec in wanted.values() for kind in {*spec.offered.values()} - filled}
        sorts = (
            (game, names) for game, words in self.vocabulary.items() for k, names in words.items() if k not in unsaid
        )
        yield from self._terms({(game, name) for game, names in sorts for name in names}, named)
        yield from self._texts(entries)

    def _texts(self, entries: Sequence[str]) -> Iterator[_Found]:
        """Yield the messages that nothing uses, and the faults of style."""
        catalog, lexicon, wanted = self.speech.catalog, self.speech.lexicon, self.wanted
        firsts = {name.partition(".")[0] if "." in name else "" for name in wanted}
        missing = [name for name in wanted if name not in entries]
        ends: dict[str, list[str]] = {}
        for name in wanted:
            ends.setdefault(name.partition(".")[2], []).append(name)
        for name in entries:
            first = name.partition(".")[0] if "." in name else ""
            judged = first in firsts or bool(self.folder)
            # A game may have any number of rules paragraphs, lesson texts and titles of examples.
            is_free = first in firsts and re.fullmatch(r"[^.]+\.(?:rules\.\d+|(?:lesson|example)\.\w+)", name)
            stray = name not in wanted and not (name.startswith(FOREIGN) or is_free)
            # The name of a game can be misspelt too; English has further messages of games that are not being checked.
            if stray and (judged or name not in self.english.catalog.entries):
                near = _same_elsewhere(name, ends) or self.nearest(name, missing)
                if judged or near:
                    yield WordsError("words.unused_message", message=name), name, near or self.nearest(name, wanted)
            if judged or not wanted:
                shown, glossary = catalog.texts(name), self.speech.glossary(catalog.files[name])
                kinds = wanted[name].all_slots if name in wanted else None
                others = (fault for text in shown for fault in style_lint.other_words(text, glossary, name))
                for fault in chain(style_lint.faults(name, shown, lexicon, kinds), others):
                    yield fault, name, None

    def wrong_articles(self, articles: Mapping[str, Mapping[str, frozenset[int]]]) -> Iterator[_Found]:
        """Yield the texts that name an unknown declaration, and the introductions and the paragraphs of rules summaries
        that name none.
        """
        nearest, english = DidYouMean(), self.english.catalog.entries
        entries = self.speech.catalog.entries
        summaries = {name for name in entries if SUMMARY.match(name) or name.endswith(f".{INTRODUCTION}")}
        texts = {name: entry.articles for name, entry in entries.items() if entry.articles or name in summaries}
        guards = {name: named for name, named in self.speech.guards.items() if name not in entries}
        for name, named in {**texts, **guards}.items():
            game = scope_of(name)
            about = name if name in entries else term(game, name.removeprefix(f"{game}:"))
            elsewhere = self.speech is not self.english and name in english
            if game not in articles or elsewhere or not place(self.speech, about)[0].startswith(self.folder):
                continue
            if not named:
                yield WordsError("words.no_articles", message=name), about, None
            for article in named:
                if article not in articles[game] and article != ALWAYS:
                    near = nearest(article, articles[game])
                    yield WordsError("words.unknown_article", message=name, word=article), about, near

    def wrong_statements(self, articles: Mapping[str, Mapping[str, frozenset[int]]]) -> Iterator[_Found]:
        """Yield the questions without an answer, the answers without a question, and what these, introductions and
        notes say although their declarations do not give it: numbers, and components that the game has none of.
        """
        catalog, english = self.speech.catalog, self.english.catalog.entries
        for name in catalog.entries:
            game = scope_of(name)
            question, authored = QUESTION.fullmatch(name), AUTHORED.fullmatch(name)
            if game not in articles or not catalog.files[name].startswith(self.folder):
                continue
            if question is not None and (partner := partner_of(name)) not in {*catalog.entries, *english}:
                yield WordsError("words.no_partner", message=name, word=partner), name, None
            if question is None and authored is None:
                continue
            about = question[3] if question is not None else authored[2] if authored is not None else None
            listed = self.english.guards.get(name) or self.speech.guards.get(name, ())
            given = frozenset[int]().union(*(articles[game].get(key, ()) for key in (about or "", *listed)))
            for text in catalog.texts(name):
                for word, number in style_lint.numbers_in(text, self.speech.lexicon):
                    if number not in given:
                        yield WordsError("words.unknown_number", message=name, word=word), name, None
                if authored is not None:
                    for word in self._missing_components(text, game, articles[game]):
                        yield WordsError("words.unknown_component", message=name, word=word), name, None

    def _missing_components(self, text: str, game: str, articles: Iterable[str]) -> Iterator[str]:
        """Yield the words of a text for common components of which a game declares none, unless its terms use them."""
        sorts, lexicon = {key.partition(".")[0] for key in articles}, self.speech.lexicon
        missing = [common for common, sort in COMPONENTS.items() if sort not in sorts]
        nouns = filter(None, (lexicon.noun(common) for common in missing))
        forms = {form.casefold() for noun in nouns for _, form in noun.forms.entries}
        own = (
            noun
            for scope in scopes(game)
            for name in lexicon.games.get(scope, ())
            if (noun := lexicon.noun(name, game))
        )
        forms -= {word for noun in own for _, form in noun.forms.entries for word in form.casefold().split()}
        yield from (word for word in style_lint.words_in(text) if word.casefold() in forms)

    def _slots(self, spec: MessageSpec, template: Template) -> Iterator[_Found]:
        slots = spec.all_slots
        nearest_names = {name: self.nearest(name, slots) for name in sorted(template.names - {*slots})}
        for name, near in nearest_names.items():
            yield WordsError("words.unknown_slot", message=spec.name, word=name), spec.name, near
        try:
            source = self.english.catalog.template(spec.name)
        except WordsError:
            return
        if source is None:
            return
        for name in sorted(source.names & {*slots} - template.names - {*nearest_names.values()}):
            yield WordsError("words.missing_slot", message=spec.name, word=name), spec.name, None
        if source.clause is not None and template.clause is None:
            yield WordsError("words.no_verb", message=spec.name), spec.name, None

    def _terms(self, needed: set[tuple[str, str]], named: set[tuple[str, str]]) -> Iterator[_Found]:
        """Yield the faults of terms; `named` are those that sentences name themselves."""
        speech, lexicon, usable, folder = self.speech, self.speech.lexicon, self.usable, self.folder
        missing = [name for game, name in sorted(needed) if not lexicon.has(name, game or None)]
        for game, name in sorted(needed):
            if name in missing:
                yield WordsError("words.unknown_term", word=name), term(game, name), None
        for scope, name in lexicon.nouns():
            about, game = term(scope, name), scope or ""
            file = place(speech, about)[0]
            if not file.startswith(folder):
                continue
            try:
                noun = lexicon.noun(name, scope)
            except WordsError as error:
                yield error, about, suggestion(error, lexicon)
                continue
            for _, form in noun.forms.entries if noun else ():
                others = style_lint.other_words(form, speech.glossary(file), name)
                for fault in chain(style_lint.text_faults(form, lexicon, name), others):
                    yield fault, about, None
            if noun and lexicon.lacks_gender(noun):
                genders = Listing(tuple(Text(gender) for gender in lexicon.features.dimensions["gender"]))
                yield WordsError("words.no_gender", word=name, known=genders), about, None
            for form in lexicon.missing_forms(noun) if noun else ():
                yield WordsError("words.unstated_form", word=name, form=form), about, None
            if scope and scope not in {*usable, *self.vocabulary, *self.english.lexicon.games} and not folder:
                if nearly := self.nearest(scope, usable):
                    yield WordsError("words.unknown_game", word=scope), ("games", scope), nearly
                continue
            spare = (game, name) not in needed | named and name not in usable.get(game, frozenset())
            if (game in self.vocabulary or folder) and spare:
                near = self.nearest(name, missing) or self.nearest(name, usable.get(game, ()))
                if folder and game not in usable:
                    # The scope is no game: suggest a similar name, or the game that uses this word.
                    near = self.nearest(game, usable) or next((game for game in usable if name in usable[game]), near)
                yield WordsError("words.unused_term", word=name), about, near


def _same_elsewhere(name: str, ends: Mapping[str, Sequence[str]]) -> str | None:
    """Return the same message under another game's name, preferring a variant (`game/variant`).

    `ends` maps the part of each wanted name behind its game to the full names.
    """
    first, _, rest = name.partition(".")
    candidates = ends.get(rest, ()) if rest else ()
    variants = (candidate for candidate in candidates if candidate.partition(".")[0].endswith(f"/{first}"))
    return next(variants, next(iter(candidates), None))


def _sentence(speech: Locale, english: Locale, spec: MessageSpec) -> tuple[Template | None, WordsError | None]:
    """Return the sentence in this language, or None and the fault of its entry."""
    entry, source = speech.catalog.entries.get(spec.name), english.catalog.entries.get(spec.name)
    if source is None and entry is None:
        return None, WordsError("words.unknown_message", word=spec.name)
    fault, translated = "", speech is not english
    if translated and entry is None:
        fault = "words.no_entry"
    elif translated and entry is not None and not any(entry.texts):
        fault = "words.untranslated"
    elif entry is not None and entry.fuzzy:
        fault = "words.fuzzy"
    # A draft in English does not make a translation stale.
    elif translated and entry and source and not source.fuzzy and entry.english != source.english:
        fault = "words.stale"
    elif translated and entry is not None and not entry.translated:
        return None, WordsError("words.missing_plural", message=spec.name, n=speech.catalog.forms)
    if fault:
        return None, WordsError(fault, message=spec.name)
    try:
        return speech.catalog.template(spec.name), None
    except WordsError as error:
        return None, error


def _said(speech: Locale, spec: MessageSpec, template: Template, vocabulary: Vocabulary) -> Iterator[WordsError]:
    """Yield the errors from rendering the message in every distinct form."""
    runs = [all_forms(speech, spec, template, vocabulary)]
    if template.clause is not None:
        # Word order does not depend on the count, so one count is enough.
        runs += (all_forms(speech, spec, template, vocabulary, (2,), order) for order in style_lint.OTHER_ORDERS)
    for _, result in chain.from_iterable(runs):
        if isinstance(result, WordsError):
            yield result


def all_forms(
    speech: Locale,
    spec: MessageSpec,
    template: Template,
    vocabulary: Vocabulary,
    counts: Sequence[int] = COUNTS,
    order: Order | None = None,
) -> Iterator[tuple[Mapping[str, Value], str | WordsError]]:
    """Yield the message rendered in every distinct form, with its arguments, or the error that prevented it.

    Each slot takes all its values, with each number of `counts`. With `order`, the sentence is rendered as a part of
    another one in that word order, if its verb is marked.
    """
    # `n` chooses the plural form even of a sentence that does not show it.
    slots = {n: kind for n, kind in spec.all_slots.items() if n in spec.slots or n in template.names or n == "n"}
    if not template.names <= set(slots):
        return
    game = spec.name.partition(".")[0]
    choices = {name: _values(name, kind, game, vocabulary) for name, kind in slots.items()} or {"": PLAYERS[:1]}
    for name, values in choices.items():
        if not values:
            kind = Text(slots[name])
            yield {}, WordsError("words.no_values", message=spec.name, word=name, kind=kind)
            return
    numbers = [name for name, kind in slots.items() if kind == "number"]
    seen: dict[tuple[object, ...], Mapping[str, Value]] = {}
    for count in counts:
        plain = {name: values[0] for name, values in choices.items()} | dict.fromkeys(numbers, count)
        for name, value in ((name, value) for name, values in choices.items() for value in values):
            filled = plain | {name: count if name in numbers else _counted(value, slots.get(name, ""), count)}
            try:
                # Covers every plural form of the sentence.
                sentence = speech.catalog.template(spec.name, count) or template
                if seen.setdefault((id(sentence), *map(filled.get, (*sentence.names, *numbers))), filled) is not filled:
                    continue
                if order is None or sentence.clause is None:
                    yield filled, speech.sentence(sentence, filled, game)
                else:
                    yield filled, speech.clause(sentence, filled, order, game)
            except WordsError as error:
                # A missing term is reported once under its own name; a missing form, with the message that needs it.
                yield filled, error


def _values(name: str, kind: str, game: str, vocabulary: Vocabulary) -> tuple[Value, ...]:
    sort, _, category = kind.partition(":")
    if sort == "named":
        return (Term(name, game),)
    if sort in {"term", "count"}:
        term_lists = (vocabulary.get(scope, {}).get(category) for scope in (*scopes(game), ""))
        names = next((names for names in term_lists if names), THINGS if category == "thing" else ())
        return tuple(Term(name, game, 1 if sort == "count" else None) for name in names)
    others: dict[str, tuple[Value, ...]] = {
        "player": PLAYERS,
        "number": COUNTS,
        "tally": (ValueList(tuple((player, 2) for player in PLAYERS)),),
        "listing": (Listing(PLAYERS[:1]), Listing(PLAYERS)),
        "text": (Text("xyz"),),
        "truth": (True, False),
    }
    return others.get(sort, ())


def _counted(value: Value, kind: str, count: int) -> Value:
    return Term(value.name, value.game, count) if isinstance(value, Term) and kind.startswith("count:") else value


def _named(speech: Locale, spec: MessageSpec, template: Template) -> set[tuple[str, str]]:
    """Return the terms that a sentence names itself: `{n:point}`."""
    named = set()
    for part in template.parts:
        with suppress(WordsError):
            noun = read_slot_spec(part.spec, speech.lexicon).noun if isinstance(part, Slot) else None
            if noun is not None:
                named |= {(spec.name.partition(".")[0], noun), ("", noun)}
    return named


def term(scope: str | None, name: str) -> About:
    """Return the lexicon path of a term of a game, or of a common one."""
    return ("games", scope, name) if scope else ("terms", name)


def with_place(error: WordsError, language: str, speech: Locale | None, about: About, meant: str | None) -> LintFinding:
    """Return the finding for a fault, with its file and line, which are also added to its arguments."""
    file, line = getattr(error.details.get("file"), "text", ""), error.details.get("line", 0)
    if not file and speech is not None:
        file, line = place(speech, about)
        entry = speech.catalog.entries.get(about) if isinstance(about, str) else None
        if entry is not None and any(entry.texts) and error.name not in _INCOMPLETE | _UNUSED:
            line = entry.texts_line
    # The position includes the language, since a word alone does not identify its file.
    stated = getattr(error.details.get("where"), "text", language)
    inside = stated if stated.startswith(language) or "/" in stated else f"{language}: {stated}"
    if not file and (within := re.match(r"(.+):(\d+): ", inside)):
        file, line, inside = within[1], int(within[2]), language
    details = {**error.details, "where": Text(inside)}
    name = about if isinstance(about, str) else about[-1]
    return LintFinding(error.name, language, details, file, line if isinstance(line, int) else 0, name, meant)


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
