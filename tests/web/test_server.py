"""Play at a browser table: decisions, repeated forms, bots, seats, undo, clocks and restarts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.web.hosting import ADDRESS, Browser, Played, Tables, join, wait_until
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Seat
from wongar_dsl.engine.saves import read_save
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.web import pages as assets

FOUR = ("de", "en", "it", "nl")


def saved_choices(saves: Path) -> list[str]:
    (file,) = saves.glob("*.json")
    return [text for text, _ in read_save(file).choices]


@pytest.mark.parametrize("game", ["tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel"])
def test_small_games_are_played_to_the_end_in_four_languages(game: str, tables: Tables, tmp_path: Path) -> None:
    played = tables.open(game, ["human"] * load(game).model.players[0], FOUR)
    played.play()
    assert played.table_session.match.state.over
    for browser, language in zip(played.seated, FOUR, strict=False):
        assert f'<html lang="{language}"' in browser.page()
    assert read_save(next(tmp_path.glob("*.json"))).over


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo"])
def test_large_games_are_started_in_four_languages(game: str, tables: Tables) -> None:
    played = tables.open(game, ["human"] * load(game).model.players[0], FOUR)
    assert played.play(5) == 5
    for browser in played.seated:
        for page in ("", "/part", "/story", "/rules"):
            assert browser.get(f"{browser.key}{page}").status_code == 200


def test_decisions_are_saved_before_the_answer(nim: Played, tmp_path: Path) -> None:
    for number in range(1, 4):
        nim.decider.choose()
        assert len(saved_choices(tmp_path)) == number


def test_repeated_form_is_applied_once(nim: Played) -> None:
    browser, form = nim.decider, nim.decider.choice_form()
    assert [browser.send("move", form) for _ in range(3)] == [303] * 3
    assert nim.steps == 1


def test_stale_form_changes_nothing_and_returns_the_current_page(tables: Tables) -> None:
    played = tables.open("connect_four")
    browser, form = played.decider, played.decider.choice_form()
    played.play(2)
    answer = browser.post(f"{browser.key}/move", form)
    assert answer.status_code == 409
    assert f'value="{played.table_session.version}"' in answer.text
    assert played.steps == 2
    part = browser.post(f"{browser.key}/move", {**form, "once": "x"}, **{"x-part": "1"})
    assert part.status_code == 409
    assert "<html" not in part.text


def test_renaming_does_not_make_forms_stale(nim: Played) -> None:
    decider, opponent = nim.seated
    form = decider.choice_form()
    opponent.send("settings", {"lang": "en", "name": "Zoe"})
    assert "Zoe" in decider.page()
    assert decider.send("move", form) == 303


def test_unavailable_option_is_refused(nim: Played) -> None:
    assert nim.decider.send("move", {**nim.decider.form(), "choice": "take(heap_a, 9)"}) == 422
    assert nim.steps == 0


def test_simultaneous_decisions_are_pending_together(tables: Tables) -> None:
    played = tables.open("goofspiel", ["human"] * 3)
    session, slow = played.table_session, played.seated[1]
    assert list(session.pending) == [0, 1, 2]
    # The seat that the engine asks last answers first; the forms of the others stay valid.
    before, form = session.version, slow.choice_form()
    assert played.seated[2].choose(1).status_code == 303
    assert session.version == before + 1
    assert list(session.pending) == [0, 1]
    assert played.steps == 0
    # An answer given ahead survives a restart.
    played = tables.restart()
    assert played.seated[2].choices() == []
    played.seated[0].choose()
    slow, form = played.seated[1], {**form, "version": played.seated[1].form()["version"]}
    assert slow.send("move", form) == 303
    assert [step.seat for step in played.table_session.match.steps] == [0, 1, 2]


def test_form_stays_valid_after_other_simultaneous_decisions(tables: Tables) -> None:
    played = tables.open("goofspiel", ["human"] * 3)
    slow, form = played.seated[1], played.seated[1].choice_form()
    played.seated[0].choose()
    played.seated[2].choose()
    assert slow.send("move", form) == 303


def test_tables_resume_after_a_restart_with_the_same_cookies(tables: Tables) -> None:
    played = tables.open()
    played.play(2)
    restored = tables.restart()
    assert restored.steps == 2
    assert restored.table_session.version > played.table_session.version
    restored.play()
    assert restored.table_session.match.state.over


def test_option_keeps_its_number_after_restart_and_undo(tables: Tables) -> None:
    def numbers(browser: Browser) -> dict[str, str]:
        rows = re.findall(r'data-number="(\d+)">\s*<label[^>]*><input[^>]* value="([^"]*)"', browser.page())
        return {value: number for number, value in rows}

    # Without a full column, the numbers of the others are not their places.
    played = tables.open("connect_four")
    for _ in range(6):
        played.decider.choose()
    seat = next(iter(played.table_session.pending))
    before = numbers(played.seated[seat])
    assert list(before.values()) == list("234567")
    restored = tables.restart()
    assert numbers(restored.seated[seat]) == before
    restored.seated[seat].choose()
    assert undo(restored.seated[seat], restored) == 303
    assert numbers(restored.seated[seat]) == before


# ---- bots and seats ------------------------------------------------------------------------------------------------


def test_bots_play_by_themselves_and_agree_to_undo(tables: Tables) -> None:
    played = tables.open("connect_four", ["human", "easy"])
    played.seated[0].choose()
    wait_until(lambda: played.steps == 2)
    assert played.table_session.match.steps[1].seat == 1
    assert undo(played.seated[0], played) == 303
    assert played.steps == 0


def test_bots_seat_can_be_offered_to_a_new_guest(tables: Tables) -> None:
    played = tables.open("connect_four", ["human", "easy"])
    host, key, late = played.host_browser(), played.seated[0].key, played.stranger()
    page = host.get("/").text
    assert 'value="human"' not in page
    assert 'value="link"' in page.partition("Invite a player")[0][-80:]
    assert host.post(f"{key}/seat", {"seat": "1", "do": "link"}).status_code == 303
    assert played.table_session.is_human(1)
    pages = {link: late.get(link).text for link in re.findall(r'href="[^"]*(/join/[^"]*)"', host.get("/").text)}
    seat = next(link for link, page in pages.items() if 'value="1"' in page and 'value="0"' not in page)
    assert late.post(seat, {"seat": "1", "name": "Late", "lang": "en"}).status_code == 303
    assert played.table_session.session.names[1] == "Late"


def test_seat_is_given_to_a_bot_and_back(tables: Tables) -> None:
    played = tables.open("connect_four")
    host, key, path = played.host_browser(), played.seated[0].key, played.table_session.session.path
    played.seated[0].choose()
    assert host.post(f"{key}/seat", {"seat": "1", "do": "bot", "kind": "easy"}).status_code == 303
    wait_until(lambda: played.steps == 2)
    assert read_save(path).seats == (Seat("human", "P0"), Seat("easy", "P1"))
    assert host.post(f"{key}/seat", {"seat": "1", "do": "human"}).status_code == 303
    assert read_save(path).seats == (Seat("human", "P0"), Seat("human", "P1"))
    played.seated[0].choose()
    assert played.seated[1].choose().status_code == 303


def test_new_seat_link_removes_the_former_guest(nim: Played) -> None:
    host, key, newcomer = nim.host_browser(), nim.seated[0].key, nim.stranger()
    host.post(f"{key}/seat", {"seat": "1", "do": "link"})
    assert nim.seated[1].get(key).status_code == 403
    (link,) = re.findall(rf"{ADDRESS}(/join/[\w-]+)[^<]*", host.get("/").text.split(">P1")[1])[:1]
    assert newcomer.post(link, {"name": "Eve", "lang": "en"}).status_code == 303
    assert newcomer.get(key).status_code == 200
    # The link works once.
    assert nim.stranger().post(link, {"name": "Mallory", "lang": "en"}).status_code == 404


def test_spectator_sees_no_options_and_cannot_decide(tables: Tables) -> None:
    played = tables.open("kuhn_poker")
    watcher = played.stranger()
    join(watcher, played.host, played.table_session, None, "")
    assert watcher.choices() == []
    assert watcher.send("move", {"version": str(played.table_session.version), "choice": "bet"}) == 403


def test_names_like_those_of_others_are_refused(nim: Played) -> None:
    assert nim.seated[1].send("settings", {"lang": "en", "name": "p0"}) == 422
    assert nim.table_session.session.names == ("P0", "P1")


def test_browser_opens_a_new_table_and_resumes_a_save(nim: Played) -> None:
    host, sessions = nim.host_browser(), nim.host.table_sessions
    assert 'name="lang"' in nim.stranger().get(f"/join/{nim.host.store.invite('host')}").text
    # Nim is for two.
    assert host.post("/tables", {"game": "nim", "kind-0": "human"}).status_code == 422
    assert len(sessions) == 1
    assert host.get("/new?game=goofspiel").status_code == 200
    sent = {"game": "goofspiel", "kind-0": "human", "name-0": "Ann", "kind-1": "easy"}
    assert host.post("/tables", sent).status_code == 303
    (new,) = set(sessions) - {nim.table_session.key}
    path = sessions[new].session.path
    assert host.post(f"/t/{new}/close", {}).status_code == 303
    assert new not in sessions
    assert path.name in host.get("/").text
    assert host.post("/saves", {"file": path.name}).status_code == 303
    assert path in {table_session.session.path for table_session in sessions.values()}
    # It is open already, so it cannot be resumed twice.
    assert host.post("/saves", {"file": path.name}).status_code == 422


@pytest.mark.parametrize("by_host", [True, False])
def test_host_or_a_player_starts_the_rematch_once_with_rotated_seats(
    by_host: bool, nim: Played, tmp_path: Path
) -> None:
    first, second, watching = *nim.seated, nim.stranger()
    path = f"{first.key}/rematch"
    join(watching, nim.host, nim.table_session, None, "", "en")
    starting = nim.host_browser() if by_host else second
    assert starting.post(path, {}).status_code == 409
    nim.play()
    assert "/rematch" in second.page()
    assert "/rematch" not in watching.page()
    # Two requests at the same time start one new game.
    asking = (watching, nim.stranger(), starting, first)
    assert [browser.post(path, {}).status_code for browser in asking] == [403, 403, 303, 409]
    assert nim.table_session.session.names == ("P1", "P0")
    assert len(list(tmp_path.glob("*.json"))) == 2
    assert second.choose().status_code == 303


# ---- style and scripts ---------------------------------------------------------------------------------------------


def test_static_files_are_cached_until_they_change(
    nim: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def addresses() -> dict[str, str]:
        found = re.findall(r'(?:href|src)="(/static/[^"]*)"', nim.seated[0].page())
        return {link.partition("?")[0]: link for link in found}

    browser, old, after = nim.seated[0], addresses(), tmp_path / "static"
    assert sorted(old) == [f"/static/{name}" for name in ("icon.svg", "puzzle.js", "table.css", "table.js")]
    for plain, address in old.items():
        answer = browser.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        # Without a current version mark the file must be revalidated each time.
        for unversioned in (plain, f"{plain}?v=0"):
            assert browser.get(unversioned).headers["cache-control"] == "no-cache"
            cached = browser.get(unversioned, **{"if-none-match": answer.headers["etag"]})
            assert (cached.status_code, cached.content) == (304, b"")
    shutil.copytree(assets.FOLDER, after)
    (after / "table.js").write_text("// another one", encoding="utf-8")
    monkeypatch.setattr(assets, "FOLDER", after)
    assets.address.cache_clear()
    nim.play(1)
    new = addresses()
    assert [name for name in old if old[name] != new[name]] == ["/static/table.js"]
    assert browser.get(new["/static/table.js"]).text == "// another one"
    assert browser.get(old["/static/table.js"]).headers["cache-control"] == "no-cache"
    assets.address.cache_clear()


# ---- undo ----------------------------------------------------------------------------------------------------------


def undo(browser: Browser, played: Played) -> int:
    return browser.send("undo", {"version": str(played.table_session.version)})


def test_last_decision_is_undone_at_once(tables: Tables, tmp_path: Path) -> None:
    played = tables.open("connect_four")
    played.seated[0].choose()
    assert undo(played.seated[0], played) == 303
    assert played.steps == 0
    assert saved_choices(tmp_path) == []


def test_undone_decision_is_added_to_all_digests(tables: Tables) -> None:
    def digest_lines(browser: Browser) -> list[str]:
        digest = re.search(r'<ul id="digest">(.*?)</ul>', browser.page())
        return re.findall(r"<li[^>]*>([^<]*)</li>", digest[1]) if digest else []

    played = tables.open("connect_four", languages=["en", "de"])
    first, second, watching = *played.seated, played.stranger()
    for browser in (first, second):
        browser.choose()
    before = digest_lines(first)
    assert len(before) == 1
    join(watching, played.host, played.table_session, None, "", "nl")
    chosen = re.search(r'data-whole="([^"]*)"', first.page().partition('id="options"')[2])
    first.choose()
    assert digest_lines(first) == []
    assert undo(first, played) == 303
    assert chosen is not None
    assert digest_lines(first) == [*before, f"P0 has taken back: {chosen[1]}"]
    assert "P0 hat zurückgenommen: " in digest_lines(second)[-1]
    assert "P0 heeft teruggenomen: " in digest_lines(watching)[-1]
    # After a second undo the first is no news, since its position no longer exists.
    assert undo(first, played) == 303
    assert second.send("answer", {**second.form(), "answer": "yes"}) == 303
    assert [line.startswith("P0 has taken back: ") for line in digest_lines(first)] == [True]
    first.choose()
    assert not any("taken back" in line for line in digest_lines(first))
    assert "P0 hat zurückgenommen: " in digest_lines(second)[-1]
    second.choose()
    assert not any("zurückgenommen" in line for line in digest_lines(second))
    assert not any("teruggenomen" in line for line in digest_lines(watching))


def test_undo_asks_the_seat_that_decided_since(tables: Tables) -> None:
    played = tables.open("connect_four")
    first, second = played.seated
    for answer, remaining in (("no", 2), ("yes", 0)):
        played.play(2 - played.steps)
        assert undo(first, played) == 303
        assert played.steps == 2
        assert first.send("answer", {**first.form(), "answer": "yes"}) == 409
        assert second.send("answer", {**second.form(), "answer": answer}) == 303
        assert played.steps == remaining


def test_answer_given_ahead_is_undone_without_asking(tables: Tables) -> None:
    played = tables.open("goofspiel")
    played.seated[1].choose()
    assert list(played.table_session.pending) == [0]
    assert undo(played.seated[1], played) == 303
    assert list(played.table_session.pending) == [0, 1]


# ---- clocks --------------------------------------------------------------------------------------------------------


@pytest.fixture
def puzzled(tables: Tables) -> Played:
    """Return a table whose two players have puzzles to solve."""
    played = tables.open("ubongo")
    while played.table_session.match.state.clock is None:
        played.play(1)
    return played


def times(browser: Browser) -> tuple[int, int]:
    """Return the used and the whole time that a page shows."""
    left, whole = map(int, re.findall(r'data-left="(\d+)" data-whole="(\d+)"', browser.page())[0])
    return whole - left, whole


def test_clock_starts_with_the_page_and_runs_on_the_server(puzzled: Played, tables: Tables) -> None:
    clock, browser = tables.time, puzzled.seated[1]
    clock.now += 100
    assert [times(seated)[0] for seated in puzzled.seated] == [0, 0]
    clock.now += 7
    assert times(browser)[0] == 7000
    puzzle = Puzzle.of(puzzled.table_session.pending[1].state)
    assert puzzle is not None
    rows, form = next(iter(puzzle.solutions)).replace("/", "\r\n"), browser.form()
    assert [browser.send("move", {**form, "drawing": drawing}) for drawing in ("AA/BB", rows)] == [422, 303]
    clock.now += 1
    puzzled.seated[0].choose()
    assert {step.seat: step.time for step in puzzled.table_session.match.steps[-2:]} == {0: 8000, 1: 7000}


def test_expired_clock_gives_up(puzzled: Played, tables: Tables) -> None:
    steps = puzzled.steps
    for browser in puzzled.seated:
        browser.page()
    # Chance has answered the last decision.
    assert undo(puzzled.seated[0], puzzled) == 422
    tables.time.now += 3600
    wait_until(lambda: puzzled.steps > steps + 1)
    assert {step.text for step in puzzled.table_session.match.steps[steps : steps + 2]} == {"give_up"}


def test_interrupted_clock_resumes_with_its_remaining_time(puzzled: Played, tables: Tables) -> None:
    def wait() -> None:
        tables.time.now += 500

    for browser in puzzled.seated:
        browser.page()
    tables.time.now += 9
    assert times(tables.restart(wait).seated[1])[0] == 9000
