"""People at tables in real browsers, each in a language of their own: from the link to the end of the game."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.browser.server import Serve
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.table.puzzle import Puzzle
from wongar_dsl.table.table import reopened

PEOPLE = (("de", "Anna"), ("nl", "Jan"), ("it", "Bice"), ("en", "Kim"))
#: No game takes more decisions than that, and no answer more milliseconds.
MOST, SLOWEST = 3_000, 60_000
#: So often a test looks at a page, in milliseconds.
GLANCE = 20
#: So many puzzles are laid with the keys; the others are given up.
LAID = 2


class Person:
    """A person with a browser of their own, on a seat, or with None on the one that the page suggests."""

    def __init__(
        self, browser: Any, link: str, language: str, name: str, seat: int | None, width: int = 1024, height: int = 800
    ) -> None:
        self.language = language
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.page = self.context.new_page()
        self.page.set_default_timeout(SLOWEST)
        self.errors: list[str] = []
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(link)
        if seat is not None:
            self.page.locator(f"input[name=seat][value='{seat}']").check()
        self.seat = int(self.page.locator("input[name=seat]:checked").input_value())
        self.page.locator("#join-name").fill(name)
        self.page.locator("#join-lang").select_option(language)
        self.page.locator("button.go").click()
        self.page.wait_for_selector("#sheet")

    @property
    def version(self) -> int:
        return int(self.page.locator("#sheet").get_attribute("data-version"))

    @property
    def over(self) -> bool:
        return self.page.locator("#sheet.over").count() == 1

    @property
    def asked(self) -> bool:
        return self.page.locator("#options, .laying").count() > 0

    def come_to(self, version: int) -> None:
        """Wait until this screen shows a version; nobody presses anything for that."""
        self._until(lambda: self.version >= version)

    def choose(self, chance: random.Random) -> None:
        """Choose some option, as somebody does who reads them."""
        direct = self.page.locator("#options.direct button[name=choice]")
        if direct.count():
            with self._sent():
                direct.nth(chance.randrange(direct.count())).click()
            return
        choices = self.page.locator("#options input[name=choice]")
        choice = choices.nth(chance.randrange(choices.count()))
        choice.check()
        go = self.page.locator("#bar .go")
        # What costs much is asked for once more.
        if self.page.locator("#options .option.risky:has(:checked)").count():
            go.click()
        with self._sent():
            go.click()

    def lay(self, drawing: str) -> None:
        """Lay the pieces of a puzzle as in a drawing, with the keys."""
        rows = drawing.split("/")
        start = self.page.locator("button[data-do=start]:visible, .ready button:visible")
        if start.count():
            start.first.click()
        pieces = self.page.locator(".laying .piece")
        with self._sent():
            self._arrange(pieces, rows)

    def _arrange(self, pieces: Any, rows: list[str]) -> None:
        for number in range(pieces.count()):
            piece = pieces.nth(number)
            letter = piece.locator("text").text_content()
            cells = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == letter]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
            wanted = "/".join(
                "".join(letter if (r, c) in cells else "." for c in range(left, right + 1)).rstrip(".")
                for r in range(top, bottom + 1)
            )
            piece.focus()
            for turn in range(8):
                if piece.get_attribute("data-shape") == wanted:
                    break
                self.page.keyboard.press("f" if turn == 3 else " ")
            self.page.keyboard.press("ArrowRight")
            for key in ["ArrowLeft"] * 9 + ["ArrowUp"] * 9 + ["ArrowDown"] * top + ["ArrowRight"] * left:
                self.page.keyboard.press(key)
            self.page.keyboard.press("Enter")

    @contextmanager
    def _sent(self) -> Iterator[None]:
        """Wait until the page shows what came of the one answer that is sent meanwhile.

        That somebody comes or goes raises the version too, so a higher one alone does not say that.
        """
        with self.page.expect_response(lambda answer: answer.url.endswith("/move")) as answered:
            yield
        text = answered.value.text()
        came = re.search(r'id="sheet"[^>]* data-version="(\d+)"', text)
        if came is None:
            raise AssertionError(f"{self.page.url} answered {answered.value.status}: {text[:500]}")
        version, part = int(came[1]), re.findall(r'name="part" value="([^"]*)"', text)
        self._until(lambda: self.version > version or (self.version == version and self._part == part[:1]))

    @property
    def _part(self) -> list[str]:
        """What is chosen of an option already, if anything is."""
        before = self.page.locator("input[name=part]")
        return [before.first.input_value()] if before.count() else []

    def _until(self, so: Callable[[], bool]) -> None:
        """Wait until something is so; the page's policy forbids that a script of the test waits inside."""
        for _ in range(SLOWEST // GLANCE):
            if so():
                return
            self.page.wait_for_timeout(GLANCE)
        raise AssertionError(f"{self.page.url} does not change: version {self.version}, {self.errors}")


def position(saves: Path) -> Match:
    """The game as the server has saved it."""
    for path in saves.glob("*.json"):
        with suppress(SaveError):
            return reopened(path, "python", None).match
    raise AssertionError(f"no game is saved in {saves}: {sorted(saves.iterdir())}")


@pytest.mark.parametrize(("game", "seats"), [("wongar", 4), ("tongiaki", 4), ("ubongo", 4)])
def test_four_people_in_four_languages_play_to_the_end(browser: Any, serve: Serve, game: str, seats: int) -> None:
    server = serve(game, "--seats", ",".join(["human"] * seats), "--seed", "7", "--port", "0")
    people = [Person(browser, server.links[0], *PEOPLE[seat], seat) for seat in range(seats)]
    chance, laid = random.Random(5), 0
    for _ in range(MOST):
        now = max(person.version for person in people)
        for person in people:
            person.come_to(now)
        if people[0].over:
            break
        asked = [person for person in people if person.asked]
        assert asked, [(person.version, person.errors) for person in people]
        who = asked[0]
        state = position(server.saves).state if laid < LAID and who.page.locator(".laying").count() else None
        puzzle = Puzzle.of(state) if state is not None and state.seat == who.seat else None
        if puzzle is not None:
            who.lay(next(iter(puzzle.solutions)))
            laid += 1
        else:
            who.choose(chance)
    for person in people:
        assert person.over
        assert person.page.locator("html").get_attribute("lang") == person.language
        assert not person.errors
    texts = [re.sub(r"\s+", " ", person.page.locator("#sheet").inner_text()) for person in people]
    assert len(set(texts)) == seats
    assert position(server.saves).state.over
    assert laid == (LAID if game == "ubongo" else 0)
    for person in people:
        person.context.close()


def test_a_puzzle_is_before_ones_eyes_when_its_clock_runs_and_the_focus_is_at_the_question(
    browser: Any, serve: Serve
) -> None:
    server = serve("ubongo", "--seats", "human,easy", "--port", "0")
    person = Person(browser, server.links[0], "it", "Lia", 0, 390)
    page = person.page
    person._until(lambda: page.locator("#options [name=choice]").count() > 0)
    page.mouse.wheel(0, 3_000)
    person.choose(random.Random(1))
    person._until(lambda: page.evaluate("document.activeElement !== document.body"))
    person._until(lambda: page.locator(".laying").count() > 0)
    box = page.locator(".puzzle h2").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 400
    assert not person.errors
    person.context.close()


def test_what_comes_while_an_answer_is_on_its_way_is_shown_after_it(browser: Any, serve: Serve) -> None:
    """The other one decides before the answer to what was sent arrives: no version is missed, and none comes back."""
    server = serve("goofspiel", "--seats", "human,human", "--port", "0")
    anna, ben = (Person(browser, server.links[0], *PEOPLE[seat], seat) for seat in range(2))
    held: list[Any] = []
    # Until everybody has been told who is there: nothing else raises the version after that.
    anna.page.wait_for_timeout(5_000)
    anna.page.route("**/move", lambda route: held.append((route, route.fetch())))
    anna.page.locator("#options input[name=choice]").first.check()
    anna.page.locator("#bar .go").click()
    anna._until(lambda: bool(held))
    ben.choose(random.Random(1))
    latest = ben.version
    # Anna hears of it, while the answer to her own form is still under way.
    anna.page.wait_for_timeout(500)
    route, answer = held[0]
    route.fulfill(response=answer)
    anna.page.wait_for_timeout(1_000)
    assert anna.version == latest
    assert not [*anna.errors, *ben.errors]
    for person in (anna, ben):
        person.context.close()
