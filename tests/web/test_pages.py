"""Pages of tables: whole, escaped, without anything hidden, and usable without a script."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.properties.play import names as shipped
from tests.web.viewings import LANGUAGES, NAMES, match, of_decision, seen_as, steady, until, viewing, words
from wongar_dsl import library
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine.determinization import determinize
from wongar_dsl.engine.match import Match
from wongar_dsl.ir.containers import container
from wongar_dsl.table.ending import ending, moment_told
from wongar_dsl.table.foretelling import brief
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.scene import Scene
from wongar_dsl.text.markup import tag
from wongar_dsl.web import pages
from wongar_dsl.web.asking import NOTHING, Foreseen, groups, shared_forecast
from wongar_dsl.web.pictures.look import Look
from wongar_dsl.web.viewing import (
    Choosing,
    Clock,
    Hosted,
    HostedSeat,
    Joining,
    Kept,
    Lobby,
    Offered,
    Place,
    SeatRow,
    Setting,
    TakenBack,
    Wish,
)

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
SVG_VOID = frozenset(["circle", "line", "path", "polygon", "rect"])
GAMES = tuple(shipped())


class Checked(HTMLParser):
    """What is wrong with a page, and what stands in it."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.referred: set[str] = set()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()
        self.faults += [f"<{name}> is not closed" for name in self.open]
        self.faults += [f"two of {one}" for one in set(self.ids) if self.ids.count(one) > 1]
        self.faults += [f"no {one}" for one in self.referred - set(self.ids)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.attributes.append((tag, found))
        if len(found) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        for name, value in found.items():
            if name == "style" or name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.faults.append(f"<{tag} {name}>")
        if tag == "style" or (tag == "script" and not found.get("src")):
            self.faults.append(f"<{tag}> inside of the page")
        if found.get("id"):
            self.ids.append(str(found["id"]))
        for name in ("for", "aria-labelledby", "aria-describedby"):
            self.referred |= {str(found[name])} if found.get(name) else set()
        if tag not in VOID | SVG_VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, name: str) -> list[str]:
        """The values of the fields of a name."""
        return [str(found.get("value")) for tag, found in self.attributes if found.get("name") == name]


def checked(page: str) -> Checked:
    found = Checked(page)
    assert not found.faults, found.faults
    return found


def seats_of(name: str) -> int:
    return library.load(name).model.players[0]


# ---- every page ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_pages_of_every_game_are_well_formed_in_four_languages(name: str) -> None:
    for number, steps in enumerate((0, 3, 11, 40, 95, 5_000)):
        at = match(name, seats_of(name), steps, seed=number)
        for language in LANGUAGES if steps in (40, 5_000) else (LANGUAGES[number % 4],):
            for viewer in (-1, None):
                page = pages.table_page(viewing(at, language, viewer, name))
                found = checked(page)
                assert f'<html lang="{language}"' in page
                # What the catalogs lack would be shown by its name.
                assert not [text for text in found.text if "web." in text], language
                assert sum(tag == "h1" for tag, _ in found.attributes) == 1
                assert sum(tag == "main" for tag, _ in found.attributes) == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_option_can_be_sent_by_a_form(name: str) -> None:
    for steps in (0, 2, 7, 23, 60):
        at = match(name, seats_of(name), steps, seed=steps)
        if at.state.over:
            continue
        v = viewing(at, "de", rules_name=name)
        assert v.menu is not None
        found = checked(pages.table_part(v))
        assert set(found.values("choice")) >= {entry.notation for entry in v.menu.entries}
        assert "7" in found.values("version")
        assert len(set(found.values("once"))) == 1


def test_a_part_of_the_page_is_what_the_whole_page_has_in_its_middle() -> None:
    v = viewing(match("wongar", 3, 30), "nl")
    part, page = steady(pages.table_part(v)), steady(pages.table_page(v))
    assert part.strip() in page


