"""Saves: matches as files to which each choice adds a line.

The first line contains the game, the hash of the rules, the seats, the settings and the seed. Each further line is one
action: `{"take": "mark(a1)", "time": 1500}`, `{"undo": 3}` (back to 3 choices), `{"thought": 2000}` (time already spent
on the pending decision when the game was left), `{"over": true}`, `{"language": "it"}`. An incomplete last line is
dropped.

In version 3 the match begins in the middle of a game, and the first line contains the steps to its start (`begun`).
`"guided": true` marks a guided first game. Version 1 was a single object.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import rng
from wongar_dsl.engine.game import MAX_DECISIONS, MAX_TIME_MS, Game, State
from wongar_dsl.engine.match import Match, ResumePoint, Seat
from wongar_dsl.engine.moves import IllegalMove, PlayFault

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
