"""Numbers, bounds and counts in rulebooks have a single reading, and name the things that they are computed over."""

from __future__ import annotations

import re
from itertools import product

import pytest

from wongar_dsl.language.semantics import Model

from .books import LANGUAGES, assert_told, model, small, told, variant

THIS = {
    "en": r"this number|that many", "de": r"diese[rn]? Zahl|ebenso viele",
    "nl": r"dit getal|evenveel", "it": r"questo numero|altrettant",
}  # fmt: skip
NAMED = dict.fromkeys(LANGUAGES, "[“„«]n[”“»]")


def exactly(number: int, pattern: str) -> dict[str, str]:
    """Return a pattern for every language that finds texts with just as many places of another one."""
    return dict.fromkeys(LANGUAGES, f"^(?!(.*{pattern}){{{number + 1}}})(.*{pattern}){{{number}}}")


def nim(*statements: str, before: str = "") -> Model:
    """Return a variant with statements after the move of `n` matches; those after a condition are nested in it."""
    indent, lines = " " * 4, ["score points", before, "after taken in play"]
    for statement in statements:
        lines.append(f"{indent}{statement}")
        indent += " " * 4 * statement.startswith(("if ", "for each ", "repeat ", "p chooses ", "gain"))
    return variant("nim", "\n".join(line for line in lines if line))


TALL = "before taken in play\n    let tall = size of matches of chosen"


def added(rules: Model, language: str) -> str:
    """Return the text of the course of a variant of Nim that its base does not have."""
    before = {*told(model("nim"), "play", language)}
    return "\n".join(line for line in told(rules, "play", language) if line not in before)


@pytest.mark.parametrize(
    "statements",
    [
        ("if size of box > n", "p gains 1 points"),
        ("if size of box > n", "p gains n points"),
        ("let k = size of matches of chosen", "move 1 match from matches of chosen to box", "p gains k + n points"),
        ("p gains 2 points", "if n > points of p", "p gains 1 points"),
        ("p gains (1 if n > 2 otherwise 2) points",),
        ("for each k in 1 to 3", "if size of box > k", "p gains n points"),
        ("if points of p + n > 3", "p gains n points"),
        ("p gains least(2, n) points", "p gains n points"),
        # The number of matches is told after the size of the heap.
        ("if size of matches of chosen < tall", "p gains 1 points"),
    ],
)
def test_number_is_named_after_another_number(statements: tuple[str, ...]) -> None:
    rules = nim(*statements, before=TALL if "tall" in statements[0] else "")
    for language in LANGUAGES:
        text = added(rules, language)
        assert re.search(NAMED[language], text), text
        assert not re.search(THIS[language], text), text


@pytest.mark.parametrize("statements", [("p gains n points",), ("if n > 2", "p gains n points")])
def test_only_number_needs_no_name(statements: tuple[str, ...]) -> None:
    assert_told(nim(*statements), "play", NAMED, expected=False)
    assert_told(nim(*statements), "play", THIS)


def gains(amount: str) -> tuple[str, str]:
    return "if size of box > n", f"p gains {amount} points"


