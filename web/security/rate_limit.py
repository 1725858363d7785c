"""Rate limiting: a token bucket for each client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

#: Maximum number of clients remembered; beyond it, the client with the most remaining requests is dropped.
MAX_CLIENTS = 4096


@dataclass
class TokenBucket:
    """Token bucket per client: `burst` requests at once, and `rate` per second in the long run."""

    burst: float
    rate: float
    clock: Callable[[], float]
    _state: dict[str, tuple[float, float]] = field(default_factory=dict)

    def available(self, client: str) -> float:
        """Return the number of requests available to a client."""
        now = self.clock()
        remaining, last = self._state.get(client, (self.burst, now))
        return min(self.burst, remaining + (now - last) * self.rate)

    def take(self, client: str) -> bool:
        """Consume one request; return False if none is available."""
        remaining = self.available(client)
        if remaining < 1:
            return False
        if client not in self._state and len(self._state) >= MAX_CLIENTS:
            del self._state[max(self._state, key=self.available)]
        self._state[client] = (remaining - 1, self.clock())
        return True
