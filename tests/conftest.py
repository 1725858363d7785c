"""What all tests share: the flag that writes golden files anew."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import settings

from tests.attacks.measured import Measuring
from wongar_dsl import ir
from wongar_dsl.backends import registry
from wongar_dsl.backends.native import NativeBackend, compiler
from wongar_dsl.backends.native import library as native_library
from wongar_dsl.cache import Cache

# Some tests drive a real browser, which `make test-browser` finds.
if os.environ.get("WONGAR_CHROMIUM"):
    from tests.browser.server import browser, serve  # noqa: F401
else:
    collect_ignore = ["browser", "journeys/test_in_the_browser.py"]


# How long an example takes depends on what else the machine does; the first one loads the rules.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_collection_finish() -> None:
    # What was imported and collected stays: looking through it for garbage again and again costs a tenth of the run.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """Restore how signals are met: a program that was told to end in a test ignores the next one, and so would all
    programs that later tests start."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-goldens", action="store_true", help="write golden files anew instead of comparing")


@pytest.fixture
def rewriting(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew; refused where nobody would look at the difference."""
    wanted = bool(request.config.getoption("--rewrite-goldens"))
    if wanted and os.environ.get("CI"):
        pytest.fail("golden files are not rewritten in CI: do it at home and read the difference")
    return wanted


@pytest.fixture(scope="session")
def measuring() -> Iterator[Measuring]:
    """The command, run in processes that are measured."""
    made = Measuring()
    yield made
    made.close()


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is compiled without a cache is kept for all tests of a run, in all its processes.

    The compiler does not take its time over it (`tests/backends/test_native.py` has what it makes if it does).
    """
    folder = tmp_path_factory.getbasetemp()
    shared = Cache((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "compiled")
    made = registry._native

    def native(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> NativeBackend:
        return made(program, cache or shared, made_of)

    patch = pytest.MonkeyPatch()
    patch.setattr(registry, "_native", native)
    at_once = tuple("-O0" if flag == "-O2" else flag for flag in compiler.FLAGS)
    patch.setattr(native_library, "compiled", lambda source, cache: compiler.compiled(source, cache, at_once))
    yield
    patch.undo()
