"""Pages in a real browser: accessibility checks with axe, results, and the script for highlights, puzzles and forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.browser.test_tables import lay_pieces
from tests.web.test_pages import lesson_match, lesson_view
from tests.web.viewings import LANGUAGES, has_risky_option, match, of_decision, until, viewing
from wongar_dsl.engine.match import Match
from wongar_dsl.session.puzzle import Puzzle, lost_puzzle
from wongar_dsl.web import pages
from wongar_dsl.web.views.turn_view import Person, TableView

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def after_a_loss(at: Match) -> bool:
    """Return whether the first player has lost a puzzle and made no decision since."""
    decisions = [step.number for step in at.steps if step.seat == 0]
    return bool(decisions) and Puzzle.of(at.state) is None and lost_puzzle(at, decisions[-1], None) is not None


SCREENS: dict[str, Callable[[str], TableView]] = {
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


@cache
def shown(screen: str, language: str) -> TableView:
    """Return the view of a screen, which tests do not change."""
    return SCREENS[screen](language)


class Shown:
    """A viewer's page in a browser, with the forms that it sends. Pages are used again: a new one takes a second."""

    def __init__(self, page: Any, kept: list[Shown]) -> None:
        self.page, self._kept = page, kept
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self._answer)

    def load(self, view: TableView, width: int, height: int, scheme: str) -> None:
        self.v = view
        self.sent: list[dict[str, list[str]]] = []
        self.errors: list[str] = []
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme, reduced_motion="null")
        self.page.goto("http://table.test/t/4f")

    def sends(self, count: int = 1) -> dict[str, list[str]]:
        """Return the first form that was sent; check that there are `count` of them."""
        self.page.wait_for_timeout(100)
        assert len(self.sent) == count
        return self.sent[0] if count else {}

    def close(self) -> None:
        """Leave the page to the next test. A test that fails keeps it as it is."""
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self._kept.append(self)

    def _answer(self, route: Any) -> None:
        path = route.request.url.removeprefix("http://table.test").partition("?")[0]
        if path.startswith("/static/"):
            file = pages.FOLDER / path.removeprefix("/static/")
            route.fulfill(body=file.read_text(encoding="utf-8"), content_type=pages.MEDIA_TYPES[file.suffix])
        elif path.endswith("/replay"):
            query = parse_qs(route.request.url.partition("?")[2])
            step, everything = int(query.get("n", ["0"])[0]), query.get("view", ["own"])[0] == "all"
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


#: Pages that no test uses, by the browser, whether it runs scripts, and whether it has a touch screen.
KEPT: dict[tuple[Any, bool, bool], list[Shown]] = {}


def open_page(
    browser: Any, view: TableView, width: int = 390, scheme: str = "light", script: bool = True, height: int = 900
) -> Shown:
    touch = width < 800
    kept = KEPT.setdefault((browser, script, touch), [])
    if not kept:
        context = browser.new_context(java_script_enabled=script, has_touch=touch)
        kept.append(Shown(context.new_page(), kept))
    table = kept.pop()
    table.load(view, width, height, scheme)
    return table


Show = Callable[..., Shown]


@pytest.fixture
def show(browser: Any) -> Iterator[Show]:
    """Yield a function that opens the page of a screen or view; at the end no script may have failed."""
    opened = []

    def start(view: TableView | str, *given: Any, **more: Any) -> Shown:
        opened.append(open_page(browser, shown(view, "en") if isinstance(view, str) else view, *given, **more))
        return opened[-1]

    yield start
    for table in opened:
        assert not table.errors
        table.close()


