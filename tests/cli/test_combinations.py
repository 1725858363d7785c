"""Combined variants and their words at the command line, and the list of changeable parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import Command
from wongar_dsl.engine.saves import read_save

BIG = "variant big of nim\n\nset first_matches[heap_c] to 6\n"
SHY = "variant shy of nim\n\nallow take in choice turn only if n < 3\n"
#: Both variants: at most two matches may be taken, and the third heap has six.
GAME = "nim+big+shy"


@pytest.fixture(autouse=True)
def _files(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(wongar.home)
    (wongar.home / "big.rules").write_text(BIG, encoding="utf-8")
    (wongar.home / "shy.rules").write_text(SHY, encoding="utf-8")


def test_combination_is_played_saved_and_resumed(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    played = wongar.play(GAME, "take(heap_c, 3)", "take(heap_c, 2)", seats="human,random")
    save = played.save
    assert played.code == 0, played.err
    assert played.choices[0] == "take(heap_c, 2)"
    assert read_save(save).file.split("\n") == ["nim", *(str(wongar.home / f"{n}.rules") for n in ("big", "shy"))]
    monkeypatch.chdir("/")
    assert wongar("resume", str(save), answers="1\n").code == 0
    log = wongar("log", str(save), "--format", "jsonl")
    assert '"game":"nim/big/shy"' in log.out


def test_conflicting_variants_are_reported(wongar: Command) -> None:
    (wongar.home / "tall.rules").write_text(BIG.replace("big", "tall"), encoding="utf-8")
    result = wongar("validate", "nim+big+tall")
    assert result.code == 1
    assert all(part in result.out for part in ("R0214", "big.rules:3", "tall.rules:3"))


def test_games_command_lists_changeable_parts(wongar: Command) -> None:
    text = wongar("games", "wongar", "--lang", "en").out
    for line in ("cards_bonus  8    0 to 100", "sting        yes  yes, no", "ancestor_alone  4      5       7"):
        assert f"  {line}" in text
    for line in ("area_deck: 15 cards (area_card)", "2  scorpion_card", "further        place draw decline"):
        assert line in text
    assert "wongar/initiated  Wongar (game for the initiated), for 3 to 5 players" in text
    # Those of a combination include the changes of its variants.
    text = wongar("games", GAME, "--lang", "it").out
    assert "heap_c         6" in text
    assert ": table first_matches" in text
    assert "big.rules  Nim (big), per 2 " in text


def test_variants_are_listed_with_their_main_changes(wongar: Command) -> None:
    """Changed procedures come before changed components; a removed rule is shown by its sentence."""
    wongar.patch.chdir(wongar.home)
    rules = "variant far of ubongo\n    source house rule\n\nset steps[1] to 5\nset players to 2 to 3\n"
    (wongar.home / "far.rules").write_text(rules, encoding="utf-8")
    text = wongar("games", "ubongo", "--lang", "en").out.partition("\nVariants\n")[2]
    hard, long, far = text.split("\n\n")
    assert "    Making the stack of boards: The boards are played on the hard side.\n" in hard
    assert "    Making the stack of boards, no longer: " in long
    assert "    and 3 more changes: wongar diff ubongo ubongo/long\n" in long
    assert "Tables: " in far
    assert "5 instead of 3" in far
    assert "for 2 to 3 players (before: for 2 to 4 players)" in far


def test_variants_in_separate_folders_are_combined_by_name(wongar: Command) -> None:
    for name in ("big", "shy"):
        (wongar.home / name).mkdir()
        (wongar.home / f"{name}.rules").rename(wongar.home / name / f"{name}.rules")
    assert f"{GAME}: OK" in wongar("validate", GAME).out
    for named in ("nim", "big/big.rules"):
        assert "  shy/shy.rules  " in wongar("games", named).out
    assert "big/big.rules" in wongar("validate", "big").out
    expected = "{offers: ['take(heap_c, 2)'], offers_not: ['take(heap_c, 3)']}"
    cases = f"game: {GAME}\nplayers: 2\ncases:\n  - name: a\n    expect: {expected}\n"
    (wongar.home / "both.cases.yaml").write_text(cases, encoding="utf-8")
    assert wongar("test", "both.cases.yaml").code == 0
    assert wongar("simulate", GAME, "--games", "2").code == 0
    # `wongar new` creates a variant of both in a sibling folder, which finds them from any working directory.
    assert wongar("new", "party", "--from", GAME).code == 0
    wongar.patch.chdir(wongar.home / "party")
    assert "variant party of nim with big, shy\n" in Path("party.rules").read_text(encoding="utf-8")
    assert "party.rules: OK" in wongar("validate", "party.rules").out
    (wongar.home / "big" / "big.rules").write_text(BIG.replace("heap_c", "heap_x"), encoding="utf-8")
    assert "../big/big.rules:3" in wongar("validate", "party.rules").out


@pytest.mark.parametrize("apart", [False, True])
def test_missing_words_are_written_beside_their_variant(wongar: Command, apart: bool) -> None:
    places = {}
    for name, where in {"odd": "before", "even": "after"}.items():
        text = f"variant {name} of nim\n    source house rule\n\n{where} setup\n    tell {name}_told(n: 1)\n"
        places[name] = wongar.home / name if apart else wongar.home
        places[name].mkdir(exist_ok=True)
        (places[name] / f"{name}.rules").write_text(text, encoding="utf-8")
    result = wongar("validate", "nim+odd+even", "--write-words", "--lang", "en")
    assert result.code == 0, result.out
    for name, place in places.items():
        catalog = (place / "locales" / "de" / "messages.po").read_text(encoding="utf-8")
        assert f'"nim/{name}.{name}_told"' in catalog
        assert ("even_told" in catalog and "odd_told" in catalog) is not apart


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
def stones(working_directory: Path) -> Path:
    """Return the working directory: a variant with words under its full name."""
    words = working_directory / "locales" / "en"
    words.mkdir(parents=True)
    (working_directory / "stones.rules").write_text(RULES, encoding="utf-8")
    (words / "lexicon.yaml").write_text(LEXICON, encoding="utf-8")
    (words / "messages.po").write_text(CATALOG, encoding="utf-8")
    return working_directory


def test_rulebook_and_diff_use_the_words_of_the_variant(wongar: Command, stones: Path) -> None:
    for arguments in (("rulebook", "stones.rules"), ("diff", "nim", "stones.rules")):
        output = wongar(*arguments, "--lang", "en").out
        assert "put a pebble from their pouch into the box" in output
        assert "reserve" not in output


def test_message_can_use_an_implicit_number(wongar: Command, stones: Path) -> None:
    assert wongar("validate", "stones.rules", "--lang", "en").out == "stones.rules: OK, for 2 players\n"
    assert "Anna puts one pebble into the box." in wongar.play("stones.rules", "wait", "quit").out


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


def test_option_with_a_broken_sentence_is_shown_as_without_one(wongar: Command, stones: Path) -> None:
    catalog = stones / "locales" / "en" / "messages.po"
    text = catalog.read_text(encoding="utf-8")
    catalog.write_text(text.replace("stones.decision.turn.wait", "stones.decision.turn.unused"), encoding="utf-8")
    without = wongar.play("stones.rules", "quit").out
    for sentence in BROKEN:
        catalog.write_text(text.replace("Put your pebble into the box", sentence), encoding="utf-8")
        result = wongar.play("stones.rules", "quit")
        assert "decision.turn" not in result.out
        assert result.out.partition("> ")[0] == without.partition("> ")[0]
        assert "wongar validate" in result.err
