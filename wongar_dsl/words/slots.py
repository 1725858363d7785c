"""What a slot asks for, in the words of its language: `{area:in any pl acc}`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from wongar_dsl.words.arguments import Text
from wongar_dsl.words.clause import ORDERS, Clause, Order, Slot
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.lexicon import PLACES, SUBJECT, WORDED, Lexicon, Noun, Place

#: Asks for a clause in the order of the one that the slot stands in.
SAME = "same"

#: The determiner that stands for an owner in front of a thing: what it `sets` is asked of the words behind it.
WHOSE = "whose"


@dataclass(frozen=True, slots=True)
class SlotSpec:
    """A slot's specification, resolved: each word has found its place.

    `number` says that the count is written before the noun, `alone` that it is written without the noun, `count_from`
    names the argument that holds it, if it is another one; `worded`, that it is a word where the language has one;
    `noun` is the term that a bare number counts; `ordinal` asks for *3rd*, `times` for *twice*; `verbatim` keeps a
    sentence's first letter;
    `conjunction` (`and`, `or`) is what joins a list in this sentence; `order` is that of a clause in it, None that of
    the clause that the slot stands in.  `place` asks for the preposition that the noun itself has where something lies,
    goes to or comes from.  `owner` is the text of whose it is, where that stands in the place of the article.
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
    """The request that the words of `spec` make in the language of `lexicon`.

    Raises `WordsError("words.unknown_word")` for a word that is neither reserved, nor preposition, determiner,
    adjective, feature or term, and `words.word_twice` for a second preposition, determiner or term.
    """
    key = tuple(spec)
    known: SlotSpec | None = lexicon.requests.get(key)
    if known is None:
        known = lexicon.requests[key] = _read_slot_spec(key, lexicon)
    return known


def _read_slot_spec(spec: tuple[str, ...], lexicon: Lexicon) -> SlotSpec:
    found: dict[str, str] = {}
    adjectives: list[str] = []
    features: list[str] = []

    def once(part: str, word: str, value: str | None = None) -> None:
        if part in found:
            raise WordsError("words.word_twice", {"where": Text(" ".join(spec)), "word": Text(word)})
        found[part] = word if value is None else value

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
            # A pronoun in it has the form of who does something: *less than he*.
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
            raise WordsError("words.unknown_word", {"where": Text(lexicon.code), "word": Text(word)})
    preposition = found.get("preposition")
    cases = lexicon.prepositions[preposition].cases if preposition else ()
    details = {"where": Text(" ".join(spec)), "word": Text(preposition or "")}
    if cases and "case" in found and found["case"] not in cases:
        raise WordsError("words.wrong_case", details)
    if len(cases) > 1 and "case" not in found:
        raise WordsError("words.case_missing", details)
    if cases and "case" not in found:
        features.append(cases[0])
    return SlotSpec(
        preposition,
        found.get("determiner"),
        "num" in found,
        found.get("num") or None,
        tuple(adjectives),
        tuple(features),
        found.get("noun"),
        "ord" in found,
        "times" in found,
        "asis" in found,
        "count" in found,
        WORDED in found,
        conjunction="or" if found.get("conjunction") == "or" else "and" if "conjunction" in found else None,
        order=None if found.get("order") == SAME else ORDERS.get(found.get("order", ""), Order.MAIN),
        place=next((place for place in PLACES if place == found.get("place")), None),
    )


def placed(request: SlotSpec, noun: Noun | None, lexicon: Lexicon) -> SlotSpec:
    """A request with the preposition that `noun` has for a place, if it asks for that.

    Raises `WordsError("words.no_place")` where the language does not say how one speaks of places.
    """
    if request.place is None:
        return request
    sort = noun.place if noun is not None and noun.place else next(iter(lexicon.places), "")
    if sort not in lexicon.places:
        raise WordsError("words.no_place", {"where": Text(lexicon.code), "word": Text(sort or request.place)})
    own = read_slot_spec(lexicon.places[sort][request.place], lexicon)
    # The slot may ask for a case itself; the preposition's goes before it.
    features = (*own.features, *(f for f in request.features if lexicon.features.dimension(f) != "case"))
    determiner = request.determiner or own.determiner
    return replace(request, place=None, preposition=own.preposition, determiner=determiner, features=features)


def owned(request: SlotSpec, owner: str, lexicon: Lexicon) -> SlotSpec:
    """A request for a thing with its owner in front, in the place of its article: *spelarens öppna kort*."""
    return replace(request, determiner=WHOSE if WHOSE in lexicon.determiners else None, owner=owner)


def subject_of(clause: Clause, lexicon: Lexicon) -> Slot | None:
    """The slot that the verb of `clause` agrees with: the first one before it without preposition and in no other case
    than the first of the language, or where only prepositions stand before it, such a slot directly behind it, or one
    that says that it is the `subject`.

    Raises `WordsError` as `read_slot_spec` does.
    """
    slots = [part for part in clause.first if isinstance(part, Slot)]
    if all(isinstance(part, Slot) or (isinstance(part, str) and not part.strip()) for part in clause.first):
        behind = (part for part in clause.middle if not (isinstance(part, str) and not part.strip()))
        slots += [part for part in (next(behind, None),) if isinstance(part, Slot)]
    slots += [part for part in (*clause.middle, *clause.rest) if isinstance(part, Slot) and SUBJECT in part.spec]
    return next((slot for slot in slots if _is_bare(slot, lexicon)), None)


def _is_bare(slot: Slot, lexicon: Lexicon) -> bool:
    """Whether a slot is no place, has no preposition, and no case but the first one of the language."""
    request = read_slot_spec(slot.spec, lexicon)
    plain = request.preposition is None and request.place is None
    return plain and case_of(request, lexicon) in {None, lexicon.features.default("case")}


def case_of(request: SlotSpec, lexicon: Lexicon) -> str | None:
    """The case that a slot names, or that its preposition brings with it."""
    return next((name for name in request.features if lexicon.features.dimension(name) == "case"), None)
