"""Server-sent events: the version of a table, the same for all guests at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

#: Seconds of silence after which a comment line is sent, so that clients do not take the connection for dead.
HEARTBEAT_S = 15.0


class VersionNotifier:
    """Notifies all waiting tasks of a new version of a table."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        """Notify of a new version or of the end."""
        event, self._event = self._event, asyncio.Event()
        event.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for a notification for at most `seconds`; return whether there was one."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        return True


def message(version: int) -> bytes:
    """Format a version as a server-sent event."""
    return f'id: {version}\ndata: {{"version": {version}}}\n\n'.encode()


async def versions(
    notifier: VersionNotifier, version: Callable[[], int | None], last: int | None, heartbeat: float = HEARTBEAT_S
) -> AsyncIterator[bytes]:
    """Yield events for the current and later versions, except `last`, which the client knows.

    Ends when `version` returns None.
    """
    yield b"retry: 2000\n\n"
    while (now := version()) is not None:
        if now != last:
            last = now
            yield message(now)
            continue
        if not await notifier.wait(heartbeat):
            yield b":\n\n"
