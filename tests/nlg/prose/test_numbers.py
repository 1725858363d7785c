"""Demonstratives for numbers, bounds and divisions in rulebooks have a single reading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.language.semantics import Model

from .books import LANGUAGES, model, rules_in, rules_of, text_of_book, units_of

VARIANT = """variant counted of nim
    source house rule

score points

after taken in play
"""
PAY = """variant counted of nim
    source house rule

score points

rule pay(p: player, n: number)
    if size of box * 2 > points of p + n
        p gains n points

after taken in play
    pay(p, n)
"""
RECORDED = """variant counted of nim
    source house rule

score points

before taken in play
    let tall = size of matches of chosen
after taken in play
    if size of matches of chosen < tall
        p gains 1 points
"""
THIS = {
    "en": r"this number|that many", "de": r"diese[rn]? Zahl|ebenso viele",
    "nl": r"dit getal|evenveel", "it": r"questo numero|altrettant",
}  # fmt: skip
#: Statements that mention another number before `n`.
OTHERS = (
    ("if size of box > n", "p gains 1 points"),
    ("if size of box > n", "p gains n points"),
    ("let k = size of matches of chosen", "move 1 match from matches of chosen to box", "p gains k + n points"),
    ("p gains 2 points", "if n > points of p", "p gains 1 points"),
    ("p gains (1 if n > 2 otherwise 2) points",),
    ("for each k in 1 to 3", "if size of box > k", "p gains n points"),
    ("if points of p + n > 3", "p gains n points"),
    ("p gains least(2, n) points", "p gains n points"),
)
#: Bounded numbers with their phrase in each language.
BOUNDS = {
    "least(3, n)": {
        "en": "the number “n”, but no more than 3", "de": "die Zahl „n“, höchstens aber 3",
        "nl": "het getal “n”, maar hoogstens 3", "it": "numero «n», ma al massimo 3",
    },
    "greatest(n + 1, 3)": {
        "en": "the number “n” plus 1, but no less than 3", "de": "die Zahl „n“ plus 1, mindestens aber 3",
        "nl": "het getal “n” plus 1, maar minstens 3", "it": "numero «n» più 1, ma almeno 3",
    },
    "least(3, greatest(1, n))": {
        "en": "the number “n”, but at least 1 and at most 3", "de": "die Zahl „n“, mindestens aber 1 und höchstens 3",
        "nl": "het getal “n”, maar minstens 1 en hoogstens 3", "it": "numero «n», ma almeno 1 e al massimo 3",
    },
    "least(3, greatest(5, n))": {
        "en": "the lowest value of 3 and (the number “n”, but no less than 5)",
        "de": "der niedrigste Wert aus 3 und (der Zahl „n“, mindestens aber 5)",
        "nl": "de laagste waarde van 3 en (het getal “n”, maar minstens 5)",
        "it": "al valore più basso tra 3 e (il numero «n», ma almeno 5)",
    },
    "greatest(n * 2, points of p)": {
        "en": "the highest value of (the number “n” times 2) and their points",
        "de": "der höchste Wert aus (der Zahl „n“ mal 2) und seinen points",
        "nl": "de hoogste waarde van (het getal “n” keer 2) en zijn points",
        "it": "al valore più alto tra (il numero «n» × 2) e i suoi points",
    },
    "least(3, least(n, points of p))": {
        "en": "the number “n”, but no more than their points or 3",
        "de": "die Zahl „n“, höchstens aber seine points und 3",
        "nl": "het getal “n”, maar hoogstens zijn points en 3",
        "it": "numero «n», ma al massimo i suoi points o 3",
    },
    "least(n, 3) * 2": {
        "en": "the product of (the number “n”, but no more than 3) and 2",
        "de": "das Produkt aus (der Zahl „n“, höchstens aber 3) und 2",
        "nl": "het product van (het getal “n”, maar hoogstens 3) en 2",
        "it": "al prodotto tra (il numero «n», ma al massimo 3) e 2",
    },
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "counted.rules"


def _game(path: Path, *statements: str) -> Model:
    """Return a variant with statements after the move of `n` matches; those after a condition are nested in it."""
    indent, lines = " " * 4, []
    for statement in statements:
        lines.append(f"{indent}{statement}")
        indent += " " * 4 * statement.startswith(("if ", "for each "))
    path.write_text(VARIANT + "\n".join(lines) + "\n", encoding="utf-8")
    return rules_in(path)


def _play(rules: Model, language: str) -> str:
    """Return the text of the course of a game, without the rest of its rulebook."""
    return "\n".join(unit.text for unit in units_of(rules, "play", language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statements", OTHERS)
def test_number_is_named_after_another_number(path: Path, language: str, statements: tuple[str, ...]) -> None:
    before = {line.strip() for line in text_of_book(model("nim"), language).splitlines()}
    after = (line.strip() for line in text_of_book(_game(path, *statements), language).splitlines())
    text = "\n".join(line for line in after if line not in before)
    assert re.search(r"[“„«]n[”“»]", text), text
    assert not re.search(THIS[language], text), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_number_is_named_in_a_later_line_of_the_game(path: Path, language: str) -> None:
    path.write_text(RECORDED, encoding="utf-8")
    text = text_of_book(rules_in(path), language)
    assert re.search(r"[“„«]n[”“»]", text), text
    assert not re.search(THIS[language], text), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statements", [("p gains n points",), ("if n > 2", "p gains n points")])
def test_only_number_needs_no_name(path: Path, language: str, statements: tuple[str, ...]) -> None:
    text = text_of_book(_game(path, *statements), language)
    assert not re.search(r"[“„«]n[”“»]", text), text
    assert re.search(THIS[language], text), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("change", ["k + 1", "k - 2"])
def test_changed_number_is_not_the_amount_of_its_change(path: Path, language: str, change: str) -> None:
    """*It falls by 2, the player gains that many points* would be 2 points."""
    text = _play(_game(path, "let k = 4", f"set k to {change}", "p gains k points"), language)
    assert len(re.findall(r"[“„«]k[”“»]", text)) == 3, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_number_parameter_is_named_after_another_number(path: Path, language: str) -> None:
    path.write_text(PAY, encoding="utf-8")
    text = " ".join(unit.text for unit in units_of(rules_in(path), "pay", language))
    assert len(re.findall(r"[“„«]n[”“»]", text)) == 2, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("amount", BOUNDS)
def test_bounds_belong_to_one_number(path: Path, language: str, amount: str) -> None:
    text = text_of_book(_game(path, "if size of box > n", f"p gains {amount} points"), language)
    assert BOUNDS[amount][language] in text, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_bounds_of_a_counted_number_are_told(path: Path, language: str) -> None:
    text = text_of_book(_game(path, "let k = size of box", "p gains least(3, k) points"), language)
    limit = {"en": "no more than", "de": "höchstens aber", "nl": "maar hoogstens", "it": "ma al massimo"}
    assert f"{limit[language]} 3" in text, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_bounds_end_with_a_comma_before_a_verb(path: Path, language: str) -> None:
    text = text_of_book(_game(path, "if least(n, 3) > points of p", "p gains 1 points"), language)
    verb = {"en": "is more", "de": "größer ist", "nl": "groter is", "it": "è maggiore"}
    assert f" 3, {verb[language]}" in text, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_division_is_rounded_down(path: Path, language: str) -> None:
    text = text_of_book(_game(path, "p gains (size of box) div n points"), language)
    rounded = {
        "en": "rounded-down quotient", "de": "abgerundete Quotient",
        "nl": "naar beneden afgeronde quotiënt", "it": "quoziente arrotondato per difetto",
    }  # fmt: skip
    assert rounded[language] in text, text


SUMS = """game sums
    players 2
    source house rule
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


