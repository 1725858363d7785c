"""Terminal screen: width, colours and character set, standard streams that escape foreign control codes, and progress.

Text from other sources (names, paths, catalogs, messages of libraries) is made safe here, independent of the code that
prints it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import shutil
import sys
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TextIO

from wongar_dsl.base.terminal_text import escape_text, fold
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.render.text.lines import Line, line_text

from .signals import await_input_or_signal


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


#: Terminal code (SGR) of each style.
STYLES = {
    "": "", "strong": "1", "faint": "2", "question": "1;36", "number": "1;33", "card": "33", "figure": "1;35",
    "forecast": "36", "wrong": "31",
    "seat0": "32", "seat1": "31", "seat2": "34", "seat3": "35",
    "seat4": "36", "seat5": "33", "seat6": "92", "seat7": "94",
    "held": "7;1", "lit": "30;103", "led": "30;47", "changed": "1;4;33", "code": "97;40", "blocked": "1;31",
    "piece0": "30;42", "piece1": "30;43", "piece2": "97;44", "piece3": "30;46", "piece4": "97;45", "piece5": "97;41",
}  # fmt: skip
#: The colours by the last digit of a code.
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
NARROWEST, WIDEST = 40, 240
#: Maximum width of prose; longer lines are hard to read.
MAX_LINE_WIDTH = 120
#: Characters read of a line that is typed; the rest is the next line.
MAX_LINE_LENGTH = 10_000


def terminal_width() -> int:
    """Return the number of columns, within sensible limits."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))


def is_dumb() -> bool:
    """Return whether the terminal declares that it has no cursor control."""
    return os.environ.get("TERM", "") in ("dumb", "unknown", "")


def uses_colours(stream: TextIO | Output) -> bool:
    """Return whether to use colours: on a capable terminal, unless NO_COLOR is set."""
    return bool(stream.isatty()) and not is_dumb() and not os.environ.get("NO_COLOR")


def echo(text: str = "", err: bool = False, has_codes: bool = False) -> None:
    """Print a text on standard output or standard error; with `has_codes`, the text contains colour codes."""
    stream = output(sys.stderr if err else sys.stdout)
    (stream.write_raw if has_codes else stream.write)(text + "\n")
    stream.flush()


def echo_data(text: str) -> None:
    """Print data (JSON, JSON lines, CSV) on standard output; control characters are escaped as in JSON."""
    safe = "".join(c if c.isprintable() or c in "\n\t " else json.dumps(c)[1:-1] for c in text)
    output(sys.stdout).write_raw(safe + "\n")


def encoding_of(stream: TextIO | Output) -> str:
    """Return the encoding of a stream (`utf-8`); ASCII if it is unknown."""
    return str(getattr(stream, "encoding", None) or "ascii").lower()


