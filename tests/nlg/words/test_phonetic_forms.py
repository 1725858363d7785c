"""Euphony and spacing faults in text: wrong forms before the next word, and wrong spaces."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.nlg.words import Listing, PlayerName, Translator, available
from wongar_dsl.nlg.words.catalog_check import MessageSpec, check
from wongar_dsl.nlg.words.lexicon import Lexicon
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.slots import SlotSpec
from wongar_dsl.nlg.words.style_lint import text_faults


@cache
def lexicon(language: str) -> Lexicon:
    return load_locale(language, ()).lexicon


def faults_in(language: str, text: str) -> list[tuple[str, str]]:
    return [
        (fault.name, getattr(fault.details.get("expected"), "text", ""))
        for fault in text_faults(text, lexicon(language))
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("it", "Anna e Eva", "ed Eva"),
        ("it", "Tocca a Anna.", "ad Anna"),
        ("it", "Tocca ad Bice.", "a Bice"),
        ("it", "la area del canguro", "l’area"),
        ("it", "Si prende una area.", "un’area"),
        ("it", "il scorpione", "lo scorpione"),
        ("it", "lo cubo", "il cubo"),
        ("it", "i Antenati", "gli Antenati"),
        ("it", "dal Antenato", "dall’Antenato"),
        ("it", "nella area", "nell’area"),
        ("it", "l’scorpione", "lo scorpione"),
        ("en", "a area card", "an area"),
        ("en", "an disc", "a disc"),
        ("en", "a hour", "an hour"),
        ("en", "a 8", "an 8"),
    ],
)
def test_wrong_euphonic_forms_are_found(language: str, text: str, expected: str) -> None:
    assert faults_in(language, text) == [("words.sound", expected)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("it", "Anna ed Eva, Eva e Anna, ad Anna e a Bice, l’area, lo scorpione, gli Antenati, un amico, un’area"),
        # A pronoun, a number and a verb that look like articles.
        ("it", "La usa chi lo prende, una o due alla volta; dai un nome a uno dei due."),
        ("it", "A allontana un cubo."),
        # The beginning of a longer form in the lexicon is no noun: *di quel giocatore*, *il più alto*.
        ("it", "Uno di voi gioca, nessuno il giorno dopo."),
        ("en", "an area and a unit, an hour and a one, A and B"),
        ("de", "eine Area, ein Emu"),
        ("nl", "een area, een emoe"),
    ],
)
def test_correct_euphony_is_accepted(language: str, text: str) -> None:
    assert faults_in(language, text) == []


@pytest.mark.parametrize(
    "text",
    ["two  spaces", " at the start", "at the end ", "before , a comma", "Really !)", "( behind", "none,there", "End ."],
)
def test_wrong_spacing_is_found(text: str) -> None:
    assert [name for name, _ in faults_in("en", text)] == ["words.spacing"]


@pytest.mark.parametrize("text", ["Type ? for help.", "one, two; 1,000 (three) …", "thinks …", "Seats: 1.5", "a\nb"])
def test_correct_spacing_is_accepted(text: str) -> None:
    assert faults_in("en", text) == []


def test_catalog_faults_are_reported_in_all_languages(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    folder.mkdir()
    (folder / "messages.po").write_text(
        'msgctxt "toy.over"\nmsgid "Over."\nmsgstr "Si prende  il scorpione."\n', encoding="utf-8"
    )
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "messages.po").write_text('msgctxt "toy.over"\nmsgid "Over."\nmsgstr ""\n', encoding="utf-8")
    findings = check([MessageSpec("toy.over", {})], {}, [tmp_path], ["it"])
    assert {"words.spacing", "words.sound"} <= {finding.name for finding in findings}
    for finding in findings:
        for language in available():
            assert Translator.load(language, strict=True).say(finding.name, **finding.details)


def test_conjunction_of_a_list_is_euphonic() -> None:
    it, en = Translator.load("it", strict=True), Translator.load("en", strict=True)
    names = [PlayerName(name) for name in ("Àgata", "Ezio", "Emma")]
    assert it.value(Listing(tuple(names))) == "Àgata, Ezio ed Emma"
    assert it.value(Listing(tuple(names[::-1]))) == "Emma, Ezio e Àgata"
    assert load_locale("it", ()).value(Listing(tuple(names)), SlotSpec(conjunction="or")) == "Àgata, Ezio o Emma"
    assert en.value(Listing(tuple(names))) == "Àgata, Ezio and Emma"
    assert it.say("engine.game_ended", winners=Listing(tuple(names[:2]))).endswith(" Vincono Àgata ed Ezio.")
    assert it.say("engine.game_ended", winners=Listing(tuple(names[:1]))).endswith(" Vince Àgata.")


def test_one_is_written_as_a_word() -> None:
    expected_texts = {
        "de": ("einen Würfel", "eine Walze", "2 Würfel"),
        "nl": ("één blokje", "één staafje", "2 blokjes"),
        "it": ("un cubo", "un cilindro", "2 cubi"),
        "en": ("one cube", "one cylinder", "2 cubes"),
    }
    for language, expected in expected_texts.items():
        words, case = Translator.load(language, strict=True), " acc" if language == "de" else ""
        spoken = [
            words.term(name, "wongar", f"num{case}", n) for name, n in (("cube", 1), ("cylinder", 1), ("cube", 2))
        ]
        assert tuple(spoken) == expected
    assert Translator.load("it", strict=True).term("area", None, "num", 1) == "un’area"
    assert Translator.load("en", strict=True).term("cube", "wongar", "count", 1) == "one"


def test_percentages_follow_the_language() -> None:
    shown = {language: Translator.load(language).percent(0.5, 1) for language in ("de", "nl", "it", "en")}
    assert shown == {"de": "50,0\xa0%", "nl": "50,0%", "it": "50,0%", "en": "50.0%"}
    assert Translator.load("en").percent(1 / 3, 0) == "33%"
