"""Things as rules speak of them, in one language: with what describes them, or as pronouns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from wongar_dsl.words.arguments import (
    ADDRESSED,
    COUNTED,
    Attribute,
    Instead,
    Name,
    Nominal,
    Relative,
    Said,
    Term,
    Text,
    Value,
)
from wongar_dsl.words.clause import Clause, Grammar, Order, Part, Side, Slot, Verb, stripped
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.lexicon import ADDING, CHOOSING, OBJECT, PERSON, SUBJECT, THING, YOU, Lexicon, Noun
from wongar_dsl.words.slots import SlotSpec, owned, placed, read_slot_spec
from wongar_dsl.words.template import Template

#: Stands where a clause inside another one ends, until it is known what follows it.
CLOSE = "\ue000"
#: Stands where a clause about a thing begins, until it is known whether it can be put behind the verb.
OPEN = "\ue001"


class Speaker(Protocol):
    """What the words around a thing are asked of; see `Realiser`."""

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""

    def term(self, term: Term, request: SlotSpec, game: str | None) -> str:
        """A term with what is put around it."""

    def behind(self, preposition: str | None, text: str) -> str:
        """A text behind a preposition."""

    def number_form(self, count: int | None, noun: Noun) -> str:
        """The number in which a noun stands for a count."""

    def subject(self, clause: Clause) -> Slot | None:
        """What a clause is about."""

    def template(self, message: str, game: str | None) -> Template:
        """The sentence of a message."""

    def phrase(
        self,
        template: Template,
        values: Mapping[str, Value],
        game: str | None,
        order: Order = Order.MAIN,
        doer: frozenset[str] = frozenset(),
    ) -> str:
        """The words of a message as a part of a sentence that is about somebody with these features."""

    def joined(self, items: Sequence[str]) -> str:
        """Texts as the language joins a list."""

    def ordered(
        self, clause: Clause, values: Mapping[str, Value], order: Order, game: str | None, about: frozenset[str] | None
    ) -> str:
        """A clause in an order of words."""


def said(
    speaker: Speaker, thing: Nominal, request: SlotSpec, game: str | None, subject: frozenset[str] = frozenset()
) -> str:
    """The thing as a slot asks for it; `subject` are the features of whom the sentence is about.

    Raises `WordsError` for what the language lacks.
    """
    lexicon = speaker.lexicon
    if thing.head.name == COUNTED:
        thing = replace(thing, head=replace(thing.head, name=request.noun or "number"))
    if thing.there and request.place == "where" and lexicon.there:
        return lexicon.there
    noun = None if isinstance(thing.head, Name) else lexicon.noun(thing.head.name, thing.head.game or game)
    request = placed(request, noun, lexicon)
    if noun is not None and noun.shared and thing.several:
        thing = replace(thing, several=False, modifiers=tuple(m for m in thing.modifiers if not _of_all(m)))
    if thing.head == ADDRESSED or (thing.pronoun and (SUBJECT in request.features or not thing.doing)):
        form = lexicon.pronouns.pick(features(speaker, thing, request, game))
        if form is not None and (form or not thing.aside):
            return speaker.behind(request.preposition, form)
        thing = replace(thing, words=("def",), modifiers=())
    words = list(thing.words)
    if thing.whose is not None and not thing.own:
        theirs = lexicon.possession_other.pick(features(speaker, thing.whose, SlotSpec(), game)) or "def"
        words = [*theirs.split(), *(word for word in words if word != "def")]
    if thing.own:
        whose = features(speaker, thing.whose, SlotSpec(), game) if thing.whose is not None else subject
        before = lexicon.possession_before.pick(whose) if thing.whose is not None and thing.whose.pronoun else None
        owner = (
            None
            if noun is not None and (noun.bodily or noun.shared)
            else before or lexicon.possession.pick(frozenset({YOU}) if YOU in whose else whose)
        )
        owner = owner or "def"
        words = [*owner.split(), *(word for word in words if word != "def")]
    own = read_slot_spec(words, lexicon)
    determiner = own.determiner or (None if words else request.determiner)
    if thing.one and (noun is None or noun.only is not None):
        thing = replace(thing, head=replace(thing.head, count=1))
    count = thing.head.count
    asked = SlotSpec(
        preposition=request.preposition,
        determiner=determiner,
        number=count is not None
        and (count != 1 or determiner is None or isinstance(count, Instead) or not _is_article(speaker, count, noun)),
        adjectives=(*own.adjectives, *(() if _is_name(request, lexicon) else thing.besides), *request.adjectives),
        features=tuple(dict.fromkeys(f for f in (*request.features, *own.features) if f != SUBJECT)),
    )
    if YOU in subject:
        # *One of their own* is *one of your own* for who reads that they do it.
        asked = replace(asked, features=(*asked.features, YOU))
    if thing.several and (noun is None or noun.only is None):
        asked = replace(asked, features=(*asked.features, *filter(None, (plural(lexicon),))))
    told = [(m, speaker.template(m.message, game)) for m in _attributes(thing)]
    sides = [_side(template, m.values, determiner, lexicon) for m, template in told]
    texts = [
        (before, speaker.phrase(t, m.values, game, doer=subject))
        for (m, _), (before, t) in zip(told, sides, strict=True)
    ]
    owners = [text for before, text in texts if before]
    if owners:
        asked = owned(asked, " ".join(owners), lexicon)
    found = [speaker.term(thing.head, asked, game)]
    here = features(speaker, thing, request, game)
    clauses = [_relative(speaker, m, here, noun, game) for m in thing.modifiers if isinstance(m, Relative)]
    for text in (text for before, text in texts if not before):
        # Between commas stands what is said besides, and at the end of a sentence there is none.
        besides = f"{text[:-1]}{CLOSE}" if text.endswith(",") else text
        found.append(besides if besides.startswith(",") else f" {besides}")
    if clauses:
        on = any(m.on for m in thing.modifiers if isinstance(m, Relative))
        comma = "," if on or lexicon.clauses.commas == "around" else ""
        found.append(f"{OPEN}{comma} {speaker.joined(_sharing(clauses))}{CLOSE}")
    return f"({''.join(found)})" if thing.grouped else "".join(found)


def _is_name(request: SlotSpec, lexicon: Lexicon) -> bool:
    """Whether a slot asks for a name without its sort, or for a short one."""
    styles = [feature for feature in request.features if lexicon.features.dimension(feature) == "style"]
    return bool(styles) and styles[0] != lexicon.features.default("style")


def _side(
    template: Template, values: Mapping[str, Value], determiner: str | None, lexicon: Lexicon
) -> tuple[bool, Template]:
    """Whether words about a thing stand before it, and which of them are said there.

    Only a plain article gives way to them, and they do where nothing is said of what they name themselves.
    """
    if Side(True) not in template.parts[:1]:
        return False, template
    at = template.parts.index(Side(False)) if Side(False) in template.parts else len(template.parts)
    long = any(isinstance(value, Nominal) and value.modifiers for value in values.values())
    if at < len(template.parts) and (long or determiner not in {None, "def", "indef"}):
        return False, Template(template.parts[at + 1 :])
    return True, Template(template.parts[1:at])


def _attributes(thing: Nominal) -> list[Attribute]:
    return [modifier for modifier in thing.modifiers if isinstance(modifier, Attribute)]


def _of_all(modifier: object) -> bool:
    """Return whether a modifier says that a thing belongs to everybody."""
    owner = modifier.values.get("owner") if isinstance(modifier, Attribute) else None
    return isinstance(owner, Nominal) and owner.words == ("every",)


def _is_article(speaker: Speaker, count: int, noun: Noun | None) -> bool:
    """Return whether an article can stand for a count of one: the noun needs a form of that number.

    A name that is no word of the language (no `noun`) has no article.
    """
    return noun is not None and (noun.only is None or speaker.number_form(count, noun) != noun.only)


def features(speaker: Speaker, thing: Nominal, request: SlotSpec, game: str | None) -> frozenset[str]:
    """What pronouns for a thing depend on: number, gender, whether it is a person, and what the slot asks for."""
    lexicon = speaker.lexicon
    noun = None if isinstance(thing.head, Name) else lexicon.noun(thing.head.name, thing.head.game or game)
    request = placed(request, noun, lexicon)
    given = {name: lexicon.features.default(name) or "" for name in ("number", "case")}
    stated = [*thing.words, *request.features, *filter(None, (plural(lexicon) if thing.several else None,))]
    if noun is None and not isinstance(thing.head, Name) and thing.head != ADDRESSED:
        # A name of the rules that has no term is still something that a pronoun can stand for.
        given["gender"] = lexicon.unnamed
    if noun is not None:
        stated.append(noun.gender or "")
        if thing.head.count is not None or noun.only:
            stated.append(speaker.number_form(thing.head.count, noun))
    said = (lexicon.determiners[word].agrees for word in thing.words if word in lexicon.determiners)
    for feature in (*stated, *filter(None, said)):
        dimension = lexicon.features.dimension(feature)
        if dimension is not None:
            given[dimension] = feature
    function = SUBJECT if SUBJECT in request.features else OBJECT
    found = frozenset(filter(None, (*given.values(), function, _animacy(thing.head, noun))))
    number = lexicon.spoken_of.pick(found) if thing.pronoun else None
    return found - {given["number"]} | {number} if number else found


def _animacy(head: Term, noun: Noun | None) -> str:
    """Whether somebody is spoken to, or of somebody or something."""
    if head == ADDRESSED:
        return YOU
    person = head.person if isinstance(head, Name) else noun is not None and noun.person
    return PERSON if person else THING


def plural(lexicon: Lexicon) -> str | None:
    """The number of a noun of which there are several."""
    return lexicon.numbers.get("other")


def is_several(lexicon: Lexicon, thing: frozenset[str]) -> bool:
    """Whether a thing with these features is more than one."""
    return lexicon.features.default("number") not in thing


def _relative(
    speaker: Speaker,
    relative: Relative,
    thing: frozenset[str],
    noun: Noun | None,
    game: str | None,
) -> tuple[str, str]:
    """A clause about a thing behind its relative pronoun: *in which*, *a card lies*."""
    template, lexicon = speaker.template(relative.message, game), speaker.lexicon
    clause = template.clause
    if clause is None:
        raise WordsError("words.no_verb", {"message": Text(relative.message)})
    slot = next((p for p in template.parts if isinstance(p, Slot) and p.name == relative.slot), None)
    if slot is None:
        raise WordsError("words.missing_slot", {"message": Text(relative.message), "word": Text(relative.slot)})
    request = placed(read_slot_spec(slot.spec, lexicon), noun, lexicon)
    doing = speaker.subject(clause) == slot
    rest = _without(clause, slot)
    pronoun = _pronoun(speaker, thing, request, doing, relative.on)
    text = speaker.ordered(rest, relative.values, Order.SUBORDINATE, game, thing if doing else None)
    return pronoun, text


def _sharing(clauses: Sequence[tuple[str, str]]) -> list[str]:
    """Clauses about one thing: the second of two has no pronoun of its own where that would be the same once more."""
    (first, text), *others = clauses
    if len(others) == 1 and others[0][0] == first and CLOSE not in text:
        return [f"{first} {text}", others[0][1]]
    return [f"{pronoun} {text}" for pronoun, text in clauses]


def _pronoun(speaker: Speaker, thing: frozenset[str], request: SlotSpec, doing: bool, on: bool) -> str:
    """The relative pronoun for a thing in a slot."""
    lexicon = speaker.lexicon
    case = [feature for feature in request.features if lexicon.features.dimension(feature) == "case"]
    case = case or [lexicon.features.default("case") or ""]
    lasting = {feature for feature in thing if lexicon.features.dimension(feature) != "case"} - {SUBJECT, OBJECT}
    asked = frozenset((*lasting, *case, SUBJECT if doing else OBJECT, ADDING if on else CHOOSING))
    joint = lexicon.relatives_after.pick(asked) if request.preposition is not None else None
    if joint is None:
        return speaker.behind(request.preposition, lexicon.relatives.pick(asked) or "")
    text = joint.replace("~", speaker.behind(request.preposition, ""))
    return lexicon.contractions.get(text, text)


def denied(
    parts: tuple[Part, ...], values: Mapping[str, Value], order: Order, grammar: Grammar
) -> tuple[tuple[Part, ...], Mapping[str, Value]]:
    """The parts of a clause with what the language puts before the verb where something behind it is nobody or nothing,
    and the values, that one as the language says it then.
    """
    bare = 0 if order is Order.INFINITIVE else len(parts)
    verb = next((at for at, part in enumerate(parts) if isinstance(part, Verb)), bare)
    behind = ((part.name, values.get(part.name)) for part in parts[verb:] if isinstance(part, Slot))
    none = {name: value for name, value in behind if isinstance(value, Nominal) and value.words[:1] == ("not_any",)}
    as_if = Order.SUBORDINATE if order is Order.CONTINUED else order
    if not grammar.none or not none or as_if not in grammar.denied:
        return parts, values
    if grammar.denied_as:
        said = {name: replace(value, words=(grammar.denied_as, *value.words[1:])) for name, value in none.items()}
        values = {**values, **said}
    return (*parts[:verb], f"{grammar.none} ", *parts[verb:]), values


def there_first(clause: Clause, values: Mapping[str, Value], lexicon: Lexicon) -> Clause:
    """The clause with *there* before the things that are there, if the language wants it: *wenn er dort Karten hat*.

    What is known, as a pronoun or with an article, keeps its place before it.
    """
    slots = [part for part in clause.middle if isinstance(part, Slot)]
    there = next((slot for slot in slots[1:] if _is_there(slot, values, lexicon)), None)
    if there is None or not lexicon.clauses.there_first:
        return clause
    first = values.get(slots[0].name)
    if isinstance(first, Nominal) and (first.pronoun or first.words[:1] in {("def",), ("this",)}):
        return clause
    return replace(clause, middle=(there, " ", *stripped(_without(clause, there).middle)))


def _is_there(slot: Slot, values: Mapping[str, Value], lexicon: Lexicon) -> bool:
    value = values.get(slot.name)
    return isinstance(value, Nominal) and value.there and read_slot_spec(slot.spec, lexicon).place == "where"


def _without(clause: Clause, slot: Slot) -> Clause:
    """The clause without one of its slots, and without the gap that it leaves."""

    def rest(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        if slot not in parts:
            return parts
        at = parts.index(slot)
        before, after = parts[:at], parts[at + 1 :]
        if before and after and isinstance(before[-1], str) and isinstance(after[0], str):
            after = (after[0].lstrip(), *after[1:])
        return (*before, *after)

    return replace(clause, first=rest(clause.first), middle=rest(clause.middle), rest=rest(clause.rest))


def going_on(speaker: Speaker, before: Value | None, clause: Value, game: str | None) -> Value:
    """A clause of a list without its subject, where that begins it and is the one of the clause before it."""
    if not isinstance(before, Said) or not isinstance(clause, Said):
        return clause
    one, other = (_subject_alone(speaker, said, game) for said in (before, clause))
    if one is None or other is None or one[1] != other[1]:
        return clause
    # The verb goes with the subject as it was called: *the player takes … and puts*, *they take … and put*.
    return replace(clause, values={**clause.values, other[0]: before.values[one[0]]}, joined=True)


def _subject_alone(speaker: Speaker, said: Said, game: str | None) -> tuple[str, int] | None:
    """The slot of whom or what a clause is about, and who it is, where nothing else stands before its verb."""
    clause = speaker.template(said.message, game).clause
    subject = speaker.subject(clause) if clause is not None else None
    if clause is None or subject is None or clause.first not in ((subject,), (subject, " ")):
        return None
    if clause.middle and isinstance(clause.middle[0], str) and clause.middle[0].startswith(","):
        return None
    about = said.values.get(subject.name)
    return (subject.name, about.key) if isinstance(about, Nominal) and about.key is not None else None


def behind_the_verb(text: str, verb: str) -> str:
    """A clause that ends with `verb`, what is said with a clause of the thing before that put behind it.

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


def tidy(text: str, commas: str) -> str:
    """A text with commas where clauses inside of it end, if the language puts them."""
    out: list[str] = []
    text = text.replace(OPEN, "")
    for at, letter in enumerate(text):
        if letter != CLOSE:
            out.append(letter)
            continue
        after = text[at + 1 :].lstrip(f"{CLOSE} ")
        ends = not after or after[0] in ".,;:!?()"
        if commas and not ends and out[-1:] != [","]:
            out.append(",")
    return "".join(out)
