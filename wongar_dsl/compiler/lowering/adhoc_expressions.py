"""Compiles expressions that a program does not contain: parts of conditions and rankings.

Narration evaluates them to explain why an option is unavailable, and which criterion decided the ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering.context import OptionOrigin
from wongar_dsl.compiler.lowering.decisions import option_conditions
from wongar_dsl.compiler.lowering.game import lower_with_context
from wongar_dsl.compiler.passes.metering import charge
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model


class AdHocExpressions:
    """Second lowering of a game, to which procedures can be added.  Its states are compatible with those of `lower`."""

    def __init__(self, model: Model, seats: int, settings: Mapping[str, int]) -> None:
        self._ctx, program = lower_with_context(model, seats, settings)
        self._program = charge(program)
        self._model = model

    def parameters(self, option: ir.OptionSpec) -> tuple[Local, ...]:
        """Return the local names of the arguments of an option."""
        return tuple(self._model.locals[offered.name] for offered in self._origin(option).choice.parameters)

    def enclosing_names(self, option: ir.OptionSpec) -> Mapping[Local, int]:
        """Return the names in scope of an option, with the addresses of their values."""
        names = self._origin(option).names
        cells = ((local, cell.address) for local, cell in names.items() if isinstance(cell, ir.Load))
        return {local: address.value for local, address in cells if isinstance(address, ir.Const)}

    def option_conditions(
        self, option: ir.OptionSpec
    ) -> tuple[tuple[s.OptionParameter | None, s.Expression | None], ...]:
        """Return the source of each check of an option: the constrained argument, and the condition.

        Without a condition the check is the membership of the argument in its domain.
        """
        return tuple(option_conditions(self._origin(option).choice))

    def with_expression(self, option: ir.OptionSpec, e: s.Expression, given: Sequence[Local]) -> tuple[ir.Program, int]:
        """Return a program with a procedure for the value of an expression, and the number of the procedure.

        Its arguments are the values of `given`; all other names are those in scope of the option.
        """
        ctx, origin = self._ctx, self._origin(option)
        with ctx.new_procedure(origin.rule) as code:
            code.names.update(origin.names)
            for local in given:
                code.names[local] = code.fresh()
            code.add(ir.Return(ctx.value(e)))
        return self._with(ir.Procedure(code.rule, len(given), tuple(code.out)))

    def with_criterion(self, article: s.Winner, line: int) -> tuple[ir.Program, int]:
        """Return a program with a procedure for one criterion of the ranking, and its number.

        Its parameter is the player.
        """
        ctx = self._ctx
        with ctx.new_procedure("winner") as code, ctx.in_declaration(article):
            code.names[self._model.locals[article.name]] = code.fresh()
            code.add(ir.Return(ctx.value(article.ranking[line].measure)))
        return self._with(ir.Procedure("winner", 1, tuple(code.out)))

    def _with(self, procedure: ir.Procedure) -> tuple[ir.Program, int]:
        """Return the program with one more procedure, and its number."""
        parts, procedures = self._ctx.program, self._ctx.program.procedures.as_tuple()
        program = replace(
            self._program,
            procedures=(*procedures, procedure),
            tables=tuple(parts.tables),
            lists=tuple(parts.lists),
            faults=tuple(parts.faults),
            scratch=parts.scratch,
        )
        return program, len(procedures)

    def _origin(self, option: ir.OptionSpec) -> OptionOrigin:
        return self._ctx.option_origins[option.block]
