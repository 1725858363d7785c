"""What is pushed: the number of the version of a table, the same to everybody at the same time, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

#: After so many seconds of silence a line is sent that means nothing, so that nobody takes the silence for the end.
HEARTBEAT = 15.0


class Bell:
    """Rings for everybody who waits for a new version of a table."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """There is a new version, or the end."""
        rung, self._rung = self._rung, asyncio.Event()
        rung.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until it rings, but not longer than so many seconds; whether it did."""
        try:
            await asyncio.wait_for(self._rung.wait(), seconds)
        except TimeoutError:
            return False
        return True


def message(version: int) -> bytes:
    """A version as an event of a stream."""
    return f'id: {version}\ndata: {{"version": {version}}}\n\n'.encode()


async def versions(
    bell: Bell, version: Callable[[], int | None], last: int | None, heartbeat: float = HEARTBEAT
) -> AsyncIterator[bytes]:
    """The versions from the present one on, which whoever knows `last` already is not told; ends where there is no
    version any more."""
    yield b"retry: 2000\n\n"
    while (now := version()) is not None:
        if now != last:
            last = now
            yield message(now)
            continue
        if not await bell.wait(heartbeat):
            yield b":\n\n"
