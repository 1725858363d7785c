"""A language with features that no bundled language combines, defined by its lexicon alone.

Swedish lies in `tests/data/languages` as files only. It puts the definite article behind the noun (*kortet*), but
before an adjective (*det öppna kortet*), owners before their possessions (*spelarens kort*), the verb second but never
last, and *inte* before the verb in a subordinate clause.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.nlg.words.arguments import (
    Attribute,
    Genitive,
    Listing,
    NounPhrase,
    PlayerName,
    Relative,
    Sentence,
    Term,
    Value,
)
from wongar_dsl.nlg.words.clause import Order
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.lint.style_lint import faults, text_faults
from wongar_dsl.nlg.words.locale import Locale, load_locale
from wongar_dsl.nlg.words.realiser import Realiser
from wongar_dsl.nlg.words.template import parse_template

LANGUAGES = Path(__file__).parents[2] / "data" / "languages"
PLAYER, PILE, SUPPLY = (NounPhrase(Term(name), ("def",)) for name in ("player", "pile", "supply"))
OWNED = NounPhrase(Term("card"), ("def",), (Attribute("prose.of.one", {"owner": PLAYER}),))


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
def test_article_is_separate_only_before_an_adjective(swedish: Realiser, spec: str, said: str) -> None:
    assert say(swedish, f"{{card:{spec} asis}}", card=Term("card")) == said


def test_article_is_separate_before_a_number(swedish: Realiser) -> None:
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
def test_adverb_precedes_the_verb_in_subordinate_clauses(
    swedish: Realiser, text: str, said: tuple[str, str, str]
) -> None:
    values: dict[str, Value] = {"player": PLAYER, "card": NounPhrase(Term("card"), ("def",))}
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
def test_negative_determiner_becomes_a_negated_verb(swedish: Realiser, order: Order, said: str) -> None:
    none = NounPhrase(Term("card"), ("not_any",), several=True)
    assert swedish.clause(parse_template("{p} [har|har|ha] {what}"), {"p": PLAYER, "what": none}, order) == said


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        (PILE, "Högen är tom."),
        (SUPPLY, "Förrådet är tomt."),
        (NounPhrase(Term("pile"), ("def",), several=True), "Högarna är tomma."),
        (NounPhrase(Term("supply"), ("not_any",)), "Inget förråd är tomt."),
        (Term("supply"), "Förråd är tomt."),
        (Term("pile", None, 3), "Högar är tomma."),
        (Listing((PILE, PILE)), "Högen och högen är tomma."),
        (PlayerName("Anna"), "Anna är tom."),
    ],
)
def test_predicative_adjective_agrees_with_its_subject(swedish: Realiser, subject: Value, said: str) -> None:
    assert say(swedish, "{what:and} [är|är|vara] [:tom].", what=subject) == said


def test_adjective_agrees_with_the_antecedent_of_a_relative_clause(swedish: Realiser) -> None:
    empty = NounPhrase(Term("supply"), ("indef",), (Relative("prose.empty", "place"),))
    assert say(swedish, "{p} [väljer|väljer|välja] {what}.", p=PLAYER, what=empty) == (
        "Spelaren väljer ett förråd som är tomt."
    )


def test_unknown_adjective_is_an_error(swedish: Realiser) -> None:
    with pytest.raises(WordsError, match="unknown_word"):
        say(swedish, "{what} [är|är|vara] [:glad].", what=PILE)


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (OWNED, "spelarens kort"),
        (NounPhrase(Term("card"), ("def", "öppen"), OWNED.modifiers), "spelarens öppna kort"),
        (NounPhrase(Term("card", count=3), ("def",), OWNED.modifiers), "spelarens 3 kort"),
        # An owner replaces only an article, and only if the owner is short.
        (NounPhrase(Term("card"), ("every",), OWNED.modifiers), "varje kort av spelaren"),
        (
            NounPhrase(Term("card"), ("def",), (Attribute("prose.of.one", {"owner": OWNED}),)),
            "kortet av spelarens kort",
        ),
        (Genitive(Term("card"), (PlayerName("Anna"),)), "Annas kort"),
        (Genitive(Term("card"), (PlayerName("Klas"),)), "Klas kort"),
        (Genitive(Term("card"), (Term("player"),)), "spelarens kort"),
    ],
)
def test_owner_replaces_the_article(swedish: Realiser, thing: Value, said: str) -> None:
    assert say(swedish, "{thing:asis}", thing=thing) == said


def test_owner_follows_a_preposition(swedish: Realiser) -> None:
    assert say(swedish, "{thing:från asis}", thing=OWNED) == "från spelarens kort"


def test_verb_comes_second_and_never_last(swedish: Realiser) -> None:
    has = Sentence("prose.has", {"player": PLAYER, "what": OWNED, "place": SUPPLY})
    then = Sentence("prose.gets", {"player": NounPhrase(Term("player"), pronoun=True), "what": OWNED})
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
def test_wrong_feature_value_is_an_error(tmp_path: Path, section: str, name: str) -> None:
    (tmp_path / "xy").mkdir()
    text = f"features: {{number: [sg, pl]}}\nnumbers: {{one: sg, other: pl}}\n{section}\n"
    (tmp_path / "xy" / "lexicon.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(WordsError, match=name):
        load_locale("xy", [tmp_path])


def test_files_of_the_language_pass_the_style_check(swedish: Realiser) -> None:
    lexicon, entries = swedish.lexicon, swedish.catalog.entries
    assert len(entries) > 500
    assert [fault for name, entry in entries.items() for fault in faults(name, entry.texts, lexicon)] == []
    nouns = [noun for game, name in lexicon.nouns() if (noun := lexicon.noun(name, game)) is not None]
    assert [(noun.name, lexicon.missing_forms(noun)) for noun in nouns if lexicon.missing_forms(noun)] == []
    assert [noun.name for noun in nouns if lexicon.lacks_gender(noun)] == []
    forms = [form for noun in nouns for _, form in noun.forms.entries]
    assert [form for form in forms if list(text_faults(form, lexicon))] == []


def test_features_of_one_language_do_not_affect_others(swedish: Realiser) -> None:
    german: Locale = load_locale("de", ())
    assert not german.lexicon.owners_before
    assert german.realiser.sentence(parse_template("{p} [hat|haben] [~nicht] viel."), {"p": PLAYER}) == (
        "Der Spieler hat nicht viel."
    )
