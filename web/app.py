"""ASGI application of the server: routes, middleware, startup and shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .host import Host
from .rendering import assets
from .routes import join, lobby, table
from .routes.request_context import message_response
from .security.forms import FormError
from .security.middleware import SecurityMiddleware


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

    def known(token: str) -> bool:
        return host.guests.guest(token) is not None

    app = Starlette(
        routes=[*lobby.ROUTES, *join.ROUTES, *table.ROUTES, Route("/static/{name}", static)],
        middleware=[
            Middleware(
                SecurityMiddleware,
                names=names,
                cookie=host.store.cookie,
                known=known,
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
    if name not in assets.names():
        return message_response(request, "nothing", 404)
    data = (assets.FOLDER / name).read_bytes()
    version = assets.version_of(data)
    fresh = f"max-age={assets.CACHE_TTL_S}, immutable" if request.query_params.get("v") == version else "no-cache"
    headers = {"cache-control": fresh, "etag": f'"{version}"'}
    if f'"{version}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=assets.MEDIA_TYPES[Path(name).suffix], headers=headers)


async def _not_found(request: Request, _: Exception) -> Response:
    return message_response(request, "nothing", 404)


async def _no_form(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, FormError) else 400
    response = message_response(request, "no_form", status)
    # The rest of the form is not read.
    response.headers["connection"] = "close"
    return response
