"""Fixtures and options shared by all tests."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from types import CodeType

import pytest
from hypothesis import settings

from tests.attacks.measured import Measuring
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import python as python_backend
from wongar_dsl.compiler.backends import registry
from wongar_dsl.compiler.backends.native import compiler
from wongar_dsl.compiler.backends.native import library as native_library
from wongar_dsl.nlg.words import locale
from wongar_dsl.nlg.words.languages import builtin_folder

# Tests in a real browser run only in `make test-browser`, which finds the browser.
if os.environ.get("WONGAR_CHROMIUM"):
    from tests.browser.server import browser, serve  # noqa: F401
else:
    collect_ignore = ["browser", "journeys/test_in_the_browser.py"]


#: Programs whose generated code is kept in memory.
MAX_KEPT_PROGRAMS = 60

# No deadline: the first example loads the rules, and the load of the machine varies.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


# Collecting tests makes little garbage.
gc.disable()


def pytest_collection_finish() -> None:
    # Freeze imported modules and collected tests: scanning them repeatedly takes a tenth of the run.
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


@pytest.fixture(autouse=True)
def restore_signal_handlers() -> Iterator[None]:
    """Restore signal handlers.

    A program terminated in a test ignores further signals, and processes started by later tests would inherit that.
    """
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-goldens", action="store_true", help="write golden files anew instead of comparing")


@pytest.fixture
def rewrite_goldens(request: pytest.FixtureRequest) -> bool:
    """Return whether to rewrite golden files; refused in CI, where the difference would not be reviewed."""
    requested = bool(request.config.getoption("--rewrite-goldens"))
    if requested and os.environ.get("CI"):
        pytest.fail("golden files are not rewritten in CI: do it at home and read the difference")
    return requested


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return an iterator of paths for the folders of tests."""
    place = tmp_path_factory.mktemp("tests")
    return (place / str(number) for number in count())


@pytest.fixture
def tmp_path(folders: Iterator[Path]) -> Path:
    """Return an empty folder.  The fixture of pytest lists the folders of all tests before each of 7,000 tests."""
    folder = next(folders)
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def measuring() -> Iterator[Measuring]:
    """Yield a runner that measures the command in child processes."""
    made = Measuring()
    yield made
    made.close()


@pytest.fixture(scope="session", autouse=True)
def write_without_syncing() -> Iterator[None]:
    """Leave out waits for the disk, which would take most of the time of tests with files: none cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def read_shipped_catalogs_once() -> Iterator[None]:
    """Keep the text of the shipped languages, which no test changes; thousands of tests load one."""
    shipped, read = builtin_folder(), locale._texts
    shipped_texts = cache(lambda code: read(code, (shipped,)))
    patch = pytest.MonkeyPatch()
    patch.setattr(
        locale, "_texts", lambda code, roots: shipped_texts(code) if roots == (shipped,) else read(code, roots)
    )
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def share_compiled_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Share code compiled without a cache between all tests and worker processes of a run.

    C is compiled without optimisation; `tests/compiler/backends/test_native.py` covers optimised code.
    """
    folder = tmp_path_factory.getbasetemp()
    shared = Cache((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "compiled")
    native, python = registry._native, registry._python
    patch = pytest.MonkeyPatch()
    patch.setattr(registry, "_native", lambda program, cache, made_of: native(program, cache or shared, made_of))
    # Found by its source: a test may have changed the program of a game that it names.
    patch.setattr(
        registry, "_python", lambda program, cache, made_of: python(program, cache or shared, made_of if cache else ())
    )
    generated = python_backend._code
    kept: dict[tuple[int, bool], tuple[ir.Program, CodeType]] = {}

    def code(program: ir.Program, telling: bool, cache: Cache | None, made_of: Sequence[str]) -> CodeType:
        """Return the code of a program, whose source is generated only once while the program is kept."""
        if cache is not shared:
            return generated(program, telling, cache, made_of)
        if len(kept) > MAX_KEPT_PROGRAMS:
            kept.clear()
        if (id(program), telling) not in kept:
            kept[id(program), telling] = program, generated(program, telling, cache, made_of)
        return kept[id(program), telling][1]

    patch.setattr(python_backend, "_code", code)
    at_once = tuple("-O0" if flag == "-O2" else flag for flag in compiler.FLAGS)
    patch.setattr(
        native_library, "compile_library", lambda source, cache: compiler.compile_library(source, cache, at_once)
    )
    yield
    patch.undo()
