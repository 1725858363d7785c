"""Lazy loading: names of packages, and parts of pickled values."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, replace

import pytest

from wongar_dsl.base.lazy import lazy_getattr
from wongar_dsl.base.storage.cache import SplitPickle
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir import containers
from wongar_dsl.engine import library
from wongar_dsl.language import ast as s


@dataclass(frozen=True, slots=True)
class Book(SplitPickle):
    """Value whose title is needed more often than the rest."""

    DEFERRED_FIELDS = frozenset({"chapters", "index"})

    title: str
    chapters: tuple[list[str], ...]
    index: dict[str, list[str]]


@pytest.fixture
def book() -> Book:
    chapter = ["once", "upon"]
    return Book("tales", (chapter, ["end"]), {"first": chapter})


def test_lazy_part_is_unpickled_once_on_first_access(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    restored = pickle.loads(pickle.dumps(book))
    reads: list[int] = []
    loads = pickle.loads
    monkeypatch.setattr(pickle, "loads", lambda data: reads.append(len(data)) or loads(data))
    assert restored.title == "tales"
    assert reads == []
    assert restored.chapters == book.chapters
    assert restored.index == book.index
    assert len(reads) == 1


def test_shared_objects_stay_shared(book: Book) -> None:
    restored = pickle.loads(pickle.dumps(book))
    assert restored.index["first"] is restored.chapters[0]


@pytest.mark.parametrize("read", [False, True])
def test_restored_value_behaves_like_the_original(book: Book, read: bool) -> None:
    restored = pickle.loads(pickle.dumps(book))
    assert not read or restored.chapters
    assert pickle.loads(pickle.dumps(restored)) == book
    assert copy.copy(restored) == book
    assert replace(restored, title="other").chapters == book.chapters
    assert repr(restored) == repr(book)
    assert restored == book


def test_unknown_attribute_raises_before_and_after_loading(book: Book) -> None:
    restored = pickle.loads(pickle.dumps(book))
    for _ in range(2):
        with pytest.raises(AttributeError):
            _ = restored.pages
        assert restored.chapters


def test_restored_model_shares_its_nodes() -> None:
    model = library.load("nim").model
    restored = pickle.loads(pickle.dumps(model))
    assert restored.scope == "nim"
    nodes = {node for article in restored.code.articles for node in s.walk(article)}
    assert set(restored.decision_names) <= nodes
    assert {node for article in restored.merged.articles for node in s.walk(article)} >= nodes


def test_lazy_names_are_those_of_the_modules() -> None:
    from wongar_dsl.compiler.ir import instructions

    assert ir.Const is instructions.Const
    assert vars(ir)["Const"] is instructions.Const
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = ir.nothing_like_it
    named = lazy_getattr("wongar_dsl.compiler.ir", {".program": "END=OVER", ".containers": "LAYOUT"})
    assert named("END") == ir.OVER
    assert named("LAYOUT") is containers.LAYOUT
    with pytest.raises(AttributeError):
        named("BUDGET")
