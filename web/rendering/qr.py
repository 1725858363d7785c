"""QR code of an address, as SVG for pages and as block characters for terminals."""

from __future__ import annotations

from wongar_dsl.base.text.markup import Tag, tag

#: Width of the quiet zone in modules.
QUIET = 3


def matrix(text: str) -> list[list[bool]]:
    """Return the modules of a text's QR code by row, with the quiet zone; dark ones are True.

    Raises ImportError if the library is missing.
    """
    import segno

    rows = segno.make(text, error="m", micro=False).matrix
    width = len(rows[0]) + 2 * QUIET
    free = [[False] * width for _ in range(QUIET)]
    return [*free, *([False] * QUIET + [bool(dark) for dark in row] + [False] * QUIET for row in rows), *free]


def picture(text: str) -> Tag:
    """Return the QR code as SVG."""
    rows = matrix(text)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
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
    """Return the QR code in half blocks, with light modules filled, for a dark background."""
    rows = matrix(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return [
        "".join(signs[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
