"""The standard streams: nothing but our own codes steers the terminal, and a stream that is closed or full is told.

Text of strangers (names, paths, sentences of catalogs, what libraries say) is made harmless here, whatever way it came.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from wongar_dsl.text.escapes import printable


class OutputLost(Exception):
    """What was said does not arrive: the standard output takes no more.  `cause` says why."""

    def __init__(self, cause: OSError | ValueError) -> None:
        self.cause = cause
        super().__init__(str(cause))


class Closed(io.TextIOBase):
    """Standard output that was closed before the program began: whatever is written to it is lost."""

    def write(self, text: str) -> int:
        """Raise `OutputLost`."""
        raise OutputLost(OSError(errno.EBADF, os.strerror(errno.EBADF)))

    @property
    def buffer(self) -> Closed:
        """Return the stream itself: bytes are lost in the same way."""
        return self


class Output:
    """A stream on which `write` escapes what a terminal would obey; `codes` is for our own codes."""

    def __init__(self, stream: TextIO, forgiving: bool = False) -> None:
        """`forgiving` is for the stream of last resort: where it fails there is nobody left to be told."""
        self._stream, self._forgiving = stream, forgiving

    def write(self, text: str) -> int:
        """Write text, whoever it is from."""
        return self.codes(printable(text))

    def codes(self, text: str) -> int:
        """Write text that steers the terminal."""
        with self._told():
            self._stream.write(text)
        return len(text)

    def data(self, data: bytes) -> None:
        """Write bytes, past the encoding of the stream."""
        with self._told():
            self._stream.flush()
            self._stream.buffer.write(data)

    def flush(self) -> None:
        """See `TextIO`."""
        with self._told():
            self._stream.flush()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            self._give_up()
            if isinstance(error, BrokenPipeError) and not self._forgiving:
                raise
            if not self._forgiving:
                raise OutputLost(error) from None

    def _give_up(self) -> None:
        """Have Python not try again, when it ends, to write what could not be written."""
        with contextlib.suppress(OSError, ValueError):
            handle = os.open(os.devnull, os.O_WRONLY)
            os.dup2(handle, self._stream.fileno())
            os.close(handle)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def output(stream: TextIO | Output) -> Output:
    """The stream, made harmless."""
    return stream if isinstance(stream, Output) else Output(stream)


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """Use the standard streams with care; what is written to a closed output is lost, and that is told.

    From a closed input nothing comes; errors that cannot be told are not.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    if None in before:
        # No file that is opened later may take the place of a stream.
        while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(handle)
    with contextlib.ExitStack() as opened:
        there: list[Any] = [
            opened.enter_context(open(os.devnull, mode, encoding="utf-8")) if stream is None else stream
            for stream, mode in zip(before, "rww", strict=True)
        ]
        out: Any = there[1] if before[1] is not None else Closed()
        careful: list[Any] = [there[0], Output(out), Output(there[2], forgiving=True)]
        sys.stdin, sys.stdout, sys.stderr = careful
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
