"""Whoever plays a game that was played before waits for what the first prompt needs, and for nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.architecture.floors import FOREIGN, PACKAGES, modules

#: The packages that are wanted up to the first prompt; of some of them not everything.
WANTED = frozenset(
    {"", "late", "text", "cache", "syntax", "words", "model", "ir", "backends", "pipeline", "engine", "library"}
    | {"bots", "narration", "table", "cli", "locales", "rules"}
)
#: What of these is not: the nodes of trees, the code of programs and what goes over it, machine code.
UNWANTED = frozenset(
    {"syntax.node", "ir.code", "ir.information_flow", "backends.python.generator", "backends.native"}
    | {"library.loader", "narration.offering", "text.strict_yaml"}
)
#: The libraries that are wanted.
LIBRARIES = frozenset({"click", "platformdirs"})

PLAY = """
import sys
from wongar_dsl.cli.main import main
code = main(["play", "wongar", "--seats", "human,random,random", "--seed", "3", "--save", sys.argv[1]])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""


def test_nothing_is_imported_that_the_first_prompt_does_not_need(tmp_path: Path) -> None:
    surroundings = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "WONGAR_LANG": "en"}
    command = [sys.executable, "-c", PLAY, str(tmp_path / "save.json")]
    for _ in range(2):  # What the first one works out, the second one finds in the cache.
        played = subprocess.run(
            command, env=surroundings, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )
    imported = set(played.stderr.split())
    ours = {name.removeprefix("wongar_dsl").removeprefix(".") for name in imported if name.startswith("wongar_dsl")}
    assert {name.partition(".")[0] for name in ours} <= WANTED
    assert ours & UNWANTED == set()
    assert imported & (FOREIGN.keys() - LIBRARIES) == set()


def test_what_is_spoken_of_here_is_there() -> None:
    assert PACKAGES.keys() | {"cli", "locales", "rules"} >= WANTED
    assert modules().keys() >= UNWANTED
    assert FOREIGN.keys() >= LIBRARIES
