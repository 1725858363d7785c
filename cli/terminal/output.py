"""Standard streams that escape foreign control codes and report a closed or full output.

Text from other sources (names, paths, catalogs, messages of libraries) is made safe here, independent of the code that
prints it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from wongar_dsl.base.text.terminal import escape_text


class OutputLost(Exception):
    """Standard output cannot be written; `cause` is the reason."""

    def __init__(self, cause: OSError | ValueError) -> None:
        self.cause = cause
        super().__init__(str(cause))


class ClosedOutput(io.TextIOBase):
    """Standard output that was closed before the program started."""

    def write(self, text: str) -> int:
        """Raise `OutputLost`."""
        raise OutputLost(OSError(errno.EBADF, os.strerror(errno.EBADF)))

    @property
    def buffer(self) -> ClosedOutput:
        """Return the stream itself: bytes are lost in the same way."""
        return self


class Output:
    """A stream whose `write` escapes terminal control codes; `write_raw` keeps them, for the program's own codes."""

    def __init__(self, stream: TextIO, ignore_errors: bool = False) -> None:
        """`ignore_errors` ignores errors, for the error stream, whose failure cannot be reported."""
        self._stream, self._ignore_errors = stream, ignore_errors

    def write(self, text: str) -> int:
        """Write a text with control codes escaped."""
        return self.write_raw(escape_text(text))

    def write_raw(self, text: str) -> int:
        """Write a text with control codes."""
        with self._report_loss():
            self._stream.write(text)
        return len(text)

    def write_bytes(self, data: bytes) -> None:
        """Write bytes, bypassing the encoding of the stream."""
        with self._report_loss():
            self._stream.flush()
            self._stream.buffer.write(data)

    def flush(self) -> None:
        """See `TextIO`."""
        with self._report_loss():
            self._stream.flush()

    @contextlib.contextmanager
    def _report_loss(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            self._give_up()
            if isinstance(error, BrokenPipeError) and not self._ignore_errors:
                raise
            if not self._ignore_errors:
                raise OutputLost(error) from None

    def _give_up(self) -> None:
        """Redirect the stream to the null device, so that Python does not retry the write at exit."""
        with contextlib.suppress(OSError, ValueError):
            handle = os.open(os.devnull, os.O_WRONLY)
            os.dup2(handle, self._stream.fileno())
            os.close(handle)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def output(stream: TextIO | Output) -> Output:
    """Return the stream wrapped as `Output`."""
    return stream if isinstance(stream, Output) else Output(stream)


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """Replace the standard streams by safe ones within the context.

    A closed input is empty, writing to a closed output raises `OutputLost`, and a closed error stream ignores output.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    if None in before:
        # Files opened later must not get the descriptor of a standard stream.
        while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(handle)
    with contextlib.ExitStack() as stack:
        streams: list[Any] = [
            stack.enter_context(open(os.devnull, mode, encoding="utf-8")) if stream is None else stream
            for stream, mode in zip(before, "rww", strict=True)
        ]
        out: Any = streams[1] if before[1] is not None else ClosedOutput()
        streams_in_use: list[Any] = [streams[0], Output(out), Output(streams[2], ignore_errors=True)]
        sys.stdin, sys.stdout, sys.stderr = streams_in_use
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
