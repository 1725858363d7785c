"""The server itself: where it listens, by which names it is called, and its limits."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from wongar_dsl.cache import Cache

from .host import Host
from .rendering import Program

#: The port that is listened at where nobody says another one.
PORT = 8642
HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
#: So many connections there are at the same time.
AT_ONCE = 512
#: For so many seconds those who listen are waited for at the end.
LAST = 2
#: An address to which nothing is sent: asked for the way there, the system names the address of this computer.
NOWHERE = "192.0.2.1"


def new_host(saves: Path, cache: Cache, roots: list[Path], backend: str, language: str) -> Host:
    """A host over a folder of saves, with the tables that were left; raises `StoreInUseError`, OSError."""
    program = Program(str(cache.folder), tuple(map(str, roots)), backend)
    host = Host(program, saves, language, processes=max(1, os.cpu_count() or 1))
    host.go_on()
    return host


def listen(address: str, port: int) -> socket.socket:
    """A socket that listens; raises OSError, OverflowError and UnicodeError where that cannot be."""
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    try:
        if os.name != "nt":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(128)
    except BaseException:
        listening.close()
        raise
    return listening


def reachable(listening: socket.socket) -> bool:
    """Whether other computers can reach a server that listens there."""
    address = listening.getsockname()[0]
    return not (address.startswith("127.") or address == "::1")


def names_of(listening: socket.socket) -> tuple[str, ...]:
    """The names under which a server that listens there can be called, the one to be told first."""
    return tuple(dict.fromkeys(_names(listening.getsockname()[0])))


def _names(address: str) -> Iterator[str]:
    if address in (EVERYWHERE, "::"):
        yield _own_address()
        name = socket.gethostname().lower()
        yield from (name, f"{name}.local")
    else:
        yield f"[{address}]" if ":" in address else address
    if address in (EVERYWHERE, "::", "::1") or address.startswith("127."):
        yield from (HERE, "localhost", "[::1]")


def _own_address() -> str:
    """The address of this computer in its network; the one for itself alone where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, contextlib.suppress(OSError):
        asked.connect((NOWHERE, 9))
        return str(asked.getsockname()[0])
    return HERE


def address_of(listening: socket.socket) -> str:
    """What the addresses of all pages begin with."""
    return f"http://{names_of(listening)[0]}:{listening.getsockname()[1]}"


def serve(host: Host, listening: socket.socket) -> None:
    """Serve until somebody ends it."""
    import uvicorn

    from .app import application
    from .headers import LONGEST_HEADERS
    from .patience import SILENCE, Patient

    # What the libraries have to say is not the user's business.
    if not os.environ.get("WONGAR_DEBUG"):
        logging.disable(logging.CRITICAL)
    config = uvicorn.Config(
        application(host, names_of(listening)),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=Patient,
        ws="none",
        limit_concurrency=AT_ONCE,
        timeout_keep_alive=SILENCE,
        timeout_graceful_shutdown=LAST,
        h11_max_incomplete_event_size=LONGEST_HEADERS,
    )
    uvicorn.Server(config).run([listening])
