"""`wongar rulebook` as somebody who wants to learn a game uses it, and its style for reference."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.command import START, Command
from wongar_dsl.render.position_svg import flat_rules


def test_book_begins_with_subject_and_aim_and_ends_with_summary_and_index(wongar: Command) -> None:
    out = wongar("rulebook", "wongar", "--lang", "en").out
    headings = re.findall(r"^(.+)\n=+$", out, re.MULTILINE)
    assert headings == [
        "Wongar", "About the game", "Aim of the game", "Components", "Set-up", "Who may see what",
        "The game at a glance", "Course of the game", "The cards", "Further rules", "End of the game", "Terms",
        "Tables", "Options", "Questions and answers", "Summary sheet", "Index", "Sources",
    ]  # fmt: skip
    aim = out.partition("Aim of the game")[2].partition("Components")[0]
    assert "The player with the most victory points wins." in aim
    assert "The score changes under “The scorpion”, “Scoring” and “Final scoring”." in aim
    assert "\n3.  Every player takes 18 discs, 15 cubes and 12 cylinders into their supply.\n4.  For every area:" in out
    assert "Last round" not in out


def test_lines_at_a_glance_lead_to_their_sections_in_each_format(wongar: Command) -> None:
    line = "In a ceremony all players with a token in the area take turns"
    text = wongar("rulebook", "wongar", "--lang", "en").out
    assert re.search(rf"\n{line}.* \(→ The ceremony\)\n", text)
    markdown = wongar("rulebook", "wongar", "--lang", "en", "--format", "md").out
    assert re.search(rf"\n{line}.* \[\(→ The ceremony\)\]\(#rule\.ceremony\)\n", markdown)
    page = wongar("rulebook", "wongar", "--lang", "en", "--format", "html").out
    assert re.search(rf'<p>{line}.* <a href="#rule\.ceremony">\(→ The ceremony\)</a></p>', page)


def test_reference_is_the_complete_text_without_numbered_steps(wongar: Command) -> None:
    out = wongar("rulebook", "wongar", "--style", "reference", "--lang", "en").out
    assert "What to keep track of" in out
    assert "This round becomes the last one." in out
    assert "\n3.  " not in out


def test_steps_are_numbered_in_markdown_and_on_the_page(wongar: Command) -> None:
    text = wongar("rulebook", "nim", "--format", "md", "--lang", "en").out
    assert re.search(r"^1\.  The number .*|^1\.  Every heap", text, re.MULTILINE)
    page = wongar("rulebook", "wongar", "--format", "html", "--lang", "en").out
    steps = re.search(r'<section id="setup".*?</section>', page, re.DOTALL)
    assert steps is not None
    assert re.search(r"<ol><li>Put the board in the middle of the table\.</li>", steps[0])
    assert "<li>For every area:<ul><li>" in steps[0]


def test_variant_that_changes_the_ranking_changes_the_aim(wongar: Command, tmp_path: Path) -> None:
    variant = tmp_path / "least.rules"
    text = "variant least of goofspiel\n    source house rule\n\nreplace winner p\n    fewest points of p\n"
    variant.write_text(text, encoding="utf-8")
    out = wongar("rulebook", str(variant), "--lang", "en").out
    aim = out.partition("Aim of the game")[2].partition("Components")[0]
    assert "fewest points" in aim
    assert "most points" not in aim


def test_page_shows_a_position_after_the_setup_with_its_decisions(wongar: Command) -> None:
    page = wongar("rulebook", "tongiaki", "--players", "4", "--format", "html", "--lang", "en").out
    figure = re.search(r'<figure class="position">.*?</figure>', page, re.DOTALL)
    assert figure is not None
    assert "<figcaption>An example of the set-up for 4 players. The numbers" in figure[0]
    assert len(re.findall(r'class="seat seat-\d', figure[0])) == 2 * 4  # two ships for each player
    assert "tabindex" not in figure[0]
    assert "gridcell" not in figure[0]
    reference = wongar("rulebook", "tongiaki", "--style", "reference", "--format", "html", "--lang", "en").out
    assert 'class="position"' not in reference


def test_examples_stand_below_the_rule_that_they_show_in_each_format(wongar: Command) -> None:
    title, story = "Example: The scorpion stings", "Anna 7, Ben 7, Clara 6, David −2, Emma 9."
    text = wongar("rulebook", "wongar", "--lang", "en").out
    scorpion = text.partition("The scorpion\n-----")[2].partition("\n-----")[0]
    assert title in scorpion
    assert story in scorpion
    # The rule that it shows only sets a flag, which the section on the end tells of.
    assert "Example: The last round" in text.partition("End of the game\n===")[2].partition("\n---")[0]
    markdown = wongar("rulebook", "wongar", "--lang", "en", "--format", "md").out
    assert f"> **{title}**\n>\n> " in markdown
    page = wongar("rulebook", "wongar", "--lang", "en", "--format", "html").out
    assert f'<div class="example"><p><strong>{title}</strong></p><div class="moments" aria-hidden="true">' in page
    assert "Example:" not in wongar("rulebook", "wongar", "--lang", "en", "--style", "reference").out


def test_things_in_the_picture_of_the_set_up_have_the_numbers_of_their_steps(wongar: Command) -> None:
    page = wongar("rulebook", "wongar", "--format", "html", "--lang", "en").out
    setup = page.partition('<section id="setup"')[2].partition("</section>")[0]
    figure = setup.partition('<figure class="position">')[2]
    # Pile and card of each area, its first tokens, and the two figures: each once, in the first area that has it.
    numbers = re.findall(r'class="step">.*?<tspan[^>]*>([\d, ]+)<', figure)
    assert sorted(numbers, key=int) == ["4", "4", "6", "13", "14"]
    assert "The numbers in dark circles are the steps above." in figure
    page = wongar("rulebook", "tongiaki", "--format", "html", "--lang", "en").out
    figure = page.partition('<figure class="position">')[2].partition("</figure>")[0]
    assert re.findall(r'class="step">.*?<tspan[^>]*>([\d, ]+)<', figure) == ["3, 5"]


def test_text_and_markdown_draw_the_set_up_in_characters(wongar: Command) -> None:
    out = wongar("rulebook", "wongar", "--players", "4", "--lang", "en").out
    setup = out.partition("\nSet-up\n")[2].partition("\nWho may see what\n")[0]
    drawing = setup.partition("An example of the set-up for 4 players:\n\n")[2].splitlines()
    assert re.search(r"│hands +\+14│foot +\+14│", "\n".join(drawing))
    assert {letter for line in drawing for letter in re.findall(r"[A-Z](?=\d[●■▮])", line)} == set("ABCD")
    assert max(map(len, drawing)) <= 80
    text = wongar("rulebook", "wongar", "--players", "4", "--format", "md", "--lang", "en").out
    assert "\n".join(["```", *drawing, "```"]) in text
    assert "│hands" not in wongar("rulebook", "wongar", "--style", "reference", "--lang", "en").out
    with wongar.terminal("rulebook", "wongar", "--lang", "en", columns=60) as narrow:
        shown = narrow.rest()
    assert re.search(r"│hands +\+14│foot +\+14│", shown)  # It is drawn for the width of the terminal.


def moments(page: str, title: str) -> list[list[str]]:
    """Return the pictures of an example: before and after its moves, the words in each."""
    example = page.partition(f"<strong>Example: {title}</strong>")[2].partition("</div><p>")[0]
    return [re.findall(r">([^<]+)</(?:p|tspan)>", part) for part in example.split('<div class="moment">')[1:]]


def test_pictures_of_an_example_show_what_its_text_tells_before_and_after(wongar: Command) -> None:
    page = wongar("rulebook", "wongar", "--format", "html", "--lang", "en").out
    people = ["Anna", "Points: 7", "Ben", "Points: 7", "Clara", "Points: 6", "David", "Points: −2", "Emma", "Points: 9"]
    before, after = moments(page, "The scorpion stings")
    assert before == ["Before", "Snake", "4 ritual", "cards", *people]
    assert after == ["After", "Snake", "Anna", "Points: 5", *people[2:]]
    # Areas between those that matter have names only; a letter and a number stand for tokens.
    before, after = moments(page, "A card for one kind of token")
    assert before == ["Before", "Snake", "Cube", "Hands", "Foot", "Fish", "Bat", "Lizard"]
    assert after == ["After", "Snake", "A", "1", "Hands", "Foot", "Fish", "Bat", "Lizard", "A", "2"]
    # The second picture marks the changed places; a hand shows only the cards that the text names.
    picture = page.partition("Example: Moving a token away")[2].partition("</div><p>")[0]
    assert picture.count('class="changed"') == 3
    assert moments(page, "Removing a token")[0][-3:] == ["Anna", "Disc", "Ritual cards"]
    # Nothing happens here but refusals: one picture, without a title.
    assert [part[0] for part in moments(page, "Cards that have no effect")] == ["Bat"]


def test_pictures_of_examples_are_cut_to_the_squares_and_cards_that_matter(wongar: Command) -> None:
    page = wongar("rulebook", "connect_four", "--format", "html", "--lang", "en").out
    assert moments(page, "A line that wins") == [
        ["Before", *"abcde", *"321", *"BB", *"AA"], ["After", *"abcde", *"321", *"BBB", *"AAAA"]
    ]  # fmt: skip
    page = wongar("rulebook", "tongiaki", "--format", "html", "--lang", "en").out
    before, after = moments(page, "A new island")
    assert "Tonga" in before
    assert "Hiva" not in before
    assert {"Tonga", "Hiva"} <= {*after}
    # Islands that lie far apart have pictures of their own.
    assert page.partition("Example: An endless chain")[2].partition("</div><p>")[0].count("<svg") == 2 * 2


def test_page_is_for_the_chosen_paper_with_page_numbers_and_cards_to_cut_out_in_their_size(wongar: Command) -> None:
    page = wongar("rulebook", "kuhn_poker", "--format", "html", "--paper", "a5", "--lang", "en").out
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert re.findall(r"@page(?: \w+)? \{ size: (A\d)", style) == ["A5", "A4"]
    assert "content: counter(page)" in style
    assert '<div class="sheet" style="width: 196.0mm; padding: 3.5mm">' in page


def test_pdf_is_made_of_the_page_or_the_missing_library_is_named(wongar: Command) -> None:
    folder = wongar.home / "without"
    folder.mkdir()
    (folder / "weasyprint.py").write_text("raise ImportError\n", encoding="utf-8")
    book = ("rulebook", "kuhn_poker", "--format", "pdf", "--paper", "a5", "--lang", "de")
    missing = wongar.process(*book, PYTHONPATH=str(folder))
    assert (missing.code, missing.out) == (2, "")
    assert "So wird das Paket installiert: pip install 'wongar[pdf]'" in missing.err
    # Some machines have the library; pip alone does not install what it needs.
    if find_spec("weasyprint") is not None:
        made = subprocess.run([*START, *book], env=wongar.environment(), capture_output=True, check=False)
        assert made.stdout.startswith(b"%PDF-")
        assert made.stdout.rstrip().endswith(b"%%EOF")
        assert (made.returncode, made.stderr) == (0, b"")


def test_pictures_of_a_pdf_have_colours_of_their_own() -> None:
    # The renderer of a PDF does not apply the style of a page to its pictures.
    rules = dict(flat_rules())
    assert rules[".seat-1 .wash { fill: #1b5fa8; stroke: #ffffff; stroke-width: 6; }"] == {"seat-1", "wash"}
    assert not any("--" in rule or rule.count("{") != 1 for rule in rules)


GAME = """game tried
    players 2
    source house rule

