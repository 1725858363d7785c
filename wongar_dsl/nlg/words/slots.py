"""Slot specifications in the words of a language: `{area:in any pl acc}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from wongar_dsl.nlg.words.arguments import (
    Attribute,
    Listing,
    NounPhrase,
    PlayerName,
    Sentence,
    Term,
    Text,
    Value,
    WordsError,
    is_number,
)
from wongar_dsl.nlg.words.clause import ORDERS, Clause, Order, Side, Slot, Template, stripped
from wongar_dsl.nlg.words.lexicon import PLACES, SUBJECT, WORDED, Lexicon, Noun, Place

#: Requests a clause in the order of the clause that contains the slot.
SAME = "same"

#: The determiner that represents an owner before a noun: its `sets` applies to the words after it.
WHOSE = "whose"


@dataclass(frozen=True, slots=True)
class SlotSpec:
    """A resolved slot specification.

    `number`: the count precedes the noun; `alone`: it stands without the noun; `worded`: it is a word where the
    language has one. `count_from` names another argument that holds the count. `noun` is the term that a bare number
    counts. `ordinal` requests *3rd*, `times` requests *twice*; `verbatim` keeps the first letter of a sentence.
    `conjunction` (`and`, `or`) joins a list. `order` is the order of an embedded clause, None for that of the enclosing
    clause. `place` requests the noun's own preposition for location, goal or source. `owner` is the text of an owner in
    the place of the article.
    """

    preposition: str | None = None
    determiner: str | None = None
    number: bool = False
    count_from: str | None = None
    adjectives: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    noun: str | None = None
    ordinal: bool = False
    times: bool = False
    verbatim: bool = False
    alone: bool = False
    worded: bool = False
    conjunction: Literal["and", "or"] | None = None
    order: Order | None = Order.MAIN
    place: Place | None = None
    owner: str = ""


def read_slot_spec(spec: Sequence[str], lexicon: Lexicon) -> SlotSpec:
    """Resolve the words of `spec` in the language of `lexicon`.

    Raises `WordsError("words.unknown_word")` for a word that is neither reserved, nor preposition, determiner,
    adjective, feature or term, and `words.word_twice` for a second preposition, determiner or term.
    """
    key = tuple(spec)
    cached: SlotSpec | None = lexicon.requests.get(key)
    if cached is None:
        cached = lexicon.requests[key] = _read_slot_spec(key, lexicon)
    return cached


def _read_slot_spec(spec: tuple[str, ...], lexicon: Lexicon) -> SlotSpec:
    parts: dict[str, str] = {}
    adjectives: list[str] = []
    features: list[str] = []

    def once(part: str, word: str, value: str | None = None) -> None:
        if part in parts:
            raise WordsError("words.word_twice", where=" ".join(spec), word=word)
        parts[part] = word if value is None else value

    for word in spec:
        if word == "num" or word.startswith("num="):
            once("num", word, word[4:])
        elif word in {"count", "ord", "times", "asis", WORDED}:
            once(word, word)
        elif word in {"and", "or"}:
            once("conjunction", word)
        elif word in ORDERS or word == SAME:
            once("order", word)
        elif word in PLACES:
            once("place", word)
        elif word == SUBJECT:
            # A pronoun takes its subject form: *less than he*.
            features.append(word)
        elif word in lexicon.prepositions:
            once("preposition", word)
        elif word in lexicon.determiners:
            once("determiner", word)
        elif word in lexicon.adjectives:
            adjectives.append(word)
        elif (dimension := lexicon.features.dimension(word)) is not None:
            once(dimension, word)
            features.append(word)
        elif word in lexicon.terms or any(word in words for words in lexicon.games.values()):
            once("noun", word)
        else:
            raise WordsError("words.unknown_word", where=lexicon.code, word=word)
    preposition = parts.get("preposition")
    cases = lexicon.prepositions[preposition].cases if preposition else ()
    details = {"where": Text(" ".join(spec)), "word": Text(preposition or "")}
    if cases and "case" in parts and parts["case"] not in cases:
        raise WordsError("words.wrong_case", **details)
    if len(cases) > 1 and "case" not in parts:
        raise WordsError("words.case_missing", **details)
    if cases and "case" not in parts:
        features.append(cases[0])
    return SlotSpec(
        preposition,
        parts.get("determiner"),
        "num" in parts,
        parts.get("num") or None,
        tuple(adjectives),
        tuple(features),
        parts.get("noun"),
        "ord" in parts,
        "times" in parts,
        "asis" in parts,
        "count" in parts,
        WORDED in parts,
        conjunction="or" if parts.get("conjunction") == "or" else "and" if "conjunction" in parts else None,
        order=None if parts.get("order") == SAME else ORDERS.get(parts.get("order", ""), Order.MAIN),
        place=next((place for place in PLACES if place == parts.get("place")), None),
    )


def needs_noun(request: SlotSpec, term: Term, lexicon: Lexicon, game: str | None) -> bool:
    """Return whether a slot adds words to a term that a mere name cannot take.

    They are all but a definite article, and any preposition of place before a direction without a sort of place, which
    may be an adverb: *in the direction “up”*.
    """
    if request.place is not None and term.sort == "direction":
        noun = lexicon.noun(term.name, term.game or game)
        if noun is not None and noun.place is None:
            return True
    several = lexicon.plural in request.features
    added = bool(request.number or request.adjectives or several or request.determiner not in {None, "def"})
    return added and not has_style(request, lexicon)


def has_style(request: SlotSpec, lexicon: Lexicon) -> bool:
    """Return whether a slot requests a name without its category, or a short form."""
    return lexicon.features.first("style", request.features) not in {None, lexicon.features.default("style")}


def with_place_preposition(request: SlotSpec, noun: Noun | None, lexicon: Lexicon) -> SlotSpec:
    """Return a request with the preposition that `noun` has as a place, if one is requested.

    Raises `WordsError("words.no_place")` if the language defines no such preposition.
    """
    if request.place is None:
        return request
    sort = noun.place if noun is not None and noun.place else next(iter(lexicon.places), "")
    if sort not in lexicon.places:
        raise WordsError("words.no_place", where=lexicon.code, word=sort or request.place)
    place_spec = read_slot_spec(lexicon.places[sort][request.place], lexicon)
    # The case of the preposition takes precedence over one that the slot requests.
    features = (*place_spec.features, *(f for f in request.features if lexicon.features.dimension(f) != "case"))
    determiner = request.determiner or place_spec.determiner
    return replace(request, place=None, preposition=place_spec.preposition, determiner=determiner, features=features)


def with_possessor(request: SlotSpec, owner: str, lexicon: Lexicon) -> SlotSpec:
    """Return a request with an owner in the place of the article: *spelarens öppna kort*."""
    return replace(request, determiner=WHOSE if WHOSE in lexicon.determiners else None, owner=owner)


def subject_of(clause: Clause | None, lexicon: Lexicon) -> Slot | None:
    """Return the slot that the verb of `clause` agrees with, or None.

    That is the first slot before the verb without a preposition and in the language's first case. If only slots precede
    the verb, it can directly follow the verb; a slot marked `subject` qualifies anywhere. Raises `WordsError` as
    `read_slot_spec` does.
    """
    if clause is None:
        return None
    slots = [part for part in clause.first if isinstance(part, Slot)]
    if all(isinstance(part, Slot) or (isinstance(part, str) and not part.strip()) for part in clause.first):
        behind = (part for part in clause.middle if not (isinstance(part, str) and not part.strip()))
        slots += [part for part in (next(behind, None),) if isinstance(part, Slot)]
    slots += [part for part in (*clause.middle, *clause.rest) if isinstance(part, Slot) and SUBJECT in part.spec]
    return next((slot for slot in slots if _is_bare(slot, lexicon)), None)


def _is_bare(slot: Slot, lexicon: Lexicon) -> bool:
    """Return whether a slot has no place, no preposition of its own, and at most the language's first case."""
    request = read_slot_spec(slot.spec, lexicon)
    # A subject can follow a preposition: *si trovano meno di 3 carte*.
    plain = (request.preposition is None or SUBJECT in slot.spec) and request.place is None
    return plain and case_of(request, lexicon) in {None, lexicon.features.default("case")}


