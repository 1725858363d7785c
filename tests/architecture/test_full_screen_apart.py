"""Line-by-line play does not import the modules of the full screen."""

from __future__ import annotations

import os
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.cli.command import Terminal, isolated_environment, start_process

SCREEN, LIBRARY = "wongar_dsl.cli.fullscreen", "prompt_toolkit.application"
PLAY = """
import sys
from pathlib import Path
from wongar_dsl.cli.main import main
main(["play", "tictactoe", "--seats", "human,human", "--seed", "3", "--lang", "en", *sys.argv[2:]])
Path(sys.argv[1]).write_text("\\n".join(sys.modules))
"""


def imported(listed: Path) -> set[str]:
    return {name for name in listed.read_text().split() if name.startswith((SCREEN, LIBRARY))}


@pytest.mark.parametrize(
    ("arguments", "kind", "wanted"),
    [(("--plain",), "dumb", set()), (("--plain",), "xterm", {LIBRARY}), ((), "xterm", {LIBRARY, SCREEN})],
)
def test_line_by_line_play_imports_the_line_editor_without_panes(
    tmp_path: Path, arguments: tuple[str, ...], kind: str, wanted: set[str]
) -> None:
    listed = tmp_path / "modules"
    environment = isolated_environment(tmp_path) | {
        "PATH": os.environ["PATH"], "TERM": kind, "PROMPT_TOOLKIT_NO_CPR": "1"
    }  # fmt: skip
    command = [sys.executable, "-c", PLAY, str(listed), *arguments]
    with Terminal(partial(start_process, command), environment, tmp_path, 80, 24) as terminal:
        terminal.wait_for("which square")
        # Input typed before the question can be read is discarded.
        time.sleep(0.6)
        terminal.type("\x04")
        terminal.rest()
    modules = imported(listed)
    assert {part for part in (LIBRARY, SCREEN) if any(name.startswith(part) for name in modules)} == wanted
