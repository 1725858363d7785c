"""Is everything there that the program and its games say?

Every message is said with every term that can come up and with telling numbers, so that whatever a game could show is
seen to have its words before it is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain

from wongar_dsl.text.suggest import Suggestions
from wongar_dsl.words import wording
from wongar_dsl.words.arguments import Listing, Player, Tally, Term, Text, Value
from wongar_dsl.words.clause import Order, Slot
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.files import Root
from wongar_dsl.words.findings import About, Finding, about, meant, place, placed, term
from wongar_dsl.words.lexicon import scopes
from wongar_dsl.words.locale import Locale, load_locale
from wongar_dsl.words.negotiation import ENGLISH, available
from wongar_dsl.words.slots import read_slot_spec
from wongar_dsl.words.template import Template

#: Numbers that tell: none, one, few, many, and one with a group of thousands (Italian has a form for the million).
COUNTS = (0, 1, 2, 5, 1_000_000)

#: The sentences of another library, which fills their slots itself.
FOREIGN = "click."

#: Names that begin with different sounds and end in different letters.
PLAYERS = (Player("Anna"), Player("Bert"), Player("Iris"), Player("Zeno"))

#: Terms that every language has, for the engine's own sentences about the things of a game.
THINGS = ("card", "token", "box")

#: The terms that can come up: for each game ("" for all games) each category with its terms.
Vocabulary = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class MessageSpec:
    """A message that something says, under its full name (`chess.captured`), with the kinds of its slots.

    A kind is `term:<category>` (`count:<category>` if it brings its own number), `player`, `number`, `truth`, `tally`,
    `listing` or `text`.  One that is not `needed` may be missing everywhere.
    """

    name: str
    slots: Mapping[str, str] = field(default_factory=dict)
    needed: bool = True
    offered: Mapping[str, str] = field(default_factory=dict)

    @property
    def all_slots(self) -> Mapping[str, str]:
        """The slots that the rules fill, and then those that a sentence can have besides."""
        return {**self.slots, **self.offered}


#: What is wrong, what it is about, and what was probably meant.
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
) -> list[Finding]:
    """What is wrong with the words of `languages` (all that there are), in a fixed order and each thing once.

    `specs` are the messages that are said; unused ones are only found among those whose first part (`chess`, `cli`)
    a spec shares, and so are sentences that are not written as the language writes; without `specs`, all are looked at.
    `vocabulary` holds the terms that must be there; unused terms are only found in its games, and those in `usable` may
    be there.  With `own`, the English sentences that no spec is about are compared too: the program's own.  With
    `folder`, only what stands in files below it is looked at, and everything there is.  `articles` are those of the
    rules of each game, which paragraphs of its rules in short name.
    """
    wanted = {spec.name: spec for spec in specs}
    known = vocabulary or {}
    found: dict[tuple[str, str, str], Finding] = {}
    for language in languages or available(roots):
        try:
            speech = load_locale(language, roots, strict=True)
            english = speech if language == ENGLISH else load_locale(ENGLISH, roots, strict=True)
        except WordsError as error:
            finding = placed(Finding(error.name, language, error.details), None, "", meant(error))
            found[language, finding.name, ""] = finding
            continue
        if own:
            wanted |= {spec.name: spec for spec in own_messages(wanted)}
        named = _articles(speech, english, articles or {}, folder)
        for name, details, subject, near in chain(
            _findings(speech, english, wanted, known, usable or {}, folder), named
        ):
            finding = placed(Finding(name, language, details), speech, subject, near)
            key = (language, name, repr(sorted(finding.details.items(), key=lambda item: item[0])))
            found.setdefault(key, finding)
    # A word that does not state what it has to is told once, not with each sentence that needs it.
    told = {(f.file, f.line) for f in found.values() if f.name in {"words.unstated_form", "words.no_gender"}}
    return [f for f in found.values() if f.name != "words.missing_form" or (f.file, f.line) not in told]


def own_messages(known: Mapping[str, object]) -> Iterator[MessageSpec]:
    """The messages of the shipped catalogs that nobody has declared, with the slots that their sentences have."""
    english = load_locale(ENGLISH, ())
    for name in english.catalog.entries:
        if name not in known and not name.startswith(FOREIGN):
            with suppress(WordsError):
                template = english.catalog.template(name, source=True)
                names = sorted(template.names) if template else ()
                yield MessageSpec(name, {slot: wording.OWN_SLOTS.get(slot, "text") for slot in names})


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
    nearest = Suggestions()
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
                yield error.name, error.details, about(error, spec.name, speech), meant(error, speech.lexicon)
            named |= _named(speech, spec, template)
        filled |= {*spec.slots.values(), *(k for n, k in spec.offered.items() if template and n in template.names)}
    # What a statement knows and no sentence says needs no terms.
    unsaid = {kind.partition(":")[2] for spec in wanted.values() for kind in {*spec.offered.values()} - filled}
    needed = {game: {k: v for k, v in words.items() if k not in unsaid} for game, words in vocabulary.items()}
    yield from _terms(speech, english, needed, usable, named, folder, nearest)
    firsts = {name.partition(".")[0] if "." in name else "" for name in wanted}
    missing = [name for name in wanted if name not in entries]
    ends: dict[str, list[str]] = {}
    for name in wanted:
        ends.setdefault(name.partition(".")[2], []).append(name)
    for name, entry in entries.items():
        first = name.partition(".")[0] if "." in name else ""
        judged = first in firsts or bool(folder)
        stray = name not in wanted and not (name.startswith(FOREIGN) or _is_free(name, firsts))
        # The name of a game can be misspelt too; what English has is another game's that was not asked for.
        if stray and (judged or name not in english.catalog.entries):
            near = _same_elsewhere(name, ends) or nearest(name, missing)
            if judged or near:
                yield "words.unused_message", {"message": Text(name)}, name, near or nearest(name, wanted)
        if judged or not wanted:
            shown = entry.shown(speech is english)
            kinds = wanted[name].all_slots if name in wanted else None
            for fault, details in wording.faults(name, shown, speech.lexicon, kinds):
                yield fault, details, name, None
            for text in shown:
                for fault, details in wording.other_words(text, speech.glossary(speech.catalog.files[name])):
                    yield fault, {"message": Text(name), **details}, name, None


def _articles(speech: Locale, english: Locale, articles: Mapping[str, frozenset[str]], folder: str) -> Iterator[_Found]:
    """Paragraphs of rules in short that do not say which articles they speak of, or name one that there is not."""
    nearest = Suggestions()
    for name, entry in speech.catalog.entries.items():
        game = name.partition(".")[0]
        elsewhere = speech is not english and name in english.catalog.entries
        if not re.match(r"[^.]+\.rules\.", name) or game not in articles or elsewhere:
            continue
        if folder and not speech.catalog.files[name].startswith(folder):
            continue
        if not entry.articles:
            yield "words.no_articles", {"message": Text(name)}, name, None
        for article in entry.articles:
            if article not in articles[game]:
                near = nearest(article, articles[game])
                yield "words.unknown_article", {"message": Text(name), "word": Text(article)}, name, near


def _is_free(name: str, firsts: set[str]) -> bool:
    """Whether a game can have any number of such messages: the paragraphs of its rules in short, its lesson."""
    found = re.fullmatch(r"([^.]+)\.(?:rules\.\d+|lesson\.\w+)", name)
    return found is not None and found[1] in firsts


def _same_elsewhere(name: str, ends: Mapping[str, Sequence[str]]) -> str | None:
    """The same message under the name of another game: a variant's words belong to `game/variant`.

    `ends` are the names that are wanted by what stands behind their game.
    """
    first, _, rest = name.partition(".")
    found = ends.get(rest, ()) if rest else ()
    return next((known for known in found if known.partition(".")[0].endswith(f"/{first}")), None) or (
        found[0] if found else None
    )


def _sentence(
    speech: Locale, english: Locale, spec: MessageSpec
) -> tuple[Template | None, list[tuple[str, dict[str, Value]]]]:
    """The sentence in this language, and what is wrong with its entry."""
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
        # A draft is nothing that a translation could be behind.
        if source is not None and not source.fuzzy and entry.english != source.english:
            return None, [("words.stale", message)]
        if not entry.translated:
            return None, [("words.missing_plural", {**message, "n": speech.catalog.forms})]
    try:
        return speech.catalog.template(spec.name, source=speech is english), []
    except WordsError as error:
        return None, [(error.name, dict(error.details))]


def _slots(english: Locale, spec: MessageSpec, template: Template, nearest: Suggestions) -> Iterator[_Found]:
    meant = {name: nearest(name, spec.all_slots) for name in sorted(template.names - set(spec.all_slots))}
    for name, near in meant.items():
        yield "words.unknown_slot", {"message": Text(spec.name), "word": Text(name)}, spec.name, near
    try:
        source = english.catalog.template(spec.name, source=True)
    except WordsError:
        return
    for name in sorted(
        (source.names if source else frozenset()) & set(spec.all_slots) - template.names - {*meant.values()}
    ):
        yield "words.missing_slot", {"message": Text(spec.name), "word": Text(name)}, spec.name, None
    if source is not None and source.clause is not None and template.clause is None:
        yield "words.no_verb", {"message": Text(spec.name)}, spec.name, None


def _said(speech: Locale, spec: MessageSpec, template: Template, vocabulary: Vocabulary) -> Iterator[WordsError]:
    """Says the message in all ways that differ, and gives what goes wrong."""
    ways = [sayings(speech, spec, template, vocabulary)]
    if template.clause is not None:
        # In which order the words stand does not depend on how many there are.
        ways += (sayings(speech, spec, template, vocabulary, (2,), order) for order in wording.OTHER_ORDERS)
    for _, result in chain.from_iterable(ways):
        if isinstance(result, WordsError):
            yield result


def sayings(
    speech: Locale,
    spec: MessageSpec,
    template: Template,
    vocabulary: Vocabulary,
    counts: Sequence[int] = COUNTS,
    order: Order | None = None,
) -> Iterator[tuple[Mapping[str, Value], str | WordsError]]:
    """The message in all ways that differ: each slot through all its values, with each number; or why it cannot be.

    With `order` it is said as a part of another sentence, in this order of words, if its verb is marked.
    """
    # `n` decides about the form of a sentence that does not say it.
    slots = {n: kind for n, kind in spec.all_slots.items() if n in spec.slots or n in template.names or n == "n"}
    if not template.names <= set(slots):
        return
    game = spec.name.partition(".")[0]
    choices = {name: _values(kind, game, vocabulary) for name, kind in slots.items()}
    for name, values in choices.items():
        if not values:
            kind = Text(slots[name])
            yield {}, WordsError("words.no_values", {"message": Text(spec.name), "word": Text(name), "kind": kind})
            return
    numbers = [name for name, kind in slots.items() if kind == "number"]
    source = speech.lexicon.code == ENGLISH
    for count in counts:
        plain = {name: values[0] for name, values in choices.items()} | dict.fromkeys(numbers, count)
        for name in slots or ("",):
            for value in choices.get(name, PLAYERS[:1]):
                filled: dict[str, Value] = dict(plain)
                if name:
                    filled[name] = count if name in numbers else _counted(value, slots[name], count)
                try:
                    # Every plural form of the sentence, if it has several.
                    said = speech.catalog.template(spec.name, count, source=source) or template
                    if order is None or said.clause is None:
                        yield filled, speech.realiser.sentence(said, filled, game)
                    else:
                        yield filled, speech.realiser.clause(said, filled, order, game)
                except WordsError as error:
                    # A missing term is told once, by its own name; a form, with the message that wants it.
                    yield filled, error


def _values(kind: str, game: str, vocabulary: Vocabulary) -> tuple[Value, ...]:
    sort, _, category = kind.partition(":")
    if sort in {"term", "count"}:
        known = (vocabulary.get(scope, {}).get(category) for scope in (*scopes(game), ""))
        names = next((names for names in known if names), THINGS if category == "thing" else ())
        return tuple(Term(name, game, 1 if sort == "count" else None) for name in names)
    others: dict[str, tuple[Value, ...]] = {
        "player": PLAYERS,
        "number": COUNTS,
        "tally": (Tally(tuple((player, 2) for player in PLAYERS)),),
        "listing": (Listing(PLAYERS[:1]), Listing(PLAYERS)),
        "text": (Text("xyz"),),
        "truth": (True, False),
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
    speech: Locale,
    english: Locale,
    vocabulary: Vocabulary,
    usable: Mapping[str, frozenset[str]],
    named: set[tuple[str, str]],
    folder: str,
    nearest: Suggestions,
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
            yield error.name, error.details, term(scope, name), meant(error, speech.lexicon)
            continue
        for _, form in noun.forms.entries if noun else ():
            found = chain(wording.text_faults(form, speech.lexicon), wording.other_words(form, speech.glossary(file)))
            for fault, details in found:
                yield fault, {"message": Text(name), **details}, term(scope, name), None
        if noun and speech.lexicon.lacks_gender(noun):
            genders = Listing(tuple(Text(gender) for gender in speech.lexicon.features.dimensions["gender"]))
            yield "words.no_gender", {"word": Text(name), "known": genders}, term(scope, name), None
        for form in speech.lexicon.unstated(noun) if noun else ():
            yield "words.unstated_form", {"word": Text(name), "form": Text(form)}, term(scope, name), None
        if scope and scope not in {*usable, *vocabulary, *english.lexicon.games, None} and not folder:
            if nearly := nearest(scope, usable):
                yield "words.unknown_game", {"word": Text(scope)}, ("games", scope), nearly
            continue
        spare = (scope or "", name) not in needed | named and name not in usable.get(scope or "", frozenset())
        if ((scope or "") in vocabulary or folder) and spare:
            near = nearest(name, missing) or nearest(name, usable.get(scope or "", ()))
            if folder and (scope or "") not in usable:
                # Words under the name of something that is no game: which game has them?
                near = nearest(scope or "", usable) or next((game for game in usable if name in usable[game]), near)
            yield "words.unused_term", {"word": Text(name)}, term(scope, name), near
