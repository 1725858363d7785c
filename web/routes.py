"""Routes: start page, lobby, invitations, and tables with the requests of their guests."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import IllegalMove, Move, PlayFault, State
from wongar_dsl.engine.bots import is_bot
from wongar_dsl.engine.library import load
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.nlg.narration import Narrator, illegal_move, narrator
from wongar_dsl.nlg.words import Text, Translator, Value, negotiate
from wongar_dsl.session.decisions import MAX_ANSWERS, repeat_limits
from wongar_dsl.session.game_session import SUFFIX
from wongar_dsl.session.menu import MAX_LISTED_OPTIONS, Menu
from wongar_dsl.session.puzzle import CoveringFault
from wongar_dsl.session.seats import SessionSetupError, clean_name, read_seats
from wongar_dsl.session.tutorial import lesson_of

from . import pages
from .host import Host, NoSeatError, TooManyError, versions
from .render_worker import BookRequest, legal_parts, read_parts
from .security import FormError, cookie, parse_number, read_form
from .store import MAX_SPECTATORS, WATCHING, Guest, Invitation, InvitationError
from .table_session import (
    HUMAN,
    DrawingError,
    NotSavedError,
    RepeatedAnswerError,
    StaleError,
    TableSession,
    UndoBarrierError,
)
from .views.lobby_view import book_of_game, chosen_seats, chosen_settings, lobby, new_table_view
from .views.turn_view import FIELD, Parts, write_parts
from .views.view_models import FreeSeat

#: Lifetime in seconds of the session cookie.
COOKIE_TTL_S = 60 * 86_400
SEE_OTHER, STALE, WRONG = 303, 409, 422
#: Answers a request.
Endpoint = Callable[[Request], Awaitable[Response]]
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
    return host_of(request).store.guest(token_of(request))


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


def message_response(request: Request, name: str, status: int, link: str = "", link_name: str = "") -> HTMLResponse:
    """Return a page with the message `serve.NAME` and its heading `serve.NAME.title`."""
    words = words_of(request)
    text = words.say(link_name) if link_name else ""
    guest = guest_of(request)
    scheme = guest.scheme if guest is not None else "auto"
    title = words.say(f"serve.{name}.title")
    return HTMLResponse(pages.message_page(words, title, [words.say(f"serve.{name}")], link, text, scheme), status)


def set_cookie(request: Request, response: Response, token: str) -> Response:
    """Set the session cookie, inaccessible to scripts and other sites."""
    response.set_cookie(
        host_of(request).store.cookie, token, max_age=COOKIE_TTL_S, path="/", httponly=True, samesite="strict"
    )
    return response


#: Exceptions that a route reports to the user, and their messages where these do not depend on the table.
MESSAGES: dict[type[Exception], str] = {
    SaveError: "serve.save",
    NotSavedError: "serve.not_kept",
    OSError: "cli.not_saved",
    PlayFault: "cli.fault",
    RulesError: "cli.fault",
    TooManyError: "serve.too_many_tables",
    StaleError: "serve.stale",
    RepeatedAnswerError: "serve.series",
    SessionSetupError: "serve.not_possible",
    IllegalMove: "serve.not_possible",
    DrawingError: "serve.not_possible",
    UndoBarrierError: "serve.not_possible",
}
REPORTED = tuple(MESSAGES)


def error_text(error: Exception, words: Translator) -> str:
    """Return the message for an error that does not depend on the table."""
    if isinstance(error, SessionSetupError):
        details: dict[str, Value] = dict(error.details)
        if "low" in details and "option" in details:
            details["allowed"] = Text(words.say("cli.from_to", low=details.pop("low"), high=details.pop("high")))
        return words.say(f"cli.{error.reason}", None, **details)
    if isinstance(error, SaveError) and error.reason == "in_use":
        return words.say("serve.in_use")
    return words.say(next(message for kind, message in MESSAGES.items() if isinstance(error, kind)))


def table_error_text(error: Exception, table_session: TableSession, words: Translator, seat: int) -> str:
    """Return the message for an error in a seat's request. The caller holds the lock of the table."""
    narrator = Narrator(table_session.match.game, words, table_session.session.names)
    match error:
        case IllegalMove():
            pending = table_session.pending.get(seat)
            why = illegal_move.explain(error, pending.state, narrator, seat) if pending is not None else []
            return " ".join(why) or words.say("serve.not_possible")
        case DrawingError(fault=CoveringFault() as fault):
            row, column = (index + 1 for index in fault.spot)
            return words.say(f"cli.puzzle.{fault.kind}", None, piece=Text(fault.piece), row=row, column=column)
        case DrawingError():
            return words.say("cli.puzzle.wrong")
        case RepeatedAnswerError() if (limit := repeat_error(error.state, error.wanted)) is not None:
            move, n = limit
            if move is None:
                return words.say("serve.series.all", None, n=n)
            return words.say("serve.series.most", None, option=Text(narrator.option(error.state, move)), n=n)
        case UndoBarrierError():
            event = error.barrier.event
            shown = narrator.event(event, seat) if event is not None else None
            return " ".join(filter(None, (words.say(f"cli.cannot_undo.{error.barrier.reason}"), shown)))
    return error_text(error, words)


