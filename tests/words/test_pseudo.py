"""Pseudo-languages show what did not pass through the catalogs, and what does not fit."""

from __future__ import annotations

from wongar_dsl.words import Player, Term, Words, available

ARGS = {"player": Player("Anna"), "token": Term("cylinder", count=2), "owner": Player("Bo"), "area": Term("emu")}


def test_longer_and_accented() -> None:
    plain = Words.load("en").say("wongar.removed", **ARGS)
    said = Words.load("xx-long").say("wongar.removed", **ARGS)
    assert 1.3 * len(plain) <= len(said) <= 1.6 * len(plain)
    assert said.startswith("Anna ")
    assert " Bo" in said
    assert not any(letter in said.replace("Anna", "").replace("Bo", "") for letter in "aeiou")


def test_right_to_left() -> None:
    words = Words.load("xx-rtl")
    said = words.say("wongar.removed", **ARGS)
    assert said.count("\u202e") == said.count("\u202c") > 2
    assert words.width(said) == words.width(Words.load("en").say("wongar.removed", **ARGS))


def test_full_width() -> None:
    words = Words.load("xx-wide")
    said = words.say("wongar.last_round")
    assert words.width(said) == 2 * len(said)


def test_they_are_not_offered() -> None:
    assert not any(language.startswith("xx") for language in available())
