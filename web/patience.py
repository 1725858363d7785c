"""Connections with bounded patience: who sends no whole request in time is gone, and nobody has all the room."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

#: For so many seconds somebody may take to say what they want.
SILENCE = 20
#: So many connections one client has at the same time, and this computer itself, where several people may sit.
MOST, MOST_HERE = 64, 480


class Patient(H11Protocol):
    """A connection to a client."""

    open: ClassVar[Counter[str]] = Counter()
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._from = self.client[0] if self.client else ""
        self.open[self._from] += 1
        here = self._from.startswith("127.") or self._from == "::1"
        if self.open[self._from] > (MOST_HERE if here else MOST):
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        self.open[self._from] -= 1
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
