"""Table pages: well-formed, escaped, without hidden state, and usable without scripts; forms for several answers."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, islice
from pathlib import Path

import pytest

from tests.properties.play import names as shipped
from tests.web.hosting import Played, Tables, join
from tests.web.viewings import (
    LANGUAGES,
    NAMES,
    game,
    has_risky_option,
    match,
    of_decision,
    random_positions,
    rules,
    steady,
    until,
    viewing,
    words,
)
from wongar_dsl.base.markup import tag
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import read_save
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.session.decisions import max_repeats, move_sequence, repeat_count
from wongar_dsl.session.ending import ending, moment_text
from wongar_dsl.session.forecast import one_line
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.scene import Scene
from wongar_dsl.session.tutorial import LEARNER, TutorialRunner, TutorialText, lesson_of
from wongar_dsl.web import pages
from wongar_dsl.web.routes import read_counts
from wongar_dsl.web.security import FormError
from wongar_dsl.web.views import turn_view
from wongar_dsl.web.views.turn_view import (
    NOTHING,
    ClockView,
    ForecastView,
    TableView,
    UndoneView,
    UndoRequest,
    groups,
    shared_forecast,
)
from wongar_dsl.web.views.view_models import (
    FreeSeat,
    GameChoice,
    HostedSeat,
    HostedTable,
    SaveRow,
    SeatRow,
    SettingField,
)

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
SVG_VOID = frozenset(["circle", "line", "path", "polygon", "rect"])
GAMES = tuple(shipped())


class Checked(HTMLParser):
    """Parser that collects the faults, ids, attributes and text of a page."""

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
        self.faults += [f"two of {name}" for name in set(self.ids) if self.ids.count(name) > 1]
        self.faults += [f"no {name}" for name in self.referred - set(self.ids)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.attributes.append((tag, values))
        if len(values) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        for name, value in values.items():
            if name == "style" or name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.faults.append(f"<{tag} {name}>")
        if tag == "style" or (tag == "script" and not values.get("src")):
            self.faults.append(f"<{tag}> inside of the page")
        if values.get("id"):
            self.ids.append(str(values["id"]))
        for name in ("for", "aria-labelledby", "aria-describedby"):
            self.referred |= {str(values[name])} if values.get(name) else set()
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
        """Return the values of all fields with a name."""
        return [str(attributes.get("value")) for tag, attributes in self.attributes if attributes.get("name") == name]


def valid_page(page: str) -> Checked:
    parser = Checked(page)
    assert not parser.faults, parser.faults
    return parser


def seats_of(name: str) -> int:
    return rules(name).model.players[0]


HOSTILE = ("<svg onload=a()>", '"><script>x()', "'&lt;b>{{7*7}}", "]]>--><!--", "\u202eevil", "A")


@pytest.mark.parametrize("name", GAMES)
def test_pages_of_all_games_are_well_formed_and_escaped(name: str) -> None:
    for language, steps in zip(LANGUAGES, (0, 3, 40, 5_000), strict=True):
        sample = match(name, seats_of(name), steps, seed=steps % 7, names=HOSTILE)
        for viewer in (-1, None):
            v = viewing(sample, language, viewer, name, host=True)
            page = pages.table_page(v)
            parsed = valid_page(page)
            assert f'<html lang="{language}"' in page
            # A message missing from a catalog would appear as its id.
            assert not [text for text in parsed.text if "web." in text], language
            assert [sum(tag == wanted for tag, _ in parsed.attributes) for wanted in ("h1", "main")] == [1, 1]
            assert "<svg onload" not in page
            assert any("<svg onload=a()>" in text for text in parsed.text)
            if v.menu is not None:
                assert set(parsed.values("choice")) >= {entry.notation for entry in v.menu.entries}
                assert "7" in parsed.values("version")
                assert len(set(parsed.values("once"))) == 1
            if steps == 3:
                assert steady(pages.table_part(v)).strip() in steady(page)
                assert valid_page(pages.story_page(v)).text


def test_seats_without_a_decision_have_no_move_form() -> None:
    sample = match("wongar", 3, 30)
    for viewer in [None, *(seat for seat in range(3) if seat != sample.state.seat)]:
        page = pages.table_page(viewing(sample, "it", viewer))
        assert "/move" not in page
        assert NAMES[sample.state.seat] in page


def test_stepwise_choice_sends_the_earlier_parts() -> None:
    v = viewing(match("wongar", 3, 30))
    assert v.menu is not None
    parsed = valid_page(pages.table_part(replace(v, menu=Menu(v.menu.entries, part=0), chosen=(0, 3))))
    assert parsed.values("part") == ["0,3"]
    assert parsed.values("back") == ["1"]


def test_number_field_has_its_bounds() -> None:
    v = viewing(match("nim", 2, 0))
    assert v.menu is not None
    numeric = replace(v, menu=Menu((), 1, dict.fromkeys((1, 2, 3, 9), v.menu.entries[0].move)))
    (field,) = (f for _, f in valid_page(pages.table_part(numeric)).attributes if f.get("type") == "number")
    assert (field["name"], field["min"], field["max"]) == ("choice", "1", "9")


def test_error_notes_are_escaped() -> None:
    v = replace(viewing(match("nim", 2, 1)), note="<b>no</b>")
    assert "&lt;b&gt;no&lt;/b&gt;" in pages.table_part(v)


def test_puzzle_page_does_not_contain_its_solution() -> None:
    sample = of_decision("ubongo", 2, "covering")
    v = viewing(sample, "de", rules_name="ubongo")
    assert v.puzzle is not None
    page = pages.table_page(v)
    for drawing in v.puzzle.solutions:
        assert drawing == v.puzzle.example or drawing not in page
    letters = re.findall(r"&#34;letter&#34;:&#34;(\w)&#34;", page)
    # Pieces are sorted, since the order of a solution would give a hint.
    assert letters == sorted(letters)
    assert len(letters) == len(v.puzzle.pieces)


# ---- content -------------------------------------------------------------------------------------------------------


def test_empty_player_columns_are_kept() -> None:
    def headings(steps: int) -> list[str]:
        page = pages.table_part(viewing(match("wongar", 3, steps), "en"))
        people = page[page.index('class="people"') : page.index("</ul>", page.index('class="people"'))]
        return re.findall(r"<dt>([^<]*)</dt>", people)

    assert headings(0) == headings(30) == headings(5_000)


def test_forecasts_are_shown_unless_disabled() -> None:
    sample = until("tictactoe", 2, lambda m: len(m.steps) == 7, seed=2)
    shown = pages.table_part(viewing(sample, "en"))
    assert 'class="forecast"' in shown
    assert "In italics" in shown
    # A first move decides nothing.
    for v in (viewing(sample, "en", foretell=False), viewing(match("tictactoe", 2, 0), "en")):
        quiet = pages.table_part(v)
        assert 'class="forecast"' not in quiet
        assert "In italics" not in quiet


def test_forecast_shared_by_options_is_shown_once_above_them() -> None:
    # Four options share a forecast, and one differs.
    v = viewing(match("wongar", 3, 40), "en")
    texts = [one_line(v.forecasts.of(entry.move), v.narrator) for entry in v.menu.entries]  # type: ignore[union-attr]
    shared, number = Counter(texts).most_common(1)[0]
    assert number >= 4
    page = html.unescape(pages.table_part(v)).replace("\u00a0", " ")
    assert page.count(f">{shared}</span>") == 0
    assert page.count(f">{shared} (for all of these)</p>") == 1
    assert all(page.count(f">{text}</span>") == 1 for text in texts if texts.count(text) == 1)


def test_rule_of_an_option_that_only_its_name_describes_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "bare.rules"
    path.write_text(
        "variant bare of nim\n    source house rule\n\nadd to choice turn before take\n    twice_out\n"
        "        repeat 2 times\n            move 1 match from matches of heap_c to box quietly\n",
        encoding="utf-8",
    )
    page = html.unescape(pages.table_page(viewing(match(str(path), 2, 0), rules_name=str(path))))
    assert "Twice, a match goes from heap C into the box." in page


def test_forecast_shared_by_all_options_is_shown_once() -> None:
    forecast = "so: Anna 3"
    three = {number: ForecastView(forecast) for number in range(3)}
    assert shared_forecast(three.values()) == forecast
    assert shared_forecast([*three.values(), NOTHING]) == ""
    assert shared_forecast(list(three.values())[:2]) == ""
    v = viewing(match("wongar", 3, 40), "en")
    look = RenderContext(Scene(v.session.match.state, v.narrator, v.session.letters, v.viewer))
    assert v.menu is not None
    foreseen = {entry.number: ForecastView(forecast) for entry in v.menu.entries}
    for common, heading in ((forecast, ""), ("", forecast)):
        made = list(groups(v.session, look, v.menu, foreseen, {}, {}, common))
        assert not any(choice.forecast for group in made for choice in group.choices if len(group.choices) >= 3)
        assert {group.forecast for group in made if len(group.choices) >= 3} == {heading}


def test_numbers_are_not_separated_from_their_noun() -> None:
    assert pages.no_break_before_numbers("Tonga, Strand 1") == "Tonga, Strand\u00a01"
    assert pages.no_break_before_numbers("in 2026 or 7 ships") == "in 2026 or\u00a07 ships"
    page = pages.table_part(viewing(match("tongiaki", 2, 12, seed=1), "de", rules_name="tongiaki"))
    assert not re.search(r">[^<]*Strand \d", page)
    assert "Strand\u00a01" in page


def test_costly_choices_show_a_warning() -> None:
    sample = until("tongiaki", 3, has_risky_option, seed=2)
    for foretell in (True, False):
        page = pages.table_part(viewing(sample, "en", rules_name="tongiaki", foretell=foretell))
        assert 'class="warning"' in page
        assert "data-warning=" in page


def test_digest_is_shown_with_its_title_and_a_link_to_the_story() -> None:
    sample = match("wongar", 3, 60)
    for since, title in ((0, "Bis jetzt"), (len(sample.steps) - 9, "Seit deiner letzten Entscheidung")):
        page = pages.table_part(viewing(sample, "de", since=since))
        assert page[page.index('id="news-title"') :].split("</h2>")[0].endswith(f">{title}")
        if not since:
            assert 'href="/t/4f/story"' in page
            assert page[page.index('id="digest"') :].split("</ul>")[0].count("<li") == 6


def test_end_page_shows_points_score_curve_and_turning_points() -> None:
    sample = match("wongar", 3, 5_000)
    assert sample.state.over
    v = viewing(sample, "de", host=True)
    page = pages.table_page(v)
    parsed = valid_page(page)
    assert any(tag == "table" for tag, _ in parsed.attributes)
    assert "curve-picture" in page
    moments = ending(sample, v.narrator).moments
    assert moments
    assert all(" ".join(moment_text(moment, v.narrator)) in html.unescape(page) for moment in moments)
    assert any(moment.leader is not None for moment in moments)
    assert "/t/4f/rematch" in page
    for seat in sample.state.winners:
        assert NAMES[seat] in page


def test_rematch_is_offered_to_players_and_host_only() -> None:
    sample = match("wongar", 3, 5_000)
    for viewer, host, kind, offered in (
        (0, False, "human", True), (None, True, "human", True), (None, False, "human", False),
        (0, False, "easy", False), (0, True, "easy", True),
    ):  # fmt: skip
        v = viewing(sample, "de", viewer, host=host)
        v = replace(v, persons=[replace(person, kind=kind) for person in v.persons])
        assert ("/t/4f/rematch" in pages.table_page(v)) == offered


@pytest.mark.parametrize(
    ("name", "seats", "seed", "language"),
    [("wongar", 3, 1, "de"), ("tongiaki", 2, 3, "it"), ("connect_four", 2, 1, "nl")],
)
def test_statements_about_the_end_appear_once(name: str, seats: int, seed: int, language: str) -> None:
    sample = match(name, seats, 5_000, seed)
    v = viewing(sample, language, 0, name)
    page = html.unescape(re.sub("<[^>]*>", "\n", pages.table_part(v)))
    assert page.count(v.narrator.ending(sample.state.winners)) == 1
    for moment in ending(sample, v.narrator).moments:
        assert page.count("\n".join(moment.lines)) <= 1
        assert all(page.count(f"\n{line}\n") <= 1 for line in moment.lines)
    assert v.words.say("web.over") not in page.splitlines()


@pytest.mark.parametrize(
    ("language", "caption", "points"),
    [("de", "Chips", "Punkte"), ("nl", "Fiches", "punten"), ("it", "Fiche", "punti"), ("en", "Chips", "points")],
)
def test_end_page_names_the_score_and_has_a_minus_sign(language: str, caption: str, points: str) -> None:
    sample = match("kuhn_poker", 2, 5_000)
    assert min(sample.state.scores) < 0
    page = html.unescape(pages.table_part(viewing(sample, language, rules_name="kuhn_poker")))
    assert f"<caption>{caption}</caption>" in page
    assert f">−{-min(sample.state.scores)}<" in page
    assert points.casefold() not in re.sub("<[^>]*>", " ", page).casefold()


@pytest.mark.parametrize(("language", "caption"), [("de", "Was am Ende zählt"), ("en", "What counts in the end")])
def test_end_page_without_points_shows_the_compared_values(language: str, caption: str) -> None:
    sample = match("ubongo", 2, 5_000)
    v = viewing(sample, language, rules_name="ubongo")
    page = html.unescape(pages.table_part(v))
    summary = ending(sample, v.narrator)
    assert all(f'data-title="{row.name}"' in page for row in summary.rows)
    assert all(text in page for text in (f"<caption>{caption}</caption>", summary.rule, "curve-picture"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_end_page_separates_the_digits_of_an_origin_from_its_points(language: str) -> None:
    """On a narrow page each number stands behind the origin of the points: *Inseln zu 2: 4*."""
    page = pages.table_part(viewing(match("tongiaki", 2, 5_000), language, rules_name="tongiaki"))
    labels = re.findall(r'<td[^>]* data-title="([^"]*)"', page)
    assert labels
    assert not any(label[-1].isdigit() for label in labels)
    # Points come at the end, so that the curve shows provisional scores.
    assert "curve-picture" in page
    assert language != "de" or "Zwischenstand Runde für Runde" in page


def test_provisional_scores_are_shown_beside_the_points() -> None:
    assert "Zwischenstand" in pages.table_part(viewing(match("tongiaki", 3, 60), "de", foretell=False))
    assert "Zwischenstand" not in pages.table_part(viewing(match("wongar", 3, 60), "de", foretell=False))


def test_undone_hidden_decision_is_not_named() -> None:
    v = viewing(match("wongar", 3, 12))
    step = v.session.match.steps[-1]
    name = NAMES[step.seat]
    for raw, told in ((step.move.raw, f"{name} has taken back: "), ((), f"<li>{name} has taken back a decision.</li>")):
        assert told in pages.table_part(replace(v, undone=[UndoneView(step.seat, step.number, raw)]))


def test_only_asked_seats_can_answer_an_undo_request() -> None:
    v = viewing(match("connect_four", 2, 4), "en")
    asked, own = (replace(v, undo_request=r) for r in (UndoRequest(1, 0, (0,), 7), UndoRequest(0, 0, (1,), 7)))
    assert valid_page(pages.table_part(asked)).values("answer") == ["yes", "no"]
    assert not valid_page(pages.table_part(own)).values("answer")
    assert "Ben" in pages.table_part(own)


def test_puzzle_is_drawn_before_the_boards_and_given_up_in_two_steps() -> None:
    page = pages.table_part(viewing(of_decision("ubongo", 2, "covering"), rules_name="ubongo"))
    parsed = valid_page(page)
    assert not [a for tag, a in parsed.attributes if tag == "button" and a.get("name") == "choice"]
    assert any(tag == "textarea" and a.get("name") == "drawing" for tag, a in parsed.attributes)
    assert page.index('class="puzzle"') < page.index('value="give_up"') < page.index('class="boards')


def test_options_state_the_front_gems_of_their_row() -> None:
    sample = of_decision("ubongo", 2, "trip")
    v = viewing(sample, "it", rules_name="ubongo")
    page = pages.table_part(v)
    assert page.index('class="boards') < page.index('id="options"')
    parsed = valid_page(page)
    options, line = " ".join(parsed.text).replace("\N{NO-BREAK SPACE}", " "), sample.game.fields["line"]
    zone = container(line)
    assert zone is not None
    for row in range(6):
        gems = zone.ordered_things(sample.state.cells, line.at(row), line.width)[:2]
        front = ", ".join(v.narrator.short(line.type, gem) for gem in gems)
        assert (f"casella {row + 1}: davanti {front}" in options) == (f"go(field_{row + 1})" in parsed.values("choice"))


def test_viewer_is_not_marked_as_away() -> None:
    v = viewing(match("nim", 2, 1), "en", 0)
    assert pages.table_part(replace(v, persons=[replace(p, here=False) for p in v.persons])).count(">away<") == 1


def test_timed_placing_takes_one_step() -> None:
    v = viewing(of_decision("ubongo", 2, "placing"), rules_name="ubongo")
    assert v.clock is None
    parsed = valid_page(pages.table_part(replace(v, clock=ClockView(1_000, 60_000))))
    assert sum(tag == "button" and a.get("name") == "choice" for tag, a in parsed.attributes) == 6


# ---- join page and lobby -------------------------------------------------------------------------------------------

SPOKEN = (("de", "Deutsch"), ("en", "English"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_lobby_and_join_pages_are_well_formed_and_escaped(language: str) -> None:
    evil = "<i>&'\""
    spoken = words(language)
    seats = [
        HostedSeat(0, evil, "human", True, True, "http://x/j/1"),
        HostedSeat(1, "Ben", "easy", False, True),
        HostedSeat(2, "", "human", False, False),
    ]
    code = tag("svg", viewBox="0 0 9 9", class_="qr", role="img", aria_label="code")
    tables = [HostedTable("/t/4f", evil, seats, "http://x/j/2", "http://x/w/3", code, over) for over in (False, True)]
    tables[1] = replace(tables[1], key="/t/5a", code=None)
    games = [GameChoice("nim", "Nim", 2, 2), GameChoice("a+b c", evil, 3, 5)]
    saves = [SaveRow("one", evil, [evil, "Ben"], "1. 1. 2027", False)]
    lobby = pages.lobby_page(spoken, tables, games, saves, [("easy", "easy"), ("hard", "hard")], problem=evil)
    setting = (
        SettingField("bonus", evil, "8", [], 0, 100),
        SettingField("sting", "Sting", "yes", [("yes", "ja"), ("no", evil)]),
    )
    chosen = [("human", evil), ("easy", ""), ("", "")]
    kinds = [("human", evil), ("easy", "e"), ("", "-")]
    rows = [SeatRow(kind, name, kinds) for kind, name in chosen]
    places = [FreeSeat(0, evil, False), FreeSeat(1, "Ben", True)]
    for page in (
        lobby,
        pages.new_page(spoken, games[1], rows, setting, problem=evil),
        pages.join_page(spoken, evil, "/j/1", places, True, SPOKEN, problem=evil),
        pages.join_page(spoken, evil, "/j/1", (), True, SPOKEN, problem=evil, host=True),
        pages.message_page(spoken, evil, [evil], "/", evil),
    ):
        parsed = valid_page(page)
        assert "<i>" not in page
        assert f'<html lang="{language}"' in page
        assert any(evil in text for text in parsed.text)
        assert not [text for text in parsed.text if "web." in text]


def test_host_can_give_seats_to_bots_and_back() -> None:
    seats = [HostedSeat(0, "Anna", "human", True, True), HostedSeat(1, "Ben", "easy", False, True)]
    hosted = HostedTable("/t/4f", "Nim", seats, "", "", None, False)
    page = pages.lobby_page(words("en"), [hosted], [], [], [("easy", "easy")])
    parsed = valid_page(page)
    assert "Let the computer play for Anna" in page
    assert "Let Ben play again" in page
    assert sorted(parsed.values("do")) == ["bot", "human", "link"]
    # "again" needs a person who sat there before.
    alone = replace(hosted, seats=[replace(seats[1], joined=False)])
    page = pages.lobby_page(words("en"), [alone], [], [], [("easy", "easy")])
    assert valid_page(page).values("do") == ["link"]
    assert "again" not in page
    over = valid_page(pages.lobby_page(words("en"), [replace(hosted, over=True)], [], [], []))
    assert not over.values("do")


@pytest.fixture
def series(tables: Tables) -> Played:
    """Return a table at a decision that repeats often enough for a form of counts."""
    played = tables.open("tongiaki", languages=["de"], seed=1)
    while True:
        state = next(iter(played.table_session.pending.values())).state
        if len(state.options()) > 1 and repeat_count(state) >= turn_view.MIN_REPEATS:
            return played
        played.play(1)


def fields(page: str) -> list[str]:
    return re.findall(rf'name="({turn_view.FIELD}[^"]*)"', page)


def maxima(page: str) -> dict[str, int]:
    """Return the maximum of each count field."""
    matches = re.findall(rf'name="({turn_view.FIELD}[^"]*)"[^>]* max="(\d+)"', page)
    return {name: int(most) for name, most in matches}


@pytest.mark.parametrize("steps", [12, 24])
def test_field_maximum_is_the_largest_count_the_rules_allow(steps: int) -> None:
    v = viewing(match("tongiaki", 2, steps, seed=1), rules_name="tongiaki")
    state, limits = v.session.match.state, maxima(pages.table_part(v))
    times = repeat_count(state)
    assert times >= turn_view.MIN_REPEATS
    assert limits
    for field, most in limits.items():
        move = state.read(field.removeprefix(turn_view.FIELD))
        assert 1 <= most <= times
        others = [candidate for candidate in state.legal_moves() if candidate != move]
        together = [
            move_sequence(state, {move: most, **dict.fromkeys(some, 1)}) for some in combinations(others, times - most)
        ]
        assert any(together)
        assert move_sequence(state, {move: most + 1}) is None


def test_maxima_are_omitted_if_there_are_too_many_combinations(monkeypatch: pytest.MonkeyPatch) -> None:
    state = match("tongiaki", 2, 12, seed=1).state
    assert set(max_repeats(state, 4).values()) == {1}
    monkeypatch.setattr("wongar_dsl.session.decisions.MAX_EXAMINED_MOVES", 20)
    assert max_repeats(state, 4) == {}


def test_count_fields_are_shown_only_for_repeated_decisions() -> None:
    seen = {True: 0, False: 0}
    for number, sample in enumerate(islice(random_positions("tongiaki", 2, 1, NAMES), 0, 44, 3)):
        v = viewing(sample, LANGUAGES[number % 4], rules_name="tongiaki")
        page = pages.table_part(v)
        several = (
            v.menu is not None
            and len(v.menu.entries) > 1
            and repeat_count(v.session.match.state) >= turn_view.MIN_REPEATS
        )
        seen[several] += 1
        expected = [f"{turn_view.FIELD}{entry.notation}" for entry in v.menu.entries] if several and v.menu else []
        assert fields(page) == expected
        valid_page(page)
    assert min(seen.values()) > 2


def test_counts_are_submitted_at_once_and_announced_one_by_one(series: Played) -> None:
    browser, table_session, page = series.decider, series.table_session, series.decider.page()
    both = dict.fromkeys(fields(page)[:2], "1")
    steps, version = series.steps, table_session.version
    sent = {**browser.form(page), **dict.fromkeys(fields(page), "0"), **both, "several": "1"}
    # The second submission has no effect.
    assert [browser.send("move", sent) for _ in range(2)] == [303, 303]
    chosen = [step.text for step in table_session.match.steps[steps:]]
    assert chosen[:2] == [field.removeprefix(turn_view.FIELD) for field in both]
    assert table_session.version - version == len(chosen)


def test_impossible_counts_are_explained_and_not_applied(series: Played) -> None:
    browser, page, steps = series.decider, series.decider.page(), series.steps
    first, every = fields(page)[0], dict.fromkeys(fields(page), "1")
    most, times = maxima(page)[first], repeat_count(next(iter(series.table_session.pending.values())).state)
    assert most < times < len(every)
    too_many = f"höchstens {'einmal' if most == 1 else most}"
    for values, status, message in (
        ({first: "0"}, 422, "in keiner Reihenfolge"),
        ({first: str(most + 1)}, 422, too_many),
        ({first: "99999"}, 422, too_many),
        (every, 422, "wähle zusammen nicht mehr"),
        ({"count nonsense(1)": "2"}, 422, ""),
        ({first: "x"}, 400, ""),
        ({first: "1", "version": "5"}, 409, ""),
    ):
        answer = browser.post(f"{browser.key}/move", {**browser.form(page), **values, "several": "1"})
        assert answer.status_code == status, values
        assert message.casefold() in answer.text.casefold()
    opponent = next(candidate for candidate in series.seated if candidate is not browser)
    assert opponent.send("move", {**browser.form(page), first: "1", "several": "1"}) == 409
    assert series.steps == steps


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "²", "1234567"])
def test_non_numeric_counts_are_form_errors(text: str) -> None:
    with pytest.raises(FormError):
        read_counts({"count a": text})


def test_empty_and_zero_counts_are_left_out() -> None:
    assert read_counts({"count a": "", "count b": " 2", "count c": "0", "other": "x"}) == {"b": 2}


def lesson_match(name: str) -> Match:
    lesson = lesson_of(rules(name))
    assert lesson is not None
    return Match.begin(game(name, len(lesson.seats)), lesson.seats, lesson.seed, rules(name).hash)


def lesson_view(at: Match, language: str, viewer: int | None = LEARNER) -> TableView:
    lesson = lesson_of(rules(at.game.name))
    assert lesson is not None
    guide = TutorialRunner(lesson, at) if viewer == LEARNER else None
    return replace(viewing(at, language, viewer, at.game.name), guide=guide)


@pytest.mark.parametrize("name", ["wongar", "tongiaki"])
def test_hints_are_shown_above_the_learners_options(name: str) -> None:
    sample, shown = lesson_match(name), dict.fromkeys(LANGUAGES, 0)
    for step in range(8):
        language = LANGUAGES[step % 4]
        v, place = lesson_view(sample, language), (language, step)
        page = pages.table_part(v)
        faults = Checked(page).faults
        assert not faults, (place, faults)
        assert v.guide is not None
        hints = v.guide.hints() if v.menu is not None else ()
        assert ('id="lesson"' in page) == bool(hints), place
        teacher = TutorialText(v.guide.lesson, sample, v.narrator)
        for hint in hints:
            text = teacher.text(hint)
            assert text in html.unescape(page), place
            section = teacher.section(hint)
            assert section is not None
            assert f'{v.key}/rules#{section.key}" target="_blank"' in page, place
            assert page.index('id="lesson"') < page.index('id="options"'), place
            shown[language] += bool(text)
        if not step % 5:
            assert 'id="lesson"' not in pages.table_part(viewing(sample, language, 1, name)), place
        sample.play(sample.state.legal_moves()[0])
    assert sum(map(bool, shown.values())) > 2, shown


def test_hint_with_nothing_to_show_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    v = lesson_view(lesson_match("wongar"), "en")
    assert 'id="lesson"' in pages.table_part(v)
    for name, nothing in (("text", ""), ("rules", ()), ("sources", []), ("suggestion", None)):
        monkeypatch.setattr(TutorialText, name, lambda *_, nothing=nothing: nothing)
    assert 'id="lesson"' not in pages.table_part(v)


def test_suggestion_shows_the_number_of_its_option() -> None:
    sample = lesson_match("wongar")
    while True:
        v = lesson_view(sample, "en")
        advice = re.search(r"A good choice here: (\d+) ", pages.table_part(v))
        if advice:
            break
        sample.play(sample.state.legal_moves()[0])
    assert v.menu is not None
    assert v.guide is not None
    suggestions = {hint.topic.suggestion for hint in v.guide.hints()}
    assert next(e.notation for e in v.menu.entries if e.number == int(advice[1])) in suggestions


LESSON = "Voor je eerste partij"


@pytest.mark.parametrize("begun", ["browser", "terminal"])
def test_tutorial_game_keeps_its_hints_until_the_rematch(begun: str, tables: Tables) -> None:
    played = tables.open()
    host, browser = played.host, played.host_browser()
    if begun == "browser":
        assert 'name="learn"' in browser.get("/new?game=wongar").text
        assert 'name="learn"' not in browser.get("/new?game=nim").text
        assert browser.post("/tables", {"game": "wongar", "learn": "1"}).status_code == 303
        (*_, session) = host.table_sessions.values()
        assert [seat.kind for seat in session.match.seats] == ["human", "easy", "easy"]
        assert browser.post(f"/t/{session.key}/close", {}).status_code == 303
    else:
        lesson = lesson_of(rules("wongar"))
        assert lesson is not None
        table = host.new_session("terminal", "wongar", lesson.seats, (), lesson.seed)
        table.guided = True
        table.save()
        table.close()
    (save,) = set(tables.saves.glob("*.json")) - {played.table_session.session.path}
    # The terminal resumes it with hints, too.
    assert read_save(save).guided
    assert browser.post("/saves", {"file": save.name}).status_code == 303
    (*_, session) = host.table_sessions.values()
    learner = played.seated[0]
    join(learner, host, session, 0, "Lea", "nl")
    assert LESSON in learner.page()
    host.rematch(session)
    assert LESSON not in learner.page()
    assert not read_save(session.session.path).guided


def test_hints_survive_a_restart(tables: Tables) -> None:
    lesson = lesson_of(rules("wongar"))
    assert lesson is not None
    played = tables.open("wongar", [seat.kind for seat in lesson.seats], ["nl"], lesson.seed)
    played.table_session.open_table.learn = True
    played.host.store.write()
    assert LESSON in played.seated[0].page()
    assert LESSON in tables.restart().seated[0].page()
