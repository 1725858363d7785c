"""Playing at a table in the browser: who is asked, what is done once, clocks, taking back, seats, going on later."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest
from wongar_dsl.web import assets

from tests.web.hosting import ADDRESS, Browser, Played, Time, going_on, hosted, join
from wongar_dsl.engine.match import Seat
from wongar_dsl.engine.saves import read_save
from wongar_dsl.library import load
from wongar_dsl.table.puzzle import Puzzle

FOUR = ("de", "en", "it", "nl")


def choices_in(saves: Path) -> list[str]:
    (file,) = saves.glob("*.json")
    return [text for text, _ in read_save(file).choices]


@pytest.mark.parametrize("game", ["tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel"])
def test_a_game_is_played_to_its_end_in_four_languages(game: str, tmp_path: Path) -> None:
    kinds = ["human"] * load(game).model.players[0]
    with hosted(tmp_path, game, kinds, FOUR) as played:
        played.play()
        assert played.sitting.match.state.over
        for browser, language in zip(played.seated, FOUR, strict=False):
            assert f'<html lang="{language}"' in browser.page()
    assert read_save(next(tmp_path.glob("*.json"))).over


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo"])
def test_the_first_decisions_of_a_large_game_are_made_in_four_languages(game: str, tmp_path: Path) -> None:
    kinds = ["human"] * load(game).model.players[0]
    with hosted(tmp_path, game, kinds, FOUR) as played:
        assert played.play(14) == 14
        for browser in played.seated:
            for page in ("", "/part", "/story", "/rules"):
                assert browser.get(f"{browser.key}{page}").status_code == 200


def test_every_decision_is_saved_before_it_is_answered(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for number in range(1, 4):
            if played.sitting.match.state.over:
                break
            played.asked.choose()
            assert len(choices_in(tmp_path)) >= number


def test_a_form_that_is_sent_twice_is_done_once(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.asked
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        answers = [browser.post(f"{browser.key}/move", form) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [303] * 3
        assert len(played.sitting.match.steps) == 1


def test_a_stale_form_changes_nothing_and_brings_the_page_as_it_is(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        browser = played.asked
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        played.play(2)
        answer = browser.post(f"{browser.key}/move", form)
        assert answer.status_code == 409
        assert f'value="{played.sitting.version}"' in answer.text
        assert len(played.sitting.match.steps) == 2
        part = browser.post(f"{browser.key}/move", {**form, "once": "x"}, **{"x-part": "1"})
        assert part.status_code == 409
        assert "<html" not in part.text


def test_a_new_name_makes_no_form_stale(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        asked, other = played.seated
        page = asked.page()
        form = {**asked.form(page), "choice": asked.choices(page)[0]}
        other.post(f"{other.key}/settings", {"lang": "en", "name": "Zoe"})
        assert "Zoe" in asked.page()
        assert asked.post(f"{asked.key}/move", form).status_code == 303


def test_an_option_that_there_is_not_is_explained(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"], ["de"]) as played:
        browser = played.asked
        answer = browser.post(f"{browser.key}/move", {**browser.form(), "choice": "take(heap_a, 9)"})
        assert answer.status_code == 422
        assert len(played.sitting.match.steps) == 0


def test_all_who_decide_at_the_same_time_are_asked_at_the_same_time(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human", "human"]) as played:
        assert list(played.sitting.asked) == [0, 1, 2]
        # The last in the order of the engine answers first.
        before = played.sitting.version
        assert played.seated[2].choose(1).status_code == 303
        assert played.sitting.version == before + 1
        assert list(played.sitting.asked) == [0, 1]
        assert played.seated[2].choices() == []
        assert len(played.sitting.match.steps) == 0
        played.seated[0].choose()
        played.seated[1].choose()
        assert [step.seat for step in played.sitting.match.steps] == [0, 1, 2]


def test_the_form_of_who_decides_at_the_same_time_stays_good(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human", "human"]) as played:
        slow = played.seated[1]
        page = slow.page()
        form = {**slow.form(page), "choice": slow.choices(page)[0]}
        played.seated[0].choose()
        played.seated[2].choose()
        assert slow.post(f"{slow.key}/move", form).status_code == 303


def test_an_answer_ahead_of_its_turn_outlives_the_server(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human", "human"]) as played:
        played.seated[2].choose(1)
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with going_on(tmp_path, played.sitting.key, cookies) as again:
        assert again.seated[2].choices() == []
        again.seated[0].choose()
        again.seated[1].choose()
        assert len(again.sitting.match.steps) == 3


def test_tables_go_on_after_a_start_with_the_same_cookies(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        played.play(3)
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with going_on(tmp_path, played.sitting.key, cookies) as again:
        assert len(again.sitting.match.steps) == 3
        assert again.sitting.version > played.sitting.version
        again.play()
        assert again.sitting.match.state.over


def test_an_option_keeps_its_number_after_a_start_and_after_a_step_back(tmp_path: Path) -> None:
    def numbers(browser: Browser) -> dict[str, str]:
        found = re.findall(r'data-number="(\d+)">\s*<label[^>]*><input[^>]* value="([^"]*)"', browser.page())
        return {value: number for number, value in found}

    with hosted(tmp_path, "tongiaki", ["human", "human"], seed=1) as played:
        played.play(45)
        while max(map(int, numbers(played.asked).values()), default=0) <= len(numbers(played.asked)):
            played.play(1)
        before = numbers(played.asked)
        seat = next(iter(played.sitting.asked))
        assert before
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with going_on(tmp_path, played.sitting.key, cookies) as again:
        assert numbers(again.seated[seat]) == before
        again.seated[seat].choose()
        if undo(again.seated[seat], again) == 303:
            assert numbers(again.seated[seat]) == before


# ---- bots and seats ------------------------------------------------------------------------------------------------


def until(what: object, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_bots_play_by_themselves(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "easy"]) as played:
        played.seated[0].choose()
        until(lambda: len(played.sitting.match.steps) == 2)
        assert played.sitting.match.steps[1].seat == 1


def hosting(played: Played) -> Browser:
    """Whoever hosts."""
    browser = played.stranger()
    key = played.host.guests.invite("host")
    assert "name=" in browser.get(f"/join/{key}").text
    assert browser.post(f"/join/{key}", {"lang": "en"}).headers["location"] == "/"
    return browser


def test_a_seat_of_a_bot_is_offered_to_somebody_new(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "easy"]) as played:
        host, key = hosting(played), played.seated[0].key
        page = host.get("/").text
        assert 'value="human"' not in page
        assert 'value="link"' in page.partition("Invite a player")[0][-80:]
        assert host.post(f"{key}/seat", {"seat": "1", "do": "link"}).status_code == 303
        invited = re.findall(r'href="[^"]*(/join/[^"]*)"', host.get("/").text)
        assert played.sitting.plays(1)
        late = played.stranger()
        seat = next(one for one in invited if 'value="1"' in (page := late.get(one).text) and 'value="0"' not in page)
        assert late.post(seat, {"seat": "1", "name": "Late", "lang": "en"}).status_code == 303
        assert played.sitting.table.names[1] == "Late"


def test_a_seat_is_given_to_a_bot_and_taken_back(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        host, key = hosting(played), played.seated[0].key
        played.seated[0].choose()
        assert host.post(f"{key}/seat", {"seat": "1", "do": "bot", "kind": "easy"}).status_code == 303
        until(lambda: len(played.sitting.match.steps) == 2)
        assert read_save(played.sitting.table.path).seats == (Seat("human", "P0"), Seat("easy", "P1"))
        assert host.post(f"{key}/seat", {"seat": "1", "do": "human"}).status_code == 303
        assert read_save(played.sitting.table.path).seats == (Seat("human", "P0"), Seat("human", "P1"))
        played.seated[0].choose()
        assert played.seated[1].choose().status_code == 303


def test_a_new_link_makes_the_old_guest_leave(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host, key = hosting(played), played.seated[0].key
        host.post(f"{key}/seat", {"seat": "1", "do": "link"})
        assert played.seated[1].get(key).status_code == 403
        (link,) = re.findall(rf"{ADDRESS}(/join/[\w-]+)[^<]*", host.get("/").text.split(">P1")[1])[:1]
        other = played.stranger()
        assert other.post(link, {"name": "Eve", "lang": "en"}).status_code == 303
        assert other.get(key).status_code == 200
        # It is for one alone.
        assert played.stranger().post(link, {"name": "Mallory", "lang": "en"}).status_code == 404


def test_a_seat_is_taken_by_one_only(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        link = f"/join/{played.host.guests.key('any', played.sitting.key)}"
        answer = played.stranger().post(link, {"seat": "0", "name": "Eve", "lang": "en"})
        assert answer.status_code == 409
        assert "set-cookie" not in answer.headers


def test_who_watches_sees_no_hand_and_decides_nothing(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        watcher = played.stranger()
        join(watcher, played.host, played.sitting, None, "")
        page = watcher.page()
        assert watcher.choices(page) == []
        form = {"version": str(played.sitting.version), "choice": "bet"}
        assert watcher.post(f"{watcher.key}/move", form).status_code == 403


def test_two_people_cannot_have_the_same_name(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[1]
        assert browser.post(f"{browser.key}/settings", {"lang": "en", "name": "p0"}).status_code == 422
        assert played.sitting.table.names == ("P0", "P1")


def test_a_table_is_laid_in_the_browser_and_a_save_resumed(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host = hosting(played)
        assert host.get("/new?game=goofspiel").status_code == 200
        sent = {"game": "goofspiel", "kind-0": "human", "name-0": "Ann", "kind-1": "easy"}
        assert host.post("/tables", sent).status_code == 303
        (new,) = set(played.host.sittings) - {played.sitting.key}
        path = played.host.sittings[new].table.path
        assert host.post(f"/t/{new}/close", {}).status_code == 303
        assert new not in played.host.sittings
        assert path.name in host.get("/").text
        assert host.post("/saves", {"file": path.name}).status_code == 303
        assert path in {sitting.table.path for sitting in played.host.sittings.values()}
        # It is open now: nobody else writes it.
        assert host.post("/saves", {"file": path.name}).status_code == 422


def test_a_number_of_seats_that_the_game_is_not_for_is_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        answer = hosting(played).post("/tables", {"game": "nim", "kind-0": "human"})
        assert answer.status_code == 422
        assert len(played.host.sittings) == 1


def test_the_same_game_again_with_the_seats_turned(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host, key = hosting(played), played.seated[0].key
        assert host.post(f"{key}/rematch", {}).status_code == 409
        played.play()
        assert host.post(f"{key}/rematch", {}).status_code == 303
        assert played.sitting.table.names == ("P1", "P0")
        assert played.seated[1].choose().status_code == 303
        assert len(list(tmp_path.glob("*.json"))) == 2


def test_whoever_sits_at_the_table_begins_another_game_and_all_are_brought_there(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        first, second = played.seated
        watching = played.stranger()
        join(watching, played.host, played.sitting, None, "", "en")
        assert first.post(f"{first.key}/rematch", {}).status_code == 409
        played.play()
        assert "/rematch" in second.page()
        assert "/rematch" not in watching.page()
        assert watching.post(f"{first.key}/rematch", {}).status_code == 403
        assert played.stranger().post(f"{first.key}/rematch", {}).status_code == 403
        # Two press at the same time: there is one new game.
        assert [one.post(f"{one.key}/rematch", {}).status_code for one in (second, first)] == [303, 409]
        assert played.sitting.table.names == ("P1", "P0")
        assert len(list(tmp_path.glob("*.json"))) == 2
        assert second.choose().status_code == 303


# ---- style and scripts ---------------------------------------------------------------------------------------------


def test_style_and_scripts_are_fetched_once_and_anew_after_an_update(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(tmp_path / "saves", "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        found = re.findall(r'(?:href|src)="(/static/[^"]*)"', browser.page())
        assert sorted(re.findall(r"/(\w+[.]\w+)[?]", " ".join(found))) == [
            "icon.svg", "puzzle.js", "table.css", "table.js"
        ]  # fmt: skip
        for address in found:
            answer = browser.get(address)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
            # Who asks without the mark of the contents, or with an old one, asks each time whether it is still so.
            plain = address.partition("?")[0]
            for other in (plain, f"{plain}?v=0"):
                assert browser.get(other).headers["cache-control"] == "no-cache"
                known = browser.get(other, **{"if-none-match": answer.headers["etag"]})
                assert (known.status_code, known.content) == (304, b"")
        after = tmp_path / "static"
        shutil.copytree(assets.FOLDER, after)
        (after / "table.js").write_text("// another one", encoding="utf-8")
        monkeypatch.setattr(assets, "FOLDER", after)
        assets.address.cache_clear()
        played.play(1)
        old, new = ({one.partition("?")[0]: one for one in every} for every in (
            found, re.findall(r'(?:href|src)="(/static/[^"]*)"', browser.page())
        ))  # fmt: skip
        assert [name for name in old if old[name] != new[name]] == ["/static/table.js"]
        assert browser.get(new["/static/table.js"]).text == "// another one"
        assert browser.get(old["/static/table.js"]).headers["cache-control"] == "no-cache"
    assets.address.cache_clear()


# ---- taking back ---------------------------------------------------------------------------------------------------


def undo(browser: Browser, played: Played) -> int:
    return browser.post(f"{browser.key}/undo", {"version": str(played.sitting.version)}).status_code


def test_a_last_decision_is_taken_back_at_once(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        played.seated[0].choose()
        assert undo(played.seated[0], played) == 303
        assert len(played.sitting.match.steps) == 0
        assert choices_in(tmp_path) == []


def test_what_was_taken_back_is_told_to_everybody_beside_what_they_were_told_before(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"], ["en", "de"]) as played:
        first, second = played.seated
        for browser in (first, second):
            browser.choose()

        def told(browser: Browser) -> list[str]:
            found = re.search(r'<ul id="digest">(.*?)</ul>', browser.page())
            return re.findall(r"<li[^>]*>([^<]*)</li>", found[1]) if found else []

        before = told(first)
        assert len(before) == 1
        watching = played.stranger()
        join(watching, played.host, played.sitting, None, "", "nl")
        chosen = re.search(r'data-whole="([^"]*)"', first.page().partition('id="options"')[2])
        first.choose()
        assert told(first) == []
        assert undo(first, played) == 303
        assert chosen is not None
        assert told(first) == [*before, f"P0 has taken back: {chosen[1]}"]
        assert "P0 hat zurückgenommen: " in told(second)[-1]
        assert "P0 heeft teruggenomen: " in told(watching)[-1]
        # A step further back what was taken back before is no news: its position is not there any more.
        assert undo(first, played) == 303
        assert second.post(f"{second.key}/answer", {**second.form(), "answer": "yes"}).status_code == 303
        assert [line.startswith("P0 has taken back: ") for line in told(first)] == [True]
        first.choose()
        assert not any("taken back" in line for line in told(first))
        assert "P0 hat zurückgenommen: " in told(second)[-1]
        second.choose()
        assert not any("zurückgenommen" in line for line in told(second))
        assert not any("teruggenomen" in line for line in told(watching))


def test_who_has_decided_since_is_asked(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        first, second = played.seated
        for answer, left in (("no", 2), ("yes", 0)):
            while len(played.sitting.match.steps) < 2:
                played.play(1)
            assert undo(first, played) == 303
            assert len(played.sitting.match.steps) == 2
            assert first.post(f"{first.key}/answer", {**first.form(), "answer": "yes"}).status_code == 409
            assert second.post(f"{second.key}/answer", {**second.form(), "answer": answer}).status_code == 303
            assert len(played.sitting.match.steps) == left


def test_bots_agree_to_take_back(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "easy"]) as played:
        played.seated[0].choose()
        until(lambda: len(played.sitting.match.steps) == 2)
        assert undo(played.seated[0], played) == 303
        assert len(played.sitting.match.steps) == 0


def test_what_chance_has_answered_is_final(tmp_path: Path) -> None:
    with hosted(tmp_path, "ubongo", ["human", "human"]) as played:
        played.play(1)
        while played.sitting.match.state.clock is None:
            played.play(1)
        assert undo(played.seated[0], played) == 422


def test_a_decision_ahead_of_its_turn_is_taken_back_without_asking(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        played.seated[1].choose()
        assert list(played.sitting.asked) == [0]
        assert undo(played.seated[1], played) == 303
        assert list(played.sitting.asked) == [0, 1]


# ---- clocks --------------------------------------------------------------------------------------------------------


def puzzled(played: Played) -> None:
    while played.sitting.match.state.clock is None:
        played.play(1)


def test_a_clock_begins_when_its_page_is_seen_and_goes_on_by_the_server(tmp_path: Path) -> None:
    clock = Time()
    with hosted(tmp_path, "ubongo", ["human", "human"], time=clock) as played:
        puzzled(played)
        clock.now += 100
        for browser in played.seated:
            assert re.search(r'data-left="(\d+)" data-whole="\1"', browser.page())
        clock.now += 7
        left, whole = map(int, re.findall(r'data-left="(\d+)" data-whole="(\d+)"', played.seated[1].page())[0])
        assert whole - left == 7000
        puzzle = Puzzle.of(played.sitting.asked[1].state)
        assert puzzle is not None
        rows = next(iter(puzzle.solutions)).replace("/", "\r\n")
        browser = played.seated[1]
        form = browser.form()
        assert browser.post(f"{browser.key}/move", {**form, "drawing": "AA/BB"}).status_code == 422
        assert browser.post(f"{browser.key}/move", {**form, "drawing": rows}).status_code == 303
        clock.now += 1
        played.seated[0].choose()
        times = {step.seat: step.time for step in played.sitting.match.steps[-2:]}
        assert times == {0: 8000, 1: 7000}


def test_who_lets_the_time_go_has_chosen_what_takes_nothing(tmp_path: Path) -> None:
    clock = Time()
    with hosted(tmp_path, "ubongo", ["human", "human"], time=clock) as played:
        puzzled(played)
        steps = len(played.sitting.match.steps)
        for browser in played.seated:
            browser.page()
        clock.now += 3600
        until(lambda: len(played.sitting.match.steps) > steps + 1)
        assert {step.text for step in played.sitting.match.steps[steps : steps + 2]} == {"give_up"}


def test_an_interrupted_clock_goes_on_where_it_stood(tmp_path: Path) -> None:
    clock = Time()
    with hosted(tmp_path, "ubongo", ["human", "human"], time=clock) as played:
        puzzled(played)
        for browser in played.seated:
            browser.page()
        clock.now += 9
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    clock.now += 500
    with going_on(tmp_path, played.sitting.key, cookies, clock) as again:
        left, whole = map(int, re.findall(r'data-left="(\d+)" data-whole="(\d+)"', again.seated[1].page())[0])
        assert whole - left == 9000
