"""Definitions, references and renaming."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from wongar_dsl.engine.library import inspect, load
from wongar_dsl.engine.rule_cases.file import read as read_cases
from wongar_dsl.engine.rule_cases.runner import CaseRunner, check
from wongar_dsl.language.server.fixes import apply_edits
from wongar_dsl.language.server.references import (
    CannotRename,
    Location,
    definition,
    occurrences_in_file,
    references,
    renamable,
    rename,
)
from wongar_dsl.language.server.symbols import DocumentView, TextPosition, read_snapshot
from wongar_dsl.nlg.translation import faults_of

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


CATALOG = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgctxt "meadow.placed"
msgid "{player} places {n:disc}."
msgstr ""

msgctxt "meadow.placed.together"
msgid "{player} places {parts:and}."
msgstr ""

msgctxt "meadow.passed"
msgid "{player} passes."
msgstr ""

msgctxt "meadow.decision.turn.place"
msgid "place {kind:indef}"
msgstr ""

msgctxt "chess.placed"
msgid "{player} places {kind}"
msgstr ""
"""
LEXICON = """\
games:
  meadow:
    disc: {like: s, stem: disc}
    cube: {like: s, stem: cube}
    left_over.p: {like: s, stem: owner}
  chess:
    disc: {like: s, stem: disc}
"""
CASES = """\
# disc
cases:
  - name: a disc is placed
    covers: [disc]
    players: 2
    from: setup
    moves:
      - 1: place(disc)
      - expect: {position: {supply: {all: {disc: 2}}}, tells: [placed: {player: 1}]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The game with its variant, its words and its cases."""
    (tmp_path / "locales" / "en").mkdir(parents=True)
    (tmp_path / "locales" / "en" / "meadow.po").write_text(CATALOG, encoding="utf-8")
    (tmp_path / "locales" / "en" / "lexicon.yaml").write_text(LEXICON, encoding="utf-8")
    (tmp_path / "meadow.cases.yaml").write_text(CASES, encoding="utf-8")
    for path, text in TEXTS.items():
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    return tmp_path.resolve()


