"""Realisation of noun phrases in one language: with modifiers, possessives and relative clauses, or as pronouns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from wongar_dsl.nlg.words.arguments import (
    ADDRESSED,
    COUNTED,
    Attribute,
    Listing,
    NounPhrase,
    ProperName,
    Relative,
    Replacement,
    Sentence,
    Term,
    Text,
    Value,
)
from wongar_dsl.nlg.words.clause import Clause, Grammar, Order, Part, Side, Slot, Verb, stripped
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.lexicon import ADDING, CHOOSING, OBJECT, PERSON, SUBJECT, THING, YOU, Lexicon, Noun
from wongar_dsl.nlg.words.slots import (
    SlotSpec,
    has_style,
    needs_noun,
    read_slot_spec,
    with_place_preposition,
    with_possessor,
)
from wongar_dsl.nlg.words.template import Template

#: Placeholder for the end of an inner clause, until the following text is known.
CLOSE = "\ue000"
#: Placeholder for the start of a relative clause, until it is known whether it can follow the verb.
OPEN = "\ue001"
#: The ends of clauses, and the parenthesis after them.
_BEFORE_PARENTHESIS = re.compile(rf"(,?{CLOSE}+)( \([^()]*\))")


class NounPhraseRealiser(Protocol):
    """The services that a noun phrase needs from the realiser; see `Realiser`."""

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""

    def term(self, term: Term, request: SlotSpec, game: str | None) -> str:
        """Return a term with its determiner, adjectives and preposition."""

    def after_preposition(self, preposition: str | None, text: str) -> str:
        """Return a text behind a preposition."""

    def number_form(self, count: int | None, noun: Noun) -> str:
        """Return the grammatical number of a noun for a count."""

    def verb_number(self, count: int | None, noun: Noun) -> str:
        """Return the grammatical number of a verb about a noun for a count."""

    def subject(self, clause: Clause) -> Slot | None:
        """Return the subject slot of a clause."""

    def template(self, message: str, game: str | None) -> Template:
        """Return the sentence of a message."""

    def phrase(
        self,
        template: Template,
        values: Mapping[str, Value],
        game: str | None,
        order: Order = Order.MAIN,
        doer: frozenset[str] = frozenset(),
    ) -> str:
        """Return the words of a message as a part of a sentence whose subject has the features `doer`."""

    def joined(self, items: Sequence[str]) -> str:
        """Join texts as the language joins a list."""

    def ordered(
        self, clause: Clause, values: Mapping[str, Value], order: Order, game: str | None, about: frozenset[str] | None
    ) -> str:
        """Return a clause in a word order."""


def realise(
    realiser: NounPhraseRealiser,
    thing: NounPhrase,
    request: SlotSpec,
    game: str | None,
    subject: frozenset[str] = frozenset(),
) -> str:
    """Realise a noun phrase as a slot requests it; `subject` are the features of the sentence's subject.

    Raises `WordsError` for a form that the language lacks.
    """
    lexicon = realiser.lexicon
    if thing.head.name == COUNTED:
        thing = replace(thing, head=replace(thing.head, name=request.noun or "number"))
    if thing.there and request.place == "where" and lexicon.there:
        return lexicon.there
    thing = _with_noun(thing, request, lexicon, game)
    noun = None if isinstance(thing.head, ProperName) else lexicon.noun(thing.head.name, thing.head.game or game)
    placed = request.place is not None
    request = with_place_preposition(request, noun, lexicon)
    if noun is not None and noun.shared and thing.several:
        thing = replace(thing, several=False, modifiers=tuple(m for m in thing.modifiers if not _of_all(m)))
    if thing.head == ADDRESSED or (thing.pronoun and (SUBJECT in request.features or not thing.doing)):
        form = lexicon.pronouns.pick(features(realiser, thing, request, game))
        if form is not None and (form or not thing.aside):
            return realiser.after_preposition(request.preposition, form)
        thing = replace(thing, words=("def",), modifiers=())
    words = list(thing.words)
    if thing.whose is not None and not thing.own:
        theirs = lexicon.possession_other.pick(features(realiser, thing.whose, SlotSpec(), game)) or "def"
        words = [*theirs.split(), *(word for word in words if word != "def")]
    if thing.own and (thing.head.count is not None or not {*words, "def"}.isdisjoint({*lexicon.determiners} - {"def"})):
        # *That many of your own cards*: no article stands beside *your*, and *your 2 cards* would be all of them.
        words = ["own" if "indef" in words else "of_own", *(word for word in words if word not in ("indef", "def"))]
        subject = features(realiser, thing.whose, SlotSpec(), game) if thing.whose is not None else subject
    elif thing.own:
        whose = features(realiser, thing.whose, SlotSpec(), game) if thing.whose is not None else subject
        before = lexicon.possession_before.pick(whose) if thing.whose is not None and thing.whose.pronoun else None
        owner = (
            None
            if noun is not None and (noun.bodily or noun.shared)
            else before or lexicon.possession.pick(frozenset({YOU}) if YOU in whose else whose)
        )
        owner = owner or "def"
        words = [*owner.split(), *(word for word in words if word != "def")]
    if noun is not None and noun.bodily and placed and request.determiner is not None and not thing.modifiers:
        words = [word for word in words if word != "def"]  # The place has its own article or none: *in mano*.
    phrase_spec = read_slot_spec(words, lexicon)
    determiner = phrase_spec.determiner or (None if words else request.determiner)
    if thing.one and determiner in {None, "indef"} and (noun is None or noun.only is not None):
        # No other determiner has a number beside it: *no gold*.
        thing = replace(thing, head=replace(thing.head, count=1))
    count = thing.head.count
    if words == ["indef"] and thing.one is None and noun and noun.only == lexicon.features.default("number"):
        determiner = None  # *Has gold*: there may be more than *one gold*.
    spec = SlotSpec(
        preposition=request.preposition,
        determiner=determiner,
        number=count is not None
        and (
            count != 1 or determiner is None or isinstance(count, Replacement) or not _is_article(realiser, count, noun)
        ),
        adjectives=(
            *phrase_spec.adjectives,
            *(() if has_style(request, lexicon) else thing.besides),
            *request.adjectives,
        ),
        features=tuple(dict.fromkeys(f for f in (*request.features, *phrase_spec.features) if f != SUBJECT)),
    )
    if YOU in subject:
        # *One of their own* becomes *one of your own* for a reader who is the subject.
        spec = replace(spec, features=(*spec.features, YOU))
    if thing.several and (noun is None or noun.only is None):
        spec = replace(spec, features=(*spec.features, *filter(None, (plural(lexicon),))))
    attributes = [(m, realiser.template(m.message, game)) for m in _attributes(thing) if not m.last]
    sides = [_side(template, m.values, determiner, lexicon) for m, template in attributes]
    texts = [
        (before, realiser.phrase(t, m.values, game, doer=subject))
        for (m, _), (before, t) in zip(attributes, sides, strict=True)
    ]
    owners = [text for before, text in texts if before]
    if owners:
        spec = with_possessor(spec, " ".join(owners), lexicon)
    parts = [realiser.term(thing.head, spec, game)]
    traits = features(realiser, thing, request, game)
    clauses = [_relative(realiser, m, traits, noun, game) for m in thing.modifiers if isinstance(m, Relative)]
    for text in (text for before, text in texts if not before):
        # A phrase between commas loses its closing comma at the end of a sentence.
        besides = f"{text}{CLOSE}" if text.endswith(",") else text
        parts.append(besides if besides.startswith(",") else f" {besides}")
    last = (m for m in _attributes(thing) if m.last)
    behind = "".join(
        f" {realiser.phrase(realiser.template(m.message, game), m.values, game, doer=subject)}" for m in last
    )
    if clauses:
        on, long = (any(getattr(m, how, False) for m in thing.modifiers) for how in ("on", "long"))
        comma = "," if on or lexicon.clauses.commas == "around" else ""
        behind = f"{OPEN}{comma} {realiser.joined(_sharing(clauses))}{behind}{',' * long}{CLOSE}"
    parts.append(behind)
    return f"({''.join(parts)})" if thing.grouped else "".join(parts)


def _with_noun(thing: NounPhrase, request: SlotSpec, lexicon: Lexicon, game: str | None) -> NounPhrase:
    """Return a phrase for a mere name with the noun of its sort, if words that the name cannot take go with it."""
    added = thing.own or thing.whose or thing.several or thing.one or thing.head.count is not None
    if added or {*thing.words} - {"def"} or needs_noun(request, thing.head, lexicon, game):
        return replace(thing, head=lexicon.with_sort_noun(thing.head, game))
    return thing


def _side(
    template: Template, values: Mapping[str, Value], determiner: str | None, lexicon: Lexicon
) -> tuple[bool, Template]:
    """Return whether a modifier precedes the noun, and its words for that position.

    It can only replace a plain article, and only if its own nouns have no modifiers.
    """
    if Side(True) not in template.parts[:1]:
        return False, template
    index = template.parts.index(Side(False)) if Side(False) in template.parts else len(template.parts)
    long = any(isinstance(value, NounPhrase) and value.modifiers for value in values.values())
    if index < len(template.parts) and (long or determiner not in {None, "def", "indef"}):
        return False, Template(template.parts[index + 1 :])
    return True, Template(template.parts[1:index])


def _attributes(thing: NounPhrase) -> list[Attribute]:
    return [modifier for modifier in thing.modifiers if isinstance(modifier, Attribute)]


def _of_all(modifier: object) -> bool:
    """Return whether a modifier says that a thing belongs to all players."""
    owner = modifier.values.get("owner") if isinstance(modifier, Attribute) else None
    return isinstance(owner, NounPhrase) and owner.words == ("every",)


def _is_article(realiser: NounPhraseRealiser, count: int, noun: Noun | None) -> bool:
    """Return whether an article can express a count of one: the noun needs a form of that number.

    A name without a lexicon entry (no `noun`) has no article.
    """
    return noun is not None and (noun.only is None or realiser.number_form(count, noun) != noun.only)


def features(realiser: NounPhraseRealiser, thing: NounPhrase, request: SlotSpec, game: str | None) -> frozenset[str]:
    """Return the features that pronouns agree with: number, gender, animacy, and those of the slot."""
    lexicon = realiser.lexicon
    thing = _with_noun(thing, request, lexicon, game)
    noun = None if isinstance(thing.head, ProperName) else lexicon.head_noun(thing.head.name, thing.head.game or game)
    request = with_place_preposition(request, noun, lexicon)
    by_dimension = {name: lexicon.features.default(name) or "" for name in ("number", "case")}
    stated = [*thing.words, *request.features, *filter(None, (plural(lexicon) if thing.several else None,))]
    if noun is None and not isinstance(thing.head, ProperName) and thing.head != ADDRESSED:
        # A name of the rules without a term can still be referred to by a pronoun.
        by_dimension["gender"] = lexicon.unnamed
        if thing.head.count not in (None, 1):
            stated += filter(None, (plural(lexicon),))
    if noun is not None:
        stated.append(noun.gender or "")
        if thing.head.count is not None or noun.only:
            stated.append(realiser.verb_number(thing.head.count, noun))
    agreements = (lexicon.determiners[word].agrees for word in thing.words if word in lexicon.determiners)
    for feature in (*stated, *filter(None, agreements)):
        dimension = lexicon.features.dimension(feature)
        if dimension is not None:
            by_dimension[dimension] = feature
    function = SUBJECT if SUBJECT in request.features else OBJECT
    traits = frozenset(filter(None, (*by_dimension.values(), function, _animacy(thing, noun))))
    number = lexicon.spoken_of.pick(traits) if thing.pronoun else None
    return traits - {by_dimension["number"]} | {number} if number else traits


def _animacy(thing: NounPhrase, noun: Noun | None) -> str:
    """Return whether a phrase is about the reader, a person or a thing."""
    if thing.head == ADDRESSED:
        return YOU
    person = thing.head.person if isinstance(thing.head, ProperName) else noun is not None and noun.person
    return PERSON if person or thing.person else THING


def plural(lexicon: Lexicon) -> str | None:
    """Return the plural number of the language."""
    return lexicon.numbers.get("other")


def is_several(lexicon: Lexicon, thing: frozenset[str]) -> bool:
    """Return whether a thing with these features is plural."""
    return lexicon.features.default("number") not in thing


def _relative(
    realiser: NounPhraseRealiser,
    relative: Relative,
    thing: frozenset[str],
    noun: Noun | None,
    game: str | None,
) -> tuple[str, str]:
    """Return a relative pronoun and its clause: *in which*, *a card lies*."""
    template, lexicon = realiser.template(relative.message, game), realiser.lexicon
    clause = template.clause
    if clause is None:
        raise WordsError("words.no_verb", {"message": Text(relative.message)})
    slot = next((p for p in template.parts if isinstance(p, Slot) and p.name == relative.slot), None)
    if slot is None:
        raise WordsError("words.missing_slot", {"message": Text(relative.message), "word": Text(relative.slot)})
    request = with_place_preposition(read_slot_spec(slot.spec, lexicon), noun, lexicon)
    doing = realiser.subject(clause) == slot
    rest = _without(clause, slot)
    pronoun = _pronoun(realiser, thing, request, doing, relative.on)
    text = realiser.ordered(rest, relative.values, Order.SUBORDINATE, game, thing if doing else None)
    return pronoun, text


def _sharing(clauses: Sequence[tuple[str, str]]) -> list[str]:
    """Join pronouns and clauses about one thing; the second of two omits an identical pronoun."""
    (first, text), *others = clauses
    if len(others) == 1 and others[0][0] == first and CLOSE not in text:
        return [f"{first} {text}", others[0][1]]
    return [f"{pronoun} {text}" for pronoun, text in clauses]


def _pronoun(realiser: NounPhraseRealiser, thing: frozenset[str], request: SlotSpec, doing: bool, on: bool) -> str:
    """Return the relative pronoun for a thing in a slot."""
    lexicon = realiser.lexicon
    case = [feature for feature in request.features if lexicon.features.dimension(feature) == "case"]
    case = case or [lexicon.features.default("case") or ""]
    lasting = {feature for feature in thing if lexicon.features.dimension(feature) != "case"} - {SUBJECT, OBJECT}
    traits = frozenset((*lasting, *case, SUBJECT if doing else OBJECT, ADDING if on else CHOOSING))
    joint = lexicon.relatives_after.pick(traits) if request.preposition is not None else None
    if joint is None:
        return realiser.after_preposition(request.preposition, lexicon.relatives.pick(traits) or "")
    text = joint.replace("~", realiser.after_preposition(request.preposition, ""))
    return lexicon.contractions.get(text, text)


def with_negation(
    parts: tuple[Part, ...], values: Mapping[str, Value], order: Order, grammar: Grammar
) -> tuple[tuple[Part, ...], Mapping[str, Value]]:
    """Add the negation that the language needs before the verb if a complement is *nobody* or *nothing*.

    Returns the parts of the clause and the values, with that complement in its negated form.
    """
    bare = 0 if order is Order.INFINITIVE else len(parts)
    verb = next((index for index, part in enumerate(parts) if isinstance(part, Verb)), bare)
    behind = ((part.name, values.get(part.name)) for part in parts[verb:] if isinstance(part, Slot))
    none = {name: value for name, value in behind if isinstance(value, NounPhrase) and value.words[:1] == ("not_any",)}
    as_if = Order.SUBORDINATE if order is Order.CONTINUED else order
    if not grammar.none or not none or as_if not in grammar.denied:
        return parts, values
    if grammar.denied_as:
        replaced = {name: replace(value, words=(grammar.denied_as, *value.words[1:])) for name, value in none.items()}
        values = {**values, **replaced}
    return (*parts[:verb], f"{grammar.none} ", *parts[verb:]), values


def with_there_first(clause: Clause, values: Mapping[str, Value], lexicon: Lexicon) -> Clause:
    """Return the clause with *there* before the things located there, if the language requires it: *wenn er dort Karten
    hat*.

    A pronoun or a definite noun keeps its place before it.
    """
    slots = [part for part in clause.middle if isinstance(part, Slot)]
    there_slot = next((slot for slot in slots[1:] if _is_there(slot, values, lexicon)), None)
    if there_slot is None or not lexicon.clauses.there_first:
        return clause
    first = values.get(slots[0].name)
    if isinstance(first, NounPhrase) and (first.pronoun or first.words[:1] in {("def",), ("this",)}):
        return clause
    return replace(clause, middle=(there_slot, " ", *stripped(_without(clause, there_slot).middle)))


def _is_there(slot: Slot, values: Mapping[str, Value], lexicon: Lexicon) -> bool:
    value = values.get(slot.name)
    return isinstance(value, NounPhrase) and value.there and read_slot_spec(slot.spec, lexicon).place == "where"


def _without(clause: Clause, slot: Slot) -> Clause:
    """Return the clause without one of its slots and the gap that it leaves."""

    def rest(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        if slot not in parts:
            return parts
        index = parts.index(slot)
        before, after = parts[:index], parts[index + 1 :]
        if before and after and isinstance(before[-1], str) and isinstance(after[0], str):
            after = (after[0].lstrip(), *after[1:])
        return (*before, *after)

    return replace(clause, first=rest(clause.first), middle=rest(clause.middle), rest=rest(clause.rest))


def in_reading_order(parts: Sequence[Part], values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the values with the introduction of a thing before other mentions of it, as this language orders slots.

    *Uit de eerste hoop komen zoveel lucifers als in deze hoop*, where other languages count the matches first.
    """
    names = [part.name for part in parts if isinstance(part, Slot) and isinstance(values.get(part.name), NounPhrase)]
    for index, late in enumerate(names):
        for new in [phrase for phrase in _phrases(values[late]) if phrase.first] if index else ():
            for early in names[:index]:
                mention = next((phrase for phrase in _phrases(values[early]) if phrase.key == new.key), new)
                if not mention.first:
                    swapped = {
                        early: _exchanged(values[early], mention, new),
                        late: _exchanged(values[late], new, replace(mention, there=False)),
                    }
                    values = {**values, **swapped}
                    break
    return values