def test_who_is_not_asked_has_no_form_for_a_move() -> None:
    at = match("wongar", 3, 30)
    for viewer in [None, *(seat for seat in range(3) if seat != at.state.seat)]:
        page = pages.table_page(viewing(at, "it", viewer))
        assert "/move" not in page
        assert NAMES[at.state.seat] in page


def test_a_choice_part_by_part_sends_the_parts_before() -> None:
    v = viewing(match("wongar", 3, 30))
    assert v.menu is not None
    asked = replace(v, menu=Menu(v.menu.entries, part=0), chosen="0,3")
    found = checked(pages.table_part(asked))
    assert found.values("part") == ["0,3"]
    assert found.values("back") == ["1"]


def test_a_number_is_asked_for_with_its_bounds() -> None:
    v = viewing(match("nim", 2, 0))
    assert v.menu is not None
    asked = replace(v, menu=Menu((), 1, dict.fromkeys((1, 2, 3, 9), v.menu.entries[0].move)))
    field = next(found for tag, found in checked(pages.table_part(asked)).attributes if found.get("type") == "number")
    assert (field["name"], field["min"], field["max"]) == ("choice", "1", "9")


# ---- what strangers wrote ------------------------------------------------------------------------------------------

HOSTILE = ("<svg onload=a()>", '"><script>x()', "'&lt;b>{{7*7}}", "]]>--><!--", "\u202eevil", "A")


@pytest.mark.parametrize("name", ["wongar", "connect_four", "tongiaki", "ubongo", "goofspiel"])
def test_names_of_players_are_text_wherever_they_stand(name: str) -> None:
    for steps in (5, 60, 5_000):
        at = match(name, seats_of(name), steps, names=HOSTILE)
        for viewer in (-1, None):
            page = pages.table_page(viewing(at, "de", viewer, name, host=True))
            found = checked(page)
            assert not [one for tag, one in found.attributes if tag == "script" and one.get("src") is None]
            assert "<svg onload" not in page
            assert any("<svg onload=a()>" in text for text in found.text)


def test_what_is_said_of_a_fault_is_text() -> None:
    v = replace(viewing(match("nim", 2, 1)), note="<b>no</b>")
    assert "&lt;b&gt;no&lt;/b&gt;" in pages.table_part(v)


# ---- what is hidden ------------------------------------------------------------------------------------------------


def _alike(at: Match, viewer: int | None, seed: int) -> Match:
    """A match that looks the same to a viewer, with other things where they cannot see."""
    return seen_as(at, determinize(at.state, viewer, Generator(seed), at.past))


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "kuhn_poker", "goofspiel"])
def test_a_page_is_the_same_whatever_its_viewer_cannot_see(name: str) -> None:
    other = 0
    for steps in (1, 4, 18, 50):
        at = match(name, seats_of(name), steps, seed=steps)
        if at.state.over:
            continue
        for viewer in (-1, None, (at.state.seat + 1) % len(at.seats)):
            seat = at.state.seat if viewer == -1 else viewer
            page = steady(pages.table_page(viewing(at, "de", viewer, name)))
            for seed in (1, 2):
                twin = _alike(at, seat, seed)
                other += twin.state.cells != at.state.cells
                assert steady(pages.table_page(viewing(twin, "de", viewer, name))) == page
    assert other > 4


def test_the_answer_to_a_puzzle_is_nowhere_on_its_page() -> None:
    at = of_decision("ubongo", 2, "covering")
    v = viewing(at, "de", rules_name="ubongo")
    assert v.puzzle is not None
    page = pages.table_page(v)
    for drawing in v.puzzle.solutions:
        assert drawing == v.puzzle.example or drawing not in page
    letters = re.findall(r"&#34;letter&#34;:&#34;(\w)&#34;", page)
    # In which order pieces lie in an answer would tell something of it.
    assert letters == sorted(letters)
    assert len(letters) == len(v.puzzle.pieces)


# ---- what is shown -------------------------------------------------------------------------------------------------


