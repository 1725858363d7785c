"""Architecture of the code: layers, names, module sizes, and an engine without knowledge of any game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
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
from tools.house import nodes_by_type

KNOWN = modules()
#: Folders of the program.
CODE = (PACKAGE, ROOT / "cli", *(ROOT / name for name in SIBLING_PACKAGES))
MAX_MODULE_LINES = 800

#: Words of the games, in any form and in four languages. They belong in rules/ and locales/.
GAME_WORDS = re.compile(
    r"""
    ceremon | zeremoni | cerimoni | scorpion | skorpion | schorpioen | scorpione
    | \b elders? \b | älteste | stamoudste | anzian[oi] | (?<! frame - ) ancestor | urahn | voorvader | antenat
    | tjurunga | boomerang | boemerang | bumerang | ritual | rituel | aborigin | traumzeit | summoner | beschwör
    | kangaroo | känguru | kangoeroe | canguro | \b emus? \b | goanna | turtles? \b | lizards? \b | \b bats? \b
    | \b discs? \b | \b cubes? \b | cylinder | schijfje | staafje | cilindr | \b walzen? \b | \b linsen? \b
    | tongiaki | \b tonga | \b islands? \b | \b inseln? \b | königsinsel | \b isol[ae] \b
    | \b beach(es)? \b | \b strand \b | liegepl[aä]tz | \b berths? \b | \b piers? \b | \b stege? \b | \b royal \b
    | \b ships? \b | \b boats? \b | \b canoes? \b | \b sail | schaumspur | \b foam | auswanderung | vermehrung
    | ubongo | sand\ ?glass | hour\ ?glass | sanduhr | \b gems? \b | edelstein | \b jewels? \b
    | legetafel | legeteil | polyomino | pentomino
    """,
    re.VERBOSE,
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
    """Split identifiers into words in small letters, so that `ship_speed` and `ShipSpeed` contain the word ship."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("_", " ").lower()


def is_allowed(importer: str, imported: str) -> bool:
    """Return whether the table lets a module import another one."""
    package = package_of(importer)
    if package_of(imported) != package:
        return package_of(imported) in PACKAGES[package].split()
    return imported == importer or position_in_package(imported) < position_in_package(importer)


def imports_of_the_program() -> Iterator[tuple[str, str, int]]:
    """Yield importing module, imported name and line of every import of the program."""
    for name in sorted(KNOWN):
        for target, line in imports(KNOWN[name], name):
            yield name, target, line


def test_every_module_is_in_the_table() -> None:
    assert [name for name in KNOWN if package_of(name) not in PACKAGES] == []
    missing = [name for name in KNOWN if inside_of(name) not in {*MODULES.get(package_of(name), "").split(), ""}]
    assert missing == []


def test_modules_import_only_allowed_modules() -> None:
    wrong = [
        f"{name}:{line} {target}"
        for name in sorted(KNOWN)
        for target, line in edges(name, KNOWN)
        if not is_allowed(name, target)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("importer", "imported", "allowed"),
    [
        ("language.parser.builder", "language.ast.nodes", True),
        ("language.ast.nodes", "language.parser.builder", False),
        ("engine.match", "engine.game", True),
        ("engine.game", "engine.match", False),
    ],
)
def test_upward_imports_are_detected(importer: str, imported: str, allowed: bool) -> None:
    assert {importer, imported} <= set(KNOWN)
    assert is_allowed(importer, imported) == allowed


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


def may_import_library(name: str, library: str) -> bool:
    """Return whether a module may import a library: some belong to one package, some make results unpredictable."""
    if not {name, package_of(name)} & FOREIGN.get(library, {name}):
        return False
    if library in UNPREDICTABLE and package_of(name) not in FRONT_ENDS:
        return name in MAY_BE_UNPREDICTABLE.get(library, ())
    return True


def test_libraries_are_imported_only_by_their_packages() -> None:
    wrong = [
        f"{name}:{line} {target}"
        for name, target, line in imports_of_the_program()
        if not may_import_library(name, target.split(".")[0])
    ]
    assert wrong == []


def test_nothing_imports_the_command_line() -> None:
    command_line = re.compile(r"(wongar_dsl\.)?cli(\.|$)")
    wrong = [f"{name}:{line} {target}" for name, target, line in imports_of_the_program() if command_line.match(target)]
    assert wrong == []


def test_only_the_command_line_uses_its_messages() -> None:
    wrong = [
        f"{name}:{node.lineno} {node.value}"
        for name in sorted(KNOWN)
        if package_of(name) not in FRONT_ENDS and "cli." in (text := KNOWN[name].read_text(encoding="utf-8"))
        for node in nodes_by_type(text).get(ast.Constant, ())
        if isinstance(node.value, str) and re.match(r"cli\.\w", node.value)
    ]
    assert wrong == []


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
        assert lines <= MAX_MODULE_LINES, f"{path.relative_to(ROOT)} has {lines} lines: split it"


def test_sources_are_compared_by_value() -> None:
    """A cached tree has an equal source, but not the same object."""
    compared = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in [path for folder in CODE for path in folder.rglob("*.py")]
        if "source" in (text := path.read_text(encoding="utf-8"))
        for sort in (ast.Compare, ast.Call)
        for node in nodes_by_type(text).get(sort, ())
        if any(ast.unparse(value).endswith("source") for value in _identities(node))
    ]
    assert compared == []


def _identities(node: ast.AST) -> list[ast.expr]:
    """Return the expressions whose identity is taken by `id(...)` or compared by `is`, other than with a constant."""
    match node:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[other]) if not isinstance(other, ast.Constant):
            return [node.left, other]
        case ast.Call(func=ast.Name(id="id")):
            return node.args
    return []


@cache
def game_words_in(word: str) -> list[str]:
    """Return the words of games in a text without spaces; few of the words of a text are different ones."""
    return [match[0] for match in GAME_WORDS.finditer(word)]


def words_of_games(text: str) -> list[str]:
    """Return the words that belong to games, among them the name of the first one where no program is meant."""
    split = split_identifiers(text)
    words = [found for word in dict.fromkeys(split.split()) for found in game_words_in(word)]
    words += re.findall("(?:sand|hour) glass", split)
    return words + re.findall("wongar", OWN_NAME.sub("", text), re.IGNORECASE)


def test_language_and_engine_name_no_game() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{number} {', '.join(words_of_games(line))}"
        for folder in (PACKAGE, *(ROOT / name for name in SIBLING_PACKAGES))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and words_of_games(path.read_text(encoding="utf-8"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if words_of_games(line)
    ]
    assert wrong == []


def test_no_language_is_named_in_code() -> None:
    """Language features belong in lexicons. Only the source language of the messages is named, once."""
    named = [
        f"{path.name}:{node.lineno}: {node.value}"
        for path in [path for folder in CODE for path in folder.rglob("*.py")]
        if LANGUAGE.search(text := path.read_text(encoding="utf-8"))
        for node in nodes_by_type(text).get(ast.Constant, ())
        if isinstance(node.value, str) and LANGUAGE.fullmatch(f'"{node.value}"')
    ]
    assert [line.rpartition(":")[0].partition(":")[0] for line in named] == ["languages.py"], named


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
