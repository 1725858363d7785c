"""Pages in a real browser: nothing for axe to find, and a script that lights, filters, lays and sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.web.test_lessons import lesson_match, lesson_view
from tests.web.viewings import LANGUAGES, match, of_decision, until, viewing
from wongar_dsl.engine.match import Match
from wongar_dsl.table.puzzle import Puzzle, lost
from wongar_dsl.web import assets, pages
from wongar_dsl.web.viewing import Person, Viewing

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def after_a_loss(at: Match) -> bool:
    """Whether the first has lost a puzzle, and has decided nothing since."""
    own = [step.number for step in at.steps if step.seat == 0]
    return bool(own) and Puzzle.of(at.state) is None and lost(at, own[-1], None) is not None


SCREENS: dict[str, Callable[[str], Viewing]] = {
    "turn": lambda language: viewing(of_decision("wongar", 3, "turn"), language),
    "much": lambda language: viewing(match("wongar/initiated", 3, 4), language, rules_name="wongar/initiated"),
    "watching": lambda language: viewing(match("wongar", 4, 60), language, None),
    "laying": lambda language: viewing(of_decision("tongiaki", 3, "laying"), language, rules_name="tongiaki"),
    "puzzle": lambda language: viewing(of_decision("ubongo", 3, "covering"), language, rules_name="ubongo"),
    "rows": lambda language: viewing(of_decision("ubongo", 3, "placing"), language, rules_name="ubongo"),
    "discs": lambda language: viewing(match("connect_four", 2, 11), language, rules_name="connect_four"),
    "signs": lambda language: viewing(match("tictactoe", 2, 3), language, rules_name="tictactoe"),
    "hand": lambda language: viewing(match("kuhn_poker", 2, 1), language, rules_name="kuhn_poker"),
    "counts": lambda language: viewing(match("nim", 2, 1), language, rules_name="nim"),
    "several": lambda language: viewing(match("tongiaki", 2, 30, seed=1), language, rules_name="tongiaki"),
    "learning": lambda language: lesson_view(lesson_match("tongiaki"), language),
    "lost": lambda language: viewing(until("ubongo", 2, after_a_loss), language, 0, "ubongo"),
    "end": lambda language: viewing(match("wongar", 3, 5_000), language, host=True),
}


class Shown:
    """A page of a viewer in a browser, and what it sends."""

    def __init__(self, page: Any, v: Viewing) -> None:
        self.page, self.v = page, v
        self.sent: list[dict[str, list[str]]] = []
        self.errors: list[str] = []
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self._answer)
        page.goto("http://table.test/t/4f")

    def _answer(self, route: Any) -> None:
        path = route.request.url.removeprefix("http://table.test").partition("?")[0]
        if path.startswith("/static/"):
            file = assets.FOLDER / path.removeprefix("/static/")
            route.fulfill(body=file.read_text(encoding="utf-8"), content_type=assets.KINDS[file.suffix])
        elif path.endswith("/replay"):
            asked = parse_qs(route.request.url.partition("?")[2])
            step, everything = int(asked.get("n", ["0"])[0]), asked.get("view", ["own"])[0] == "all"
            headers = {"content-security-policy": POLICY}
            body = pages.replay_page(self.v, step, everything)
            route.fulfill(body=body, content_type="text/html; charset=utf-8", headers=headers)
        elif path.endswith("/events"):
            route.fulfill(body="retry: 60000\n\n", content_type="text/event-stream")
        elif route.request.method == "POST":
            self.sent.append(parse_qs(route.request.post_data or ""))
            route.fulfill(body=pages.table_part(self.v), content_type="text/html")
        elif path.endswith("/part"):
            route.fulfill(body=pages.table_part(self.v), content_type="text/html")
        else:
            headers = {"content-security-policy": POLICY}
            route.fulfill(body=pages.table_page(self.v), content_type="text/html; charset=utf-8", headers=headers)


def shown(browser: Any, v: Viewing, width: int = 390, scheme: str = "light", script: bool = True) -> Shown:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script, has_touch=width < 800
    )
    return Shown(context.new_page(), v)


# ---- for everybody -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(("language", "width", "scheme"), [
    *((language, 320, "light") for language in LANGUAGES), *((language, 1280, "dark") for language in LANGUAGES)
])  # fmt: skip
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    browser: Any, screen: str, language: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    table = shown(browser, SCREENS[screen](language), width, scheme)
    found = axe.run(table.page).response
    assert len(found["passes"]) > 20
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]] == []
    assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not table.errors
    table.page.context.close()


@pytest.mark.parametrize("screen", ["turn", "laying", "rows", "puzzle"])
def test_letters_of_twice_the_size_fit(browser: Any, screen: str) -> None:
    table = shown(browser, SCREENS[screen]("de"), 640)
    rule = "html { font-size: 200% !important }"
    table.page.evaluate(f"const sheet = document.styleSheets[0]; sheet.insertRule('{rule}', sheet.cssRules.length)")
    assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    table.page.context.close()


def test_what_is_pressed_is_large_enough_for_a_finger(browser: Any) -> None:
    for screen in SCREENS:
        table = shown(browser, SCREENS[screen]("de"))
        for one in table.page.locator(
            "main button:visible, main label.pick:visible, main summary:visible, nav a"
        ).all():
            box = one.bounding_box()
            assert box is None or box["height"] >= 43.5, (screen, one.inner_text(), box)
        table.page.context.close()


def test_a_line_of_what_happened_shows_where_that_was(browser: Any) -> None:
    table = shown(browser, viewing(match("wongar", 3, 40), "en", since=20))
    page = table.page
    lines = page.locator("#digest li[data-about]")
    assert 0 < lines.count() == page.locator("#digest .telling").count()
    for number in range(lines.count()):
        button, about = page.locator("#digest .telling").nth(number), lines.nth(number).get_attribute("data-about")
        assert button.bounding_box()["height"] >= 43.5
        places = "[...document.querySelectorAll('.spoken')].map((one) => one.dataset.place).sort().join(' ')"
        page.mouse.move(0, 0)
        button.focus()
        assert page.evaluate(places) == about
        button.press("Enter")
        assert page.locator(".flash").count() == len(about.split())
        assert page.locator("#news").inner_text()
        button.blur()
        assert page.evaluate(places) == ""
    assert "Enlarge" not in page.locator("#news").inner_text()
    # The places flash for a moment only, so it is looked at once.
    flashing = "document.querySelector('#digest .telling').click(), "
    flashing += "getComputedStyle(document.querySelector('.flash .ground')).animationName"
    for motion, animation in (("reduce", "none"), ("no-preference", "flash")):
        page.emulate_media(reduced_motion=motion)
        assert page.evaluate(f"({flashing})") == animation
    assert not table.errors
    page.context.close()


@pytest.mark.parametrize("game", ["wongar", "tongiaki", "ubongo", "connect_four"])
@pytest.mark.parametrize(("language", "width", "scheme"), [
    *((language, 320, "dark") for language in LANGUAGES), *((language, 1280, "light") for language in LANGUAGES)
])  # fmt: skip
def test_axe_finds_nothing_in_a_step_of_a_game_that_is_over(
    browser: Any, game: str, language: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    at = match(game, 2 if game in ("ubongo", "connect_four") else 3, 5_000)
    table = shown(browser, viewing(at, language, 0, game), width, scheme)
    for step, view in ((1, "all"), (len(at.steps), "own")):
        table.page.goto(f"http://table.test/t/4f/replay?n={step}&view={view}")
        found = axe.run(table.page).response
        assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]] == []
        assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        for one in table.page.locator("a.way, a.view, main button, main input").all():
            box = one.bounding_box()
            assert box is None or box["height"] >= 43.5
    assert not table.errors
    table.page.context.close()


@pytest.mark.parametrize("script", [True, False])
def test_a_game_that_is_over_is_stepped_through_with_links_and_with_keys(browser: Any, script: bool) -> None:
    at = match("connect_four", 2, 5_000)
    table = shown(browser, viewing(at, "en", 0, "connect_four"), script=script)
    page, last = table.page, len(at.steps)

    def number() -> int:
        page.wait_for_timeout(300)
        return int(page.locator("#step").get_attribute("data-number"))

    page.locator("a[href$='/replay']").click()
    assert number() == 0
    for way, there in (("next", 1), ("next", 2), ("before", 1), ("last", last), ("first", 0)):
        page.locator(f"#way-{way}").click()
        assert number() == there
        assert f"n={there}" in page.url
    page.locator("#jump").fill("3")
    page.locator(".jump button").click()
    assert number() == 3
    assert "Decision 3" in page.locator("#told-title").inner_text()
    if script:
        page.locator("#jump").evaluate("one => one.blur()")
        for key, there in (("ArrowRight", 4), ("ArrowLeft", 3), ("End", last), ("ArrowRight", last), ("Home", 0)):
            page.keyboard.press(key)
            assert number() == there
        page.go_back()
        assert number() == last
        page.locator("#way-before").focus()
        page.keyboard.press("Enter")
        assert number() == last - 1
        assert page.evaluate("document.activeElement.id") == "way-before"
    assert not table.errors
    page.context.close()


# ---- choosing ------------------------------------------------------------------------------------------------------


def test_without_a_script_a_choice_is_a_form(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"), script=False)
    first = table.v.menu.entries[0] if table.v.menu is not None else None
    assert first is not None
    table.page.locator(f"input[value='{first.notation}']").check()
    table.page.locator("#bar .go").click()
    assert table.sent[0]["choice"] == [first.notation]
    assert table.sent[0]["version"] == ["7"]
    table.page.context.close()


def test_an_option_lights_its_place_and_a_place_its_options(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    page = table.page
    page.locator(".option input").nth(2).check()
    place = page.locator(".option").nth(2).get_attribute("data-places")
    assert page.locator(f".place.lit[data-place='{place}']").count() == 1
    assert page.locator(".chosen").inner_text()
    page.locator("#bar [type=reset]").click()
    page.wait_for_timeout(50)
    assert page.locator(".place.lit").count() == 0
    page.locator(".place.open").nth(1).click()
    assert page.locator(".option:visible").count() == 1
    page.locator("#bar .go").click()
    page.wait_for_timeout(100)
    assert len(table.sent) == 1
    assert not table.errors
    page.context.close()


def test_on_a_phone_what_a_place_means_can_be_done_without_leaving_the_board(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    page = table.page
    place = page.locator(".place.open").first
    name = place.locator(".name").text_content()
    place.click()
    page.wait_for_timeout(100)
    assert page.evaluate("scrollY") == 0
    assert page.locator(".filter-text").inner_text().endswith(name.strip())
    assert not page.locator(".foretold").is_visible()
    box = page.locator("#bar").bounding_box()
    assert abs(box["y"] + box["height"] - 900) <= 1
    page.locator("#bar .go").click()
    page.wait_for_timeout(100)
    assert len(table.sent) == 1
    page.context.close()


def test_a_place_without_options_says_what_lies_there_below_the_board(browser: Any) -> None:
    # Both where one is asked and where one only looks.
    for v in (viewing(match("tongiaki", 2, 12, seed=1), "en", rules_name="tongiaki"), SCREENS["watching"]("en")):
        table = shown(browser, v)
        page = table.page
        free = page.locator(".boards .place:not(.open)").first
        free.dispatch_event("click")
        line = page.locator(".framed .here")
        assert line.is_visible()
        assert line.inner_text().startswith("What is here")
        assert free.get_attribute("aria-label") in line.inner_text()
        assert ("Nothing to choose here" in line.inner_text()) == (v.menu is not None)
        assert "Options here" not in page.locator("main").inner_text()
        assert page.locator(".option:not(.off)").count() == (len(v.menu.entries) if v.menu is not None else 0)
        if v.menu is not None:
            page.locator(".boards .place.open [data-part]").first.dispatch_event("click")
            assert line.is_hidden()
        page.context.close()


def test_a_column_stands_for_its_square(browser: Any) -> None:
    table = shown(browser, SCREENS["discs"]("en"))
    table.page.locator(".place[aria-label^='d6']").click()
    assert table.page.locator(".option:visible input:checked").get_attribute("value") == "drop(d1)"
    table.page.context.close()


def test_a_choice_is_sent_once_however_often_it_is_pressed(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    table.page.locator(".option input").first.check()
    table.page.evaluate("const f = document.getElementById('options'); for (let i = 0; i < 5; i++) f.requestSubmit()")
    table.page.wait_for_timeout(200)
    assert len(table.sent) == 1
    table.page.context.close()


def test_a_choice_that_costs_much_is_sent_only_when_it_is_confirmed(browser: Any) -> None:
    def dear(m: Any) -> bool:
        if m.state.over or m.state.decision.name != "turn":
            return False
        v = viewing(m, "en", rules_name="tongiaki")
        assert v.menu is not None
        assert v.forecasts is not None
        return any(f.risky for e in v.menu.entries if (f := v.forecasts.of(e.move)) is not None)

    table = shown(browser, viewing(until("tongiaki", 3, dear, seed=2), "en", rules_name="tongiaki"))
    table.page.locator(".option.risky input").first.check()
    table.page.locator("#bar .go").click()
    table.page.wait_for_timeout(100)
    assert not table.sent
    table.page.locator("#bar .go").click()
    table.page.wait_for_timeout(100)
    assert len(table.sent) == 1
    table.page.context.close()


def test_a_part_of_a_card_that_is_touched_chooses_the_option_of_that_part(browser: Any) -> None:
    table = shown(browser, viewing(match("tongiaki", 3, 0), "en", rules_name="tongiaki"))
    page = table.page
    for touched in (".holding[data-part='beach-3'] .spot", ".thing-mark[data-part='beach-1']"):
        page.locator(touched).first.click()
        part = page.locator("#options .option:has(:checked)").get_attribute("data-places")
        assert part in touched
        # The part is lit with its number; the other options stay at hand.
        assert page.locator("[data-part].lit").count() == 2
        assert page.locator(f"[data-part='{part}'].lit").count() == 2
        assert page.locator("#options .option:visible").count() == 6
    assert not table.sent
    page.context.close()


def test_the_board_is_walked_with_the_keys(browser: Any) -> None:
    table = shown(browser, SCREENS["discs"]("en"))
    page = table.page
    page.locator("[role=gridcell]").first.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    focused = "document.activeElement"
    assert page.evaluate(f"{focused}.getAttribute('aria-label')").startswith("c5")
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.evaluate(f"{focused}.value") == "drop(c1)"
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert table.sent[0]["choice"] == ["drop(c1)"]
    page.context.close()


def refetch(table: Shown, v: Viewing) -> None:
    """The table has gone on: its page fetches the part that changes."""
    table.v = v
    with table.page.expect_response("**/part*"):
        table.page.evaluate("window.dispatchEvent(new Event('online'))")
    table.page.wait_for_timeout(200)


def test_what_is_focused_open_and_typed_stays_when_the_page_changes(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    page = table.page
    page.locator(".more summary").first.click()
    page.locator(".option input").nth(3).focus()
    value = page.evaluate("document.activeElement.value")
    refetch(table, viewing(of_decision("wongar", 3, "turn"), "en", since=0))
    assert page.evaluate("document.activeElement.value") == value
    assert page.locator(".more[open]").count() == 1
    page.context.close()


#: Each way in which a table goes on while the same is asked: somebody has left, somebody is called otherwise.
MEANWHILE: dict[str, Callable[[Viewing], Viewing]] = {
    "gone": lambda v: replace(v, version=8, persons=(v.persons[0], Person("human", False), *v.persons[2:])),
    "renamed": lambda v: replace(
        viewing(of_decision("wongar", 3, "turn", names=("Anna", "Bertram", "Cleo")), "en"), version=8
    ),
    "foreseen": lambda v: replace(v, version=8, forecasts=None),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_choice_that_is_not_sent_yet_stays_while_the_question_is_the_same(browser: Any, meanwhile: str) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    page = table.page
    page.evaluate("const one = document.querySelectorAll('.option input')[6]; one.checked = true; one.focus()")
    page.evaluate("document.querySelectorAll('.option input')[6].dispatchEvent(new Event('change', {bubbles: true}))")
    page.locator(".option").nth(6).locator("summary").click()
    page.evaluate("document.querySelectorAll('.option')[6].scrollIntoView({block: 'center'})")
    where = "document.querySelectorAll('.option')[6].getBoundingClientRect().top"
    value, at = page.evaluate("document.querySelector('.option :checked').value"), page.evaluate(where)
    lit = page.locator(".place.lit").count()
    refetch(table, MEANWHILE[meanwhile](table.v))
    assert page.locator("#sheet").get_attribute("data-version") == "8"
    assert page.evaluate("document.querySelector('.option :checked').value") == value
    assert abs(page.evaluate(where) - at) < 2
    assert page.locator(".more[open]").count() == 1
    assert page.locator(".place.lit").count() == (1 if meanwhile == "foreseen" else lit) > 0
    assert page.locator(".chosen").inner_text()
    page.locator("#bar .go").click()
    page.wait_for_timeout(100)
    assert table.sent[0]["choice"] == [value]
    assert table.sent[0]["version"] == ["8"]
    assert not table.errors
    page.context.close()


def test_a_choice_is_forgotten_when_something_else_is_asked_or_the_same_once_more(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    other = match("wongar", 3, 1)
    assert other.state.decision is not None
    assert other.state.decision.name != "turn"
    for v in (replace(table.v, since=table.v.since + 1), viewing(other, "en")):
        table.page.locator(".option input").nth(2).check()
        refetch(table, replace(v, version=table.v.version + 1))
        table.page.mouse.move(0, 0)
        assert table.page.locator(".option :checked").count() == 0
        assert table.page.locator(".place.lit").count() == 0
    table.page.context.close()


def top(page: Any, selector: str) -> float:
    """How far below the top of the screen something begins."""
    return float(page.evaluate(f"document.querySelector('{selector}').getBoundingClientRect().top"))


def test_whoever_has_chosen_goes_on_at_the_top_of_what_comes_next(browser: Any) -> None:
    for after, goal in (
        (viewing(of_decision("wongar", 3, "further"), "en", since=99_999), ".question"),
        (viewing(of_decision("wongar", 3, "further"), "en", since=0), ".news"),
        (SCREENS["end"]("en"), ".ending"),
    ):
        table = shown(browser, SCREENS["turn"]("en"))
        table.v = replace(after, version=8)
        table.page.locator(".option input").last.check()
        table.page.locator("#bar .go").click()
        table.page.wait_for_timeout(200)
        assert 0 <= top(table.page, goal) < 200
        table.page.context.close()


def test_whoever_looks_elsewhere_after_a_choice_is_left_there(browser: Any) -> None:
    for touched in (False, True):
        table = shown(browser, SCREENS["turn"]("en"))
        page = table.page
        table.v = replace(viewing(match("wongar", 3, 60), "en", since=99_999), version=8)
        page.locator(".option input").last.check()
        page.locator("#bar .go").click()
        page.wait_for_timeout(200)
        if touched:
            page.mouse.wheel(0, 100_000)
            page.wait_for_timeout(200)
        refetch(table, replace(viewing(of_decision("wongar", 3, "further"), "en", since=0), version=9))
        assert (0 <= top(page, ".news") < 200) is not touched
        page.context.close()


def test_a_number_chooses_while_the_question_has_the_focus(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    table.page.locator("#question").focus()
    table.page.keyboard.press("2")
    assert table.page.locator(".option[data-number='2'] input").is_checked()
    table.page.keyboard.press("Enter")
    table.page.wait_for_timeout(100)
    assert len(table.sent) == 1
    table.page.context.close()


def test_a_page_from_before_an_update_is_loaded_again(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    table.page.evaluate("window.before = true")
    refetch(table, replace(table.v, version=8))
    assert table.page.evaluate("window.before") is True
    monkeypatch.setattr(assets, "all_of_them", lambda: "another")
    table.v = replace(table.v, version=9)
    with table.page.expect_navigation():
        table.page.evaluate("window.dispatchEvent(new Event('online'))")
    assert table.page.evaluate("window.before") is None
    assert table.page.locator("#sheet").get_attribute("data-made") == "another"
    table.page.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "seats", "steps", "since"), [("tongiaki", 2, 60, 20), ("wongar", 3, 40, 10)])
def test_what_happened_does_not_push_the_question_off_a_laptop(
    browser: Any, name: str, seats: int, steps: int, since: int, language: str
) -> None:
    v = viewing(match(name, seats, steps, seed=3 if name == "tongiaki" else 1), language, rules_name=name, since=since)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = Shown(context.new_page(), v).page
    lines, more = page.locator("#digest li"), page.locator("[data-do=whole]")
    assert page.locator(".option").first.bounding_box()["y"] < 600
    assert lines.last.is_visible()
    shown_now = [one.is_visible() for one in lines.all()]
    # What is not shown is the oldest.
    assert shown_now == sorted(shown_now)
    assert more.is_visible() == (not all(shown_now))
    if more.is_visible():
        more.click()
        assert all(one.is_visible() for one in lines.all())
        assert more.is_hidden()
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(300)
        assert all(one.is_visible() for one in lines.all())
    context.close()
    table = shown(browser, v)
    assert all(one.is_visible() for one in table.page.locator("#digest li").all())
    table.page.context.close()


def test_a_section_in_which_nothing_is_new_is_not_put_in_anew(browser: Any) -> None:
    table = shown(browser, SCREENS["turn"]("en"))
    page = table.page
    page.evaluate("for (const one of document.getElementById('sheet').children) one.dataset.mine = '1'")
    refetch(table, MEANWHILE["gone"](table.v))
    new = page.evaluate(
        "[...document.getElementById('sheet').children].filter(o => !o.dataset.mine).map(o => o.className)"
    )
    assert new == ["people"]
    page.context.close()


LETTERS = """(within) => [...document.querySelectorAll(within + " text")].map((one) =>
  [parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a, one.textContent])"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_lies_on_a_phone_can_be_read(browser: Any, language: str) -> None:
    for v in (viewing(match("wongar", 3, 54), language), SCREENS["much"](language)):
        table = shown(browser, v)
        found = table.page.evaluate(LETTERS, ".areas .strip") + table.page.evaluate(LETTERS, ".areas .figure")
        assert len(found) > 5
        assert [(size, text) for size, text in found if size < 10.8] == []
        table.page.context.close()


