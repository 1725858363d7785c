"""ASGI application of the server: connections with limits, routes, middleware, startup and shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from typing import Any, ClassVar

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from . import pages, routes
from .host import Host
from .routes import message_response
from .security import FormError, SecurityMiddleware

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


def application(host: Host, names: Collection[str], clock: Callable[[], float] = time.monotonic) -> Starlette:
    """Return the application of a host; `names` are the host names it may be addressed by."""

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        for table_session in host.table_sessions.values():
            await host.warm_up(table_session)
        watching = asyncio.create_task(host.tick_loop())
        try:
            yield
        finally:
            watching.cancel()
            await host.shutdown()

    app = Starlette(
        routes=[*routes.ROUTES, Route("/static/{name}", static)],
        middleware=[
            Middleware(
                SecurityMiddleware,
                names=names,
                cookie=host.store.cookie,
                known=host.store.guest,
                message_page=message_response,
                clock=clock,
            )
        ],
        exception_handlers={404: _not_found, 405: _not_found, FormError: _no_form},
        lifespan=life,
    )
    app.state.host = host
    return app


async def static(request: Request) -> Response:
    """Serve a style sheet, script or icon by name.

    With the current version in the query it may be cached for a year, otherwise it is revalidated by its ETag.
    """
    name = request.path_params["name"]
    if name not in pages.names():
        return message_response(request, "nothing", 404)
    data = pages.content(name)
    version = pages.version_of(data)
    fresh = f"max-age={pages.CACHE_TTL_S}, immutable" if request.query_params.get("v") == version else "no-cache"
    headers = {"cache-control": fresh, "etag": f'"{version}"'}
    if f'"{version}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=pages.MEDIA_TYPES[Path(name).suffix], headers=headers)


async def _not_found(request: Request, _: Exception) -> Response:
    return message_response(request, "nothing", 404)


async def _no_form(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, FormError) else 400
    response = message_response(request, "no_form", status)
    # The rest of the form is not read.
    response.headers["connection"] = "close"
    return response
