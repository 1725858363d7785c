"""Routes for the start page and the host's lobby: new tables and saved games."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.library import load
from wongar_dsl.session.seats.seat_spec import read_seats

from ..host import SUFFIX, Host
from ..rendering import pages
from ..security.forms import read_form
from ..tables.store import Guest
from ..tables.table_session import TableSession
from ..views.lobby_view import chosen_seats, chosen_settings, lobby, new_table_view
from .error_text import REPORTED, error_text
from .request_context import guest_of, host_of, html, message_response

SEE_OTHER = 303


async def front(request: Request) -> Response:
    """Serve the start page: the lobby for the host, for guests the way to their tables."""
    guest = guest_of(request)
    host = host_of(request)
    if guest is None:
        return message_response(request, "no_guest", 403)
    if guest.host:
        code = request.query_params.get("code", "")
        return html(await asyncio.to_thread(lambda: pages.lobby_page(lobby(host, guest, code=code))))
    tables = [key for key in guest.seats if key in host.table_sessions]
    if len(tables) == 1:
        return RedirectResponse(f"/t/{tables[0]}", SEE_OTHER)
    if not tables:
        return message_response(request, "no_table", 404)
    return message_response(request, "your_tables", 200, f"/t/{tables[-1]}", "serve.to_table")


def _host_guest(request: Request) -> Guest | None:
    guest = guest_of(request)
    return guest if guest is not None and guest.host else None


async def new(request: Request) -> Response:
    """Serve the form for a new table."""
    guest, host = _host_guest(request), host_of(request)
    if guest is None:
        return message_response(request, "no_host", 403)
    name = request.query_params.get("game", "")
    try:
        return html(await asyncio.to_thread(lambda: pages.new_page(new_table_view(host, guest, name, {}))))
    except KeyError:
        return message_response(request, "nothing", 404)


async def tables(request: Request) -> Response:
    """Create a table from the submitted form."""
    guest, host = _host_guest(request), host_of(request)
    if guest is None:
        return message_response(request, "no_host", 403)
    form = await read_form(request)
    name, words = form.get("game", ""), host.words(guest.language)
    try:
        page = await asyncio.to_thread(new_table_view, host, guest, name, form)
    except KeyError:
        return message_response(request, "nothing", 404)
    try:
        table_session = await asyncio.to_thread(partial(_create_table, host, name, form, page.game.high))
    except REPORTED as error:
        form_page = new_table_view(host, guest, name, form, error_text(error, words))
        return html(await asyncio.to_thread(pages.new_page, form_page), 422)
    await host.warm_up(table_session)
    return RedirectResponse("/", SEE_OTHER)


def _create_table(host: Host, name: str, form: Mapping[str, str], high: int) -> TableSession:
    rules = load(name, Cache(Path(host.worker_settings.cache)))
    if form.get("learn") and (tutorial_table := host.create_tutorial_table(name)) is not None:
        return tutorial_table
    return host.create_table(name, read_seats(chosen_seats(form, high)), chosen_settings(rules, form))


async def saves(request: Request) -> Response:
    """Resume a saved game."""
    guest, host = _host_guest(request), host_of(request)
    if guest is None:
        return message_response(request, "no_host", 403)
    form = await read_form(request)
    file = form.get("file", "")
    # Only plain names of files in the folder of saves are accepted.
    is_plain_name = file == Path(file).name and file.isprintable() and "\\" not in file
    if not is_plain_name or not file.endswith(SUFFIX) or file.startswith("."):
        return message_response(request, "nothing", 404)
    try:
        table_session = await asyncio.to_thread(host.resume, host.saves / file)
    except REPORTED as error:
        problem = error_text(error, host.words(guest.language))
        return html(await asyncio.to_thread(lambda: pages.lobby_page(lobby(host, guest, problem))), 422)
    await host.warm_up(table_session)
    return RedirectResponse("/", SEE_OTHER)


ROUTES = [
    Route("/", front),
    Route("/new", new),
    Route("/tables", tables, methods=["POST"]),
    Route("/saves", saves, methods=["POST"]),
]
