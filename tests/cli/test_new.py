"""`wongar new`: the created variant validates, passes its case and plays; no file is lost or half written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .command import Command

#: One base per kind of template, each with a language; the soak test covers all games in all languages.
BEGUN = [("tictactoe", "nl"), ("kuhn_poker", "it")]


def files_in(folder: Path) -> dict[str, str]:
    """Return the text of all files in a folder."""
    inside = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in inside}


@pytest.mark.parametrize(("game", "language"), BEGUN)
def test_new_variant_validates_and_passes_its_case(
    wongar: Command, working_directory: Path, game: str, language: str
) -> None:
    assert wongar("new", "mine", "--from", game, "--lang", language).code == 0
    checked = wongar("validate", "mine/mine.rules", "--lang", language)
    assert (checked.code, checked.out.count("\n"), checked.err) == (0, 1, "")
    tested = wongar("test", "mine", "--lang", language)
    assert (tested.code, tested.err) == (0, "")
    assert re.search(r"\b1\b.*mine.cases.yaml", tested.out)

    played = wongar("play", "mine/mine.rules", "--seats", "random,random", "--seed", "1", "--lang", language)
    assert (played.code, played.err) == (0, "")
    # Only a variant that may need them has sentences of its own.
    assert ("Dit is de variant “Mine”." in played.out) is (game == "tictactoe")


def test_commented_suggestions_are_valid(wongar: Command, working_directory: Path) -> None:
    wongar("new", "mine", "--from", "goofspiel")
    file = working_directory / "mine" / "mine.rules"
    text = file.read_text(encoding="utf-8")
    assert wongar("fmt", "--check", str(file)).code == 0
    offered, many = re.subn(r"^#(?! |$|    nothing)|^#(?=    nothing)", "", text, flags=re.M)
    assert many >= 4
    file.write_text(offered, encoding="utf-8")
    assert wongar("validate", str(file)).code == 0
    cases = working_directory / "mine" / "mine.cases.yaml"
    cases.write_text(re.sub(r"^  #(?=[- ] ? )", "  ", cases.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    tested = wongar("test", str(cases))
    assert (tested.code, tested.err) == (0, "")
    assert "2 cases" in tested.out


def test_variant_offers_the_same_whatever_was_read_before(wongar: Command, working_directory: Path) -> None:
    """The second reading of equal texts takes trees from caches, whose spans have the sources of the first."""
    created = []
    for folder in ("first", "second"):
        assert wongar("new", "mine", "--from", "ubongo/long", "--dir", folder).code == 0
        created.append((working_directory / folder / "mine.rules").read_text(encoding="utf-8"))
        assert wongar("fmt", "--check", f"{folder}/mine.rules").code == 0
    assert created[0] == created[1]
    assert "#set hard_side to yes" in created[0]


def test_second_variant_keeps_files_of_the_first(wongar: Command, working_directory: Path) -> None:
    assert wongar("new", "one", "--from", "nim", "--dir", ".").code == 0
    before = files_in(working_directory)
    assert wongar("new", "two", "--from", "one.rules").code == 0
    after = files_in(working_directory)
    assert all(after[name].startswith(text) or "lexicon" in name for name, text in before.items())
    assert "one: One" in after["locales/en/lexicon.yaml"]
    assert "two: Two" in after["locales/en/lexicon.yaml"]
    assert wongar("new", "three", "--from", "nim+one+two").code == 0
    assert wongar("validate", ".").code == 0
    assert wongar("test", ".").code == 0
    assert "variant three of nim with one, two" in files_in(working_directory)["three.rules"]


def test_existing_files_are_not_overwritten(wongar: Command, working_directory: Path) -> None:
    (working_directory / "mine").mkdir()
    (working_directory / "two.rules").symlink_to("nowhere.rules")
    (working_directory / "three.cases.yaml").write_text("my cases", encoding="utf-8")
    before = files_in(working_directory)
    for name in ("mine", "two --dir .", "three --dir .", "x --dir two.rules"):
        result = wongar("new", *name.split(), "--from", "nim")
        assert (result.code, result.out) == (2, "")
        assert "is not overwritten" in result.err
    assert files_in(working_directory) == before


def test_full_disk_leaves_no_partial_files(wongar: Command, working_directory: Path) -> None:
    wongar("new", "first", "--from", "nim", "--dir", ".")
    before = files_in(working_directory)
    from wongar_dsl.base.storage.files import write_bytes

    def write_or_fail(path: Path, data: bytes, **_: object) -> None:
        if path.name == "mine.rules":
            raise OSError(28, "No space left on device")
        write_bytes(path, data)

    wongar.patch.setattr("wongar_dsl.cli.commands.new.write_bytes", write_or_fail)
    for where in ("mine", "."):
        result = wongar("new", "mine", "--from", "nim", "--dir", where)
        assert (result.code, result.out) == (1, "")
        assert "no space left" in result.err
        assert files_in(working_directory) == before
        assert not (working_directory / "mine").exists()


def test_words_are_in_the_language_of_the_author_and_of_the_base(wongar: Command, working_directory: Path) -> None:
    wongar("new", "mine", "--from", "tictactoe", "--lang", "it")
    assert [path.name for path in (working_directory / "mine" / "locales").iterdir()] == ["it"]
    wongar("new", "more", "--from", "mine/mine.rules", "--lang", "de")
    catalogs = {path.parent.name: path.read_text(encoding="utf-8") for path in working_directory.rglob("messages.po")}
    assert sorted(catalogs) == ["de", "it"]
    assert "Questa è la variante «Mine»." in catalogs["it"]
    assert "Questa è la variante «More»." in catalogs["it"]
    assert "Das ist die Variante „More“." in catalogs["de"]


def test_later_example_is_offered_if_the_first_is_invalid(wongar: Command, working_directory: Path) -> None:
    game = (
        "game small\n    players 2\n\nenum edge = near, far\nenum colour = red, blue\n\n"
        "table paint  near far\n    red      red  blue\n    blue     blue red\n\nplay\n    repeat\n"
        "        for each p in player\n            p chooses turn\n"
        "                brush(chosen: edge)\n                    if paint[red, chosen] = red\n"
        "                        p wins\n"
    )
    (working_directory / "small.rules").write_text(game, encoding="utf-8")
    assert wongar("new", "mine", "--from", "small.rules").code == 0
    text = files_in(working_directory)["mine.rules"]
    assert "# paint has the rows red, blue and the columns near, far. A whole row can be set.\n#set row" in text
