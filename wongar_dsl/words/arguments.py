"""What the arguments of a message can be.

Everything that the program says is a message name with values of these types; text comes last and never travels.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from wongar_dsl.text.escapes import visible


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the lexicon, looked up among the words of `game` first, then among the common ones.

    `count` says how many there are of it, and so which number form it takes.  Where it was named just before, `again`,
    a slot that counts it writes only the number: *2 cards here and one there*.
    """

    name: str
    game: str | None = None
    count: int | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Name(Term):
    """What stands in the place of a term and is in no lexicon: the name of a `person`, or of a square."""

    person: bool = False


@dataclass(frozen=True, slots=True)
class Player:
    """A player by name: takes prepositions and the genitive, but no article and no change of case."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """Text that is repeated as it is: a file name, a line of source, a word that somebody typed."""

    text: str


class Instead(int):
    """A number that has taken the place of another one, shown like *10 instead of 8*."""

    was: int

    def __new__(cls, n: int, was: int) -> Instead:
        """The number `n`, which was another one before."""
        found = super().__new__(cls, n)
        found.was = was
        return found


class Again(int):
    """A number of what was counted just before: a slot that has a noun for it writes only the number."""


#: What need not be said: its slot leaves no gap.
UNSAID = Text("")


def quoted(text: str) -> Text:
    """Text from outside as an argument, without what a terminal would obey."""
    return Text(visible(text))


@dataclass(frozen=True, slots=True)
class Listing:
    """Several values, joined as the language joins a list; the sentence says whether with *and* or with *or*.

    Where there are `more` than are named, nothing stands before the last one, and the list is left open.
    """

    items: tuple[Value, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Values that each have a number, shown like *Anna 2, Bert 1*."""

    entries: tuple[tuple[Value, int], ...]


@dataclass(frozen=True, slots=True)
class Of:
    """Something that belongs to something else, shown like *Anna's supply* or *the pile of the red area*."""

    head: Term
    owners: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is said of a thing behind it: the words of a message, such as *of this kind*."""

    message: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Relative:
    """What is said of a thing with a clause: the sentence of a message, in which the thing itself fills `slot`.

    It says which one is meant; one that goes `on` about a thing that is known tells what happens there, behind a comma.
    """

    message: str
    slot: str
    values: Mapping[str, Value] = field(default_factory=dict)
    on: bool = False


#: The head of a thing that its slot names, as in `{n:point}`.
COUNTED = ""
#: The head of whoever reads the sentence, where the language addresses them.
ADDRESSED = Term("you")


@dataclass(frozen=True, slots=True)
class Nominal:
    """A thing as a rule speaks of it: *another token of this kind*, *the area of the card*, *their supply*, *it*.

    `words` are a determiner and adjectives that every language has (`indef other`); they go before what a slot asks
    for.  An `own` thing belongs to whoever the sentence is about, or to `whose` it is, which may be a `pronoun` where a
    clause before it was about that; what is `whose` and not `own` is somebody else's.  As a `pronoun` it is only
    pointed at, where the language has one that nobody mistakes; one that is `doing`, only where the sentence is about
    it; what a clause before spoke of only `aside`, a language that leaves its subjects out names once more.  `several`
    of it are meant where nobody counts them.  Where its head is `COUNTED`, it is what the slot counts.  A place that
    the sentence has just spoken of may be only `there`.  What is said of it by the way, `besides`, are adjectives that
    do not stand before a bare name.  Where there is `one`, an article says so, or the number where there is none.  One
    that is `grouped` stands in brackets, as an operand that is computed itself.  Things with the same `key` are one and
    the same.
    """

    head: Term
    words: tuple[str, ...] = ()
    modifiers: tuple[Attribute | Relative, ...] = ()
    own: bool = False
    pronoun: bool = False
    several: bool = False
    whose: Nominal | None = None
    doing: bool = False
    aside: bool = False
    there: bool = False
    besides: tuple[str, ...] = ()
    one: bool = False
    grouped: bool = False
    key: int | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Said:
    """The sentence of a message as a part of another one; the slot says in which order of words.

    One that is `joined` goes on about what the one before it was about, and does not name that again.
    """

    message: str
    values: Mapping[str, Value] = field(default_factory=dict)
    joined: bool = False


def decisive(values: Mapping[str, Value], said: Set[str]) -> int | None:
    """What chooses among the plural forms of a sentence: `n`, else the first number, count, or length of a list; what
    the sentence says goes before what it could say."""
    names = sorted(values, key=lambda name: (name not in said, name != "n"))
    ordered = [values[name] for name in names]
    for value in ordered:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    counts = (value.count for value in ordered if isinstance(value, Term) and value.count is not None)
    return next(counts, next((len(value.items) for value in ordered if isinstance(value, Listing)), None))


Value: TypeAlias = "Term | Player | Text | Listing | Tally | Of | Nominal | Said | int | bool"