def repeat_error(state: State, wanted: Mapping[Move, int]) -> tuple[Move | None, int] | None:
    """Return why counts are too large: a move and its maximum, or None and the maximum total.

    Returns None if the counts only do not fit together.
    """
    times, most = repeat_limits(state)
    for move, number in wanted.items():
        if number > most.get(move, times):
            return move, most.get(move, times)
    return (None, times) if sum(wanted.values()) > times else None


def read_counts(form: Mapping[str, str]) -> dict[str, int]:
    """Parse the submitted counts; an empty field means 0; raise `FormError` if a count is no number."""
    numbers = {}
    for name, text in form.items():
        if name.startswith(FIELD) and text.strip():
            if not (text.isascii() and text.strip().isdigit()) or len(text) > 6:
                raise FormError(400)
            numbers[name.removeprefix(FIELD)[:1000]] = min(int(text), MAX_ANSWERS + 1)
    return {option: number for option, number in numbers.items() if number}


def _invitation(request: Request) -> Invitation | None:
    """Return the invitation of the token in the path; None for an invalid one."""
    try:
        return host_of(request).store.invitation(request.path_params["key"])
    except InvitationError:
        return None


async def join(request: Request) -> Response:
    """Show an invitation, where the guest chooses seat, name and language; accept it on POST."""
    invitation = _invitation(request)
    if invitation is None:
        return message_response(request, "no_invitation", 404)
    if request.method == "POST":
        return await _accept(request, invitation)
    return HTMLResponse(_join_page(request, invitation, language_of(request)))


def _join_page(request: Request, invitation: Invitation, language: str, name: str = "", problem: str = "") -> str:
    host, guest = host_of(request), guest_of(request)
    words = host.words(language)
    action = f"/join/{request.path_params['key']}"
    name = name or (guest.name if guest is not None else "")
    languages = host.languages
    table_session = host.table_sessions.get(invitation.table)
    if invitation.kind == "host" or table_session is None:
        title = words.say("serve.host.title")
        return pages.join_page(words, title, action, (), False, languages, name, problem, True)
    places = _places(host, table_session, invitation, guest)
    spoken = host.spoken(words.language, table_session.session.rules)
    title = narrator.title(spoken, table_session.match.game.name)
    watch = invitation.kind in ("any", "watch")
    if not problem and invitation.kind != "watch" and not any(place.free for place in places):
        if host.required_seats(table_session, guest):
            problem = words.say("serve.other_seat")
        elif not watch:
            title, problem = (words.say(f"serve.no_invitation{part}") for part in (".title", ""))
    return pages.join_page(words, title, action, places, watch, languages, name, problem)


def _places(host: Host, table_session: TableSession, invitation: Invitation, guest: Guest | None) -> list[FreeSeat]:
    """Return the seats of an invitation that are taken or that the guest can take; the guest's own counts as free."""
    if invitation.kind == "watch":
        return []
    free = host.free_seats(table_session, guest)
    everyone = range(len(table_session.match.seats))
    shown = free | {n for n in everyone if table_session.is_human(n) and host.store.is_seated(table_session.key, n)}
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
            host.store.require_other_name(table_session.key, seat, name, table_session.session.names, guest)
    except SessionSetupError as error:
        problem = error_text(error, host.words(language))
        return HTMLResponse(_join_page(request, invitation, language, form.get("name", ""), problem), 422)
    try:
        key = request.path_params["key"]
        token, guest = host.store.redeem_invitation(key, token_of(request), seat, language, free)
    except InvitationError:
        bound = table_session is not None and seat not in (host.required_seats(table_session, guest) or {seat})
        why = host.words(language).say("serve.other_seat" if bound else "serve.taken")
        return HTMLResponse(_join_page(request, invitation, language, name, why), 409)
    guest.name = name or guest.name
    if table_session is None:
        with contextlib.suppress(OSError):
            await asyncio.to_thread(host.store.write)
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


