"""Elements of HTML and of SVG: values that are written with every text and every attribute escaped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape

from wongar_dsl.text.escapes import printable

#: Elements in which nothing stands are closed where they begin, so that a page is XML as well.
_EMPTY = frozenset({"br", "circle", "col", "hr", "line", "meta", "path", "polygon", "rect", "wbr"})
#: What is not escaped: it has no markup in it, and must not.
_RAW = frozenset({"style"})
#: Number of values of attributes that are kept as they are written, and the length up to which they are: pictures have
#: the same short ones again and again.
KEPT, SHORT = 20_000, 60


@dataclass(frozen=True, slots=True)
class Tag:
    """An element: its name, its attributes in the order in which they are written, and what is inside."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Tag | str, ...] = ()

    def __str__(self) -> str:
        out: list[str] = []
        _write(self, out)
        return "".join(out)


@dataclass(frozen=True, slots=True)
class Written(Tag):
    """Elements that have been written already, to stand in several others."""

    text: str = ""

    @classmethod
    def of(cls, *elements: Tag) -> Written:
        """Write elements, one after the other."""
        return cls("", text="".join(map(str, elements)))


def tag(name: str, /, *children: Tag | str, **attributes: str | int | None) -> Tag:
    """An element; attributes that are None are left out, `_` stands for `-`, and `class_` for `class`."""
    named = [(_named(key), str(value)) for key, value in attributes.items() if value is not None]
    return Tag(name, tuple(named), children)


@cache
def _named(key: str) -> str:
    """An attribute by the name that it has in code."""
    return key.rstrip("_").replace("_", "-")


def _quoted(value: str) -> str:
    """Return what stands between the quotation marks of an attribute."""
    return _short(value) if len(value) <= SHORT else escape(printable(value))


@lru_cache(KEPT)
def _short(value: str) -> str:
    return escape(printable(value))


def _write(what: Tag, out: list[str]) -> None:
    """Write an element, piece by piece.  Raises ValueError for a style that would end before its end."""
    if isinstance(what, Written):
        out.append(what.text)
        return
    out.append(f"<{what.name}")
    out += [f' {key}="{_quoted(value)}"' for key, value in what.attributes]
    if what.name in _EMPTY:
        out.append("/>")
        return
    out.append(">")
    raw = what.name in _RAW
    for child in what.children:
        if isinstance(child, Tag):
            _write(child, out)
        elif raw:
            if "<" in child:
                raise ValueError("a style has no markup")
            out.append(child)
        else:
            out.append(escape(printable(child), quote=False))
    out.append(f"</{what.name}>")
