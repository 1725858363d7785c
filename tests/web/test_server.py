"""Play at a browser table: decisions, repeated forms, bots, seats, undo, clocks and restarts."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest

from tests.web.hosting import ADDRESS, Browser, Played, Time, hosted, join, restarted
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Seat
from wongar_dsl.engine.saves.saves import read_save
from wongar_dsl.session.board.puzzle import Puzzle
from wongar_dsl.web.rendering import assets

FOUR = ("de", "en", "it", "nl")


def saved_choices(saves: Path) -> list[str]:
    (file,) = saves.glob("*.json")
    return [text for text, _ in read_save(file).choices]


@pytest.mark.parametrize("game", ["tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel"])
def test_small_games_are_played_to_the_end_in_four_languages(game: str, tmp_path: Path) -> None:
    kinds = ["human"] * load(game).model.players[0]
    with hosted(tmp_path, game, kinds, FOUR) as played:
        played.play()
        assert played.table_session.match.state.over
        for browser, language in zip(played.seated, FOUR, strict=False):
            assert f'<html lang="{language}"' in browser.page()
    assert read_save(next(tmp_path.glob("*.json"))).over


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo"])
def test_large_games_are_started_in_four_languages(game: str, tmp_path: Path) -> None:
    kinds = ["human"] * load(game).model.players[0]
    with hosted(tmp_path, game, kinds, FOUR) as played:
        assert played.play(14) == 14
        for browser in played.seated:
            for page in ("", "/part", "/story", "/rules"):
                assert browser.get(f"{browser.key}{page}").status_code == 200


def test_decisions_are_saved_before_the_answer(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        for number in range(1, 4):
            if played.table_session.match.state.over:
                break
            played.decider.choose()
            assert len(saved_choices(tmp_path)) >= number


def test_repeated_form_is_applied_once(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.decider
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        answers = [browser.post(f"{browser.key}/move", form) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [303] * 3
        assert len(played.table_session.match.steps) == 1


def test_stale_form_changes_nothing_and_returns_the_current_page(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        browser = played.decider
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        played.play(2)
        answer = browser.post(f"{browser.key}/move", form)
        assert answer.status_code == 409
        assert f'value="{played.table_session.version}"' in answer.text
        assert len(played.table_session.match.steps) == 2
        part = browser.post(f"{browser.key}/move", {**form, "once": "x"}, **{"x-part": "1"})
        assert part.status_code == 409
        assert "<html" not in part.text


def test_renaming_does_not_make_forms_stale(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        decider, opponent = played.seated
        page = decider.page()
        form = {**decider.form(page), "choice": decider.choices(page)[0]}
        opponent.post(f"{opponent.key}/settings", {"lang": "en", "name": "Zoe"})
        assert "Zoe" in decider.page()
        assert decider.post(f"{decider.key}/move", form).status_code == 303


def test_unavailable_option_is_explained(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"], ["de"]) as played:
        browser = played.decider
        answer = browser.post(f"{browser.key}/move", {**browser.form(), "choice": "take(heap_a, 9)"})
        assert answer.status_code == 422
        assert len(played.table_session.match.steps) == 0


def test_simultaneous_decisions_are_pending_together(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human", "human"]) as played:
        assert list(played.table_session.pending) == [0, 1, 2]
        # The seat that the engine asks last answers first.
        before = played.table_session.version
        assert played.seated[2].choose(1).status_code == 303
        assert played.table_session.version == before + 1
        assert list(played.table_session.pending) == [0, 1]
        assert played.seated[2].choices() == []
        assert len(played.table_session.match.steps) == 0
        played.seated[0].choose()
        played.seated[1].choose()
        assert [step.seat for step in played.table_session.match.steps] == [0, 1, 2]


def test_form_stays_valid_after_other_simultaneous_decisions(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human", "human"]) as played:
        slow = played.seated[1]
        page = slow.page()
        form = {**slow.form(page), "choice": slow.choices(page)[0]}
        played.seated[0].choose()
        played.seated[2].choose()
        assert slow.post(f"{slow.key}/move", form).status_code == 303


def test_answer_given_ahead_survives_a_restart(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human", "human"]) as played:
        played.seated[2].choose(1)
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with restarted(tmp_path, played.table_session.key, cookies) as restored:
        assert restored.seated[2].choices() == []
        restored.seated[0].choose()
        restored.seated[1].choose()
        assert len(restored.table_session.match.steps) == 3


def test_tables_resume_after_a_restart_with_the_same_cookies(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        played.play(3)
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with restarted(tmp_path, played.table_session.key, cookies) as restored:
        assert len(restored.table_session.match.steps) == 3
        assert restored.table_session.version > played.table_session.version
        restored.play()
        assert restored.table_session.match.state.over


def test_option_keeps_its_number_after_restart_and_undo(tmp_path: Path) -> None:
    def numbers(browser: Browser) -> dict[str, str]:
        rows = re.findall(r'data-number="(\d+)">\s*<label[^>]*><input[^>]* value="([^"]*)"', browser.page())
        return {value: number for number, value in rows}

    with hosted(tmp_path, "tongiaki", ["human", "human"], seed=1) as played:
        played.play(45)
        while max(map(int, numbers(played.decider).values()), default=0) <= len(numbers(played.decider)):
            played.play(1)
        before = numbers(played.decider)
        seat = next(iter(played.table_session.pending))
        assert before
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    with restarted(tmp_path, played.table_session.key, cookies) as restored:
        assert numbers(restored.seated[seat]) == before
        restored.seated[seat].choose()
        if undo(restored.seated[seat], restored) == 303:
            assert numbers(restored.seated[seat]) == before


# ---- bots and seats ------------------------------------------------------------------------------------------------


def wait_until(what: object, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_bots_play_by_themselves(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "easy"]) as played:
        played.seated[0].choose()
        wait_until(lambda: len(played.table_session.match.steps) == 2)
        assert played.table_session.match.steps[1].seat == 1


def host_browser(played: Played) -> Browser:
    """Return a browser with the rights of the host."""
    browser = played.stranger()
    key = played.host.guests.invite("host")
    assert "name=" in browser.get(f"/join/{key}").text
    assert browser.post(f"/join/{key}", {"lang": "en"}).headers["location"] == "/"
    return browser


def test_bots_seat_can_be_offered_to_a_new_guest(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "easy"]) as played:
        host, key = host_browser(played), played.seated[0].key
        page = host.get("/").text
        assert 'value="human"' not in page
        assert 'value="link"' in page.partition("Invite a player")[0][-80:]
        assert host.post(f"{key}/seat", {"seat": "1", "do": "link"}).status_code == 303
        invited = re.findall(r'href="[^"]*(/join/[^"]*)"', host.get("/").text)
        assert played.table_session.is_human(1)
        late = played.stranger()
        seat = next(
            address
            for address in invited
            if 'value="1"' in (page := late.get(address).text) and 'value="0"' not in page
        )
        assert late.post(seat, {"seat": "1", "name": "Late", "lang": "en"}).status_code == 303
        assert played.table_session.session.names[1] == "Late"


def test_seat_is_given_to_a_bot_and_back(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        host, key = host_browser(played), played.seated[0].key
        played.seated[0].choose()
        assert host.post(f"{key}/seat", {"seat": "1", "do": "bot", "kind": "easy"}).status_code == 303
        wait_until(lambda: len(played.table_session.match.steps) == 2)
        assert read_save(played.table_session.session.path).seats == (Seat("human", "P0"), Seat("easy", "P1"))
        assert host.post(f"{key}/seat", {"seat": "1", "do": "human"}).status_code == 303
        assert read_save(played.table_session.session.path).seats == (Seat("human", "P0"), Seat("human", "P1"))
        played.seated[0].choose()
        assert played.seated[1].choose().status_code == 303


def test_new_seat_link_removes_the_former_guest(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host, key = host_browser(played), played.seated[0].key
        host.post(f"{key}/seat", {"seat": "1", "do": "link"})
        assert played.seated[1].get(key).status_code == 403
        (link,) = re.findall(rf"{ADDRESS}(/join/[\w-]+)[^<]*", host.get("/").text.split(">P1")[1])[:1]
        newcomer = played.stranger()
        assert newcomer.post(link, {"name": "Eve", "lang": "en"}).status_code == 303
        assert newcomer.get(key).status_code == 200
        # The link works once.
        assert played.stranger().post(link, {"name": "Mallory", "lang": "en"}).status_code == 404


def test_occupied_seat_is_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        link = f"/join/{played.host.guests.key('any', played.table_session.key)}"
        answer = played.stranger().post(link, {"seat": "0", "name": "Eve", "lang": "en"})
        assert answer.status_code == 409
        assert "set-cookie" not in answer.headers


def test_spectator_sees_no_options_and_cannot_decide(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"]) as played:
        watcher = played.stranger()
        join(watcher, played.host, played.table_session, None, "")
        page = watcher.page()
        assert watcher.choices(page) == []
        form = {"version": str(played.table_session.version), "choice": "bet"}
        assert watcher.post(f"{watcher.key}/move", form).status_code == 403


def test_duplicate_names_are_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.seated[1]
        assert browser.post(f"{browser.key}/settings", {"lang": "en", "name": "p0"}).status_code == 422
        assert played.table_session.session.names == ("P0", "P1")


def test_browser_opens_a_new_table_and_resumes_a_save(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host = host_browser(played)
        assert host.get("/new?game=goofspiel").status_code == 200
        sent = {"game": "goofspiel", "kind-0": "human", "name-0": "Ann", "kind-1": "easy"}
        assert host.post("/tables", sent).status_code == 303
        (new,) = set(played.host.table_sessions) - {played.table_session.key}
        path = played.host.table_sessions[new].session.path
        assert host.post(f"/t/{new}/close", {}).status_code == 303
        assert new not in played.host.table_sessions
        assert path.name in host.get("/").text
        assert host.post("/saves", {"file": path.name}).status_code == 303
        assert path in {table_session.session.path for table_session in played.host.table_sessions.values()}
        # It is open already, so it cannot be resumed twice.
        assert host.post("/saves", {"file": path.name}).status_code == 422


def test_wrong_number_of_seats_is_refused(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        answer = host_browser(played).post("/tables", {"game": "nim", "kind-0": "human"})
        assert answer.status_code == 422
        assert len(played.host.table_sessions) == 1


def test_rematch_rotates_the_seats(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        host, key = host_browser(played), played.seated[0].key
        assert host.post(f"{key}/rematch", {}).status_code == 409
        played.play()
        assert host.post(f"{key}/rematch", {}).status_code == 303
        assert played.table_session.session.names == ("P1", "P0")
        assert played.seated[1].choose().status_code == 303
        assert len(list(tmp_path.glob("*.json"))) == 2


def test_any_player_starts_the_rematch_once(tmp_path: Path) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        first, second = played.seated
        watching = played.stranger()
        join(watching, played.host, played.table_session, None, "", "en")
        assert first.post(f"{first.key}/rematch", {}).status_code == 409
        played.play()
        assert "/rematch" in second.page()
        assert "/rematch" not in watching.page()
        assert watching.post(f"{first.key}/rematch", {}).status_code == 403
        assert played.stranger().post(f"{first.key}/rematch", {}).status_code == 403
        # Two requests at the same time start one new game.
        assert [player.post(f"{player.key}/rematch", {}).status_code for player in (second, first)] == [303, 409]
        assert played.table_session.session.names == ("P1", "P0")
        assert len(list(tmp_path.glob("*.json"))) == 2
        assert second.choose().status_code == 303


# ---- style and scripts ---------------------------------------------------------------------------------------------


def test_static_files_are_cached_until_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path / "saves", "nim", ["human", "human"]) as played:
        browser = played.seated[0]
        addresses = re.findall(r'(?:href|src)="(/static/[^"]*)"', browser.page())
        assert sorted(re.findall(r"/(\w+[.]\w+)[?]", " ".join(addresses))) == [
            "icon.svg", "puzzle.js", "table.css", "table.js"
        ]  # fmt: skip
        for address in addresses:
            answer = browser.get(address)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
            # Without a current version mark the file must be revalidated each time.
            plain = address.partition("?")[0]
            for unversioned in (plain, f"{plain}?v=0"):
                assert browser.get(unversioned).headers["cache-control"] == "no-cache"
                cached = browser.get(unversioned, **{"if-none-match": answer.headers["etag"]})
                assert (cached.status_code, cached.content) == (304, b"")
        after = tmp_path / "static"
        shutil.copytree(assets.FOLDER, after)
        (after / "table.js").write_text("// another one", encoding="utf-8")
        monkeypatch.setattr(assets, "FOLDER", after)
        assets.address.cache_clear()
        played.play(1)
        old, new = ({link.partition("?")[0]: link for link in every} for every in (
            addresses, re.findall(r'(?:href|src)="(/static/[^"]*)"', browser.page())
        ))  # fmt: skip
        assert [name for name in old if old[name] != new[name]] == ["/static/table.js"]
        assert browser.get(new["/static/table.js"]).text == "// another one"
        assert browser.get(old["/static/table.js"]).headers["cache-control"] == "no-cache"
    assets.address.cache_clear()


# ---- undo ----------------------------------------------------------------------------------------------------------


def undo(browser: Browser, played: Played) -> int:
    return browser.post(f"{browser.key}/undo", {"version": str(played.table_session.version)}).status_code


def test_last_decision_is_undone_at_once(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        played.seated[0].choose()
        assert undo(played.seated[0], played) == 303
        assert len(played.table_session.match.steps) == 0
        assert saved_choices(tmp_path) == []


def test_undone_decision_is_added_to_all_digests(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"], ["en", "de"]) as played:
        first, second = played.seated
        for browser in (first, second):
            browser.choose()

        def digest_lines(browser: Browser) -> list[str]:
            digest = re.search(r'<ul id="digest">(.*?)</ul>', browser.page())
            return re.findall(r"<li[^>]*>([^<]*)</li>", digest[1]) if digest else []

        before = digest_lines(first)
        assert len(before) == 1
        watching = played.stranger()
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
        assert second.post(f"{second.key}/answer", {**second.form(), "answer": "yes"}).status_code == 303
        assert [line.startswith("P0 has taken back: ") for line in digest_lines(first)] == [True]
        first.choose()
        assert not any("taken back" in line for line in digest_lines(first))
        assert "P0 hat zurückgenommen: " in digest_lines(second)[-1]
        second.choose()
        assert not any("zurückgenommen" in line for line in digest_lines(second))
        assert not any("teruggenomen" in line for line in digest_lines(watching))


def test_undo_asks_the_seat_that_decided_since(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "human"]) as played:
        first, second = played.seated
        for answer, remaining in (("no", 2), ("yes", 0)):
            while len(played.table_session.match.steps) < 2:
                played.play(1)
            assert undo(first, played) == 303
            assert len(played.table_session.match.steps) == 2
            assert first.post(f"{first.key}/answer", {**first.form(), "answer": "yes"}).status_code == 409
            assert second.post(f"{second.key}/answer", {**second.form(), "answer": answer}).status_code == 303
            assert len(played.table_session.match.steps) == remaining


def test_bots_agree_to_undo(tmp_path: Path) -> None:
    with hosted(tmp_path, "connect_four", ["human", "easy"]) as played:
        played.seated[0].choose()
        wait_until(lambda: len(played.table_session.match.steps) == 2)
        assert undo(played.seated[0], played) == 303
        assert len(played.table_session.match.steps) == 0


def test_decisions_answered_by_chance_cannot_be_undone(tmp_path: Path) -> None:
    with hosted(tmp_path, "ubongo", ["human", "human"]) as played:
        played.play(1)
        while played.table_session.match.state.clock is None:
            played.play(1)
        assert undo(played.seated[0], played) == 422


def test_answer_given_ahead_is_undone_without_asking(tmp_path: Path) -> None:
    with hosted(tmp_path, "goofspiel", ["human", "human"]) as played:
        played.seated[1].choose()
        assert list(played.table_session.pending) == [0]
        assert undo(played.seated[1], played) == 303
        assert list(played.table_session.pending) == [0, 1]


# ---- clocks --------------------------------------------------------------------------------------------------------


def play_to_a_puzzle(played: Played) -> None:
    while played.table_session.match.state.clock is None:
        played.play(1)


def test_clock_starts_with_the_page_and_runs_on_the_server(tmp_path: Path) -> None:
    clock = Time()
    with hosted(tmp_path, "ubongo", ["human", "human"], time=clock) as played:
        play_to_a_puzzle(played)
        clock.now += 100
        for browser in played.seated:
            assert re.search(r'data-left="(\d+)" data-whole="\1"', browser.page())
        clock.now += 7
        remaining, whole = map(int, re.findall(r'data-left="(\d+)" data-whole="(\d+)"', played.seated[1].page())[0])
        assert whole - remaining == 7000
        puzzle = Puzzle.of(played.table_session.pending[1].state)
        assert puzzle is not None
        rows = next(iter(puzzle.solutions)).replace("/", "\r\n")
        browser = played.seated[1]
        form = browser.form()
        assert browser.post(f"{browser.key}/move", {**form, "drawing": "AA/BB"}).status_code == 422
        assert browser.post(f"{browser.key}/move", {**form, "drawing": rows}).status_code == 303
        clock.now += 1
        played.seated[0].choose()
        times = {step.seat: step.time for step in played.table_session.match.steps[-2:]}
        assert times == {0: 8000, 1: 7000}


def test_expired_clock_gives_up(tmp_path: Path) -> None:
    clock = Time()
    with hosted(tmp_path, "ubongo", ["human", "human"], time=clock) as played:
        play_to_a_puzzle(played)
        steps = len(played.table_session.match.steps)
        for browser in played.seated:
            browser.page()
        clock.now += 3600
        wait_until(lambda: len(played.table_session.match.steps) > steps + 1)
        assert {step.text for step in played.table_session.match.steps[steps : steps + 2]} == {"give_up"}


def test_interrupted_clock_resumes_with_its_remaining_time(tmp_path: Path) -> None:
    clock = Time()
    with hosted(tmp_path, "ubongo", ["human", "human"], time=clock) as played:
        play_to_a_puzzle(played)
        for browser in played.seated:
            browser.page()
        clock.now += 9
        cookies = [dict(browser.client.cookies) for browser in played.seated]
    clock.now += 500
    with restarted(tmp_path, played.table_session.key, cookies, clock) as restored:
        remaining, whole = map(int, re.findall(r'data-left="(\d+)" data-whole="(\d+)"', restored.seated[1].page())[0])
        assert whole - remaining == 9000
