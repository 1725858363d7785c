"""Who looks on at a session and has something to say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .session import Session


class Onlooker(Protocol):
    """Somebody beside the table who has something to say."""

    def before(self, session: Session) -> bool:
        """Called before the table is shown to who is asked; False where they would rather stop."""

    def above(self, session: Session) -> None:
        """Called right above a question."""

    def after(self, session: Session) -> None:
        """Called when the game is over."""