@pytest.mark.parametrize("language", LANGUAGES)
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
def test_an_operation_is_told_inside_or_outside_the_number_that_contains_another(
    language: str,
    amount: str,
    form: str,
) -> None:
    changed = rules_of("sums.rules", SUMS.format(amount=amount))
    text = text_of_book(changed, language, "play")
    assert [bool(re.search(pattern, text)) for pattern in (OUTER, INNER)] == [form is OUTER, form is INNER], text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_of_times_does_not_begin_a_clause_with_its_own_condition(path: Path, language: str) -> None:
    decision = ("repeat 2 times", "if size of box > 1", "p chooses more", "gain", "p gains 1 points", "decline")
    indents = (0, 4, 8, 12, 16, 12)
    lines = [" " * (4 + indent) + line for indent, line in zip(indents, decision, strict=True)]
    path.write_text(
        RECORDED.partition("before taken")[0] + "\n".join(["after taken in play", *lines, " " * 20 + "nothing", ""]),
        encoding="utf-8",
    )
    twice = {"en": "Twice:", "de": "Zweimal:", "nl": "Tweemaal:", "it": "Per due volte:"}
    assert twice[language] in text_of_book(rules_in(path), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["sum of", "highest", "lowest"])
@pytest.mark.parametrize("operation", ["+ 1", "- 1", "* n"])
def test_a_computation_for_each_of_several_things_is_in_brackets(
    path: Path, operation: str, kind: str, language: str
) -> None:
    amount = f"({kind} size of matches of h {operation} for h in stack where h is not chosen)"
    assert re.search(r"\([^()]+\)", _play(_game(path, f"if n < {amount}", "p gains n points"), language))


#: Numbers of several heaps, whose phrases end in a clause or speak of every heap.
OF_SEVERAL = (
    "(sum of size of matches of h * 2 for h in stack)",
    "(sum of size of matches of h for h in stack where h is not chosen)",
    "(lowest first_matches[h] for h in stack where matches of h is not empty)",
    "(highest size of matches of h for h in stack where h is not chosen)",
    "(number of h in stack where matches of h is not empty)",
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("amount", OF_SEVERAL)
@pytest.mark.parametrize("whole", ["{} + 2", "{} - 1", "2 * {}", "{} div 2", "{} mod 5", "greatest({}, n)"])
def test_a_number_of_several_things_is_set_off_in_a_computation(
    path: Path, whole: str, amount: str, language: str
) -> None:
    rules = _game(path, f"if n < {whole.format(amount)}", "p gains n points")
    assert re.search(r"\([^()]+\)", _play(rules, language))


PLACES = {
    "en": "the seat number of the player",
    "de": "die Platznummer des Spielers",
    "nl": "het plaatsnummer van de speler",
    "it": "il numero di posto del giocatore",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_place_of_a_player_is_no_rank(language: str) -> None:
    """The rank of a card is its position in an enumeration; players are numbered."""
    changed = rules_of(
        "counted.rules",
        "variant counted of nim\n    source house rule\n\n"
        "allow take in choice turn only if position of p > 1 or size of box < 5\n",
    )
    assert PLACES[language] in text_of_book(changed, language, "play")