#: Statements with the words that they have in each language.
WORDED = (
    (gains("least(3, n)"), {
        "en": "the number “n”, but no more than 3", "de": "die Zahl „n“, höchstens aber 3",
        "nl": "het getal “n”, maar hoogstens 3", "it": "numero «n», ma al massimo 3",
    }),
    (gains("greatest(n + 1, 3)"), {
        "en": "the number “n” plus 1, but no less than 3", "de": "die Zahl „n“ plus 1, mindestens aber 3",
        "nl": "het getal “n” plus 1, maar minstens 3", "it": "numero «n» più 1, ma almeno 3",
    }),
    (gains("least(3, greatest(5, n))"), {
        "en": "the lowest value of 3 and [(]the number “n”, but no less than 5[)]",
        "de": "der niedrigste Wert aus 3 und [(]der Zahl „n“, mindestens aber 5[)]",
        "nl": "de laagste waarde van 3 en [(]het getal “n”, maar minstens 5[)]",
        "it": "al valore più basso tra 3 e [(]il numero «n», ma almeno 5[)]",
    }),
    (gains("greatest(n * 2, points of p)"), {
        "en": "the highest value of [(]the number “n” times 2[)] and their points",
        "de": "der höchste Wert aus [(]der Zahl „n“ mal 2[)] und seinen points",
        "nl": "de hoogste waarde van [(]het getal “n” keer 2[)] en zijn points",
        "it": "al valore più alto tra [(]il numero «n» × 2[)] e i suoi points",
    }),
    (gains("least(3, greatest(1, n))"), {
        "en": "the number “n”, but at least 1 and at most 3", "de": "die Zahl „n“, mindestens aber 1 und höchstens 3",
        "nl": "het getal “n”, maar minstens 1 en hoogstens 3", "it": "numero «n», ma almeno 1 e al massimo 3",
    }),
    (gains("least(3, least(n, points of p))"), {
        "en": "the number “n”, but no more than their points or 3",
        "de": "die Zahl „n“, höchstens aber seine points und 3",
        "nl": "het getal “n”, maar hoogstens zijn points en 3",
        "it": "numero «n», ma al massimo i suoi points o 3",
    }),
    (gains("least(n, 3) * 2"), {
        "en": "the product of [(]the number “n”, but no more than 3[)] and 2",
        "de": "das Produkt aus [(]der Zahl „n“, höchstens aber 3[)] und 2",
        "nl": "het product van [(]het getal “n”, maar hoogstens 3[)] en 2",
        "it": "al prodotto tra [(]il numero «n», ma al massimo 3[)] e 2",
    }),
    (("let k = size of box", "p gains least(3, k) points"), {
        "en": "no more than 3", "de": "höchstens aber 3", "nl": "maar hoogstens 3", "it": "ma al massimo 3",
    }),
    # Bounds end with a comma before a verb.
    (("if least(n, 3) > points of p", "p gains 1 points"), {
        "en": " 3, is more", "de": " 3, größer ist", "nl": " 3, groter is", "it": " 3, è maggiore",
    }),
    (("p gains (size of box) div n points",), {
        "en": "rounded-down quotient", "de": "abgerundete Quotient",
        "nl": "naar beneden afgeronde quotiënt", "it": "quoziente arrotondato per difetto",
    }),
    # A number of times does not begin a clause with its own condition.
    (("repeat 2 times", "if size of box > 1", "p chooses more", "gain", "p gains 1 points"), {
        "en": "Twice:", "de": "Zweimal:", "nl": "Tweemaal:", "it": "Per due volte:",
    }),
    # *It falls by 2, the player gains that many points* would be 2 points.
    (("let k = 4", "set k to k + 1", "p gains k points"), exactly(3, "[“„«]k[”“»]")),
    (("let k = 4", "set k to k - 2", "p gains k points"), exactly(3, "[“„«]k[”“»]")),
)  # fmt: skip


@pytest.mark.parametrize(("statements", "patterns"), WORDED)
def test_bounds_and_changes_belong_to_one_number(statements: tuple[str, ...], patterns: dict[str, str]) -> None:
    assert_told(nim(*statements), "play", patterns)


SIZE = "size of matches of h"
#: Numbers of several heaps, whose phrases end in a clause or speak of every heap.
OF_SEVERAL = (
    f"(sum of {SIZE} * 2 for h in stack)",
    f"(sum of {SIZE} for h in stack where h is not chosen)",
    "(lowest first_matches[h] for h in stack where matches of h is not empty)",
    f"(highest {SIZE} for h in stack where h is not chosen)",
    "(number of h in stack where matches of h is not empty)",
)
WHOLES = ("{} + 2", "{} - 1", "2 * {}", "{} div 2", "{} mod 5", "greatest({}, n)")
#: Computations for each of several heaps.
FOR_EACH = tuple(
    f"({kind} {SIZE} {operation} for h in stack where h is not chosen)"
    for kind, operation in product(("sum of", "highest", "lowest"), ("+ 1", "- 1", "* n"))
)


@pytest.mark.parametrize("amount", [*(w.format(amount) for w, amount in product(WHOLES, OF_SEVERAL)), *FOR_EACH])
def test_a_number_of_several_things_is_set_off_in_a_computation(amount: str) -> None:
    rules = nim(f"if n < {amount}", "p gains n points")
    assert_told(rules, "play", dict.fromkeys(LANGUAGES, r"\([^()]+\)"))


SUMS = """
board square
    grid 3 by 3
table bonus
    0 4
    1 7
    2 2
    3 9
    4 1
    5 0
score points
remember level of each player: number 0 to 3
remember height of each square: number 0 to 9
define worth(n: number) = points of player(1) + n * n
play
    for each p in player
        p gains {amount} points
        set level of p to points of p mod 3
        set height of a1 to points of p mod 3
    end game
winner p
    most points of p
    then most worth(level of p)
"""
#: A whole number in brackets before a further operand, and an operation inside brackets.
OUTER, INNER = r"\([^()]+\),? (and|und|en|e) [1-9]\b", r"\([^()]+ (plus|più|minus|min|meno|times|mal|keer|×) [1-9]\)"


