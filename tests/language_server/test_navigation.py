"""Where names are declared, and all their places, across files."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.language_server.navigation import Found, definition, references, same_here
from wongar_dsl.language_server.snapshot import View, take

from .files import BASE_AT, GAME, TEXTS, VARIANT, VARIANT_AT, place, read, view

ROOT = Path(__file__).resolve().parents[2]


def places(found: tuple[Found, ...]) -> list[str]:
    return [f"{one.path.name}:{one.span.line}:{one.span.column}" for one in found]


@pytest.mark.parametrize(
    ("words", "inside", "where"),
    [
        ("worth[cube]", "worth", "meadow.rules:8:7"),
        ("worth[cube]", "cube", "meadow.rules:5:20"),
        ("if kind", "kind", "meadow.rules:43:15"),
        ("choice turn", "turn", "meadow.rules:42:14"),
        ("allow place", "place", "meadow.rules:43:9"),
        ("of meadow", "meadow", "meadow.rules:1:6"),
        ("wealthy(player: me", "me", "meadow.rules:40:16"),
    ],
)
def test_a_name_of_a_variant_is_declared_in_its_base(words: str, inside: str, where: str) -> None:
    assert places(definition(view(VARIANT_AT), place(VARIANT, words, inside))) == [where]


def test_a_place_that_somebody_typed_above_is_found_where_it_is_now() -> None:
    text = "# new\n" + GAME
    seen = View(text, read())
    assert places(definition(seen, place(text, "take_turn(p)"))) == ["meadow.rules:41:6"]
    assert [span.line for span in same_here(seen, place(text, "rounds + 1"))] == [20, 35, 36, 36]


def test_a_name_is_found_in_the_base_and_in_the_variants_that_nobody_saved() -> None:
    found = references(view(), place(GAME, "plenty = 3"), TEXTS, lambda: False)
    assert places(found) == ["meadow.rules:13:8", "meadow.rules:29:31", "rich.rules:3:5"]
    found = references(view(VARIANT_AT), place(VARIANT, "plenty"), TEXTS, lambda: False, declared=False)
    assert places(found) == ["meadow.rules:29:31", "rich.rules:3:5"]


def test_variants_beside_a_game_are_found_on_the_disk(tmp_path: Path) -> None:
    for path, text in TEXTS.items():
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    (tmp_path / "other.rules").write_bytes(b"\xff\xfe\0")
    (tmp_path / "folder.rules").mkdir()
    path = (tmp_path / BASE_AT.name).resolve()
    seen = View(GAME, take(path, {}))
    assert len(references(seen, place(GAME, "plenty = 3"), {}, lambda: False)) == 3
    # Where there is no time, the file itself is what there is.
    assert len(references(seen, place(GAME, "plenty = 3"), {}, lambda: True)) == 2


def test_an_area_that_nobody_wrote_belongs_to_its_board() -> None:
    path = ROOT / "rules" / "tongiaki" / "tongiaki.rules"
    text = path.read_text(encoding="utf-8")
    (found,) = definition(View(text, take(path, {})), place(text, "h31_31"))
    assert text.split("\n")[found.span.line - 1] == "board sea"


def test_nothing_is_declared_where_no_name_stands() -> None:
    assert definition(view(), place(GAME, "    players")) == ()
    assert references(view(), place(GAME, "# What"), TEXTS, lambda: False) == ()
    assert same_here(view(), place(GAME, "# What")) == ()


def test_variants_in_folders_of_their_own_are_found_next_to_that_of_the_game(tmp_path: Path) -> None:
    for path, text in TEXTS.items():
        (tmp_path / path.stem).mkdir()
        (tmp_path / path.stem / path.name).write_text(text, encoding="utf-8")
    path = (tmp_path / "meadow" / BASE_AT.name).resolve()
    found = references(View(GAME, take(path, {})), place(GAME, "plenty = 3"), {}, lambda: False)
    assert places(found) == ["meadow.rules:13:8", "meadow.rules:29:31", "rich.rules:3:5"]
