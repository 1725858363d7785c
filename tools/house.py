"""Counts of the code base that may only fall: size, layout, duplication of knowledge, and wording.

    python tools/house.py

prints each count beside its limit.  `tests/architecture/test_house.py` fails if a count exceeds its limit in `LIMITS`.
A change that lowers a count lowers the limit too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("wongar_dsl", "cli", "web")
#: What shows a position to a seat.
FRONT_ENDS = ("cli/", "web/", "wongar_dsl/render/text/", "wongar_dsl/render/position_svg/")

#: The largest permitted value of each count.
LIMITS: dict[str, float] = {
    "lines of Python in the product": 90_365,
    "modules in the product": 328,
    "lines of Python in the tests": 52_053,
    "entries at the root of wongar_dsl": 12,
    "entries in one room, at most": 12,
    "modules in one folder, at most": 19,
    "modules that match on AST classes": 19,
    "modules that match on IR classes": 7,
    "modules that name a zone kind as a string": 10,
    "class names defined in three or more modules": 0,
    "docstrings that begin with a relative clause, percent": 0.0,
    "docstrings that begin with the name of a type": 0,
    "archaic words per 1,000": 0.2,
    "local variables with an empty name": 24,
    "durations without a unit in their name": 0,
    "imports inside functions": 69,
    "front-end files that read the cells of a state": 0,
}

ZONE_KINDS = frozenset({"tokens", "pile", "hand", "heap", "slot", "layout"})
EMPTY_NAMES = frozenset({"found", "known", "there", "one", "asked", "made", "gone", "got"})
RELATIVE_CLAUSE = re.compile(r"(?:What|Who|Whose|Whoever|Whatever|How|Whether|Where|Which|That)\b")
ARCHAIC = re.compile(
    r"\b(?:somebody|nobody|anybody|everybody|whoever|whatever|whichever|wherever|besides|anew|anyhow|thereby|hitherto|"
    r"beforehand|afterwards|asunder|headlong|so many|so much|of which|for whom|to whom|of whom|as ever|say so|"
    r"all the same|in one go|goes on|go on|comes of)\b",
    re.IGNORECASE,
)
_DURATION = re.compile(r"^#: (?:Millis|S)econds\b|\bin (?:milli)?seconds\b")
_CONSTANTS = re.compile(r"((?:^#: .*\n)+)([A-Z_]+(?:, [A-Z_]+)*) = ", re.MULTILINE)
_UNIT = re.compile(r"_(?:S|MS|SECONDS)\b")
_COMMENT = re.compile(r"^\s*#:? (.*)$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z']+")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def sources() -> dict[Path, str]:
    """Return the source of each module of the product, by its path in the repository."""
    paths = [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py"))]
    # The links wongar_dsl/cli and wongar_dsl/web lead to folders that are counted themselves.
    return {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in paths if path.resolve() == path}


@cache
def nodes_by_type(source: str) -> dict[type[ast.AST], list[Any]]:
    """Return all nodes of a module apart from contexts such as `Store`."""
    nodes: list[ast.AST] = [ast.parse(source)]
    result: dict[type[ast.AST], list[Any]] = defaultdict(list)
    # The list grows; `ast.walk` takes three times as long.
    for node in nodes:
        result[type(node)].append(node)
        for value in vars(node).values():
            if type(value) is list:
                nodes += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                nodes.append(value)
    return result


def _of_types(trees: Iterable[Mapping[type[ast.AST], list[Any]]], *types: type[ast.AST]) -> Iterator[Any]:
    """Yield the nodes of some types of all modules."""
    return (node for nodes in trees for sort in types for node in nodes.get(sort, ()))


def _matches_classes(path: Path, nodes: Mapping[type[ast.AST], list[Any]], package: str) -> bool:
    """Return whether a module has `case` patterns with classes of a package."""
    aliases, names = set(), set()
    for node in nodes.get(ast.ImportFrom, ()):
        above = [*path.parts[: -node.level]] if node.level else []
        module = ".".join([*above, *filter(None, [node.module])])
        aliases |= {a.asname or a.name for a in node.names if f"{module}.{a.name}" == package}
        if f"{module}.".startswith(f"{package}."):
            names |= {a.asname or a.name for a in node.names}

    def is_class(node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return isinstance(node.value, ast.Name) and node.value.id in aliases
        return isinstance(node, ast.Name) and node.id in names

    return any(is_class(node.cls) for node in nodes.get(ast.MatchClass, ()))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands below a node, but in no function and no expression."""
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr):
            yield part
            yield from _outside_functions(part)


