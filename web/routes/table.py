"""Routes of a table: pages, versions, and requests of its guests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from wongar_dsl.engine import IllegalMove
from wongar_dsl.engine.bots import is_bot
from wongar_dsl.session.options.menu import MAX_LISTED_OPTIONS, Menu
from wongar_dsl.session.seats.seat_spec import clean_name

from ..host import Host, NoSeatError
from ..rendering import pages
from ..rendering.render_worker import Parts, legal_parts, read_parts, write_parts
from ..security.auth import MAX_SPECTATORS
from ..security.forms import FormError, parse_number, read_form
from ..tables.sse import versions
from ..tables.store import WATCHING, Guest
from ..tables.table_session import HUMAN, NotSavedError, StaleError, TableSession
from ..views.lobby_view import lobby
from ..views.repeat_form import read_counts
from .error_text import REPORTED, error_text, table_error_text
from .request_context import guest_of, host_of, html, message_response

SEE_OTHER, STALE, WRONG = 303, 409, 422
#: Maximum version number, and maximum number of event streams per seat and per guest.
MAX_VERSION, MAX_STREAMS = 10**12, 8
SCHEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class TableRequest:
    """A guest's request at a table; `seat` is `WATCHING` for spectators."""

    request: Request
    host: Host
    table_session: TableSession
    guest: Guest
    seat: int

    @property
    def key(self) -> str:
        """The path prefix of the table."""
        return f"/t/{self.table_session.key}"

    @property
    def scripted(self) -> bool:
        """True if the page's script sent the request and will insert the answer."""
        return self.request.headers.get("x-part") == "1"

    async def page(
        self, page: str, status: int = 200, chosen: Parts = (), note: str = "", replay: tuple[int, bool] = (0, False)
    ) -> Response:
        """Return a page of the table."""
        try:
            return html(await self.host.page(self.table_session, self.guest, page, chosen, note, replay), status)
        except NoSeatError:
            return message_response(self.request, "no_seat", 403)

    def ensure_still_seated(self) -> None:
        """Raise StaleError if the guest no longer holds the seat. Call with the table lock held."""
        if self.host.guests.seat(self.guest, self.table_session.key) != self.seat:
            raise StaleError

    async def success_response(self, chosen: Parts = ()) -> Response:
        """Return the answer to a successful request: the new part for a script, otherwise a redirect to the page."""
        if self.scripted:
            return await self.page("part", 200, chosen)
        return RedirectResponse(f"{self.key}?part={write_parts(chosen)}" if chosen else self.key, SEE_OTHER)

    async def failure_response(self, error: Exception) -> Response:
        """Return the answer to a failed or unsaved request: the current page with a message."""
        words = self.host.words(self.guest.language)

        def note() -> str:
            with self.table_session.lock:
                return table_error_text(error, self.table_session, words, self.seat)

        text = await asyncio.to_thread(note)
        status = STALE if isinstance(error, StaleError) else 200 if isinstance(error, NotSavedError) else WRONG
        return await self.page("part" if self.scripted else "table", status, note=text)


Handler = Callable[[TableRequest], Awaitable[Response]]


def at(handler: Handler, seated: bool = False, host: bool = False) -> Callable[[Request], Awaitable[Response]]:
    """Return the route handler of a table, for all guests, those who are `seated`, or the host."""

    async def handle(request: Request) -> Response:
        table_host, guest = host_of(request), guest_of(request)
        table_session = table_host.table_sessions.get(request.path_params["table"])
        if guest is None:
            return message_response(request, "no_guest", 403)
        if table_session is None:
            return message_response(request, "no_table", 404)
        seat = table_host.guests.seat(guest, table_session.key)
        if seat is None:
            return message_response(request, "no_seat", 403)
        if (seated and seat == WATCHING) or (host and not guest.host):
            return message_response(request, "no_host" if host else "no_seat", 403)
        table_host.presence.page_requested(table_session.key, seat)
        return await handler(TableRequest(request, table_host, table_session, guest, seat))

    return handle


# ---- pages ---------------------------------------------------------------------------------------------------------


async def table(request: TableRequest) -> Response:
    """Return the complete page."""
    return await request.page("table", chosen=read_parts(request.request.query_params.get("part", "")))


async def part(request: TableRequest) -> Response:
    """Return the part of the page that changes; 204 if the client's version is current."""
    shown = request.request.query_params.get("version", "")
    if shown == str(request.table_session.version):
        return Response(status_code=204)
    return await request.page("part", chosen=read_parts(request.request.query_params.get("part", "")))


