"""Completeness check of lexicons and catalogs.

Every message is rendered with every possible term and with representative numbers, so that missing text is found before
a game is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeAlias

from wongar_dsl.base.did_you_mean import DidYouMean, did_you_mean
from wongar_dsl.base.span import Span
from wongar_dsl.nlg.words import style_lint
from wongar_dsl.nlg.words.arguments import Listing, PlayerName, Term, Text, Value, ValueList, WordsError
from wongar_dsl.nlg.words.clause import Order, Slot, Template
from wongar_dsl.nlg.words.files import Root
from wongar_dsl.nlg.words.lexicon import Lexicon, scopes
from wongar_dsl.nlg.words.lexicon_reader import RESERVED, SECTIONS
from wongar_dsl.nlg.words.locale import ALWAYS, SUMMARY, Locale, load_locale, place_of, scope_of
from wongar_dsl.nlg.words.negotiation import ENGLISH, available
from wongar_dsl.nlg.words.slots import read_slot_spec

#: Representative numbers: none, one, few, many, and one with a thousands group (Italian has a form for the million).
COUNTS = (0, 1, 2, 5, 1_000_000)

#: Prefix of the messages of another library (click), which fills their slots itself.
FOREIGN = "click."

#: Names that begin with different sounds and end in different letters.
PLAYERS = (PlayerName("Anna"), PlayerName("Bert"), PlayerName("Iris"), PlayerName("Zeno"))

#: Terms that every language defines, for the engine's own sentences about the components of a game.
THINGS = ("card", "token", "box")

#: The possible terms: for each game ("" for all games), the terms of each category.
Vocabulary = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """A declared message under its full name (`chess.captured`), with the kinds of its slots.

    A kind is `term:<category>` (`count:<category>` if it brings its own number), `player`, `number`, `truth`, `tally`,
    `listing` or `text`. A message that is not `needed` may be missing everywhere. `offered` are slots that its
    statement can fill although the author did not write them, and `span` is where the rules use it.
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

#: Message name of the fault, its details, its subject, and the probable intention.
_Found = tuple[str, Mapping[str, Value], About, str | None]


def check(
    specs: Iterable[MessageSpec],
    vocabulary: Vocabulary | None = None,
    roots: Sequence[Root] = (),
    languages: Sequence[str] | None = None,
    own: bool = False,
    usable: Mapping[str, frozenset[str]] | None = None,
    folder: str = "",
    articles: Mapping[str, frozenset[str]] | None = None,
) -> list[LintFinding]:
    """Return the faults in the words of `languages` (default: all), in a fixed order and without duplicates.

    `specs` are the messages in use. Unused messages and style faults are only reported for first name parts (`chess`,
    `cli`) that occur in a spec; without `specs`, for all messages. `vocabulary` holds the required terms; unused terms
    are only reported in its games, and those in `usable` are allowed. With `own`, the program's own messages, which
    have no spec, are compared as well. With `folder`, only files below it are checked, but completely. `articles` are
    the declarations of each game that paragraphs of its rules summary may name.
    """
    by_name = {spec.name: spec for spec in specs}
    terms = vocabulary or {}
    findings: dict[tuple[str, str, str], LintFinding] = {}
    for language in languages or available(roots):
        try:
            speech = load_locale(language, roots, strict=True)
            english = speech if language == ENGLISH else load_locale(ENGLISH, roots, strict=True)
        except WordsError as error:
            finding = with_place(LintFinding(error.name, language, error.details), None, "", suggestion(error))
            findings[language, finding.name, ""] = finding
            continue
        if own:
            by_name |= {spec.name: spec for spec in own_messages(by_name)}
        named = _articles(speech, english, articles or {}, folder)
        for name, details, subject, near in chain(
            _findings(speech, english, by_name, terms, usable or {}, folder), named
        ):
            finding = with_place(LintFinding(name, language, details), speech, subject, near)
            key = (language, name, repr(sorted(finding.details.items(), key=lambda item: item[0])))
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