def test_an_enlarged_board_is_as_large_as_its_letters_need(browser: Any) -> None:
    v = viewing(match("tongiaki", 2, 60, seed=3), "en", rules_name="tongiaki")
    for width in (390, 1280):
        table = shown(browser, v, width)
        page = table.page
        assert min(page.evaluate(LETTERS, ".map"))[0] < 8
        page.locator(".zoom").click()
        assert min(page.evaluate(LETTERS, ".map"))[0] > 10.9
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.locator(".zoom").click()
        assert page.locator(".map").bounding_box()["width"] <= width
        page.context.close()


def test_the_button_that_enlarges_a_board_lies_on_nothing(browser: Any) -> None:
    for screen in ("turn", "laying", "much", "discs"):
        for width in (320, 390):
            table = shown(browser, SCREENS[screen]("de"), width)
            for large in (False, True):
                if large:
                    table.page.locator(".zoom").first.click()
                room = table.page.evaluate(
                    """[...document.querySelectorAll(".zoom")].flatMap((one) => {
                      const box = one.getBoundingClientRect(), board = one.parentElement.querySelector(".frame");
                      const next = one.parentElement.nextElementSibling || one.closest("section").nextElementSibling;
                      const [over, under] = [board, next].map((each) => each.getBoundingClientRect());
                      return [box.top - over.bottom, under.top - box.bottom];
                    })"""
                )
                assert room
                assert min(room) >= 0, (screen, width, large)
            table.page.context.close()