@pytest.mark.parametrize(
    ("amount", "form"),
    [
        ("bonus[level of p] + 1", OUTER),
        ("bonus[level of p] - 1", OUTER),
        ("2 * bonus[level of p]", OUTER),
        ("bonus[level of p] div 2", OUTER),
        ("bonus[level of p] mod 3", OUTER),
        ("least(bonus[level of p], 5)", OUTER),
        ("worth(level of p) + 1", OUTER),
        ("height of spot(square, 1, level of p) + 1", OUTER),
        ("(sum of level of q for q in player) - 1", OUTER),
        ("points of p - (sum of level of q for q in player) - 1", OUTER),
        ("(highest level of q for q in player where q is not p) * 2", OUTER),
        ("bonus[level of p + 1]", INNER),
        ("bonus[2 * level of p]", INNER),
        ("worth(level of p + 1)", INNER),
        ("height of spot(square, 1, level of p + 1)", INNER),
        ("(sum of level of q - 1 for q in player)", INNER),
    ],
)
def test_an_operation_is_told_inside_or_outside_the_number_that_contains_another(amount: str, form: str) -> None:
    rules = small(SUMS.format(amount=amount))
    for pattern in (OUTER, INNER):
        assert_told(rules, "play", dict.fromkeys(LANGUAGES, pattern), form is pattern)


CHIPS = """
enum colour = red, blue
enum plot = east, west
cards sheet
    one
    two
table worth
    one 1
    two 2
hand open of each player holds sheet, seen by all
tokens chips of each plot of each player holds colour, seen by all
remember owner of each plot: player
score points
define even(here: plot) =
    no p in player where chips[here, p, red] > (sum of chips[here, q, red] for q in player where q is not p)
play
    for each p in player
        {}
    player(2) wins
"""
#: Numbers whose outer element is named `x`, and whose inner one is `y`.
NESTED = (
    "highest (number of y in colour where chips[x, player(1), y] > 1) for x in plot",
    "highest (number of y in colour where chips[x, player(1), y] > 1) for x in plot where owner of x is player(1)",
    "lowest (number of y in plot where chips[y, x, red] > 1) for x in player",
    "sum of (number of y in plot where chips[y, x, red] > 1) for x in player where points of x > 2",
    "sum of (highest chips[y, x, red] for y in plot) for x in player",
    "highest (sum of chips[y, x, red] for y in plot) for x in player",
    "highest (lowest worth of y for y in open of x) for x in player",
    "sum of (1 + (highest worth of y for y in open of x)) for x in player",
    "sum of (sum of worth of y for y in open of x) for x in player",
)
#: Numbers of one thing only, or of things that need no name.
SIMPLE = (
    "highest chips[x, player(1), red] for x in plot",
    "sum of worth of x for x in open of player(1)",
    "number of x in plot where chips[x, player(1), red] > 1",
    "number of x in plot where (some y in player where chips[x, y, red] > 1)",
)


@pytest.mark.parametrize("number", [*NESTED, *SIMPLE])
def test_the_outer_thing_is_introduced_by_a_name_that_the_inner_number_mentions(number: str) -> None:
    rules = small(CHIPS.format(f"if ({number}) > 4\n            player(1) gains 77 points"))
    x = "[„“«]x[“”»]"
    assert_told(rules, "play", dict.fromkeys(LANGUAGES, rf"^[^„“«]*\(.*{x}.*{x}"), number in NESTED)
    assert_told(rules, "play", dict.fromkeys(LANGUAGES, x), number in NESTED)


EACH_OTHER = {
    "de": "aller anderen|jedes anderen", "nl": "alle andere|elke andere", "it": "tutti gli altri|ogni altro",
    "en": "all other|every other",
}  # fmt: skip


@pytest.mark.parametrize(
    "condition",
    [
        "even(here)",
        "even(here) and chips[here, p, blue] > 0",
        "chips[here, p, red] > (sum of chips[here, q, red] for q in player where q is not p)",
        "chips[here, p, red] > (highest chips[here, q, red] for q in player where q is not p)",
    ],
)
def test_a_number_told_twice_is_of_the_same_things(condition: str) -> None:
    """The sum over all others is not one of *the* other player when the kept number is told again."""
    kept = f"let evens = number of here in plot where {condition}"
    rules = small(CHIPS.format(f"{kept}\n        if evens > 1\n            p gains evens points"))
    for language in LANGUAGES:
        text = " ".join(told(rules, "play", language))
        assert len(re.findall(EACH_OTHER[language], text)) == 2, text


