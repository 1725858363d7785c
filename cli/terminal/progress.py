"""Progress line on the error stream, overwritten in place; only at a terminal."""

from __future__ import annotations

import sys
import time

from wongar_dsl.base.text.terminal import escape_text
from wongar_dsl.nlg.words import Text, Translator

from .screen import is_dumb, output

#: Seconds between two updates.
REPORT_INTERVAL_S = 0.2
#: Seconds before the remaining time is estimated.
MIN_ESTIMATE_S = 1.0
#: Length and characters of the progress bar.
BAR, FULL, EMPTY = 24, "#", "."


class Progress:
    """Number of games `done` out of `n`, with an estimate of the remaining time.

    `n` may change during the run; with `about` it is an estimate. Games from earlier runs (`start`) do not count for
    the speed.
    """

    def __init__(self, words: Translator, n: int, start: int = 0, about: bool = False) -> None:
        self.done, self.n = start, n
        self._words, self._is_estimate, self._start = words, about, start
        self._is_shown = sys.stderr.isatty() and not is_dumb()
        self._started_at = self._drawn_at = self._progressed_at = time.monotonic()
        self._last_done = start

    def __call__(self) -> None:
        """Redraw the line if the update interval has passed."""
        now = time.monotonic()
        if self._is_shown and now - self._drawn_at > REPORT_INTERVAL_S:
            self._drawn_at = now
            if self.done != self._last_done:
                self._last_done, self._progressed_at = self.done, now
            output(sys.stderr).write_raw(f"\r\x1b[K{escape_text(self._text(now))}")
            sys.stderr.flush()

    def _text(self, now: float) -> str:
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
