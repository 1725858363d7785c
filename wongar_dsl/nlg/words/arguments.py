"""Types of the arguments that a message can take.

Everything that the program says is a message name with values of these types. Text is produced last and never passed
between modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeGuard

from wongar_dsl.base.terminal_text import escape_line


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the lexicon, looked up among the words of `game` first, then among the common ones.

    `count` is the number of things and selects the number form. With `again`, the term was named just before and a slot
    that counts it writes only the number: *2 cards here and one there*. `sort` is the term for things of its sort, and
    `label` a name in quotation marks behind the noun: a term that is only a name becomes a label where it needs a noun
    (see `Lexicon.with_sort_noun`).
    """

    name: str
    game: str | None = None
    count: int | None = None
    again: bool = False
    sort: str = field(default="", compare=False, repr=False)
    label: str = ""


@dataclass(frozen=True, slots=True)
class ProperName(Term):
    """A name that replaces a term and has no lexicon entry, such as a square or (`person`) a person."""

    person: bool = False


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player by name: takes prepositions and the genitive, but no article and no change of case."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """Verbatim text: a file name, a line of source, a word typed by the user."""

    text: str


class Replacement(int):
    """A number that replaced an earlier value, shown like *10 instead of 8*."""

    was: int

    def __new__(cls, n: int, was: int) -> Replacement:
        """Return the number `n` that replaces `was`."""
        number = super().__new__(cls, n)
        number.was = was
        return number


class Anaphor(int):
    """A number of the things counted just before: a slot with a noun writes only the number."""


#: Argument without any text: its slot leaves no gap.
UNSAID = Text("")


def quoted(text: str) -> Text:
    """Return text from outside as an argument, with terminal control characters made visible."""
    return Text(escape_line(text))


@dataclass(frozen=True, slots=True)
class Listing:
    """Several values, joined as the language joins a list; the sentence chooses *and* or *or*.

    With `more`, further values are left unnamed: the list ends open, without a conjunction.
    """

    items: tuple[Value, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class ValueList:
    """Values with a number each, shown like *Anna 2, Bert 1*."""

    entries: tuple[tuple[Value, int], ...]


@dataclass(frozen=True, slots=True)
class Genitive:
    """A genitive phrase, shown like *Anna's supply* or *the pile of the red area*."""

    head: Term
    owners: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A phrase after a noun: the words of a message, such as *of this kind*; with `last`, after relative clauses."""

    message: str
    values: Mapping[str, Value] = field(default_factory=dict)
    last: bool = False


@dataclass(frozen=True, slots=True)
class Relative:
    """A relative clause: the sentence of a message in which the noun itself fills `slot`.

    It identifies the thing. With `on` it adds information about a thing already identified, behind a comma. A `long`
    one ends with a comma in every language, since what follows would seem to belong to it.
    """

    message: str
    slot: str
    values: Mapping[str, Value] = field(default_factory=dict)
    on: bool = False
    long: bool = False


#: Head of a noun phrase whose noun comes from the slot, as in `{n:point}`.
COUNTED = ""
#: Head that stands for the reader of the sentence, where the language addresses them.
ADDRESSED = Term("you")
#: Head that stands for all readers together: *shuffle the cards*.
ALL_ADDRESSED = Term("you_all")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase of a rule: *another token of this kind*, *the area of the card*, *their supply*, *it*.

    `words` are a determiner and adjectives that every language defines (`indef other`); they precede the words of the
    slot. `own`: it belongs to the subject of the sentence, or to `whose`, which may be a `pronoun` if the clause before
    was about that owner. `whose` without `own`: it belongs to another player. `pronoun`: rendered as a pronoun where
    the language has an unambiguous one; with `doing`, only as the subject. `aside`: mentioned only in passing by the
    clause before, so a language that drops subject pronouns repeats the noun. `several`: plural without a count. A head
    of `COUNTED` takes its noun from the slot. `there`: the place was just named and may be an adverb. `besides`:
    adjectives that are omitted before a bare name. `one`: a single thing, expressed by an article or else by the
    number; None: there may be more. `grouped`: in brackets, as an operand that is itself computed. `person`, `place`:
    what it describes. Phrases with the same `key` refer to the same thing, which the one with `first` introduces.
    """

    head: Term
    words: tuple[str, ...] = ()
    modifiers: tuple[Attribute | Relative, ...] = ()
    own: bool = False
    pronoun: bool = False
    several: bool = False
    whose: NounPhrase | None = None
    doing: bool = False
    aside: bool = False
    there: bool = False
    besides: tuple[str, ...] = ()
    one: bool | None = False
    grouped: bool = False
    person: bool = field(default=False, compare=False, repr=False)
    place: bool = field(default=False, compare=False, repr=False)
    key: int | None = field(default=None, compare=False, repr=False)
    first: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentence of a message as a part of another sentence; the slot determines its word order.

    `joined`: it shares the subject of the clause before and omits it.
    """

    message: str
    values: Mapping[str, Value] = field(default_factory=dict)
    joined: bool = False


def is_number(value: Value | None) -> TypeGuard[int]:
    """Return whether a value is a number, not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def plural_selector(values: Mapping[str, Value], said: Set[str]) -> int | None:
    """Return the number that selects the plural form of a sentence.

    That is `n`, else the first number, the first count, or the length of the first list; values that the sentence names
    (`said`) take precedence.
    """
    names = sorted(values, key=lambda name: (name not in said, name != "n"))
    ordered = [values[name] for name in names]
    for value in ordered:
        if is_number(value):
            return value
    counts = (value.count for value in ordered if isinstance(value, Term) and value.count is not None)
    return next(counts, next((len(value.items) for value in ordered if isinstance(value, Listing)), None))


Value: TypeAlias = "Term | PlayerName | Text | Listing | ValueList | Genitive | NounPhrase | Sentence | int | bool"


class WordsError(Exception):
    """An unusable lexicon, catalog or slot.

    `name` is the message of the error (`words.missing_form`) and `details` are its arguments, so that the error itself
    can be shown in every language.
    """

    def __init__(self, name: str, /, **details: Value | str) -> None:
        self.name = name
        # Details can come from an untrusted file: control characters must not reach the terminal.
        self.details: Mapping[str, Value] = {
            key: Text(escape_line(text)) if isinstance(text := getattr(value, "text", value), str) else text
            for key, value in details.items()
        }
        # Fallback text: the catalogs may be what is broken.
        shown = ", ".join(f"{key}={getattr(value, 'text', value)}" for key, value in self.details.items())
        super().__init__(f"{name}: {shown}")


def in_reading_order(slots: Iterable[str], values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return the values with the introduction of a thing before other mentions of it, as this language orders slots.

    *Uit de eerste hoop komen zoveel lucifers als in deze hoop*, where other languages count the matches first.
    """
    names = [name for name in slots if isinstance(values.get(name), NounPhrase)]
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
