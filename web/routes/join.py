"""Routes for invitations and for the host's lobby."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wongar_dsl.base.cache import Cache
from wongar_dsl.engine.library import load
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.nlg.narration.narrator import title as game_title
from wongar_dsl.session.errors import SessionSetupError
from wongar_dsl.session.seats.seat_spec import clean_name, read_seats

from .. import pages
from ..auth import InvitationError
from ..forms import read_form
from ..host import SUFFIX, Host
from ..store import WATCHING, Guest, Invitation
from ..table_session import HUMAN, StaleError, TableSession
from ..views.lobby_view import chosen_seats, chosen_settings, lobby, new_table_view
from ..views.view_models import FreeSeat, JoinView
from .error_text import TOLD, error_text
from .request_context import guest_of, host_of, html, language_of, message_response, set_cookie, token_of

SEE_OTHER = 303


# ---- invitations ---------------------------------------------------------------------------------------------------


def _invitation(request: Request) -> Invitation | None:
    """Return the invitation of the token in the path; None for an invalid one."""
    try:
        return host_of(request).guests.invitation(request.path_params["key"])
    except InvitationError:
        return None


async def join(request: Request) -> Response:
    """Show an invitation, where the guest chooses seat, name and language; accept it on POST."""
    invitation = _invitation(request)
    if invitation is None:
        return message_response(request, "no_invitation", 404)
    if request.method == "POST":
        return await _joined(request, invitation)
    return html(_joining(request, invitation))


def _joining(request: Request, invitation: Invitation, name: str = "", problem: str = "") -> str:
    host, guest = host_of(request), guest_of(request)
    words = host.words(language_of(request))
    action = f"/join/{request.path_params['key']}"
    name = name or (guest.name if guest is not None else "")
    languages = host.languages
    sitting = host.table_sessions.get(invitation.table)
    if invitation.kind == "host" or sitting is None:
        title = words.say("serve.host.title")
        return pages.join_page(JoinView(words, title, action, (), False, languages, name, problem, True))
    places = tuple(_places(host, sitting, invitation, guest))
    spoken = host.spoken(words.language, sitting.table.rules)
    title = game_title(spoken, sitting.match.game.name)
    watch = invitation.kind in ("any", "watch")
    return pages.join_page(JoinView(words, title, action, places, watch, languages, name, problem))


def _places(host: Host, session: TableSession, invitation: Invitation, guest: Guest | None) -> list[FreeSeat]:
    """Return the seats of an invitation; the guest's own counts as free."""
    if invitation.kind == "watch":
        return []
    free = _free(host, session, guest)
    seats = [invitation.seat] if invitation.kind == "seat" else range(len(session.match.seats))
    own_seat = guest.seats.get(session.key) if guest is not None else None
    names, kinds = session.table.names, [seat.kind for seat in session.match.seats]
    return [FreeSeat(n, names[n], n in free, n == own_seat) for n in seats if kinds[n] == HUMAN]


def _free(host: Host, session: TableSession, guest: Guest | None) -> set[int]:
    """Return the seats available to a guest.

    In a game with hidden information, a guest who has seen a seat's view may only return to that seat.
    """
    own_seat = guest.seats.get(session.key) if guest is not None else None
    free = {
        number
        for number, seat in enumerate(session.match.seats)
        if seat.kind == HUMAN and (number == own_seat or not host.guests.is_seated(session.key, number))
    }
    return free & (_bound(host, session, guest) or free)


def _bound(host: Host, session: TableSession, guest: Guest | None) -> set[int]:
    """Return the only seats that a guest may have because of the information seen; empty if there is no restriction."""
    if guest is None or not session.match.game.knowledge.has_private_information:
        return set()
    return host.guests.seen_seats(guest, session.key)


