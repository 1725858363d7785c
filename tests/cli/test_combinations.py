"""Combined variants, and the list of changeable parts of a game, at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command, choices_in
from wongar_dsl.engine.saves.saves import read_save

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
    save = wongar.home / "save.json"
    answers = "take(heap_c, 3)\ntake(heap_c, 2)\n"
    played = wongar("play", GAME, "--seats", "human,random", "--save", str(save), "--lang", "en", answers=answers)
    assert played.code == 0, played.err
    assert choices_in(save)[0] == "take(heap_c, 2)"
    assert read_save(save).file.split("\n") == ["nim", *(str(wongar.home / f"{n}.rules") for n in ("big", "shy"))]
    monkeypatch.chdir("/")
    assert wongar("resume", str(save), answers="1\n").code == 0
    log = wongar("log", str(save), "--format", "jsonl")
    assert '"game":"nim/big/shy"' in log.out


@pytest.mark.parametrize(
    "arguments",
    [("perft", GAME, "--depth", "1"), ("simulate", GAME, "--games", "2"), ("games", GAME)],
    ids=lambda arguments: arguments[0],
)
def test_commands_that_take_a_game_accept_combinations(wongar: Command, arguments: tuple[str, ...]) -> None:
    result = wongar(*arguments, "--lang", "en")
    assert (result.code, result.err) == (0, "")


def test_conflicting_variants_are_reported_in_every_language(wongar: Command) -> None:
    (wongar.home / "tall.rules").write_text(BIG.replace("big", "tall"), encoding="utf-8")
    for language in LANGUAGES:
        result = wongar("validate", "nim+big+tall", "--lang", language)
        assert result.code == 1
        assert "R0214" in result.out
        assert "big.rules:3" in result.out
        assert "tall.rules:3" in result.out


def test_cases_of_a_combination_are_run(wongar: Command) -> None:
    text = f"""
game: {GAME}
players: 2
cases:
  - name: two of six
    expect: {{offers: ["take(heap_c, 2)"], offers_not: ["take(heap_c, 3)"]}}
"""
    (wongar.home / "both.cases.yaml").write_text(text, encoding="utf-8")
    assert wongar("test", "both.cases.yaml").code == 0
    (wongar.home / "both.cases.yaml").write_text(text.replace(GAME, "nim+/etc/passwd"), encoding="utf-8")
    result = wongar("test", "both.cases.yaml", "--lang", "en")
    assert (result.code, "root:" in result.err) == (1, False)


def test_games_command_lists_changeable_parts(wongar: Command) -> None:
    text = wongar("games", "wongar", "--lang", "en").out
    for line in ("cards_bonus  8    0 to 100", "sting        yes  yes, no", "ancestor_alone  4      5       7"):
        assert f"  {line}" in text
    for line in ("area_deck: 15 cards (area_card)", "2  scorpion_card", "further        place draw decline"):
        assert line in text
    assert "wongar/initiated  Wongar (game for the initiated), 3 to 5 players" in text


def test_listed_values_include_changes_of_the_variants(wongar: Command) -> None:
    text = wongar("games", GAME, "--lang", "en").out
    assert "heap_c         6" in text
    assert "changes: table first_matches" in text
    assert "big.rules  Nim (big), 2 players" in text


def test_changeable_parts_are_listed_in_every_language(wongar: Command) -> None:
    listings = {wongar("games", GAME, "--lang", language).out for language in LANGUAGES}
    assert len(listings) == len(LANGUAGES)
    assert all("first_matches" in listing for listing in listings)


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
    cases = f"game: {GAME}\nplayers: 2\ncases:\n  - name: a\n    expect: {{offers: ['take(heap_c, 2)']}}\n"
    (wongar.home / "both.cases.yaml").write_text(cases, encoding="utf-8")
    assert wongar("test", "both.cases.yaml").code == 0
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