board field
    grid 2 by 2

remember n: number = 0

setup
{setup}
play
    nobody wins
"""
ENDLESS = """    repeat
        player(1) chooses t
            go
                set n to 1 - n
        if n > 1
            nobody wins
"""


@pytest.mark.parametrize(
    ("setup", "shown"),
    [("    set n to 1\n", True), ("    set n to 1 div n\n", False), (ENDLESS, False)],
    ids=["good", "a fault", "no end"],
)
def test_setup_that_cannot_be_shown_leaves_out_the_picture(
    wongar: Command, tmp_path: Path, setup: str, shown: bool
) -> None:
    rules = tmp_path / "tried.rules"
    rules.write_text(GAME.format(setup=setup), encoding="utf-8")
    page = wongar("rulebook", str(rules), "--format", "html", "--lang", "en")
    assert page.code == 0
    assert ('class="position"' in page.out) == shown


INTRODUCED = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8"

# articles: board.field
msgctxt "tried.rulebook.intro"
msgid "{text}"
msgstr ""
"""


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("The two rows are yours.", ""),
        ("All nine squares are yours.", "says “nine”, a number that none of its articles gives."),
        ("Each {{raft}} is yours.", "“raft”"),
        ("All cards are yours.", "speaks of “cards”, but the rules have none."),
    ],
)
def test_introduction_beside_the_rules_is_checked_and_shown(
    wongar: Command, tmp_path: Path, text: str, refused: str
) -> None:
    rules, catalog = tmp_path / "tried.rules", tmp_path / "locales" / "en" / "messages.po"
    rules.write_text(GAME.format(setup="    set n to 1\n"), encoding="utf-8")
    catalog.parent.mkdir(parents=True)
    catalog.write_text(INTRODUCED.replace("{text}", text.replace("{{", "{").replace("}}", "}")), encoding="utf-8")
    checked = wongar("validate", str(rules), "--lang", "en")
    told = " ".join(checked.out.split())
    assert (checked.code == 0) == (not refused), told
    assert refused in told
    if not refused:
        assert f"About the game\n==============\n{text}\n" in wongar("rulebook", str(rules), "--lang", "en").out