def test_so_many_of_each_are_counted_with_buttons_and_sent_at_once(browser: Any) -> None:
    table = shown(browser, SCREENS["several"]("en"))
    page = table.page
    assert page.locator("#options .go").is_visible()
    page.locator(".several summary").click()
    # There is one button that sends something.
    assert page.locator(".question .go:visible").count() == 1
    assert page.locator(".several .go").is_disabled()
    more, fewer = page.locator("[data-step='1']"), page.locator("[data-step='-1']")
    times = int(page.locator(".counts").get_attribute("data-times") or 0)
    most = [int(one.get_attribute("max") or 0) for one in page.locator(".counts input[type=number]").all()]
    assert times > 2
    assert most[0] < times
    assert sum(most) >= times
    assert more.count() == fewer.count() == page.locator(".option").count()
    for _ in range(times + 1):
        more.first.click(force=True)
    assert page.locator("#count-1").input_value() == str(most[0])
    page.locator("#count-1").fill(str(most[0] + 1))
    assert page.locator(".several .go").is_disabled()
    page.locator("#count-1").fill("0")
    for number in range(2):
        more.nth(number).click()
    assert page.locator(".counted").inner_text() == f"In all: 2/{times}"
    for one in [*more.all(), *fewer.all()]:
        box = one.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert one.get_attribute("aria-label")
    # Somebody comes or goes meanwhile: what is counted stays.
    refetch(table, replace(table.v, version=8, persons=(Person("human", False), *table.v.persons[1:])))
    assert [page.locator(f"#count-{one}").input_value() for one in (1, 2)] == ["1", "1"]
    fewer.first.click()
    assert page.locator(".counted").inner_text() == f"In all: 1/{times}"
    # What is touched on the board is counted once more.
    values = page.locator("#options input[name=choice]").evaluate_all("all => all.map((one) => one.value)")
    part = page.locator(".option").first.get_attribute("data-places").split()
    spot = next(one for one in part if page.locator(f"[data-part='{one}']").count())
    page.locator(f"[data-part='{spot}']").first.click(force=True)
    assert page.locator("#count-1").input_value() == "1"
    page.locator(".several .go").click()
    page.wait_for_timeout(100)
    assert table.sent[0]["several"] == ["1"]
    assert table.sent[0][f"count {values[0]}"] == ["1"]
    assert table.sent[0][f"count {values[1]}"] == ["1"]
    assert not table.errors
    page.context.close()


