"""Joining the items of a list as a language does, with the patterns of CLDR."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import pairwise

from wongar_dsl.words.arguments import Listing, Said, Value
from wongar_dsl.words.lexicon import Lexicon
from wongar_dsl.words.template import Template


def joined(items: Sequence[str], patterns: Mapping[str, str], lexicon: Lexicon, comma: bool = False) -> str:
    """The items, the conjunction as it sounds before the last one (*Anna ed Eva*), with `comma` behind one."""
    if len(items) == 1:
        return items[0]
    written = patterns
    if comma:
        written = {name: _with_comma(pattern, patterns["middle"]) for name, pattern in patterns.items()}
    if len(items) == 2 and "2" in written:
        return _sounding(written["2"], items[1], lexicon).format(*items)
    found = written["start"].format(items[0], items[1]) if len(items) > 2 else items[0]
    for item in items[2:-1]:
        found = written["middle"].format(found, item)
    return _sounding(written["end"], items[-1], lexicon).format(found, items[-1])


def chain(entries: Sequence[str], patterns: Mapping[str, str]) -> str:
    """The entries with no word before the last one."""
    # CLDR's own pattern, so it may be formatted; the entries are only put into it.
    return reduce(patterns["middle"].format, entries)


def has_list(value: Value) -> bool:
    """Whether a clause has a list of several things in it."""
    values = value.values.values() if isinstance(value, Said) else ()
    return any(isinstance(inner, Listing) and len(inner.items) > 1 for inner in values)


def listed(
    listing: Listing,
    texts: Sequence[str],
    patterns: Mapping[str, str],
    lexicon: Lexicon,
    template: Callable[[str], Template],
) -> str:
    """The `texts` of a list in one; `template` reads the sentence of a message."""
    if listing.more:
        return chain([*texts, "…"], patterns)
    wholes = []
    for share in _shares(listing.items, template):
        nested = lexicon.clauses.serial and any(map(has_list, listing.items[share][:-1]))
        wholes.append(joined(texts[share], patterns, lexicon, nested))
    return chain(wholes, patterns)


def _shares(items: Sequence[Value], template: Callable[[str], Template]) -> list[slice]:
    """The items by whom they are about, where the verb of the first serves several players and one of them has a list.

    *Ben gains 3 and 4, Cleo 5*: an *and* before *Cleo* would join her clause to what Ben gains.  Where a plain list
    says the same, all items are one share.
    """
    starts = [at for at, item in enumerate(items) if not at or not (isinstance(item, Said) and item.joined)]
    if len(starts) == len(items) and not any(map(has_list, items)):
        return [slice(None)]
    verbs = [isinstance(said := items[at], Said) and template(said.message).clause is not None for at in starts]
    if len(starts) < 2 or verbs != [True, *[False] * (len(starts) - 1)]:
        return [slice(None)]
    return [slice(start, end) for start, end in pairwise([*starts, len(items)])]


def _sounding(pattern: str, after: str, lexicon: Lexicon) -> str:
    """A pattern with the form that its conjunction takes before the sound of `after`."""
    heard = lexicon.heard(after)
    words = pattern.split(" ")
    forms = [lexicon.conjunctions.get(word) for word in words]
    return " ".join((form.pick(heard) if form else None) or word for form, word in zip(forms, words, strict=True))


def _with_comma(pattern: str, middle: str) -> str:
    """A pattern with what parts two of its first items before its conjunction: *{0}, and {1}*."""
    comma = middle.removeprefix("{0}").removesuffix("{1}").rstrip()
    return pattern if pattern.startswith(f"{{0}}{comma}") else pattern.replace("{0}", f"{{0}}{comma}")
