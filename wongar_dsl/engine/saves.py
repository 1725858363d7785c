"""Saves: matches as files to which each choice adds a line.

The first line contains the game, the hash of the rules, the seats, the settings and the seed. Each further line is one
action: `{"take": "mark(a1)", "time": 1500}`, `{"undo": 3}` (back to 3 choices), `{"thought": 2000}` (time already spent
on the pending decision when the game was left), `{"over": true}`, `{"language": "it"}`. An incomplete last line is
dropped.

In version 3 the match begins in the middle of a game, and the first line contains the steps to its start (`begun`).
`"guided": true` marks a guided first game. Version 1 was a single object.
Files have an exclusive writer lock, lines are written durably, and what killed processes left is removed.

Match records are another format, for referees and statistics: JSON lines with header, setup, one line per decision, and
result.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from wongar_dsl.base.storage.files import sync_folder
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import rng
from wongar_dsl.engine import notation
from wongar_dsl.engine.events import EVERYTHING, Event, event_json
from wongar_dsl.engine.game import MAX_DECISIONS, MAX_TIME_MS, Game, State
from wongar_dsl.engine.history import PastChoice
from wongar_dsl.engine.match import Match, ResumePoint, Seat, Step
from wongar_dsl.engine.notation import IllegalMove, Move, PlayFault

#: Supplies additional data for the record of an event.
More = Callable[[Event], Mapping[str, object]]


def lines(match: Match, viewer: int | None = EVERYTHING, more: More = lambda event: {}) -> Iterator[str]:
    """Yield the record of a match; for a seat, or None for a spectator, restricted to what that viewer may see."""
    yield _line(
        {
            "game": match.game.name,
            "rules": match.rules_hash,
            "options": dict(match.game.settings),
            "seats": [s.kind for s in match.seats],
            "seed": match.seed if may_know_seed(match, viewer) else None,
        }
    )
    yield _line({"setup": _events(match, match.opening, viewer, more)})
    for number, step in enumerate(match.steps, 1):
        yield _line({**_step(match, number, step, viewer), "events": _events(match, step.events, viewer, more)})
    if match.state.over:
        yield _line({"scores": list(match.state.scores), "winners": [p + 1 for p in match.state.winners]})


def _line(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _events(match: Match, events: tuple[Event, ...], viewer: int | None, more: More) -> list[dict[str, object]]:
    fields = match.game.fields
    shown = events if viewer == EVERYTHING else match.game.knowledge.seen_of(events, viewer)
    return [{**event_json(match.game.model, fields, e), **more(e)} for e in shown]


def _step(match: Match, number: int, step: Step, viewer: int | None) -> dict[str, object]:
    result: dict[str, object] = {"n": number, "seat": step.seat + 1, "decision": step.decision.name}
    is_full_view = viewer in (EVERYTHING, step.seat)
    if is_full_view:
        result["options"] = [_text(match, step, m) for m in step.options]
    result["taken"] = step.text if is_full_view else visible_choice(match, step, viewer)
    if step.time and (is_full_view or not step.decision.simultaneous):
        result["time"] = step.time
    return result


def _text(match: Match, step: Step, move: Move) -> str:
    return notation.write(match.game.model, step.decision, move.raw)


def may_know_seed(match: Match, viewer: int | None) -> bool:
    """Return whether a viewer may know the seed, from which all hidden information can be computed."""
    return viewer == EVERYTHING or match.state.over or not match.game.knowledge.has_secrets


def visible_choice(match: Match, step: Step, viewer: int | None) -> str:
    """Return the choice of a step as another viewer sees it.

    Choices not yet shown, arguments from hidden zones, and values that may fill a hidden field are replaced by `?`,
    unless the events that the viewer sees in that step show them.
    """
    decision, knowledge = match.past.choices[step.number].decision, match.game.knowledge
    if step.decision.simultaneous or knowledge.is_hidden_choice(decision):
        return "?"
    spec = step.decision.options[step.move.option]
    unseen = knowledge.argument_secrecy(decision, step.move.option)
    if not any(unseen):
        return step.text
    visible_values = {pair for e in knowledge.seen_of(step.events, viewer) for pair in e.fields().values()}
    pairs = [(kind, value) for (_, kind), value in zip(spec.parameters, step.move.arguments, strict=True)]
    parts = notation.split(step.text)
    assert parts is not None
    shown = [
        "?" if zone or (hidden and pair not in visible_values) else text
        for text, pair, zone, hidden in zip(parts[1], pairs, spec.drawn_from, unseen, strict=True)
    ]
    return f"{spec.name}({', '.join(shown)})"


if sys.platform != "win32":
    import fcntl

#: Value of `format`, version of a save that begins with the deal, and of one that begins in the middle of a game.
FORMAT, VERSION, VERSION_FROM_POSITION = "match", 2, 3
#: Maximum size of a save in bytes.
MAX_SAVE = 20_000_000
MAX_SEED, MAX_NUMBER = (1 << 64) - 1, 10**12
#: Maximum length of a language tag.
MAX_LANGUAGE_TAG = 60
#: Maximum length of a game's name with its variants, and maximum number of its files.
MAX_NAME_LENGTH, MAX_FILES = 200, 50
#: Versions of the random streams: a single one; separate ones for setup and play with a fixed step; the current ones.
ONE_STREAM, TWO_STREAMS, CURRENT_STREAMS = 1, 2, 3


#: Writes a position given by names into a state; raises ValueError for an invalid one.
LayOut = Callable[[State, Mapping[str, object]], None]
SaveFault = Literal["unreadable", "broken", "version", "other_rules", "unknown_game", "in_use"]


class SaveError(Exception):
    """Raised for a save that cannot be used; `arguments` are for the message."""

    def __init__(self, reason: SaveFault, **arguments: str | int) -> None:
        self.reason, self.arguments = reason, arguments
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class SaveContents:
    """The contents of a save.

    `file` is the path of the rules if they are not shipped, one line per file or name that was joined; `beside` is the
    same relative to the folder of the save. `torn`: the last line was incomplete and has been dropped; `length` is the
    number of valid bytes. `guided`: the match is a guided first game.
    """

    game: str
    file: str
    beside: str
    rules: str
    settings: Mapping[str, int]
    seats: tuple[Seat, ...]
    seed: int
    language: str
    streams: int
    choices: tuple[tuple[str, int], ...]
    thought: int
    over: bool
    torn: bool
    length: int
    version: int
    begun: tuple[Mapping[str, object], ...] = ()
    guided: bool = False


def read_save(path: Path) -> SaveContents:
    """Read a save and check its structure; raises `SaveError`."""
    try:
        data = _bytes(path)
    except OSError as error:
        raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
    broken = SaveError("broken", path=str(path))
    if data is None:
        raise broken
    try:
        head, first = _head(data)
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise broken
        if head.get("version") in (VERSION, VERSION_FROM_POSITION):
            return _lines(head, data, first)
        if head.get("version") == 1:
            return _first_version(head, len(data))
    except (ValueError, RecursionError, KeyError, TypeError):
        raise broken from None
    raise SaveError("version", path=str(path), version=str(head.get("version"))[:20])


def _bytes(path: Path) -> bytes | None:
    """Return the bytes of a file; None for one that is not regular, or too long. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            return None
        data = file.read(MAX_SAVE + 1)
    return data if len(data) <= MAX_SAVE else None


