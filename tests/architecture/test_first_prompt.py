"""Imports before the first prompt of a game that is already in the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.floors import FOREIGN, PACKAGES, modules, package_of
from tests.cli.command import CACHE

#: Packages imported up to the first prompt, some only in part.
WANTED = frozenset(
    {
        "",
        "base",
        "language.ast",
        "nlg.words",
        "language.semantics",
        "compiler.ir",
        "compiler.backends",
        "pipeline",
        "engine",
        "engine.library",
    }
    | {"engine.bots", "nlg.narration", "session", "render.text", "cli", "locales", "rules"}
    | {"language", "compiler", "nlg", "render"}
)
#: Parts of these that are not imported: AST nodes, instructions and their analyses, machine code, searches, packs, and
#: the end of a game.
UNWANTED = frozenset(
    {
        "language.ast.nodes",
        "compiler.ir.instructions",
        "compiler.ir.information_flow",
        "compiler.backends.python_generator",
        "compiler.backends.native",
    }
    | {"compiler.backends.ismcts", "engine.bots.search", "engine.library.pack"}
    | {"session.ending"}
    | {"engine.library.loader", "nlg.narration.option_text", "base.storage.strict_yaml"}
)
#: Maximum number of modules imported up to the first prompt; each takes about half a millisecond.
MAX_MODULES = 110
#: Libraries imported up to the first prompt.
LIBRARIES = frozenset({"click", "platformdirs"})

PLAY = """
import sys
from wongar_dsl.cli.main import main
code = main(["play", "wongar", "--seats", "human,random,random", "--seed", "3", "--save", sys.argv[1]])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""


def test_first_prompt_imports_only_needed_modules(tmp_path: Path) -> None:
    surroundings = os.environ | {"XDG_CACHE_HOME": str(CACHE), "XDG_DATA_HOME": str(tmp_path), "WONGAR_LANG": "en"}
    command = [sys.executable, "-c", PLAY, str(tmp_path / "save.json")]
    for _ in range(2):  # The second run finds the results of the first one, or of an earlier test, in the cache.
        played = subprocess.run(
            command, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )
    imported = set(played.stderr.split())
    ours = {name.removeprefix("wongar_dsl").removeprefix(".") for name in imported if name.startswith("wongar_dsl")}
    assert {package_of(name) for name in ours} <= WANTED
    assert ours & UNWANTED == set()
    assert len(ours) <= MAX_MODULES
    assert imported & (FOREIGN.keys() - LIBRARIES) == set()


def test_listed_packages_and_modules_exist() -> None:
    assert PACKAGES.keys() | {"cli", "locales", "rules"} >= WANTED
    assert modules().keys() >= UNWANTED
    assert FOREIGN.keys() >= LIBRARIES
