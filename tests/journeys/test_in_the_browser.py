"""User journeys at browser tables, starting from the link printed by the terminal; forms keep their defaults."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.browser.server import Serve, Server
from tests.browser.test_tables import Person, leave, saved_match, wait_for_all
from tests.web.viewings import words
from wongar_dsl.nlg.words.box_facts import players_fact

LAPTOP, PHONE, SMALL_PHONE = (1280, 800), (390, 844), (360, 640)
EN = words("en")


class Host:
    """The host of a table, in a separate browser context."""

    def __init__(self, browser: Any, server: Server, size: tuple[int, int] = LAPTOP) -> None:
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        self.page = self.context.new_page()
        self.page.goto(server.links[-1])
        self.press("web.join.go")

    def press(self, message: str) -> None:
        """Press the button with the text of a message."""
        self.page.get_by_role("button", name=EN.say(message), exact=True).click()

    def choose_game(self, title: str) -> None:
        """Follow the link of a game in the list of games."""
        self.page.locator(".games a", has=self.page.get_by_text(title, exact=True)).click()

    def open_table(self, players: int) -> str:
        """Open a table for a number of players with the form, and return the invitation link."""
        kinds = self.page.get_by_label(EN.say("web.choosing.who"), exact=True)
        for number in range(kinds.count()):
            kind = "cli.kind.human" if number < players else "web.choosing.nobody"
            if kinds.nth(number).locator("option:checked").inner_text() != EN.say(kind):
                kinds.nth(number).select_option(label=EN.say(kind))
        self.press("web.choosing.go")
        top = self.page.locator("article.table").first
        # The attribute is waited for until the next page is there; the count is not.
        link = str(top.locator(".link a").first.get_attribute("href"))
        assert top.locator("ul.seats > li").count() == players
        return link


def join(browser: Any, link: str, names: list[str]) -> list[Person]:
    """Let people join by one link, on the suggested seats: the first with a laptop, the others with phones."""
    sizes = (LAPTOP, PHONE, SMALL_PHONE)
    languages = ("en", "de", "nl", "it")
    return [Person(browser, link, languages[n % 4], name, None, *sizes[n % 3]) for n, name in enumerate(names)]


def play(people: list[Person], decisions: int, chance: random.Random) -> None:
    """Let people decide in turn until the game is over, at most `decisions` times."""
    for _ in range(decisions):
        wait_for_all(people)
        if people[0].over:
            return
        deciders = [person for person in people if person.is_asked]
        assert deciders, [(person.version, person.errors) for person in people]
        deciders[0].choose(chance)


def test_players_continue_after_a_server_restart(browser: Any, serve: Serve) -> None:
    server = serve("--port", "0")
    host = Host(browser, server, PHONE)
    host.choose_game("Wongar")
    people = join(browser, host.open_table(3), ["Ben", "Cleo", "Ada"])
    play(people, 9, random.Random(4))
    before = len(saved_match(server.saves).steps)
    assert before >= 9
    names = [seat.name for seat in saved_match(server.saves).seats]
    port = server.links[0].split(":")[2].split("/")[0]
    server.stop()
    server = serve("--port", port)
    for person in people:
        person.page.reload()
    play(people, 6, random.Random(5))
    after = saved_match(server.saves)
    assert len(after.steps) >= before + 6
    assert [seat.name for seat in after.seats] == names
    for person in people:
        person.context.close()
    host.context.close()


def test_rulebook_opens_beside_the_table_and_loses_no_choice(browser: Any, serve: Serve) -> None:
    server = serve("--port", "0")
    host = Host(browser, server)
    with host.page.expect_popup() as opened:
        host.page.get_by_role("link", name=f"{EN.say('web.rules')} Tongiaki").click()
    assert opened.value.locator("h1").inner_text() == "Tongiaki"
    host.choose_game("Wongar")
    people = join(browser, host.open_table(3), ["Ben", "Cleo", "Ada"])
    wait_for_all(people)
    for person, heading in zip(people, ("Example: ", "Beispiel: ", "Voorbeeld: "), strict=True):
        choices = person.page.locator("#options input[name=choice]")
        if person.is_asked:
            choices.nth(2).check()
        with person.page.expect_popup() as opened:
            person.page.locator(".top nav a[href$='/rules']").click()
        book, faults = opened.value, list[str]()
        book.wait_for_selector(".example")
        book.on("console", lambda message, faults=faults: faults.append(message.text))
        book.reload()
        assert book.locator(".players").inner_text().startswith(players_fact(words(person.language), 3, 3))
        assert book.locator(".example").first.inner_text().startswith(heading)
        assert book.locator(".position svg").first.is_visible()
        assert book.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert faults == []
        book.close()
        if person.is_asked:
            assert choices.nth(2).is_checked()
            before = person.version
            person.page.locator("#bar .go").click()
            person.wait_for_version(before + 1)
    assert sum(step.number >= 0 for step in saved_match(server.saves).steps) == 1
    for person in people:
        person.context.close()
    host.context.close()


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_beginner_is_guided_through_the_first_decisions(browser: Any, serve: Serve, size: tuple[int, int]) -> None:
    server = serve("--port", "0")
    host = Host(browser, server, size)
    host.choose_game("Wongar")
    host.page.get_by_label(EN.say("web.choosing.learn")).check()
    host.press("web.choosing.go")
    seat = host.page.locator("article.table").first.locator("a.go")
    beginner = Person(browser, str(seat.get_attribute("href")), "en", "Ada", None, *size)
    lesson = beginner.page.locator(".lesson")
    taught = set()
    chance = random.Random(6)
    for _ in range(6):
        beginner._wait_until(lambda: beginner.is_asked)
        assert lesson.count() == 1
        assert lesson.locator("h2, h3").first.is_visible()
        taught.add(lesson.inner_text())
        beginner.choose(chance)
    assert len(taught) > 2
    leave(beginner)
    # The save is resumed with its guide.
    decided = len(saved_match(server.saves).steps)
    host.page.locator("form[action$='/close'] button").first.click()
    host.page.locator("form[action='/saves'] button").click()
    resumed = Person(browser, str(seat.get_attribute("href")), "en", "Ada", None, *size)
    resumed._wait_until(lambda: resumed.is_asked)
    assert len(saved_match(server.saves).steps) >= decided
    assert resumed.page.locator(".lesson h2, .lesson h3").first.is_visible()
    resumed.context.close()
    host.context.close()
