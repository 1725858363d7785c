"""Listing of merged rules: nothing is lost, and each line names its source line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.language.test_manual import ALL
from wongar_dsl.base.span import Source
from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser import parse
from wongar_dsl.language.printer import format_source, merged_lines

#: Games whose listing equals their file.
EQUAL = {"kuhn_poker", "tongiaki", "wongar"}
VARIANT = """variant party of wongar
    source house rule

set players to 3 to 4

# More is better.
set cards_bonus to 12  # a dozen

set points_for[elder_alone, middle] to 9

set three_tokens in area_deck to 2

replace rule lay_down(card: ritual_card, me: player)
    if card is ritual(disc)  # discs go
        move card from rituals_held of me to set_aside quietly
    otherwise
        # All others.
        move card from rituals_held of me to discards as ritual_played(player: me, card)
"""


#: Comments in every possible place.
REMARKS = """\
# top

# more top
game c  # a game
    players 2  # two
    source house rule
    # end of head

score points

define both(p: player, n: number) = (points of p > 1  # more than one
    # and then
    and n = 2)  # two, too

# the table
table t
    # above
    1 2  # one

    # above two
    2 3
    # below

play
    for each p in player
        # first
        if both(p, 2)
            p gains t[1] points
            # deep end
        # middle end

        # before otherwise
        otherwise
            p gains t[2] points
            # otherwise end
    # end of loop
    # two lines
    end game
    # end of play

winner p
    most points of p
# the very end
"""


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    path = tmp_path_factory.mktemp("rules") / "party.rules"
    path.write_text(VARIANT, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def manual_variants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the variants of the manual that extend a shipped game."""
    folder = tmp_path_factory.mktemp("manual")
    for example in ALL:
        if example.kind.startswith("variant of "):
            name = example.text.split()[1]
            (folder / f"{name}.rules").write_text(example.text, encoding="utf-8")
    return folder


def listed_lines(rules: Rules) -> list[tuple[str, list[str]]]:
    """Return each line with its source files and line numbers."""
    lines = merged_lines(rules.model.merged, rules.sources)
    return [(line.text, [f"{Path(p.source.name).name}:{p.line}" for p in line.places]) for line in lines]


def places_of(rules: Rules, text: str) -> list[str]:
    (places,) = [places for line, places in listed_lines(rules) if line.strip() == text]
    return places


def line_number(text: str, start: str) -> int:
    return next(i for i, line in enumerate(text.split("\n"), 1) if line.strip().startswith(start))


def check_listing_parses_to_the_merged_rules(rules: Rules) -> None:
    merged = rules.model.merged
    text = "".join(line + "\n" for line, _ in listed_lines(rules))
    tree, diagnostics = parse(Source("merged", text))
    assert not diagnostics
    assert s.same((merged.head, merged.articles), (tree.head, tree.articles))
    assert format_source(Source("merged", text)).text == text


@pytest.mark.parametrize("name", [*sorted({*builtin_names()} - EQUAL), "ubongo+hard+long", "party"])
def test_listing_parses_to_the_merged_rules(name: str, party: Rules) -> None:
    check_listing_parses_to_the_merged_rules(party if name == "party" else load(name))


def test_partial_variants_are_listed_as_whole_rules(manual_variants: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {path.stem for path in manual_variants.glob("*.rules")} - {"no_draw", "seven_rows"}
    assert len(names) > 8
    monkeypatch.chdir(manual_variants)
    together = load("+".join(["wongar", *sorted(names)]))
    check_listing_parses_to_the_merged_rules(together)
    for name in ("no_draw", "seven_rows"):
        check_listing_parses_to_the_merged_rules(load(f"{name}.rules"))
    option = "draw if ritual_left() and size of rituals_held of me < 5"
    assert [Path(place).name.split(":")[0] for place in places_of(together, option)] == [
        "wongar.rules",
        "small_hands.rules",
    ]


@pytest.mark.parametrize("name", ["nim", "tongiaki", "wongar"])
def test_listed_lines_have_their_source_lines(name: str) -> None:
    rules = load(name)
    (source,) = rules.sources
    before = 0
    for line in merged_lines(rules.model.merged, rules.sources):
        if line.text:
            (place,) = line.places
            # Continuations of a broken line have the place of its beginning; redundant brackets are removed.
            written = [text.strip().replace("(", "") for text in (line.text, source.line(place.line))]
            assert place.line == before or written[0].replace(")", "") == written[1].replace(")", ""), line
            assert place.line >= before
            before = place.line


@pytest.mark.parametrize("name", sorted(EQUAL))
def test_listing_of_a_game_equals_its_file(name: str) -> None:
    rules = load(name)
    assert [line for line, _ in listed_lines(rules)] == rules.sources[0].text.rstrip("\n").split("\n")


def test_changed_parts_list_both_sources(party: Rules) -> None:
    base, variant = party.sources
    (bonus, points, three, deck), (new_bonus, new_points, new_three, players) = (
        [f"{file}:{line_number(source.text, start)}" for start in starts]
        for file, source, starts in (
            ("wongar.rules", base, ("option cards", "elder_alone", "1 three", "deck area")),
            ("party.rules", variant, ("set cards", "set points", "set three", "set players")),
        )
    )
    assert places_of(party, "option cards_bonus = 12 in 0 to 100") == [bonus, new_bonus]
    assert places_of(party, "elder_alone       3      9      6") == [points, new_points]
    assert places_of(party, "2 three_tokens") == [three, new_three]
    assert {deck, new_three} <= {*places_of(party, "deck area_deck of area_card total 16")}
    assert places_of(party, "players 3 to 4") == [players]


def test_replaced_rules_keep_the_comments_of_the_variant(party: Rules) -> None:
    variant = party.sources[1]
    for start, text in (
        ("replace rule lay_down", "rule lay_down(card: ritual_card, me: player)"),
        ("if card is", "if card is ritual(disc)  # discs go"),
        ("otherwise", "otherwise"),
        ("# All others.", "# All others."),
    ):
        number = line_number(variant.text, start)
        assert f"party.rules:{number}" in [
            place for line, places in listed_lines(party) if line.strip() == text for place in places
        ]


def test_comments_are_listed_in_their_blocks(tmp_path: Path) -> None:
    (tmp_path / "c.rules").write_text(REMARKS, encoding="utf-8")
    lines = [line for line, _ in listed_lines(load(tmp_path / "c.rules"))]
    assert sorted(re.findall("#.*", "\n".join(lines))) == sorted(re.findall("#.*", REMARKS))
    comment_lines = [line for line in REMARKS.splitlines() if line.lstrip().startswith("#") and "and then" not in line]
    assert [line for line in lines if line.lstrip().startswith("#")][2:3] == ["    # end of head"]
    assert set(comment_lines) <= set(lines)
    # A comment inside of a line with brackets moves above the line.
    assert lines[lines.index("# and then") - 1 :][:3] == ["# more than one", "# and then", "# two, too"]


def test_comments_at_the_end_of_insertions_are_listed(tmp_path: Path) -> None:
    text = "variant v of nim\n    source house rule\n\nbefore setup\n    for each h in stack\n        nothing\n"
    (tmp_path / "v.rules").write_text(text + "        # for now\n    # all heaps\n", encoding="utf-8")
    lines = [line for line, _ in listed_lines(load(tmp_path / "v.rules"))]
    index = lines.index("        # for now")
    assert lines[index - 2 : index + 2] == [
        "    for each h in stack",
        "        nothing",
        "        # for now",
        "    # all heaps",
    ]
