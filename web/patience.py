"""HTTP connections with a read timeout and a limit per client address."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

#: For so many seconds somebody may take to say what they want.
SILENCE = 20
#: So many connections one client has at the same time, and this computer itself, where several people may sit.
MOST, MOST_HERE = 64, 480


class Patient(H11Protocol):
    """A connection to a client."""

    #: The open connections of each client address, the oldest first.
    open: ClassVar[defaultdict[str, dict[Patient, None]]] = defaultdict(dict)
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._from = self.client[0] if self.client else ""
        self.open[self._from][self] = None
        here = self._from.startswith("127.") or self._from == "::1"
        if len(self.open[self._from]) > (MOST_HERE if here else MOST):
            self._make_room()
        if not transport.is_closing():
            self._wait()

    def _make_room(self) -> None:
        """End the oldest connection of this client that has sent no whole request, else the oldest that is answered."""
        others: list[Any] = [other for other in self.open[self._from] if other is not self]
        silent = (other for other in others if other.cycle is None)
        idle = (other for other in others if other.cycle is not None and other.cycle.response_complete)
        gone = next(silent, None) or next(idle, self)
        self.open[self._from].pop(gone, None)
        gone.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        self.open[self._from].pop(self, None)
        if not self.open[self._from]:
            del self.open[self._from]
        if self._waiting is not None:
            self._waiting.cancel()

    def on_response_complete(self) -> None:
        """An answer has been sent."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = self.loop.call_later(SILENCE, self._lose)

    def _lose(self) -> None:
        """Go, unless a request is being answered; its form has a patience of its own."""
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.abort()
