"""HTML and SVG elements as immutable values; text and attributes are escaped when they are written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape

from wongar_dsl.base.terminal_text import escape_text

#: Void elements.  They are written self-closing, so that a page is valid XML too.
_VOID = frozenset({"br", "circle", "col", "hr", "line", "meta", "path", "polygon", "rect", "wbr"})
#: Elements whose content is not escaped; it must not contain markup.
_RAW = frozenset({"style"})
#: Number of cached attribute values, and the maximum length of a cached value.  Pictures repeat the same short values.
MAX_CACHED_VALUES, MAX_CACHED_LENGTH = 20_000, 60


@dataclass(frozen=True, slots=True)
class Tag:
    """Element: name, attributes in output order, and children."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Tag | str, ...] = ()

    def __str__(self) -> str:
        out: list[str] = []
        _write(self, out)
        return "".join(out)


@dataclass(frozen=True, slots=True)
class RawMarkup(Tag):
    """Pre-rendered elements that are inserted in several places."""

    text: str = ""

    @classmethod
    def of(cls, *elements: Tag) -> RawMarkup:
        """Render a sequence of elements."""
        return cls("", text="".join(map(str, elements)))


def tag(name: str, /, *children: Tag | str, **attributes: str | int | None) -> Tag:
    """Return an element.

    Attributes that are None are omitted.  In attribute names `_` becomes `-` and `class_` becomes `class`.
    """
    pairs = [(_attribute_name(key), str(value)) for key, value in attributes.items() if value is not None]
    return Tag(name, tuple(pairs), children)


@cache
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _attribute_value(value: str) -> str:
    return _cached_value(value) if len(value) <= MAX_CACHED_LENGTH else escape(escape_text(value))


@lru_cache(MAX_CACHED_VALUES)
def _cached_value(value: str) -> str:
    return escape(escape_text(value))


def _write(element: Tag, out: list[str]) -> None:
    """Append the parts of a rendered element to `out`.  Raises ValueError for a style with markup in it."""
    if isinstance(element, RawMarkup):
        out.append(element.text)
        return
    out.append(f"<{element.name}")
    out += [f' {key}="{_attribute_value(value)}"' for key, value in element.attributes]
    if element.name in _VOID:
        out.append("/>")
        return
    out.append(">")
    raw = element.name in _RAW
    for child in element.children:
        if isinstance(child, Tag):
            _write(child, out)
        elif raw:
            if "<" in child:
                raise ValueError("a style has no markup")
            out.append(child)
        else:
            out.append(escape(escape_text(child), quote=False))
    out.append(f"</{element.name}>")
