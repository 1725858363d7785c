"""A language that combines what the shipped ones do not: everything it needs is a feature of its lexicon.

Swedish lies in `tests/data/languages` as files alone.  It puts the definite article behind the noun (*kortet*), but
before an adjective (*det öppna kortet*), owners before what they have (*spelarens kort*), the verb second but never
last, and *inte* before the verb where a clause hangs on another one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.words.arguments import Attribute, Listing, Nominal, Of, Player, Relative, Said, Term, Value
from wongar_dsl.words.clause import Order
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.locale import Locale, load_locale
from wongar_dsl.words.realiser import Realiser
from wongar_dsl.words.template import parse_template
from wongar_dsl.words.wording import faults, text_faults

LANGUAGES = Path(__file__).parents[1] / "data" / "languages"
PLAYER, PILE, SUPPLY = (Nominal(Term(name), ("def",)) for name in ("player", "pile", "supply"))
OWNED = Nominal(Term("card"), ("def",), (Attribute("prose.of.one", {"owner": PLAYER}),))


@pytest.fixture(scope="module")
def swedish() -> Realiser:
    return load_locale("sv", [LANGUAGES], strict=True).realiser


def say(realiser: Realiser, text: str, **values: Value) -> str:
    return realiser.sentence(parse_template(text), values)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("indef", "ett kort"),
        ("def", "kortet"),
        ("def pl", "korten"),
        ("def öppen", "det öppna kortet"),
        ("indef öppen", "ett öppet kort"),
        ("def öppen pl", "de öppna korten"),
        ("def top öppen", "det översta öppna kortet"),
        ("this", "det här kortet"),
        ("sin öppen", "sitt öppna kort"),
        ("i def", "i kortet"),
        ("gen def", "kortets"),
    ],
)
def test_an_article_stands_apart_only_before_another_word(swedish: Realiser, spec: str, said: str) -> None:
    assert say(swedish, f"{{card:{spec} asis}}", card=Term("card")) == said


def test_an_article_stands_apart_before_a_number(swedish: Realiser) -> None:
    assert say(swedish, "{card:def num asis}", card=Term("card", None, 3)) == "de 3 korten"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "{player} [har|har|ha] [~inte] {card}",
            ("har spelaren inte kortet", "spelaren inte har kortet", "inte ha kortet"),
        ),
        (
            "{player} [tar|tar|ta] {card} [~bara] en gång",
            ("tar spelaren kortet bara en gång", "spelaren bara tar kortet en gång", "bara ta kortet en gång"),
        ),
        ("{player} [tar|tar|ta] {card}", ("tar spelaren kortet", "spelaren tar kortet", "ta kortet")),
    ],
)
def test_an_adverb_goes_before_the_verb_of_a_clause_that_hangs_on_another(
    swedish: Realiser, text: str, said: tuple[str, str, str]
) -> None:
    values: dict[str, Value] = {"player": PLAYER, "card": Nominal(Term("card"), ("def",))}
    orders = (Order.INVERTED, Order.SUBORDINATE, Order.INFINITIVE)
    assert tuple(swedish.clause(parse_template(text), values, order) for order in orders) == said


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (Order.MAIN, "spelaren har inga kort"),
        (Order.INVERTED, "har spelaren inga kort"),
        (Order.SUBORDINATE, "spelaren inte har några kort"),
        (Order.INFINITIVE, "inte ha några kort"),
    ],
)
def test_none_becomes_a_denied_verb_only_where_the_language_says_so(swedish: Realiser, order: Order, said: str) -> None:
    none = Nominal(Term("card"), ("not_any",), several=True)
    assert swedish.clause(parse_template("{p} [har|har|ha] {what}"), {"p": PLAYER, "what": none}, order) == said


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        (PILE, "Högen är tom."),
        (SUPPLY, "Förrådet är tomt."),
        (Nominal(Term("pile"), ("def",), several=True), "Högarna är tomma."),
        (Nominal(Term("supply"), ("not_any",)), "Inget förråd är tomt."),
        (Term("supply"), "Förråd är tomt."),
        (Term("pile", None, 3), "Högar är tomma."),
        (Listing((PILE, PILE)), "Högen och högen är tomma."),
        (Player("Anna"), "Anna är tom."),
    ],
)
def test_an_adjective_behind_the_verb_goes_with_its_subject(swedish: Realiser, subject: Value, said: str) -> None:
    assert say(swedish, "{what:and} [är|är|vara] [:tom].", what=subject) == said


def test_an_adjective_goes_with_what_a_relative_clause_is_about(swedish: Realiser) -> None:
    empty = Nominal(Term("supply"), ("indef",), (Relative("prose.empty", "place"),))
    assert say(swedish, "{p} [väljer|väljer|välja] {what}.", p=PLAYER, what=empty) == (
        "Spelaren väljer ett förråd som är tomt."
    )


def test_an_adjective_that_the_lexicon_lacks_is_told(swedish: Realiser) -> None:
    with pytest.raises(WordsError, match="unknown_word"):
        say(swedish, "{what} [är|är|vara] [:glad].", what=PILE)


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (OWNED, "spelarens kort"),
        (Nominal(Term("card"), ("def", "öppen"), OWNED.modifiers), "spelarens öppna kort"),
        (Nominal(Term("card", count=3), ("def",), OWNED.modifiers), "spelarens 3 kort"),
        # Only an article gives way to an owner, and only a short owner takes its place.
        (Nominal(Term("card"), ("every",), OWNED.modifiers), "varje kort av spelaren"),
        (
            Nominal(Term("card"), ("def",), (Attribute("prose.of.one", {"owner": OWNED}),)),
            "kortet av spelarens kort",
        ),
        (Of(Term("card"), (Player("Anna"),)), "Annas kort"),
        (Of(Term("card"), (Player("Klas"),)), "Klas kort"),
        (Of(Term("card"), (Term("player"),)), "spelarens kort"),
    ],
)
def test_an_owner_stands_in_the_place_of_the_article(swedish: Realiser, thing: Value, said: str) -> None:
    assert say(swedish, "{thing:asis}", thing=thing) == said


def test_an_owner_stands_behind_a_preposition(swedish: Realiser) -> None:
    assert say(swedish, "{thing:från asis}", thing=OWNED) == "från spelarens kort"


def test_the_verb_comes_second_and_never_last(swedish: Realiser) -> None:
    has = Said("prose.has", {"player": PLAYER, "what": OWNED, "place": SUPPLY})
    then = Said("prose.gets", {"player": Nominal(Term("player"), pronoun=True), "what": OWNED})
    assert swedish.sentence(swedish.template("prose.if", None), {"condition": has, "then": then}) == (
        "om spelaren har spelarens kort i förrådet får hen spelarens kort"
    )


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("clauses: {none: {word: non, orders: [sideways]}}", "unknown_section"),
        ("clauses: {none: {wrod: non}}", "unknown_section"),
        ("clauses: {none: [non]}", "bad_shape"),
        ("belonging: {before: perhaps}", "bad_shape"),
        ("determiners: {def: {alone: {plural: x}}}", "unknown_feature"),
    ],
)
def test_a_wrong_value_of_a_feature_is_told(tmp_path: Path, section: str, name: str) -> None:
    (tmp_path / "xy").mkdir()
    text = f"features: {{number: [sg, pl]}}\nnumbers: {{one: sg, other: pl}}\n{section}\n"
    (tmp_path / "xy" / "lexicon.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(WordsError, match=name):
        load_locale("xy", [tmp_path])


def test_its_files_are_written_as_the_language_is(swedish: Realiser) -> None:
    lexicon, entries = swedish.lexicon, swedish.catalog.entries
    assert len(entries) > 500
    assert [found for name, entry in entries.items() for found in faults(name, entry.texts, lexicon)] == []
    nouns = [noun for game, name in lexicon.nouns() if (noun := lexicon.noun(name, game)) is not None]
    assert [(noun.name, lexicon.unstated(noun)) for noun in nouns if lexicon.unstated(noun)] == []
    assert [noun.name for noun in nouns if lexicon.lacks_gender(noun)] == []
    forms = [form for noun in nouns for _, form in noun.forms.entries]
    assert [form for form in forms if list(text_faults(form, lexicon))] == []


def test_the_shipped_languages_do_without(swedish: Realiser) -> None:
    """What one language needs changes nothing in another one."""
    german: Locale = load_locale("de", ())
    assert not german.lexicon.owners_before
    assert german.realiser.sentence(parse_template("{p} [hat|haben] [~nicht] viel."), {"p": PLAYER}) == (
        "Der Spieler hat nicht viel."
    )