# ---- a puzzle ------------------------------------------------------------------------------------------------------


def test_pieces_are_dragged_turned_and_laid_with_the_keys_until_the_answer_is_sent(browser: Any) -> None:
    table = shown(browser, SCREENS["puzzle"]("en"), 1000)
    page, puzzle = table.page, table.v.puzzle
    assert puzzle is not None
    pieces = page.locator(".laying .piece")
    assert pieces.count() == len(puzzle.pieces)
    box, field = pieces.first.bounding_box(), page.locator(".laying .field").nth(3).bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(field["x"] + 12, field["y"] + 12, steps=5)
    page.mouse.up()
    assert page.locator(".laying [role=status]").inner_text()
    # A solution by its drawing: every piece is turned until it is as in there, moved there, and laid.
    drawing = next(iter(puzzle.solutions)).split("/")
    for number in range(pieces.count()):
        piece = pieces.nth(number)
        letter = piece.locator("text").text_content()
        cells = sorted((r, c) for r, row in enumerate(drawing) for c, sign in enumerate(row) if sign == letter)
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        wanted = "/".join(
            "".join(letter if (r, c) in cells else "." for c in range(left, 1 + max(c for _, c in cells))).rstrip(".")
            for r in range(top, 1 + max(r for r, _ in cells))
        )
        piece.focus()
        page.keyboard.press("Backspace")
        for turn in range(8):
            if piece.get_attribute("data-shape") == wanted:
                break
            page.keyboard.press("f" if turn == 3 else " ")
        assert piece.get_attribute("data-shape") == wanted
        page.keyboard.press("ArrowRight")
        for key in ["ArrowLeft"] * 9 + ["ArrowUp"] * 9 + ["ArrowDown"] * top + ["ArrowRight"] * left:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert table.sent[0]["drawing"] == ["/".join(drawing)]
    assert not table.errors
    page.context.close()


def test_a_puzzle_that_is_being_laid_stays_as_it_lies(browser: Any) -> None:
    table = shown(browser, SCREENS["puzzle"]("en"))
    page = table.page
    page.locator(".laying .piece").first.focus()
    page.keyboard.press("ArrowRight")
    before = page.locator(".laying .piece").first.get_attribute("transform")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(300)
    assert page.locator(".laying .piece").first.get_attribute("transform") == before
    page.context.close()
