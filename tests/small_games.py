"""Small games for tests: helpers that add the common head of a rule file to the text of a test."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from wongar_dsl import pipeline
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import inspect, load
from wongar_dsl.language.parser import parse

HEAD = "game small\n    players 2\n    source house rule\n"

#: Body of a game in which each player takes points or rests, and its case file with one example.
TAKING = """
score points
option worth = 2 in 1 to 9

play
    for each p in player
        p chooses turn
            take
                p gains worth points
            rest
                tell rests(player: p)
    end game

winner p
    most points of p
"""
TAKING_CASES = """players: 2
cases:
  - name: taking gives two points
    example: yes
    moves: [take, rest]
    expect: {position: {points: {1: 2}}}
"""


def write_rules(folder: Path, text: str, players: str = "2") -> Path:
    """Write a rule file from the text after its head, and return the path."""
    path = folder / "small.rules"
    path.write_text(HEAD.replace("2", players) + text.strip("\n") + "\n", encoding="utf-8")
    return path


def checked(path: str | Path) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a rule file without compiling rules that have no error: that takes longer and finds
    nothing more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "compile_model", lambda *_: None)
        return inspect(path)[1]


def built(text: str) -> tuple[Source, list[Diagnostic]]:
    """Return the source of a whole game, and its diagnostics, without files."""
    source = Source("x.rules", text)
    tree, diagnostics = parse(source)
    return source, list(pipeline.build([pipeline.Layer(tree)], diagnostics, tree.unparsed_words or None).diagnostics)


def diagnostics_of(folder: Path, text: str) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of such a game."""
    return inspect(write_rules(folder, text))[1]


def diagnostic_codes(folder: Path, text: str) -> list[str]:
    """Return the codes of the diagnostics of such a game."""
    return [diagnostic.code for diagnostic in diagnostics_of(folder, text)]


def codes_except(folder: Path, text: str, *ignored: str) -> list[str]:
    """Return the codes of such a game other than those that its text always causes."""
    return [code for code in diagnostic_codes(folder, text) if code not in ignored]


def told_values(folder: Path, text: str, values: Iterable[str], lines: str = "nothing") -> list[int]:
    """Return the values of expressions after some lines of `play`, which are the same on two backends.

    The lines, indented by four spaces, take the place of `{}` in the text.
    """
    asked = "".join(f"\nlet x{i} = {value}\ntell told_{i}(n: x{i})" for i, value in enumerate(values))
    path = write_rules(folder, text.format(f"{lines}{asked}".replace("\n", "\n    ")))
    computed, same = (
        [e.values[0] for e in load(path).game(2, backend=b).start(1)[1] if (e.spec.message or "").startswith("told_")]
        for b in ("reference", "python")
    )
    assert computed == same
    return computed


def start_fault_code(folder: Path, text: str, backend: str) -> str:
    """Return the code of the run-time fault that such a game raises before its first decision."""
    game = load(write_rules(folder, text)).game(2, backend=backend)
    with pytest.raises(PlayFault) as caught:
        game.start(1)
    return caught.value.diagnostic.code


def initial_cells(folder: Path, text: str, backend: str) -> dict[str, int]:
    """Return the first cell of each field of such a game at its first decision, by name."""
    game = load(write_rules(folder, text)).game(2, backend=backend)
    state, _ = game.start(1)
    return {name: state.cells[place.base] for name, place in game.fields.items()}
