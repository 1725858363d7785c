"""Errors that are shown to the user as a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wongar_dsl.nlg.words import Text, Translator, Value

if TYPE_CHECKING:
    from wongar_dsl.session.errors import SessionSetupError


class UserError(Exception):
    """An error for the user: a message in the user's language, and the exit code."""

    def __init__(self, text: str, code: int = 1) -> None:
        self.text, self.code = text, code
        super().__init__(text)


def unplayable(error: SessionSetupError, words: Translator) -> UserError:
    """Return the usage error for a game setup that is not possible."""
    details: Mapping[str, Value] = error.details
    if "low" in details and "option" in details:
        allowed = words.say("cli.from_to", low=details["low"], high=details["high"])
        details = {"option": details["option"], "value": details["value"], "allowed": Text(allowed)}
    return UserError(words.say(f"cli.{error.reason}", None, **details), 2)
