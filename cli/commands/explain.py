"""`wongar explain`: diagnostic codes with examples, the reserved words, and the stages of the pipeline for a game."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from difflib import unified_diff
from importlib import resources
from importlib.resources.abc import Traversable

from wongar_dsl.base.diagnostics import CODES, RulesError
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.files import PACK_SUFFIX
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.engine.library import RULES_SUFFIX
from wongar_dsl.language.semantics.builtins import TAKEN
from wongar_dsl.nlg.diagnostic_text import general
from wongar_dsl.nlg.words import Text, Translator, quoted

from ..errors import SUCCESS, USAGE, UserError
from ..terminal.screen import Screen, columns, echo, terminal_width

#: Commands that reproduce the errors that no rule file can show.
COMMANDS = {
    "R0001": "wongar validate missing.rules",
    "R0002": "wongar validate large.rules",
    "R0004": "wongar play wongaar",
    "R0010": "wongar play harder.variant",
}
MAX_LINES = 16
#: The messages for the headings of the table of the pipeline.
COLUMNS = ("cli.pipeline.column.stage", "cli.pipeline.column.result", "cli.pipeline.column.number")
#: The messages for the stages of the pipeline and for what is counted there, by name.
PIPELINE = {message.rpartition(".")[2]: message for message in (
    "cli.pipeline.read", "cli.pipeline.parse", "cli.pipeline.variants", "cli.pipeline.resolve", "cli.pipeline.check",
    "cli.pipeline.lower", "cli.pipeline.passes", "cli.pipeline.backend", "cli.pipeline.files",
    "cli.pipeline.characters", "cli.pipeline.declarations", "cli.pipeline.statements", "cli.pipeline.references",
    "cli.pipeline.expressions", "cli.pipeline.seats", "cli.pipeline.procedures", "cli.pipeline.blocks",
    "cli.pipeline.instructions", "cli.pipeline.cells", "cli.pipeline.python_lines", "cli.pipeline.c_lines",
)}  # fmt: skip


def explain_command(words: Translator, code: str | None, pipeline: str | None) -> int:
    """Run `wongar explain`."""
    if pipeline is not None:
        if code is not None:
            raise UserError(words.say("cli.pipeline.both"), USAGE)
        show_pipeline(pipeline, words)
        return SUCCESS
    if code is None:
        from wongar_dsl.language.parser import reserved_words  # The parser is not needed to explain a code.

        for listed_code in CODES:
            echo(f"{listed_code}  {general(listed_code, words.say)}")
        echo("\n" + words.say("report.reserved"))
        taken = words.chain(sorted(reserved_words() | TAKEN, key=str.lower))
        echo(textwrap.indent(textwrap.fill(taken, terminal_width() - 2), "  "))
        return SUCCESS
    full_code = parse_code(code)
    if full_code not in CODES:
        near = did_you_mean(full_code, CODES)
        advice = " " + words.capital(words.say("report.suggestion", name=Text(near))) if near else ""
        raise UserError(words.say("report.no_code", code=quoted(code)) + advice, USAGE)
    screen = Screen()
    screen.text(
        words.label(f"{words.say(f'report.{CODES[full_code].value}')} {full_code}") + f"{general(full_code, words.say)}"
    )
    screen.line()
    screen.text(words.say(f"{full_code}.explain"))
    screen.stream.flush()
    shown = example(full_code)
    if shown:
        echo("\n" + words.say("report.example"))
        echo("\n".join(f"  {escape_line(line)}" for line in shown))
    return SUCCESS


def show_pipeline(name: str, words: Translator) -> None:
    """Print a table of the stages of the pipeline for a game, with the sizes of their results.

    Raises `RulesError` for rules with errors.
    """
    # The parser is not needed to explain a code.
    from wongar_dsl.engine.library.loader import read
    from wongar_dsl.pipeline import stage_sizes

    loaded = read(name)
    if loaded.rules is None:
        raise RulesError(loaded.diagnostics)
    program = loaded.rules.program(loaded.rules.model.players[0], {})
    trees = [file.tree for file in loaded.chain]
    sizes = list(stage_sizes(loaded.rules.sources, trees, loaded.rules.model, program))
    headings = [words.say(message) for message in COLUMNS]
    rows = [headings]
    for size, previous in zip(sizes, [None, *sizes], strict=False):
        repeated = previous is not None and previous.stage == size.stage
        stage = "" if repeated else words.say(PIPELINE[size.stage])
        rows.append([stage, words.say(PIPELINE[size.unit]), words.number(size.number)])
    screen = Screen()
    for line, row in zip(columns(rows, words, {2}), rows, strict=True):
        screen.line([("strong" if row is headings else "", line)])


def parse_code(text: str) -> str:
    """Return the diagnostic code for a user's input: `r206` and `206` mean `R0206`."""
    number = re.fullmatch(r"r?0*(\d{1,4})", text.strip().lower())
    return f"R{int(number[1]):04}" if number is not None else text.upper()


def example(code: str) -> list[str]:
    """Return the example of a code as a diff (`-` wrong, `+` right), or the command that reproduces it."""
    if code in COMMANDS:
        return [f"$ {COMMANDS[code]}"]
    folder = resources.files("wongar_dsl.examples")
    bad, good = (dict(_files(folder, name)) for name in (code, f"{code}.good"))
    lines: list[str] = []
    for name in bad.keys() | good.keys():
        changes = unified_diff(bad.get(name, []), good.get(name, []), lineterm="", n=1)
        # An empty line around a change adds nothing.
        lines += [line for line in changes if line.strip() and not line.startswith(("---", "+++", "@@"))]
    return lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "…"]


def _files(folder: Traversable, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the relative names and lines of the files of an example."""
    for suffix in (RULES_SUFFIX, PACK_SUFFIX):
        single = folder.joinpath(f"{name}{suffix}")
        if single.is_file():
            yield "", _lines(single)
            return
    waiting = [("", folder.joinpath(name))]
    while waiting:
        above, file = waiting.pop()
        if file.is_dir():
            waiting += [(f"{above}/{inner.name}", inner) for inner in file.iterdir()]
        else:
            yield above, _lines(file)


def _lines(file: Traversable) -> list[str]:
    return file.read_bytes().decode("utf-8", "replace").splitlines()
