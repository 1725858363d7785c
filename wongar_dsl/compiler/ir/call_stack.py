"""Callers of rules with decisions: all possible ones, and the actual one by the return block in a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler.ir.program import Program


@dataclass(frozen=True, slots=True)
class CallSites:
    """Call sites of suspending rules.

    `back` is the address of each rule's return block, `callers` maps each possible return block to the calling rule.
    """

    back: Mapping[str, int]
    callers: Mapping[str, Mapping[int, str]]

    @classmethod
    def of(cls, program: Program) -> CallSites:
        """Return the calls between suspending rules of a program."""
        # Imported here, because a cached result does not need the code.
        from wongar_dsl.compiler.ir.instructions import Const, Resume, Store

        names = {block.end.address: block.rule for block in program.blocks if isinstance(block.end, Resume)}
        callers: dict[str, dict[int, str]] = {}
        for block in program.blocks:
            for statement in block.body:
                if isinstance(statement, Store) and isinstance(statement.address, Const):
                    name, after = names.get(statement.address.value), statement.value
                    if name is not None and isinstance(after, Const):
                        callers.setdefault(name, {})[after.value] = program.blocks[after.value].rule
        return cls({name: address for address, name in names.items()}, callers)

    def has_several_callers(self, rule: str) -> bool:
        """Return whether a rule has more than one caller."""
        return len(set(self.callers.get(rule, {}).values())) > 1

    def caller(self, cells: Sequence[int], rule: str) -> str | None:
        """Return the caller of an active rule in a state; None for a rule that was not called."""
        address = self.back.get(rule)
        return self.callers.get(rule, {}).get(cells[address]) if address is not None else None
