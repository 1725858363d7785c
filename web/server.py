"""HTTP server: listening socket, host names and limits."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from wongar_dsl.base.storage.cache import Cache

from .app import READ_TIMEOUT_S, LimitedConnection, application
from .host import Host
from .render_worker import WorkerSettings
from .security import MAX_HEADER_BYTES

#: Default port.
PORT = 8642
HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
#: Maximum number of simultaneous connections.
MAX_CONNECTIONS = 512
#: Seconds that open connections have to finish at shutdown.
SHUTDOWN_TIMEOUT_S = 2
#: A documentation address (RFC 5737): connecting a UDP socket to it sends nothing, but reveals the local address.
UNROUTABLE_ADDRESS = "192.0.2.1"


def new_host(saves: Path, cache: Cache, roots: list[Path], backend: str, language: str) -> Host:
    """Return a host for a folder of saves, with its tables reopened; raise `StoreInUseError` and OSError."""
    worker_settings = WorkerSettings(str(cache.folder), tuple(map(str, roots)), backend)
    host = Host(worker_settings, saves, language, processes=max(1, os.cpu_count() or 1))
    host.restore_tables()
    return host


def listen(address: str, port: int) -> socket.socket:
    """Return a listening socket; raise OSError, OverflowError or UnicodeError if the address cannot be used."""
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
    """Return whether other computers can reach the server."""
    address = listening.getsockname()[0]
    return not (address.startswith("127.") or address == "::1")


def names_of(listening: socket.socket) -> tuple[str, ...]:
    """Return the host names of the server, the preferred one first."""
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
    """Return this computer's address in its network, or the loopback address without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect((UNROUTABLE_ADDRESS, 9))
        return str(probe.getsockname()[0])
    return HERE


def address_of(listening: socket.socket) -> str:
    """Return the base URL of the server."""
    return f"http://{names_of(listening)[0]}:{listening.getsockname()[1]}"


def serve(host: Host, listening: socket.socket) -> None:
    """Run the server until it is stopped."""
    # Log messages of the libraries do not concern the user.
    if not os.environ.get("WONGAR_DEBUG"):
        logging.disable(logging.CRITICAL)
    config = uvicorn.Config(
        application(host, names_of(listening)),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=LimitedConnection,
        ws="none",
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=READ_TIMEOUT_S,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
    )
    uvicorn.Server(config).run([listening])
