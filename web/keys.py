"""Secrets that open a door: how they are made, what is kept of them, and how often somebody may ask."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

#: So many clients are remembered; with one more, who has most tries left is forgotten.
MOST_CLIENTS = 4096


def new_key() -> str:
    """A secret that nobody guesses, as it can stand in an address."""
    return secrets.token_urlsafe(16)


def kept(key: str) -> str:
    """What is kept of a secret: it says whether somebody knows it, and does not tell it."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell how far they are."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


@dataclass
class Bucket:
    """So much may be taken at once, and so much a second in the long run."""

    most: float
    speed: float
    clock: Callable[[], float]
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def left(self, client: str) -> float:
        """How much a client may take now."""
        now = self.clock()
        left, last = self._left.get(client, (self.most, now))
        return min(self.most, left + (now - last) * self.speed)

    def take(self, client: str) -> bool:
        """Take one; False where nothing is left."""
        left = self.left(client)
        if left < 1:
            return False
        if client not in self._left and len(self._left) >= MOST_CLIENTS:
            del self._left[max(self._left, key=self.left)]
        self._left[client] = (left - 1, self.clock())
        return True
