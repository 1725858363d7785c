"""Players in real browsers, each with their own language, from the invitation to the end of the game."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.browser.server import Serve, Server
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.session.game_session import reopen_save
from wongar_dsl.session.puzzle import Puzzle

PEOPLE = (("de", "Anna"), ("nl", "Jan"), ("it", "Bice"), ("en", "Kim"))
#: Maximum number of decisions per game, and of milliseconds per answer.
MAX_DECISIONS, SLOWEST = 3_000, 60_000
#: Interval in milliseconds at which a test checks a page.
GLANCE = 20
#: Number of puzzles solved with the keys; the others are given up.
LAID = 2


class Person:
    """A player with a separate browser context. `seat` None takes the seat suggested by the page."""

    def __init__(
        self,
        browser: Any,
        link: str,
        language: str,
        name: str,
        seat: int | None,
        width: int = 1024,
        height: int = 800,
        touch: bool = False,
    ) -> None:
        self.language = language
        self.context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SLOWEST)
        self.errors: list[str] = []
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
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
    def is_asked(self) -> bool:
        return self.page.locator("#options, .laying").count() > 0

    def wait_for_version(self, version: int) -> None:
        """Wait until the page shows a version without any input."""
        self._wait_until(lambda: self.version >= version)

    def choose(self, chance: random.Random) -> None:
        """Choose a random option."""
        direct = self.page.locator("#options.direct button[name=choice]")
        if direct.count():
            with self._response_shown():
                direct.nth(chance.randrange(direct.count())).click()
            return
        choices = self.page.locator("#options input[name=choice]")
        choice = choices.nth(chance.randrange(choices.count()))
        choice.check()
        go = self.page.locator("#bar .go")
        with self._response_shown():
            go.click()
            # A costly choice needs a confirmation. The forecast that shows the cost may arrive just before the click.
            if self.page.locator("#bar .go.sure").count():
                go.click()

    def lay(self, drawing: str) -> None:
        """Lay the pieces of a puzzle with the keys, according to a drawing."""
        start = self.page.locator("button[data-do=start]:visible, .ready button:visible")
        if start.count():
            start.first.click()
        with self._response_shown():
            lay_pieces(self.page, drawing)

    @contextmanager
    def _response_shown(self) -> Iterator[None]:
        """Wait until the page shows the result of the answer sent in the `with` block.

        A higher version alone is not sufficient, since joining or leaving players raise it too.
        """
        with self.page.expect_response(lambda answer: answer.url.endswith("/move")) as answered:
            yield
        text = answered.value.text()
        came = re.search(r'id="sheet"[^>]* data-version="(\d+)"', text)
        if came is None:
            raise AssertionError(f"{self.page.url} answered {answered.value.status}: {text[:500]}")
        version, part = int(came[1]), re.findall(r'name="part" value="([^"]*)"', text)
        self._wait_until(lambda: self.version > version or (self.version == version and self._part == part[:1]))

    @property
    def _part(self) -> list[str]:
        """Return the already chosen part of an option, if any."""
        before = self.page.locator("input[name=part]")
        return [before.first.input_value()] if before.count() else []

    def _wait_until(self, so: Callable[[], bool]) -> None:
        wait_until(self.page, so, lambda: f"version {self.version}, {self.errors}")


def lay_pieces(page: Any, drawing: str) -> None:
    """Turn, move and lay each piece of a puzzle with the keys, according to a drawing."""
    pieces, rows = page.locator(".laying .piece"), drawing.split("/")
    for number in range(pieces.count()):
        piece = pieces.nth(number)
        letter = piece.locator("text").text_content()
        cells = [(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == letter]
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
        shape = "/".join(
            "".join(letter if (r, c) in cells else "." for c in range(left, right + 1)).rstrip(".")
            for r in range(top, bottom + 1)
        )
        piece.focus()
        for turn in range(8):
            if piece.get_attribute("data-shape") == shape:
                break
            page.keyboard.press("f" if turn == 3 else " ")
        page.keyboard.press("ArrowRight")
        for key in ["ArrowLeft"] * 9 + ["ArrowUp"] * 9 + ["ArrowDown"] * top + ["ArrowRight"] * left:
            page.keyboard.press(key)
        page.keyboard.press("Enter")


def wait_for_all(people: Sequence[Person]) -> None:
    """Wait until all people see what one of them has seen."""
    now = max(person.version for person in people)
    for person in people:
        person.wait_for_version(now)


def leave(*people: Person) -> None:
    """Close the browsers of people, whose pages had no errors."""
    assert [error for person in people for error in person.errors] == []
    for person in people:
        person.context.close()


def wait_until(page: Any, so: Callable[[], bool], report: Callable[[], str] = str) -> None:
    """Wait until the condition holds. The page's content security policy forbids waiting inside the page."""
    for _ in range(SLOWEST // GLANCE):
        if so():
            return
        page.wait_for_timeout(GLANCE)
    raise AssertionError(f"{page.url} does not change: {report()}")


def saved_match(saves: Path) -> Match:
    """Return the match saved by the server."""
    for path in saves.glob("*.json"):
        with suppress(SaveError):
            return reopen_save(path, "python", None).match
    raise AssertionError(f"no game is saved in {saves}: {sorted(saves.iterdir())}")


@pytest.mark.parametrize(("game", "seats", "seed"), [("wongar", 4, 918), ("tongiaki", 4, 7), ("ubongo", 4, 7)])
def test_players_in_different_languages_finish_a_game(
    browser: Any, serve: Serve, game: str, seats: int, seed: int
) -> None:
    server = serve(game, "--seats", ",".join(["human"] * seats), "--seed", str(seed), "--port", "0")
    people = [Person(browser, server.links[0], *PEOPLE[seat], seat) for seat in range(seats)]
    chance, laid = random.Random(5), 0
    for _ in range(MAX_DECISIONS):
        wait_for_all(people)
        if people[0].over:
            break
        deciders = [person for person in people if person.is_asked]
        assert deciders, [(person.version, person.errors) for person in people]
        decider = deciders[0]
        state = saved_match(server.saves).state if laid < LAID and decider.page.locator(".laying").count() else None
        puzzle = Puzzle.of(state) if state is not None and state.seat == decider.seat else None
        if puzzle is not None:
            decider.lay(next(iter(puzzle.solutions)))
            laid += 1
        else:
            decider.choose(chance)
    for person in people:
        assert person.over
        assert person.page.locator("html").get_attribute("lang") == person.language
    texts = [re.sub(r"\s+", " ", person.page.locator("#sheet").inner_text()) for person in people]
    assert len(set(texts)) == seats
    finished = saved_match(server.saves)
    assert finished.state.over
    # The seed makes a short game of Wongar that still has all decisions of the rules.
    assert game != "wongar" or len({step.decision.name for step in finished.steps}) == 12
    assert laid == (LAID if game == "ubongo" else 0)
    leave(*people)


def test_running_puzzle_is_visible_and_focused(browser: Any, serve: Serve) -> None:
    server = serve("ubongo", "--seats", "human,easy", "--port", "0")
    person = Person(browser, server.links[0], "it", "Lia", 0, 390)
    page = person.page
    person._wait_until(lambda: page.locator("#options [name=choice]").count() > 0)
    page.mouse.wheel(0, 3_000)
    person.choose(random.Random(1))
    person._wait_until(lambda: page.evaluate("document.activeElement !== document.body"))
    person._wait_until(lambda: page.locator(".laying").count() > 0)
    box = page.locator(".puzzle h2").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 400
    leave(person)


def test_update_during_a_pending_response_is_shown(browser: Any, serve: Serve) -> None:
    """The opponent decides before the response arrives: no version is missed, and none reappears."""
    server = serve("goofspiel", "--seats", "human,human", "--port", "0")
    anna, ben = (Person(browser, server.links[0], *PEOPLE[seat], seat) for seat in range(2))
    held: list[Any] = []
    # Wait until the presence of all players is published; afterwards only decisions raise the version.
    anna.page.wait_for_timeout(5_000)
    anna.page.route("**/move", lambda route: held.append((route, route.fetch())))
    anna.page.locator("#options input[name=choice]").first.check()
    anna.page.locator("#bar .go").click()
    anna._wait_until(lambda: bool(held))
    ben.choose(random.Random(1))
    latest = ben.version
    # Anna's page is notified while the response to her own form is still pending.
    anna.page.wait_for_timeout(500)
    route, answer = held[0]
    route.fulfill(response=answer)
    anna.page.wait_for_timeout(1_000)
    assert anna.version == latest
    leave(anna, ben)


@pytest.mark.parametrize("touch", [False, True])
def test_click_during_an_update_is_not_lost(browser: Any, serve: Serve, touch: bool) -> None:
    """Late forecasts replace the options while the button that sends the choice is pressed.

    On a touch screen the click is a later task than the release.
    """
    server = serve("goofspiel", "--seats", "human,human", "--port", "0")
    anna, ben = (Person(browser, server.links[0], *PEOPLE[seat], seat, touch=touch) for seat in range(2))
    held: list[Any] = []
    page = anna.page
    page.locator("#options input[name=choice]").first.check()
    page.route("**/part*", lambda route: held.append(route))
    page.evaluate("dispatchEvent(new Event('online'))")
    anna._wait_until(lambda: bool(held))
    text = held[0].fetch(url=held[0].request.url.partition("?")[0]).text()
    assert ' id="options">' in text
    go = page.locator("#bar .go")
    if touch:
        press(go, "pointerdown")
    else:
        go.hover()
        page.mouse.down()
    held[0].fulfill(body=text.replace(' id="options">', ' id="options" data-late="1">'))
    page.unroute("**/part*")
    page.wait_for_timeout(300)
    button = go.element_handle()
    with anna._response_shown():
        if touch:
            press(go, "pointerup")
            page.wait_for_timeout(50)
            assert button.evaluate("button => button.isConnected")
            go.tap()
        else:
            page.mouse.up()
    anna._wait_until(lambda: page.locator("#options[data-late]").count() == 0)
    leave(anna, ben)


def press(button: Any, kind: str) -> None:
    button.dispatch_event(kind, {"pointerType": "touch", "isPrimary": True, "bubbles": True})


ELSEWHERE = "http://elsewhere.test/"


def open_link(browser: Any, link: str) -> Any:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(link)
    return page


def offers(page: Any, *seats: str) -> bool:
    """Return whether the page offers exactly these seats."""
    values = page.evaluate("[...document.querySelectorAll('input[name=seat]:enabled')].map(seat => seat.value)")
    return tuple(values) == seats


def selected(page: Any) -> list[str]:
    return [one.input_value() for one in page.locator("input[name=seat]:checked").all()]


def test_seats_taken_meanwhile_are_no_longer_offered(browser: Any, serve: Serve) -> None:
    """Several guests open the same link at the same time, and the page selects the same seat for them."""
    server = serve("wongar", "--seats", "human,human,human", "--port", "0")
    link = server.links[0]
    second, third = open_link(browser, link), open_link(browser, link)
    assert selected(second) == selected(third) == ["0"]
    second.locator("#join-name").fill("Ben")
    third.locator("#join-name").fill("Cleo")
    third.locator("input[value='2']").check()
    first = Person(browser, link, "de", "Anna", 0)
    for page, seat in ((second, "1"), (third, "2")):
        wait_until(page, partial(offers, page, "1", "2", "watch"))
        assert selected(page) == [seat]
    third.locator("button.go").click()
    third.wait_for_selector("#sheet")
    wait_until(second, partial(offers, second, "1", "watch"))
    assert second.locator("#join-name").input_value() == "Ben"
    second.locator("button.go").click()
    second.wait_for_selector("#sheet")
    for page in (second, third, first.page):
        page.context.close()


def follow_from_elsewhere(page: Any, address: str) -> None:
    """Follow a link on another site. The browser sends no cookies with it, because they are `SameSite=Strict`."""
    body = f'<a href="{address}">table</a>'
    page.route(ELSEWHERE, lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(ELSEWHERE)
    page.locator("a").click()


def test_invitation_on_another_site_recognises_a_guest(browser: Any, serve: Serve) -> None:
    server = serve("kuhn_poker", "--seats", "human,human", "--port", "0")
    anna = Person(browser, server.links[0], "en", "Anna", 0)
    follow_from_elsewhere(anna.page, server.links[0])
    wait_until(anna.page, partial(offers, anna.page, "0", "watch"))
    assert selected(anna.page) == ["0"]
    anna.page.locator("#join-name").fill("Anna")
    anna.page.locator("button.go").click()
    anna.page.wait_for_selector("#sheet")
    leave(anna)


@pytest.fixture(scope="module")
def anna(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Yield a guest with a seat, whose page stays at the table."""
    server = Server(tmp_path_factory.mktemp("nim"), "nim", "--seats", "human,human", "--port", "0")
    person = Person(browser, server.links[0], "en", "Anna", 0)
    yield person
    person.context.close()
    server.stop()


@pytest.mark.parametrize("path", ["", "/", "/story"], ids=["table", "start page", "story"])
def test_link_to_a_table_on_another_site_recognises_a_guest(browser: Any, anna: Person, path: str) -> None:
    table, page = anna.page.url, anna.context.new_page()
    follow_from_elsewhere(page, f"{table.rpartition('/t/')[0]}/" if path == "/" else f"{table}{path}")
    page.wait_for_selector("main.reading:not(.message)" if path == "/story" else "#sheet")
    page.close()
    # A person whom the server does not know still gets the message.
    stranger = open_link(browser, "about:blank")
    follow_from_elsewhere(stranger, f"{table}{path}")
    stranger.wait_for_selector("main.message")
    with stranger.expect_response(lambda answer: answer.url.startswith(table)):
        stranger.reload()
    stranger.wait_for_load_state("networkidle")
    assert stranger.locator("main.message").count() == 1
    stranger.context.close()


def test_page_without_scripts_is_a_form(browser: Any, serve: Serve) -> None:
    server = serve("nim", "--seats", "human,human", "--port", "0")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.links[0])
    assert offers(page, "0", "1", "watch")
    page.locator("#join-name").fill("Ben")
    page.locator("button.go").click()
    page.wait_for_selector("#sheet")
    context.close()
