"""C source and header of an exported game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from wongar_dsl.adapters.c.names import max_move_bytes, option_table, tables
from wongar_dsl.compiler.backends.native import generate
from wongar_dsl.compiler.backends.native.emit_tables import row_width
from wongar_dsl.engine import Game

#: Default prefix of all exported names.
PREFIX = "game"
#: Prefix of the functions of the internal library, which become static in the exported source.
_OWN = "own"
_SHOWN = '#define SHOWN __attribute__((visibility("default")))'
_OWN_SHOWN = "#define SHOWN static __attribute__((unused))"
#: Warnings disabled in the generated source, which defines more than it uses.
_UNUSED = ("unused-function", "unused-const-variable", "unused-but-set-variable", "unused-parameter", "pedantic")
_MARK = re.compile(r"@(\w+)@")


class Embedded(NamedTuple):
    """C source without dependencies, and its header."""

    source: str
    header: str


def embed(game: Game, version: str, fingerprint: str, prefix: str = PREFIX) -> Embedded:
    """Return a game as C source.

    `version` and `fingerprint` identify the program and the rules in the header.  All exported names begin with
    `prefix`.  Raises ValueError for a prefix that is not a lower-case C identifier.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", prefix) or prefix == _OWN:
        raise ValueError(prefix)
    folder = files(__package__)
    values = _placeholders(game, version, fingerprint)
    header = _MARK.sub(lambda found: values[found[1]], (folder / "game.h").read_text("utf-8"))
    core = generate(game.program, searching=False)
    assert _SHOWN in core
    core = re.sub(r"\bgame_", f"{_OWN}_", core).replace(_SHOWN, _OWN_SHOWN)
    api = (folder / "game.c").read_text("utf-8")
    pragmas = (f'#pragma GCC diagnostic ignored "-W{name}"' for name in _UNUSED)
    source = "\n".join((_with_prefix(header, prefix), *pragmas, "", core, *tables(game), "", _with_prefix(api, prefix)))
    return Embedded(source, _with_prefix(header, prefix))


def is_embedded(text: str) -> bool:
    """Return whether a text is a source or header written by `embed`."""
    return text.startswith("/*") and "\n   Made with `wongar compile`" in text[:2000]


def _with_prefix(text: str, prefix: str) -> str:
    return re.sub(r"\bGAME_", f"{prefix.upper()}_", re.sub(r"\bgame_", f"{prefix}_", text))


def _placeholders(game: Game, version: str, fingerprint: str) -> dict[str, str]:
    """Return the values of the placeholders in the header."""
    program = game.program
    title = ", ".join((f"{game.name} for {game.seats}", *(f"{k} = {v}" for k, v in sorted(game.settings.items()))))
    return {
        "TITLE": _comment_safe(title),
        "VERSION": _comment_safe(version),
        "RULES": _comment_safe(fingerprint),
        "DECISIONS": "\n".join(_decision_lines(game)),
        "SEATS": str(game.seats),
        "CELLS": str(program.size),
        "ARGUMENTS": str(row_width(program) - 1),
        "LONGEST": str(max_move_bytes(game) + 1),
        "SCORED": str(int(game.program.score is not None)),
        "CONSTANTS": ",\n".join(f"    {name} = {number}" for name, number in _constants(game).items()),
    }


def _decision_lines(game: Game) -> Iterator[str]:
    for number, decision in enumerate(game.program.decisions):
        yield _comment_safe(f"   {number:>4}  {decision.name}: {', '.join(option_table(decision))}")


def _constants(game: Game) -> dict[str, int]:
    """Return enum constants for decisions and options; the first of several with one name."""
    constants: dict[str, int] = {"GAME_DECISIONS": len(game.program.decisions)}
    for number, decision in enumerate(game.program.decisions):
        constants.setdefault(f"GAME_DECISION_{decision.name}", number)
        for place, option in enumerate(decision.options):
            constants.setdefault(f"GAME_OPTION_{decision.name}_{option.name}", place)
    return {name: number for name, number in constants.items() if name.isascii() and name.isidentifier()}


def _comment_safe(text: str) -> str:
    """Return text that cannot end a C comment."""
    return text.replace("*/", "* /").replace("\n", " ")
