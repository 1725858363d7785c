"""What can be asked of a position besides what its program asks: any expression in the conditions of an option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.metering import charge
from wongar_dsl.lower.context import Offer
from wongar_dsl.lower.decisions import needs
from wongar_dsl.lower.game import lowered
from wongar_dsl.model import Local, Model


class Questions:
    """The rules of a game made ready once more, so that procedures can be added: its states are those of `lower`."""

    def __init__(self, model: Model, seats: int, settings: Mapping[str, int]) -> None:
        self._to, program = lowered(model, seats, settings)
        self._program = charge(program)
        self._model = model

    def parameters(self, option: ir.OptionSpec) -> tuple[Local, ...]:
        """What the arguments of an option are called."""
        return tuple(self._model.locals[offered.name] for offered in self._offer(option).choice.parameters)

    def around(self, option: ir.OptionSpec) -> Mapping[Local, int]:
        """The names around an option, with the addresses where their values stand."""
        names = self._offer(option).names
        kept = ((local, cell.address) for local, cell in names.items() if isinstance(cell, ir.Load))
        return {local: address.value for local, address in kept if isinstance(address, ir.Const)}

    def needs(self, option: ir.OptionSpec, check: ir.Check) -> tuple[s.Choice, s.Offered | None, s.Expression | None]:
        """Where a check of an option comes from: the option, the argument that it is about, and the condition; without
        a condition the argument has to be one of those that are offered."""
        choice = self._offer(option).choice
        return choice, *tuple(needs(choice))[option.checks.index(check)]

    def ask(self, option: ir.OptionSpec, e: s.Expression, given: Sequence[Local]) -> tuple[ir.Program, int]:
        """A program with a procedure that gives the value of an expression, and its number; it takes the values of the
        names that are `given`, the others are those around the option."""
        to, offer = self._to, self._offer(option)
        with to.apart(offer.rule) as code:
            code.names.update(offer.names)
            for local in given:
                code.names[local] = code.fresh()
            code.add(ir.Return(to.value(e)))
        return self._with(ir.Procedure(code.rule, len(given), tuple(code.out)))

    def measure(self, article: s.Winner, line: int) -> tuple[ir.Program, int]:
        """A program with a procedure that gives what a line of the ranking counts for a player, and its number."""
        to = self._to
        with to.apart("winner") as code, to.about(article):
            code.names[self._model.locals[article.name]] = code.fresh()
            code.add(ir.Return(to.value(article.ranking[line].measure)))
        return self._with(ir.Procedure("winner", 1, tuple(code.out)))

    def _with(self, procedure: ir.Procedure) -> tuple[ir.Program, int]:
        """The program with one more procedure, and its number."""
        pool, procedures = self._to.pool, self._to.pool.procedures.whole()
        program = replace(
            self._program,
            procedures=(*procedures, procedure),
            tables=tuple(pool.tables),
            lists=tuple(pool.lists),
            faults=tuple(pool.faults),
            scratch=pool.scratch,
        )
        return program, len(procedures)

    def _offer(self, option: ir.OptionSpec) -> Offer:
        return self._to.offers[option.block]
