"""The full-screen application: draws views, turns keys and mouse events into answers, and runs the dialogue.

The screen runs in the main thread, where signals arrive. The dialogue has its own thread, so that it never blocks the
screen; it puts questions and waits for answers.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, UIContent, UIControl, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from wongar_dsl.base.terminal_text import escape_text, transliterate
from wongar_dsl.render.text.lines import line_text

from ..play.display import Paragraph
from ..terminal.application import Terminal, fragments
from ..terminal.signals import restored_screen
from .board import PAGES
from .frame import ScreenFrame
from .view import PANES, ScreenView, UiState, paragraphs

#: Seconds after a question is shown during which input is ignored, since it was meant for something else.
KEY_GRACE_S = 0.25
#: Additional seconds after which the prompt is redrawn as open.
PROMPT_REDRAW_DELAY_S = 0.02
#: Lines scrolled per wheel step.
WHEEL_LINES = 3
#: Maximum length of an answer.
MAX_ANSWER_LENGTH = 10_000


class _PaneControl(UIControl):
    """All panes, as one control."""

    def __init__(self, app: FullscreenApp) -> None:
        self._app = app

    def create_content(self, width: int, height: int) -> UIContent:
        """See `UIControl`."""
        lines = self._app.draw(width, height)
        return UIContent(lambda row: lines[row] if row < len(lines) else [], len(lines), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> Any:
        """See `UIControl`."""
        return self._app.point(mouse_event)


class FullscreenApp:
    """Shows views, which may be set from any thread, and passes answers to a callback."""

    def __init__(self, terminal: Terminal, view: ScreenView, answer: Callable[[str | BaseException], None]) -> None:
        self.terminal, self.view, self._answer = terminal, view, answer
        self.ui = UiState()
        self._current_question, self._question_shown_at, self._answered_question = 0, 0.0, 0
        #: The last question drawn on the terminal, and whether input came too early after it.
        self._drawn_question, self._had_early_input = 0, False
        #: The question drawn last, and whether it keeps text that its player typed before, for Enter to send.
        self._drawn_view, self._keeps_text = view, False
        self._size = (80, 23)
        self._last_notes = view.notes
        self.input = Buffer(multiline=False, on_text_changed=lambda _: self._update_selection())
        typing = Condition(lambda: self.view.kind in ("choice", "confirm") and not self.ui.reader)
        line = BufferControl(self.input, [BeforeInput(self._prompt)], focusable=True)
        panes = HSplit([Window(_PaneControl(self)), Window(line, height=1, always_hide_cursor=~typing)])
        self.app = terminal.application(Layout(panes, line), self._key_bindings(), mouse_support=True)
        self.app.ttimeoutlen = 0.05
        self.app.after_render += self._note_question_drawn

    # ---- drawing ----

    @property
    def frame(self) -> ScreenFrame:
        """The current screen."""
        return ScreenFrame(self.view, self.ui, *self._size, self.terminal.unicode)

    def show(self, view: ScreenView) -> None:
        """Show another view; may be called from any thread."""
        self.view = view
        self.app.invalidate()

    def draw(self, width: int, height: int) -> list[StyleAndTextTuples]:
        """Return the lines of the panes for a size."""
        self._size = (width, height)
        self._adopt_view()
        return [fragments([line], self._displayable) for line in self.frame.lines()]

    def _adopt_view(self) -> None:
        """Detect a new question, or a long reply to an input, and reset the state for it."""
        view = self.view
        another = view.question_number != self._current_question
        if another:
            self._current_question, self._question_shown_at = view.question_number, self.terminal.clock()
            drawn, self._drawn_view = self._drawn_view, view
            self._keeps_text = (
                view.kind == "choice" and drawn.viewer == view.viewer and self._is_awaiting_question(drawn)
            )
            if not self._keeps_text:
                self.input.reset()
            entries = view.menu.entries
            # The default is never "yes", so that Enter alone confirms nothing, and never a guess after a typing error.
            first = entries[-1] if view.kind == "confirm" else entries[0] if entries else None
            first = first if view.suggested is None else view.entry(view.suggested)
            self.ui.next_question(first.number if first is not None else 0)
            if view.scene is not None and view.kind != "confirm":
                self.ui.begin_question(view.viewer, view.since, len(view.story))
            self._update_selection()
        if another or view.notes != self._last_notes:
            self._last_notes, self.ui.reply_dismissed = view.notes, False
            long = self._is_long(view.notes)
            self.ui.reader, self.ui.note = (view.notes, ()) if long else ((), ())
            self.ui.scrolled.pop("reader", None)
        if another:
            self._show_lesson()

    def _is_long(self, notes: tuple[Paragraph, ...]) -> bool:
        """Return whether a reply is shown over the panes; an error message only if it is very long."""
        if self.view.kind == "pause":
            return False
        slip = any(note.style == "wrong" for note in notes)
        room = (self._size[1] - 1) // 3
        return len(paragraphs(notes, self._size[0])) > room or not (slip or self.frame.options.fits(notes))

    def _show_lesson(self) -> None:
        """Bring an explanation to the front, or show it over the panes if it is long."""
        lesson = self.view.lesson
        if self.view.kind == "lesson":
            spaced = [paragraph for text in lesson.said for paragraph in (text, Paragraph("", ""))]
            self.ui.reader = (*spaced[:-1], *lesson.small_print) if self.frame.cramped else ()
        elif lesson.said:
            self.ui.tab = "lesson"

    def _displayable(self, text: str) -> str:
        text = escape_text(text)
        return text if self.terminal.unicode else transliterate(text, spellings=self.view.words.lexicon.transliteration)

    def _prompt(self) -> StyleAndTextTuples:
        """Return the prompt, with a key hint while nothing is typed."""
        if self.view.kind == "lesson":
            return [("class:faint", self._displayable(self.view.words.say("screen.keys.lesson")))]
        if self.ui.reader:
            return [("class:faint", self._displayable(self.view.words.say("screen.keys.reader")))]
        waits = self.view.kind in ("privacy", "pause")
        if self._in_grace_period and (self._had_early_input or waits):
            return [("class:faint", self._displayable("…"))]
        if self.view.kind in ("choice", "confirm"):
            hint = "" if self.input.text else self.view.words.say("screen.keys")
            while self.view.words.width(shown := self._displayable(hint)) > max(0, self._size[0] - 3):
                hint = hint.rpartition(" · ")[0]
            return [("class:strong", "> "), ("class:faint", shown)]
        return [("class:faint", self._displayable(self.view.words.say("screen.keys.enter")) if waits else "")]

    # ---- answers ----

    @property
    def _accepts_input(self) -> bool:
        """True if input can be meant for the question shown."""
        if self.view.question_number != self._current_question or self._answered_question == self.view.question_number:
            return False
        if not self._in_grace_period:
            return True
        self._had_early_input = True
        self._start_grace_period()
        return False

    @property
    def _in_grace_period(self) -> bool:
        return self.terminal.clock() - self._question_shown_at < KEY_GRACE_S

    def _start_grace_period(self) -> None:
        """Ignore input for a moment, then redraw the prompt as open."""
        self._question_shown_at = self.terminal.clock()
        if self.app.loop is not None:
            self.app.loop.call_later(KEY_GRACE_S + PROMPT_REDRAW_DELAY_S, self.app.invalidate)

    def _note_question_drawn(self, _: object) -> None:
        """Start the delay once the question is on the terminal, since input during drawing was not meant for it."""
        if self._drawn_question != self._current_question:
            self._drawn_question, self._had_early_input = self._current_question, False
            self._start_grace_period()

    def _submit(self, answer: str | BaseException) -> None:
        """Pass on an answer and close the question."""
        if isinstance(answer, str):
            self._answered_question = self.view.question_number
        self.input.reset()
        self._answer(answer[:MAX_ANSWER_LENGTH] if isinstance(answer, str) else answer)

    def _handle_enter(self) -> None:
        view, ui = self.view, self.ui
        if view.kind == "lesson":
            self._confirm_lesson()
        elif ui.reader:
            self._close_reader()
        elif not self._accepts_input or view.kind == "wait":
            return
        elif self.input.text.strip() or view.kind in ("privacy", "pause"):
            self._submit(self.input.text if view.kind not in ("privacy", "pause") else "")
        elif view.entry(ui.cursor) is not None:
            self._submit(str(ui.cursor))

    def _confirm_lesson(self) -> None:
        """Confirm an explanation; one key is enough, even if it covers the panes."""
        if self._accepts_input:
            self._close_reader()
            self._submit("")

    def _toggle_legend(self) -> None:
        """Show or hide the legend of the boards."""
        lines = self.frame.legend(self._size[0] - 2)
        if self.ui.reader:
            self._close_reader()
        elif self.view.kind not in ("privacy", "lesson") and lines:
            self.ui.reader = tuple(Paragraph("", line_text(line).rstrip()) for line in lines)
            self.ui.scrolled.pop("reader", None)

    def _show_next_board_page(self) -> None:
        """Show the next page of the boards; the focus stays on the options."""
        arrangement = self.frame.arrangement
        pages = arrangement.pages or tuple(pane for pane in arrangement.tabs if pane in PAGES)
        if len(pages) > 1 and not self.ui.reader:
            front = next((number for number, page in enumerate(pages) if self.frame.is_visible(page)), -1)
            self._bring_to_front(pages[(front + 1) % len(pages)])
            self.ui.focus = "options"

    def _close_reader(self) -> None:
        """Close the text over the panes; it is not repeated below the options."""
        self.ui.reader, self.ui.reply_dismissed = (), True

    def _update_selection(self) -> None:
        """Move the cursor to the number typed, or filter the options by the words typed."""
        ui, text = self.ui, self.input.text.strip()
        ui.note, ui.shown_options = (), None
        if text.isascii() and text.isdigit():
            numbers = [int(text[:9])] if self.view.entry(int(text[:9])) is not None else []
        elif text:
            numbers = [entry.number for entry in self.view.menu.match_words(text)]
            ui.shown_options = frozenset(numbers) or None
        else:
            return
        # The highlighted option is the one that Enter chooses.
        if ui.cursor not in numbers:
            ui.cursor = numbers[0] if numbers else 0

    def _complete_input(self) -> None:
        """Complete the input as far as it is unambiguous, and list the candidates."""
        typed = self.input.text.lstrip().casefold()
        candidates = [text for text in self.view.completions if text.casefold().startswith(typed)]
        if not candidates:
            return
        common = candidates[0]
        while not all(text.casefold().startswith(common.casefold()) for text in candidates):
            common = common[:-1]
        if len(common) > len(typed):
            self.input.text = common
            self.input.cursor_position = len(common)
        if len(candidates) > 1:
            self.ui.note = tuple(Paragraph("faint", text) for text in candidates)

    # ---- navigation ----

    def _move_cursor(self, down: int, right: int) -> None:
        ui, frame = self.ui, self.frame
        if ui.reader:
            self._scroll("reader", down)
        elif self.view.kind == "lesson" and ui.focus == "options":
            self._scroll("lesson", down)
        elif ui.focus != "options":
            self._scroll(ui.focus, down)
        elif self._accepts_input:
            ui.note = ()
            ui.cursor = frame.options.choices.move_cursor(ui.cursor, down, right)

    def _scroll_page(self, pages: int) -> None:
        focus = self.ui.focus
        above = "lesson" if self.view.kind == "lesson" else "story"
        pane = "reader" if self.ui.reader else above if focus == "options" else focus
        boxes = self.frame.arrangement.boxes
        height = self._size[1] if pane == "reader" else boxes.get(pane, boxes["options"]).height
        self._bring_to_front(pane)
        self._scroll(pane, pages * max(1, height - 3))

    def _scroll(self, pane: str, lines: int) -> None:
        """Scroll down; in the log, towards its end."""
        self.ui.scroll(pane, -lines if pane == "story" else lines)

    def _bring_to_front(self, pane: str) -> None:
        """Bring a pane to the front if it shares its box."""
        if pane in self.frame.arrangement.tabs:
            self.ui.tab = pane
        elif pane in self.frame.arrangement.pages:
            self.ui.page = pane

    def _handle_tab(self, step: int) -> None:
        """Handle Tab: complete the input, otherwise focus another pane."""
        if self.ui.reader:
            return
        if self.input.text and step > 0:
            self._complete_input()
            return
        panes = [pane for pane in PANES if pane in self.frame.arrangement.boxes]
        self.ui.focus = panes[(panes.index(self.ui.focus) + step) % len(panes)]
        self._bring_to_front(self.ui.focus)

    def _handle_escape(self) -> None:
        """Handle Esc: close a long text, leave a pane, clear the input or the filter, or go back in a choice."""
        ui = self.ui
        if self.view.kind == "lesson" and ui.focus == "options":
            self._confirm_lesson()
        elif ui.reader:
            self._close_reader()
        elif self.input.text:
            self.input.reset()
        elif ui.focus != "options" or ui.shown_options is not None or self.frame.options.notes:
            ui.focus, ui.shown_options, ui.note, ui.reply_dismissed = "options", None, (), True
        elif self.view.is_partial and self._accepts_input:
            self._submit("")

    # ---- mouse ----

    def point(self, event: MouseEvent) -> Any:
        """Handle a mouse event: the wheel scrolls, a click chooses."""
        column, row = event.position.x, event.position.y
        pane = "reader" if self.ui.reader else self.frame.pane_at(column, row)
        wheel = {MouseEventType.SCROLL_UP: -WHEEL_LINES, MouseEventType.SCROLL_DOWN: WHEEL_LINES}.get(event.event_type)
        is_click = event.event_type is MouseEventType.MOUSE_UP and event.button in (MouseButton.LEFT, MouseButton.NONE)
        if pane is None or (wheel is None and not is_click):
            return NotImplemented
        if wheel is not None and pane == "options":
            self._move_cursor(wheel // WHEEL_LINES, 0)
        elif wheel is not None:
            self._scroll(pane, wheel)
        elif pane == "options":
            self._click_option(column, row)
        elif pane in PAGES and row > self.frame.box(pane).top:
            self._click_board(column, row)
        elif pane != "reader":
            self._click_pane(pane, column, row)
        return None

    def _click_option(self, column: int, row: int) -> None:
        """Move the cursor to an option on the first click, and choose it on the second."""
        self.ui.focus = "options"
        number = self.frame.option_at(column, row)
        if number is None or not self._accepts_input:
            return
        if number == self.ui.cursor:
            self._submit(str(number))
        else:
            self.ui.cursor, self.ui.note = number, ()

    def _click_board(self, column: int, row: int) -> None:
        """Show the options that affect an area; another click moves to the next one."""
        ui, frame = self.ui, self.frame
        if self.view.kind != "choice":
            return
        among = sorted({place for places in self.view.touched.values() for place in places})
        areas = frame.areas_at(column, row, among)
        numbers = [e.number for e in self.view.menu.entries if self.view.touched.get(e.number, frozenset()) & {*areas}]
        ui.focus = "options"
        if not numbers:
            ui.shown_options = None
            return
        if ui.shown_options == frozenset(numbers):
            ui.cursor = numbers[(numbers.index(ui.cursor) + 1) % len(numbers)] if ui.cursor in numbers else numbers[0]
        else:
            ui.shown_options, ui.cursor = frozenset(numbers), numbers[0]

    def _click_pane(self, pane: str, column: int, row: int) -> None:
        """Focus a pane; a click on its title brings the next pane of the box to the front."""
        tabs = self.frame.tabbed_panes(pane)
        self.ui.focus = pane
        if len(tabs) > 1 and row == self.frame.box(pane).top:
            self.ui.focus = tabs[(tabs.index(pane) + 1) % len(tabs)]
            self._bring_to_front(self.ui.focus)

    # ---- keys ----

    def _key_bindings(self) -> KeyBindings:
        keys = KeyBindings()

        def on(*names: str, when: Callable[[], bool] = lambda: True) -> Callable[[Callable[[], object]], None]:
            def add(do: Callable[[], object]) -> None:
                for name in names:
                    keys.add(name, eager=True, filter=Condition(when))(lambda event: do())

            return add

        def no_text() -> bool:
            return not self.input.text

        for name, down, right in (("up", -1, 0), ("down", 1, 0)):
            on(name)(partial(self._move_cursor, down, right))
        for name, right in (("left", -1), ("right", 1)):
            on(name, when=no_text)(partial(self._move_cursor, 0, right))
        on("pageup")(partial(self._scroll_page, -1))
        on("pagedown")(partial(self._scroll_page, 1))
        on("home", when=no_text)(partial(self._move_cursor, -1_000, 0))
        on("end", when=no_text)(partial(self._move_cursor, 1_000, 0))
        on("tab")(partial(self._handle_tab, 1))
        on("s-tab")(partial(self._handle_tab, -1))
        on("enter")(self._handle_enter)
        on("escape")(self._handle_escape)
        on("q", when=lambda: bool(self.ui.reader))(self._handle_escape)
        on("f2")(self._toggle_legend)
        on("f3")(self._show_next_board_page)
        on("c-l")(lambda: self.app.renderer.clear())
        on("c-c")(lambda: self._submit(KeyboardInterrupt()))
        on("c-d", when=no_text)(lambda: self._submit(EOFError()))

        @keys.add(Keys.Any, filter=Condition(self._ignores_typing), eager=True)
        @keys.add(Keys.BracketedPaste, filter=Condition(self._ignores_typing), eager=True)
        def _(event: KeyPressEvent) -> None:
            """Drop input while no question is open or before it could be read."""

        return keys

    def _ignores_typing(self) -> bool:
        if self.ui.reader:
            return True
        if self._keeps_text or self._is_awaiting_question(self._drawn_view):
            return False
        return self.view.kind not in ("choice", "confirm") or not self._accepts_input

    def _is_awaiting_question(self, view: ScreenView) -> bool:
        """Return whether a bot's move or the reply to an answer is being computed, so that a question will follow."""
        return (view.kind == "wait" and view.question_number > 0) or (
            view.kind == "choice" and self._answered_question == view.question_number
        )