# ---- accessibility -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(("language", "width", "scheme"), [
    *((language, 320, "light") for language in LANGUAGES), *((language, 1280, "dark") for language in LANGUAGES)
])  # fmt: skip
def test_page_is_accessible_and_fits_the_screen(
    show: Show, screen: str, language: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    table = show(shown(screen, language), width, scheme)
    findings = axe.run(table.page).response
    assert len(findings["passes"]) > 20
    assert [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in findings["violations"]] == []
    assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("screen", ["turn", "laying", "rows", "puzzle"])
def test_page_fits_with_double_font_size(show: Show, screen: str) -> None:
    table = show(shown(screen, "de"), 640)
    rule = "html { font-size: 200% !important }"
    table.page.evaluate(f"const sheet = document.styleSheets[0]; sheet.insertRule('{rule}', sheet.cssRules.length)")
    assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def heights(page: Any, selector: str) -> list[tuple[float, str]]:
    """Return the height and text of each element that a selector finds."""
    measure = "all => all.map(one => [one.getBoundingClientRect().height, one.innerText])"
    return [(height, text) for height, text in page.locator(selector).evaluate_all(measure)]


@pytest.mark.parametrize("screen", SCREENS)
def test_controls_are_large_enough_for_touch(show: Show, screen: str) -> None:
    page = show(shown(screen, "de")).page
    controls = heights(page, "main button:visible, main label.pick:visible, main summary:visible, nav a:visible")
    assert controls
    assert [(height, text) for height, text in controls if height < 43.5] == []


def test_log_line_highlights_its_places(show: Show) -> None:
    table = show(viewing(match("wongar", 3, 40), "en", since=20))
    page = table.page
    lines = page.locator("#digest li[data-about]")
    assert 0 < lines.count() == page.locator("#digest .telling").count()
    for number in range(lines.count()):
        button, place_names = (
            page.locator("#digest .telling").nth(number),
            lines.nth(number).get_attribute("data-about"),
        )
        assert button.bounding_box()["height"] >= 43.5
        places = "[...document.querySelectorAll('.spoken')].map((one) => one.dataset.place).sort().join(' ')"
        page.mouse.move(0, 0)
        button.focus()
        assert page.evaluate(places) == place_names
        button.press("Enter")
        assert page.locator(".flash").count() == len(place_names.split())
        assert page.locator("#news").inner_text()
        button.blur()
        assert page.evaluate(places) == ""
    assert "Enlarge" not in page.locator("#news").inner_text()
    # The places flash only for a moment, so the style is read in the same script.
    flashing = "document.querySelector('#digest .telling').click(), "
    flashing += "getComputedStyle(document.querySelector('.flash .ground')).animationName"
    for motion, animation in (("reduce", "none"), ("no-preference", "flash")):
        page.emulate_media(reduced_motion=motion)
        assert page.evaluate(f"({flashing})") == animation


@cache
def finished(game: str, language: str) -> TableView:
    return viewing(match(game, 2 if game in ("ubongo", "connect_four") else 3, 5_000), language, 0, game)


@pytest.mark.parametrize("game", ["wongar", "tongiaki", "ubongo", "connect_four"])
@pytest.mark.parametrize(("language", "width", "scheme"), [
    *((language, 320, "dark") for language in LANGUAGES), *((language, 1280, "light") for language in LANGUAGES)
])  # fmt: skip
def test_replay_page_is_accessible_and_fits_the_screen(
    show: Show, game: str, language: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    v = finished(game, language)
    table = show(v, width, scheme)
    for step, view in ((1, "all"), (len(v.session.match.steps), "own")):
        table.page.goto(f"http://table.test/t/4f/replay?n={step}&view={view}")
        findings = axe.run(table.page).response
        assert [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in findings["violations"]] == []
        assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        controls = heights(table.page, "a.way:visible, a.view:visible, main button:visible, main input:visible")
        assert [(height, text) for height, text in controls if height < 43.5] == []


@pytest.mark.parametrize("script", [True, False])
def test_replay_is_navigated_with_links_and_keys(show: Show, script: bool) -> None:
    finished = match("connect_four", 2, 5_000)
    table = show(viewing(finished, "en", 0, "connect_four"), script=script)
    page, last = table.page, len(finished.steps)

    def reaches(step: int) -> bool:
        """Return True if the page reaches a step and stays there; a page that does not reach it times out."""
        page.wait_for_selector(f"#step[data-number='{step}']")
        page.wait_for_timeout(300)
        return page.locator(f"#step[data-number='{step}']").count() == 1

    page.locator("a[href$='/replay']").click()
    assert reaches(0)
    for target, expected in (("next", 1), ("next", 2), ("before", 1), ("last", last), ("first", 0)):
        page.locator(f"#way-{target}").click()
        assert reaches(expected)
        assert f"n={expected}" in page.url
    page.locator("#jump").fill("3")
    page.locator(".jump button").click()
    assert reaches(3)
    assert "Decision 3" in page.locator("#told-title").inner_text()
    if script:
        page.locator("#jump").evaluate("one => one.blur()")
        for key, expected in (("ArrowRight", 4), ("ArrowLeft", 3), ("End", last), ("ArrowRight", last), ("Home", 0)):
            page.keyboard.press(key)
            assert reaches(expected)
        page.go_back()
        assert reaches(last)
        page.locator("#way-before").focus()
        page.keyboard.press("Enter")
        assert reaches(last - 1)
        assert page.evaluate("document.activeElement.id") == "way-before"


# ---- choosing ------------------------------------------------------------------------------------------------------


def test_choice_without_scripts_is_a_form(show: Show) -> None:
    table = show("turn", script=False)
    first = table.v.menu.entries[0] if table.v.menu is not None else None
    assert first is not None
    table.page.locator(f"input[value='{first.notation}']").check()
    table.page.locator("#bar .go").click()
    assert table.sent[0]["choice"] == [first.notation]
    assert table.sent[0]["version"] == ["7"]


def test_options_highlight_places_and_places_filter_options(show: Show) -> None:
    table = show("turn")
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
    table.sends()


def test_phone_user_can_choose_on_the_board(show: Show) -> None:
    table = show("turn")
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
    table.sends()


def test_place_without_options_shows_its_contents(show: Show) -> None:
    # Both for a player with a question and for a spectator.
    for v in (viewing(match("tongiaki", 2, 12, seed=1), "en", rules_name="tongiaki"), shown("watching", "en")):
        table = show(v)
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


def test_click_in_a_column_selects_its_option(show: Show) -> None:
    table = show("discs")
    table.page.locator(".place[aria-label^='d6']").click()
    assert table.page.locator(".option:visible input:checked").get_attribute("value") == "drop(d1)"


def test_repeated_submit_sends_a_choice_once(show: Show) -> None:
    table = show("turn")
    table.page.locator(".option input").first.check()
    table.page.evaluate("const f = document.getElementById('options'); for (let i = 0; i < 5; i++) f.requestSubmit()")
    table.sends()


def test_costly_choice_needs_confirmation(show: Show) -> None:
    table = show(viewing(until("tongiaki", 3, has_risky_option, seed=2), "en", rules_name="tongiaki"))
    table.page.locator(".option.risky input").first.check()
    table.page.locator("#bar .go").click()
    table.sends(0)
    table.page.locator("#bar .go").click()
    table.sends()


def test_click_on_a_card_part_selects_its_option(show: Show) -> None:
    table = show(viewing(match("tongiaki", 3, 0), "en", rules_name="tongiaki"))
    page = table.page
    for touched in (".holding[data-part='beach-3'] .spot", ".thing-mark[data-part='beach-1']"):
        page.locator(touched).first.click()
        part = page.locator("#options .option:has(:checked)").get_attribute("data-places")
        assert part in touched
        # The part and its number are highlighted; the other options stay visible.
        assert page.locator("[data-part].lit").count() == 2
        assert page.locator(f"[data-part='{part}'].lit").count() == 2
        assert page.locator("#options .option:visible").count() == 6
    assert not table.sent


def test_board_is_navigated_with_the_keys(show: Show) -> None:
    table = show("discs")
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


def refetch(table: Shown, view: TableView) -> None:
    """Change the view and let the page fetch its changed part."""
    table.v = view
    with table.page.expect_response("**/part*"):
        table.page.evaluate("window.dispatchEvent(new Event('online'))")
    table.page.wait_for_timeout(200)


def test_update_keeps_focus_and_open_sections(show: Show) -> None:
    table = show("turn")
    page = table.page
    page.locator(".more summary").first.click()
    page.locator(".option input").nth(3).focus()
    value = page.evaluate("document.activeElement.value")
    refetch(table, viewing(of_decision("wongar", 3, "turn"), "en", since=0))
    assert page.evaluate("document.activeElement.value") == value
    assert page.locator(".more[open]").count() == 1


#: Changes of a table during a question: a player leaves, a player is renamed, the forecasts vanish.
MEANWHILE: dict[str, Callable[[TableView], TableView]] = {
    "gone": lambda v: replace(v, version=8, persons=(v.persons[0], Person("human", False), *v.persons[2:])),
    "renamed": lambda v: replace(
        viewing(of_decision("wongar", 3, "turn", names=("Anna", "Bertram", "Cleo")), "en"), version=8
    ),
    "foreseen": lambda v: replace(v, version=8, forecasts=None),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_unsent_choice_survives_updates_of_the_same_question(show: Show, meanwhile: str) -> None:
    table = show("turn")
    page = table.page
    page.evaluate("const one = document.querySelectorAll('.option input')[6]; one.checked = true; one.focus()")
    page.evaluate("document.querySelectorAll('.option input')[6].dispatchEvent(new Event('change', {bubbles: true}))")
    page.locator(".option").nth(6).locator("summary").click()
    page.evaluate("document.querySelectorAll('.option')[6].scrollIntoView({block: 'center'})")
    where = "document.querySelectorAll('.option')[6].getBoundingClientRect().top"
    value, before = page.evaluate("document.querySelector('.option :checked').value"), page.evaluate(where)
    lit = page.locator(".place.lit").count()
    refetch(table, MEANWHILE[meanwhile](table.v))
    assert page.locator("#sheet").get_attribute("data-version") == "8"
    assert page.evaluate("document.querySelector('.option :checked').value") == value
    assert abs(page.evaluate(where) - before) < 2
    assert page.locator(".more[open]").count() == 1
    assert page.locator(".place.lit").count() == (1 if meanwhile == "foreseen" else lit) > 0
    assert page.locator(".chosen").inner_text()
    page.locator("#bar .go").click()
    page.wait_for_timeout(100)
    assert table.sent[0]["choice"] == [value]
    assert table.sent[0]["version"] == ["8"]


def test_new_question_clears_an_unsent_choice(show: Show) -> None:
    table = show("turn")
    next_position = match("wongar", 3, 1)
    assert next_position.state.decision is not None
    assert next_position.state.decision.name != "turn"
    for v in (replace(table.v, since=table.v.since + 1), viewing(next_position, "en")):
        table.page.locator(".option input").nth(2).check()
        refetch(table, replace(v, version=table.v.version + 1))
        table.page.mouse.move(0, 0)
        assert table.page.locator(".option :checked").count() == 0
        assert table.page.locator(".place.lit").count() == 0


def distance_from_top(page: Any, selector: str) -> float:
    """Return the distance of an element from the top of the screen."""
    return float(page.evaluate(f"document.querySelector('{selector}').getBoundingClientRect().top"))


def test_page_scrolls_to_the_result_after_a_choice(show: Show) -> None:
    for after, goal in (
        (viewing(of_decision("wongar", 3, "further"), "en", since=99_999), ".question"),
        (viewing(of_decision("wongar", 3, "further"), "en", since=0), ".news"),
        (shown("end", "en"), ".ending"),
    ):
        table = show("turn")
        table.v = replace(after, version=8)
        table.page.locator(".option input").last.check()
        table.page.locator("#bar .go").click()
        table.page.wait_for_timeout(200)
        assert 0 <= distance_from_top(table.page, goal) < 200


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["wongar", "tongiaki"])
def test_page_of_a_lesson_scrolls_to_its_hints_after_a_choice(show: Show, name: str, width: int) -> None:
    table, at = show(lesson_view(lesson_match(name), "en"), width), lesson_match(name)
    page = table.page
    while not at.steps or 'id="lesson"' not in pages.table_part(lesson_view(at, "en")):
        at.play(at.state.legal_moves()[0])
    table.v = replace(lesson_view(at, "en"), version=8, since=99_999)
    page.locator(".option input").last.check()
    page.locator("#bar .go").click()
    page.wait_for_selector('#sheet[data-version="8"]')
    page.wait_for_timeout(200)
    assert 0 <= distance_from_top(page, ".lesson") < 500


def test_page_does_not_scroll_after_the_user_scrolled(show: Show) -> None:
    for touched in (False, True):
        table = show("turn")
        page = table.page
        table.v = replace(viewing(match("wongar", 3, 60), "en", since=99_999), version=8)
        page.locator(".option input").last.check()
        page.locator("#bar .go").click()
        page.wait_for_timeout(200)
        if touched:
            page.mouse.wheel(0, 100_000)
            page.wait_for_timeout(200)
        refetch(table, replace(viewing(of_decision("wongar", 3, "further"), "en", since=0), version=9))
        assert (0 <= distance_from_top(page, ".news") < 200) is not touched


def test_number_key_selects_an_option(show: Show) -> None:
    table = show("turn")
    table.page.locator("#question").focus()
    table.page.keyboard.press("2")
    assert table.page.locator(".option[data-number='2'] input").is_checked()
    table.page.keyboard.press("Enter")
    table.sends()


def test_page_reloads_after_an_update_of_assets(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    table = show("turn")
    table.page.evaluate("window.before = true")
    refetch(table, replace(table.v, version=8))
    assert table.page.evaluate("window.before") is True
    monkeypatch.setattr(pages, "combined_version", lambda: "another")
    table.v = replace(table.v, version=9)
    with table.page.expect_navigation():
        table.page.evaluate("window.dispatchEvent(new Event('online'))")
    assert table.page.evaluate("window.before") is None
    assert table.page.locator("#sheet").get_attribute("data-made") == "another"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "seats", "steps", "since"), [("tongiaki", 2, 60, 20), ("wongar", 3, 40, 10)])
def test_long_news_keep_the_options_visible_on_a_laptop(
    show: Show, name: str, seats: int, steps: int, since: int, language: str
) -> None:
    v = viewing(match(name, seats, steps, seed=3 if name == "tongiaki" else 1), language, rules_name=name, since=since)
    laptop = show(v, 1280, height=800)
    page = laptop.page
    lines, more = page.locator("#digest li"), page.locator("[data-do=whole]")
    assert page.locator(".option").first.bounding_box()["y"] < 600
    assert lines.last.is_visible()
    shown_now = [line.is_visible() for line in lines.all()]
    # Only the oldest lines are hidden.
    assert shown_now == sorted(shown_now)
    assert more.is_visible() == (not all(shown_now))
    if more.is_visible():
        more.click()
        assert all(line.is_visible() for line in lines.all())
        assert more.is_hidden()
        page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(300)
        assert all(line.is_visible() for line in lines.all())
    table = show(v)
    assert all(line.is_visible() for line in table.page.locator("#digest li").all())


def test_unchanged_sections_are_not_replaced(show: Show) -> None:
    table = show("turn")
    page = table.page
    page.evaluate("for (const one of document.getElementById('sheet').children) one.dataset.mine = '1'")
    refetch(table, MEANWHILE["gone"](table.v))
    new = page.evaluate(
        "[...document.getElementById('sheet').children].filter(o => !o.dataset.mine).map(o => o.className)"
    )
    assert new == ["people"]


LETTERS = """(within) => [...document.querySelectorAll(within + " text")].map((one) =>
  [parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a, one.textContent])"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_board_text_is_readable_on_a_phone(show: Show, language: str) -> None:
    for v in (viewing(match("wongar", 3, 54), language), shown("much", language)):
        table = show(v)
        letters = table.page.evaluate(LETTERS, ".areas .strip") + table.page.evaluate(LETTERS, ".areas .figure")
        assert len(letters) > 5
        assert [(size, text) for size, text in letters if size < 10.8] == []


def test_enlarged_board_has_readable_letters(show: Show) -> None:
    v = viewing(match("tongiaki", 2, 60, seed=3), "en", rules_name="tongiaki")
    for width in (390, 1280):
        table = show(v, width)
        page = table.page
        assert min(page.evaluate(LETTERS, ".map"))[0] < 8
        page.locator(".zoom").click()
        assert min(page.evaluate(LETTERS, ".map"))[0] > 10.9
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.locator(".zoom").click()
        assert page.locator(".map").bounding_box()["width"] <= width


def test_zoom_button_overlaps_nothing(show: Show) -> None:
    for screen in ("turn", "laying", "much", "discs"):
        for width in (320, 390):
            table = show(shown(screen, "de"), width)
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


def test_repeated_choices_are_counted_and_sent_together(show: Show) -> None:
    table = show("several")
    page = table.page
    assert page.locator("#options .go").is_visible()
    page.locator(".several summary").click()
    # Only one submit button is visible.
    assert page.locator(".question .go:visible").count() == 1
    assert page.locator(".several .go").is_disabled()
    more, fewer = page.locator("[data-step='1']"), page.locator("[data-step='-1']")
    times = int(page.locator(".counts").get_attribute("data-times") or 0)
    most = [int(field.get_attribute("max") or 0) for field in page.locator(".counts input[type=number]").all()]
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
    assert page.locator(".counted").inner_text() == f"Total: 2/{times}"
    for button in [*more.all(), *fewer.all()]:
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert button.get_attribute("aria-label")
    # The counts survive a joining or leaving player.
    refetch(table, replace(table.v, version=8, persons=(Person("human", False), *table.v.persons[1:])))
    assert [page.locator(f"#count-{number}").input_value() for number in (1, 2)] == ["1", "1"]
    fewer.first.click()
    assert page.locator(".counted").inner_text() == f"Total: 1/{times}"
    # A click on the board increases the count.
    values = page.locator("#options input[name=choice]").evaluate_all("all => all.map((one) => one.value)")
    part = page.locator(".option").first.get_attribute("data-places").split()
    spot = next(name for name in part if page.locator(f"[data-part='{name}']").count())
    page.locator(f"[data-part='{spot}']").first.click(force=True)
    assert page.locator("#count-1").input_value() == "1"
    page.locator(".several .go").click()
    page.wait_for_timeout(100)
    assert table.sent[0]["several"] == ["1"]
    assert table.sent[0][f"count {values[0]}"] == ["1"]
    assert table.sent[0][f"count {values[1]}"] == ["1"]


# ---- a puzzle ------------------------------------------------------------------------------------------------------


def test_puzzle_is_solved_with_mouse_and_keys(show: Show) -> None:
    table = show("puzzle", 1000)
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
    # Solve the puzzle by a drawing: turn, move and lay each piece.
    drawing = next(iter(puzzle.solutions))
    pieces.first.focus()
    page.keyboard.press("Backspace")
    lay_pieces(page, drawing)
    page.wait_for_timeout(200)
    assert table.sent[0]["drawing"] == [drawing]


def test_update_keeps_the_moved_puzzle_pieces(show: Show) -> None:
    table = show("puzzle")
    page = table.page
    page.locator(".laying .piece").first.focus()
    page.keyboard.press("ArrowRight")
    before = page.locator(".laying .piece").first.get_attribute("transform")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(300)
    assert page.locator(".laying .piece").first.get_attribute("transform") == before


SIZES = ((1280, 800), (1024, 768), (390, 844), (360, 640))
#: Widest possible player names, and usual ones.
LONG = tuple(f"{letter}ilhelmina-Maximilia"[:20] for letter in "WMQBDG")
SHORT_NAMES = ("Anna", "Ben", "Cleo", "Dario", "Eva", "Finn")
#: Script that returns each cell's text, whether the screen or an ancestor element cuts it off, and whether it is drawn.
CUT_OFF = """[...document.querySelectorAll('.standings tbody :is(th, td)')].map(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const boxes = [...range.getClientRects()];
  let cut = boxes.some(box => box.left < 0 || box.right > innerWidth);
  for (let around = cell; around !== document.body; around = around.parentElement) {
    const edge = around.getBoundingClientRect();
    cut ||= around.scrollWidth > around.clientWidth + 1 && around.clientWidth > 0;
    cut ||= boxes.some(box => box.left < edge.left - 1 || box.right > edge.right + 1);
  }
  return [cell.textContent.trim(), cut, boxes.length > 0];
})"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [SHORT_NAMES, LONG], ids=["short", "long"])
@pytest.mark.parametrize(
    ("game", "seats", "seed"), [("wongar", 4, 2), ("wongar", 5, 3), ("tongiaki", 6, 1), ("ubongo", 4, 1)]
)
def test_each_player_has_a_complete_row(
    browser: Any, game: str, seats: int, seed: int, names: tuple[str, ...], language: str
) -> None:
    finished = match(game, seats, 5_000, seed, names)
    v = viewing(finished, language)
    table = open_page(browser, v, 1280)
    page = table.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        cells = page.evaluate(CUT_OFF)
        assert [text for text, cut, drawn in cells if cut or not drawn] == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        rows = page.locator(".standings tbody tr").all_inner_texts()
        assert len(rows) == seats
        for name in names[:seats]:
            assert sum(name in row for row in rows) == 1
        winners = {names[seat] for seat in finished.state.winners}
        assert {name for name in names for row in rows[: len(winners)] if name in row} == winners
    # Each row has a number for each origin.
    heads = page.locator(".standings thead th").count()
    assert page.locator(".standings tbody td").count() == heads * seats > seats
    table.close()