def test_columns_of_players_stay_when_they_are_empty() -> None:
    def headings(steps: int) -> list[str]:
        page = pages.table_part(viewing(match("wongar", 3, steps), "en"))
        people = page[page.index('class="people"') : page.index("</ul>", page.index('class="people"'))]
        return re.findall(r"<dt>([^<]*)</dt>", people)

    assert headings(0) == headings(30) == headings(5_000)


def test_forecasts_are_shown_unless_they_are_not_wanted() -> None:
    at = until("tictactoe", 2, lambda m: len(m.steps) == 7, seed=2)
    shown = pages.table_part(viewing(at, "en"))
    assert 'class="forecast"' in shown
    assert "In italics" in shown
    quiet = pages.table_part(viewing(at, "en", foretell=False))
    assert 'class="forecast"' not in quiet
    assert "In italics" not in quiet


def test_a_forecast_that_options_share_is_said_once_above_them() -> None:
    # One of the options brings something else, and four have the same forecast.
    v = viewing(match("wongar", 3, 40), "en")
    texts = [brief(v.forecasts.of(entry.move), v.narrator) for entry in v.menu.entries]  # type: ignore[union-attr]
    shared, number = Counter(texts).most_common(1)[0]
    assert number >= 4
    page = html.unescape(pages.table_part(v)).replace("\u00a0", " ")
    assert page.count(f">{shared}</span>") == 0
    assert page.count(f">{shared} (for all of these)</p>") == 1
    assert all(page.count(f">{text}</span>") == 1 for text in texts if texts.count(text) == 1)


def test_a_forecast_of_all_options_is_said_once_for_the_whole_menu() -> None:
    said = "so: Anna 3"
    three = {number: Foreseen(said) for number in range(3)}
    assert shared_forecast(three.values()) == said
    assert shared_forecast([*three.values(), NOTHING]) == ""
    assert shared_forecast(list(three.values())[:2]) == ""
    v = viewing(match("wongar", 3, 40), "en")
    look = Look(Scene(v.table.match.state, v.narrator, v.table.letters, v.viewer))
    assert v.menu is not None
    foreseen = {entry.number: Foreseen(said) for entry in v.menu.entries}
    for common, told in ((said, ""), ("", said)):
        made = list(groups(v.table, look, v.menu, foreseen, {}, {}, common))
        assert not any(choice.forecast for group in made for choice in group.choices if len(group.choices) >= 3)
        assert {group.forecast for group in made if len(group.choices) >= 3} == {told}


def test_a_note_on_forecasts_stands_only_above_one() -> None:
    noted = {True: 0, False: 0}
    for steps in range(0, 60, 3):
        v = viewing(match("wongar", 3, steps), "en")
        page = pages.table_part(v)
        if v.menu is None or v.forecasts is None:
            continue
        found = [one for entry in v.menu.entries if (one := v.forecasts.of(entry.move)) is not None]
        # What could be chosen next is nothing that would come.
        tells = any(brief(replace(one, ahead=()), v.narrator) for one in found)
        assert ('class="hint foretold"' in page) == tells
        noted[tells] += 1
    assert min(noted.values()) > 2


def test_a_number_stays_with_the_word_before_it() -> None:
    assert pages.kept("Tonga, Strand 1") == "Tonga, Strand\u00a01"
    assert pages.kept("in 2026 or 7 ships") == "in 2026 or\u00a07 ships"
    page = pages.table_part(viewing(match("tongiaki", 2, 12, seed=1), "de", rules_name="tongiaki"))
    assert not re.search(r">[^<]*Strand \d", page)
    assert "Strand\u00a01" in page


def test_a_choice_that_costs_much_asks_before_it_is_made() -> None:
    def dear(m: Match) -> bool:
        if m.state.over or m.state.decision is None or m.state.decision.name != "turn":
            return False
        v = viewing(m, "en", rules_name="tongiaki")
        assert v.menu is not None
        assert v.forecasts is not None
        return any(f.risky for e in v.menu.entries if (f := v.forecasts.of(e.move)) is not None)

    at = until("tongiaki", 3, dear, seed=2)
    for foretell in (True, False):
        page = pages.table_part(viewing(at, "en", rules_name="tongiaki", foretell=foretell))
        assert 'class="warning"' in page
        assert "data-warning=" in page


