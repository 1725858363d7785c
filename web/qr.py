"""The code of an address, for phones to scan: as a picture of a page, and in the characters of a terminal."""

from __future__ import annotations

from wongar_dsl.text.markup import Tag, tag

#: So many squares are left free around it.
QUIET = 3


def matrix(text: str) -> list[list[bool]]:
    """The squares of the code of a text, row by row, with the free ones around it; dark ones are true.

    Raises ImportError where the library is missing.
    """
    import segno

    rows = segno.make(text, error="m", micro=False).matrix
    width = len(rows[0]) + 2 * QUIET
    free = [[False] * width for _ in range(QUIET)]
    return [*free, *([False] * QUIET + [bool(one) for one in row] + [False] * QUIET for row in rows), *free]


def picture(text: str) -> Tag:
    """The code as a picture."""
    rows = matrix(text)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, one in enumerate(row) if one)
    size = len(rows)
    return tag(
        "svg",
        tag("rect", width=size, height=size, fill="#fff"),
        tag("path", d=dark, fill="#000"),
        viewBox=f"0 0 {size} {size}",
        class_="code",
        role="img",
        aria_label=text,
        shape_rendering="crispEdges",
    )


def in_blocks(text: str) -> list[str]:
    """The code in half blocks, light ones filled: as it has to be on a dark ground."""
    rows = matrix(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return [
        "".join(signs[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
