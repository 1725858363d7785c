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
LIMITS = {("web.", "session."): 15, ("render.", "nlg.narration."): 12}


@pytest.mark.parametrize("game", ["nim", "tongiaki"])
def test_page_of_a_table_passes_few_modules(tmp_path: Path, game: str) -> None:
    files: set[str] | None = None

    def record(frame: FrameType, event: str, argument: object) -> None:
        if files is not None and event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    # A thread gets the function when it starts, so it is set before there is a server.
    threading.setprofile(record)
    try:
        with hosted(tmp_path, game, ("human", "human")) as played:
            played.play(2)
            browser = played.decider
            files = set()
            browser.page()
            recorded, files = files, None
            assert not played.table_session.match.state.over
    finally:
        threading.setprofile(None)  # type: ignore[arg-type]
    paths = [path for file in recorded if ROOT in (path := Path(file).resolve()).parents and path.suffix == ".py"]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts).removeprefix("wongar_dsl.") for path in paths]
    assert {"web.routes", "web.host", "web.pages", "session.menu"} <= set(modules)
    for packages, limit in LIMITS.items():
        passed = sorted(name for name in modules if name.startswith(packages))
        assert len(passed) <= limit, passed
