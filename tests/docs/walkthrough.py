"""A document that a reader follows at the keyboard: its steps, doing them, and what comes of them.

A block marked `console` holds commands behind `$ ` with what is shown after them; `…` stands for lines left out, and
what is typed at a prompt stands behind `> `.  A block with a file behind its language is written to that file, as
`diff` changes it, with `shown` behind it is there already.
"""

from __future__ import annotations

import difflib
import io
import re
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest

ELLIPSIS = "…"
BLOCK = re.compile(r"^```(\S+)(?: (\S+))?(?: (shown))?\n(.*?)^```$", re.M | re.S)
#: So often a command that watches files looks at them before anybody is sure that it has nothing more to say.
LOOKS = 2


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a reader does or sees; `at` and `end` are where its output stands in the document."""

    sort: Literal["command", "more", "write", "change", "shown"]
    text: str
    output: str = ""
    file: str = ""
    at: int = 0
    end: int = 0


def steps_of(document: str) -> Iterator[Step]:
    """The steps of a document, in order; blocks of other languages are only looked at."""
    for found in BLOCK.finditer(document):
        language, file, shown, body = found.groups()
        if language == "console":
            yield from _commands(body, found.start(4))
        elif file is not None:
            yield Step("shown" if shown else "change" if language == "diff" else "write", body, file=file)


def _commands(body: str, at: int) -> Iterator[Step]:
    """The commands of a block, each with its output; a block without one goes on with what still runs."""
    for part in re.split(r"^(?=\$ )", body, flags=re.M):
        if not part:
            continue
        line, output = part.split("\n", 1) if part.startswith("$ ") else ("", part)
        start = at + (len(line) + 1 if line else 0)
        yield Step("command" if line else "more", line.removeprefix("$ "), output, "", start, start + len(output))
        at += len(part)


def fits(shown: str, output: str) -> bool:
    """Whether an output is what the document shows of it."""
    parts = [re.escape(part) for part in re.split(rf"^{ELLIPSIS}\n", shown, flags=re.M)]
    return re.fullmatch(r"(?:.*\n)+?".join(parts), output) is not None


def renewed(shown: str, output: str) -> str:
    """The output as the document is to show it, with lines left out where they were left out before."""
    if fits(shown, output):
        return shown
    old, new = shown.splitlines(keepends=True), output.splitlines(keepends=True)
    lines: list[str] = []
    for tag, start, stop, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = old[start:stop], new[first:last]
        if tag == "equal" or f"{ELLIPSIS}\n" not in gone:
            lines += come
            continue
        before, after = gone.index(f"{ELLIPSIS}\n"), len(gone) - 1 - gone[::-1].index(f"{ELLIPSIS}\n")
        rest = len(gone) - 1 - after
        lines += [*come[:before], f"{ELLIPSIS}\n", *come[max(before, len(come) - rest) :]]
    return "".join(lines)


@dataclass
class Reader:
    """Somebody who follows a document; `seen` is what came instead of what it shows, by where that stands."""

    patch: pytest.MonkeyPatch
    steps: list[Step]
    folder: Path
    seen: dict[Step, str] = field(default_factory=dict)
    _at: int = 0
    _idle: int = 0

    def follow(self) -> None:
        """Do all steps."""
        self.patch.chdir(self.folder)
        while self._at < len(self.steps):
            self._next()

    def _next(self, running: io.TextIOWrapper | None = None) -> bool:
        """Do a step; false where it only looked at what still runs."""
        step = self.steps[self._at]
        self._at += 1
        match step.sort:
            case "command":
                self._command(step)
            case "write":
                path = Path(step.file)
                assert path.parent.is_dir(), f"{path} lies in no folder"
                path.write_text(step.text, encoding="utf-8")
            case "change":
                changed(Path(step.file), step.text)
            case "shown":
                assert step.text in Path(step.file).read_text(encoding="utf-8"), f"{step.file} lacks: {step.text}"
            case "more":
                assert running is not None, f"nothing runs that could say: {step.output}"
                self._saw(step, _taken(running))
                if step.output.endswith("^C\n"):
                    raise KeyboardInterrupt
                return False
        return True

    def _saw(self, step: Step, output: str) -> None:
        # Empty lines at the ends are of no interest.
        output = f"{output.strip(chr(10))}\n" if output.strip() else ""
        wanted = step.output.removesuffix("^C\n")
        if not fits(wanted, output):
            self.seen[step] = renewed(wanted, output) + step.output[len(wanted) :]

    def _command(self, step: Step) -> None:
        line, _, target = step.text.partition(" > ")
        match shlex.split(line, comments=True):
            case ["mkdir", folder]:
                Path(folder).mkdir()
            case ["cd", folder]:
                self.patch.chdir(folder)
            case ["export", setting]:
                self.patch.setenv(*setting.split("=", 1))
            case ["wongar", *arguments]:
                output = self._run(arguments, step)
                if target:
                    Path(target).write_text(output, encoding="utf-8")
                    output = ""
                self._saw(step, output)
            case other:
                raise AssertionError(f"a reader cannot do this: {other}")

    def _run(self, arguments: list[str], step: Step) -> str:
        """Run the command, with the answers that the document gives; what it shows until it ends or waits for edits."""
        from wongar_dsl.cli.commands import watch
        from wongar_dsl.cli.main import main

        answers = "".join(typed(step))
        shown: list[str] = []
        with written() as stream, self.patch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO(answers))

            def pause(_: float) -> None:
                """What the reader does while a command watches files."""
                if self._idle:
                    self._idle -= 1
                    return
                if not shown:
                    shown.append(_taken(stream))
                while self._at < len(self.steps) and not self._next(stream):
                    pass
                self._idle = LOOKS

            # However busy the machine is: nothing else that waits, in whatever thread, is a look at the files, no limit
            # of processor time is reached, and no other processes help.
            patch.setattr(watch, "time", SimpleNamespace(sleep=pause))
            patch.setattr(time, "process_time", lambda: 0.0)
            patch.setattr("wongar_dsl.cli.commands.simulate._processors", lambda: 1)
            self._idle = LOOKS
            main(arguments)
            return shown[0] if shown else _taken(stream)


def typed(step: Step) -> list[str]:
    """What the reader types at the prompts of a game."""
    lines = step.output.splitlines(keepends=True) if step.text.startswith("wongar play ") else ()
    return [line.removeprefix("> ") for line in lines if line.startswith("> ")]


@contextmanager
def written() -> Iterator[io.TextIOWrapper]:
    """A stream that takes all that is shown, in the order in which a terminal would show it."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = stream
    try:
        yield stream
    finally:
        sys.stdout, sys.stderr = before


def _taken(stream: io.TextIOWrapper) -> str:
    """What was shown since the last time."""
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    text = raw.getvalue().decode()
    raw.seek(0)
    raw.truncate()
    return text


def changed(path: Path, change: str) -> None:
    """Change a file as a diff says it: each place is there once, and they are in order."""
    text, reached = path.read_text(encoding="utf-8"), 0
    for hunk in re.split(r"^@@\n", change, flags=re.M):
        lines = hunk.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        assert text.count(before, reached) == 1, f"{path}: {before}"
        reached = text.index(before, reached)
        text = text[:reached] + after + text[reached + len(before) :]
        reached += len(after)
    path.write_text(text, encoding="utf-8")


def rewritten(document: str, seen: dict[Step, str]) -> str:
    """The document with what really came."""
    for step, output in sorted(seen.items(), key=lambda item: -item[0].at):
        document = document[: step.at] + output + document[step.end :]
    return document
