"""What cannot be done, as the user is told it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wongar_dsl.words import Text, Value, Words

if TYPE_CHECKING:
    from wongar_dsl.table.errors import TableError


class Refusal(Exception):
    """Something that cannot be done: a text in the language spoken, and the exit code."""

    def __init__(self, text: str, code: int = 1) -> None:
        self.text, self.code = text, code
        super().__init__(text)


def refused(error: TableError, words: Words) -> Refusal:
    """What is told of a game that cannot be played as somebody asked for it: wrong usage."""
    details: Mapping[str, Value] = error.details
    if "low" in details and "option" in details:
        allowed = words.say("cli.from_to", low=details["low"], high=details["high"])
        details = {"option": details["option"], "value": details["value"], "allowed": Text(allowed)}
    return Refusal(words.say(f"cli.{error.reason}", None, **details), 2)
