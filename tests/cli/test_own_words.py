"""Words of a variant under its full name, `game/variant`: every command finds them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .command import Command

RULES = """variant stones of nim
    source house rule
add to enum piece
    pebble
tokens reserve of each player holds piece, seen by all
before setup
    for each p in player
        fill reserve of p with 1 pebble
add to choice turn
    wait if reserve[p, pebble] > 0
        move 1 pebble from reserve of p to box as waited(player: p, token)
"""
LEXICON = """games:
  nim/stones:
    pebble: {sg: pebble, pl: pebbles}
    reserve: {sg: pouch, pl: pouches}
"""
CATALOG = """
msgctxt "nim/stones.waited"
msgid "{player} [puts|put] {token:num} into the box."
msgstr ""

msgctxt "nim/stones.waited.rule"
msgid "{player} [puts|put] {token} {from:from def} {to:into def}."
msgstr ""

msgctxt "nim/stones.decision.turn.wait"
msgid "Put your pebble into the box"
msgstr ""
"""


@pytest.fixture
def stones(wongar: Command) -> Path:
    """Return the working directory: a variant with words under its full name."""
    folder = wongar.home / "mine"
    words = folder / "locales" / "en"
    words.mkdir(parents=True)
    (folder / "stones.rules").write_text(RULES, encoding="utf-8")
    (words / "lexicon.yaml").write_text(LEXICON, encoding="utf-8")
    (words / "messages.po").write_text(CATALOG, encoding="utf-8")
    wongar.patch.chdir(folder)
    return folder


def test_rulebook_and_diff_use_the_words_of_the_variant(wongar: Command, stones: Path) -> None:
    for arguments in (("rulebook", "stones.rules"), ("diff", "nim", "stones.rules")):
        output = wongar(*arguments, "--lang", "en").out
        assert "put a pebble from their pouch into the box" in output
        assert "reserve" not in output


def test_option_without_words_is_shown_by_its_identifier(wongar: Command, stones: Path) -> None:
    (stones / "locales" / "en" / "messages.po").unlink()
    output = wongar("rulebook", "stones.rules", "--lang", "en").out
    assert re.search("choose “wait”:\n *– A pebble goes from the pouch of the player into the box[.]", output)


def test_message_can_use_an_implicit_number(wongar: Command, stones: Path) -> None:
    assert wongar("validate", "stones.rules", "--lang", "en").out == "stones.rules: OK, for 2 players\n"
    result = wongar("play", "stones.rules", "--seats", "human:Ada,human:Bob", "--lang", "en", answers="wait\nquit\n")
    assert "Ada puts one pebble into the box." in result.out


def test_words_command_checks_and_renders_a_variant(wongar: Command, stones: Path) -> None:
    good = wongar("words", "en", "--game", "stones.rules", "--lang", "en")
    assert (good.code, good.out) == (
        0, "en: 5 of 5 sentences translated; sentences and terms still to do: 0; wrong: 0\n"
    )  # fmt: skip
    output = wongar("words", "en", "--game", "stones.rules", "--say", "nim/stones.waited", "--lang", "en").out
    assert "Anna puts 5 pebbles into the box." in output.splitlines()
    catalog = stones / "locales" / "en" / "messages.po"
    catalog.write_text(CATALOG.replace("{token:num}", "{token:nun}").replace("Put your", "Put  your"), encoding="utf-8")
    wrong = wongar("words", "en", "--game", "stones.rules", "--lang", "en")
    assert wrong.code == 1
    assert re.search(r"^locales/en/messages.po:3: .*“nun”", wrong.out, re.M)
    assert wrong.out.endswith("wrong: 2\n")


def test_missing_words_of_a_variant_are_reported_with_their_line(wongar: Command, stones: Path) -> None:
    lacking = wongar("words", "de", "--game", "stones.rules", "--lang", "en")
    assert lacking.code == 0
    assert re.findall(r"^stones.rules:(\d+): .*“(\S+)”", lacking.out, re.M) == [
        ("4", "pebble"), ("5", "reserve"), ("1", "stones"), ("11", "nim/stones.waited")
    ]  # fmt: skip
    assert "de: 4 of 5 sentences translated; sentences and terms still to do: 4; wrong: 0" in lacking.out


def test_variant_can_rename_the_game(wongar: Command, stones: Path) -> None:
    (stones / "both.rules").write_text("variant both of nim with stones\n    source house rule\n", encoding="utf-8")
    lexicon = stones / "locales" / "en" / "lexicon.yaml"
    assert "Nim (stones, both)" in wongar("games", "both.rules", "--lang", "en").out
    lexicon.write_text(f"{LEXICON}  nim/both:\n    nim: Stone Nim\n", encoding="utf-8")
    assert wongar("validate", "both.rules", "--lang", "en").out == "both.rules: OK, for 2 players\n"
    assert wongar("rulebook", "both.rules", "--lang", "en").out.startswith("Stone Nim\n")
    assert "Nim (stones)" in wongar("games", "stones.rules", "--lang", "en").out


def test_pack_file_is_named_after_its_variants(wongar: Command, stones: Path) -> None:
    (stones / "both.rules").write_text("variant both of nim with stones\n    source house rule\n", encoding="utf-8")
    for packed, called in (("both.rules", "both"), ("nim+stones+both", "stones+both"), ("both.variant", "stones+both")):
        assert wongar("pack", packed, "--lang", "en").out.startswith(f"Written: {called}.variant\n")


#: English sentences that cannot be used: with an unknown word in a slot, or an open brace.
BROKEN = ("Rest {p:bar} a while", "Rest {p a while")


@pytest.mark.parametrize("sentence", BROKEN)
def test_option_with_a_broken_sentence_is_shown_as_without_one(wongar: Command, stones: Path, sentence: str) -> None:
    catalog = stones / "locales" / "en" / "messages.po"
    text = catalog.read_text(encoding="utf-8")
    seats = ("--seats", "human:Ada,human:Bob", "--lang", "en")
    catalog.write_text(text.replace("stones.decision.turn.wait", "stones.decision.turn.unused"), encoding="utf-8")
    without = wongar("play", "stones.rules", *seats, "--seed", "1", answers="quit\n").out
    catalog.write_text(text.replace("Put your pebble into the box", sentence), encoding="utf-8")
    result = wongar("play", "stones.rules", *seats, "--seed", "1", answers="quit\n")
    assert "decision.turn" not in result.out
    assert result.out.partition("> ")[0] == without.partition("> ")[0]
    assert "wongar validate" in result.err