def columns(rows: Sequence[Sequence[str]], words: Translator, right: Container[int] = ()) -> list[str]:
    """Return rows as lines with aligned columns; those in `right` are aligned at the right."""
    widths = [max(map(words.width, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(
            words.pad(cell, width, "right" if index in right else "left")
            for index, (cell, width) in enumerate(zip(row, widths, strict=False))
        ).rstrip()
        for row in rows
    ]


class Screen:
    """Output of a game on a terminal or to a file."""

    #: True if users can scroll back through the log at any time.
    scrolls = False

    def __init__(self, stream: TextIO | None = None, interactive: bool | None = None) -> None:
        self.stream = output(stream if stream is not None else sys.stdout)
        self.colour = uses_colours(self.stream)
        # A dialogue needs a terminal for input and for output.
        self.interactive = sys.stdin.isatty() and self.stream.isatty() if interactive is None else interactive
        self.unicode = encoding_of(self.stream).startswith(("utf", "cp65001"))

    @property
    def width(self) -> int:
        """The current number of columns."""
        return terminal_width()

    @property
    def height(self) -> int:
        """The current number of lines."""
        return shutil.get_terminal_size((80, 24)).lines

    def text(self, text: str, style: str = "", indent: str = "") -> None:
        """Print a paragraph, wrapped to the width of a terminal."""
        for line in (
            fold(text, min(self.width - 1, MAX_LINE_WIDTH), indent) if self.stream.isatty() else text.split("\n")
        ):
            self.line([(style, line)])

    def announce(self, text: str) -> None:
        """Show at once what the program is working on."""
        self.text(text, "faint")
        self.stream.flush()

    def story(self, text: str, style: str = "") -> None:
        """Print a sentence of the log."""
        self.text(text, style, "  ")

    def line(self, pieces: Line = ()) -> None:
        """Print one line."""
        self.stream.write_raw(self.with_codes(pieces).rstrip(" ") + "\n")

    def lines(self, lines: Iterable[Line]) -> None:
        """Print several lines."""
        for line in lines:
            self.line(line)
        self.stream.flush()

    def with_codes(self, pieces: Line) -> str:
        """Return a line with its colour codes if colours are in use, and no other control codes."""
        if not self.unicode:
            # A cut text must not grow again when its ellipsis is replaced by three dots.
            pieces = [(style, f"{text[:-1]}." if text.endswith("…") else text) for style, text in pieces]
        if not self.colour:
            return escape_text(line_text(pieces))
        codes = ((STYLES.get(style, ""), escape_text(text)) for style, text in pieces)
        return "".join(f"\x1b[{code}m{text}\x1b[0m" if code and text.strip() else text for code, text in codes)

    def ask(self, question: str) -> str:
        """Show a question and return the line typed after it.

        Raises `EOFError` when input has ended.
        """
        self.stream.write(escape_text(question) + " ")
        self.stream.flush()
        await_input_or_signal(sys.stdin)
        line = sys.stdin.readline(MAX_LINE_LENGTH)
        if not line:
            raise EOFError
        return line.removesuffix("\n")

    def clear(self) -> None:
        """Clear the terminal including its scrollback."""
        if self.stream.isatty():
            self.stream.write_raw("\n" * 60 if is_dumb() else "\x1b[H\x1b[2J\x1b[3J")
            self.stream.flush()


def echo_file(content: str | bytes) -> None:
    """Print the content of a file: text as UTF-8 to a file or pipe, with control codes escaped to a terminal."""
    stream = output(sys.stdout)
    if isinstance(content, str) and stream.isatty():
        stream.write(content)
    else:
        stream.write_bytes(content.encode() if isinstance(content, str) else content)
    stream.flush()


#: Seconds between two updates.
REPORT_INTERVAL_S = 0.2
#: Seconds before the remaining time is estimated.
MIN_ESTIMATE_S = 1.0
#: Length and characters of the progress bar.
BAR, FULL, EMPTY = 24, "#", "."


class Progress:
    """Number of games `done` out of `n`, with an estimate of the remaining time.

    `n` may change during the run; with `about` it is an estimate. Games from earlier runs (`start`) do not count for
    the speed. A `message` of its own is shown with these numbers only.
    """

    def __init__(self, words: Translator, n: int, start: int = 0, about: bool = False, message: str = "") -> None:
        self.done, self.n = start, n
        self._words, self._is_estimate, self._start, self._message = words, about, start, message
        self._is_shown = sys.stderr.isatty() and not is_dumb()
        self._started_at = self._drawn_at = self._progressed_at = time.monotonic()
        self._last_done = start

    def __call__(self, done: int | None = None) -> None:
        """Redraw the line if the update interval has passed."""
        now = time.monotonic()
        self.done = self.done if done is None else done
        if self._is_shown and now - self._drawn_at > REPORT_INTERVAL_S:
            self._drawn_at = now
            if self.done != self._last_done:
                self._last_done, self._progressed_at = self.done, now
            output(sys.stderr).write_raw(f"\r\x1b[K{escape_text(self._text(now))}")
            sys.stderr.flush()

    def _text(self, now: float) -> str:
        if self._message:
            return self._words.say(self._message, done=self.done, n=self.n)
        full = min(BAR, BAR * self.done // max(1, self.n))
        bar = Text(f"[{FULL * full}{EMPTY * (BAR - full)}]")
        elapsed, played = now - self._started_at, self.done - self._start
        if elapsed < MIN_ESTIMATE_S or not played:
            return self._words.say("cli.simulating.begun", bar=bar, done=self.done, n=self.n, seconds=int(elapsed))
        # The speed is measured up to the last result; the time since then belongs to the next games.
        remaining = (self._progressed_at - self._started_at) * (self.n - self.done) / played - (
            now - self._progressed_at
        )
        name = "cli.simulating.about" if self._is_estimate else "cli.simulating"
        return self._words.say(name, bar=bar, done=self.done, n=self.n, left=Text(format_clock(max(0.0, remaining))))

    def erase(self) -> None:
        """Erase the line."""
        if self._is_shown and self._drawn_at > self._started_at:
            output(sys.stderr).write_raw("\r\x1b[K")
            sys.stderr.flush()


def format_clock(seconds: float) -> str:
    """Format a duration as `0:07`, `12:30` or `1:05:00`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
