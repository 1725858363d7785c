"""The server in a process of its own: event streams, sudden termination and startup output."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
import pytest

from tests.cli.command import START
from tests.web.hosting import CACHE, Browser
from wongar_dsl.cli.main import main
from wongar_dsl.engine.saves import read_save

#: Clients of the running server.
CLIENTS: list[httpx.Client] = []


class StartupOutput(NamedTuple):
    """Text that a server prints at its start, and the links in it."""

    text: str
    links: list[str]


@contextmanager
def server(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], StartupOutput]]:
    """Start a server and yield it with its startup output; kill it at the end."""
    environment = os.environ | {"XDG_CACHE_HOME": str(CACHE), "WONGAR_LANG": "en", "PYTHONUTF8": "1"}
    # A process in the background of a shell ignores it, and so would the server.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [*START, "serve", *arguments, "--port", "0", "--save-dir", str(folder), "--backend", "python"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        text = ""
        while "Ctrl-C" not in text and (line := process.stdout.readline()):
            text += line
        yield process, StartupOutput(text, re.findall(r"http://\S+", text))
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        while CLIENTS:
            CLIENTS.pop().close()


def join_two(links: list[str]) -> tuple[Browser, Browser]:
    first, second = (guest_of(links[0]) for _ in range(2))
    for seat, guest in enumerate((first, second)):
        sent = guest.post(links[0], {"seat": str(seat), "name": f"P{seat}", "lang": "en"})
        guest.key = sent.headers["location"]
    return first, second


def guest_of(link: str) -> Browser:
    """Return a browser at the server of a link."""
    address = re.findall(r"http://[^/]+", link)[0]
    CLIENTS.append(httpx.Client(base_url=address, timeout=30))
    return Browser(CLIENTS[-1], origin={"origin": address})


def check_announcements(first: Browser, second: Browser) -> None:
    """Check that the event stream of one guest announces the decisions of another."""
    with second.client.stream("GET", f"{second.key}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        versions = next_versions(lines, 1)
        assert first.choose().status_code == 303
        versions += next_versions(lines, 1)
    assert versions[1] > versions[0]
    # A client that reconnects receives only newer versions.
    now = first.get(f"{first.key}/version").json()["version"]
    with second.client.stream("GET", f"{second.key}/events", headers={"last-event-id": str(now)}) as stream:
        lines = stream.iter_lines()
        assert second.choose().status_code == 303
        assert next_versions(lines, 1)[0] > now


def check_end(process: subprocess.Popen[str], sign: signal.Signals) -> None:
    """Check that a signal ends all processes of a server, and what it has printed then."""
    started = time.monotonic()
    process.send_signal(sign)
    assert process.wait(timeout=20) in (0, -sign, 128 + sign)
    assert time.monotonic() - started < 15
    assert process.stdout is not None
    said = process.stdout.read()
    assert not re.search("Traceback|resource_tracker", said)
    if Path("/proc").is_dir():
        assert session_ends(process.pid)


def next_versions(lines: Iterator[str], count: int) -> list[int]:
    """Return the next `count` versions of a stream; any other line must be a field without content."""
    numbers: list[int] = []
    for line in lines:
        if line.startswith("data: "):
            data = json.loads(line.removeprefix("data: "))
            assert list(data) == ["version"]
            numbers.append(data["version"])
            if len(numbers) == count:
                break
        else:
            assert re.fullmatch(r"|retry: \d+|:|id: \d+", line)
    return numbers


def test_killed_server_loses_no_decision_and_announces_all_until_a_signal_ends_it(tmp_path: Path) -> None:
    with server(tmp_path, "connect_four", "--seats", "human,human") as (process, output):
        assert "Only this computer" in output.text
        guests = join_two(output.links)
        assert [guests[number % 2].choose().status_code for number in range(4)] == [303] * 4
        cookies, key = [dict(guest.client.cookies) for guest in guests], guests[0].key
        check_end(process, signal.SIGKILL)
    (save,) = tmp_path.glob("*.json")
    assert len(read_save(save).choices) == 4
    with server(tmp_path) as (process, output):
        guests = guest_of(output.links[0]), guest_of(output.links[0])
        for guest, jar in zip(guests, cookies, strict=True):
            guest.client.cookies.update(jar)
            guest.key = key
        check_announcements(*guests)
        assert len(read_save(save).choices) == 6
        with guests[0].client.stream("GET", f"{key}/events") as stream:
            next(stream.iter_lines())
            check_end(process, signal.SIGTERM)


def session_ends(session: int) -> bool:
    """Return whether all processes of a session end within ten seconds."""
    for _ in range(100):
        if str(session) not in sessions():
            return True
        time.sleep(0.1)
    return False


def sessions() -> set[str]:
    """Return the session ids of all running processes."""
    running = set()
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, IndexError):
            state, _, _, session = (folder / "stat").read_text().rpartition(") ")[2].split()[:4]
            if state != "Z":
                running.add(session)
    return running


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that runs `wongar serve` in this process with faulty arguments and returns its message."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(CACHE))

    def run(*arguments: str) -> str:
        assert main(["serve", *arguments, "--save-dir", str(tmp_path), "--lang", "en"]) in (1, 2)
        return capsys.readouterr().err

    return run


def test_two_programs_do_not_host_the_same_tables(tmp_path: Path, refused: Callable[..., str]) -> None:
    with server(tmp_path, "--lan") as (process, output):
        assert "unencrypted" in output.text
        assert "already being hosted" in refused("--port", "0")
        check_end(process, signal.SIGINT)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--lan", "--host", "127.0.0.1"], "not both"),
        (["--seats", "human,human"], "name a game too"),
        (["--host", "203.0.113.7", "--port", "0"], "no such address"),
        (["nim", "--seats", "human", "--port", "0"], "This game is for"),
        (["nosuchgame", "--port", "0"], "nosuchgame"),
        (["--port", "70000"], "70000"),
    ],
)
def test_invalid_serve_arguments_are_reported(arguments: list[str], said: str, refused: Callable[..., str]) -> None:
    assert said in refused(*arguments)
