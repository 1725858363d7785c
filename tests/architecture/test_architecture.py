"""Architecture of the code: layers, names, module sizes, and an engine without knowledge of any game."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.floors import (
    EMPTY_NAMES,
    FOREIGN,
    FRONT_ENDS,
    MAY_BE_UNPREDICTABLE,
    MODULES,
    PACKAGE,
    PACKAGES,
    ROOMS,
    ROOT,
    SIBLING_PACKAGES,
    UNPREDICTABLE,
    current_imports,
    edges,
    imports,
    inside_of,
    modules,
    package_of,
    position_in_package,
)

KNOWN = modules()
#: Folders of the program.
CODE = (PACKAGE, ROOT / "cli", *(ROOT / name for name in SIBLING_PACKAGES))
MAX_MODULE_LINES = 800

#: Words of the games, in any form and in four languages. They belong in rules/ and locales/.
GAME_WORDS = re.compile(
    r"""
    ceremon | zeremoni | cerimoni | scorpion | skorpion | schorpioen | scorpione
    | \b elders? \b | Älteste | stamoudste | anzian[oi] | (?<! frame - ) ancestor | urahn | voorvader | antenat
    | tjurunga | boomerang | boemerang | bumerang | ritual | rituel | aborigin | traumzeit | summoner | beschwör
    | kangaroo | känguru | kangoeroe | canguro | \b emus? \b | goanna | turtles? \b | lizards? \b | \b bats? \b
    | \b discs? \b | \b cubes? \b | cylinder | schijfje | staafje | cilindr | \b walzen? \b | \b linsen? \b
    | tongiaki | \b tonga | \b islands? \b | \b inseln? \b | königsinsel | \b isol[ae] \b
    | \b beach(es)? \b | \b strand \b | liegepl[aä]tz | \b berths? \b | \b piers? \b | \b stege? \b | \b royal \b
    | \b ships? \b | \b boats? \b | \b canoes? \b | \b sail | schaumspur | \b foam | auswanderung | vermehrung
    | ubongo | sand\ ?glass | hour\ ?glass | sanduhr | \b gems? \b | edelstein | \b jewels? \b
    | legetafel | legeteil | polyomino | pentomino
    """,
    re.IGNORECASE | re.VERBOSE,
)

#: Language codes and names in quotation marks: the shipped languages and the one of the tests.
LANGUAGE = re.compile(
    r"""["'](de|nl|it|en|sv|de_de|en_gb|german|dutch|italian|english|swedish"""
    r"""|deutsch|nederlands|italiano|svenska)["']""",
    re.IGNORECASE,
)

#: The game that gave the project its name. Only the package, the command, its settings and the distribution use it.
OWN_NAME = re.compile(
    r"wongar_dsl|WONGAR_[A-Z]+|`wongar( [a-z]|`)|(?<=version\()\"wongar\"|(?<=project: str = )\"wongar\""
)


