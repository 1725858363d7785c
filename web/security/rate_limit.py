"""Rate limiting: a token bucket for each client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

#: Maximum number of clients remembered; beyond it, the client with the most remaining requests is dropped.
MAX_CLIENTS = 4096


@dataclass
class TokenBucket:
    """Token bucket per client: `most` requests at once, and `speed` per second in the long run."""

    most: float
    speed: float
    clock: Callable[[], float]
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def left(self, client: str) -> float:
        """Return the number of requests available to a client."""
        now = self.clock()
        remaining, last = self._left.get(client, (self.most, now))
        return min(self.most, remaining + (now - last) * self.speed)

    def take(self, client: str) -> bool:
        """Consume one request; return False if none is available."""
        remaining = self.left(client)
        if remaining < 1:
            return False
        if client not in self._left and len(self._left) >= MAX_CLIENTS:
            del self._left[max(self._left, key=self.left)]
        self._left[client] = (remaining - 1, self.clock())
        return True
