"""Elements of HTML and of SVG: values that are written with every text and every attribute escaped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from wongar_dsl.text.escapes import printable

#: Elements in which nothing stands are closed where they begin, so that a page is XML as well.
_EMPTY = frozenset({"br", "circle", "col", "hr", "line", "meta", "path", "polygon", "rect", "wbr"})
#: What is not escaped: it has no markup in it, and must not.
_RAW = frozenset({"style"})


@dataclass(frozen=True, slots=True)
class Tag:
    """An element: its name, its attributes in the order in which they are written, and what is inside."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Tag | str, ...] = ()

    def __str__(self) -> str:
        return "".join(_written(self))


def tag(name: str, /, *children: Tag | str, **attributes: str | int | None) -> Tag:
    """An element; attributes that are None are left out, `_` stands for `-`, and `class_` for `class`."""
    named = ((key.rstrip("_").replace("_", "-"), str(value)) for key, value in attributes.items() if value is not None)
    return Tag(name, tuple(named), children)


def _written(what: Tag | str) -> Iterator[str]:
    """What is made of an element, piece by piece.  Raises ValueError for a style that would end before its end."""
    if isinstance(what, str):
        yield escape(printable(what), quote=False)
        return
    yield f"<{what.name}"
    for key, value in what.attributes:
        yield f' {key}="{escape(printable(value))}"'
    if what.name in _EMPTY:
        yield "/>"
        return
    yield ">"
    for child in what.children:
        if what.name in _RAW and isinstance(child, str):
            if "<" in child:
                raise ValueError("a style has no markup")
            yield child
        else:
            yield from _written(child)
    yield f"</{what.name}>"
