"""Non-interference: all answers to a guest, byte by byte, are independent of state hidden from their seat."""

from __future__ import annotations

import asyncio
import random
import re
from collections import OrderedDict
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import httpx2 as httpx
import pytest

from tests.properties.permuter import random_match, twin
from tests.properties.shown import SMALL, load_game
from tests.web.hosting import ADDRESS, CACHE, NAMES, Tables, Time, new_host
from tests.web.viewings import LANGUAGES
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.library import builtin_names, load
from wongar_dsl.engine.match import Match
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import forced_move
from wongar_dsl.web import render_worker
from wongar_dsl.web.app import application
from wongar_dsl.web.host import Host, VersionNotifier, versions
from wongar_dsl.web.store import Guest, OpenTable, digest
from wongar_dsl.web.table_session import TableSession

OPEN = {"nim", "tictactoe", "connect_four"}
#: Numbers of decisions before the comparison.
LENGTHS = (0, 1, 3, 12)
GAMES: list[tuple[str, Path | None]] = [(name, None) for name in builtin_names() if name not in OPEN]
GAMES += SMALL.items()
#: Games with the language of their pages, which takes time to load.
EVERY = [(name, path, language) for (name, path), language in zip(GAMES, cycle(LANGUAGES), strict=False)]
PAGES = ("", "/part", "/story", "/rules", "/version", "/replay?n=1&view=all")
TOKEN = "a-token-of-a-test"


def without_tokens(text: str) -> str:
    return re.sub(r'(name="once" value=")[^"]*', r"\1", text)


def hosted_match(folder: Path, match: Match, file: str, language: str, seat: int) -> tuple[Host, TableSession]:
    """Return a host with a match on its table."""
    host = new_host(folder)
    rules = load(file or match.game.name, Cache(CACHE))
    match.rules_hash = rules.hash
    table = GameSession(rules, match, host.worker_settings.words("en", rules), file, folder / "a.json")
    # Seat 0 is taught the game if it has a lesson.
    table_session = TableSession("t", table, OpenTable("a.json", learn=True), host.clock)
    host.table_sessions["t"], host.notifiers["t"] = table_session, VersionNotifier()
    host.store.guests[digest(TOKEN)] = Guest(language, "P", seats={"t": seat}, seen=2**40)
    return host, table_session


def new_worker_caches() -> SimpleNamespace:
    """Return empty caches for workers; unlike those of `render_worker`, all threads share them."""
    return SimpleNamespace(replicas=OrderedDict(), games=OrderedDict(), words=OrderedDict(), books=OrderedDict())


def comparable(answer: httpx.Response) -> tuple[object, ...]:
    return answer.status_code, sorted(answer.headers.items()), without_tokens(answer.text)


async def all_answers(host: Host, session: TableSession, choice: str | None) -> list[object]:
    """Return all answers to a guest: pages, wrong and stale choices, and the event stream."""
    answers: list[object] = []
    app = application(host, NAMES, Time())
    # In the event loop of the application: a client in another thread takes most of the time.
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=ADDRESS, cookies={host.store.cookie: TOKEN},
        headers={"origin": ADDRESS},
    )  # fmt: skip
    async with client:
        answers += [comparable(await client.get(f"/t/t{page}")) for page in PAGES]
        legal, drawing = {"choice": choice or "pass"}, {"drawing": "A"}
        now = [{"choice": "nonsense(1)"}, drawing, {"back": "1"}, *([legal] if choice is None else [])]
        for version, sent in [*((session.version, sent) for sent in now), (5, legal), (5, drawing)]:
            answers.append(comparable(await client.post("/t/t/move", data={"version": str(version), **sent})))
        answers.append(comparable(await client.post("/t/t/undo", data={"version": "5"})))
        stream = versions(host.notifiers["t"], lambda: session.version, None, 0.01)
        answers += [await anext(stream) for _ in range(3)]
    await host.shutdown()
    return answers


@pytest.fixture
def complete_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for all forecasts, since the number ready in time depends on the machine."""
    monkeypatch.setattr(render_worker, "FIRST_FORECAST_S", 60.0)
    monkeypatch.setattr(render_worker, "FIRST_FORECAST_BUSY_S", 60.0)


@pytest.mark.usefixtures("complete_forecasts")
@pytest.mark.parametrize(("name", "path", "language"), EVERY, ids=[name for name, *_ in EVERY])
def test_answers_do_not_depend_on_hidden_state(
    name: str, path: Path | None, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two sides share no texts and no game, so that neither gets an answer that was made for the other."""
    file = str(path) if path is not None else ""
    caches = new_worker_caches(), new_worker_caches()
    seats = load(file or name, Cache(CACHE)).model.players[0]
    compared = 0
    for number, length in enumerate(LENGTHS):
        match = random_match(load_game(name, seats), length, length)
        if match.state.over or forced_move(match.state) == "public":
            continue
        for seat in {match.state.seat, length % seats}:
            permuted = twin(match, seat, random.Random(seats * 100 + length))
            if permuted is None:
                continue
            compared += 1
            moves = match.state.legal_moves() if seat == match.state.seat else []
            choice = match.state.write(moves[0]) if moves else None
            both = []
            for side, variant in enumerate((match, permuted)):
                folder = tmp_path / f"{number}-{seat}-{side}"
                folder.mkdir()
                monkeypatch.setattr(render_worker, "_cache", caches[side])
                caches[side].replicas.clear()
                host, table_session = hosted_match(folder, variant, file, language, seat)
                both.append(asyncio.run(all_answers(host, table_session, choice)))
                table_session.session.close()
            for mine, theirs in zip(*both, strict=True):
                assert mine == theirs
    assert compared


def test_forced_hidden_choice_looks_like_any_other(tables: Tables) -> None:
    """In the last round of bids each seat has one card; the version does not show that."""
    played = tables.open("goofspiel")
    raised = []
    while not played.table_session.match.state.over:
        seat = next(iter(played.table_session.pending))
        before, options = played.table_session.version, len(played.table_session.pending[seat].state.options())
        played.play(1)
        raised.append((options, played.table_session.version - before))
    assert {options for options, _ in raised} >= {1, 2}
    assert {step for _, step in raised} == {1}


def test_all_streams_receive_the_same_versions() -> None:
    async def listen() -> list[list[bytes]]:
        notifier, version = VersionNotifier(), [7]
        streams = [versions(notifier, lambda: version[0], None, 5) for _ in range(3)]
        heard: list[list[bytes]] = [[await anext(stream), await anext(stream)] for stream in streams]
        for now in (8, 9):
            waiting = [asyncio.ensure_future(anext(stream)) for stream in streams]
            await asyncio.sleep(0.01)
            version[0] = now
            notifier.notify()
            for stream, got in zip(heard, await asyncio.gather(*waiting), strict=True):
                stream.append(got)
        return heard

    heard = asyncio.run(listen())
    assert heard[0] == heard[1] == heard[2]
    assert heard[0][1:] == [f'id: {n}\ndata: {{"version": {n}}}\n\n'.encode() for n in (7, 8, 9)]


@pytest.mark.parametrize("game", ["kuhn_poker", "goofspiel"])
def test_answers_do_not_contain_the_seed(game: str, tables: Tables) -> None:
    seed = 918273645546372819
    played = tables.open(game, seed=seed)
    for _ in range(4):
        for browser in played.seated:
            for page in PAGES:
                answer = browser.get(f"{browser.key}{page}")
                assert str(seed) not in answer.text + str(answer.headers)
        played.play(1)
