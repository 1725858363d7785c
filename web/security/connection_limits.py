"""HTTP connections with a read timeout and a limit per client address."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Seconds a client may take to send a complete request.
READ_TIMEOUT_S = 20
#: Connection limit per client address, and for the local machine, where several players may share a browser.
MAX_CONNECTIONS_PER_CLIENT, MAX_LOCAL_CONNECTIONS = 64, 480


class LimitedConnection(H11Protocol):
    """A connection to a client."""

    #: The open connections by client address, oldest first.
    open: ClassVar[defaultdict[str, dict[LimitedConnection, None]]] = defaultdict(dict)
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._from = self.client[0] if self.client else ""
        self.open[self._from][self] = None
        is_local = self._from.startswith("127.") or self._from == "::1"
        if len(self.open[self._from]) > (MAX_LOCAL_CONNECTIONS if is_local else MAX_CONNECTIONS_PER_CLIENT):
            self._make_room()
        if not transport.is_closing():
            self._wait()

    def _make_room(self) -> None:
        """Abort the client's oldest connection without a complete request, otherwise the oldest idle one."""
        others: list[Any] = [connection for connection in self.open[self._from] if connection is not self]
        silent = (connection for connection in others if connection.cycle is None)
        idle = (
            connection for connection in others if connection.cycle is not None and connection.cycle.response_complete
        )
        victim = next(silent, None) or next(idle, self)
        self.open[self._from].pop(victim, None)
        victim.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(exc)
        self.open[self._from].pop(self, None)
        if not self.open[self._from]:
            del self.open[self._from]
        if self._waiting is not None:
            self._waiting.cancel()

    def on_response_complete(self) -> None:
        """Restart the timeout after a response."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = self.loop.call_later(READ_TIMEOUT_S, self._lose)

    def _lose(self) -> None:
        """Abort the connection unless a request is in progress (forms have their own timeout)."""
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.abort()