def _findings(
    speech: Locale,
    english: Locale,
    wanted: Mapping[str, MessageSpec],
    vocabulary: Vocabulary,
    usable: Mapping[str, frozenset[str]],
    folder: str,
) -> Iterator[_Found]:
    named: set[tuple[str, str]] = set()
    filled: set[str] = set()
    nearest = DidYouMean()
    entries = speech.catalog.entries
    if folder:
        entries = {name: entry for name, entry in entries.items() if speech.catalog.files[name].startswith(folder)}
    for message, file, line in speech.catalog.twice:
        if file.startswith(folder):
            yield "words.entry_twice", {"message": Text(message), "file": Text(file), "line": line}, message, None
    for spec in wanted.values():
        if spec.name not in entries and (folder or (not spec.needed and spec.name not in english.catalog.entries)):
            continue
        template, problems = _sentence(speech, english, spec)
        for name, details in problems:
            yield name, details, spec.name, None
        if template is not None:
            yield from _slots(english, spec, template, nearest)
            for error in _said(speech, spec, template, vocabulary):
                yield (
                    error.name,
                    error.details,
                    error_subject(error, spec.name, speech),
                    suggestion(error, speech.lexicon),
                )
            named |= _named(speech, spec, template)
        filled |= {*spec.slots.values(), *(k for n, k in spec.offered.items() if template and n in template.names)}
    # Terms that only undisplayed slots could hold are not required.
    unsaid = {kind.partition(":")[2] for spec in wanted.values() for kind in {*spec.offered.values()} - filled}
    needed = {game: {k: v for k, v in words.items() if k not in unsaid} for game, words in vocabulary.items()}
    yield from _terms(speech, english, needed, usable, named, folder, nearest)
    firsts = {name.partition(".")[0] if "." in name else "" for name in wanted}
    missing = [name for name in wanted if name not in entries]
    ends: dict[str, list[str]] = {}
    for name in wanted:
        ends.setdefault(name.partition(".")[2], []).append(name)
    for name in entries:
        first = name.partition(".")[0] if "." in name else ""
        judged = first in firsts or bool(folder)
        stray = name not in wanted and not (name.startswith(FOREIGN) or _is_free(name, firsts))
        # The name of a game can be misspelt too; English has further messages of games that are not being checked.
        if stray and (judged or name not in english.catalog.entries):
            near = _same_elsewhere(name, ends) or nearest(name, missing)
            if judged or near:
                yield "words.unused_message", {"message": Text(name)}, name, near or nearest(name, wanted)
        if judged or not wanted:
            shown = speech.catalog.texts(name)
            kinds = wanted[name].all_slots if name in wanted else None
            for fault, details in style_lint.faults(name, shown, speech.lexicon, kinds):
                yield fault, details, name, None
            for text in shown:
                for fault, details in style_lint.other_words(text, speech.glossary(speech.catalog.files[name])):
                    yield fault, {"message": Text(name), **details}, name, None


def _articles(speech: Locale, english: Locale, articles: Mapping[str, frozenset[str]], folder: str) -> Iterator[_Found]:
    """Yield the texts that name an unknown declaration, and the paragraphs of rules summaries that name none."""
    nearest = DidYouMean()
    entries = speech.catalog.entries
    texts = {name: entry.articles for name, entry in entries.items() if entry.articles or SUMMARY.match(name)}
    for name, named in {**texts, **speech.guards}.items():
        game = scope_of(name)
        about = name if name in entries else term(game, name.removeprefix(f"{game}:"))
        elsewhere = speech is not english and name in english.catalog.entries
        if game not in articles or elsewhere or (folder and not place(speech, about)[0].startswith(folder)):
            continue
        if not named:
            yield "words.no_articles", {"message": Text(name)}, about, None
        for article in named:
            if article not in articles[game] and article != ALWAYS:
                near = nearest(article, articles[game])
                yield "words.unknown_article", {"message": Text(name), "word": Text(article)}, about, near


def _is_free(name: str, firsts: set[str]) -> bool:
    """Return whether a game may have any number of messages of this name: rules paragraphs and lesson texts."""
    match = re.fullmatch(r"([^.]+)\.(?:rules\.\d+|lesson\.\w+)", name)
    return match is not None and match[1] in firsts


def _same_elsewhere(name: str, ends: Mapping[str, Sequence[str]]) -> str | None:
    """Return the same message under another game's name, preferring a variant (`game/variant`).

    `ends` maps the part of each wanted name behind its game to the full names.
    """
    first, _, rest = name.partition(".")
    candidates = ends.get(rest, ()) if rest else ()
    return next((candidate for candidate in candidates if candidate.partition(".")[0].endswith(f"/{first}")), None) or (
        candidates[0] if candidates else None
    )