def _entries(folder: Path) -> list[Path]:
    """Return what a reader of a folder chooses from, without folders that only hold bytecode of removed modules."""
    ignored = ("__init__.py", "py.typed", "__pycache__")
    entries = [entry for entry in folder.iterdir() if not entry.is_symlink() and entry.name not in ignored]
    return [entry for entry in entries if entry.is_file() or any(part.suffix == ".py" for part in entry.rglob("*"))]


def counts() -> dict[str, float]:
    """Return all counts, by the names in `LIMITS`."""
    code = sources()
    trees = {path: nodes_by_type(source) for path, source in code.items()}
    per_folder = Counter(path.parent for path in trees if path.name != "__init__.py")
    defined: dict[str, set[Path]] = defaultdict(set)
    for path, tree in trees.items():
        for node in tree.get(ast.ClassDef, ()):
            defined[node.name].add(path)
    root, rooms = _entries(ROOT / "wongar_dsl"), [ROOT / "cli", ROOT / "web"]
    rooms += [entry for entry in root if entry.is_dir()]
    docstrings = [text for node in _of_types(trees.values(), *_DOCUMENTED) if (text := ast.get_docstring(node))]
    first_lines = [text.splitlines()[0] for text in docstrings]
    # A rename of a word that reaches into docstrings leaves such a name where a word was meant.
    aliases = {node.id for node in _of_types(trees.values(), ast.Name)}
    compound_names = {name for name in defined.keys() | aliases if re.fullmatch(r"(?:[A-Z][a-z]+){2,}", name)}
    texts = docstrings + [text for source in code.values() for text in _COMMENT.findall(source)]
    archaic = sum(len(ARCHAIC.findall(text)) for text in texts)
    imports = {*_of_types(trees.values(), ast.Import, ast.ImportFrom)}
    local_imports = imports.difference(*(_outside_functions(tree[ast.Module][0]) for tree in trees.values()))
    figures = (
        sum(len(source.splitlines()) for source in code.values()),
        len(code),
        sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "tests").rglob("*.py")),
        len(root),
        max(len(_entries(room)) for room in rooms),
        max(per_folder.values()),
        sum(_matches_classes(path, tree, "wongar_dsl.language.ast") for path, tree in trees.items()),
        sum(_matches_classes(path, tree, "wongar_dsl.compiler.ir") for path, tree in trees.items()),
        sum(any(node.value in ZONE_KINDS for node in tree.get(ast.Constant, ())) for tree in trees.values()),
        sum(len(paths) > 2 for paths in defined.values()),
        round(100 * sum(bool(RELATIVE_CLAUSE.match(line)) for line in first_lines) / len(first_lines), 1),
        sum(line.split(maxsplit=1)[0] in compound_names for line in first_lines),
        round(1000 * archaic / sum(len(_WORD.findall(text)) for text in texts), 1),
        sum(isinstance(node.ctx, ast.Store) and node.id in EMPTY_NAMES for node in _of_types(trees.values(), ast.Name)),
        sum(
            bool(_DURATION.search(comment)) and not _UNIT.search(names)
            for source in code.values()
            for comment, names in _CONSTANTS.findall(source)
        ),
        len(local_imports),
        sum(
            any(node.attr == "cells" for node in tree.get(ast.Attribute, ()))
            for path, tree in trees.items()
            if path.as_posix().startswith(FRONT_ENDS)
        ),
    )
    return dict(zip(LIMITS, figures, strict=True))


if __name__ == "__main__":
    exceeded = False
    for name, figure in counts().items():
        exceeded |= figure > LIMITS[name]
        print(f"{figure:>9,}  {LIMITS[name]:>9,}  {name}")
    sys.exit(exceeded)