def test_the_digest_is_told_and_leads_to_the_whole_story() -> None:
    v = viewing(match("wongar", 3, 60), "en", since=0)
    found = checked(pages.table_part(v))
    assert "/t/4f/story" in {one.get("href") for _, one in found.attributes}
    page = pages.table_part(v)
    assert page[page.index('id="digest"') :].split("</ul>")[0].count("<li") == 6


def test_who_has_not_decided_yet_is_told_what_happened_until_now() -> None:
    at = match("wongar", 3, 60)
    for since, title in ((0, "Bis jetzt"), (len(at.steps) - 9, "Seit deiner letzten Entscheidung")):
        page = pages.table_part(viewing(at, "de", since=since))
        assert page[page.index('id="news-title"') :].split("</h2>")[0].endswith(f">{title}")


def test_the_story_and_the_rules_can_be_read() -> None:
    v = viewing(match("wongar", 3, 60), "it")
    assert checked(pages.story_page(v)).text
    assert "Wongar" in pages.rules_page(v)
    checked(pages.rules_page(v))


def test_the_end_shows_points_by_origin_the_curve_and_what_decided() -> None:
    at = match("wongar", 3, 5_000)
    assert at.state.over
    v = viewing(at, "de", host=True)
    page = pages.table_page(v)
    found = checked(page)
    assert any(tag == "table" for tag, _ in found.attributes)
    assert "curve-picture" in page
    moments = ending(at, v.narrator).moments
    assert moments
    assert all(" ".join(moment_told(moment, v.narrator)) in html.unescape(page) for moment in moments)
    assert any(moment.leader is not None for moment in moments)
    assert "/t/4f/rematch" in page
    for seat in at.state.winners:
        assert NAMES[seat] in page


def test_another_game_is_begun_by_whoever_plays_or_hosts_and_by_nobody_who_only_watches() -> None:
    at = match("wongar", 3, 5_000)
    for viewer, host, kind, offered in (
        (0, False, "human", True), (None, True, "human", True), (None, False, "human", False),
        (0, False, "easy", False), (0, True, "easy", True),
    ):  # fmt: skip
        v = viewing(at, "de", viewer, host=host)
        v = replace(v, persons=[replace(one, kind=kind) for one in v.persons])
        assert ("/t/4f/rematch" in pages.table_page(v)) == offered


@pytest.mark.parametrize(("name", "seats", "seed"), [("wongar", 3, 1), ("tongiaki", 2, 3), ("connect_four", 2, 1)])
def test_what_is_said_of_the_end_is_said_once(name: str, seats: int, seed: int) -> None:
    at = match(name, seats, 5_000, seed)
    for language in LANGUAGES:
        v = viewing(at, language, 0, name)
        page = html.unescape(re.sub("<[^>]*>", "\n", pages.table_part(v)))
        told = v.narrator.ending(at.state.winners)
        assert page.count(told) == 1
        for moment in ending(at, v.narrator).moments:
            assert page.count("\n".join(moment.lines)) <= 1
            assert all(page.count(f"\n{line}\n") <= 1 for line in moment.lines)
        assert v.words.say("web.over") not in page.splitlines()


@pytest.mark.parametrize(("language", "caption"), [("de", "Was am Ende zählt"), ("en", "What counts in the end")])
def test_without_points_the_end_shows_what_is_compared_and_how_it_grew(language: str, caption: str) -> None:
    at = match("ubongo", 2, 5_000)
    assert at.state.over
    v = viewing(at, language, rules_name="ubongo")
    page = html.unescape(pages.table_part(v))
    checked(pages.table_part(v))
    found = ending(at, v.narrator)
    assert f"<caption>{caption}</caption>" in page
    assert all(f'data-title="{row.name}"' in page for row in found.rows)
    assert found.rule in page
    assert "curve-picture" in page


