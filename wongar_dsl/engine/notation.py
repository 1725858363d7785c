"""Moves, the exceptions for moves that cannot be made, and the text notation of moves and values.

A move is written as `take(queen)`, `place(red, north)`, `bid(3)`; players are numbered from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.compiler import ir
from wongar_dsl.language.semantics import Model, Type


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


def write_value(model: Model, kind: Type, value: int) -> str:
    """Return a value as text; `nobody` for none."""
    if kind.kind in ("number", "direction"):
        return str(value)
    if kind.kind == "truth":
        return "yes" if value else "no"
    if value < 0:
        return "nobody"
    if kind.kind == "player":
        return str(value + 1)
    return model.value_name(kind, value)


def read_value(model: Model, kind: Type, text: str, seats: int) -> int | None:
    """Parse a value; return None for unknown text."""
    text = re.sub(r"\s+", "", text)
    if kind.kind in ("number", "direction"):
        return int(text) if re.fullmatch(r"-?\d{1,9}", text) else None
    if kind.kind == "truth":
        return {"yes": 1, "no": 0}.get(text)
    if text == "nobody":
        return -1
    if kind.kind == "player":
        return int(text) - 1 if re.fullmatch(r"\d{1,3}", text) and 1 <= int(text) <= seats else None
    for value in range(model.size(kind, seats)):
        if model.value_name(kind, value).replace(" ", "") == text:
            return value
    return None


def write(model: Model, decision: ir.DecisionSpec, option: tuple[int, ...]) -> str:
    """Return a move as text."""
    spec = decision.options[option[0]]
    arguments = [write_value(model, t, v) for (_, t), v in zip(spec.parameters, option[1:], strict=True)]
    return f"{spec.name}({', '.join(arguments)})" if arguments else spec.name


def split_time(text: str) -> tuple[str, int | None]:
    """Split a move and an optional duration in seconds (`take(queen) @ 31.5`); return the duration in milliseconds."""
    match = re.fullmatch(r"(.*?)\s*@\s*(\d{1,6})(?:[.,](\d{1,3})\d*)?\s*", text, re.DOTALL | re.ASCII)
    if match is None:
        return text, None
    return match[1], int(match[2]) * 1000 + int((match[3] or "0").ljust(3, "0"))


def split(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Split a move into its name and arguments; return None for malformed text."""
    match = re.fullmatch(r"\s*([A-Za-z]\w*)\s*(?:\((.*)\))?\s*", text, re.DOTALL)
    if match is None:
        return None
    if match[2] is None:
        return match[1], ()
    arguments, depth, begin = [], 0, 0
    for i, character in enumerate(match[2]):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            arguments.append(match[2][begin:i].strip())
            begin = i + 1
    arguments.append(match[2][begin:].strip())
    return match[1], tuple(arguments)


def read(model: Model, decision: ir.DecisionSpec, text: str, seats: int) -> tuple[int, ...] | None:
    """Parse an option, whether or not it is currently legal; None if the decision has no such option."""
    parts = split(text)
    if parts is None:
        return None
    name, arguments = parts
    for number, spec in enumerate(decision.options):
        if spec.name != name or len(spec.parameters) != len(arguments):
            continue
        values = [read_value(model, t, a, seats) for (_, t), a in zip(spec.parameters, arguments, strict=True)]
        if None not in values:
            return (number, *(v for v in values if v is not None))
    return None
