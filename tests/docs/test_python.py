"""Examples in `docs/python.md` and `docs/toolkits.md` run, and `wongar_dsl` exports exactly the names listed."""

from __future__ import annotations

import inspect
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import wongar_dsl
from wongar_dsl.engine.library import load as load_rules

ROOT = Path(__file__).parents[2]
PAGE, TOOLKITS = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("python.md", "toolkits.md"))
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE + TOOLKITS, re.DOTALL)


def output_of(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "example.py"
    path.write_text(example, encoding="utf-8")
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def rows(part: str) -> list[str]:
    """Return the code in the first column of a table."""
    cells = re.findall(r"^\| (`[^|]*) \|", part, re.M)
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]


def test_public_names_are_those_of_the_page() -> None:
    listed = rows(PAGE.partition("## What is public")[2].partition("\n## ")[0])
    assert sorted(listed) == sorted(wongar_dsl.__all__) == dir(wongar_dsl)
    attributes = {name for name, value in vars(wongar_dsl).items() if not isinstance(value, ModuleType)}
    assert {name for name in attributes if not name.startswith("_")} <= {*wongar_dsl.__all__, "annotations", *IMPORTS}
    with pytest.raises(AttributeError):
        _ = wongar_dsl.nothing  # type: ignore[attr-defined]


#: Names that the package needs for its lazy imports.
IMPORTS = ("lazy_getattr", "TYPE_CHECKING")


def test_public_names_have_docstrings_and_types() -> None:
    for name in set(wongar_dsl.__all__) - {"BACKENDS", "EVERYTHING"}:
        public = getattr(wongar_dsl, name)
        assert public.__doc__, name
        if inspect.isfunction(public):
            assert {*inspect.signature(public).parameters, "return"} == set(public.__annotations__), name


@pytest.mark.parametrize("name", re.findall(r"^### `(\w+)`", PAGE, re.M))
def test_documented_class_members_exist(name: str) -> None:
    public = getattr(wongar_dsl, name)
    part = PAGE.partition(f"### `{name}`")[2].partition("\n#")[0]
    members = [code.partition(".")[2].partition("(")[0] for code in rows(part)]
    assert members
    for member in members:
        attribute = getattr(public, member, None)
        assert attribute is not None or f"self.{member}" in inspect.getsource(public.__init__), member
        if callable(attribute) or isinstance(attribute, property):
            assert attribute.__doc__, member


def test_match_and_record_are_reproducible() -> None:
    match = wongar_dsl.begin(wongar_dsl.load("kuhn_poker"), seed=4)
    match.play(match.state.legal_moves()[0])
    header, setup, step = (json.loads(line) for line in wongar_dsl.record(match))
    assert header["rules"] == match.game.rules_hash == load_rules("kuhn_poker").hash
    assert header["seed"] == 4
    assert step["taken"] == match.steps[0].text
    hidden = [json.loads(line) for line in wongar_dsl.record(match, 1)][1]
    assert setup["setup"][1]["card"] is not None
    assert hidden["setup"][1]["card"] is None
    with pytest.raises(ValueError, match="there are 2 seats, not 1"):
        wongar_dsl.begin(match.game, 4, ["human"])


def test_playouts_are_equal_on_all_backends() -> None:
    games = (wongar_dsl.load("goofspiel", backend=backend) for backend in ("python", "reference"))
    first, second = (list(wongar_dsl.playouts(game, 5, seed=3)) for game in games)
    assert first == second
    assert len(first) == 5
    assert all(outcome.length and outcome.winners and len(outcome.scores) == 2 for outcome in first)


def test_narrator_uses_words_beside_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "small.rules"
    path.write_text((ROOT / "rules/classics/nim.rules").read_text(encoding="utf-8"), encoding="utf-8")
    words = tmp_path / "locales" / "en"
    words.mkdir(parents=True)
    (words / "nim.po").write_text('msgctxt "nim.title"\nmsgid "Matches"\nmsgstr "Matches"\n', encoding="utf-8")
    game = wongar_dsl.load(path)
    assert game.word_folders == (tmp_path / "locales",)
    assert wongar_dsl.narrator(game, "en").names == ("1", "2")
    with pytest.raises(wongar_dsl.WordsError):
        wongar_dsl.narrator(game, "xx")
    with pytest.raises(ValueError, match="there are 2 seats, not 1"):
        wongar_dsl.narrator(game, "de", ["Anna"])


def test_rulebook_can_be_for_one_number_of_players() -> None:
    assert "voor 2 spelers" in wongar_dsl.rulebook("nim", "nl")
    with pytest.raises(ValueError, match="2 to 2 can play, not 5"):
        wongar_dsl.rulebook("nim", "nl", 5)


def test_loaded_rules_are_cached_in_a_folder(tmp_path: Path) -> None:
    assert wongar_dsl.load("nim", cache=tmp_path / "kept").seats == 2
    assert list((tmp_path / "kept").iterdir())


def test_package_import_is_lazy() -> None:
    program = "import sys, wongar_dsl; print([m for m in sys.modules if m.startswith('wongar_dsl.')])"
    assert output_of(program) == "['wongar_dsl.base', 'wongar_dsl.base.lazy']"


def test_load_accepts_seats_and_settings() -> None:
    game = wongar_dsl.load("ubongo", seats=3, settings={"sandglass": 90})
    assert (game.seats, game.settings["sandglass"]) == (3, 90)
    assert wongar_dsl.load("nim").seats == 2
    with pytest.raises(ValueError, match=r".*"):
        wongar_dsl.load("nim", seats=7)
    with pytest.raises(ValueError, match=r"'sandglas', there are: .*sandglass"):
        wongar_dsl.load("ubongo", settings={"sandglas": 90})
    with pytest.raises(KeyError):
        wongar_dsl.load("nim", backend="abacus")
