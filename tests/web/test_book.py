"""The rulebook at the browser table: for the rules, the options and the players of a table, without limitless work."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.small_games import TAKING, TAKING_CASES
from tests.web.hosting import Played, Tables, new_host, program
from tests.web.test_pages import valid_page
from wongar_dsl.engine.library import load
from wongar_dsl.web import host as hosts
from wongar_dsl.web import render_worker
from wongar_dsl.web.host import TooManyError
from wongar_dsl.web.render_worker import BookRequest, read_book

WORTH = "game worth_a_try\n    players 2 to 3\n    source house rule\n" + TAKING


def test_book_is_in_the_language_of_the_guest_with_examples_and_a_picture(tables: Tables) -> None:
    played = tables.open("wongar", ["human"] * 3, ("de", "it"))
    for browser, language, example in zip(played.seated, ("de", "it"), ("Beispiel: ", "Esempio: "), strict=False):
        page = browser.page("/rules")
        parsed = valid_page(page)
        assert f'<html lang="{language}"' in page
        assert f'<div class="example"><p><strong>{example}' in page
        assert re.search('<figure class="position">.*3', page)
        assert f'href="{browser.key}"' in page
        assert {"setup", "rule.ceremony", "effect.ancestor_card"} <= {*parsed.ids}
    assert played.steps == 0


def test_book_has_the_values_of_the_table_and_only_examples_that_hold_there(tmp_path: Path) -> None:
    file = tmp_path / "worth_a_try.rules"
    file.write_text(WORTH, encoding="utf-8")
    (tmp_path / "worth_a_try.cases.yaml").write_text(TAKING_CASES, encoding="utf-8")
    usual, other = (
        read_book(program(), BookRequest(str(file), load(file).hash, (("worth", worth),), 2, "en"))[1]
        for worth in (2, 5)
    )
    assert "Anna gains 2 points." in usual
    assert "Anna gains" not in other
    assert re.search(r"<td[^>]*>5</td>", other)


def test_games_in_the_lobby_have_a_book_for_the_host_only(nim: Played) -> None:
    host = nim.host_browser()
    (path,) = (path for path in re.findall(r'href="(/rules[^"]*)"', host.get("/").text) if path.endswith("=wongar"))
    valid_page(host.get("/rules?game=nim").text)
    assert host.get("/rules?game=../nim").status_code == 404
    assert nim.decider.get(path).status_code == 403


def test_books_are_written_once_at_a_time_and_kept_in_a_bounded_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "MAX_WAITING_BOOKS", 3)
    monkeypatch.setattr(render_worker, "MAX_CACHED_GAMES", 2)
    monkeypatch.setattr(render_worker, "_cache", render_worker._WorkerCache())
    begun = list[BookRequest]()
    monkeypatch.setattr(render_worker, "teaching_book", lambda *given: begun.append(given) or 1 // 0)
    rules_hash = load("nim").hash

    async def ask() -> list[object]:
        host = new_host(tmp_path)
        requests = [BookRequest("nim", rules_hash, None, None, code) for code in ("en", "de", "en", "nl", "it", "it")]
        answers = await asyncio.gather(*map(host.book, requests), return_exceptions=True)
        assert not host._books
        await host.shutdown()
        return list(answers)

    answers = asyncio.run(ask())
    assert [type(answer) for answer in answers] == [ZeroDivisionError] * 4 + [TooManyError] * 2
    assert len(begun) == 3
    monkeypatch.undo()
    monkeypatch.setattr(render_worker, "MAX_CACHED_GAMES", 2)
    for code in ("en", "de", "nl", "it"):
        read_book(program(), BookRequest("nim", rules_hash, None, None, code))
    assert len(render_worker._cache.books) == 2
