"""Documents open in the editor, each with its analysis, which is updated after edits."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from wongar_dsl.language.server.symbols import DocumentView, Snapshot, read_snapshot

#: Seconds after the last keystroke until a document is analysed.
TYPING_PAUSE_S = 0.15
#: Seconds a request waits for the first analysis of a document.
FIRST_READ_TIMEOUT_S = 5.0

T = TypeVar("T")


@dataclass(slots=True)
class Document:
    """A document: URI, path, text, and an edition number that grows with each change of it or of its base."""

    uri: str
    path: Path
    text: str
    edition: int = 0
    #: The latest analysis, and the latest one without syntax errors.
    latest: Snapshot | None = None
    last_complete: Snapshot | None = None
    timer: asyncio.TimerHandle | None = None
    analysed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def view(self) -> DocumentView | None:
        """The current text with the best analysis available; None before the first analysis."""
        snapshot = self.last_complete or self.latest
        return DocumentView(self.text, snapshot) if snapshot is not None else None


class Documents:
    """All documents open in the editor.

    A single worker thread analyses them one at a time, so that requests are answered meanwhile. `on_analysed` receives
    each analysed document, and `on_error` any exception.
    """

    def __init__(
        self, on_analysed: Callable[[Document], Awaitable[None]], on_error: Callable[[BaseException], None]
    ) -> None:
        self._open: dict[str, Document] = {}
        self._on_analysed, self._on_error = on_analysed, on_error
        self._reader = ThreadPoolExecutor(1, "reader")
        self._tasks: set[asyncio.Task[None]] = set()

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """Return the document open under a URI."""
        return self._open.get(uri)

    async def wait_until_analysed(self, uri: str) -> Document | None:
        """Return the document open under a URI after its first analysis, or after a timeout."""
        document = self._open.get(uri)
        if document is not None and not document.analysed.is_set():
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(document.analysed.wait(), FIRST_READ_TIMEOUT_S)
        return document

    def texts(self) -> dict[Path, str]:
        """Return the texts of all documents by path."""
        return {document.path: document.text for document in self._open.values()}

    def update(self, uri: str, path: Path, text: str) -> None:
        """Store the text of a document that was opened or changed; schedule the analysis of it and its dependents."""
        document = self._open.get(uri)
        pause = TYPING_PAUSE_S
        if document is None:
            document, pause = Document(uri, path, text), 0.0
            self._open[uri] = document
        document.text = text
        self.schedule_analysis(document, pause)
        self._schedule_dependents(path)

    def close(self, uri: str) -> None:
        """Remove a document that was closed, and analyse its dependents again."""
        document = self._open.pop(uri, None)
        if document is not None:
            if document.timer is not None:
                document.timer.cancel()
            document.analysed.set()
            self._schedule_dependents(document.path)

    def schedule_analysis(self, document: Document, pause: float = TYPING_PAUSE_S) -> None:
        """Schedule an analysis of a document; results of a running analysis are discarded."""
        document.edition += 1
        if document.timer is not None:
            document.timer.cancel()
        document.timer = asyncio.get_running_loop().call_later(pause, self._start, document)

    def _schedule_dependents(self, path: Path) -> None:
        """Schedule the analysis of documents that build on a file, or on a missing file of that path."""
        for document in self:
            snapshot = document.latest
            if document.path != path and snapshot is not None:
                read = {file.at.resolve() for file in snapshot.files[:-1] if isinstance(file.at, Path)}
                if path in read or any(absent.resolve() == path for absent in snapshot.loaded.absent):
                    self.schedule_analysis(document)

    def _start(self, document: Document) -> None:
        task = asyncio.get_running_loop().create_task(self._read(document, document.edition))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, document: Document, edition: int) -> None:
        try:
            snapshot = await self.run_in_background(read_snapshot, document.path, self.texts())
            if document.edition == edition and self._open.get(document.uri) is document:
                document.latest = snapshot
                if snapshot.is_complete:
                    document.last_complete = snapshot
                document.analysed.set()
                await self._on_analysed(document)
        # The text may be arbitrary; no error in its analysis may end the server.
        except Exception as error:
            document.analysed.set()
            self._on_error(error)

    async def run_in_background(self, do: Callable[..., T], *arguments: object) -> T:
        """Run a slow function in the worker thread, while other requests are answered."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, do, *arguments)

    def stop(self) -> None:
        """Shut down the worker thread and cancel pending work."""
        self._reader.shutdown(wait=False, cancel_futures=True)
