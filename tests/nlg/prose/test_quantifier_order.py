"""Nested quantifiers keep their order and scope in the text of every language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import pytest

from .books import LANGUAGES, small, told, units_of, variant

GAME = """
enum stack = heap_a, heap_b, heap_c
enum piece = match
enum chip = red, blue
board square
    grid 4 by 4
tokens matches of each stack holds piece, seen by all
tokens store of each player holds chip, seen by all
tokens ground of each stack of each player holds chip, seen by all
remember keeper of each stack: player
remember stone of each square: player
remember gold of each player: number 0 to 9
remember height of each square: number 0 to 9
score points

play
    for each p in player
        p gains 1 points

{conditions}

winner p
    most points of p
"""
QUANTIFIERS = ("some", "no", "every")
#: The compared number of a thing of each type.
NUMBERS = {"stack": "size of matches of {}", "player": "gold of {}", "square": "height of {}"}
NOUNS = {"en": "player", "de": "Spieler", "nl": "speler", "it": "giocatore"}
OTHER = re.compile(r"\b(an)?(other|ander|altr)")


def quantified(quantifier: str, name: str, kind: str, condition: str, excluded: str = "") -> str:
    where = f" where {name} is not {excluded}" if excluded else ""
    if quantifier == "every":
        return f"every {name} in {kind}{where} has ({condition})"
    return f"{quantifier} {name} in {kind}{where} and ({condition})" if where else (
        f"{quantifier} {name} in {kind} where ({condition})"
    )  # fmt: skip


def equal(one: str, other: str) -> str:
    """Return a condition on the things `a` and `b` of two types."""
    return f"{NUMBERS[one].format('a')} = {NUMBERS[other].format('b')}"


def texts(conditions: Sequence[str], language: str, inlined: Sequence[str] = ()) -> list[str]:
    """Return the text of each condition, as the value of a definition; `inlined` are definitions that they call."""
    defined = (f"define so_{n}(k: number) = {condition}" for n, condition in enumerate(conditions))
    rules, result = small(GAME.format(conditions="\n".join((*inlined, *defined))), "3"), []
    for define in (*rules.code.defines.values(),)[len(inlined) :]:
        [unit] = units_of(rules, define, language)
        assert not unit.unsaid
        result.append(unit.text.replace("“", "„"))
    return result


FORMS = list(product(QUANTIFIERS, QUANTIFIERS))


@pytest.mark.parametrize(
    ("outer", "condition"),
    [
        ("stack", equal("stack", "player")),
        ("square", equal("square", "player")),
        ("stack", "keeper of a is b"),
        ("square", "stone of a is b"),
    ],
)
def test_outer_quantifier_is_told_first(outer: str, condition: str) -> None:
    straight = [quantified(q, "a", outer, quantified(r, "b", "player", condition)) for q, r in FORMS]
    swapped = [quantified(r, "b", "player", quantified(q, "a", outer, condition)) for q, r in FORMS]
    for language, noun in NOUNS.items():
        told = texts([*straight, *swapped], language)
        assert len(set(told)) >= len(told) - 1  # *Some a, some b* and *some b, some a* are the same.
        for form, text, other in zip(FORMS, told[: len(FORMS)], told[len(FORMS) :], strict=True):
            if form != ("some", "some"):
                assert text.index(outer) < text.index(noun), text
                assert other.index(noun) < other.index(outer), other


@pytest.mark.parametrize("kind", NUMBERS)
def test_things_of_an_inlined_definition_are_named_apart(kind: str) -> None:
    is_more = f"{NUMBERS[kind]} > {NUMBERS[kind]}".format("a", "c")
    inner = [f"define inner_{r}(c: {kind}) = {quantified(r, 'a', kind, is_more)}" for r in QUANTIFIERS]
    for language in LANGUAGES:
        told = texts([quantified(q, "a", kind, f"inner_{r}(a)") for q, r in FORMS], language, inner)
        assert len(set(told)) == len(FORMS)
        for text in told:
            mentioned = re.findall(r"[„«](\w(?: \d)?)\W", text)
            assert mentioned[:1] == ["a"], text
            assert mentioned[-2:] == ["a 2", "a"], text


@pytest.mark.parametrize("kind", NUMBERS)
def test_another_thing_is_told_after_the_first(kind: str) -> None:
    asked = [quantified(q, "a", kind, quantified(r, "b", kind, equal(kind, kind), "a")) for q, r in FORMS]
    for language in LANGUAGES:
        told = texts(asked, language)
        assert len(set(told)) == len(FORMS)
        noun = NOUNS[language] if kind == "player" else kind
        for text in told:
            other = OTHER.search(text)
            assert other is not None, text
            assert text.index(noun) < other.start(), text


@pytest.mark.parametrize(("kind", "languages"), [("stack", ("de", "it")), ("player", ("nl", "en"))])
def test_three_levels_are_told_in_order(kind: str, languages: tuple[str, ...]) -> None:
    condition = f"{NUMBERS[kind].format('a')} = {NUMBERS[kind].format('b')} + {NUMBERS[kind].format('c')}"
    nested = [
        quantified(q, "a", kind, quantified(r, "b", kind, quantified(t, "c", kind, condition, excluded)))
        for q, r, t in product(QUANTIFIERS, repeat=3)
        for excluded in ("", "a", "b")
    ]
    for language in languages:
        told = texts(nested, language)
        assert len(set(told)) == len(nested)
        for text in told:
            first = {name: text.index(f"{mark}{name}") for name in "abc" for mark in "„«" if f"{mark}{name}" in text}
            assert sorted(first, key=lambda name: first[name]) == ["a", "b", "c"], text


#: A type, and a condition on `a` of it and the player `c` that differs from its negation in the words of the game.
DENIED = [
    ("chip", "store[c, a] {} 0", (">", "=")),
    ("stack", "ground[a, c, red] {} 0", (">", "=")),
    ("stack", "size of matches of a {} 0", (">", "=")),
    ("stack", "matches of a is {} and gold of c = 1", ("not empty", "empty")),
    ("stack", "keeper of a is {}", ("c", "not c")),
    ("square", "stone of a is {}", ("c", "not c")),
    ("square", "height of a {} 3", ("=", "!=")),
    ("player", "store[a, red] {} 0", (">", "=")),
]
NOTHING_OF_ALL = {
    "en": r"\bno (?:(?!,| that | which | whom ).)*\bevery\b", "de": r"\bkein\w* (?:(?!,).)*\bjede\w*\b",
    "nl": r"\bgeen (?:(?!,| dat | waar).)*\belke?\b", "it": r"\bnessun\w* (?:(?!,| che | cui ).)*\bogni\b",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "condition", "signs"), DENIED)
def test_every_not_is_told_as_none(kind: str, condition: str, signs: tuple[str, str]) -> None:
    positive, negative = (condition.format(sign) for sign in signs)
    forms = [("every", positive), ("every", negative), ("no", positive), ("no", negative), ("some", positive),
             ("some", negative), ("every", f"not ({positive})"), ("no", f"not ({positive})")]  # fmt: skip
    inner = [quantified(quantifier, "a", kind, asked) for quantifier, asked in forms]
    for language in LANGUAGES:
        told = texts([f"some c in player where gold of c = 2 and ({one})" for one in inner], language)
        assert not any(re.search(NOTHING_OF_ALL[language], text) for text in told), told
        if " and " not in condition:
            plain = [re.sub(r"\d", "", text, count=1) for text in told]
            so, all_not, none_so, none_not, _, _, all_denied, none_denied = plain
            assert (none_so, all_denied, none_not, none_denied) == (all_not, all_not, so, so)
            assert len({*told[:2], *told[4:6]}) == 4


#: Things that are named again inside their own condition.
REPEATED = {
    "lines of 3 on square": "(every s in {0} has height of s = k) and (no s in {0} where height of s = 3)",
    "stack": "(some p in player where keeper of {0} is p and gold of p > size of matches of {0})",
    "square": "(some p in player where stone of {0} is p and gold of p > height of {0})",
}


@pytest.mark.parametrize("names", ["ll", "lm"])
@pytest.mark.parametrize("domain", REPEATED)
def test_names_of_separate_conditions_are_not_the_other(domain: str, names: str) -> None:
    single = {(q, n): f"({quantified(q, n, domain, REPEATED[domain].format(n))})" for q in QUANTIFIERS for n in names}
    asked = [" and ".join(single[part] for part in zip(form, names, strict=True)) for form in FORMS]
    for language in LANGUAGES:
        told = texts(asked, language)
        assert len(set(told)) == len(FORMS)
        for text in told:
            assert not OTHER.search(text), text
            assert names == "lm" or not re.search("[„«]l", text), text


#: The beginning of *there is the prize*.
THERE_IS = {
    "en": "there is (not )?the ", "de": r"\bes (nicht )?(de[rn]|die|das) ", "nl": r"\ber (niet )?(de|het) ",
    "it": r"c’è (il|lo|la|l’)",
}  # fmt: skip


IN_GOOFSPIEL = ("goofspiel", "before tied in play")
IN_UBONGO = ("ubongo", "after rule take_gems")


@pytest.mark.parametrize(
    ("game", "step", "asked"),
    [
        (*IN_GOOFSPIEL, "c in prize"),
        (*IN_GOOFSPIEL, "c in prize where worth of c > 2"),
        (*IN_GOOFSPIEL, "c in prize where (every q in player has count of c in holding of q > 0)"),
        (*IN_GOOFSPIEL, "c in bid of player(1) where (some q in player where worth of c > points of q)"),
        (*IN_UBONGO, "f in field where f is standing of p and (every q in player has standing of q is f)"),
        (*IN_UBONGO, "f in field where f is standing of left of p and f is field_1"),
    ],
)
def test_the_only_value_of_a_domain_is_not_introduced(game: str, step: str, asked: str) -> None:
    name = step.split()[-1]
    some, no = (variant(game, f"{step}\n    if ({one} {asked})\n        end game") for one in ("some", "no"))
    for language in LANGUAGES:
        # Lines that are the same for both are not about the condition.
        different = {*told(some, name, language)} ^ {*told(no, name, language)}
        assert different
        assert not any(re.search(THERE_IS[language], line) for line in different)


#: Conditions whose words end in an inner clause.
OPEN = (
    "owner of a1 is not p",
    "(every c in cell has (owner of c is p or c is a1))",
    "(some c in cell where (every d in cell touching c has (owner of d is p or c is a1)))",
)


@pytest.mark.parametrize("word", ["and", "or"])
@pytest.mark.parametrize("condition", OPEN)
def test_nothing_seems_to_continue_an_inner_clause(condition: str, word: str) -> None:
    parts = (condition, "owner of b2 is p")
    asked = (f" {word} ".join(parts), f" {word} ".join(parts[::-1]), f"{parts[1]} {word} {condition} {word} {OPEN[0]}")
    effects = "".join(f"    if {one}\n        set owner of b3 to p\n        p wins\n" for one in asked)
    rules = variant("tictactoe", f"after marked in play\n{effects}")
    for language in LANGUAGES:
        one, other, both = (line for line in told(rules, "play", language) if "b2" in line)
        assert one == other, one
        assert one.index("b2") < one.index("a1"), one
        assert both.index("b2") < both.index("(") < both.index("a1") < both.index(")"), both