def test_where_all_points_come_at_the_end_the_curve_is_what_everybody_would_have_had() -> None:
    page = pages.table_part(viewing(match("tongiaki", 2, 5_000), "de", rules_name="tongiaki"))
    assert "curve-picture" in page
    assert "Zwischenstand Runde für Runde" in page


def test_behind_the_points_stands_what_everybody_would_have_if_the_game_ended_now() -> None:
    assert "Zwischenstand" in pages.table_part(viewing(match("tongiaki", 3, 60), "de", foretell=False))
    assert "Zwischenstand" not in pages.table_part(viewing(match("wongar", 3, 60), "de", foretell=False))


def test_what_a_viewer_may_not_know_is_not_said_where_it_was_taken_back() -> None:
    v = viewing(match("wongar", 3, 12))
    step = v.table.match.steps[-1]
    shown = pages.table_part(replace(v, taken=[TakenBack(step.seat, step.number, step.move.raw)]))
    hidden = pages.table_part(replace(v, taken=[TakenBack(step.seat, step.number, ())]))
    name = NAMES[step.seat]
    assert f"{name} has taken back: " in shown
    assert f"<li>{name} has taken back a decision.</li>" in hidden


def test_who_is_asked_to_agree_can_answer_and_nobody_else() -> None:
    v = viewing(match("connect_four", 2, 4), "en")
    asked = pages.table_part(replace(v, wish=Wish(1, True, (0,))))
    assert checked(asked).values("answer") == ["yes", "no"]
    other = pages.table_part(replace(v, wish=Wish(0, False, (1,))))
    assert not checked(other).values("answer")
    assert "Ben" in other


def test_giving_up_a_puzzle_takes_more_than_one_touch() -> None:
    v = viewing(of_decision("ubongo", 2, "covering"), rules_name="ubongo")
    buttons = [one for tag, one in checked(pages.table_part(v)).attributes if tag == "button"]
    assert not [one for one in buttons if one.get("name") == "choice"]
    drawing = checked(pages.table_part(v))
    assert any(tag == "textarea" and one.get("name") == "drawing" for tag, one in drawing.attributes)


def test_giving_up_stands_by_the_puzzle_before_what_is_of_no_use_meanwhile() -> None:
    page = pages.table_part(viewing(of_decision("ubongo", 2, "covering"), rules_name="ubongo"))
    assert page.index('class="puzzle"') < page.index('value="give_up"') < page.index('class="boards')
    page = pages.table_part(viewing(of_decision("ubongo", 2, "trip"), rules_name="ubongo"))
    assert page.index('class="boards') < page.index('id="options"')


def test_what_lies_in_front_where_an_option_leads_stands_behind_it() -> None:
    at = of_decision("ubongo", 2, "trip")
    read = checked(pages.table_part(viewing(at, "it", rules_name="ubongo")))
    options = " ".join(read.text).replace("\N{NO-BREAK SPACE}", " ")
    line, narrator = at.game.fields["line"], viewing(at, "it", rules_name="ubongo").narrator
    for row in range(6):
        zone = container(line)
        assert zone is not None
        first = [narrator.short(line.type, gem) for gem in zone.told(at.state.cells, line.at(row), line.width)[:2]]
        said = f"casella {row + 1}: davanti {first[0]}, {first[1]}"
        assert (said in options) == (f"go(field_{row + 1})" in read.values("choice"))


def test_nobody_is_told_to_be_away_themselves() -> None:
    v = viewing(match("nim", 2, 1), "en", 0)
    away = replace(v, persons=(replace(v.persons[0], here=False), replace(v.persons[1], here=False)))
    assert pages.table_part(away).count(">away<") == 1


def test_against_the_clock_one_touch_is_enough() -> None:
    v = viewing(of_decision("ubongo", 2, "placing"), rules_name="ubongo")
    assert v.clock is None
    timed = replace(v, clock=Clock(1_000, 60_000))
    buttons = [one for tag, one in checked(pages.table_part(timed)).attributes if tag == "button"]
    assert len([one for one in buttons if one.get("name") == "choice"]) == 6