#: Seconds between two calls of the background work while waiting for an answer.
BACKGROUND_INTERVAL_S = 0.02
#: Seconds that the dialogue has to finish after a request to end the program.
SHUTDOWN_TIMEOUT_S = 10.0

#: Answer that marks finished work; users cannot type it.
DONE = "\x00"

T = TypeVar("T")


def _complete(future: Future[T], work: Callable[[], T]) -> None:
    """Run a function, and store its result or its exception."""
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


class DialogueThread:
    """The full screen and the dialogue thread."""

    def __init__(self, terminal: Terminal, view: ScreenView) -> None:
        self._inbox: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()
        self.app = FullscreenApp(terminal, view, lambda answer: self._inbox.put(answer))
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._running = threading.Event()
        self._closed = threading.Event()

    # ---- in the dialogue thread ----

    def show(self, view: ScreenView) -> None:
        """Show a view."""
        self.app.show(view)

    def ask(self, view: ScreenView, meanwhile: Callable[[], ScreenView | None] = lambda: None) -> str:
        """Show a view and return the answer; raise the exception that the user quits with.

        While waiting, `meanwhile` is called repeatedly for background work. It may return an updated view.
        """
        self.show(view)
        while True:
            with contextlib.suppress(queue.Empty):
                return self._read(self._inbox.get(timeout=BACKGROUND_INTERVAL_S))
            update = meanwhile()
            if update is not None:
                self.show(update)

    def run_in_worker(self, work: Callable[[], T]) -> T:
        """Run a function in another thread and return its result; the user can quit meanwhile."""
        future: Future[T] = Future()
        future.add_done_callback(lambda _: self._inbox.put(DONE))
        threading.Thread(target=_complete, args=(future, work), daemon=True).start()
        while self._read(self._inbox.get()) != DONE:
            pass
        return future.result()

    def run_other_screen(self, work: Callable[[], T]) -> T:
        """Run a function with another screen in place of this one, and return its result."""
        future: Future[T] = Future()
        self._run_in_main_thread(partial(_complete, future, work))
        return future.result()

    def close(self) -> None:
        """Restore the terminal."""
        if not self._closed.is_set():
            self._run_in_main_thread(self._closed.set)
            self._closed.wait()

    def _run_in_main_thread(self, task: Callable[[], None] | None) -> None:
        """Make the main thread leave the screen and run a task."""
        self._tasks.put(task)
        self._running.wait()
        loop = self.app.app.loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # The loop may have ended already.
                loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        if self.app.app.is_running and not self.app.app.is_done:
            self.app.app.exit()

    @staticmethod
    def _read(answer: str | BaseException) -> str:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    # ---- in the main thread ----

    def run(self, conversation: Callable[[], int]) -> int:
        """Run a dialogue; return its exit code or raise its exception."""
        future: Future[int] = Future()
        thread = threading.Thread(target=self._converse, args=(future, conversation), daemon=True)
        thread.start()
        try:
            self._screens()
        except BaseException as stopped:
            self._closed.set()
            self._running.set()
            self._inbox.put(stopped)
            thread.join(SHUTDOWN_TIMEOUT_S)
            raise
        thread.join()
        return future.result()

    def _converse(self, future: Future[int], conversation: Callable[[], int]) -> None:
        _complete(future, conversation)
        if not self._closed.is_set():
            self._run_in_main_thread(None)

    def _screens(self) -> None:
        """Show the screen, and the tasks that replace it, until it is closed."""
        while True:
            if self._tasks.empty():
                with restored_screen(self.app.app):
                    self.app.app.run(pre_run=self._begin, handle_sigint=False)
            self._running.clear()
            task = self._tasks.get()
            if task is None:
                self._closed.set()
                return
            task()
            if self._closed.is_set():
                return

    def _begin(self) -> None:
        self._running.set()
        if not self._tasks.empty():
            self.app.app.create_background_task(self._leave_at_once())

    async def _leave_at_once(self) -> Any:
        self._leave()
