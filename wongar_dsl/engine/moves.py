"""Moves, and the exceptions for moves that cannot be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.compiler import ir


@dataclass(frozen=True, slots=True)
class Move:
    """An option of a decision: its number in the declaration, and its arguments."""

    option: int
    arguments: tuple[int, ...] = ()

    @classmethod
    def from_raw(cls, raw: tuple[int, ...]) -> Move:
        """Return the move that has a form of backends."""
        return cls(raw[0], raw[1:])

    @property
    def raw(self) -> tuple[int, ...]:
        """The move in the form of backends."""
        return (self.option, *self.arguments)


#: The game has ended, the option does not exist, an argument is not offered, or a condition is not satisfied.
Reason = Literal["over", "unknown", "argument", "condition"]


class IllegalMove(ValueError):
    """Raised for an illegal move.

    `check` is the condition in the rules that the move violates; `known` are the existing options. If conditions on
    hidden information alone forbid the move, `check` is the first of them, as the violated one would reveal some of it.
    """

    def __init__(
        self, reason: Reason, text: str, decision: str = "", option: str = "", check: ir.OptionCheck | None = None,
        known: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.reason, self.text, self.decision, self.option = reason, text, decision, option
        self.check, self.known = check, known
        where = f" ({check.span})" if check is not None else ""
        super().__init__(f"{text}: {reason}{where}")


class PlayFault(Exception):
    """Raised when the rules fail during play; `diagnostic` gives the cause and position."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(f"{diagnostic.code} at {diagnostic.span}")

    def __reduce__(self) -> tuple[type[PlayFault], tuple[Diagnostic]]:
        """Support pickling between processes."""
        return PlayFault, (self.diagnostic,)