# ---- before one sits down, and for who hosts -----------------------------------------------------------------------

SPOKEN = (("de", "Deutsch"), ("en", "English"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_beside_a_table_are_well_formed_and_say_what_strangers_wrote_as_text(language: str) -> None:
    evil = "<i>&'\""
    spoken = words(language)
    seats = [
        HostedSeat(0, evil, "human", True, True, "http://x/j/1"),
        HostedSeat(1, "Ben", "easy", False, True),
        HostedSeat(2, "", "human", False, False),
    ]
    code = tag("svg", viewBox="0 0 9 9", class_="qr", role="img", aria_label="code")
    tables = [Hosted("/t/4f", evil, seats, "http://x/j/2", "http://x/w/3", code, over) for over in (False, True)]
    tables[1] = replace(tables[1], key="/t/5a", code=None)
    games = [Offered("nim", "Nim", 2, 2), Offered("a+b c", evil, 3, 5)]
    saves = [Kept("one", evil, [evil, "Ben"], "1. 1. 2027", False)]
    lobby = Lobby(spoken, tables, games, saves, [("easy", "easy"), ("hard", "hard")], SPOKEN, problem=evil)
    setting = Setting("bonus", evil, "8", [], 0, 100), Setting("sting", "Sting", "yes", [("yes", "ja"), ("no", evil)])
    chosen = [("human", evil), ("easy", ""), ("", "")]
    kinds = [("human", evil), ("easy", "e"), ("", "-")]
    rows = [SeatRow(kind, name, kinds) for kind, name in chosen]
    choosing = Choosing(spoken, games[1], rows, setting, problem=evil)
    joining = Joining(spoken, evil, "/j/1", [Place(0, evil, False), Place(1, "Ben", True)], True, SPOKEN, problem=evil)
    for page in (
        pages.lobby_page(lobby),
        pages.new_page(choosing),
        pages.join_page(joining),
        pages.join_page(replace(joining, places=(), host=True)),
        pages.message_page(spoken, evil, [evil], "/", evil),
    ):
        found = checked(page)
        assert "<i>" not in page
        assert f'<html lang="{language}"' in page
        assert any(evil in text for text in found.text)
        assert not [text for text in found.text if "web." in text]


def test_an_invitation_sends_the_seat_the_name_and_the_language() -> None:
    places = [Place(0, "Anna", False), Place(1, "Ben", True)]
    found = checked(pages.join_page(Joining(words("en"), "Nim", "/j/1", places, True, SPOKEN)))
    fields = [one for _, one in found.attributes if one.get("name") in ("seat", "name", "lang")]
    assert [one.get("value") for one in fields if one.get("name") == "seat"] == ["0", "1", "watch"]
    taken, free = (one for one in fields if one.get("name") == "seat" and one.get("value") in ("0", "1"))
    assert "disabled" in taken
    assert "checked" in free
    assert {"name", "lang"} <= {str(one["name"]) for one in fields}


def test_who_hosts_can_give_seats_to_bots_and_back() -> None:
    seats = [HostedSeat(0, "Anna", "human", True, True), HostedSeat(1, "Ben", "easy", False, True)]
    hosted = Hosted("/t/4f", "Nim", seats, "", "", None, False)
    page = pages.lobby_page(Lobby(words("en"), [hosted], [], [], [("easy", "easy")], SPOKEN))
    found = checked(page)
    assert "Let the computer play for Anna" in page
    assert "Let Ben play again" in page
    assert sorted(found.values("do")) == ["bot", "human", "link"]
    # Where never a person sat, none plays "again".
    alone = replace(hosted, seats=[replace(seats[1], joined=False)])
    page = pages.lobby_page(Lobby(words("en"), [alone], [], [], [("easy", "easy")], SPOKEN))
    assert checked(page).values("do") == ["link"]
    assert "again" not in page
    over = checked(pages.lobby_page(Lobby(words("en"), [replace(hosted, over=True)], [], [], [], SPOKEN)))
    assert not over.values("do")