def _phrases(value: object) -> Iterator[NounPhrase]:
    """Yield the noun phrases in a value, outer ones first."""
    inner: Iterable[object] = ()
    match value:
        case NounPhrase(modifiers=modifiers):
            yield value
            inner = (v for modifier in modifiers for v in modifier.values.values())
        case Sentence(values=values):
            inner = values.values()
        case Listing(items=items):
            inner = items
    for part in inner:
        yield from _phrases(part)


def _exchanged(value: Value, old: NounPhrase, new: NounPhrase) -> Value:
    """Return a value with one of its noun phrases exchanged."""
    if value is old:
        return new
    match value:
        case NounPhrase(modifiers=modifiers):
            return replace(value, modifiers=tuple(replace(m, values=_all(m.values, old, new)) for m in modifiers))
        case Sentence(values=values):
            return replace(value, values=_all(values, old, new))
        case Listing(items=items):
            return replace(value, items=tuple(_exchanged(item, old, new) for item in items))
    return value


def _all(values: Mapping[str, Value], old: NounPhrase, new: NounPhrase) -> Mapping[str, Value]:
    return {name: _exchanged(value, old, new) for name, value in values.items()}


def continuation(realiser: NounPhraseRealiser, before: Value | None, clause: Value, game: str | None) -> Value:
    """Return a clause of a list without its subject, if it begins with the subject of the clause before."""
    if not isinstance(before, Sentence) or not isinstance(clause, Sentence):
        return clause
    subject_before, subject_after = (_subject_alone(realiser, part, game) for part in (before, clause))
    if subject_before is None or subject_after is None or subject_before[1] != subject_after[1]:
        return clause
    # The verb agrees with the subject as it was named: *the player takes … and puts*, *they take … and put*.
    return replace(clause, values={**clause.values, subject_after[0]: before.values[subject_before[0]]}, joined=True)


