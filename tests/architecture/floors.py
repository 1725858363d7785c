"""The allowed imports between the modules of wongar_dsl, from the ground up.

Each line names a module (relative to wongar_dsl) and what it may import; everything that it may import stands above its
own line here, so there are no rings.  A new module gets a line, a new edge gets a name in a line, and either is a
decision: does this module really sit on that floor?

`python tests/architecture/floors.py` prints the edges that the code has now, in this notation.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "wongar_dsl"

FLOORS: dict[str, str] = {
    # text
    "store": "",
    "source": "",
    "diagnostics": "source",
    "phrases": "source",
    "statements": "phrases",
    "syntax": "phrases statements",
    # the only part that knows lark
    "parser.phrases": "source diagnostics syntax",
    "parser.builder": "diagnostics syntax parser.phrases",
    "parser.faults": "source diagnostics syntax",
    "parser": "source diagnostics syntax parser.builder parser.faults",
    # the checked model
    "shapes": "",
    "boards": "source diagnostics syntax",
    "amend": "source diagnostics syntax",
    "model": "source diagnostics syntax shapes boards amend",
    "checker.work": "source diagnostics syntax model",
    "checker.lattices": "syntax model checker.work",
    "checker.coverings": "diagnostics syntax shapes model checker.work",
    "checker.names": "source diagnostics syntax boards amend model checker.work checker.coverings",
    "checker.references": "syntax model checker.work",
    "checker.laid": "syntax diagnostics amend model checker.work checker.names",
    "checker.expressions": (
        "source diagnostics syntax boards model checker.work checker.coverings checker.lattices checker.names"
        " checker.references checker.laid"
    ),
    "checker.statements": "source diagnostics syntax model checker.work checker.names checker.laid checker.expressions",
    "checker.shape": "source diagnostics syntax model checker.work",
    "checker.sizes": "syntax model checker.work checker.expressions checker.shape",
    "checker": (
        "source diagnostics syntax amend model checker.work checker.names checker.laid checker.expressions"
        " checker.statements checker.shape checker.sizes"
    ),
    # blocks
    "ir": "source model",
    "lower.code": "syntax ir model",
    "lower.known": "ir",
    "lower.charge": "ir",
    "lower.layout": "syntax model ir",
    "lower.doubts": "syntax model checker.shape",
    "lower.parts": "syntax model ir lower.code lower.layout lower.doubts",
    "lower.domains": "syntax model checker.lattices checker.shape lower.known ir lower.code lower.parts",
    "lower.expressions": "syntax model ir lower.code lower.parts lower.domains",
    "lower.handling": "syntax ir lower.code lower.parts lower.expressions",
    "lower.statements": "syntax model ir lower.code lower.parts lower.handling",
    "lower.laying": "syntax model ir lower.code lower.parts lower.statements",
    "lower.stages": "syntax model checker.shape ir lower.code lower.parts lower.laying",
    "lower.rounds": "ir lower.code lower.parts lower.stages",
    "lower.decisions": "source syntax model checker.shape ir lower.code lower.parts lower.rounds",
    "lower": "syntax model ir lower.charge lower.decisions",
    # play
    "chance": "",
    "backends.contract": "ir",
    "backends.reference": "ir chance backends.contract lower.charge",
    "backends.python": "store ir chance backends.contract lower.charge",
    "backends": "store ir backends.contract backends.reference backends.python",
    "notation": "model ir",
    "events": "model ir notation",
    "engine": "store source diagnostics model ir lower chance backends notation events",
    "observation": "ir chance model notation engine",
    "match": "diagnostics ir engine events",
    "record": "engine notation events match",
    "perft": "ir backends engine",
    "bots": "ir chance backends engine observation",
    "casefile": "diagnostics",
    "positions": "ir notation casefile diagnostics engine model",
    "cases": "ir model notation engine events casefile positions",
    # words: they know nothing of rules, but for the report of diagnostics
    "words.values": "",
    "words.cells": "",
    "words.pseudo": "",
    "words.errors": "words.values",
    "words.template": "words.values words.errors",
    "words.forms": "words.values words.errors",
    "words.tree": "store words.values words.errors words.forms",
    "words.lexicon": "words.values words.errors words.forms",
    "words.reading": "words.values words.errors words.forms words.lexicon",
    "words.request": "words.values words.errors words.lexicon",
    "words.realiser": "words.values words.errors words.template words.lexicon words.request",
    "words.catalogs": "store words.values words.errors words.template",
    "words.language": "words.values words.errors words.tree",
    "words.speech": (
        "store words.values words.pseudo words.errors words.tree words.lexicon words.reading words.realiser"
        " words.catalogs words.language"
    ),
    "words.check": (
        "words.values words.errors words.template words.tree words.request words.language words.speech words.lexicon"
    ),
    "words.extraction": "words.tree words.language words.speech words.check",
    "words": (
        "store words.values words.cells words.pseudo words.errors words.tree words.lexicon words.request words.realiser"
        " words.catalogs words.language words.speech"
    ),
    "words.report": "source diagnostics words.values words.cells",
    # play in words
    "narration": "model ir events engine words",
    "coverage": "source diagnostics syntax model checker.shape words words.tree",
    # what the command line and a program talk to
    "shelf": "",
    "ruleset": "source diagnostics model engine store",
    "loading": "source diagnostics syntax parser amend checker lower ruleset shelf store",
    "library": "diagnostics ruleset shelf store loading",
    "": "*",
}

#: Edges upwards that only a function has, when it is called: the one that chooses a backend by its name.
LATE: dict[str, str] = {}

#: Libraries that only these modules may import.
FOREIGN: dict[str, frozenset[str]] = {
    "lark": frozenset({"parser", "parser.builder", "parser.faults", "parser.phrases"}),
    "babel": frozenset({name for name in FLOORS if name.split(".")[0] == "words"}),
    "yaml": frozenset({"words.tree", "casefile"}),
    "click": frozenset(),
    "rich": frozenset(),
    "prompt_toolkit": frozenset(),
    "platformdirs": frozenset(),
}

#: Chance is the engine's own and time is an input: no module but these may import a clock, Python's dice or the system.
UNPREDICTABLE = frozenset({"random", "secrets", "time", "datetime", "uuid", "os", "socket", "subprocess", "threading"})
MAY_BE_UNPREDICTABLE: dict[str, frozenset[str]] = {
    "os": frozenset({"words.catalogs", "words.languages", "library", "match", "store"})
}

#: Names that say nothing.
EMPTY_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "manager", "misc", "base", "core", "tools"})


def modules() -> dict[str, Path]:
    """Every module of wongar_dsl, by its name relative to the package (the package itself is "")."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, name: str = "") -> Iterator[tuple[str, int]]:
    """What the file imports, as dotted names with the line; `name` is its module, for relative imports."""
    for target, line, _ in _imports(path, name):
        yield target, line


