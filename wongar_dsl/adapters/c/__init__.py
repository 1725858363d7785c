"""Export of a game as self-contained C source with a header, for use in other programs.

Tables of names let a program read and write moves as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.native import generate
from wongar_dsl.compiler.backends.native.generator import row_width, scores
from wongar_dsl.engine import Game
from wongar_dsl.engine.notation import write_value
from wongar_dsl.language.semantics import Type

#: Types whose values have no names, each with its marker table.
_UNNAMED = {"number": "NUMBERS", "direction": "NUMBERS", "truth": "TRUTHS", "player": "PLAYERS"}
_MAX_NUMBER_LENGTH = len("-1000000000")


def tables(game: Game) -> Iterator[str]:
    """Yield C tables with the names of decisions, options, values and faults, and the addresses of the scores."""
    program = game.program
    option_specs = [option for decision in program.decisions for option in decision.options]
    kinds = list(dict.fromkeys(kind for option in option_specs for _, kind in option.parameters))
    yield "typedef struct { const char *const *names; int32_t count; } sort;"
    yield "typedef struct { const char *name; int32_t first, count; } named_option;"
    yield "typedef struct { const char *code, *rule; int32_t line; } named_fault;"
    yield "/* Empty marker tables for the types whose values have no names. */"
    yield from (f"static const char *const {name}[] = {{0}};" for name in dict.fromkeys(_UNNAMED.values()))
    rows = []
    for number, kind in enumerate(kinds):
        names = _names(game, kind)
        if names:
            yield f"static const char *const N{number}[] = {_in_braces(map(c_string, names))};"
        rows.append(f"{{N{number}, {len(names)}}}" if names else f"{{{_UNNAMED[kind.kind]}, 0}}")
    yield f"static const sort SORTS[] = {_in_braces(rows or ['{0, 0}'])};"
    yield f"static const char *const DECISIONS[] = {_in_braces(c_string(d.name) for d in program.decisions) or '{0}'};"
    options, arguments = [], list[str]()
    for option in option_specs:
        options.append(f"{{{c_string(option.name)}, {len(arguments)}, {len(option.parameters)}}}")
        arguments += (str(kinds.index(kind)) for _, kind in option.parameters)
    yield f"static const named_option OPTIONS[] = {_in_braces(options or ['{0, 0, 0}'])};"
    yield f"static const int32_t OF_ARGUMENTS[] = {_in_braces(arguments or ['0'])};"
    faults = [("", "", 0), *((fault.code, fault.rule, fault.span.line) for fault in program.faults)]
    rows = [f"{{{c_string(code)}, {c_string(rule)}, {line}}}" for code, rule, line in faults]
    yield f"static const named_fault FAULTS[] = {_in_braces(rows)};"
    yield scores(program)


def max_move_bytes(game: Game) -> int:
    """Return the maximum length of a move as text, in bytes."""
    most = 0
    for decision in game.program.decisions:
        for option in decision.options:
            lengths = [max((len(n.encode()) for n in _names(game, kind)), default=0) for _, kind in option.parameters]
            most = max(most, len(option.name.encode()) + sum(2 + max(n, _MAX_NUMBER_LENGTH) for n in lengths))
    return most


def option_table(decision: ir.DecisionSpec) -> Iterator[str]:
    """Yield the options of a decision with their arguments and types."""
    for option in decision.options:
        arguments = ", ".join(f"{name}: {kind.name or kind.kind}" for name, kind in option.parameters)
        yield f"{option.name}({arguments})" if arguments else option.name


def _names(game: Game, kind: Type) -> list[str]:
    """Return the names of all values of a type; empty for a type without names."""
    if kind.kind in _UNNAMED:
        return []
    return [write_value(game.model, kind, value) for value in range(game.model.size(kind, game.seats))]


def _in_braces(texts: Iterable[str]) -> str:
    return f"{{{', '.join(texts)}}}"


def c_string(text: str) -> str:
    """Return `text` as a C string literal, with special characters as escaped UTF-8 bytes."""
    plain = " !#$%&()*+,-./:;<=>@[]^_`{|}~'"
    signs = (c if (c.isascii() and c.isalnum()) or c in plain else _bytes(c) for c in text)
    return f'"{"".join(signs)}"'


def _bytes(sign: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in sign.encode("utf-8", "replace"))


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
