"""Routes of a table: pages, versions, and requests of its guests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from wongar_dsl.bots import is_bot
from wongar_dsl.engine import IllegalMove
from wongar_dsl.table.menu import MOST_LISTED, Menu
from wongar_dsl.table.names import clean

from . import pages
from .counts import read_counts
from .faults import TOLD, told, told_at
from .forms import FormError, number, read_form
from .guests import MOST_WATCHING
from .host import Host, NoSeatError
from .lobby import lobby
from .rendering import Parts, legal_parts, read_parts, write_parts
from .sitting import HUMAN, NotKeptError, Sitting, StaleError
from .store import WATCHING, Guest
from .stream import versions
from .visit import guest_of, host_of, html, said

SEE_OTHER, STALE, WRONG = 303, 409, 422
#: Maximum version number, and maximum number of event streams per seat and per guest.
MOST_VERSIONS, MOST_STREAMS = 10**12, 8
SCHEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class At:
    """A guest's request at a table; `seat` is `WATCHING` for spectators."""

    request: Request
    host: Host
    sitting: Sitting
    guest: Guest
    seat: int

    @property
    def key(self) -> str:
        """The path prefix of the table."""
        return f"/t/{self.sitting.key}"

    @property
    def scripted(self) -> bool:
        """True if the page's script sent the request and will insert the answer."""
        return self.request.headers.get("x-part") == "1"

    async def page(
        self, page: str, status: int = 200, chosen: Parts = (), note: str = "", replay: tuple[int, bool] = (0, False)
    ) -> Response:
        """Return a page of the table."""
        try:
            return html(await self.host.page(self.sitting, self.guest, page, chosen, note, replay), status)
        except NoSeatError:
            return said(self.request, "no_seat", 403)

    def still(self) -> None:
        """Raise StaleError if the guest no longer holds the seat. Call with the table lock held."""
        if self.host.guests.seat(self.guest, self.sitting.key) != self.seat:
            raise StaleError

    async def done(self, chosen: Parts = ()) -> Response:
        """Return the answer to a successful request: the new part for a script, otherwise a redirect to the page."""
        if self.scripted:
            return await self.page("part", 200, chosen)
        return RedirectResponse(f"{self.key}?part={write_parts(chosen)}" if chosen else self.key, SEE_OTHER)

    async def wrong(self, error: Exception) -> Response:
        """Return the answer to a failed or unsaved request: the current page with a message."""
        words = self.host.words(self.guest.language)

        def note() -> str:
            with self.sitting.lock:
                return told_at(error, self.sitting, words, self.seat)

        text = await asyncio.to_thread(note)
        status = STALE if isinstance(error, StaleError) else 200 if isinstance(error, NotKeptError) else WRONG
        return await self.page("part" if self.scripted else "table", status, note=text)


Handler = Callable[[At], Awaitable[Response]]


def at(handler: Handler, seated: bool = False, host: bool = False) -> Callable[[Request], Awaitable[Response]]:
    """Return the route handler of a table, for all guests, those who are `seated`, or the host."""

    async def handle(request: Request) -> Response:
        table_host, guest = host_of(request), guest_of(request)
        sitting = table_host.sittings.get(request.path_params["table"])
        if guest is None:
            return said(request, "no_guest", 403)
        if sitting is None:
            return said(request, "no_table", 404)
        seat = table_host.guests.seat(guest, sitting.key)
        if seat is None:
            return said(request, "no_seat", 403)
        if (seated and seat == WATCHING) or (host and not guest.host):
            return said(request, "no_host" if host else "no_seat", 403)
        table_host.presence.see(sitting.key, seat)
        return await handler(At(request, table_host, sitting, guest, seat))

    return handle


# ---- pages ---------------------------------------------------------------------------------------------------------


async def table(at: At) -> Response:
    """Return the complete page."""
    return await at.page("table", chosen=read_parts(at.request.query_params.get("part", "")))


