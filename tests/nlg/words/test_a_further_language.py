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
    Term,
    Value,
    WordsError,
)
from wongar_dsl.nlg.words.clause import Order, parse_template
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.realiser import Realiser
from wongar_dsl.nlg.words.style_lint import faults, text_faults

LANGUAGES = Path(__file__).parents[2] / "data" / "languages"
PLAYER, PILE, SUPPLY = (NounPhrase(Term(name), ("def",)) for name in ("player", "pile", "supply"))
OWNED = NounPhrase(Term("card"), ("def",), (Attribute("prose.of.one", {"owner": PLAYER}),))


@pytest.fixture(scope="module")
def swedish() -> Realiser:
    return load_locale("sv", [LANGUAGES], strict=True)


def say(realiser: Realiser, text: str, **values: Value) -> str:
    return realiser.sentence(parse_template(text), values)


CARD, NONE = NounPhrase(Term("card"), ("def",)), NounPhrase(Term("card"), ("not_any",), several=True)
EMPTY = NounPhrase(Term("supply"), ("indef",), (Relative("prose.empty", "place"),))
IS_EMPTY = "{what:and} [är|är|vara] [:tom]."


@pytest.mark.parametrize(
    ("text", "thing", "said"),
    [
        # An article is separate only before an adjective or a number.
        ("{what:def asis}", Term("card"), "kortet"),
        ("{what:def öppen asis}", Term("card"), "det öppna kortet"),
        ("{what:sin öppen asis}", Term("card"), "sitt öppna kort"),
        ("{what:def num asis}", Term("card", None, 3), "de 3 korten"),
        # A predicative adjective agrees with its subject.
        (IS_EMPTY, SUPPLY, "Förrådet är tomt."),
        (IS_EMPTY, NounPhrase(Term("pile"), ("def",), several=True), "Högarna är tomma."),
        (IS_EMPTY, Term("supply"), "Förråd är tomt."),
        (IS_EMPTY, Listing((PILE, PILE)), "Högen och högen är tomma."),
        (IS_EMPTY, PlayerName("Anna"), "Anna är tom."),
        ("Anna [väljer|väljer|välja] {what}.", EMPTY, "Anna väljer ett förråd som är tomt."),
        # An owner replaces only an article, and only if the owner is short.
        ("{what:från asis}", OWNED, "från spelarens kort"),
        ("{what:asis}", NounPhrase(Term("card"), ("def", "öppen"), OWNED.modifiers), "spelarens öppna kort"),
        ("{what:asis}", NounPhrase(Term("card", count=3), ("def",), OWNED.modifiers), "spelarens 3 kort"),
        ("{what:asis}", NounPhrase(Term("card"), ("every",), OWNED.modifiers), "varje kort av spelaren"),
        (
            "{what:asis}",
            NounPhrase(Term("card"), ("def",), (Attribute("prose.of.one", {"owner": OWNED}),)),
            "kortet av spelarens kort",
        ),
        ("{what:asis}", Genitive(Term("card"), (PlayerName("Anna"),)), "Annas kort"),
        ("{what:asis}", Genitive(Term("card"), (PlayerName("Klas"),)), "Klas kort"),
        ("{what:asis}", Genitive(Term("card"), (Term("player"),)), "spelarens kort"),
    ],
)
def test_articles_adjectives_and_owners_agree(swedish: Realiser, text: str, thing: Value, said: str) -> None:
    assert say(swedish, text, what=thing) == said


@pytest.mark.parametrize(
    ("text", "thing", "said"),
    [
        # An adverb stands before the verb of a subordinate clause.
        (
            "{player} [tar|tar|ta] {card} [~bara] en gång",
            CARD,
            ("tar spelaren kortet bara en gång", "spelaren bara tar kortet en gång", "bara ta kortet en gång"),
        ),
        ("{player} [tar|tar|ta] {card}", CARD, ("tar spelaren kortet", "spelaren tar kortet", "ta kortet")),
        # A negative determiner becomes a negated verb.
        (
            "{player} [har|har|ha] {card}",
            NONE,
            ("har spelaren inga kort", "spelaren inte har några kort", "inte ha några kort"),
        ),
    ],
)
def test_word_order_of_clauses(swedish: Realiser, text: str, thing: Value, said: tuple[str, ...]) -> None:
    values: dict[str, Value] = {"player": PLAYER, "card": thing}
    orders = (Order.INVERTED, Order.SUBORDINATE, Order.INFINITIVE)
    assert tuple(swedish.clause(parse_template(text), values, order) for order in orders) == said


def test_unknown_adjective_is_an_error(swedish: Realiser) -> None:
    with pytest.raises(WordsError, match="unknown_word"):
        say(swedish, "{what} [är|är|vara] [:glad].", what=PILE)


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
