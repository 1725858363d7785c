"""Invariants of formatted rule files, and random other layouts of the same rules."""

from __future__ import annotations

import random
import re

from tests.language.test_manual import ALL, Example, indented
from wongar_dsl.base.span import Source
from wongar_dsl.language.ast import same
from wongar_dsl.language.parser import WrittenLine, parse, written_lines
from wongar_dsl.language.printer import format_source
from wongar_dsl.language.printer.formatter import WIDTH

_STRING = re.compile(r'"[^"\n]*"')


def comments(text: str) -> list[str]:
    """Return the comments of a text in their order."""
    return [line.partition("#")[2].rstrip() for line in _STRING.sub("", text).split("\n") if "#" in line]


def token_texts(line: WrittenLine) -> list[str]:
    return [" ".join(token.text.split()) if token.kind != "STRING" else token.text for token in line.tokens]


def checked_layout(text: str) -> str | None:
    """Format a text and assert the invariants of its layout; return None for a text with errors."""
    source = Source("text", text)
    tree, diagnostics = parse(source)
    formatted = format_source(source)
    assert formatted.diagnostics == diagnostics
    if diagnostics:
        assert formatted.text is None
        return None
    laid = formatted.text
    assert laid is not None
    laid_tree, laid_diagnostics = parse(Source("laid", laid))
    assert not laid_diagnostics
    assert same(tree, laid_tree)
    assert format_source(Source("laid", laid)).text == laid
    assert comments(laid.replace("\r\n", "\n")) == comments(text.replace("\r\n", "\n"))
    lines = laid.replace("\r\n", "\n").split("\n")
    assert lines.pop() == ""
    assert all(line == line.rstrip() for line in lines)
    assert lines[0] != ""
    assert lines[-1] != ""
    assert not re.search(r"\n\n\n", "\n".join(lines))
    return laid


def random_layout(text: str, chance: random.Random, noted: bool = True) -> str:
    """Return the same rules in another layout: indentation, spaces, line breaks in brackets, and added comments."""
    step = chance.choice((1, 2, 3, 4, 7))
    out: list[str] = []
    number = 0
    for line in written_lines(text):
        if noted and chance.random() < 0.1:
            out += [""] * chance.randrange(3) + [" " * chance.randrange(12) + f"# own {number}  # twice"]
            number += 1
        out += [""] * (chance.randrange(4) if chance.random() < 0.2 else 0)
        opened = 0
        written = " " * step * line.depth
        for i, token in enumerate(line.tokens):
            opened += (token.text in ("(", "[")) - (token.text in (")", "]"))
            written += token.text
            if i + 1 == len(line.tokens):
                break
            written += chance.choice((" ", " ", "  ", " \t"))
            # The words `kind of x in` need spaces between them.
            if opened and token.kind not in ("KINDS",) and line.tokens[i - 1].kind != "KINDS" and chance.random() < 0.1:
                if noted and chance.random() < 0.5:
                    written += f"# in {number}"
                    number += 1
                written += "\n" * chance.choice((1, 1, 2)) + " " * chance.randrange(1, 20)
                if noted and chance.random() < 0.2:
                    written += f"# alone {number}\n   "
                    number += 1
        if noted and chance.random() < 0.1:
            written += f" #end {number}"
            number += 1
        out.append(written + " " * chance.randrange(2))
    end = "\r\n" if chance.random() < 0.1 else "\n"
    return end.join("\n".join(out).split("\n")) + "\n" * chance.randrange(3)


def too_long_lines(laid: str) -> list[str]:
    """Return lines that are too long although they contain a bracket where they could be broken."""
    return [line for line in laid.split("\n") if len(line) > WIDTH and ("(" in line or "[" in line)]


def example_file(example: Example) -> str:
    """Return an example of the manual as a file that can be parsed, without its game."""
    match example.kind.split():
        case ["statements"]:
            return f"game small\n\nplay\n{indented(example.text)}"
        case ["values"]:
            lets = (f"let x{i} = {line}\n" for i, line in enumerate(example.text.splitlines()))
            return f"game small\n\nplay\n{indented(''.join(lets))}"
        case ["articles" | "alone"]:
            return f"game small\n\n{example.text}"
    return example.text


EXAMPLES = [example_file(example) for example in ALL]