CARDS = """game quiet_cards
    players 2
    source house rule

cards thing
    it

deck pack of thing
    2 it

pile stack holds thing

remember times_seen: number = 0

setup
    fill stack with pack

effect it for p
    set times_seen to 1

play
    for each p in player
        perform top of stack for p
    nobody wins
"""


def test_cards_whose_effects_concern_no_player_have_no_summary(wongar: Command, tmp_path: Path) -> None:
    rules = tmp_path / "quiet_cards.rules"
    rules.write_text(CARDS, encoding="utf-8")
    book = wongar("rulebook", str(rules), "--lang", "en")
    assert book.code == 0
    assert "The cards" in book.out
    assert "Summary sheet" not in book.out


# ---- variants as a family tries them, and the game of a stranger ----

LANGUAGES = ("en", "de", "nl", "it")


def variant(folder: Path, base: str, changes: str) -> str:
    """Write a variant and return its path."""
    rules = folder / "tried.rules"
    rules.write_text(f"variant tried of {base}\n    source house rule\n\n{changes}\n", encoding="utf-8")
    return str(rules)


def lines_of(book: str) -> list[str]:
    """Return the lines of a book without footnotes, whose numbers move."""
    return [
        re.sub(r" \[[0-9]+(, [^]]*)?\]", "", line) for line in book.splitlines() if not line.startswith(("[", " ["))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_book_of_a_variant_differs_only_where_the_rules_do(wongar: Command, tmp_path: Path, language: str) -> None:
    rules = variant(tmp_path, "tongiaki", "set worth[tahiti] to 6")
    base, book = (lines_of(wongar("rulebook", name, "--lang", language).out) for name in ("tongiaki", rules))
    headings = [[line for line, below in pairwise(lines) if re.fullmatch("=+|-+|~+", below)] for lines in (base, book)]
    assert headings[0][1:] == headings[1][1:]  # All but the title; the glance and the summary are still there.
    # The introduction stays, the paragraph about points and the author's note on them go.
    about = base[base.index(headings[0][1]) + 3]
    note = next(line for line in base if re.match(r"(Note|Hinweis|Opmerking|Nota)[:.] .* 4 .* 5 ", line))
    assert {line for line in base[2:] if line not in book} == {about, note, "Tahiti      4"}
    # The table that differs stands below the author's paragraph, there and on the summary sheet, and among the tables.
    assert book.count("Tahiti      6") == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_whose_words_a_variant_makes_untrue_is_told_in_other_words(
    wongar: Command, tmp_path: Path, language: str
) -> None:
    changes = "remove elder_privilege from play\nremove rule elder_privilege"
    book = wongar("rulebook", variant(tmp_path, "wongar", changes), "--lang", language).out
    assert not re.search(r"[a-z]\.[a-z]|[a-z]_[a-z]", "\n".join(lines_of(book)[3:]))


def test_board_of_another_size_is_told_as_the_difference_and_its_example_is_named(
    wongar: Command, tmp_path: Path
) -> None:
    rules = variant(tmp_path, "connect_four", "replace board cell\n    grid 8 by 6")
    about = wongar("rulebook", rules, "--lang", "en").out.partition("About the game")[2].partition("Aim")[0]
    assert [line for line in about.splitlines()[4:] if line] == [
        "– The board:", "  – The board has 48 squares in 8 columns and 6 rows.",
    ]  # fmt: skip
    validated = " ".join(wongar("validate", rules, "--lang", "en").out.split())
    assert (
        "the example “six discs fill a column” does not hold with these rules. The rulebook shows “three" in validated
    )


HARVEST = """game harvest
    players 2 to 4
    source house rule

enum crop = corn, grape

cards card
    field(kind: crop)
    storm

deck harvest_deck of card total 11
    6 field(corn), 4 field(grape)
    1 storm

table price
    corn  1
    grape 3

pile stack holds card, seen as a number
hand basket of each player holds card, seen by owner never storm
heap market holds card, seen by all

score coins
remember strength of each player: number = 4

play
    fill stack with harvest_deck
    shuffle stack
    repeat until stack is empty
        for each p in player
            take_turn(p)
    end game

rule take_turn(me: player)
    me chooses turn
        gather if strength of me > 0 and stack is not empty
            set strength of me to strength of me - 1
            draw_card(me)
        sell(kind: crop where count of field(kind) in basket of me >= 2)
            sell_all(me, kind)
        otherwise
            if stack is not empty
                draw_card(me)

rule draw_card(me: player)
    if top of stack is storm
        move top of stack to market
    otherwise
        move top of stack to basket of me

rule sell_all(me: player, kind: crop)
    me gains count of field(kind) in basket of me * price[kind] coins
    repeat while count of field(kind) in basket of me > 0
        move field(kind) from basket of me to market

winner p
    most coins of p
"""
SELLING = """players: 2
cases:
  - name: selling three ears of corn
    example: yes
    position:
      basket: {1: ["field(corn)", "field(corn)", "field(corn)", "field(grape)"], 2: []}
    moves: [sell(corn)]
    expect: {position: {coins: {1: 3}}}
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_game_without_words_or_set_up_tells_starts_points_and_places(
    wongar: Command, tmp_path: Path, language: str
) -> None:
    rules = tmp_path / "harvest.rules"
    rules.write_text(HARVEST, encoding="utf-8")
    (tmp_path / "harvest.cases.yaml").write_text(SELLING, encoding="utf-8")
    sections = re.split(r"\n(.+)\n=+\n", wongar("rulebook", str(rules), "--lang", language).out)[1:]
    headings, texts = sections[::2], sections[1::2]
    aim, _, setup, _, play, *_, index, _ = texts
    assert headings[4] in aim  # Points are gained in the course of the game.
    assert re.fullmatch(r"1\.  Strength: .* 4\.", setup.strip())
    assert re.search(f"^Market +{headings[4]}", index, re.MULTILINE)
    assert "Anna" in play
    assert play.partition("Anna")[2].count("3 coins") == 1
    assert all(text.strip() for text in texts)
