"""`docs/rulebook-comparison.md` names for each printed sentence the rule that states it and the section that says it.

Line numbers and headings follow from the named declarations, statements and section keys, so `--rewrite-goldens` writes
them anew.  A row whose declaration, statement or section is gone has to be read again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from wongar_dsl.engine import library
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import BookTable, CountList, Prose, Section
from wongar_dsl.nlg.prose.document.teaching import teaching_rulebook
from wongar_dsl.nlg.prose.micro.sentence_plan import Plan
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Translator

from .test_pages import ROOT, rulings

PAGE = ROOT / "docs" / "rulebook-comparison.md"
RULE_FILES = sorted((ROOT / "rules").rglob("*.rules"))
#: Number of printed sentences about each game.
SENTENCES = {"wongar": 83, "wongar/initiated": 14, "tongiaki": 55, "ubongo": 39}
#: Rows without a rule: an example, no change for two players, an advertisement.
WITHOUT_RULE = {("wongar", "83"), ("tongiaki", "45"), ("ubongo", "39")}
#: Rows of which the teaching book says nothing, as the page states.
UNTAUGHT = {*WITHOUT_RULE, ("ubongo", "32")}
#: Key of the lines above the first section, and the declaration that they describe.
TITLE, TITLED = "title", "game"

#: Sorts of declarations of which a game has one.
SINGLE = ("game", "setup", "play", "winner")
DECLARATION = re.compile(r"(?:replace )?(\w+)(?: (\w+))?.*")
HEADING = re.compile(r"## .* \(`(.+)`\)")
#: A declaration with its line in a rule file, and the start of one of its statements.
REFERENCE = re.compile(r"`([\w.]+)` \[(\d+)\]\((.+)#L\2\)(?: `(.+?)(?:…)?`)?")
SECTION = re.compile(r"`([\w.]+)` (.+)")
RULING = re.compile(r"(?:ruling|reconstruction)s? ([A-Z]\d+(?:, [A-Z]\d+)*)")
VERDICT = re.compile(r"as printed|not covered: .|differs D\d+$|rulings? [A-Z]\d|reconstruction [A-Z]\d")


class Place(NamedTuple):
    """A declaration of a rule file."""

    path: Path
    name: str


@dataclass(frozen=True)
class Row:
    """A printed sentence: its game and number, and the other cells of its row."""

    game: str
    number: str
    rules: str
    cases: str
    verdict: str
    sections: str

    @property
    def places(self) -> set[Place]:
        """The declarations that state the sentence."""
        return {Place(resolved(path), name) for name, _, path, _ in REFERENCE.findall(self.rules)}

    @property
    def keys(self) -> list[str]:
        """The keys of the sections that say it."""
        return [] if self.sections == "–" else [cell_match(SECTION, cell)[1] for cell in self.sections.split("<br>")]

    @property
    def rulings(self) -> set[str]:
        """The rulings and reconstructions that the verdict names."""
        return {name for names in RULING.findall(self.verdict) for name in names.split(", ")}


def cell_match(pattern: re.Pattern[str], cell: str) -> re.Match[str]:
    match = pattern.fullmatch(cell)
    assert match is not None, cell
    return match


def resolved(path: str) -> Path:
    """Return the file to which a link of the page leads."""
    return (PAGE.parent / path).resolve()


def rows_of(page: str) -> Iterator[Row]:
    """Yield the rows of the tables of printed sentences."""
    game = ""
    for line in page.splitlines():
        if line.startswith("## "):
            heading = HEADING.fullmatch(line)
            game = heading[1] if heading is not None else ""
        elif game and re.match(r"\| \d+ \|", line):
            number, *_, rules, cases, verdict, sections = (cell.strip() for cell in line.strip("|").split("|"))
            yield Row(game, number, rules, cases, verdict, sections)


@cache
def rows() -> tuple[Row, ...]:
    return tuple(rows_of(PAGE.read_text(encoding="utf-8")))


@cache
def declarations(path: Path) -> dict[str, range]:
    """Return the lines of the declarations of a rule file by sort and name: `rule.scoring`, `setup`."""
    ranges: dict[str, range] = {}
    name = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line[:1].isalpha():
            sort, own = cell_match(DECLARATION, line).groups()
            name = sort if sort in SINGLE else f"{sort}.{own}"
            assert name not in ranges or sort == "remove", f"{path}:{number}"
            ranges[name] = range(number, number + 1)
        elif line[:1] == "#":
            name = ""
        elif name and line.strip():
            ranges[name] = range(ranges[name].start, number + 1)
    return ranges


def line_of(place: Place, statement: str) -> int:
    """Return the line of a declaration, or of the first of its statements that starts so."""
    within = declarations(place.path).get(place.name)
    assert within is not None, f"{place.path.name} has no {place.name}: read its rows again"
    if not statement:
        return within.start
    lines = place.path.read_text(encoding="utf-8").splitlines()
    line = next((n for n in within if " ".join(lines[n - 1].split()).startswith(statement)), None)
    assert line is not None, f"{place.name} in {place.path.name} does not state {statement!r}: read its rows again"
    return line


@dataclass(frozen=True)
class Taught:
    """A section of a teaching book: its English heading, and the declarations that its blocks are about."""

    heading: str
    places: frozenset[Place]


@cache
def teaching_book(game: str) -> dict[str, Taught]:
    """Return the sections of the teaching book of a game by their keys."""
    words = Translator.load("en")
    book = teaching_rulebook(library.load(game).model, words)
    realised = RealisedRulebook(book, words, game)
    head = frozenset(Place(path, TITLED) for path in RULE_FILES)
    return {
        TITLE: Taught(realised.title_line, head),
        **{x.key: Taught(realised.heading(x.heading), frozenset(places_in(x))) for _, x in book.walk()},
    }


def nodes_of(section: Section) -> Iterator[s.Node]:
    """Yield the nodes of the rules that the blocks of a section describe."""
    for block in section.blocks:
        if isinstance(block, Prose):
            yield block.article
            yield from (node for plan in block.plans for node in origins_of(plan))
        else:
            yield block.origin
            if isinstance(block, CountList):
                yield from (item.origin for item in block.items)
            elif isinstance(block, BookTable):
                yield from (row.origin for row in block.rows)


def origins_of(plan: Plan) -> Iterator[s.Node]:
    """Yield the nodes that a plan verbalises."""
    yield plan.origin
    yield from getattr(plan, "others", ())
    for part in getattr(plan, "parts", ()):
        yield from origins_of(part)


def places_in(section: Section) -> Iterator[Place]:
    for node in nodes_of(section):
        span = node.span
        path = next(path for path in RULE_FILES if span.source.name.endswith(f"{path.parent.name}/{path.name}"))
        yield from (Place(path, name) for name, lines in declarations(path).items() if span.line in lines)


def up_to_date(page: str) -> str:
    """Return the page with the lines of the statements and the headings of the sections as they are now."""
    game = ""

    def reference(match: re.Match[str]) -> str:
        name, _, path, statement = match.groups()
        line = line_of(Place(resolved(path), name), statement or "")
        return f"`{name}` [{line}]({path}#L{line}){match[0][match[0].index(')') + 1 :]}"

    def section(match: re.Match[str]) -> str:
        taught = teaching_book(game).get(match[1])
        assert taught is not None, f"the teaching book of {game} has no section {match[1]}"
        return f"`{match[1]}` {taught.heading}"

    lines = []
    for line in page.splitlines():
        if line.startswith("## "):
            heading = HEADING.fullmatch(line)
            game = heading[1] if heading is not None else ""
        elif game and re.match(r"\| \d+ \|", line):
            start, sections = line.rstrip("| ").rsplit(" | ", 1)
            cells = (SECTION.sub(section, cell) for cell in sections.split("<br>"))
            line = f"{REFERENCE.sub(reference, start)} | {'<br>'.join(cells)} |"
        lines.append(f"{line}\n")
    return "".join(lines)


def test_lines_and_headings_are_true(rewrite_goldens: bool) -> None:
    page = PAGE.read_text(encoding="utf-8")
    if rewrite_goldens:
        PAGE.write_text(page := up_to_date(page), encoding="utf-8")
        rows.cache_clear()
    assert page.splitlines() == up_to_date(page).splitlines(), "`--rewrite-goldens` writes lines and headings"


def test_every_printed_sentence_is_listed_with_its_rule() -> None:
    assert Counter(row.game for row in rows()) == SENTENCES
    assert len({(row.game, row.number) for row in rows()}) == len(rows())
    assert {(row.game, row.number) for row in rows() if row.rules == "–"} == WITHOUT_RULE
    assert {(row.game, row.number) for row in rows() if not row.keys} == UNTAUGHT
    for row in rows():
        for cell in () if row.rules == "–" else row.rules.split("<br>"):
            cell_match(REFERENCE, cell)


def test_statements_are_in_the_rules_of_the_game() -> None:
    for row in rows():
        folder = ROOT / "rules" / row.game.split("/")[0]
        assert {place.path.parent for place in row.places} <= {folder}, row.number


def test_sections_are_about_the_named_rules() -> None:
    unfounded = [
        f"{row.game} {row.number} {key}"
        for row in rows()
        for key in row.keys
        if row.places.isdisjoint(teaching_book(row.game)[key].places)
    ]
    assert unfounded == []


def test_every_difference_is_explained() -> None:
    explained = re.findall(r"^\| (D\d+) \| `(.+)` (\d+) \| .+ \|$", PAGE.read_text(encoding="utf-8"), re.M)
    named = [(row.verdict.split()[1], row.game, row.number) for row in rows() if row.verdict.startswith("differs")]
    assert sorted(explained) == sorted(named)


def rulings_of(game: str) -> dict[str, set[str]]:
    """Return the rulings of a game and its variants, with the declarations that are marked for them."""
    merged: dict[str, set[str]] = {}
    for file, answers in rulings().items():
        if file.startswith(f"{game.split('/')[0]}/"):
            for name, articles in answers.items():
                merged.setdefault(name, set()).update(article.replace(" ", ".") for article in articles)
    return merged


def test_verdicts_name_rulings_about_the_named_rules() -> None:
    for row in rows():
        assert VERDICT.match(row.verdict), row
        for name in row.rulings:
            marked = rulings_of(row.game)[name]
            assert not marked or marked & {place.name for place in row.places}, f"{row.game} {row.number}: {name}"


def test_every_ruling_is_in_a_verdict() -> None:
    for game in SENTENCES:
        named = {name for row in rows() if row.game.split("/")[0] == game.split("/")[0] for name in row.rulings}
        assert named == set(rulings_of(game))


def test_named_cases_are_played() -> None:
    for game in {row.game.split("/")[0] for row in rows()}:
        played = {case.name for path in (ROOT / "rules" / game).glob("*.cases.yaml") for case in read(path).cases}
        named = {name for row in rows() if row.game.split("/")[0] == game for name in row.cases.split("<br>")}
        assert named - played == {"–"}
