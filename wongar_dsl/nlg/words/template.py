"""Templates: sentences with slots, parsed without executing anything.

A slot is `{name}` or `{name:words}`. `str.format` is never called, since a contributed sentence could access object
attributes with it; `string.Formatter().parse` only splits the text.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field

from wongar_dsl.nlg.words.arguments import Text
from wongar_dsl.nlg.words.clause import Clause, ClauseClosing, Part, Slot, Verb, parse_marks
from wongar_dsl.nlg.words.errors import WordsError

#: Far longer than any sentence; keeps a hostile catalog from filling memory.
MAX_TEMPLATE_LENGTH = 8_000


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence as literal strings, slots and verb marks, in order.

    `clause` is the same sentence split at its verb, None if the verb is not marked.
    """

    parts: tuple[Part, ...]
    clause: Clause | None = None
    #: The names of the arguments that the sentence uses.
    names: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(part.name for part in self.parts if isinstance(part, Slot)))


def parse_template(text: str, message: str = "") -> Template:
    """Split `text` into literals and slots.

    Raises `WordsError("words.bad_slot")` for unbalanced braces, conversions, nested fields and names that are not plain
    identifiers (`{a.b}`, `{0}`, `{}`). Raises `words.bad_mark` for a sentence with two finite verbs or with unmatched
    marks.
    """
    bad = {"message": Text(message), "text": Text(text[:200])}
    if len(text) > MAX_TEMPLATE_LENGTH:
        raise WordsError("words.bad_slot", bad)
    parts: list[Part] = []
    try:
        pieces = list(string.Formatter().parse(text))
    except ValueError:
        raise WordsError("words.bad_slot", bad) from None
    for literal, name, spec, conversion in pieces:
        parts.extend(parse_marks(literal, message))
        if name is None:
            continue
        if conversion or not name.isidentifier() or "{" in (spec or "") or "}" in (spec or ""):
            raise WordsError("words.bad_slot", bad)
        parts.append(Slot(name, tuple((spec or "").split())))
    verbs = sum(isinstance(part, Verb) for part in parts)
    closings = sum(isinstance(part, ClauseClosing) for part in parts)
    if verbs > 1 or closings > verbs:
        raise WordsError("words.bad_mark", bad)
    return Template(tuple(parts), Clause.of(parts))
