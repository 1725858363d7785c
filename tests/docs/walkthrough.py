"""Execution of documents that a reader follows at the keyboard.

A block marked `console` holds commands after `$ `, each followed by its output; `…` stands for omitted lines, and
input at a prompt follows `> `. A block with a file name after its language is written to that file; `diff` changes the
file, and `shown` asserts that it contains the text.
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
from typing import Literal

import pytest

ELLIPSIS = "…"
BLOCK = re.compile(r"^```(\S+)(?: (\S+))?(?: (shown))?\n(.*?)^```$", re.M | re.S)
#: Number of polls after which a command that watches files has printed all its output.
LOOKS = 2


@dataclass(frozen=True, slots=True)
class Step:
    """One action or observation of a reader; `at` and `end` delimit its output in the document."""

    sort: Literal["command", "more", "write", "change", "shown"]
    text: str
    output: str = ""
    file: str = ""
    at: int = 0
    end: int = 0


def steps_of(document: str) -> Iterator[Step]:
    """Yield the steps of a document in order, ignoring blocks of other languages."""
    for block in BLOCK.finditer(document):
        language, file, shown, body = block.groups()
        if language == "console":
            yield from _commands(body, block.start(4))
        elif file is not None:
            yield Step("shown" if shown else "change" if language == "diff" else "write", body, file=file)


def _commands(body: str, at: int) -> Iterator[Step]:
    """Yield the commands of a block with their output; a block without one continues the running command."""
    for part in re.split(r"^(?=\$ )", body, flags=re.M):
        if not part:
            continue
        line, output = part.split("\n", 1) if part.startswith("$ ") else ("", part)
        start = at + (len(line) + 1 if line else 0)
        yield Step("command" if line else "more", line.removeprefix("$ "), output, "", start, start + len(output))
        at += len(part)


def matches_shown(shown: str, output: str) -> bool:
    """Return whether an output matches the text shown, apart from ellipses."""
    parts = [re.escape(part) for part in re.split(rf"^{ELLIPSIS}\n", shown, flags=re.M)]
    return re.fullmatch(r"(?:.*\n)+?".join(parts), output) is not None


def updated_output(shown: str, output: str) -> str:
    """Return the output to be shown, with ellipses where lines were omitted before."""
    if matches_shown(shown, output):
        return shown
    old, new = shown.splitlines(keepends=True), output.splitlines(keepends=True)
    lines: list[str] = []
    for tag, start, stop, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        removed, added = old[start:stop], new[first:last]
        if tag == "equal" or f"{ELLIPSIS}\n" not in removed:
            lines += added
            continue
        before, after = removed.index(f"{ELLIPSIS}\n"), len(removed) - 1 - removed[::-1].index(f"{ELLIPSIS}\n")
        rest = len(removed) - 1 - after
        lines += [*added[:before], f"{ELLIPSIS}\n", *added[max(before, len(added) - rest) :]]
    return "".join(lines)


@dataclass
class Reader:
    """A simulated reader of a document; `seen` maps steps to output that deviates from the document."""

    patch: pytest.MonkeyPatch
    steps: list[Step]
    folder: Path
    seen: dict[Step, str] = field(default_factory=dict)
    _at: int = 0
    _idle: int = 0

    def follow(self) -> None:
        """Execute all steps."""
        self.patch.chdir(self.folder)
        while self._at < len(self.steps):
            self._next()

    def _next(self, running: io.TextIOWrapper | None = None) -> bool:
        """Execute one step; return False if it only observed the running command."""
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
                apply_diff(Path(step.file), step.text)
            case "shown":
                assert step.text in Path(step.file).read_text(encoding="utf-8"), f"{step.file} lacks: {step.text}"
            case "more":
                assert running is not None, f"nothing runs that could say: {step.output}"
                self._saw(step, _new_output(running))
                if step.output.endswith("^C\n"):
                    raise KeyboardInterrupt
                return False
        return True

    def _saw(self, step: Step, output: str) -> None:
        # Ignore empty lines at both ends.
        output = f"{output.strip(chr(10))}\n" if output.strip() else ""
        expected = step.output.removesuffix("^C\n")
        if not matches_shown(expected, output):
            self.seen[step] = updated_output(expected, output) + step.output[len(expected) :]

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
            case words:
                raise AssertionError(f"a reader cannot do this: {words}")

    def _run(self, arguments: list[str], step: Step) -> str:
        """Run a command with the answers of the document, and return its output until it ends or waits for edits."""
        from wongar_dsl.cli.main import main

        answers = "".join(typed_lines(step))
        shown: list[str] = []
        with captured_output() as stream, self.patch.context() as patch:
            patch.setattr(sys, "stdin", io.StringIO(answers))

            def pause(_: float) -> None:
                """Execute the reader's steps while a command watches files."""
                if self._idle:
                    self._idle -= 1
                    return
                if not shown:
                    shown.append(_new_output(stream))
                while self._at < len(self.steps) and not self._next(stream):
                    pass
                self._idle = LOOKS

            # Make the run independent of machine load: only the file watcher polls, no processor time
            # limit is reached, and no other processes help.
            patch.setattr(time, "sleep", pause)
            patch.setattr(time, "process_time", lambda: 0.0)
            patch.setattr("wongar_dsl.cli.commands.simulate._processors", lambda: 1)
            self._idle = LOOKS
            main(arguments)
            return shown[0] if shown else _new_output(stream)


def typed_lines(step: Step) -> list[str]:
    """Return the lines that the reader types at the prompts of a game."""
    lines = step.output.splitlines(keepends=True) if step.text.startswith("wongar play ") else ()
    return [line.removeprefix("> ") for line in lines if line.startswith("> ")]


@contextmanager
def captured_output() -> Iterator[io.TextIOWrapper]:
    """Redirect stdout and stderr to one stream, in the order of a terminal."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = stream
    try:
        yield stream
    finally:
        sys.stdout, sys.stderr = before


def _new_output(stream: io.TextIOWrapper) -> str:
    """Return and clear the output since the last call."""
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    text = raw.getvalue().decode()
    raw.seek(0)
    raw.truncate()
    return text


def apply_diff(path: Path, change: str) -> None:
    """Apply a diff to a file, which may be new; each place must occur once, and in order."""
    text, reached = path.read_text(encoding="utf-8") if path.exists() else "", 0
    for hunk in filter(None, re.split(r"^@@\n", change, flags=re.M)):
        lines = hunk.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        assert text.count(before, reached) == 1 or text == "", f"{path}: {before}"
        reached = text.index(before, reached)
        text = text[:reached] + after + text[reached + len(before) :]
        reached += len(after)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def updated_document(document: str, seen: dict[Step, str]) -> str:
    """Return the document with the actual output."""
    for step, output in sorted(seen.items(), key=lambda item: -item[0].at):
        document = document[: step.at] + output + document[step.end :]
    return document
