"""Backend that steps in Python and runs bulk work as machine code, once that is compiled and if it can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import TYPE_CHECKING

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.protocol import (
    Backend,
    CancelToken,
    CycleQuery,
    Dice,
    Option,
    OptionStats,
    PerftLevel,
    PlayoutResult,
    RawEvent,
    State,
)
from wongar_dsl.compiler.backends.rng import Cursor
from wongar_dsl.compiler.backends.visibility_mask import VisibilityMask

if TYPE_CHECKING:
    from concurrent.futures import Future

    from wongar_dsl.compiler.backends.native import NativeBackend


class AutoBackend:
    """Backend that compiles the program in a thread on first bulk use, and uses Python meanwhile."""

    def __init__(self, plain: Backend, native: Callable[[], NativeBackend]) -> None:
        """Store both backends.  `native` creates the native backend, and raises NoCompiler if there is none."""
        self.stepping_backend, self._make = plain, native
        self._made: Future[Backend] | None = None

    @property
    def name(self) -> str:
        """Implement `Backend.name`."""
        return self._bulk_backend(True).name

    @property
    def program(self) -> ir.Program:
        """Implement `Backend.program`."""
        return self.stepping_backend.program

    @property
    def reached_marks(self) -> set[int]:
        """Implement `Backend.reached_marks`."""
        reached = self.stepping_backend.reached_marks
        if self._made is not None and self._made.done() and self._made.result() is not self.stepping_backend:
            native_marks = self._made.result().reached_marks
            reached |= native_marks
            native_marks.clear()
        return reached

    @property
    def native_backend(self) -> NativeBackend | None:
        """Native backend, after waiting for the compiler; None without one."""
        from wongar_dsl.compiler.backends.native import NativeBackend

        backend = self._bulk_backend(True)
        return backend if isinstance(backend, NativeBackend) else None

    def _bulk_backend(self, wait: bool) -> Backend:
        """Return the backend for bulk work; without `wait`, the Python backend until the native one is ready."""
        if self._made is None:
            from concurrent.futures import Future

            self._made = Future()
            Thread(target=self._compile, args=(self._made,), daemon=True).start()
        return self._made.result() if wait or self._made.done() else self.stepping_backend

    def _compile(self, made: Future[Backend]) -> None:
        # Imported lazily, because it takes time.
        from wongar_dsl.compiler.backends.native import NoCompiler

        try:
            made.set_result(self._make())
        except NoCompiler:
            made.set_result(self.stepping_backend)
        except BaseException as error:
            made.set_exception(error)

    # ---- single steps ----

    def start(self, seed: int) -> State:
        """Implement `Backend.start`."""
        return self.stepping_backend.start(seed)

    def run(self, state: State, events: list[RawEvent] | None = None, dice: Dice | None = None) -> None:
        """Implement `Backend.run`."""
        self.stepping_backend.run(state, events, dice)

    def advance(self, state: State) -> list[Option]:
        """Implement `Backend.advance`."""
        return self.stepping_backend.advance(state)

    def options(self, state: State) -> list[Option]:
        """Implement `Backend.options`."""
        return self.stepping_backend.options(state)

    def evaluate(self, state: State, procedure: int, arguments: tuple[int, ...]) -> int:
        """Implement `Backend.evaluate`."""
        return self.stepping_backend.evaluate(state, procedure, arguments)

    def choose(self, state: State, option: Option, time: int = 0) -> None:
        """Implement `Backend.choose`."""
        self.stepping_backend.choose(state, option, time)

    def search(self, state: State, query: CycleQuery, fuel: int) -> tuple[ir.CycleVerdict, int]:
        """Implement `Backend.search`."""
        return self.stepping_backend.search(state, query, fuel)

    # ---- bulk work ----

    def playout(self, state: State, rng: Cursor, limit: int) -> tuple[int, Cursor]:
        """Implement `Backend.playout`."""
        return self._bulk_backend(False).playout(state, rng, limit)

    def playouts(self, seed: int, first: int, last: int, limit: int) -> tuple[int, int]:
        """Implement `Backend.playouts`."""
        return self._bulk_backend(True).playouts(seed, first, last, limit)

    def outcomes(self, state: State, options: Sequence[Option], seed: int, limit: int) -> list[PlayoutResult]:
        """Implement `Backend.outcomes`."""
        return self._bulk_backend(False).outcomes(state, options, seed, limit)

    def determinize(self, state: State, mask: VisibilityMask, rng: Cursor) -> Cursor:
        """Implement `Backend.determinize`."""
        return self._bulk_backend(False).determinize(state, mask, rng)

    def evaluate_options(
        self,
        state: State,
        mask: VisibilityMask,
        worlds: Sequence[State],
        iterations: int,
        seed: int,
        cancel: CancelToken,
    ) -> list[OptionStats]:
        """Implement `Backend.evaluate_options`."""
        return self._bulk_backend(True).evaluate_options(state, mask, worlds, iterations, seed, cancel)

    def perft(self, seed: int, depth: int, chance: bool) -> Iterator[PerftLevel]:
        """Implement `Backend.perft`."""
        return self._bulk_backend(True).perft(seed, depth, chance)
