"""Who asks: the guest behind a request, their language, and the pages that are answers to nobody in particular."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from wongar_dsl.words import Words, negotiate

from . import pages
from .headers import cookie
from .host import Host
from .store import Guest

#: For so many seconds a browser keeps who its guest is.
KEEPS = 60 * 86_400
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8}){0,3}")


def host_of(request: Request) -> Host:
    """The host that a request came to."""
    host = request.app.state.host
    assert isinstance(host, Host)
    return host


def token_of(request: Request) -> str:
    """What the browser keeps; empty for nothing."""
    return cookie(request.scope, host_of(request).store.cookie)


def guest_of(request: Request) -> Guest | None:
    """The guest who asks; None for somebody unknown."""
    return host_of(request).guests.guest(token_of(request))


def language_of(request: Request) -> str:
    """The language of who asks: their own, else one that their browser asks for, else that of who hosts."""
    host, guest = host_of(request), guest_of(request)
    known = [code for code, _ in host.languages]
    asked = request.query_params.get("lang", "")
    if asked in known:
        return asked
    if guest is not None and guest.language in known:
        return guest.language
    wishes = [part.partition(";")[0].strip() for part in request.headers.get("accept-language", "")[:500].split(",")]
    tags = [wish.replace("-", "_") for wish in wishes if _TAG.fullmatch(wish)]
    return negotiate(None, {"LANGUAGE": ":".join([*tags, host.language])}, None, known)


def words_of(request: Request) -> Words:
    """The words of who asks."""
    return host_of(request).words(language_of(request))


def html(text: str, status: int = 200) -> HTMLResponse:
    """A page."""
    return HTMLResponse(text, status)


def said(request: Request, name: str, status: int, link: str = "", link_name: str = "") -> HTMLResponse:
    """A page that says something: `serve.NAME` with its heading `serve.NAME.title`."""
    words = words_of(request)
    text = words.say(link_name) if link_name else ""
    guest = guest_of(request)
    scheme = guest.scheme if guest is not None else "auto"
    title = words.say(f"serve.{name}.title")
    return html(pages.message_page(words, title, [words.say(f"serve.{name}")], link, text, scheme), status)


def keep(request: Request, response: Response, token: str) -> Response:
    """Let the browser keep who its guest is, out of the reach of scripts and of other sites."""
    response.set_cookie(host_of(request).store.cookie, token, max_age=KEEPS, path="/", httponly=True, samesite="strict")
    return response
