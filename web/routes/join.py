"""Route for invitations."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from wongar_dsl.engine.saves.saves import SaveError
from wongar_dsl.nlg.narration import narrator
from wongar_dsl.session.errors import SessionSetupError
from wongar_dsl.session.seats.seat_spec import clean_name

from ..host import Host
from ..rendering import pages
from ..security.auth import InvitationError
from ..security.forms import read_form
from ..tables.store import WATCHING, Guest, Invitation
from ..tables.table_session import HUMAN, StaleError, TableSession
from ..views.view_models import FreeSeat, JoinView
from .error_text import error_text
from .request_context import guest_of, host_of, html, language_of, message_response, set_cookie, token_of

SEE_OTHER = 303


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
        return await _accept(request, invitation)
    return html(_join_page(request, invitation, language_of(request)))


def _join_page(request: Request, invitation: Invitation, language: str, name: str = "", problem: str = "") -> str:
    host, guest = host_of(request), guest_of(request)
    words = host.words(language)
    action = f"/join/{request.path_params['key']}"
    name = name or (guest.name if guest is not None else "")
    languages = host.languages
    table_session = host.table_sessions.get(invitation.table)
    if invitation.kind == "host" or table_session is None:
        title = words.say("serve.host.title")
        return pages.join_page(JoinView(words, title, action, (), False, languages, name, problem, True))
    places = _places(host, table_session, invitation, guest)
    spoken = host.spoken(words.language, table_session.session.rules)
    title = narrator.title(spoken, table_session.match.game.name)
    watch = invitation.kind in ("any", "watch")
    if not problem and invitation.kind != "watch" and not any(place.free for place in places):
        if host.required_seats(table_session, guest):
            problem = words.say("serve.other_seat")
        elif not watch:
            title, problem = (words.say(f"serve.no_invitation{part}") for part in (".title", ""))
    return pages.join_page(JoinView(words, title, action, places, watch, languages, name, problem))


def _places(host: Host, table_session: TableSession, invitation: Invitation, guest: Guest | None) -> list[FreeSeat]:
    """Return the seats of an invitation that are taken or that the guest can take; the guest's own counts as free."""
    if invitation.kind == "watch":
        return []
    free = host.free_seats(table_session, guest)
    everyone = range(len(table_session.match.seats))
    shown = free | {n for n in everyone if table_session.is_human(n) and host.guests.is_seated(table_session.key, n)}
    seats = [invitation.seat] if invitation.kind == "seat" else everyone
    own_seat = guest.seats.get(table_session.key) if guest is not None else None
    names, played = table_session.session.names, {step.seat for step in table_session.match.steps}
    return [FreeSeat(n, names[n], n in free, n == own_seat, n in played) for n in seats if n in shown]


async def _accept(request: Request, invitation: Invitation) -> Response:
    """Accept an invitation: exchange its token for a session cookie, and take the seat."""
    host, form = host_of(request), await read_form(request)
    guest = guest_of(request)
    language = form.get("lang", "")
    if language not in dict(host.languages):
        language = language_of(request)
    table_session = host.table_sessions.get(invitation.table)
    if invitation.kind != "host" and table_session is None:
        return message_response(request, "no_invitation", 404)
    sent = form.get("seat", "")
    seat = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 3 else WATCHING
    if invitation.kind == "seat":
        seat = invitation.seat
    free = host.free_seats(table_session, guest) if table_session is not None else set()
    name = form.get("name", "")
    try:
        name = clean_name(name)
        if table_session is not None and seat != WATCHING and seat in free:
            host.guests.require_other_name(table_session.key, seat, name, table_session.session.names, guest)
    except SessionSetupError as error:
        problem = error_text(error, host.words(language))
        return html(_join_page(request, invitation, language, form.get("name", ""), problem), 422)
    try:
        key = request.path_params["key"]
        token, guest = host.guests.redeem_invitation(key, token_of(request), seat, language, free)
    except InvitationError:
        bound = table_session is not None and seat not in (host.required_seats(table_session, guest) or {seat})
        why = host.words(language).say("serve.other_seat" if bound else "serve.taken")
        return html(_join_page(request, invitation, language, name, why), 409)
    guest.name = name or guest.name
    if table_session is None:
        with contextlib.suppress(OSError):
            await asyncio.to_thread(host.guests.write)
        return set_cookie(request, RedirectResponse("/", SEE_OTHER), token)
    table_session.dirty = True
    host.presence.page_requested(table_session.key, seat)

    def sit() -> None:
        if seat != WATCHING:
            table_session.raise_version()
            table_session.set_occupant(seat, HUMAN, name)

    # The guest has joined even if the change cannot be saved now; it is saved as soon as possible.
    with contextlib.suppress(OSError, SaveError, StaleError):
        await host.run_exclusive(table_session, sit)
    return set_cookie(request, RedirectResponse(f"/t/{table_session.key}", SEE_OTHER), token)


ROUTES = [Route("/join/{key}", join, methods=["GET", "POST"])]