def _sentence(
    speech: Locale, english: Locale, spec: MessageSpec
) -> tuple[Template | None, list[tuple[str, dict[str, Value]]]]:
    """Return the sentence in this language (or None), and the faults of its entry."""
    message: dict[str, Value] = {"message": Text(spec.name)}
    entry, source = speech.catalog.entries.get(spec.name), english.catalog.entries.get(spec.name)
    if source is None and entry is None:
        return None, [("words.unknown_message", {"word": Text(spec.name)})]
    if speech is not english:
        if entry is None:
            return None, [("words.no_entry", message)]
        if not any(entry.texts):
            return None, [("words.untranslated", message)]
    if entry is not None and entry.fuzzy:
        return None, [("words.fuzzy", message)]
    if speech is not english and entry is not None:
        # A draft in English does not make a translation stale.
        if source is not None and not source.fuzzy and entry.english != source.english:
            return None, [("words.stale", message)]
        if not entry.translated:
            return None, [("words.missing_plural", {**message, "n": speech.catalog.forms})]
    try:
        return speech.catalog.template(spec.name), []
    except WordsError as error:
        return None, [(error.name, dict(error.details))]


def _slots(english: Locale, spec: MessageSpec, template: Template, nearest: DidYouMean) -> Iterator[_Found]:
    nearest_names = {name: nearest(name, spec.all_slots) for name in sorted(template.names - set(spec.all_slots))}
    for name, near in nearest_names.items():
        yield "words.unknown_slot", {"message": Text(spec.name), "word": Text(name)}, spec.name, near
    try:
        source = english.catalog.template(spec.name)
    except WordsError:
        return
    for name in sorted(
        (source.names if source else frozenset()) & set(spec.all_slots) - template.names - {*nearest_names.values()}
    ):
        yield "words.missing_slot", {"message": Text(spec.name), "word": Text(name)}, spec.name, None
    if source is not None and source.clause is not None and template.clause is None:
        yield "words.no_verb", {"message": Text(spec.name)}, spec.name, None


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
    choices = {name: _values(kind, game, vocabulary) for name, kind in slots.items()} or {"": PLAYERS[:1]}
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


def _values(kind: str, game: str, vocabulary: Vocabulary) -> tuple[Value, ...]:
    sort, _, category = kind.partition(":")
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
        if isinstance(part, Slot):
            try:
                noun = read_slot_spec(part.spec, speech.lexicon).noun
            except WordsError:
                continue
            if noun is not None:
                named |= {(spec.name.partition(".")[0], noun), ("", noun)}
    return named


def _terms(
    speech: Locale,
    english: Locale,
    vocabulary: Vocabulary,
    usable: Mapping[str, frozenset[str]],
    named: set[tuple[str, str]],
    folder: str,
    nearest: DidYouMean,
) -> Iterator[_Found]:
    needed = {(game, name) for game, words in vocabulary.items() for names in words.values() for name in names}
    missing = [name for game, name in sorted(needed) if not speech.lexicon.has(name, game or None)]
    for game, name in sorted(needed):
        if name in missing:
            yield "words.unknown_term", {"word": Text(name)}, term(game, name), None
    for scope, name in speech.lexicon.nouns():
        file = place(speech, term(scope, name))[0]
        if folder and not file.startswith(folder):
            continue
        try:
            noun = speech.lexicon.noun(name, scope)
        except WordsError as error:
            yield error.name, error.details, term(scope, name), suggestion(error, speech.lexicon)
            continue
        for _, form in noun.forms.entries if noun else ():
            problems = chain(
                style_lint.text_faults(form, speech.lexicon), style_lint.other_words(form, speech.glossary(file))
            )
            for fault, details in problems:
                yield fault, {"message": Text(name), **details}, term(scope, name), None
        if noun and speech.lexicon.lacks_gender(noun):
            genders = Listing(tuple(Text(gender) for gender in speech.lexicon.features.dimensions["gender"]))
            yield "words.no_gender", {"word": Text(name), "known": genders}, term(scope, name), None
        for form in speech.lexicon.missing_forms(noun) if noun else ():
            yield "words.unstated_form", {"word": Text(name), "form": Text(form)}, term(scope, name), None
        if scope and scope not in {*usable, *vocabulary, *english.lexicon.games, None} and not folder:
            if nearly := nearest(scope, usable):
                yield "words.unknown_game", {"word": Text(scope)}, ("games", scope), nearly
            continue
        spare = (scope or "", name) not in needed | named and name not in usable.get(scope or "", frozenset())
        if ((scope or "") in vocabulary or folder) and spare:
            near = nearest(name, missing) or nearest(name, usable.get(scope or "", ()))
            if folder and (scope or "") not in usable:
                # The scope is no game: suggest a similar name, or the game that uses this word.
                near = nearest(scope or "", usable) or next((game for game in usable if name in usable[game]), near)
            yield "words.unused_term", {"word": Text(name)}, term(scope, name), near


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
