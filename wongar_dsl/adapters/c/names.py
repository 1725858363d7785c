"""C tables with the names in a game, so that a program can read and write moves as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.native.emit_tables import scores
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
