"""The age and the length of a game: declared, changed by variants, checked, told, and without influence on saves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.small_games import checked
from wongar_dsl.api import about
from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules

#: A game without facts on its box; `{head}` is in its head, `{articles}` below it.
GAME = """\
game dots
    players 2
{head}    book leaf "The leaflet"
    source leaf "All"

{articles}score points

play
    for each p in player
        p chooses turn
            draw
                p gains 1 points
            pass
    nobody wins
"""
FACTS = '    age 8\n        source leaf "Title"\n    minutes 20 to 30  # as it says\n'
QUICK = "variant quick of dots\n    source house rule\n"


def written(folder: Path, head: str = "", articles: str = "", name: str = "dots") -> Path:
    path = folder / f"{name}.rules"
    path.write_text(GAME.format(head=head, articles=articles), encoding="utf-8")
    return path


def variant(folder: Path, changes: str) -> Path:
    path = folder / "quick.rules"
    path.write_text(QUICK + changes, encoding="utf-8")
    return path


def loaded(path: Path) -> Rules:
    return library.load(path)


def test_facts_are_declared_and_changed_by_a_variant(tmp_path: Path) -> None:
    game = about(written(tmp_path, FACTS))
    assert (game.age, game.minutes) == (8, (20, 30))
    changed = about(variant(tmp_path, "\nset minutes to 10\n"))
    assert (changed.age, changed.minutes) == (8, (10, 10))
    plain = about(written(tmp_path))
    assert (plain.age, plain.minutes) == (None, None)
    added = about(variant(tmp_path, "\nset age to 5\n"))
    assert (added.age, added.minutes) == (5, None)


def test_an_option_with_the_name_of_a_fact_is_set_instead(tmp_path: Path) -> None:
    option = "option minutes = 3 in 1 to 60\n\n"
    written(tmp_path, FACTS, option)
    path = variant(tmp_path, "\nset minutes to 5\nset age to 9\n")
    rules = loaded(path)
    assert rules.model.settings["minutes"].start == 5
    assert rules.model.box == {"minutes": (20, 30), "age": (9, 9)}
    assert rules.hash != loaded(variant(tmp_path, "\nset minutes to 6\nset age to 9\n")).hash
    assert rules.hash == loaded(variant(tmp_path, "\nset minutes to 5\n")).hash


#: Lines of the head or of a variant, each with the code and the hint of its mistake.
MISTAKES = {
    "    age 0\n": ("R0305", "box_age"),
    "    age 100\n": ("R0305", "box_age"),
    "    minutes 10001\n": ("R0305", "box_minutes"),
    "    age 8\n    age 9\n": ("R0202", None),
    '    age 8\n        source book "Title"\n': ("R0210", None),
    "    age 8 to 12\n": ("R0101", "form"),
    "set age to ten\n": ("R0208", "form"),
    "set age to 8\nset age to 9\n": ("R0212", None),
    "set minutes to 0 to 5\n": ("R0305", "box_minutes"),
    "    age 8\n\n": ("R0101", "form"),
    "age 8\n": ("R0101", "form"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_reported_where_it_is(tmp_path: Path, text: str) -> None:
    in_game = text.startswith("    ") and not text.endswith("\n\n")
    path = written(tmp_path, text if in_game else "")
    if not in_game:
        path = variant(tmp_path, text)
    (found,) = checked(path)
    assert (found.code, found.hint.name if found.hint is not None else None) == MISTAKES[text]
    assert found.span is not None
    assert found.span.source.line(found.span.line).strip() in text


def test_two_independent_variants_that_change_a_fact_clash(tmp_path: Path) -> None:
    written(tmp_path, FACTS)
    variant(tmp_path, "\nset age to 5\n")
    (tmp_path / "late.rules").write_text("variant late of dots\n    source house rule\n\nset age to 6\n")
    (tmp_path / "both.rules").write_text("variant both of dots with quick, late\n    source house rule\n")
    assert [d.code for d in checked(tmp_path / "both.rules")] == ["R0214"]


def without(text: str, *parts: str) -> str:
    for part in parts:
        assert part in text
        text = text.replace(part, "")
    return text


@pytest.mark.parametrize(("name", "age"), [("wongar", 12), ("tongiaki", 10), ("ubongo", 8)])
def test_saves_of_shipped_games_fit_the_rules_without_the_printed_age(tmp_path: Path, name: str, age: int) -> None:
    shipped = library.load(name)
    assert shipped.model.box["age"] == (age, age)
    fact = f'    age {age}\n        source de "{name.title()}"\n'
    path = tmp_path / f"{name}.rules"
    path.write_text(without(shipped.sources[0].text, fact), encoding="utf-8")
    earlier = loaded(path)
    assert earlier.model.box == {}
    assert earlier.hash == shipped.hash


#: Texts of a variant that say the same of the game apart from its facts.
SAME = (
    "\nset players to 2\n",
    "\nset age to 5\n\nset players to 2\n",
    '\nset minutes to 4 to 6\n    source leaf "Title"\n    # as above\n\nset players to 2\n\nset age to 4\n',
)


def test_facts_of_a_variant_are_not_part_of_the_hash(tmp_path: Path) -> None:
    hashes = {loaded(variant(tmp_path, text)).hash for text in SAME if written(tmp_path)}
    assert len(hashes) == 1
    assert loaded(variant(tmp_path, "\nset players to 2\n\nscore other\n")).hash not in hashes
    assert {loaded(written(tmp_path, head)).hash for head in ("", FACTS, "    minutes 5\n\n")} == {
        loaded(written(tmp_path)).hash,
        loaded(written(tmp_path, "\n")).hash,
    }


def test_a_game_is_saved_gets_its_facts_and_goes_on(wongar: Command) -> None:
    path = written(wongar.home)
    save = wongar.home / "save.json"
    seats = ("--seats", "human:Anna,human:Ben")
    assert wongar("play", str(path), *seats, "--save", str(save), answers="draw\n").code == 0
    written(wongar.home, FACTS)
    resumed = wongar("resume", str(save), "--lang", "en", answers="draw\n")
    assert resumed.code == 0
    assert "changed" not in resumed.out + resumed.err
    shown = wongar("show", str(path)).out
    assert "dots.rules:3       age 8" in shown
    variant(wongar.home, "\nset minutes to 10\n")
    assert "dots, for 2 players, from age 8, 20 to 30 minutes" in wongar("games", str(path), "--lang", "en").out
    for form in ("text", "md", "html"):
        book = wongar("rulebook", str(path), "--format", form, "--lang", "de").out
        assert "für 2 Spieler · ab 8 Jahren · 20 bis 30 Minuten" in book
    quick = str(path.with_name("quick.rules"))
    assert "quick.rules:4 minutes 10" in " ".join(wongar("show", quick).out.split())
    compared = wongar("diff", str(path), quick, "--lang", "en").out
    assert "~ about 10 minutes (before: 20 to 30 minutes)" in compared
    assert "age" not in compared


TITLE_LINES = {
    "de": ("ab 8 Jahren", "etwa eine Minute"), "nl": ("vanaf 8 jaar", "ongeveer één minuut"),
    "it": ("da 8 anni in su", "circa un minuto"), "en": ("from age 8", "about one minute"),
}  # fmt: skip


@pytest.mark.parametrize("language", TITLE_LINES)
def test_the_line_under_the_title_is_in_the_language(wongar: Command, language: str) -> None:
    path = written(wongar.home, "    minutes 1\n    age 8\n")
    line = wongar("rulebook", str(path), "--lang", language).out.splitlines()[2]
    assert tuple(line.split(" · ")[1:]) == TITLE_LINES[language]