def _subject_alone(realiser: NounPhraseRealiser, sentence: Sentence, game: str | None) -> tuple[str, int] | None:
    """Return the subject slot of a clause and the key of its referent, if nothing else precedes the verb."""
    clause = realiser.template(sentence.message, game).clause
    subject = realiser.subject(clause) if clause is not None else None
    if clause is None or subject is None or clause.first not in ((subject,), (subject, " ")):
        return None
    if clause.middle and isinstance(clause.middle[0], str) and clause.middle[0].startswith(","):
        return None
    topic = sentence.values.get(subject.name)
    if not isinstance(topic, NounPhrase) or topic.key is None or topic.first:
        return None
    return subject.name, topic.key


def after_verb(text: str, verb: str) -> str:
    """Move a relative clause directly before the closing `verb` to behind it.

    *ein Gebiet wählen, in dem eine Karte liegt*, not *ein Gebiet, in dem eine Karte liegt, wählen*.
    """
    before = text[: -len(verb)].rstrip() if verb and text.endswith(verb) else ""
    if not before.endswith(CLOSE):
        return text
    depth, start = 0, len(before)
    while start > 0:
        start -= 1
        depth += (before[start] == CLOSE) - (before[start] == OPEN)
        if depth == 0:
            break
    return f"{before[:start]} {verb}{before[start:]}" if before[start] == OPEN else text


def fix_commas(text: str, commas: str) -> str:
    """Remove the placeholders of inner clauses, with commas at their ends if the language uses them.

    A phrase with a comma of its own at its end loses it before other punctuation. The comma of a clause before a
    parenthesis follows the parenthesis.
    """
    out: list[str] = []
    text = _BEFORE_PARENTHESIS.sub(r"\2\1", text.replace(OPEN, ""))
    for index, letter in enumerate(text):
        if letter != CLOSE:
            out.append(letter)
            continue
        after = text[index + 1 :].lstrip(f"{CLOSE} ")
        ends = not after or after[0] in ".,;:!?()"
        if ends and out[-1:] == [","]:
            out.pop()
        elif commas and not ends and out[-1:] != [","]:
            out.append(",")
    return "".join(out)
