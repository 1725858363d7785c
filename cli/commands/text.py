"""`wongar fmt` and `wongar show`: the text of rule files, formatted, or merged with the origin of each line."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePath

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.engine import library
from wongar_dsl.language.parser.parser import MAX_BYTES, read_file, source_of
from wongar_dsl.language.printer import format_source, merged_lines
from wongar_dsl.nlg.words import Translator, quoted

from ..declarations import rule_files
from ..errors import FAILURE, SUCCESS, write_file
from ..language import cache
from ..main import print_diagnostics
from ..terminal.screen import Screen, echo, echo_file

#: Path that means standard input and standard output.
STREAM = "-"


def fmt_command(words: Translator, paths: tuple[str, ...], check: bool) -> int:
    """Run `wongar fmt`."""
    code, still = 0, True
    for path in dict.fromkeys(file for argument in paths for file in rule_files(argument, words)):
        old, new, diagnostics = _formatted(path)
        if new is None:
            code = print_diagnostics(diagnostics, words)
        elif path == STREAM and not check:
            echo_file(new)
            still = False
        elif old != new.encode():
            still = False
            if check:
                echo(words.say("cli.fmt.would_change", file=quoted(path)))
                code = FAILURE
            else:  # A symbolic link is kept.
                write_file(Path(path).resolve(), new.encode(), words)
                echo(words.say("cli.fmt.changed", file=quoted(path)))
    if still and not code:
        echo(words.say("cli.fmt.nothing"))
    return code


def _formatted(path: str) -> tuple[bytes, str | None, tuple[object, ...]]:
    """Return a file's content, its formatted text (None if it cannot be parsed), and the diagnostics."""
    if path == STREAM:
        data: bytes | None = sys.stdin.buffer.read(MAX_BYTES + 1)
        source = source_of(data or b"", path)
    else:
        data, source = read_file(Path(path), path)
    if isinstance(source, Diagnostic):
        return data or b"", None, (source,)
    formatted = format_source(source)
    return data or b"", formatted.text, formatted.diagnostics


#: Separates the origin of a line from the origins of other parts of it.
ALSO = " + "


def show_command(words: Translator, game: str, plain: bool) -> int:
    """Run `wongar show`."""
    rules = library.load(game, cache())
    lines = list(merged_lines(rules.model.merged, rules.sources))
    if plain:
        echo_file("".join(f"{line.text}\n" for line in lines))
        return SUCCESS
    names = names_of(rules.sources)
    margins = [ALSO.join(f"{names[place.source.name]}:{place.line}" for place in line.places) for line in lines]
    room = max(map(len, margins))
    screen = Screen()
    # Lines that come only from the base are shown faint, behind the changes of a variant.
    base = names[rules.sources[0].name]
    for line, margin in zip(lines, margins, strict=True):
        changed = any(names[place.source.name] != base for place in line.places)
        screen.line([("number" if changed else "faint", margin.ljust(room)), ("", f"  {line.text}")])
    return SUCCESS


def names_of(sources: Sequence[Source]) -> dict[str, str]:
    """Return the name of each file for the margin: the last path component if unique, otherwise the full name."""
    last = {source.name: PurePath(source.name).name for source in sources}
    counts = Counter(last.values())
    return {name: short if counts[short] == 1 else name for name, short in last.items()}
