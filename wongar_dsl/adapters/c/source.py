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
    marks = _marks(game, version, fingerprint)
    header = _MARK.sub(lambda found: marks[found[1]], (folder / "game.h").read_text("utf-8"))
    inside = generate(game.program, searching=False)
    assert _SHOWN in inside
    inside = re.sub(r"\bgame_", f"{_OWN}_", inside).replace(_SHOWN, _OWN_SHOWN)
    shown = (folder / "game.c").read_text("utf-8")
    quiet = (f'#pragma GCC diagnostic ignored "-W{name}"' for name in _UNUSED)
    source = "\n".join((_named(header, prefix), *quiet, "", inside, *tables(game), "", _named(shown, prefix)))
    return Embedded(source, _named(header, prefix))


def is_embedded(text: str) -> bool:
    """Return whether a text is a source or header written by `embed`."""
    return text.startswith("/*") and "\n   Made with `wongar compile`" in text[:2000]


def _named(text: str, prefix: str) -> str:
    return re.sub(r"\bGAME_", f"{prefix.upper()}_", re.sub(r"\bgame_", f"{prefix}_", text))


def _marks(game: Game, version: str, fingerprint: str) -> dict[str, str]:
    """Return the values of the placeholders in the header."""
    program = game.program
    title = ", ".join((f"{game.name} for {game.seats}", *(f"{k} = {v}" for k, v in sorted(game.settings.items()))))
    return {
        "TITLE": _harmless(title),
        "VERSION": _harmless(version),
        "RULES": _harmless(fingerprint),
        "DECISIONS": "\n".join(_told(game)),
        "SEATS": str(game.seats),
        "CELLS": str(program.size),
        "ARGUMENTS": str(row_width(program) - 1),
        "LONGEST": str(max_move_bytes(game) + 1),
        "SCORED": str(int(game.program.score is not None)),
        "CONSTANTS": ",\n".join(f"    {name} = {number}" for name, number in _constants(game).items()),
    }


def _told(game: Game) -> Iterator[str]:
    for number, decision in enumerate(game.program.decisions):
        yield _harmless(f"   {number:>4}  {decision.name}: {', '.join(option_table(decision))}")


def _constants(game: Game) -> dict[str, int]:
    """Return enum constants for decisions and options; the first of several with one name."""
    constants: dict[str, int] = {"GAME_DECISIONS": len(game.program.decisions)}
    for number, decision in enumerate(game.program.decisions):
        constants.setdefault(f"GAME_DECISION_{decision.name}", number)
        for place, option in enumerate(decision.options):
            constants.setdefault(f"GAME_OPTION_{decision.name}_{option.name}", place)
    return {name: number for name, number in constants.items() if name.isascii() and name.isidentifier()}


def _harmless(text: str) -> str:
    """Return text that cannot end a C comment."""
    return text.replace("*/", "* /").replace("\n", " ")
