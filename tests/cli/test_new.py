"""`wongar new`: what it writes can be checked, tested and played at once, and nothing is lost or half written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .command import LANGUAGES, Command

#: A game for each way in which a small one can begin, and a language for each; the soak takes all games in all of them.
BEGUN = [("tictactoe", "nl"), ("kuhn_poker", "it")]


@pytest.fixture
def here(wongar: Command) -> Path:
    """The folder in which the command is called."""
    wongar.patch.chdir(wongar.home)
    return wongar.home


def files_in(folder: Path) -> dict[str, str]:
    """All files that somebody could have written, with what they hold."""
    inside = (path for path in folder.rglob("*") if path.is_file() and "data" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in inside}


@pytest.mark.parametrize(("game", "language"), BEGUN)
def test_what_is_begun_checks_and_passes_its_case_without_a_word_missing(
    wongar: Command, here: Path, game: str, language: str
) -> None:
    assert wongar("new", "mine", "--from", game, "--lang", language).code == 0
    checked = wongar("validate", "mine/mine.rules", "--lang", language)
    assert (checked.code, checked.out.count("\n"), checked.err) == (0, 1, "")
    tested = wongar("test", "mine", "--lang", language)
    assert (tested.code, tested.err) == (0, "")
    assert re.search(r"\b1\b.*mine.cases.yaml", tested.out)

    played = wongar("play", "mine/mine.rules", "--seats", "random,random", "--seed", "1", "--lang", language)
    assert (played.code, played.err) == (0, "")
    assert game != "tictactoe" or "Dit is de variant “Mine”." in played.out


def test_what_is_offered_is_true_once_the_remarks_are_gone(wongar: Command, here: Path) -> None:
    wongar("new", "mine", "--from", "goofspiel")
    file = here / "mine" / "mine.rules"
    text = file.read_text(encoding="utf-8")
    assert wongar("fmt", "--check", str(file)).code == 0
    offered, many = re.subn(r"^#(?! |$|    nothing)|^#(?=    nothing)", "", text, flags=re.M)
    assert many >= 4
    file.write_text(offered, encoding="utf-8")
    assert wongar("validate", str(file)).code == 0
    cases = here / "mine" / "mine.cases.yaml"
    cases.write_text(re.sub(r"^  #(?=[- ] ? )", "  ", cases.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    tested = wongar("test", str(cases))
    assert (tested.code, tested.err) == (0, "")
    assert "2 cases" in tested.out


def test_a_second_variant_joins_the_first_and_takes_nothing_from_it(wongar: Command, here: Path) -> None:
    assert wongar("new", "one", "--from", "nim", "--dir", ".").code == 0
    before = files_in(here)
    assert wongar("new", "two", "--from", "one.rules").code == 0
    after = files_in(here)
    assert all(after[name].startswith(text) or "lexicon" in name for name, text in before.items())
    assert "one: One" in after["locales/en/lexicon.yaml"]
    assert "two: Two" in after["locales/en/lexicon.yaml"]
    assert wongar("new", "three", "--from", "nim+one+two").code == 0
    assert wongar("validate", ".").code == 0
    assert wongar("test", ".").code == 0
    assert "variant three of nim with one, two" in files_in(here)["three.rules"]


def test_what_is_there_is_not_overwritten(wongar: Command, here: Path) -> None:
    (here / "mine").mkdir()
    (here / "two.rules").symlink_to("nowhere.rules")
    (here / "three.cases.yaml").write_text("my cases", encoding="utf-8")
    before = files_in(here)
    for name, where in (
        ("mine", ()),
        ("two", ("--dir", ".")),
        ("three", ("--dir", ".")),
        ("x", ("--dir", "two.rules")),
    ):
        result = wongar("new", name, "--from", "nim", *where)
        assert (result.code, result.out) == (2, "")
        assert "is not overwritten" in result.err
    assert files_in(here) == before


WRONG = [
    (("9x", "--from", "nim"), 2),
    (("ä", "--from", "nim"), 2),
    (("a/../../b", "--from", "nim"), 2),
    (("x" * 61, "--from", "nim"), 2),
    (("rule", "--from", "nim"), 2),
    (("initiated", "--from", "nim"), 2),
    (("x",), 2),
    (("x", "--from", "nimm"), 1),
    (("x", "--from", "nim", "--dir", "/proc/none"), 1),
    (("x", "--from", "nim", "--dir", "no/such/folder"), 1),
    (("x", "--from", "a-b.rules"), 2),
    (("x", "--from", "good.rules", "--dir", "elsewhere"), 2),
    (("good", "--from", "good.rules"), 2),
    (("x", "--from", "bad.rules"), 1),
]


def test_what_cannot_be_begun_is_told_and_leaves_nothing(wongar: Command, here: Path) -> None:
    for name in ("good", "a-b"):
        (here / f"{name}.rules").write_text("variant good of nim\n    source house rule\n", encoding="utf-8")
    (here / "bad.rules").write_text("variant bad of nim\nset nonsense to 1\n", encoding="utf-8")
    before = sorted(here.rglob("*"))
    for number, (arguments, code) in enumerate(WRONG):
        result = wongar("new", *arguments, "--lang", LANGUAGES[number % len(LANGUAGES)])
        assert (result.code, result.out) == (code, ""), arguments
        assert result.err
        assert "cli." not in result.err
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("where", ["mine", "."])
def test_a_disk_that_is_full_leaves_nothing_half_written(wongar: Command, here: Path, where: str) -> None:
    wongar("new", "first", "--from", "nim", "--dir", ".")
    before = files_in(here)
    from wongar_dsl.text.files import write_bytes

    def full(path: Path, data: bytes, **_: object) -> None:
        if path.name == "mine.rules":
            raise OSError(28, "No space left on device")
        write_bytes(path, data)

    wongar.patch.setattr("wongar_dsl.text.files.write_bytes", full)
    result = wongar("new", "mine", "--from", "nim", "--dir", where)
    assert (result.code, result.out) == (1, "")
    assert "no space left" in result.err
    assert files_in(here) == before
    assert not (here / "mine").exists()


def test_a_terminal_without_the_letters_takes_none_from_the_files(wongar: Command, here: Path) -> None:
    wongar.patch.setattr("wongar_dsl.cli.language.encoding_of", lambda _: "ascii")
    wongar("new", "mine", "--from", "tictactoe", "--lang", "de")
    assert "eingerückten" in files_in(here)["mine/mine.rules"]
    assert "„Mine“" in files_in(here)["mine/locales/de/messages.po"]


def test_the_words_are_those_of_the_author_and_of_who_has_words_there(wongar: Command, here: Path) -> None:
    wongar("new", "mine", "--from", "tictactoe", "--lang", "it")
    assert [path.name for path in (here / "mine" / "locales").iterdir()] == ["it"]
    wongar("new", "more", "--from", "mine/mine.rules", "--lang", "de")
    catalogs = {path.parent.name: path.read_text(encoding="utf-8") for path in here.rglob("messages.po")}
    assert sorted(catalogs) == ["de", "it"]
    assert "Questa è la variante «Mine»." in catalogs["it"]
    assert "Questa è la variante «More»." in catalogs["it"]
    assert "Das ist die Variante „More“." in catalogs["de"]


def test_nothing_is_said_by_hand_of_what_a_number_changes(wongar: Command, here: Path) -> None:
    wongar("new", "mine", "--from", "wongar")
    assert sorted(files_in(here)) == ["mine/locales/en/lexicon.yaml", "mine/mine.cases.yaml", "mine/mine.rules"]


def test_a_base_of_files_in_folders_of_other_names_is_refused_in_every_language(wongar: Command, here: Path) -> None:
    for name, folder in (("one", "a"), ("two", "b")):
        (here / folder).mkdir()
        text = f"variant {name} of nim\n    source house rule\n"
        (here / folder / f"{name}.rules").write_text(text, encoding="utf-8")
    told = {}
    for language in LANGUAGES:
        result = wongar("new", "x", "--from", "a/one.rules+b/two.rules", "--lang", language)
        assert (result.code, result.out, "--dir" in result.err) == (2, "", False)
        told[language] = result.err
    assert len(set(told.values())) == len(LANGUAGES)


def test_an_example_is_told_of_even_where_the_one_before_it_does_not_check(wongar: Command, here: Path) -> None:
    game = (
        "game small\n    players 2\n\nenum edge = near, far\nenum colour = red, blue\n\n"
        "table paint  near far\n    red      red  blue\n    blue     blue red\n\nplay\n    repeat\n"
        "        for each p in player\n            p chooses turn\n"
        "                brush(chosen: edge)\n                    if paint[red, chosen] = red\n"
        "                        p wins\n"
    )
    (here / "small.rules").write_text(game, encoding="utf-8")
    assert wongar("new", "mine", "--from", "small.rules").code == 0
    text = files_in(here)["mine.rules"]
    assert "# paint has the rows red, blue and the columns near, far. A whole row can be set.\n#set row" in text