async def part(at: At) -> Response:
    """Return the part of the page that changes; 204 if the client's version is current."""
    shown = at.request.query_params.get("version", "")
    if shown == str(at.sitting.version):
        return Response(status_code=204)
    return await at.page("part", chosen=read_parts(at.request.query_params.get("part", "")))


async def story(at: At) -> Response:
    """Return the log."""
    return await at.page("story")


async def rules(at: At) -> Response:
    """Return the summary of the rules."""
    return await at.page("rules")


async def replay(at: At) -> Response:
    """Return a step of a finished game."""
    if not at.sitting.match.state.over:
        return said(at.request, "nothing", 404)
    query = at.request.query_params
    step = number(query.get("n", "0"), MOST_VERSIONS)
    everything = query.get("view", "all" if at.seat == WATCHING else "own") == "all"
    return await at.page("replay", replay=(step, everything))


async def version(at: At) -> Response:
    """Return the version, for clients that poll."""
    return JSONResponse({"version": at.sitting.version})


async def events(at: At) -> Response:
    """Stream the versions as server-sent events."""
    host, key, seat = at.host, at.sitting.key, at.seat
    most = MOST_WATCHING if seat == WATCHING else MOST_STREAMS
    if host.presence.streams(key, seat) >= most or host.presence.streams_of(at.guest) >= MOST_STREAMS:
        return Response(status_code=429, headers={"retry-after": "5"})
    last = at.request.headers.get("last-event-id", "")
    last_version = int(last) if last.isascii() and last.isdigit() and len(last) < 13 else None
    guest = at.guest

    def now() -> int | None:
        """Return the version; None if the guest must not receive further ones."""
        gone = host.closed or host.sittings.get(key) is not at.sitting
        return None if gone or host.guests.seat(guest, key) != seat else at.sitting.version

    async def stream() -> AsyncIterator[bytes]:
        host.presence.come(key, seat, guest)
        try:
            async for message in versions(host.bells[key], now, last_version):
                yield message
        finally:
            host.presence.go(key, seat, guest)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


# ---- requests ------------------------------------------------------------------------------------------------------


async def move(at: At) -> Response:
    """Make a decision, or choose a part of one."""
    form, sitting = await read_form(at.request), at.sitting
    shown, once = number(form.get("version"), MOST_VERSIONS), form.get("once", "")[:64]
    if "back" in form:
        return await at.done()

    def decide() -> Parts:
        at.still()
        if sitting.sent_before(f"{at.seat} {once}" if once else ""):
            return ()
        before = sitting.version
        try:
            if "drawing" in form:
                sitting.cover(at.seat, shown, form["drawing"])
            elif "several" in form:
                sitting.several(at.seat, shown, read_counts(form))
            else:
                more = _next_part(sitting, at.seat, shown, form)
                if isinstance(more, tuple):
                    return more
                sitting.answer(at.seat, shown, more)
        finally:
            # A decision that could not be saved was made nevertheless.
            if sitting.version != before:
                sitting.remember(f"{at.seat} {once}" if once else "")
        return ()

    try:
        return await at.done(await at.host.do(sitting, decide))
    except TOLD as error:
        return await at.wrong(error)


def _next_part(sitting: Sitting, seat: int, shown: int, form: Mapping[str, str]) -> Parts | str:
    """Return the complete choice as text, or the parts chosen so far.

    Raises `StaleError` or `IllegalMove`.
    """
    state = sitting.question(seat, shown)
    choice = form.get("choice", "")[:1000]
    if len(state.options()) <= MOST_LISTED:
        return choice
    parts = legal_parts(state, read_parts(form.get("part", "")))
    menu = Menu.of(state, sitting.table.narrator, parts, sitting.table.numbering)
    entry = menu.exact(choice)
    if menu.part is None or entry is None:
        if entry is None and not choice.strip():
            raise IllegalMove("unknown", choice)
        return choice
    chosen = entry.move.raw[: menu.part + 1]
    return state.write(entry.move) if chosen == entry.move.raw else chosen


