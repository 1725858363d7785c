"""Entry point of lowering: compiles a whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.lowering import effects, statements
from wongar_dsl.compiler.lowering.context import ZERO, Lowering, OptionOrigin
from wongar_dsl.compiler.lowering.decisions import option_conditions
from wongar_dsl.compiler.lowering.flow import ActivationRecord
from wongar_dsl.compiler.lowering.layout import ProgramBuilder, StateLayout
from wongar_dsl.compiler.lowering.metering import charge
from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.dependence import Nullability
from wongar_dsl.language.dataflow.effects import CallGraph, Effects, end_scoring
from wongar_dsl.language.semantics import Local, Model


def lower(model: Model, seats: int, settings: Mapping[str, int] | None = None, marks: bool = False) -> ir.Program:
    """Compile a game for `seats` players; settings without a value have their default.

    With `marks` the program records which statements, options, definitions and rankings it reaches.  Raises ValueError
    for a number of seats, a setting or a value that the rules do not allow.
    """
    return lower_with_context(model, seats, settings, marks)[1]


def lower_with_context(
    model: Model, seats: int, settings: Mapping[str, int] | None = None, marks: bool = False
) -> tuple[Lowering, ir.Program]:
    """Return the program of `lower` and its lowering state, to which code can be added."""
    low, high = model.players
    if not low <= seats <= high:
        raise ValueError(f"{seats} seats, allowed are {low} to {high}")
    calls = CallGraph(model, model.code)
    ctx = Lowering(
        model,
        seats,
        _settings(model, settings or {}),
        StateLayout(model, seats),
        ProgramBuilder(marks=[] if marks else None),
        Nullability(model),
        calls,
        Effects(model, calls),
    )
    for article in model.code.remembered.values():
        _start_value(ctx, article)
    return ctx, _program(ctx, _entry(ctx), -1 if marks else _closing(ctx))


def _settings(model: Model, given: Mapping[str, int]) -> dict[str, int]:
    values = {name: start for name, (_, start, _, _) in model.settings.items()}
    for name, value in given.items():
        if name not in values:
            raise ValueError(f"no setting {name!r}, there are: {', '.join(sorted(values)) or 'none'}")
        _, _, least, most = model.settings[name]
        if not least <= value <= most:
            raise ValueError(f"{name} = {value}, allowed are {least} to {most}")
        values[name] = value
    return values


def _start_value(ctx: Lowering, article: s.Remember) -> None:
    """Write the initial value of a remembered value into the initial state.

    The default is the number of its range that is nearest to 0 from above, or its minimum.
    """
    if article.start is not None:
        value = ctx.value(article.start)
        assert isinstance(value, ir.Const), "start values are known before play"
    else:
        bounds = (article.type.low, article.type.high)
        value, high = (ctx.value(bound) if bound is not None else ZERO for bound in bounds)
        if not isinstance(value, ir.Const) or not isinstance(high, ir.Const) or value.value <= 0 <= high.value:
            return
    field = ctx.memory.field(article.name.text)
    ctx.memory.initial.extend((field.base + i, value.value) for i in range(prod(field.sizes)))


def _entry(ctx: Lowering) -> int:
    """Return the first block of a game: setup, pause for setting up a position, play, end."""
    *setup, play = ctx.model.code.main_procedures
    first = ctx.program.blocks.reserve()
    with ctx.suspending(ActivationRecord("play", first, (), 0, 0)) as flow:
        for article in setup:
            statements.run(ctx, article, ())
        paused = flow.reserve()
        flow.finish(ir.Pause(paused))
        flow.start(paused)
        statements.run(ctx, play, ())
        with ctx.in_declaration(play):
            effects.end_game(ctx)
        # The game is over, so this jump to itself is never executed.
        flow.jump(flow.current)
    return first


def _closing(ctx: Lowering) -> int:
    """Return the block that ends the game at any time, including end scoring; -1 without end scoring."""
    scoring_code = end_scoring(ctx.model, ctx.effects)
    if scoring_code is None:
        return -1
    first = ctx.program.blocks.reserve()
    with (
        ctx.suspending(ActivationRecord("play", first, (), 0, 0)) as flow,
        ctx.in_declaration(scoring_code.article),
        ctx.in_counted_loop(None),
    ):
        ctx.block(scoring_code.body)
        effects.end_game(ctx)
        flow.jump(flow.current)
    return first


def _program(ctx: Lowering, entry: int, closing: int) -> ir.Program:
    model, parts, memory = ctx.model, ctx.program, ctx.memory
    changed = ctx.effects.writes(model.code.main_procedures[-1]).state
    spans = dict(model.declared.spans) | {"winner": model.merged.head.name.span}
    return ir.Program(
        name=model.scope,
        seats=ctx.seats,
        settings=ctx.settings,
        size=memory.size,
        entry=entry,
        closing=closing,
        setup_fields=tuple(name for name in memory.fields if name not in changed),
        fields=tuple(memory.fields.values()),
        tables=tuple(parts.tables),
        lists=tuple(parts.lists),
        procedures=parts.procedures.as_tuple(),
        blocks=parts.blocks.as_tuple(),
        decisions=parts.decisions.as_tuple(),
        events=tuple(parts.events),
        faults=tuple(parts.faults),
        initial=tuple(memory.initial),
        scratch=parts.scratch,
        return_blocks=frozenset(parts.resumed),
        spans=spans,
        simultaneous_cells=tuple(parts.simultaneous_cells),
        frames=memory.frames,
        marks=tuple(parts.marks or ()),
        fewest=effects.fewest_win(model),
    )


# ---- expressions added later ---------------------------------------------------------------------------------------


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
