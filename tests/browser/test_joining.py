"""The page of an invitation in a real browser: each guest is offered the seats that they can take at that moment."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.browser.server import Serve, Server
from tests.browser.test_tables import Person, leave, wait_until

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