async def story(request: TableRequest) -> Response:
    """Return the log."""
    return await request.page("story")


async def rules(request: TableRequest) -> Response:
    """Return the summary of the rules."""
    return await request.page("rules")


async def replay(request: TableRequest) -> Response:
    """Return a step of a finished game."""
    if not request.table_session.match.state.over:
        return message_response(request.request, "not_over", 404, request.key, "web.back.to.table")
    query = request.request.query_params
    step = parse_number(query.get("n", "0"), MAX_VERSION)
    everything = query.get("view", "all" if request.seat == WATCHING else "own") == "all"
    return await request.page("replay", replay=(step, everything))


async def version(request: TableRequest) -> Response:
    """Return the version, for clients that poll."""
    return JSONResponse({"version": request.table_session.version})


async def events(request: TableRequest) -> Response:
    """Stream the versions as server-sent events."""
    host, key, seat = request.host, request.table_session.key, request.seat
    most = MAX_SPECTATORS if seat == WATCHING else MAX_STREAMS
    if host.presence.streams(key, seat) >= most or host.presence.streams_of(request.guest) >= MAX_STREAMS:
        return Response(status_code=429, headers={"retry-after": "5"})
    last = request.request.headers.get("last-event-id", "")
    last_version = int(last) if last.isascii() and last.isdigit() and len(last) < 13 else None
    guest = request.guest

    def now() -> int | None:
        """Return the version; None if the guest must not receive further ones."""
        is_closed = host.closed or host.table_sessions.get(key) is not request.table_session
        return None if is_closed or host.guests.seat(guest, key) != seat else request.table_session.version

    async def stream() -> AsyncIterator[bytes]:
        host.presence.stream_opened(key, seat, guest)
        try:
            async for message in versions(host.notifiers[key], now, last_version):
                yield message
        finally:
            host.presence.stream_closed(key, seat, guest)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


# ---- requests ------------------------------------------------------------------------------------------------------


async def move(request: TableRequest) -> Response:
    """Make a decision, or choose a part of one."""
    form, table_session = await read_form(request.request), request.table_session
    shown, once = parse_number(form.get("version"), MAX_VERSION), form.get("once", "")[:64]
    if "back" in form:
        return await request.success_response()

    def decide() -> Parts:
        request.ensure_still_seated()
        if table_session.was_submitted(f"{request.seat} {once}" if once else ""):
            return ()
        before = table_session.version
        try:
            if "drawing" in form:
                table_session.submit_puzzle(request.seat, shown, form["drawing"])
            elif "several" in form:
                table_session.submit_repeated(request.seat, shown, read_counts(form))
            else:
                more = _next_part(table_session, request.seat, shown, form)
                if isinstance(more, tuple):
                    return more
                table_session.answer(request.seat, shown, more)
        finally:
            # A decision that could not be saved was made nevertheless.
            if table_session.version != before:
                table_session.mark_submitted(f"{request.seat} {once}" if once else "")
        return ()

    try:
        return await request.success_response(await request.host.run_exclusive(table_session, decide))
    except REPORTED as error:
        return await request.failure_response(error)


def _next_part(table_session: TableSession, seat: int, shown: int, form: Mapping[str, str]) -> Parts | str:
    """Return the complete choice as text, or the parts chosen so far.

    Raises `StaleError` or `IllegalMove`.
    """
    state = table_session.question(seat, shown)
    choice = form.get("choice", "")[:1000]
    if len(state.options()) <= MAX_LISTED_OPTIONS:
        return choice
    parts = legal_parts(state, read_parts(form.get("part", "")))
    menu = Menu.of(state, table_session.session.narrator, parts, table_session.session.numbering)
    entry = menu.exact(choice)
    if menu.part is None or entry is None:
        if entry is None and not choice.strip():
            raise IllegalMove("unknown", choice)
        return choice
    chosen = entry.move.raw[: menu.part + 1]
    return state.write(entry.move) if chosen == entry.move.raw else chosen


async def undo(request: TableRequest) -> Response:
    """Request to undo the guest's last decision."""
    form = await read_form(request.request)
    shown = parse_number(form.get("version"), MAX_VERSION)

    def wish() -> None:
        request.ensure_still_seated()
        request.table_session.request_undo(request.seat, shown)

    return await _respond(request, wish)