async def front(request: Request) -> Response:
    """Serve the start page: the lobby for the host, for guests the way to their tables."""
    guest = guest_of(request)
    host = host_of(request)
    if guest is None:
        return message_response(request, "no_guest", 403)
    if guest.host:
        return await _lobby(host, guest, code=request.query_params.get("code", ""))
    tables = [key for key in guest.seats if key in host.table_sessions]
    if len(tables) == 1:
        return RedirectResponse(f"/t/{tables[0]}", SEE_OTHER)
    if not tables:
        return message_response(request, "no_table", 404)
    return message_response(request, "your_tables", 200, f"/t/{tables[-1]}", "serve.to_table")


def _for_host(
    handler: Callable[[Request, Host, Guest], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return the route handler of a page that only the host may use."""

    async def handle(request: Request) -> Response:
        guest = guest_of(request)
        if guest is None or not guest.host:
            return message_response(request, "no_host", 403)
        return await handler(request, host_of(request), guest)

    return handle


async def _lobby(host: Host, guest: Guest, problem: str = "", code: str = "") -> Response:
    """Return the lobby, with an error message unless `problem` is empty."""
    page = await asyncio.to_thread(lambda: pages.lobby_page(**lobby(host, guest, problem, code)))
    return HTMLResponse(page, WRONG if problem else 200)


@_for_host
async def new(request: Request, host: Host, guest: Guest) -> Response:
    """Serve the form for a new table."""
    name = request.query_params.get("game", "")
    try:
        return HTMLResponse(await asyncio.to_thread(lambda: pages.new_page(**new_table_view(host, guest, name, {}))))
    except KeyError:
        return message_response(request, "nothing", 404)


@_for_host
async def tables(request: Request, host: Host, guest: Guest) -> Response:
    """Create a table from the submitted form."""
    form = await read_form(request)
    name, words = form.get("game", ""), host.words(guest.language)
    try:
        page = await asyncio.to_thread(new_table_view, host, guest, name, form)
    except KeyError:
        return message_response(request, "nothing", 404)
    try:
        table_session = await asyncio.to_thread(partial(_create_table, host, name, form, page["game"].high))
    except REPORTED as error:
        form_page = new_table_view(host, guest, name, form, error_text(error, words))
        return HTMLResponse(await asyncio.to_thread(partial(pages.new_page, **form_page)), 422)
    await host.warm_up(table_session)
    return RedirectResponse("/", SEE_OTHER)


def _create_table(host: Host, name: str, form: Mapping[str, str], high: int) -> TableSession:
    rules = load(name, Cache(Path(host.worker_settings.cache)))
    lesson = lesson_of(rules) if form.get("learn") else None
    if lesson is not None:
        return host.create_table(name, lesson.seats, (), lesson.seed, guided=True)
    return host.create_table(name, read_seats(chosen_seats(form, high)), chosen_settings(rules, form))


@_for_host
async def saves(request: Request, host: Host, guest: Guest) -> Response:
    """Resume a saved game."""
    form = await read_form(request)
    file = form.get("file", "")
    # Only plain names of files in the folder of saves are accepted.
    is_plain_name = file == Path(file).name and file.isprintable() and "\\" not in file
    if not is_plain_name or not file.endswith(SUFFIX) or file.startswith("."):
        return message_response(request, "nothing", 404)
    try:
        table_session = await asyncio.to_thread(host.resume, host.saves / file)
    except REPORTED as error:
        return await _lobby(host, guest, error_text(error, host.words(guest.language)))
    await host.warm_up(table_session)
    return RedirectResponse("/", SEE_OTHER)


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
            return HTMLResponse(
                await self.host.page(self.table_session, self.guest, page, chosen, note, replay), status
            )
        except NoSeatError:
            return message_response(self.request, "no_seat", 403)

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


def at(handler: Handler, seated: bool = False, host: bool = False) -> Endpoint:
    """Return the route handler of a table, for all guests, those who are `seated`, or the host."""

    async def handle(request: Request) -> Response:
        table_host, guest = host_of(request), guest_of(request)
        table_session = table_host.table_sessions.get(request.path_params["table"])
        if guest is None:
            return message_response(request, "no_guest", 403)
        if table_session is None:
            return message_response(request, "no_table", 404)
        seat = table_host.store.seat(guest, table_session.key)
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


async def replay(request: TableRequest) -> Response:
    """Return a step of a finished game."""
    if not request.table_session.match.state.over:
        return message_response(request.request, "not_over", 404, request.key, "web.back.to.table")
    query = request.request.query_params
    step = parse_number(query.get("n", "0"), MAX_VERSION)
    everything = query.get("view", "all" if request.seat == WATCHING else "own") == "all"
    return await request.page("replay", replay=(step, everything))


async def rules(request: TableRequest) -> Response:
    """Return the rulebook of the table, with its settings and for its number of players."""
    snapshot = await asyncio.to_thread(request.table_session.snapshot)
    book = BookRequest(snapshot.name, snapshot.rules, snapshot.settings, len(snapshot.seats), request.guest.language)
    return await _book(request.request, request.host, request.guest, book, request.key)


@_for_host
async def rulebook(request: Request, host: Host, guest: Guest) -> Response:
    """Return the rulebook of a game in the list of games."""
    name = request.query_params.get("game", "")
    try:
        book = await asyncio.to_thread(book_of_game, host, name, guest.language)
    except KeyError:
        return message_response(request, "nothing", 404)
    return await _book(request, host, guest, book, "/")


async def _book(request: Request, host: Host, guest: Guest, book: BookRequest, back: str) -> Response:
    try:
        title, content = await host.book(book)
    except TooManyError:
        return message_response(request, "too_many", 429)
    return HTMLResponse(pages.book_page(host.words(guest.language), title, content, back, guest.scheme))


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
        return None if is_closed or host.store.seat(guest, key) != seat else request.table_session.version

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
        if table_session.was_submitted(request.seat, once):
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
                table_session.mark_submitted(request.seat, once)
        return ()

    return await _respond(request, decide)


def _next_part(table_session: TableSession, seat: int, shown: int, form: Mapping[str, str]) -> Parts | str:
    """Return the complete choice as text, or the parts chosen so far; raise `StaleError` or `IllegalMove`."""
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
    shown = parse_number((await read_form(request.request)).get("version"), MAX_VERSION)
    return await _respond(request, lambda: request.table_session.request_undo(request.seat, shown))


async def answer(request: TableRequest) -> Response:
    """Agree to another player's undo request or refuse it, or withdraw an own one."""
    form = await read_form(request.request)
    shown = parse_number(form.get("version"), MAX_VERSION)

    def agree() -> None:
        if form.get("answer") == "never":
            request.table_session.cancel_undo_request(request.seat)
        else:
            request.table_session.vote_undo(request.seat, form.get("answer") == "yes", shown)

    return await _respond(request, agree)


async def _respond(request: TableRequest, work: Callable[[], Parts | None]) -> Response:
    """Return the answer to a request after its work, which returns the parts chosen of an incomplete choice."""

    def locked() -> Parts | None:
        # The guest's seat can change while the request waits for the lock.
        if request.host.store.seat(request.guest, request.table_session.key) != request.seat:
            raise StaleError
        return work()

    try:
        chosen = await request.host.run_exclusive(request.table_session, locked)
    except REPORTED as error:
        return await request.failure_response(error)
    return await request.success_response(chosen or ())


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
        name = clean_name(form.get("name", ""))
        if not name or not request.table_session.is_human(request.seat):
            return
        request.host.store.require_other_name(
            request.table_session.key, request.seat, name, request.table_session.session.names
        )
        guest.name = name
        request.table_session.set_occupant(request.seat, request.table_session.match.seats[request.seat].kind, name)

    return await _respond(request, rename)


async def leave(request: TableRequest) -> Response:
    """Leave the table."""
    await read_form(request.request)
    with request.host.store.lock:
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
            request.host.store.release_seat(table_session.key, which)
            request.host.store.invite("seat", table_session.key, which)
            table_session.dirty = True
            await request.host.run_exclusive(table_session, table_session.raise_version)
        if do in ("human", "link"):
            await request.host.run_exclusive(table_session, table_session.set_occupant, which, HUMAN, name)
        elif do == "bot":
            await request.host.run_exclusive(table_session, table_session.set_occupant, which, kind, name)
        else:
            raise FormError(400)
    except REPORTED as error:
        return await _lobby(request.host, request.guest, error_text(error, request.host.words(request.guest.language)))
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
        if not request.table_session.match.state.over:
            raise StaleError
        request.host.rematch(request.table_session)

    return await _respond(request, again)


def _post(path: str, handler: Handler, **who: bool) -> Route:
    return Route(f"/t/{{table}}/{path}", at(handler, **who), methods=["POST"], name=path)


ROUTES = [
    Route("/join/{key}", join, methods=["GET", "POST"]),
    Route("/", front),
    Route("/new", new),
    Route("/rules", rulebook),
    Route("/tables", tables, methods=["POST"]),
    Route("/saves", saves, methods=["POST"]),
    Route("/t/{table}", at(table)),
    Route("/t/{table}/story", at(partial(TableRequest.page, page="story"))),
    *(Route(f"/t/{{table}}/{route.__name__}", at(route)) for route in (part, rules, replay, version, events)),
    *(_post(route.__name__, route, seated=True) for route in (move, undo, answer)),
    _post("settings", settings),
    _post("leave", leave),
    _post("rematch", rematch),
    *(_post(route.__name__, route, host=True) for route in (seat, close)),
]
