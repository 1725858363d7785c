"""Security of requests: host check, CSRF check, rate limit, response headers, and parsing of forms with limits."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .store import digest

#: Maximum number of bytes and of fields of a form, and timeout in seconds.
MAX_FORM_BYTES, MAX_FORM_FIELDS, FORM_TIMEOUT_S = 65_536, 200, 10.0
FORM = "application/x-www-form-urlencoded"


class FormError(Exception):
    """An invalid form; `status` is the HTTP status."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(status)


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form; of repeated ones the last; raise `FormError`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM and (kind or request.headers.get("content-length", "0") != "0"):
        raise FormError(415)
    try:
        body = await asyncio.wait_for(_body(request), FORM_TIMEOUT_S)
        return dict(
            parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MAX_FORM_FIELDS, errors="strict")
        )
    except TimeoutError:
        raise FormError(408) from None
    except ValueError:
        raise FormError(400) from None


async def _body(request: Request) -> bytes:
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > MAX_FORM_BYTES:
            raise FormError(413)
    return bytes(data)


def parse_number(text: str | None, most: int) -> int:
    """Parse a number from 0 to `most`; raise `FormError` for anything else."""
    if text is None or not (text.isascii() and text.isdigit()) or len(text) > 12 or int(text) > most:
        raise FormError(400)
    return int(text)


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


#: Only the server's own scripts, styles and images; no frames of other sites.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    # Addresses of invitations are not leaked to other sites, but own forms still send their origin.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
MessagePage = Callable[[Request, str, int], Response]
SAFE = ("GET", "HEAD")
#: Maximum size in bytes of all headers of a request, including the path.
MAX_HEADER_BYTES = 16_384


class SecurityMiddleware:
    """Middleware that rejects requests from other sites, by unknown host names, or above the rate limit."""

    #: Rate limits per client: burst, and requests per second in the long run; for guests and for unknown clients.
    KNOWN, UNKNOWN = (120.0, 30.0), (150.0, 20.0)

    def __init__(
        self,
        app: ASGIApp,
        names: Collection[str],
        cookie: str,
        known: Callable[[str], object],
        message_page: MessagePage,
        clock: Callable[[], float],
    ) -> None:
        """`names` are the accepted host names without ports; `known` checks the token in `cookie`.

        `message_page` creates the page for a message and status.
        """
        self._app, self._names, self._cookie, self._known, self._message_page = app, names, cookie, known, message_page
        self._guests, self._others = (TokenBucket(most, speed, clock) for most, speed in (self.KNOWN, self.UNKNOWN))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        response_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal response_started
            response_started = True
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    response_headers[name] = value
                response_headers.setdefault("cache-control", "no-store")
            await send(message)

        rejection = self._rejection(scope, headers)
        try:
            if rejection is None:
                await self._app(scope, receive, send_with_headers)
                return
        except Exception:
            if response_started or os.environ.get("WONGAR_DEBUG"):
                raise
            rejection = (500, "failed")
        status, name = rejection
        try:
            response = self._message_page(Request(scope), name, status)
        except Exception:
            # Fallback without a page if creating it fails.
            response = Response(status_code=status)
        if status == 429:
            response.headers["retry-after"] = "5"
        response.headers["connection"] = "close"
        await response(scope, receive, send_with_headers)

    def _rejection(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return the status and message of a rejected request, or None."""
        # The HTTP parser limits only headers that have not arrived completely.
        size = sum(len(name) + len(value) + len(": \r\n") for name, value in scope["headers"])
        if size + len(scope.get("raw_path", b"")) + len(scope.get("query_string", b"")) > MAX_HEADER_BYTES:
            return 431, "no_form"
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or name_of(host) not in self._names:
            return 421, "other_name"
        # Links from other sites are allowed, but not requests made by their pages.
        mode, site = headers.get("sec-fetch-mode", "navigate"), headers.get("sec-fetch-site", "none")
        if site in ("cross-site", "same-site") and mode != "navigate":
            return 403, "elsewhere"
        if not self._within_rate_limit(scope):
            return 429, "too_many"
        if scope["method"] not in (*SAFE, "POST"):
            return 405, "nothing"
        own_origin = f"{scope['scheme']}://{host}"
        origin = headers.get("origin")
        if origin is not None and origin != own_origin:
            return 403, "elsewhere"
        if scope["method"] == "POST":
            # Every browser sends the origin of a form.
            if origin is None:
                return 403, "elsewhere"
            length = headers.get("content-length", "0")
            if not length.isdigit() or int(length) > MAX_FORM_BYTES:
                return 413, "no_form"
        if scope["path"].endswith("/events") and site not in ("none", "same-origin"):
            return 403, "elsewhere"
        return None

    def _within_rate_limit(self, scope: Scope) -> bool:
        """Return whether the client is within its rate limit."""
        token = cookie(scope, self._cookie)
        if token and self._known(token):
            return self._guests.take(digest(token))
        return self._others.take(client_of(scope))


def cookie(scope: Scope, wanted: str) -> str:
    """Return the value of a cookie; empty if it is missing."""
    for line in Headers(scope=scope).getlist("cookie"):
        for part in line.split(";"):
            name, _, value = part.strip().partition("=")
            if name == wanted:
                return value
    return ""


def client_of(scope: Scope) -> str:
    """Return the address of the client."""
    client = scope.get("client")
    return client[0] if client else ""


def name_of(host: str) -> str:
    """Return the host name in a `Host` header, without the port."""
    name, sign, port = host.rpartition(":")
    return (name if sign and port.isdigit() else host).lower().rstrip(".")