async def _joined(request: Request, invitation: Invitation) -> Response:
    """Accept an invitation: exchange its token for a session cookie, and take the seat."""
    host, form = host_of(request), await read_form(request)
    guest = guest_of(request)
    language = form.get("lang", "")
    if language not in dict(host.languages):
        language = language_of(request)
    sitting = host.table_sessions.get(invitation.table)
    if invitation.kind != "host" and sitting is None:
        return message_response(request, "no_invitation", 404)
    sent = form.get("seat", "")
    seat = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 3 else WATCHING
    if invitation.kind == "seat":
        seat = invitation.seat
    free = _free(host, sitting, guest) if sitting is not None else set()
    name = form.get("name", "")
    try:
        name = clean_name(name)
        if sitting is not None and seat != WATCHING and seat in free:
            host.guests.require_other_name(sitting.key, seat, name, sitting.table.names, guest)
    except SessionSetupError as error:
        return html(_joining(request, invitation, form.get("name", ""), error_text(error, host.words(language))), 422)
    try:
        key = request.path_params["key"]
        token, guest = host.guests.redeem_invitation(key, token_of(request), seat, language, free)
    except InvitationError:
        bound = sitting is not None and seat not in (_bound(host, sitting, guest) or {seat})
        why = host.words(language).say("serve.other_seat" if bound else "serve.taken")
        return html(_joining(request, invitation, name, why), 409)
    guest.name = name or guest.name
    if sitting is None:
        with contextlib.suppress(OSError):
            await asyncio.to_thread(host.guests.write)
        return set_cookie(request, RedirectResponse("/", SEE_OTHER), token)
    sitting.dirty = True
    host.presence.page_requested(sitting.key, seat)

    def sit() -> None:
        if seat != WATCHING:
            sitting.raise_version()
            sitting.set_occupant(seat, HUMAN, name)

    # The guest has joined even if the change cannot be saved now; it is saved as soon as possible.
    with contextlib.suppress(OSError, SaveError, StaleError):
        await host.run_exclusive(sitting, sit)
    return set_cookie(request, RedirectResponse(f"/t/{sitting.key}", SEE_OTHER), token)


# ---- the host's pages ----------------------------------------------------------------------------------------------


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


def _hosting(request: Request) -> Guest | None:
    guest = guest_of(request)
    return guest if guest is not None and guest.host else None


async def new(request: Request) -> Response:
    """Serve the form for a new table."""
    guest, host = _hosting(request), host_of(request)
    if guest is None:
        return message_response(request, "no_host", 403)
    name = request.query_params.get("game", "")
    try:
        return html(await asyncio.to_thread(lambda: pages.new_page(new_table_view(host, guest, name, {}))))
    except KeyError:
        return message_response(request, "nothing", 404)


async def tables(request: Request) -> Response:
    """Create a table from the submitted form."""
    guest, host = _hosting(request), host_of(request)
    if guest is None:
        return message_response(request, "no_host", 403)
    form = await read_form(request)
    name, words = form.get("game", ""), host.words(guest.language)
    try:
        page = await asyncio.to_thread(new_table_view, host, guest, name, form)
    except KeyError:
        return message_response(request, "nothing", 404)
    try:
        sitting = await asyncio.to_thread(partial(_lay, host, name, form, page.game.high))
    except TOLD as error:
        form_page = new_table_view(host, guest, name, form, error_text(error, words))
        return html(await asyncio.to_thread(pages.new_page, form_page), 422)
    await host.warm_up(sitting)
    return RedirectResponse("/", SEE_OTHER)


def _lay(host: Host, name: str, form: Mapping[str, str], most: int) -> TableSession:
    rules = load(name, Cache(Path(host.program.cache)))
    if form.get("learn") and (tutorial_table := host.create_tutorial_table(name)) is not None:
        return tutorial_table
    return host.create_table(name, read_seats(chosen_seats(form, most)), chosen_settings(rules, form))


async def saves(request: Request) -> Response:
    """Resume a saved game."""
    guest, host = _hosting(request), host_of(request)
    if guest is None:
        return message_response(request, "no_host", 403)
    form = await read_form(request)
    file = form.get("file", "")
    # Only plain names of files in the folder of saves are accepted.
    named = file == Path(file).name and file.isprintable() and "\\" not in file
    if not named or not file.endswith(SUFFIX) or file.startswith("."):
        return message_response(request, "nothing", 404)
    try:
        sitting = await asyncio.to_thread(host.resume, host.saves / file)
    except TOLD as error:
        problem = error_text(error, host.words(guest.language))
        return html(await asyncio.to_thread(lambda: pages.lobby_page(lobby(host, guest, problem))), 422)
    await host.warm_up(sitting)
    return RedirectResponse("/", SEE_OTHER)


async def nothing(request: Request, _: Exception | None = None) -> Response:
    """Serve the "not found" page."""
    return message_response(request, "nothing", 404)


ROUTES = [
    Route("/", front),
    Route("/new", new),
    Route("/tables", tables, methods=["POST"]),
    Route("/saves", saves, methods=["POST"]),
    Route("/join/{key}", join, methods=["GET", "POST"]),
]
