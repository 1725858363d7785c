"""Moves, and why one cannot be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wongar_dsl import ir
from wongar_dsl.text.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Move:
    """An option of a decision: its number among the declared ones, and its arguments."""

    option: int
    arguments: tuple[int, ...] = ()

    @property
    def raw(self) -> tuple[int, ...]:
        """The move as backends know it."""
        return (self.option, *self.arguments)


#: The game has ended, there is no such option, an argument is not among those offered, a condition does not hold.
Reason = Literal["over", "unknown", "argument", "condition"]


class IllegalMove(ValueError):
    """A move that cannot be made now.

    `check` says where in the rules it stands that the move cannot be made; `known` are the options that there are.
    """

    def __init__(
        self, reason: Reason, text: str, decision: str = "", option: str = "", check: ir.Check | None = None,
        known: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.reason, self.text, self.decision, self.option = reason, text, decision, option
        self.check, self.known = check, known
        where = f" ({check.span})" if check is not None else ""
        super().__init__(f"{text}: {reason}{where}")


class PlayFault(Exception):
    """The rules went wrong in play; `diagnostic` says how and where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        self.diagnostic = diagnostic
        super().__init__(f"{diagnostic.code} at {diagnostic.span}")

    def __reduce__(self) -> tuple[type[PlayFault], tuple[Diagnostic]]:
        """It travels from one process to another."""
        return PlayFault, (self.diagnostic,)