def split_identifiers(text: str) -> str:
    """Split identifiers into words, so that `ship_speed` and `ShipSpeed` contain the word ship."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("_", " ")


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_module_imports_only_allowed_modules(name: str) -> None:
    package = package_of(name)
    assert package in PACKAGES, f"{package} is not in tests/architecture/floors.py: on which floor is it?"
    inside = set(MODULES.get(package, "").split())
    inner = inside_of(name)
    assert inner in inside | {""}, f"{name} is not in the order of its package in tests/architecture/floors.py"
    new = [
        f"line {line}: {target}"
        for target, line in edges(name, KNOWN)
        if (package_of(target) not in PACKAGES[package].split() if package_of(target) != package else False)
        or (
            package_of(target) == package
            and target != name
            and position_in_package(target) >= position_in_package(name)
        )
    ]
    assert not new, f"{name} imports what the table does not allow"


def test_packages_import_only_lower_layers() -> None:
    order = list(PACKAGES)
    for place, (name, below) in enumerate(PACKAGES.items()):
        upwards = set(below.split()) - set(order[:place])
        assert not upwards, f"{name} imports from its own floor or above"


def test_table_matches_the_imports_of_the_code() -> None:
    between, within = current_imports()
    for package, below in PACKAGES.items():
        assert set(below.split()) == between.get(package, set()), f"{package}: no import uses this"
    for package, order in MODULES.items():
        assert set(order.split()) == set(within.get(package, [])), f"{package}: not what is there"


@pytest.mark.parametrize("path", ROOMS)
def test_planned_module_imports_only_lower_layers(path: str) -> None:
    room, order = ROOMS[path], list(PACKAGES)
    assert not (ROOT / path).exists(), f"{path} is built: its row belongs to PACKAGES or MODULES"
    later = {Path(planned).name for planned in ROOMS}
    assert room.above in order
    for name in room.below.split():
        if name not in later:
            assert order.index(name) <= order.index(room.above), f"{path} would import {name}, which stands above it"


def test_planned_modules_are_documented_for_contributors() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [path for path in ROOMS if f"`{path}`" not in text] == []


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_libraries_are_imported_only_by_their_packages(name: str) -> None:
    for target, line in imports(KNOWN[name], name):
        library = target.split(".")[0]
        assert {name, package_of(name)} & FOREIGN.get(library, {name}), f"line {line}: {name} imports {target}"
        if library in UNPREDICTABLE and package_of(name) not in FRONT_ENDS:
            assert name in MAY_BE_UNPREDICTABLE.get(library, ()), f"line {line}: {name} imports {target}"


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_nothing_imports_the_command_line(name: str) -> None:
    for target, line in imports(KNOWN[name], name):
        assert not re.match(r"(wongar_dsl\.)?cli(\.|$)", target), f"line {line}: {name} imports {target}"


@pytest.mark.parametrize("name", sorted(name for name in KNOWN if package_of(name) not in FRONT_ENDS))
def test_only_the_command_line_uses_its_messages(name: str) -> None:
    for node in ast.walk(ast.parse(KNOWN[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.match(r"cli\.\w", node.value), f"line {node.lineno}: {name} says {node.value}"


@pytest.mark.parametrize("name", ["cli", *SIBLING_PACKAGES])
def test_separate_packages_import_themselves_relatively(name: str) -> None:
    """The module is `wongar_dsl.cli` when installed and `cli` for the type checker: relative imports work for both."""
    for path in sorted((ROOT / name).rglob("*.py")):
        for target, line in imports(path):
            assert not re.match(rf"wongar_dsl\.{name}(\.|$)", target), f"{path.name}:{line} imports {target}"
            assert target.split(".")[0] != name, f"{path.name}:{line} imports {target}"


def test_module_names_are_meaningful() -> None:
    for path in [path for folder in CODE for path in folder.rglob("*")]:
        assert path.stem.strip("_") not in EMPTY_NAMES, path


def test_no_module_is_too_long() -> None:
    for path in [path for folder in CODE for path in folder.rglob("*.py")]:
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= MAX_MODULE_LINES, f"{path.relative_to(ROOT)} has {lines} lines and wants a wall in it"


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in (PACKAGE, *(ROOT / name for name in SIBLING_PACKAGES))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_language_and_engine_name_no_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if GAME_WORDS.search(split_identifiers(text)) or "wongar" in OWN_NAME.sub("", text).lower():
        for number, line in enumerate(text.splitlines(), 1):
            match = GAME_WORDS.search(split_identifiers(line))
            assert not match, f"line {number} speaks of {match[0]!r}: {line.strip()}"
            assert "wongar" not in OWN_NAME.sub("", line).lower(), f"line {number} speaks of a game: {line.strip()}"
        raise AssertionError(f"{path.name} speaks of a game")


def test_no_language_is_named_in_code() -> None:
    """Language features belong in lexicons. Only the source language of the messages is named, once."""
    named = [
        f"{path.name}:{node.lineno}: {node.value}"
        for path in [path for folder in CODE for path in folder.rglob("*.py")]
        if LANGUAGE.search(text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and LANGUAGE.fullmatch(f'"{node.value}"')
    ]
    assert [line.rpartition(":")[0].partition(":")[0] for line in named] == ["negotiation.py"], named


@pytest.mark.parametrize(
    "line",
    [
        "def ceremony(here):",
        "class ShipYard:",
        "LAST_ELDER = 1",
        "# die Königsinsel",
        "gems = 3",
        '"tongiaki"',
        "two_beaches",
    ],
)
def test_words_of_games_are_detected(line: str) -> None:
    assert GAME_WORDS.search(split_identifiers(line))


@pytest.mark.parametrize("line", ["relationship", "combat", "held", "discard", "fold(items)", "ordered"])
def test_similar_words_are_not_detected(line: str) -> None:
    assert not GAME_WORDS.search(split_identifiers(line))
