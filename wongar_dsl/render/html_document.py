"""HTML document frame and style sheet: language, light and dark colours, print layout, no external resources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg.svg import PAPER, WASH, WASHES

#: Colours of a page by purpose; the colours of pictures come from `render.component_svg.svg`.
DAY: Mapping[str, str] = {
    "paper": PAPER,
    "ink": "#1c1c1c",
    "faint": "#545454",
    "rule": "#8a8a8a",
    "link": "#0b4a86",
    "wash": WASH,
    **{f"wash-{number}": colour for number, colour in enumerate(WASHES)},
}
NIGHT: Mapping[str, str] = {
    "paper": "#17181a",
    "ink": "#ececec",
    "faint": "#b4b4b4",
    "rule": "#7d7d7d",
    "link": "#9cc9ff",
    "wash": "#34322c",
    "wash-0": "#1f3d5c",
    "wash-1": "#573f14",
    "wash-2": "#22472a",
    "wash-3": "#5a2930",
    "wash-4": "#3c2f58",
    "wash-5": "#1c4a48",
}
#: Sheet of cards in tenths of a millimetre: A4 without margins, and the space for crop marks.
SHEET_WIDTH, SHEET_HEIGHT, CROP = 1960, 2870, 35


#: Style of the pages, of their text and of the summary sheet, which has to fit on one page, by size of the paper.
PAPERS = {
    "a4": """
@page { size: A4; margin: 18mm 16mm; }
@media print { html { font-size: 10.5pt; --summary: 0.82rem; } }""",
    "a5": """
@page { size: A5; margin: 12mm 11mm 14mm; }
@page summary { margin: 8mm 8mm 12mm; }
@media print { html { font-size: 8.5pt; --summary: 0.74rem; } }""",
}


def stylesheet(
    day: Mapping[str, str] = DAY, night: Mapping[str, str] = NIGHT, more: str = "", paper: str = "a4"
) -> str:
    """Return the complete style sheet of a page for `paper`, without external resources; `more` is appended."""
    fills = "".join(f".{name} {{ fill: var(--{name}); }}\n" for name in DAY if name in ("paper", "wash") or "-" in name)
    return f"""
:root {{ color-scheme: light dark; {_colours(day)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_colours(night)} }} }}
@media print {{ :root {{ color-scheme: light; {_colours(day)} }} }}
{fills}{_PAGE}{PAPERS[paper]}{_PRINT}{more}"""


def forced_colours(day: Mapping[str, str] = DAY, night: Mapping[str, str] = NIGHT) -> str:
    """Return the style of a root with the class `scheme-light` or `scheme-dark`, which is printed in light colours."""
    return f"""@media screen {{
  :root.scheme-light {{ color-scheme: light; {_colours(day)} }}
  :root.scheme-dark {{ color-scheme: dark; {_colours(night)} }}
}}
"""


def _colours(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


_PAGE = """
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 Georgia, "Times New Roman", serif; }
body { margin: 0 auto; padding: 1rem clamp(0.75rem, 4vw, 2rem) 4rem; max-width: 52rem; }
h1, h2, h3, h4, h5, h6, caption, th, figcaption, nav { font-family: Arial, Helvetica, sans-serif; line-height: 1.25; }
h1, h2, h3, h4, h5, h6 { margin: 1.6em 0 0.5em; text-wrap: balance; overflow-wrap: break-word; }
h1 { font-size: 2rem; margin-top: 0.5em; }
h2 { font-size: 1.45rem; border-bottom: 2px solid var(--rule); padding-bottom: 0.15em; }
h3 { font-size: 1.2rem; }
h4, h5, h6 { font-size: 1.05rem; }
p, li { hyphens: auto; overflow-wrap: break-word; }
p { margin: 0.4em 0; }
ul, ol { margin: 0.3em 0; padding-inline-start: 1.5em; }
ul ul { padding-inline-start: 1.1em; }
a { color: var(--link); }
a:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: 0.5rem; top: -4rem; background: var(--paper); padding: 0.5rem 1rem; }
.skip:focus { top: 0.5rem; }
.players, .unsaid, .mark { color: var(--faint); }
nav ol { list-style: none; padding-inline-start: 1.2em; }
nav > ol { padding-inline-start: 0; }
sup { font-size: 0.75em; line-height: 0; }
.wide { overflow-x: auto; margin: 0.8em 0; }
table { border-collapse: collapse; font-size: 0.95rem; min-width: min(18rem, 100%); }
caption { text-align: start; font-weight: bold; padding: 0.3em 0; }
th, td { border: 1px solid var(--rule); padding: 0.25em 0.6em; text-align: start; vertical-align: top; }
thead th { background: var(--wash); }
td.number { text-align: end; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
ul.counts { list-style: none; padding-inline-start: 0; }
ul.many { columns: 12rem; }
ul.counts .count { display: inline-block; min-width: 2.2em; text-align: end; margin-inline-end: 0.6em; }
svg { max-width: 100%; height: auto; }
.gallery { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; margin: 0.8em 0; }
figure { margin: 0; max-width: 100%; }
figcaption { font-size: 0.85rem; color: var(--faint); }
.small svg { width: 9rem; }
.single { float: inline-end; margin: 0.2em 0 0.6em 1.2em; }
section::after { content: ""; display: block; clear: both; }
.sheet { position: relative; line-height: 0; margin: 1rem auto; }
.sheet > svg { display: inline-block; vertical-align: top; max-width: none; }
.sheet > .crop { position: absolute; top: 0; left: 0; }
.sheets { overflow-x: auto; margin-inline: calc(50% - min(50vw, 24rem)); }
"""

_PRINT = f"""
@page {{ @bottom-center {{ content: counter(page); }} }}
@page cut {{ size: A4; margin: {(2970 - SHEET_HEIGHT) // 20}mm {(2100 - SHEET_WIDTH) // 20}mm;
  @bottom-center {{ content: none; }} }}
@media print {{
  body {{ max-width: none; padding: 0; }}
  .sheet-tables, .sheets {{ break-after: page; }}
  nav a::after {{ content: leader(" .") " " target-counter(attr(href url), page); }}
  .sheet-tables, .sheets {{ break-before: page; }}
  .skip, .back, .screen {{ display: none; }}
  a {{ color: inherit; text-decoration: none; }}
  h1, h2, h3, h4, h5, h6, caption {{ break-after: avoid; }}
  tr, figure, li:not(:has(ul)) {{ break-inside: avoid; }}
  p {{ orphans: 2; widows: 2; }}
  thead {{ display: table-header-group; }}
  .wide, .sheets {{ overflow: visible; }}
  table {{ font-size: 8.5pt; }}
  .small svg {{ width: 30mm; }}
  .gallery:not(.small) {{ display: block; }}
  .single, .single svg {{ width: 26mm; break-inside: avoid; }}
  .sheets {{ page: cut; margin: 0; }}
  .sheets h2, .sheets h3, .sheets p {{ font: 7.5pt/1.2 Arial, sans-serif; margin: 0; border: 0; padding: 0; }}
  .sheet {{ break-inside: avoid; break-after: page; margin: 0 auto; }}
  .sheet:last-child {{ break-after: auto; }}
}}
"""


def document(words: Translator, title: str, style: str, body: Iterable[Tag]) -> str:
    """Return an HTML page in the language of `words`; `style` is its complete style sheet."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", title),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("style", style),
    )
    direction = "rtl" if words.lexicon.right_to_left else "ltr"
    return "<!DOCTYPE html>\n" + str(tag("html", head, tag("body", *body), lang=words.language, dir=direction)) + "\n"
