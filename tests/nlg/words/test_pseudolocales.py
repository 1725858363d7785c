"""Pseudo-languages reveal text that bypasses the catalogs or does not fit."""

from __future__ import annotations

from wongar_dsl.nlg.words import PlayerName, Term, Translator, available

ARGS = {
    "player": PlayerName("Anna"),
    "token": Term("cylinder", count=2),
    "owner": PlayerName("Bo"),
    "area": Term("emu"),
}


def test_long_pseudo_language_expands_and_accents_text() -> None:
    plain = Translator.load("en").say("wongar.removed", **ARGS)
    text = Translator.load("xx-long").say("wongar.removed", **ARGS)
    assert 1.3 * len(plain) <= len(text) <= 1.6 * len(plain)
    assert text.startswith("Anna ")
    assert " Bo" in text
    assert not any(letter in text.replace("Anna", "").replace("Bo", "") for letter in "aeiou")


def test_rtl_pseudo_language_reverses_text() -> None:
    words = Translator.load("xx-rtl")
    text = words.say("wongar.removed", **ARGS)
    assert text.count("\u202e") == text.count("\u202c") > 2
    assert words.width(text) == words.width(Translator.load("en").say("wongar.removed", **ARGS))


def test_wide_pseudo_language_doubles_the_width() -> None:
    words = Translator.load("xx-wide")
    text = words.say("wongar.last_round")
    assert words.width(text) == 2 * len(text)


def test_pseudo_languages_are_not_listed() -> None:
    assert not any(language.startswith("xx") for language in available())
