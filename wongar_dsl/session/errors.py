"""Errors of seats and settings, as values that a front end words."""

from __future__ import annotations

from typing import Literal

from wongar_dsl.nlg.words import Value

SetupFault = Literal[
    "bad_seat", "bad_name", "same_name", "mixed_name", "bad_number_of_seats", "other_number_of_seats", "bad_option",
    "no_options", "bad_value",
]  # fmt: skip


class SessionSetupError(ValueError):
    """Invalid seat, name or setting: `reason` names the message, `details` are its arguments."""

    def __init__(self, reason: SetupFault, **details: Value) -> None:
        self.reason, self.details = reason, details
        super().__init__(reason)