def _imports(path: Path, name: str) -> Iterator[tuple[str, int, bool]]:
    """The same, and whether the import waits inside of a function."""
    package = ["wongar_dsl", *(name.split(".") if name else [])]
    if path.name != "__init__.py":
        package.pop()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    late = {node for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, node in late
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            base = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                yield f"{base}.{alias.name}", node.lineno, node in late


def edges(name: str, known: dict[str, Path]) -> Iterator[tuple[str, int, bool]]:
    """The modules of wongar_dsl that the module `name` imports, with the line, and whether inside of a function."""
    for target, line, late in _imports(known[name], name):
        if target.split(".")[0] != "wongar_dsl":
            continue
        inner = target.removeprefix("wongar_dsl").removeprefix(".")
        # `from wongar_dsl.source import Span` names no module wongar_dsl.source.Span: take the longest that there is.
        while inner and inner not in known:
            inner = inner.rpartition(".")[0]
        yield inner, line, late


if __name__ == "__main__":
    everything = modules()
    order = list(FLOORS)
    for module in sorted(everything, key=lambda m: (order.index(m) if m in FLOORS else len(order), m)):
        targets = {target for target, _, _ in edges(module, everything)} - {module}
        note = "" if module in FLOORS else "  # not in the table"
        sys.stdout.write(f'    "{module}": "{" ".join(sorted(targets))}",{note}\n')
