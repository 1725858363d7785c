"""Go to declaration and find references, across files."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.language.server.references import Location, definition, occurrences_in_file, references
from wongar_dsl.language.server.symbols import DocumentView, read_snapshot

from .files import BASE_AT, GAME, TEXTS, VARIANT, VARIANT_AT, position_of, snapshot_of, view_of

ROOT = Path(__file__).resolve().parents[3]


def found_places(found: tuple[Location, ...]) -> list[str]:
    return [f"{reference.path.name}:{reference.span.line}:{reference.span.column}" for reference in found]


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
def test_definition_of_a_variant_name_is_in_its_base(words: str, inside: str, where: str) -> None:
    assert found_places(definition(view_of(VARIANT_AT), position_of(VARIANT, words, inside))) == [where]


def test_positions_shift_with_lines_typed_above() -> None:
    text = "# new\n" + GAME
    seen = DocumentView(text, snapshot_of())
    assert found_places(definition(seen, position_of(text, "take_turn(p)"))) == ["meadow.rules:41:6"]
    assert [span.line for span in occurrences_in_file(seen, position_of(text, "rounds + 1"))] == [20, 35, 36, 36]


def test_references_include_base_and_unsaved_variants() -> None:
    matches = references(view_of(), position_of(GAME, "plenty = 3"), TEXTS, lambda: False)
    assert found_places(matches) == ["meadow.rules:13:8", "meadow.rules:29:31", "rich.rules:3:5"]
    matches = references(view_of(VARIANT_AT), position_of(VARIANT, "plenty"), TEXTS, lambda: False, declared=False)
    assert found_places(matches) == ["meadow.rules:29:31", "rich.rules:3:5"]


def test_references_include_variants_on_disk(tmp_path: Path) -> None:
    for path, text in TEXTS.items():
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    (tmp_path / "other.rules").write_bytes(b"\xff\xfe\0")
    (tmp_path / "folder.rules").mkdir()
    path = (tmp_path / BASE_AT.name).resolve()
    seen = DocumentView(GAME, read_snapshot(path, {}))
    assert len(references(seen, position_of(GAME, "plenty = 3"), {}, lambda: False)) == 3
    # Without time left, only the file itself is searched.
    assert len(references(seen, position_of(GAME, "plenty = 3"), {}, lambda: True)) == 2


def test_definition_of_a_generated_area_is_its_board() -> None:
    path = ROOT / "rules" / "tongiaki" / "tongiaki.rules"
    text = path.read_text(encoding="utf-8")
    (area,) = definition(DocumentView(text, read_snapshot(path, {})), position_of(text, "h31_31"))
    assert text.split("\n")[area.span.line - 1] == "board sea"


def test_position_without_a_name_has_no_definition() -> None:
    assert definition(view_of(), position_of(GAME, "    players")) == ()
    assert references(view_of(), position_of(GAME, "# What"), TEXTS, lambda: False) == ()
    assert occurrences_in_file(view_of(), position_of(GAME, "# What")) == ()


def test_references_include_variants_in_sibling_folders(tmp_path: Path) -> None:
    for path, text in TEXTS.items():
        (tmp_path / path.stem).mkdir()
        (tmp_path / path.stem / path.name).write_text(text, encoding="utf-8")
    path = (tmp_path / "meadow" / BASE_AT.name).resolve()
    matches = references(
        DocumentView(GAME, read_snapshot(path, {})), position_of(GAME, "plenty = 3"), {}, lambda: False
    )
    assert found_places(matches) == ["meadow.rules:13:8", "meadow.rules:29:31", "rich.rules:3:5"]