TAKING = """
board cell
    grid 3 by 3
remember used of each cell: yes or no = no
score points
play
    repeat
        for each p in player
            p chooses turn
                take(n: 1 to 3{parameter})
                    {body}
                otherwise
                    nobody wins
"""
#: Singular, plural and the range from 1 to 3.
SPAN = {
    "en": ("there is", "there are", "from 1 to 3"), "de": ("gibt", "gibt", "von 1 bis 3"),
    "it": ("c’è", "ci sono", "da 1 a 3"), "nl": ("cel", "zijn", "van 1 tot en met 3"),
}  # fmt: skip


@pytest.mark.parametrize(("sign", "number"), [(">", 1), ("<=", 1), (">", 3), (">=", 3), ("<=", 3)])
def test_verb_agrees_with_a_counted_noun_and_a_range_has_no_article(sign: str, number: int) -> None:
    counted = f"if (number of c in cell where used[c]) {sign} {number}"
    rules = small(TAKING.format(parameter="", body=f"p gains n points\n{' ' * 20}{counted}\n{' ' * 24}p wins"))
    for language, (one, several, span) in SPAN.items():
        text = " ".join(told(rules, "play", language)).casefold()
        assert (several if number > 1 else one) in text
        assert span in text


#: Alternatives that can both hold, after another condition.
INCLUSIVE = (
    "n > 1 and (points of p > 2 or used[c])",
    "n > 1 and not (points of p > 2 and used[c])",
    "n > 1 and points of p > 0 and (used[c] or points of p > 2 or n = 3)",
    "not (n = 1 or (points of p < 2 and used[c]))",
    "(n = 1 or used[c]) and (points of p > 2 or n = 3)",
)
#: Words that exclude the case of both, and the conjunction repeated before alternatives.
EXCLUSIVE = {"en": "either", "de": "entweder", "nl": "ofwel", "it": " e o "}
GROUPED = {"en": "and if ", "de": "und wenn ", "nl": "en als ", "it": "e se "}
LEADS = ("if {}\n    p wins", "repeat while {}\n    p gains 1 points\n    set used[c] to no")


@pytest.mark.parametrize("lead", [*LEADS, ""])
@pytest.mark.parametrize("condition", INCLUSIVE)
def test_alternatives_do_not_exclude_each_other(condition: str, lead: str) -> None:
    body = (lead.format(condition) or "p gains 1 points").replace("\n", f"\n{' ' * 20}")
    rules = small(
        TAKING.replace("{parameter})", "{parameter}){allowed}").format(
            parameter=", c: cell", body=body, allowed="" if lead else f" if {condition}"
        )
    )
    assert_told(rules, "play", {language: f"(?i){words}" for language, words in EXCLUSIVE.items()}, expected=False)
    if lead:
        # A condition on the chosen number alone is part of its range.
        assert_told(rules, "play", {language: rf"\([^()→]{{20,}}\)|{words}" for language, words in GROUPED.items()})


COPIES = """
cards card
    fox
    owl
deck pack of card
    9 fox, 9 owl
hand held of each player holds card, seen by owner
heap out holds card, seen by all
score points
setup
    for each p in player
        fill held of p with pack
play
    for each p in player
        p chooses turn
            drop(c: held of p)
                move c from held of p to out
                let other = random x in out
{conditions}            otherwise
                impossible
    end game
winner p
    most points of p
"""
#: No copy, one copy and several copies.
COPY = {
    "en": ("no copy of", "one copy of", "copies of"), "de": ("kein Exemplar", "ein Exemplar", "Exemplare "),
    "it": ("nessuna copia", "una copia", "copie d"), "nl": ("geen exemplaar", "één exemplaar", "exemplaren van"),
}  # fmt: skip
#: The number of points that each condition gains tells its line.
COUNTS = {51: ("<", 1), 52: ("=", 1), 53: ("=", 2), 54: (">", 2), 55: ("<=", 2), 56: ("!=", 2), 57: (">=", 2)}


@pytest.mark.parametrize("card", ["c", "other"])
@pytest.mark.parametrize("zone", ["out", "held of left of p"])
def test_copies_of_a_chosen_card_are_told_with_their_number(card: str, zone: str) -> None:
    conditions = "".join(
        f"{' ' * 16}if count of {card} in {zone} {sign} {number}\n{' ' * 20}p gains {points} points\n"
        for points, (sign, number) in COUNTS.items()
    )
    rules = small(COPIES.format(conditions=conditions))
    for language, (no, one, several) in COPY.items():
        lines = told(rules, "play", language)
        numbered = {points: next(line for line in lines if str(points) in line) for points in COUNTS}
        for points, (sign, number) in COUNTS.items():
            kind = no if sign == "<" else one if number == 1 else f"{number} {several}"
            assert kind in numbered[points], (language, sign, numbered[points])
        assert len({line.replace(str(points), "") for points, line in numbered.items()}) == len(COUNTS)
