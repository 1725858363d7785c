"""Request context: guest, language, and error pages."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from wongar_dsl.nlg.words import Translator, negotiate

from ..host import Host
from ..rendering import pages
from ..security.middleware import cookie
from ..tables.store import Guest

#: Lifetime in seconds of the session cookie.
COOKIE_TTL_S = 60 * 86_400
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,3}")


def host_of(request: Request) -> Host:
    """Return the host that handles a request."""
    host = request.app.state.host
    assert isinstance(host, Host)
    return host


def token_of(request: Request) -> str:
    """Return the session token of a request; empty if there is none."""
    return cookie(request.scope, host_of(request).store.cookie)


def guest_of(request: Request) -> Guest | None:
    """Return the guest who sent a request; None if unknown."""
    return host_of(request).guests.guest(token_of(request))


def language_of(request: Request) -> str:
    """Return the language for a request: as requested, the guest's, the browser's, or the host's."""
    host, guest = host_of(request), guest_of(request)
    codes = [code for code, _ in host.languages]
    requested_language = request.query_params.get("lang", "")
    if requested_language in codes:
        return requested_language
    if guest is not None and guest.language in codes:
        return guest.language
    wishes = [part.partition(";")[0].strip() for part in request.headers.get("accept-language", "")[:500].split(",")]
    tags = [wish.replace("-", "_") for wish in wishes if _TAG.fullmatch(wish)]
    return negotiate(None, {"LANGUAGE": ":".join([*tags, host.language])}, None, codes)


def words_of(request: Request) -> Translator:
    """Return the texts for a request."""
    return host_of(request).words(language_of(request))


def html(text: str, status: int = 200) -> HTMLResponse:
    """Return an HTML response."""
    return HTMLResponse(text, status)


def message_response(request: Request, name: str, status: int, link: str = "", link_name: str = "") -> HTMLResponse:
    """Return a page with the message `serve.NAME` and its heading `serve.NAME.title`."""
    words = words_of(request)
    text = words.say(link_name) if link_name else ""
    guest = guest_of(request)
    scheme = guest.scheme if guest is not None else "auto"
    title = words.say(f"serve.{name}.title")
    return html(pages.message_page(words, title, [words.say(f"serve.{name}")], link, text, scheme), status)


def set_cookie(request: Request, response: Response, token: str) -> Response:
    """Set the session cookie, inaccessible to scripts and other sites."""
    response.set_cookie(
        host_of(request).store.cookie, token, max_age=COOKIE_TTL_S, path="/", httponly=True, samesite="strict"
    )
    return response