def case_of(request: SlotSpec, lexicon: Lexicon) -> str | None:
    """Return the case that a slot names or that its preposition governs."""
    return lexicon.features.first("case", request.features)


def with_sort_noun(thing: NounPhrase, request: SlotSpec, lexicon: Lexicon, game: str | None) -> NounPhrase:
    """Return a phrase for a mere name with the noun of its sort, if words that the name cannot take go with it."""
    added = thing.own or thing.whose or thing.several or thing.one or thing.head.count is not None
    if added or {*thing.words} - {"def"} or needs_noun(request, thing.head, lexicon, game):
        return replace(thing, head=lexicon.with_sort_noun(thing.head, game))
    return thing


def modifier_side(template: Template, values: Mapping[str, Value], determiner: str | None) -> tuple[bool, Template]:
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
    return replace(clause, middle=(there_slot, " ", *stripped(clause.without(there_slot).middle)))


def _is_there(slot: Slot, values: Mapping[str, Value], lexicon: Lexicon) -> bool:
    value = values.get(slot.name)
    return isinstance(value, NounPhrase) and value.there and read_slot_spec(slot.spec, lexicon).place == "where"


def writes_its_own_capital(value: Value, request: SlotSpec) -> bool:
    """Return whether a value at the start of a sentence keeps its own first letter."""
    if isinstance(value, Listing) and value.items:
        return isinstance(value.items[0], Sentence)
    return isinstance(value, Sentence) or (isinstance(value, (PlayerName, Text, str)) and not request.preposition)


def count_of(term: Term, request: SlotSpec, values: Mapping[str, Value]) -> int | None:
    """Return the count of a term in a slot: from a neighbour that the slot names, its own, or `n` if one is written."""
    if term.count is not None and not request.count_from:
        return term.count
    value = values.get(request.count_from or ("n" if request.number or request.alone else ""))
    return value if is_number(value) else None


def belongs_to_all(modifier: object) -> bool:
    """Return whether a modifier says that a thing belongs to all players."""
    owner = modifier.values.get("owner") if isinstance(modifier, Attribute) else None
    return isinstance(owner, NounPhrase) and owner.words == ("every",)
