"""Interface of observers of a session, such as the tutorial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..terminal_session import LineSession
    from .explanation import Explanation


class Observer(Protocol):
    """An observer that may give explanations during a session."""

    def before_question(self, line_session: LineSession) -> bool:
        """Handle an upcoming decision, before the table is shown; return False to stop the game."""

    def advice(self, line_session: LineSession) -> Sequence[Explanation]:
        """Return explanations of the current question."""

    def after_game(self, line_session: LineSession) -> None:
        """Handle the end of the game."""
