"""Number of modules that a page passes between request and answer.

A table in play is requested through the whole ASGI application. The modules whose functions run are recorded in all
threads. Two limits hold: one for the modules that pass the request on and make the page (`web` and `session`), and one
for those that draw and narrate on their behalf (`render` and `nlg.narration`). Not counted are the state and rules of
the game (`engine`, `compiler`, `language`), `base`, the lookup and inflection of texts (`nlg.words`), templates, and
libraries.
"""

from __future__ import annotations

import threading
from pathlib import Path
from types import FrameType

import pytest

from tests.web.hosting import hosted

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {("web", "session"): 15, ("render", "nlg.narration"): 12}


class ModuleRecorder:
    """Profile function that records the files of the functions that run while it is `active`."""

    def __init__(self) -> None:
        self.active, self.files = False, set[str]()

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if self.active and event == "call" and frame.f_code.co_name != "<module>":
            self.files.add(frame.f_code.co_filename)

    def modules(self) -> set[str]:
        """Return the recorded modules of the product, without the name of its package."""
        paths = (Path(file).resolve() for file in self.files if file.endswith(".py"))
        inside = (path.relative_to(ROOT).with_suffix("").parts for path in paths if ROOT in path.parents)
        return {".".join(parts).removeprefix("wongar_dsl.") for parts in inside}


@pytest.mark.parametrize("game", ["nim", "tongiaki"])
def test_page_of_a_table_passes_few_modules(tmp_path: Path, game: str) -> None:
    recorder = ModuleRecorder()
    # A thread gets the function when it starts, so it is set before there is a server.
    threading.setprofile(recorder)
    try:
        with hosted(tmp_path, game, ("human", "human")) as played:
            played.play(2)
            browser = played.decider
            recorder.active = True
            browser.page()
            recorder.active = False
            assert not played.table_session.match.state.over
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]
    modules = recorder.modules()
    assert {"web.routes", "web.host", "web.pages", "session.menu"} <= modules
    for packages, limit in LIMITS.items():
        passed = sorted(name for name in modules if name.startswith(tuple(f"{package}." for package in packages)))
        assert len(passed) <= limit, passed