async def answer(request: TableRequest) -> Response:
    """Agree to another player's undo request or refuse it, or withdraw an own one."""
    form = await read_form(request.request)
    shown = parse_number(form.get("version"), MAX_VERSION)

    def agree() -> None:
        request.ensure_still_seated()
        if form.get("answer") == "never":
            request.table_session.cancel_undo_request(request.seat)
        else:
            request.table_session.vote_undo(request.seat, form.get("answer") == "yes", shown)

    return await _respond(request, agree)


async def _respond(request: TableRequest, work: Callable[[], None]) -> Response:
    try:
        await request.host.run_exclusive(request.table_session, work)
    except REPORTED as error:
        return await request.failure_response(error)
    return await request.success_response()


async def settings(request: TableRequest) -> Response:
    """Change the guest's settings: language, name, colour scheme, forecasts."""
    form, guest = await read_form(request.request), request.guest
    if form.get("lang") in dict(request.host.languages):
        guest.language = form["lang"]
    if form.get("scheme") in SCHEMES:
        guest.scheme = form["scheme"]
    if "lang" in form:
        guest.foretell = "forecasts" in form
    request.table_session.dirty = True

    def rename() -> None:
        request.ensure_still_seated()
        name = clean_name(form.get("name", ""))
        if not name or not request.table_session.is_human(request.seat):
            return
        request.host.guests.require_other_name(
            request.table_session.key, request.seat, name, request.table_session.session.names
        )
        guest.name = name
        request.table_session.set_occupant(request.seat, request.table_session.match.seats[request.seat].kind, name)

    return await _respond(request, rename)


async def leave(request: TableRequest) -> Response:
    """Leave the table."""
    await read_form(request.request)
    with request.host.guests.lock:
        request.guest.seats.pop(request.table_session.key, None)
    request.table_session.dirty = True
    # If the change cannot be saved now, it is saved as soon as possible.
    with contextlib.suppress(OSError, StaleError):
        await request.host.run_exclusive(request.table_session, request.table_session.raise_version)
    return RedirectResponse("/", SEE_OTHER)


# ---- host ----------------------------------------------------------------------------------------------------------


async def seat(request: TableRequest) -> Response:
    """Give a seat to a bot or a human, or create a new link for it."""
    form, table_session = await read_form(request.request), request.table_session
    which = parse_number(form.get("seat"), len(table_session.match.seats) - 1)
    do, kind = form.get("do"), form.get("kind", "easy")
    name = table_session.session.names[which]
    if do == "bot" and (not is_bot(kind) or len(kind) > 20):
        raise FormError(400)
    try:
        if do == "link":
            request.host.guests.release_seat(table_session.key, which)
            request.host.guests.invite("seat", table_session.key, which)
            table_session.dirty = True
            await request.host.run_exclusive(table_session, table_session.raise_version)
        if do in ("human", "link"):
            await request.host.run_exclusive(table_session, table_session.set_occupant, which, HUMAN, name)
        elif do == "bot":
            await request.host.run_exclusive(table_session, table_session.set_occupant, which, kind, name)
        else:
            raise FormError(400)
    except REPORTED as error:
        problem = error_text(error, request.host.words(request.guest.language))
        return html(
            await asyncio.to_thread(lambda: pages.lobby_page(lobby(request.host, request.guest, problem))), WRONG
        )
    return RedirectResponse("/", SEE_OTHER)


async def close(request: TableRequest) -> Response:
    """Close a table; its save remains."""
    await read_form(request.request)
    with contextlib.suppress(OSError):
        await request.host.close(request.table_session.key)
    return RedirectResponse("/", SEE_OTHER)


async def rematch(request: TableRequest) -> Response:
    """Start a rematch with rotated seats, at the request of a player or the host."""
    await read_form(request.request)
    if not (request.guest.host or request.table_session.is_human(request.seat)):
        return message_response(request.request, "no_seat", 403)

    def again() -> None:
        request.ensure_still_seated()
        if not request.table_session.match.state.over:
            raise StaleError
        request.host.rematch(request.table_session)

    return await _respond(request, again)


def _post(path: str, handler: Handler, **who: bool) -> Route:
    return Route(f"/t/{{table}}/{path}", at(handler, **who), methods=["POST"], name=path)


ROUTES = [
    Route("/t/{table}", at(table)),
    *(Route(f"/t/{{table}}/{route.__name__}", at(route)) for route in (part, story, rules, replay, version, events)),
    *(_post(route.__name__, route, seated=True) for route in (move, undo, answer)),
    _post("settings", settings),
    _post("leave", leave),
    _post("rematch", rematch),
    *(_post(route.__name__, route, host=True) for route in (seat, close)),
]
