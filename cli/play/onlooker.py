"""Who looks on at a session and has something to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .explaining import Explanation
    from .session import Session


class Onlooker(Protocol):
    """Somebody beside the table who has something to say."""

    def before(self, session: Session) -> bool:
        """Called before the table is shown to who is asked; False where they would rather stop."""

    def advice(self, session: Session) -> Sequence[Explanation]:
        """What there is to say of the question at hand."""

    def after(self, session: Session) -> None:
        """Called when the game is over."""