def _head(data: bytes) -> tuple[object, int]:
    """Return the first line as data, and the offset of the second; a file of version 1 is one object."""
    line, sign, _ = data.partition(b"\n")
    if sign:
        with contextlib.suppress(ValueError):
            return _json(line), len(line) + 1
    return _json(data), len(data)


def _json(line: bytes) -> object:
    return json.loads(line.decode("utf-8"), parse_constant=_no_number)


def _no_number(name: str) -> object:
    raise ValueError(name)


def _lines(head: dict[str, object], data: bytes, first: int) -> SaveContents:
    if data[first - 1 : first] != b"\n":
        raise ValueError("incomplete first line")
    *complete, rest = data[first:].split(b"\n")
    torn, length = bool(rest), len(data) - len(rest)
    choices: list[tuple[str, int]] = []
    thought, over, language = 0, False, head["language"]
    for number, line in enumerate(complete):
        try:
            action = _json(line)
        except ValueError:
            if number < len(complete) - 1 or torn:
                raise
            torn, length = True, length - len(line) - 1
            break
        match action:
            case {"take": str(text), **more}:
                choices.append((text, _number(more.get("time", 0), MAX_TIME_MS)))
                thought, over = 0, False
            case {"undo": count}:
                del choices[_number(count, len(choices)) :]
                thought, over = 0, False
            case {"thought": time}:
                thought = _number(time, MAX_TIME_MS)
            case {"over": True}:
                over = True
            case {"language": str(spoken)}:
                language = spoken
            case _:
                raise ValueError("unknown action")
    return _save_contents(head, head["beside"], language, head["chance"], choices, thought, over, torn, length)


