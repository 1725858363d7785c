"""Ad-hoc expressions: evaluates expressions that the compiled program does not contain, for explanations of options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering.context import OptionOrigin
from wongar_dsl.compiler.lowering.decisions import needs
from wongar_dsl.compiler.lowering.game import lower_with_context
from wongar_dsl.compiler.passes.metering import charge
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model


class AdHocExpressions:
    """Second lowering of a game, to which procedures can be added.  Its states are compatible with those of `lower`."""

    def __init__(self, model: Model, seats: int, settings: Mapping[str, int]) -> None:
        self._to, program = lower_with_context(model, seats, settings)
        self._program = charge(program)
        self._model = model

    def parameters(self, option: ir.OptionSpec) -> tuple[Local, ...]:
        """Return the local names of the arguments of an option."""
        return tuple(self._model.locals[offered.name] for offered in self._offer(option).choice.parameters)

    def enclosing_names(self, option: ir.OptionSpec) -> Mapping[Local, int]:
        """Return the names in scope of an option, with the addresses of their values."""
        names = self._offer(option).names
        cells = ((local, cell.address) for local, cell in names.items() if isinstance(cell, ir.Load))
        return {local: address.value for local, address in cells if isinstance(address, ir.Const)}

    def needs(self, option: ir.OptionSpec) -> tuple[tuple[s.Offered | None, s.Expression | None], ...]:
        """Return the source of each check of an option: the constrained argument, and the condition.

        Without a condition the check is the membership of the argument in its domain.
        """
        return tuple(needs(self._offer(option).choice))

    def ask(self, option: ir.OptionSpec, e: s.Expression, given: Sequence[Local]) -> tuple[ir.Program, int]:
        """Return a program with a procedure for the value of an expression, and its number.

        Its parameters are the `given` names; other names are those in scope of the option.
        """
        to, offer = self._to, self._offer(option)
        with to.new_procedure(offer.rule) as code:
            code.names.update(offer.names)
            for local in given:
                code.names[local] = code.fresh()
            code.add(ir.Return(to.value(e)))
        return self._with(ir.Procedure(code.rule, len(given), tuple(code.out)))

    def measure(self, article: s.Winner, line: int) -> tuple[ir.Program, int]:
        """Return a program with a procedure for one criterion of the ranking, and its number.

        Its parameter is the player.
        """
        to = self._to
        with to.new_procedure("winner") as code, to.in_declaration(article):
            code.names[self._model.locals[article.name]] = code.fresh()
            code.add(ir.Return(to.value(article.ranking[line].measure)))
        return self._with(ir.Procedure("winner", 1, tuple(code.out)))

    def _with(self, procedure: ir.Procedure) -> tuple[ir.Program, int]:
        """Return the program with one more procedure, and its number."""
        pool, procedures = self._to.pool, self._to.pool.procedures.as_tuple()
        program = replace(
            self._program,
            procedures=(*procedures, procedure),
            tables=tuple(pool.tables),
            lists=tuple(pool.lists),
            faults=tuple(pool.faults),
            scratch=pool.scratch,
        )
        return program, len(procedures)

    def _offer(self, option: ir.OptionSpec) -> OptionOrigin:
        return self._to.offers[option.block]
