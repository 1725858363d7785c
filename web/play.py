"""What is asked for at a table: its pages, its versions, and what those who sit there send."""

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
#: The greatest version, and so many streams to one seat and of one guest.
MOST_VERSIONS, MOST_STREAMS = 10**12, 8
SCHEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class At:
    """A request of a guest at a table: `seat` is `WATCHING` for who has none."""

    request: Request
    host: Host
    sitting: Sitting
    guest: Guest
    seat: int

    @property
    def key(self) -> str:
        """What the paths of the table begin with."""
        return f"/t/{self.sitting.key}"

    @property
    def scripted(self) -> bool:
        """Whether a script asks, which puts the answer into its page."""
        return self.request.headers.get("x-part") == "1"

    async def page(
        self, page: str, status: int = 200, chosen: Parts = (), note: str = "", replay: tuple[int, bool] = (0, False)
    ) -> Response:
        """A page of the table."""
        try:
            return html(await self.host.page(self.sitting, self.guest, page, chosen, note, replay), status)
        except NoSeatError:
            return said(self.request, "no_seat", 403)

    def still(self) -> None:
        """Raise `StaleError` for who does not sit any more where they sat when they sent this; for who holds the
        table."""
        if self.host.guests.seat(self.guest, self.sitting.key) != self.seat:
            raise StaleError

    async def done(self, chosen: Parts = ()) -> Response:
        """The answer to what was done: the new part for a script, else the way to the page."""
        if self.scripted:
            return await self.page("part", 200, chosen)
        return RedirectResponse(f"{self.key}?part={write_parts(chosen)}" if chosen else self.key, SEE_OTHER)

    async def wrong(self, error: Exception) -> Response:
        """The answer to what could not be done, or not be kept: the page as it is now, with a note."""
        words = self.host.words(self.guest.language)

        def note() -> str:
            with self.sitting.lock:
                return told_at(error, self.sitting, words, self.seat)

        text = await asyncio.to_thread(note)
        status = STALE if isinstance(error, StaleError) else 200 if isinstance(error, NotKeptError) else WRONG
        return await self.page("part" if self.scripted else "table", status, note=text)


Handler = Callable[[At], Awaitable[Response]]


def at(handler: Handler, seated: bool = False, host: bool = False) -> Callable[[Request], Awaitable[Response]]:
    """A route of a table: for its guests, for those who are `seated`, or for who hosts."""

    async def handle(request: Request) -> Response:
        here, guest = host_of(request), guest_of(request)
        sitting = here.sittings.get(request.path_params["table"])
        if guest is None:
            return said(request, "no_guest", 403)
        if sitting is None:
            return said(request, "no_table", 404)
        seat = here.guests.seat(guest, sitting.key)
        if seat is None:
            return said(request, "no_seat", 403)
        if (seated and seat == WATCHING) or (host and not guest.host):
            return said(request, "no_host" if host else "no_seat", 403)
        here.presence.see(sitting.key, seat)
        return await handler(At(request, here, sitting, guest, seat))

    return handle


# ---- to be looked at -----------------------------------------------------------------------------------------------


async def table(at: At) -> Response:
    """The whole page."""
    return await at.page("table", chosen=read_parts(at.request.query_params.get("part", "")))


async def part(at: At) -> Response:
    """The part of the page that changes; nothing where it has not."""
    shown = at.request.query_params.get("version", "")
    if shown == str(at.sitting.version):
        return Response(status_code=204)
    return await at.page("part", chosen=read_parts(at.request.query_params.get("part", "")))


async def story(at: At) -> Response:
    """All that happened."""
    return await at.page("story")


async def rules(at: At) -> Response:
    """The rules in short."""
    return await at.page("rules")


async def replay(at: At) -> Response:
    """A step of a game that is over."""
    if not at.sitting.match.state.over:
        return said(at.request, "nothing", 404)
    asked = at.request.query_params
    step = number(asked.get("n", "0"), MOST_VERSIONS)
    everything = asked.get("view", "all" if at.seat == WATCHING else "own") == "all"
    return await at.page("replay", replay=(step, everything))


async def version(at: At) -> Response:
    """The version, for who polls."""
    return JSONResponse({"version": at.sitting.version})


async def events(at: At) -> Response:
    """The versions as they come."""
    host, key, seat = at.host, at.sitting.key, at.seat
    most = MOST_WATCHING if seat == WATCHING else MOST_STREAMS
    if host.presence.streams(key, seat) >= most or host.presence.streams_of(at.guest) >= MOST_STREAMS:
        return Response(status_code=429, headers={"retry-after": "5"})
    last = at.request.headers.get("last-event-id", "")
    known = int(last) if last.isascii() and last.isdigit() and len(last) < 13 else None
    guest = at.guest

    def now() -> int | None:
        """The version; None for who must not hear any more."""
        gone = host.closed or host.sittings.get(key) is not at.sitting
        return None if gone or host.guests.seat(guest, key) != seat else at.sitting.version

    async def stream() -> AsyncIterator[bytes]:
        host.presence.come(key, seat, guest)
        try:
            async for message in versions(host.bells[key], now, known):
                yield message
        finally:
            host.presence.go(key, seat, guest)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


# ---- to be sent ----------------------------------------------------------------------------------------------------


async def move(at: At) -> Response:
    """Somebody decides, or chooses a part of what they decide."""
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
            # A decision that could not be kept was made all the same.
            if sitting.version != before:
                sitting.remember(f"{at.seat} {once}" if once else "")
        return ()

    try:
        return await at.done(await at.host.do(sitting, decide))
    except TOLD as error:
        return await at.wrong(error)


def _next_part(sitting: Sitting, seat: int, shown: int, form: Mapping[str, str]) -> Parts | str:
    """What was chosen as text; where that is but a part, all parts so far.  Raises `StaleError`, `IllegalMove`."""
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
    """Somebody wishes to take back their last decision."""
    form = await read_form(at.request)
    shown = number(form.get("version"), MOST_VERSIONS)

    def wish() -> None:
        at.still()
        at.sitting.wish(at.seat, shown)

    return await _done(at, wish)


async def answer(at: At) -> Response:
    """Somebody agrees that another one takes back, or does not; who wished it can let it be."""
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
    """How somebody likes it: language, name, colours, forecasts."""
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
    """Somebody stands up."""
    await read_form(at.request)
    with at.host.guests.lock:
        at.guest.seats.pop(at.sitting.key, None)
    at.sitting.dirty = True
    # Where that cannot be kept now, it will be as soon as it can.
    with contextlib.suppress(OSError, StaleError):
        await at.host.do(at.sitting, at.sitting.raise_version)
    return RedirectResponse("/", SEE_OTHER)


# ---- who hosts -----------------------------------------------------------------------------------------------------


async def seat(at: At) -> Response:
    """A seat is given to a bot, to a person again, or to whoever has a new link."""
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
    """A table is closed; its save stays."""
    await read_form(at.request)
    with contextlib.suppress(OSError):
        await at.host.close(at.sitting.key)
    return RedirectResponse("/", SEE_OTHER)


async def rematch(at: At) -> Response:
    """The same game again, with the seats turned, as whoever plays or hosts wishes."""
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
    *(Route(f"/t/{{table}}/{one.__name__}", at(one)) for one in (part, story, rules, replay, version, events)),
    *(_post(one.__name__, one, seated=True) for one in (move, undo, answer)),
    _post("settings", settings),
    _post("leave", leave),
    _post("rematch", rematch),
    *(_post(one.__name__, one, host=True) for one in (seat, close)),
]
