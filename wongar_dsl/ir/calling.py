"""Which rules call a rule in which somebody decides, and which of them called it in a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.ir.program import Program


@dataclass(frozen=True, slots=True)
class Calls:
    """For each rule in which somebody decides where in the state the block stands to which it goes back, and for each
    such block the rule that calls it there."""

    back: Mapping[str, int]
    callers: Mapping[str, Mapping[int, str]]

    @classmethod
    def of(cls, program: Program) -> Calls:
        """The calls of a program between rules in which somebody decides."""
        # Who has found them before need not read the code.
        from wongar_dsl.ir.code import Const, Resume, Store

        names = {block.end.address: block.rule for block in program.blocks if isinstance(block.end, Resume)}
        callers: dict[str, dict[int, str]] = {}
        for block in program.blocks:
            for statement in block.body:
                if isinstance(statement, Store) and isinstance(statement.address, Const):
                    name, after = names.get(statement.address.value), statement.value
                    if name is not None and isinstance(after, Const):
                        callers.setdefault(name, {})[after.value] = program.blocks[after.value].rule
        return cls({name: address for address, name in names.items()}, callers)

    def several(self, rule: str) -> bool:
        """Whether more than one rule calls a rule."""
        return len(set(self.callers.get(rule, {}).values())) > 1

    def caller(self, cells: Sequence[int], rule: str) -> str | None:
        """The rule that called a rule which is being carried out; None where nothing did."""
        at = self.back.get(rule)
        return self.callers.get(rule, {}).get(cells[at]) if at is not None else None
