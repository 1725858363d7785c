"""What is loaded late: names of packages, and parts of values."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import dataclass, replace

import pytest

from wongar_dsl import ir, library
from wongar_dsl import syntax as s
from wongar_dsl.late.names import names_of
from wongar_dsl.late.parts import InParts


@dataclass(frozen=True, slots=True)
class Book(InParts):
    """Something of which the title is wanted more often than the rest."""

    LATER = frozenset({"chapters", "index"})

    title: str
    chapters: tuple[list[str], ...]
    index: dict[str, list[str]]


@pytest.fixture
def book() -> Book:
    chapter = ["once", "upon"]
    return Book("tales", (chapter, ["end"]), {"first": chapter})


def test_the_rest_is_read_when_it_is_asked_for_and_once(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = pickle.loads(pickle.dumps(book))
    reads: list[int] = []
    loads = pickle.loads
    monkeypatch.setattr(pickle, "loads", lambda data: reads.append(len(data)) or loads(data))
    assert kept.title == "tales"
    assert reads == []
    assert kept.chapters == book.chapters
    assert kept.index == book.index
    assert len(reads) == 1


def test_what_was_one_object_stays_one(book: Book) -> None:
    kept = pickle.loads(pickle.dumps(book))
    assert kept.index["first"] is kept.chapters[0]


@pytest.mark.parametrize("read", [False, True])
def test_what_was_kept_is_a_value_like_any_other(book: Book, read: bool) -> None:
    kept = pickle.loads(pickle.dumps(book))
    assert not read or kept.chapters
    assert pickle.loads(pickle.dumps(kept)) == book
    assert copy.copy(kept) == book
    assert replace(kept, title="other").chapters == book.chapters
    assert repr(kept) == repr(book)
    assert kept == book


def test_what_is_no_field_is_none_before_and_after_reading(book: Book) -> None:
    kept = pickle.loads(pickle.dumps(book))
    for _ in range(2):
        with pytest.raises(AttributeError):
            _ = kept.pages
        assert kept.chapters


def test_the_nodes_of_a_game_are_those_of_its_tables() -> None:
    model = library.load("nim").model
    kept = pickle.loads(pickle.dumps(model))
    assert kept.scope == "nim"
    nodes = {node for article in kept.code.articles for node in s.walk(article)}
    assert set(kept.decision_names) <= nodes
    assert {node for article in kept.merged.articles for node in s.walk(article)} >= nodes


def test_names_of_a_package_are_those_of_its_modules() -> None:
    from wongar_dsl.ir import code

    assert ir.Const is code.Const
    assert vars(ir)["Const"] is code.Const
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = ir.nothing_like_it
    named = names_of("wongar_dsl.ir", {".program": "END=OVER", ".events": "EVENTS"})
    assert named("END") == ir.OVER
    assert named("EVENTS") is ir.EVENTS
    with pytest.raises(AttributeError):
        named("BUDGET")


@pytest.mark.parametrize(("package", "module"), [("syntax", "syntax.articles"), ("ir", "ir.code")])
def test_a_package_does_not_load_what_nobody_asked_for(package: str, module: str) -> None:
    program = f"import sys; from wongar_dsl import {package}; sys.exit('wongar_dsl.{module}' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