async def undo(at: At) -> Response:
    """Request to undo the guest's last decision."""
    form = await read_form(at.request)
    shown = number(form.get("version"), MOST_VERSIONS)

    def wish() -> None:
        at.still()
        at.sitting.wish(at.seat, shown)

    return await _done(at, wish)


async def answer(at: At) -> Response:
    """Agree to another player's undo request or refuse it, or withdraw an own one."""
    form = await read_form(at.request)
    shown = number(form.get("version"), MOST_VERSIONS)

    def agree() -> None:
        at.still()
        if form.get("answer") == "never":
            at.sitting.unwish(at.seat)
        else:
            at.sitting.agree(at.seat, form.get("answer") == "yes", shown)

    return await _done(at, agree)


async def _done(at: At, work: Callable[[], None]) -> Response:
    try:
        await at.host.do(at.sitting, work)
    except TOLD as error:
        return await at.wrong(error)
    return await at.done()


async def settings(at: At) -> Response:
    """Change the guest's settings: language, name, colour scheme, forecasts."""
    form, guest = await read_form(at.request), at.guest
    if form.get("lang") in dict(at.host.languages):
        guest.language = form["lang"]
    if form.get("scheme") in SCHEMES:
        guest.scheme = form["scheme"]
    if "lang" in form:
        guest.foretell = "forecasts" in form
    at.sitting.dirty = True

    def rename() -> None:
        at.still()
        name = clean(form.get("name", ""))
        if not name or not at.sitting.plays(at.seat):
            return
        at.host.guests.require_other_name(at.sitting.key, at.seat, name, at.sitting.table.names)
        guest.name = name
        at.sitting.sit(at.seat, at.sitting.match.seats[at.seat].kind, name)

    return await _done(at, rename)


async def leave(at: At) -> Response:
    """Leave the table."""
    await read_form(at.request)
    with at.host.guests.lock:
        at.guest.seats.pop(at.sitting.key, None)
    at.sitting.dirty = True
    # If the change cannot be saved now, it is saved as soon as possible.
    with contextlib.suppress(OSError, StaleError):
        await at.host.do(at.sitting, at.sitting.raise_version)
    return RedirectResponse("/", SEE_OTHER)


# ---- host ----------------------------------------------------------------------------------------------------------


async def seat(at: At) -> Response:
    """Give a seat to a bot or a human, or create a new link for it."""
    form, sitting = await read_form(at.request), at.sitting
    which = number(form.get("seat"), len(sitting.match.seats) - 1)
    do, kind = form.get("do"), form.get("kind", "easy")
    name = sitting.table.names[which]
    if do == "bot" and (not is_bot(kind) or len(kind) > 20):
        raise FormError(400)
    try:
        if do == "link":
            at.host.guests.leave(sitting.key, which)
            at.host.guests.invite("seat", sitting.key, which)
            sitting.dirty = True
            await at.host.do(sitting, sitting.raise_version)
        if do in ("human", "link"):
            await at.host.do(sitting, sitting.sit, which, HUMAN, name)
        elif do == "bot":
            await at.host.do(sitting, sitting.sit, which, kind, name)
        else:
            raise FormError(400)
    except TOLD as error:
        problem = told(error, at.host.words(at.guest.language))
        return html(await asyncio.to_thread(lambda: pages.lobby_page(lobby(at.host, at.guest, problem))), WRONG)
    return RedirectResponse("/", SEE_OTHER)


async def close(at: At) -> Response:
    """Close a table; its save remains."""
    await read_form(at.request)
    with contextlib.suppress(OSError):
        await at.host.close(at.sitting.key)
    return RedirectResponse("/", SEE_OTHER)


async def rematch(at: At) -> Response:
    """Start a rematch with rotated seats, at the request of a player or the host."""
    await read_form(at.request)
    if not (at.guest.host or at.sitting.plays(at.seat)):
        return said(at.request, "no_seat", 403)

    def again() -> None:
        at.still()
        if not at.sitting.match.state.over:
            raise StaleError
        at.host.begin_again(at.sitting)

    return await _done(at, again)


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
