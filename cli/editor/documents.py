"""What editors have open: each text with what is known about it, found out anew while somebody types."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from wongar_dsl.language_server.snapshot import Snapshot, View, take

#: So many seconds after the last keystroke a text is read.
PAUSE = 0.15
#: So many seconds somebody who asks waits for a text to be read for the first time.
PATIENCE = 5.0

T = TypeVar("T")


@dataclass(slots=True)
class Document:
    """A text that is open: its address and place, and a number that goes up with each change of it or of its base."""

    uri: str
    path: Path
    text: str
    edition: int = 0
    #: What was found last, and the last of which every article could be read.
    latest: Snapshot | None = None
    good: Snapshot | None = None
    timer: asyncio.TimerHandle | None = None
    read: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def view(self) -> View | None:
        """The text as it is, and what is known about it; None before it was read."""
        known = self.good or self.latest
        return View(self.text, known) if known is not None else None


class Documents:
    """All texts that are open.  They are read one at a time, beside whatever is asked; `tell` gets what was found."""

    def __init__(self, tell: Callable[[Document], Awaitable[None]], failed: Callable[[BaseException], None]) -> None:
        self._open: dict[str, Document] = {}
        self._tell, self._failed = tell, failed
        self._reader = ThreadPoolExecutor(1, "reader")
        self._tasks: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """What is open under an address."""
        return self._open.get(uri)

    async def ready(self, uri: str) -> Document | None:
        """What is open under an address, once it was read."""
        document = self._open.get(uri)
        if document is not None and not document.read.is_set():
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(document.read.wait(), PATIENCE)
        return document

    def texts(self) -> dict[Path, str]:
        """All texts by their places."""
        return {document.path: document.text for document in self._open.values()}

    def put(self, uri: str, path: Path, text: str) -> None:
        """A text was opened or changed: read it soon, and those that build on it."""
        document = self._open.get(uri)
        pause = PAUSE
        if document is None:
            document, pause = Document(uri, path, text), 0.0
            self._open[uri] = document
        document.text = text
        self.again(document, pause)
        self._above(path)

    def close(self, uri: str) -> None:
        """A text is open no longer."""
        document = self._open.pop(uri, None)
        if document is not None:
            if document.timer is not None:
                document.timer.cancel()
            document.read.set()
            self._above(document.path)

    def again(self, document: Document, pause: float = PAUSE) -> None:
        """Read a text soon; what is found out about it until then comes too late."""
        document.edition += 1
        if document.timer is not None:
            document.timer.cancel()
        document.timer = asyncio.get_running_loop().call_later(pause, self._start, document)

    def _above(self, path: Path) -> None:
        """Read those again that build on a file, or would if it were there."""
        for document in self:
            known = document.latest
            if document.path != path and known is not None and _builds_on(known, path):
                self.again(document)

    def _start(self, document: Document) -> None:
        task = asyncio.get_running_loop().create_task(self._read(document, document.edition))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, document: Document, edition: int) -> None:
        try:
            snapshot = await self.beside(take, document.path, self.texts())
            if document.edition == edition and self._open.get(document.uri) is document:
                document.latest = snapshot
                if snapshot.whole:
                    document.good = snapshot
                document.read.set()
                await self._tell(document)
        # The text may be anything; whatever it does, the server lives on.
        except Exception as error:
            document.read.set()
            self._failed(error)

    async def beside(self, do: Callable[..., T], *arguments: object) -> T:
        """Do something that takes longer, while other questions are answered."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, do, *arguments)

    def stop(self) -> None:
        """Read nothing more."""
        self._reader.shutdown(wait=False, cancel_futures=True)


def _builds_on(snapshot: Snapshot, path: Path) -> bool:
    read = {file.at.resolve() for file in snapshot.files[:-1] if isinstance(file.at, Path)}
    return path in read or any(absent.resolve() == path for absent in snapshot.loaded.absent)