def _first_version(head: dict[str, object], length: int) -> SaveContents:
    listed, state = head["choices"], head["state"]
    if not isinstance(listed, list) or not isinstance(state, list) or len(state) <= ir.AT_SEAT:
        raise ValueError("no choices or no state")
    choices = []
    for choice in listed:
        text, time = choice if isinstance(choice, list) else (choice, 0)
        if not isinstance(text, str):
            raise ValueError("a choice that is no text")
        choices.append((text, _number(time, MAX_TIME_MS)))
    over = state[ir.AT_DECISION] == ir.OVER
    return _save_contents(head, "", "", ONE_STREAM, choices, 0, over, False, length)


def _save_contents(
    head: dict[str, object], beside: object, language: object, streams: object, choices: list[tuple[str, int]],
    thought: int, over: bool, torn: bool, length: int,
) -> SaveContents:  # fmt: skip
    texts = [head["game"], head.get("file", ""), beside, head["rules"], language]
    game, file, relative_files, rules, language_tag = (t for t in texts if isinstance(t, str))
    if not game.isprintable() or len(game) > MAX_NAME_LENGTH or file.count("\n") >= MAX_FILES:
        raise ValueError("no game")
    # An invalid language tag means that the game continues in another language.
    language_tag = language_tag if language_tag.isprintable() and len(language_tag) <= MAX_LANGUAGE_TAG else ""
    settings, seats = head["options"], head["seats"]
    if not isinstance(settings, dict) or not isinstance(seats, list) or len(choices) > MAX_DECISIONS:
        raise ValueError("no settings or no seats")
    values = {str(k): _number(abs(v), MAX_NUMBER) * (-1 if v < 0 else 1) for k, v in settings.items()}
    seed, kind = _number(head["seed"], MAX_SEED), _number(streams, CURRENT_STREAMS)
    if kind < ONE_STREAM:
        raise ValueError("no version of the random streams")
    version, begun = _number(head["version"], VERSION_FROM_POSITION), head.get("begun", [])
    has_start = version == VERSION_FROM_POSITION
    if not isinstance(begun, list) or bool(begun) != has_start or len(begun) > 2 * MAX_DECISIONS:
        raise ValueError("no start, or one that does not fit the version")
    return SaveContents(
        game, file, relative_files, rules, values, tuple(_seat(s) for s in seats), seed, language_tag, kind,
        tuple(choices), thought, over, torn, length, version, tuple(begun), head.get("guided") is True,
    )  # fmt: skip


def _seat(data: object) -> Seat:
    match data:
        case {"kind": str(kind), "name": str(name), **more} if len(name) <= 60 and name.isprintable():
            return Seat(kind, name, _language(more.get("language", "")))
    raise ValueError("no seat")


def _language(tag: object) -> str:
    if not isinstance(tag, str) or len(tag) > MAX_LANGUAGE_TAG or not tag.isprintable():
        raise ValueError("no language")
    return tag