def renamed_files(folder: Path, words: str, inside: str, new: str, file: str = "meadow.rules") -> dict[str, str]:
    """Return the new texts of the files that change when a name in one of them is renamed."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    files = rename(
        DocumentView(text, read_snapshot(path, {})), position_of(text, words, inside), new, {}, None, lambda: False
    )
    return {
        str(changed_file.path.relative_to(folder)): apply_edits(changed_file.text, changed_file.edits)
        for changed_file in files
    }


#: Names of each kind, and the files that contain them.
RENAMED = (
    ("enum token = disc", "disc", "lens", "game lexicon catalog variant cases"),
    ("tokens supply", "supply", "stock", "game cases"),
    ("option plenty", "plenty", "many", "game variant"),
    ("as placed", "placed", "laid_down", "game catalog cases"),
    ("I choose turn", "turn", "move_on", "game catalog variant"),
    ("        place(kind", "place", "put_down", "game catalog variant cases"),
    ("(kind: token", "kind", "sort", "game catalog variant"),
    ("left_over(p: player)", "p:", "who:", "game lexicon"),
    ("take_turn(p)\n", "take_turn", "turn_of", "game variant"),
    ("book leaflet", "leaflet", "booklet", "game"),
)
FILES = {
    "game": "meadow.rules", "variant": "rich.rules", "cases": "meadow.cases.yaml",
    "catalog": "locales/en/meadow.po", "lexicon": "locales/en/lexicon.yaml",
}  # fmt: skip


def test_rename_changes_all_files_and_keeps_them_valid(folder: Path) -> None:
    for file, text, first_other_game in (("catalog", CATALOG, 'msgctxt "chess'), ("lexicon", LEXICON, "  chess")):
        (folder / FILES[file]).write_text(text.partition(first_other_game)[0], encoding="utf-8")
    for words, inside, new, files in RENAMED:
        after = renamed_files(folder, words, inside, new.rstrip(":"))
        assert set(after) == {FILES[file] for file in files.split()}, inside
        for name, text in after.items():
            (folder / name).write_text(text, encoding="utf-8")
    for name in ("meadow.rules", "rich.rules"):
        assert inspect(folder / name)[1] == ()
    rules = load(folder / "meadow.rules")
    games = [rules.game(2), load(folder / "rich.rules").game(2)]
    catalog_faults = [(d.arguments["finding"], str(d.span)) for d in faults_of(games, folder / "locales")]
    assert catalog_faults == []
    bench = CaseRunner(rules.model, partial(rules.game, backend="reference"))
    assert list(check(bench, read_cases(folder / "meadow.cases.yaml").cases, lambda: False)) == []


def test_rename_changes_only_this_game_and_no_free_text(folder: Path) -> None:
    after = renamed_files(folder, "enum token = disc", "disc", "lens")
    assert after["locales/en/lexicon.yaml"].count("disc: ") == 1
    assert "{n:lens}" in after["locales/en/meadow.po"]
    lines = after["meadow.cases.yaml"].split("\n")
    assert [line for line in lines if "disc" in line] == [
        "# disc", "  - name: a disc is placed", "    covers: [disc]",
    ]  # fmt: skip
    catalog = renamed_files(folder, "        place(kind", "kind", "sort")["locales/en/meadow.po"]
    assert catalog.count("{kind") == 1


def test_rename_works_from_the_variant(folder: Path) -> None:
    assert renamed_files(folder, "set plenty", "plenty", "many", "rich.rules") == renamed_files(
        folder, "option plenty", "plenty", "many"
    )


def test_shorthand_argument_keeps_its_name(folder: Path) -> None:
    rules = folder / "meadow.rules"
    text = GAME.replace(
        "tell passed(player: me)", "let player_now = me\n            tell passed(player: me, player_now)"
    )
    rules.write_text(text, encoding="utf-8")
    after = renamed_files(folder, "let player_now", "player_now", "current")["meadow.rules"]
    assert "tell passed(player: me, player_now: current)" in after


def refusal(
    at: TextPosition, new: str, texts: Mapping[Path, str] = TEXTS, seen: DocumentView | None = None, late: bool = False
) -> CannotRename:
    """Return the reason for which a name is not changed."""
    with pytest.raises(CannotRename) as caught:
        rename(seen or view_of(), at, new, texts, None, lambda: late)
    return caught.value


@pytest.mark.parametrize(
    ("words", "inside", "new", "reason"),
    [
        ("    players 2", "2", "two", "nothing"),
        ("game meadow", "meadow", "garden", "file"),
        ("each player holds", "player", "person", "builtin"),
        ("rule take_turn(me", "me", "mine", "builtin"),
        ("enum token = disc", "disc", "two words", "no_name"),
        ("enum token = disc", "disc", "größe", "no_name"),
        ("enum token = disc", "disc", "if", "reserved"),
        ("enum token = disc", "disc", "cube", "taken"),
        ("enum token = disc", "disc", "kind", "taken"),
        ("        place(kind", "kind", "disc", "taken"),
        ("        place(kind", "place", "pass", "taken"),
    ],
)
def test_invalid_rename_is_refused_with_a_reason(words: str, inside: str, new: str, reason: str) -> None:
    assert refusal(position_of(GAME, words, inside), new).reason == reason


def test_rename_is_refused_with_broken_or_other_files_or_without_time() -> None:
    position = position_of(GAME, "option plenty", "plenty")
    assert refusal(position, "many", {**TEXTS, VARIANT_AT: VARIANT + "\nnonsense\n"}).reason == "broken"
    assert refusal(position, "many", seen=DocumentView(GAME + "\n(", view_of().snapshot)).reason == "broken"
    assert refusal(position, "many", late=True).reason == "late"
    text = "variant mine of wongar\n\nset sting to no\n    source house rule\n"
    seen = DocumentView(text, read_snapshot(VARIANT_AT, {VARIANT_AT: text}))
    assert refusal(position_of(text, "sting"), "bite", {VARIANT_AT: text}, seen).reason == "elsewhere"


TURN = "            take_turn(p)\n"
AMBIGUOUS = GAME.replace(TURN, f"            p choose second\n                place\n{TURN}")


@pytest.mark.parametrize(
    ("file", "text", "name", "reason"),
    [
        ("locales/en/lexicon.yaml", "games: {meadow: [", ("enum token = disc", "disc"), "unreadable"),
        ("locales/en/meadow.po", "\udcff", ("enum token = disc", "disc"), "unreadable"),
        ("meadow.cases.yaml", "cases: [", ("enum token = disc", "disc"), "unreadable"),
        ("meadow.rules", AMBIGUOUS, ("        place(kind", "place"), "unclear"),
    ],
    ids=["words", "sentences", "cases", "name in a case"],
)
def test_unreadable_or_ambiguous_file_prevents_rename(
    folder: Path, file: str, text: str, name: tuple[str, str], reason: str
) -> None:
    (folder / file).write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CannotRename) as caught:
        renamed_files(folder, *name, "lens")
    assert caught.value.reason == reason
    assert reason == "unreadable" or "meadow.cases.yaml:8" in caught.value.arguments["file"]


def test_renamable_name_is_the_one_at_the_position() -> None:
    span = renamable(view_of(), position_of(GAME, "worth[disc]", "disc"))
    assert span.source.name == str(BASE_AT)
    assert (span.line, span.end_column - span.column) == (49, 4)
