"""The compilation pipeline, from the text of rule files to a program on a backend.

    read -> parse -> apply variants -> resolve and check -> lower -> passes -> load backend

`build` runs the stages from trees to a program.  Reading and parsing alternate, since the head of a variant names the
next file to read: the library does both, file by file, and calls `build`; it loads the backend, too.
`stage_sizes` counts what each stage made, for `wongar explain --pipeline`.

This module imports the whole compiler.  A program from the cache needs `load_backend` only, and one for other seats or
settings `compile_model` of the package `lowering`, so the library imports this module when it reads a rule file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.base.span import Source
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.python import MAX_BLOCKS
from wongar_dsl.compiler.ir.cfg import all_statements
from wongar_dsl.compiler.lowering import compile_model, lower
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.ast.nodes import StatementNode
from wongar_dsl.language.checker import check_game, merge_unknown_names
from wongar_dsl.language.parser import MAX_INDENTS, reserved_words
from wongar_dsl.language.semantics import Model, boards
from wongar_dsl.language.variants.apply_patch import ChangePath, RecordedChange
from wongar_dsl.language.variants.blame import blame
from wongar_dsl.language.variants.merge import MergedRules, apply_variant, from_game

#: The rules after a file of a chain was applied, and the tree of that file.
Level = tuple[MergedRules, s.File]

#: Codes of findings that hold even where other parts of the rules could not be parsed.
_CERTAIN_CODES = frozenset(
    (
        *("R0201", "R0202", "R0203", "R0206", "R0207", "R0208", "R0209", "R0211", "R0212", "R0213", "R0214"),
        *("R0301", "R0302", "R0304"),
        *("R0402", "R0403", "R0404", "R0405", "R0414", "R0416", "R0417", "R0426"),
    )
)


@dataclass(frozen=True, slots=True)
class Layer:
    """Rule file in a chain from the game to its last variant.

    `bases` are the indices of the layers that the file builds on; None stands for all layers before it.  A change of a
    part that a layer outside of `bases` has changed too is a conflict.
    """

    tree: s.File
    bases: Set[int] | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """The result of each stage; a stage after an error has none (None).

    `levels` are the rules after each file, base first, `program` is for the fewest seats, and `diagnostics` are the
    findings of all stages in their order.
    """

    levels: tuple[Level, ...]
    model: Model | None
    program: ir.Program | None
    diagnostics: tuple[Diagnostic, ...]


def build(
    layers: Sequence[Layer],
    earlier: Iterable[Diagnostic] = (),
    unparsed: Set[str] | None = None,
    base: MergedRules | None = None,
) -> Build:
    """Compile the trees of rule files to a program for the fewest seats.

    `earlier` are the findings of reading and parsing.  `unparsed` are the words in the parts that could not be parsed:
    findings that may only follow from these are left out; None stands for trees that are complete.  `base` are rules
    that the first layer changes; without it the first layer is a game.
    """
    diagnostics = list(earlier)
    levels, findings = apply_variants(layers, unparsed, base)
    diagnostics += findings
    model, program = None, None
    if levels:
        try:
            model, findings = check(levels, unparsed if _has_errors(diagnostics) else None, diagnostics)
            diagnostics = [*(d for d in diagnostics if not any(_explains(of, d) for of in findings)), *findings]
            if not _has_errors(diagnostics):
                program = compile_model(model, model.players[0])
        except RecursionError:
            diagnostics.append(Diagnostic("R0104", levels[-1][0].head.name.span, {"limit": MAX_INDENTS}))
    return Build(levels, model, program, tuple(diagnostics))


# ---- stages --------------------------------------------------------------------------------------------------------


def apply_variants(
    layers: Sequence[Layer], unparsed: Set[str] | None = None, base: MergedRules | None = None
) -> tuple[tuple[Level, ...], list[Diagnostic]]:
    """Apply the variants of a chain one after the other; return the rules after each layer, and the findings.

    There are no levels if the chain neither has a `base` nor begins with a game.  For `unparsed` see `build`.
    """
    merged = base if base is not None else from_game(layers[0].tree) if layers else None
    if merged is None:
        return (), []
    levels, diagnostics = [(merged, layers[0].tree)], list[Diagnostic]()
    recorded: dict[int, Mapping[ChangePath, RecordedChange]] = {}
    for index in range(int(base is None), len(layers)):
        layer = layers[index]
        bases = layer.bases if layer.bases is not None else recorded.keys()
        changes = (changes_of_layer for other, changes_of_layer in recorded.items() if other not in bases)
        sibling_changes = {path: change for changes_of_layer in changes for path, change in changes_of_layer.items()}
        merged, findings = apply_variant(merged, layer.tree, sibling_changes)
        recorded[index] = merged.recorded
        diagnostics += (d for d in findings if not unparsed or _is_certain(d, unparsed))
        levels.append((merged, layer.tree))
    return tuple(levels), diagnostics


def check(
    levels: Sequence[Level],
    unparsed: Set[str] | None = None,
    earlier: Sequence[Diagnostic] = (),
    lines_only: bool = False,
) -> tuple[Model, list[Diagnostic]]:
    """Resolve the names of the last level, infer types, and check; return the model and the findings.

    With `unparsed`, return only findings that do not depend on the parts that could not be parsed, and those that
    explain syntax errors among the `earlier` findings.  With `lines_only`, check only the names and types of each line.
    """
    model, findings = check_game(levels[-1][0], reserved_words(), lines_only)
    certain = [
        d for d in findings if unparsed is None or _is_certain(d, unparsed) or any(_explains(d, of) for of in earlier)
    ]
    return model, list(merge_unknown_names(_attribute(certain, levels)))


# ---- sizes ---------------------------------------------------------------------------------------------------------


class StageSize(NamedTuple):
    """One count of what a stage made: the stage, the unit that is counted, and the number of them."""

    stage: str
    unit: str
    number: int


def stage_sizes(
    sources: Sequence[Source], trees: Sequence[s.File], model: Model, program: ir.Program
) -> Iterator[StageSize]:
    """Yield the sizes of what each stage made of a game, for the seats and settings of `program`.

    Stages that are skipped because the program is too large have none.
    """
    yield StageSize("read", "files", len(sources))
    yield StageSize("read", "characters", sum(len(source.text) for source in sources))
    yield from _tree_sizes("parse", [article for tree in trees for article in tree.articles])
    yield from _tree_sizes("variants", model.merged.articles)
    yield StageSize("resolve", "references", len(model.refs))
    yield StageSize("check", "expressions", len(model.types))
    lowered = lower(model, program.seats, program.settings)
    yield StageSize("lower", "seats", lowered.seats)
    yield StageSize("lower", "procedures", len(lowered.procedures))
    yield StageSize("lower", "blocks", len(lowered.blocks))
    yield StageSize("lower", "instructions", _instructions(lowered))
    yield StageSize("lower", "cells", lowered.size)
    yield StageSize("passes", "instructions", _instructions(program))
    yield from _code_sizes(program)


def _tree_sizes(stage: str, articles: Sequence[s.Declaration]) -> Iterator[StageSize]:
    yield StageSize(stage, "declarations", len(articles))
    yield StageSize(stage, "statements", sum(isinstance(node, StatementNode) for node in walk(tuple(articles))))


def _code_sizes(program: ir.Program) -> Iterator[StageSize]:
    from wongar_dsl.compiler.backends import python_generator
    from wongar_dsl.compiler.backends.native import generator, library

    if len(program.blocks) <= MAX_BLOCKS:
        yield StageSize("backend", "python_lines", len(python_generator.generate(program, telling=True).splitlines()))
    if not library.too_large(program):
        yield StageSize("backend", "c_lines", len(generator.generate(program).splitlines()))


def _instructions(program: ir.Program) -> int:
    return sum(1 for _ in all_statements(program))


# ---- findings ------------------------------------------------------------------------------------------------------


def _has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in diagnostics)


def _attribute(findings: list[Diagnostic], levels: Sequence[Level]) -> list[Diagnostic]:
    """Return the findings with spans in the file of the last level if a change in that file causes them.

    A finding that the base has too belongs to an earlier level; `levels` are base first.
    """
    _, file = levels[-1]
    if len(levels) == 1 or all(d.span is None or d.span.source == file.span.source for d in findings):
        return findings
    base = levels[-2][0]
    base_keys = {(d.code, str(d.span), str(d.arguments)) for d in check_game(base, reserved_words())[1]}
    in_base_too = [d for d in findings if (d.code, str(d.span), str(d.arguments)) in base_keys]
    only_here = [d for d in findings if (d.code, str(d.span), str(d.arguments)) not in base_keys]
    return [*_attribute(in_base_too, levels[:-1]), *blame(only_here, base, levels[-1][0], file)]


def _is_certain(diagnostic: Diagnostic, unparsed: Set[str]) -> bool:
    """Return whether a finding holds although parts of the rules, with the words `unparsed`, could not be parsed."""
    arguments = " ".join(value for value in diagnostic.arguments.values() if isinstance(value, str))
    names = set(re.findall(r"\w+", arguments))
    if diagnostic.code == "R0201" and "board" in unparsed and any(map(boards.is_lattice_name, names)):
        return False
    return diagnostic.code in _CERTAIN_CODES and not names & unparsed


def _explains(diagnostic: Diagnostic, syntax: Diagnostic) -> bool:
    """Return whether a line cannot be parsed because it uses a name whose declaration is a keyword."""
    if (
        diagnostic.hint is None
        or diagnostic.hint.name != "another_name"
        or not syntax.code.startswith("R01")
        or syntax.span is None
    ):
        return False
    line = syntax.span.source.line(syntax.span.line).split("#")[0]
    return diagnostic.arguments["name"] in re.findall(r"\w+", line)