def _number(value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError("no number, or too large")
    return value


def initial_state(game: Game, saved: SaveContents) -> list[int]:
    """Return the initial state of the game of a save."""
    first = game.backend.start(saved.seed)
    if saved.streams != CURRENT_STREAMS:
        first[ir.AT_CHANCE], first[ir.AT_PLAY_CHANCE] = rng.old_streams(saved.seed, saved.streams == TWO_STREAMS)
        first[ir.AT_STEP] = rng.GOLDEN
    return first


def replay(game: Game, rules_hash: str, saved: SaveContents, path: Path, lay: LayOut | None = None) -> Match:
    """Replay a save from the start; raises `SaveError` if it does not fit the rules or is inconsistent.

    `lay` lays out positions, for a save that begins with one; it raises ValueError for an invalid position.
    """
    if saved.rules != rules_hash:
        raise SaveError("other_rules", path=str(path), game=game.name)
    try:
        begun = ResumePoint(saved.streams, saved.begun) if saved.begun else None
        first = initial_state(game, saved)
        first = first if begun is None else resume_state(game, first, begun, lay)
        match = Match(game, saved.seats, saved.seed, rules_hash, first, begun)
        for text, time in saved.choices:
            match.play(match.state.read(text), time)
    except (IllegalMove, PlayFault, KeyError, TypeError, ValueError, OverflowError):
        raise SaveError("broken", path=str(path)) from None
    match.thought = saved.thought
    return match


def resume_state(game: Game, first: list[int], begun: ResumePoint, lay: LayOut | None) -> list[int]:
    """Return the state in which a match begins.

    Raises ValueError, `IllegalMove` or `PlayFault` if it cannot be reached.
    """
    state = State(game, first.copy())
    state.proceed()
    for step in begun.steps:
        match step:
            case {"take": str(text), **more}:
                state.apply(state.read(text), time=_number(more.get("time", 0), MAX_TIME_MS))
            case {"lay": dict(position)} if lay is not None:
                lay(state, position)
            case {"chance": [int(now), int(step_by), int(later)]} if max(now, step_by, later) <= MAX_SEED:
                state.cells[ir.AT_CHANCE], state.cells[ir.AT_STEP], state.cells[ir.AT_PLAY_CHANCE] = now, step_by, later
            case _:
                raise ValueError("unknown step")
    if state.over:
        raise ValueError("the game is over at the start of the match")
    return state.cells


def head_of(match: Match, path: Path, file: str = "", language: str = "", guided: bool = False) -> dict[str, object]:
    """Return the first line of a match's save at a path.

    `file` is the path of its rules if they are not shipped; `guided` marks a guided first game.
    """
    beside = ""
    if file:
        folder = path.resolve().parent
        with contextlib.suppress(ValueError):  # There is no relative path to another drive.
            beside = "\n".join(os.path.relpath(f, folder) if os.path.isabs(f) else f for f in file.split("\n"))
    return {
        "format": FORMAT,
        "version": VERSION_FROM_POSITION if match.resume_point is not None else VERSION,
        "game": match.game.name,
        "file": file,
        "beside": beside,
        "rules": match.rules_hash,
        "options": dict(match.game.settings),
        "seats": [_seat_data(s) for s in match.seats],
        "seed": match.seed,
        "language": language,
        "chance": _streams(match),
        **({"begun": list(match.resume_point.steps)} if match.resume_point is not None else {}),
        **({"guided": True} if guided else {}),
    }


def _seat_data(seat: Seat) -> dict[str, str]:
    data = {"kind": seat.kind, "name": seat.name}
    return data | {"language": seat.language} if seat.language else data


def _streams(match: Match) -> int:
    """Return the version of a match's random streams."""
    if match.resume_point is not None:
        return match.resume_point.streams
    first = match.past.first
    if (first[ir.AT_CHANCE], first[ir.AT_STEP]) == rng.start(match.seed, rng.Purpose.SETUP):
        return CURRENT_STREAMS
    return TWO_STREAMS if first[ir.AT_PLAY_CHANCE] else ONE_STREAM


def lines_of(match: Match, first: int = 0) -> Iterator[dict[str, object]]:
    """Yield the lines of a match's save, starting with choice number `first`."""
    for step in match.steps[first:]:
        yield {"take": step.text, "time": step.time} if step.time else {"take": step.text}
    if match.thought:
        yield {"thought": match.thought}
    if match.state.over:
        yield {"over": True}


_NONBLOCKING = getattr(os, "O_NONBLOCK", 0)
#: Temporary name of a file during an atomic write.
_TEMPORARY_NAME = re.compile(r"\..+\.[^.]{8}\.part")


def write_save(path: Path, match: Match, file: str = "", language: str = "", guided: bool = False) -> None:
    """Write a save atomically, so that a kill leaves the old or the new file; raises OSError, `SaveError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(path.parent)
    with contextlib.suppress(FileNotFoundError), open(path, "rb", opener=_open_nonblocking) as old:
        _lock(old, path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            _lock(out, path)
            out.write(_encoded([head_of(match, path, file, language, guided), *lines_of(match)]))
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe."""
    return os.open(path, flags | _NONBLOCKING)


def remove_finished(path: Path) -> bool:
    """Remove the save of a finished game; return False if the game is not over (any more).

    Raises OSError, and `SaveError` for a save that is in use or unreadable.
    """
    with open(path, "rb", opener=_open_nonblocking) as old:
        _lock(old, path)
        # The lock is needed for a reliable answer: another process could have undone the last move.
        if not os.path.samestat(os.fstat(old.fileno()), path.stat()) or not read_save(path).over:
            return False
        path.unlink()
        return True


#: Identity and version of a file: device, inode, size and modification time.
_FileVersion = tuple[int, int, int, int]


def _file_version(file: Path | BinaryIO) -> _FileVersion:
    status = file.stat() if isinstance(file, Path) else os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class SaveFile:
    """The save of a running match; other writers get `SaveError` with `in_use`."""

    def __init__(self, path: Path, file: str = "", guided: bool = False) -> None:
        self.path, self._file, self._guided, self._language = path, file, guided, ""
        self._handle: BinaryIO | None = None
        self._written_choices: list[PastChoice] = []
        self._seats: tuple[Seat, ...] = ()
        self._over = False
        #: The file as this process last wrote it.
        self._written_version: _FileVersion | None = None

    @classmethod
    def resume(cls, path: Path, saved: SaveContents, match: Match) -> SaveFile:
        """Continue a save that was read, after its last complete line; raises OSError, `SaveError`."""
        save_file = cls(path, saved.file, saved.guided)
        save_file._language = saved.language
        if saved.version > 1:
            save_file._open()
            assert save_file._handle is not None
            save_file._handle.truncate(saved.length)
            save_file._handle.seek(0, os.SEEK_END)
            save_file._written_version = _file_version(save_file._handle)
            save_file._written_choices, save_file._over = list(match.past.choices), saved.over
            save_file._seats = saved.seats
        return save_file

    def write(self, match: Match, language: str = "") -> None:
        """Write the new steps and the current language.

        After an OSError the next call rewrites the whole file. The file is also rewritten if the seats have changed,
        which are in its first line, or if another program has moved, removed, replaced or modified it.
        """
        if self._handle is not None and (match.seats != self._seats or self.lost):
            self.close()
        if self._handle is None:
            write_save(self.path, match, self._file, language, self._guided)
            self._open()
            self._written_choices, self._over, self._language = list(match.past.choices), match.state.over, language
            self._seats = match.seats
            return
        choices = match.past.choices
        unchanged = min(len(choices), len(self._written_choices))
        while unchanged and choices[unchanged - 1] is not self._written_choices[unchanged - 1]:
            unchanged -= 1
        lines: list[dict[str, object]] = [{"undo": unchanged}] if unchanged < len(self._written_choices) else []
        changed = (
            lines
            or len(choices) > unchanged
            or match.thought
            or language != self._language
            or (match.state.over and not self._over)
        )
        if not changed:
            return
        lines += lines_of(match, unchanged)
        if language != self._language:
            lines.append({"language": language})
        try:
            self._handle.write(_encoded(lines))
            self._handle.flush()
            os.fsync(self._handle.fileno())
            self._written_version = _file_version(self._handle)
        except OSError:
            self.close()
            raise
        self._written_choices[unchanged:], self._over, self._language = choices[unchanged:], match.state.over, language

    def close(self) -> None:
        """Close the file so that others may write it."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                self._handle.close()
            self._handle = None

    def _open(self) -> None:
        handle = self.path.open("r+b")
        try:
            _lock(handle, self.path)
        except BaseException:
            handle.close()
            raise
        handle.seek(0, os.SEEK_END)
        self._handle, self._written_version = handle, _file_version(handle)

    @property
    def lost(self) -> bool:
        """Return whether the path no longer leads to the file as this process last wrote it."""
        try:
            return self._handle is None or _file_version(self.path) != self._written_version
        except OSError:
            return True


def _encoded(lines: Iterable[dict[str, object]]) -> bytes:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    # A path may contain bytes that are not UTF-8, which JSON writes as escapes.
    return text.encode("utf-8", "backslashreplace")


def _lock(handle: BinaryIO, path: Path) -> None:
    """Lock a file for writing until it is closed; raise `SaveError` if another process has the lock."""
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SaveError("in_use", path=str(path)) from None


def is_open(path: Path) -> bool:
    """Return whether another program has a save open for writing, as far as can be determined."""
    try:
        with path.open("rb") as handle:
            _lock(handle, path)
    except SaveError:
        return True
    except OSError:
        pass
    return False


def _remove_abandoned(folder: Path) -> None:
    """Remove temporary files of killed processes from a folder, where locks can tell."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        for part in folder.iterdir():
            if _TEMPORARY_NAME.fullmatch(part.name):
                # A process that still writes the file holds its lock.
                with contextlib.suppress(OSError, SaveError), part.open("rb") as handle:
                    _lock(handle, part)
                    part.unlink()
